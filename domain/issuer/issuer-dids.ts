import type { PublicJwk } from '../../ports/key-service.ts';
import type { DidResolver } from '../dids/did-resolver.ts';
import { invalidField, isDomainError } from '../foundation/errors.ts';
import { isSameKey } from '../jose/jwk.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import type { OwnIssuer } from './own-issuers.ts';

/** A DID and the key that is to sign under it, as a request has them. */
export interface ClaimedIssuer extends OwnIssuer {
  /** JSON Pointer of the DID in the request. */
  path: string;
}

/** DIDs of one call whose documents are fetched. */
const MAX_FETCHED = 8;

/** What a DID resolves to: its keys, or the reason why it has none. */
type Resolution = PublicJwk[] | string;

/** Judges whether a key may sign under a DID: both are an issuer of ours, or the DID resolves to the key. */
export class IssuerDids {
  readonly #issuers: Pick<IssuerKeys, 'knows'>;
  readonly #resolver: Pick<DidResolver, 'keys'>;

  constructor(issuers: Pick<IssuerKeys, 'knows'>, resolver: Pick<DidResolver, 'keys'>) {
    this.#issuers = issuers;
    this.#resolver = resolver;
  }

  /** Resolves each DID once, all at the same time. @throws DomainError `BadRequest` naming the first DID that does not fit */
  async check(claimed: ClaimedIssuer[]): Promise<void> {
    const strangers: ClaimedIssuer[] = [];
    for (const one of claimed) if (spellsOut(one.did) || !(await this.#issuers.knows(one))) strangers.push(one);
    checkCount(strangers);
    const dids = [...new Set(strangers.map(({ did }) => did))];
    const resolutions = new Map(
      await Promise.all(dids.map(async (did): Promise<[string, Resolution]> => [did, await this.#resolve(did)])),
    );
    for (const stranger of strangers) checkKey(stranger, resolutions.get(stranger.did) ?? []);
  }

  async #resolve(did: string): Promise<Resolution> {
    try {
      return await this.#resolver.keys(did, 'assertionMethod');
    } catch (error) {
      if (isDomainError(error)) return error.message;
      throw error;
    }
  }
}

/** Whether the DID holds its key itself, so that no store and no document is asked. */
const spellsOut = (did: string): boolean => /^did:(jwk|key):/.test(did);

function checkCount(strangers: ClaimedIssuer[]): void {
  const fetched = new Set<string>();
  for (const { did, path } of strangers)
    if (!spellsOut(did) && fetched.add(did).size > MAX_FETCHED)
      throw invalidField(path, `one call may have at most ${MAX_FETCHED} DIDs whose documents are fetched`);
}

function checkKey({ jwk, path }: ClaimedIssuer, resolution: Resolution): void {
  if (typeof resolution === 'string') throw invalidField(path, `must resolve to issuerKey: ${resolution}`);
  if (!resolution.some((key) => isSameKey(key, jwk)))
    throw invalidField(path, 'resolves to another key than issuerKey');
}
