import type { PublicJwk } from '../../../ports/key-service.ts';
import type { DidResolver } from '../../dids/did-resolver.ts';
import { invalidField, isDomainError } from '../../foundation/errors.ts';
import type { FieldPath } from '../../foundation/field-paths.ts';
import { isSameKey } from '../../jose/jwk.ts';
import type { CredentialIssuer, IssuerIdentity } from '../credential-issuer.ts';
import type { IssuerKeys } from './issuer-keys.ts';

/** A DID and the key that is to sign under it, as a request has them. */
interface RequestedIdentity extends IssuerIdentity {
  /** The place of the DID. */
  path: FieldPath;
}

/** The largest number of DIDs in one call whose documents are fetched. */
const MAX_FETCHED = 8;

/** What a DID resolves to: its keys, or the reason why it has none. */
type Resolution = PublicJwk[] | string;

/** Verifies that a key may sign under a DID: the issuer knows both, or the DID resolves to the key. */
export class IssuerDids {
  constructor(
    private readonly issuers: Pick<IssuerKeys, 'knows'>,
    private readonly resolver: Pick<DidResolver, 'keys'>,
  ) {}

  /** Resolves each DID once, all at the same time. @throws DomainError `BadRequest` naming the first DID that does not fit */
  async check(issuer: CredentialIssuer, requested: RequestedIdentity[]): Promise<void> {
    const unknown: RequestedIdentity[] = [];
    for (const one of requested)
      if (isSelfContained(one.did) || !(await this.issuers.knows(issuer, one))) unknown.push(one);
    checkCount(unknown);
    const dids = [...new Set(unknown.map(({ did }) => did))];
    const resolutions = new Map(
      await Promise.all(dids.map(async (did): Promise<[string, Resolution]> => [did, await this.#resolve(did)])),
    );
    for (const one of unknown) checkKey(one, resolutions.get(one.did) ?? []);
  }

  async #resolve(did: string): Promise<Resolution> {
    try {
      return await this.resolver.keys(did, 'assertionMethod');
    } catch (error) {
      if (isDomainError(error)) return error.message;
      throw error;
    }
  }
}

/** Whether the DID contains its key, so that neither a store nor a document is read. */
const isSelfContained = (did: string): boolean => /^did:(jwk|key):/.test(did);

function checkCount(unknown: RequestedIdentity[]): void {
  const fetched = new Set<string>();
  for (const { did, path } of unknown)
    if (!isSelfContained(did) && fetched.add(did).size > MAX_FETCHED)
      throw invalidField(path, `one call may have at most ${MAX_FETCHED} DIDs whose documents are fetched`);
}

function checkKey({ jwk, path }: RequestedIdentity, resolution: Resolution): void {
  if (typeof resolution === 'string') throw invalidField(path, `must resolve to issuerKey: ${resolution}`);
  if (!resolution.some((key) => isSameKey(key, jwk)))
    throw invalidField(path, 'resolves to another key than issuerKey');
}
