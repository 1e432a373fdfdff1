import type { Certificates } from '../../ports/certificates.ts';
import { at } from '../foundation/errors.ts';
import type { FieldPath } from '../foundation/field-paths.ts';
import type { KeyBackends } from '../keys/key-backends.ts';
import { readChain } from './certificate-chain.ts';
import type { CredentialIssuer } from './credential-issuer.ts';
import { type IssuanceRequest, readContent } from './issuance-request.ts';
import type { IssuableContent } from './issuance-session.ts';
import type { IssuerDids } from './issuer-dids.ts';

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

  /** @throws DomainError `BadRequest` naming what is wrong, below its index when there are several */
  async read(issuer: CredentialIssuer, requests: IssuanceRequest | IssuanceRequest[]): Promise<IssuableContent[]> {
    const contents: IssuableContent[] = [];
    const placeOf = (index: number): FieldPath => (Array.isArray(requests) ? [index] : []);
    for (const [index, request] of [requests].flat().entries())
      contents.push(await at(placeOf(index), () => this.#readOne(issuer, request)));
    await this.#parts.issuerDids.check(
      issuer,
      contents.map(({ issuerDid: did, issuerKey: { publicJwk: jwk } }, index) => {
        return { did, jwk, path: [...placeOf(index), 'issuerDid'] };
      }),
    );
    return contents;
  }

  async #readOne(
    { configurations }: CredentialIssuer,
    { issuerKey: wire, x5Chain, ...request }: IssuanceRequest,
  ): Promise<IssuableContent> {
    const { keys, certificates } = this.#parts;
    const content = readContent(request, configurations);
    const issuerKey = await at(['issuerKey'], () => keys.read(wire));
    const chain = { certificates, jwk: issuerKey.publicJwk };
    return { ...content, issuerKey, x5c: x5Chain && at(['x5Chain'], () => readChain(x5Chain, chain)) };
  }
}
