import type { KeyReference, KeyType, PublicJwk } from '../../ports/key-service.ts';
import type { Ids } from '../../ports/system.ts';
import { createDid, type DidRequest, knowsDidMethod } from '../dids/did-methods.ts';
import { at, invalidField } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { KeyBackends } from '../keys/key-backends.ts';
import type { IssuerKeys } from './issuer-keys.ts';

/** What an issuer asks for; everything may be left out. */
export interface OnboardingRequest {
  key?: { backend?: string; keyType?: KeyType; name?: string; config?: JsonObject };
  did?: { method?: string; config?: JsonObject };
}

/** The issuer's new key, in the shape its backend has on the wire, and the DID made from it. */
export interface OnboardingResult {
  issuerKey: JsonObject & { type: string };
  issuerDid: string;
}

/** Stands in for the key to come, to find out whether a DID could be made from it (RFC 8037 appendix A.2). */
const SAMPLE_KEY: PublicJwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };

/** DID methods that somebody else must write down somewhere. */
const REGISTERED_METHODS = ['cheqd'];

/** Makes issuers: a key and a DID. The key is handed over; what is kept is that it is one of ours. */
export class Onboarding {
  readonly #keys: KeyBackends;
  readonly #ids: Ids;
  readonly #issuers: Pick<IssuerKeys, 'add'>;

  constructor(keys: KeyBackends, ids: Ids, issuers: Pick<IssuerKeys, 'add'>) {
    this.#keys = keys;
    this.#ids = ids;
    this.#issuers = issuers;
  }

  /** Checks the whole request before a key is made. @throws DomainError `BadRequest` naming the field, `StoreUnavailable` */
  async onboard({ key = {}, did = {} }: OnboardingRequest): Promise<OnboardingResult> {
    const { backend = 'jwk', keyType = 'Ed25519', ...more } = key;
    const didFor = this.#didMaker(did);
    didFor(SAMPLE_KEY);
    const reference = await at(['body', 'key'], () => this.#keys.create(backend, { keyType, ...more }));
    try {
      const { publicJwk: jwk } = reference;
      const issuerDid = didFor(jwk);
      await this.#issuers.add({ did: issuerDid, jwk });
      return { issuerKey: { ...this.#keys.write(reference, backend), type: backend }, issuerDid };
    } catch (error) {
      await this.#discard(reference);
      throw error;
    }
  }

  #didMaker({ method = 'jwk', config = {} }: { method?: string; config?: JsonObject }): (jwk: PublicJwk) => string {
    if (!knowsDidMethod(method) && REGISTERED_METHODS.includes(method))
      throw invalidField('/body/did/method', `did:${method} needs a registrar, and did-registrar.conf names none`);
    const path = typeof config.path === 'string' ? this.#fillIn(config.path) : config.path;
    const request: Omit<DidRequest, 'jwk'> = { method, config: { ...config, path } };
    return (jwk) => createDid({ ...request, jwk });
  }

  #fillIn = (path: string): string => path.replaceAll('[random-uuid]', () => this.#ids.uuid());

  /** The failure that led here is the one to tell of. */
  #discard(reference: KeyReference): Promise<void> {
    return this.#keys.remove(reference).catch(() => undefined);
  }
}
