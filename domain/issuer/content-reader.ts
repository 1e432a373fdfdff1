import type { Certificates } from '../../ports/certificates.ts';
import { mapBounded } from '../foundation/concurrency.ts';
import { at } from '../foundation/errors.ts';
import type { FieldPath } from '../foundation/field-paths.ts';
import type { KeyBackends } from '../keys/key-backends.ts';
import { readChain } from './certificate-chain.ts';
import type { CredentialIssuer } from './credential-issuer.ts';
import type { IssuableContent } from './issuable-content.ts';
import { type IssuanceRequest, readContent } from './issuance-request.ts';
import type { IssuerDids } from './issuer-dids.ts';
import { statusListOf } from './status-list-member.ts';

/** How many keys of one call are asked for at their backends at the same time. */
const MAX_KEYS_AT_ONCE = 8;

/** What reading offered credentials needs. */
export interface ContentReaderParts {
  keys: KeyBackends;
  certificates: Certificates;
  issuerDids: IssuerDids;
}

/** Reads the credentials of an offer with their keys. */
export class ContentReader {
  readonly #parts: ContentReaderParts;

  constructor(parts: ContentReaderParts) {
    this.#parts = parts;
  }

  /**
   * Checks all requests before a key is asked for at its backend. @throws DomainError `BadRequest` naming what is wrong,
   * below its index when there are several
   */
  async read(issuer: CredentialIssuer, requests: IssuanceRequest | IssuanceRequest[]): Promise<IssuableContent[]> {
    const placeOf = (index: number): FieldPath => (Array.isArray(requests) ? [index] : []);
    const checked = [requests].flat().map((request, index) => at(placeOf(index), () => checkRequest(issuer, request)));
    const contents = await mapBounded(checked, MAX_KEYS_AT_ONCE, (one, index) =>
      at(placeOf(index), () => this.#withKey(one)),
    );
    await this.#parts.issuerDids.check(
      issuer,
      contents.map(({ issuerDid: did, issuerKey: { publicJwk: jwk } }, index) => {
        return { did, jwk, path: [...placeOf(index), 'issuerDid'] };
      }),
    );
    return contents;
  }

  async #withKey({ content, issuerKey: wire, x5Chain }: CheckedRequest): Promise<IssuableContent> {
    const { keys, certificates } = this.#parts;
    const issuerKey = await at(['issuerKey'], () => keys.read(wire));
    const chain = { certificates, jwk: issuerKey.publicJwk };
    return { ...content, issuerKey, x5c: x5Chain && at(['x5Chain'], () => readChain(x5Chain, chain)) };
  }
}

/** A request whose content was read, with what is left to read. */
interface CheckedRequest extends Pick<IssuanceRequest, 'issuerKey' | 'x5Chain'> {
  content: Omit<IssuableContent, 'issuerKey' | 'x5c'>;
}

function checkRequest(issuer: CredentialIssuer, { issuerKey, x5Chain, ...request }: IssuanceRequest): CheckedRequest {
  const content = readContent(request, issuer.configurations);
  const statusList = statusListOf(issuer, { member: request.statusList, content });
  return { issuerKey, x5Chain, content: { ...content, statusList } };
}
