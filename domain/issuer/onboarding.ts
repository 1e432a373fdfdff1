import type { KeyReference, KeyType, PublicJwk } from '../../ports/key-service.ts';
import type { Ids } from '../../ports/system.ts';
import { createDid, type DidRequest, knowsDidMethod } from '../dids/did-methods.ts';
import { at, invalidField } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { KeyBackends } from '../keys/key-backends.ts';
import type { CredentialIssuer } from './credential-issuer.ts';
import type { IssuerKeys } from './issuer-keys.ts';

/** An onboarding request; every member is optional. */
export interface OnboardingRequest {
  key?: { backend?: string; keyType?: KeyType; name?: string; config?: JsonObject };
  did?: { method?: string; config?: JsonObject };
}

/** The new key, in the wire shape of its backend, and the DID created from it. */
export interface OnboardingResult {
  issuerKey: JsonObject & { type: string };
  issuerDid: string;
}

/** A key to find out whether a DID could be created, before there is one (RFC 8037 appendix A.2). */
const SAMPLE_KEY: PublicJwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };

/** DID methods that need a registrar. */
const REGISTERED_METHODS = ['cheqd'];

/** Creates a key and a DID for an issuer. The key is given to the caller; only its public part is stored. */
export class Onboarding {
  readonly #keys: KeyBackends;
  readonly #ids: Ids;
  readonly #issuers: Pick<IssuerKeys, 'add'>;

  constructor(keys: KeyBackends, ids: Ids, issuers: Pick<IssuerKeys, 'add'>) {
    this.#keys = keys;
    this.#ids = ids;
    this.#issuers = issuers;
  }

  /** Checks the whole request before a key is created. @throws DomainError `BadRequest` naming the field, `StoreUnavailable` */
  async onboard(issuer: CredentialIssuer, { key = {}, did = {} }: OnboardingRequest): Promise<OnboardingResult> {
    const { backend = 'jwk', keyType = 'Ed25519', ...more } = key;
    const didFor = at(['did'], () => this.#didMaker(did));
    at(['did'], () => didFor(SAMPLE_KEY));
    const reference = await at(['key'], () => this.#keys.create(backend, { keyType, ...more }));
    try {
      const { publicJwk: jwk } = reference;
      const issuerDid = didFor(jwk);
      await this.#issuers.add(issuer, { did: issuerDid, jwk });
      return { issuerKey: this.#keys.write(reference, backend), issuerDid };
    } catch (error) {
      await this.#discard(reference);
      throw error;
    }
  }

  #didMaker({ method = 'jwk', config = {} }: { method?: string; config?: JsonObject }): (jwk: PublicJwk) => string {
    if (!knowsDidMethod(method) && REGISTERED_METHODS.includes(method))
      throw invalidField(['method'], `did:${method} needs a registrar, and did-registrar.conf names none`);
    const path = typeof config.path === 'string' ? this.#fillIn(config.path) : config.path;
    const request: Omit<DidRequest, 'jwk'> = { method, config: { ...config, path } };
    return (jwk) => createDid({ ...request, jwk });
  }

  #fillIn = (path: string): string => path.replaceAll('[random-uuid]', () => this.#ids.uuid());

  /** Its own failure must not hide the first one. */
  #discard(reference: KeyReference): Promise<void> {
    return this.#keys.remove(reference).catch(() => undefined);
  }
}
