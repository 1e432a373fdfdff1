import type { Outbound, OutboundReply } from '../../../ports/outbound.ts';
import { base64, digest } from '../../foundation/bytes.ts';
import { DomainError, invalidField, isDomainError } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { isCallableUrl } from '../../network/urls.ts';
import { isSuccess, ProtocolClient, readObject } from '../protocol-client.ts';

/** A type of credential, and the digest of its metadata where the credential names one. */
interface WantedType {
  vct: string;
  /** The claim `vct#integrity` (W3C Subresource Integrity). */
  integrity?: string;
}

/** The algorithms of integrity metadata, the strongest first. */
const ALGORITHMS = ['sha512', 'sha384', 'sha256'] as const;

/** The type metadata of SD-JWT VCs (draft-ietf-oauth-sd-jwt-vc §6). */
export class TypeMetadata {
  readonly #client: ProtocolClient;

  constructor(outbound: Outbound) {
    this.#client = new ProtocolClient(outbound, 'publisher of the type');
  }

  /**
   * Returns the metadata of a type whose name is a URL: from that URL, or from its well-known form, which older drafts
   * define. @throws DomainError `BadRequest` naming `vct` or `integrity`, `UpstreamFailed`, `UpstreamTimeout`
   */
  async resolve({ vct, integrity }: WantedType): Promise<JsonObject> {
    const expected = integrity === undefined ? undefined : readIntegrity(integrity);
    let refusal: unknown;
    for (const url of addressesOf(vct)) {
      try {
        const reply = await this.#fetch(url);
        return this.#read(reply, vct, expected);
      } catch (error) {
        if (!isDomainError(error, 'BadRequest') && !isDomainError(error, 'UpstreamFailed')) throw error;
        refusal ??= error;
      }
    }
    throw refusal;
  }

  async #fetch(url: string): Promise<OutboundReply> {
    const headers = { accept: 'application/json' };
    const reply = await this.#client.send({ method: 'GET', url, expects: 'type-metadata', headers });
    if (!isSuccess(reply)) throw this.#client.errorFrom(reply);
    return reply;
  }

  #read(reply: OutboundReply, vct: string, expected: Integrity | undefined): JsonObject {
    const metadata = readObject(reply);
    if (!metadata)
      throw new DomainError('UpstreamFailed', 'The publisher of the type did not answer with a JSON object');
    if (metadata.vct !== vct) throw invalidField(['vct'], 'the metadata at this address is that of another type');
    if (expected && !expected.digests.includes(base64(digest(expected.algorithm, reply.body))))
      throw invalidField(['integrity'], 'the metadata at the address of the type has another digest');
    return metadata;
  }
}

/** The type's own address, then `/.well-known/vct` between its host and its path. */
function addressesOf(vct: string): string[] {
  if (!isCallableUrl(vct) || vct.includes('#'))
    throw invalidField(['vct'], 'must be an http(s) URL: the metadata of other types has no address');
  const [, origin = '', path = ''] = /^([a-z]+:\/\/[^/?]+)(.*)$/i.exec(vct) ?? [];
  return [vct, `${origin}/.well-known/vct${path.replace(/\/$/, '')}`];
}

interface Integrity {
  algorithm: (typeof ALGORITHMS)[number];
  /** In base64; one of them has to match. */
  digests: string[];
}

/** The digests of the strongest algorithm count (Subresource Integrity §3.3.4). */
function readIntegrity(text: string): Integrity {
  const found = text.split(/\s+/).map((part) => /^(sha256|sha384|sha512)-([A-Za-z0-9+/]+={0,2})$/.exec(part));
  for (const algorithm of ALGORITHMS) {
    const digests = found.flatMap((match) => (match?.[1] === algorithm && match[2] ? [match[2]] : []));
    if (digests.length > 0) return { algorithm, digests };
  }
  throw invalidField(['integrity'], 'must be digests such as sha256-…, in base64');
}
