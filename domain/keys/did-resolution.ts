import type { PublicJwk } from '../../ports/key-service.ts';
import type { Outbound } from '../../ports/outbound.ts';
import { BoundedCache } from '../bounded-cache.ts';
import { fromUtf8 } from '../bytes.ts';
import { DomainError } from '../errors.ts';
import { asList, isObject, isText, parseJson } from '../json.ts';
import { keyInDid } from './dids.ts';
import { readPublicJwk } from './jwk.ts';

const MAX_DOCUMENT_BYTES = 256 * 1024;
const KEPT_DIDS = 1000;

/** Finds the keys behind a DID: did:key and did:jwk by reading them, did:web by fetching its document. */
export class DidResolver {
  readonly #outbound: Outbound;
  readonly #spelledOut = new BoundedCache<PublicJwk>(KEPT_DIDS);

  constructor(outbound: Outbound) {
    this.#outbound = outbound;
  }

  /**
   * The keys of a DID, or the one key a DID URL with a fragment names.
   * @throws DomainError `BadRequest` when there is none, `UpstreamFailed`/`UpstreamTimeout` when the document cannot be had
   */
  async keys(didUrl: string): Promise<PublicJwk[]> {
    const [did = '', fragment] = didUrl.split('#');
    if (/^did:(jwk|key):/.test(did)) return [this.#readOut(did)];
    if (!did.startsWith('did:web:'))
      throw new DomainError('BadRequest', `The DID method of ${did.slice(0, 80)} is not supported`);
    const keys = readDocument(await this.#fetch(did), did, fragment);
    if (keys.length === 0) throw new DomainError('BadRequest', `${didUrl.slice(0, 120)} names no usable key`);
    return keys;
  }

  #readOut(did: string): PublicJwk {
    return this.#spelledOut.get(did) ?? this.#spelledOut.set(did, keyInDid(did));
  }

  async #fetch(did: string): Promise<unknown> {
    const url = documentUrl(did);
    const headers = { accept: 'application/did+json, application/json' };
    const limits = { maxBytes: MAX_DOCUMENT_BYTES };
    const reply = await this.#outbound.send({ purpose: 'did-document', method: 'GET', url, headers, ...limits });
    if (reply.status !== 200)
      throw new DomainError('UpstreamFailed', `The document of ${did.slice(0, 120)} was answered with ${reply.status}`);
    return parseJson(fromUtf8(reply.body));
  }
}

/** did:web §3.2; plain http only for a host on this machine, which the network guard refuses unless it is allowed. */
function documentUrl(did: string): string {
  const [domain = '', ...path] = did.slice('did:web:'.length).split(':').map(decodePart);
  if (!/^[A-Za-z0-9.-]+(:\d{1,5})?$/.test(domain)) throw new DomainError('BadRequest', 'The DID names no domain');
  const scheme = /^(localhost|127\.\d+\.\d+\.\d+)(:\d+)?$/.test(domain) ? 'http' : 'https';
  const segments = path.length === 0 ? ['.well-known'] : path.map(encodeURIComponent);
  return `${scheme}://${domain}/${segments.join('/')}/did.json`;
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new DomainError('BadRequest', 'The DID is not well-formed');
  }
}

function readDocument(document: unknown, did: string, fragment: string | undefined): PublicJwk[] {
  if (!isObject(document) || document.id !== did)
    throw new DomainError('BadRequest', `The document of ${did.slice(0, 120)} is another DID's`);
  const methods = asList(document.verificationMethod).filter(isObject);
  return methods.flatMap((method) => {
    const named = isText(method.id) && method.id.split('#')[1] === fragment;
    if (fragment !== undefined && !named) return [];
    return isObject(method.publicKeyJwk) ? [readPublicJwk(method.publicKeyJwk)] : [];
  });
}
