import type { KeyType } from '../../../ports/key-service.ts';
import type { Turn } from '../../../ports/turn.ts';
import type { DidCreator } from '../../dids/did-creator.ts';
import { at } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import { withNewKey } from '../../keys/new-key.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { IssuerKeys } from './issuer-keys.ts';

/** An onboarding request; every member is optional. */
export interface OnboardingRequest {
  key?: { backend?: string; keyType?: KeyType; name?: string; config?: JsonObject };
  did?: { method?: string; config?: JsonObject };
  turn?: Turn;
}

/** The new key, in the wire shape of its backend, and the DID created from it. */
export interface OnboardingResult {
  issuerKey: JsonObject & { type: string };
  issuerDid: string;
}

/** Creates a key and a DID for an issuer. The key is given to the caller; only its public part is stored. */
export class Onboarding {
  constructor(
    private readonly parts: {
      keys: KeyBackends;
      didCreator: DidCreator;
      issuers: Pick<IssuerKeys, 'add'>;
    },
  ) {}

  /**
   * Checks the whole request before a key is created; a key that gets no DID is removed again.
   * @throws DomainError `BadRequest` naming the field, `StoreUnavailable`, `UpstreamFailed`, `UpstreamTimeout`
   */
  async onboard(issuer: CredentialIssuer, { key = {}, did = {}, turn }: OnboardingRequest): Promise<OnboardingResult> {
    const { keys, didCreator, issuers } = this.parts;
    const { backend = 'jwk', keyType = 'Ed25519', ...more } = key;
    const { method = 'jwk', config } = did;
    const place = { method: ['did', 'method'], config: ['did', 'config'], keyType: ['key', 'keyType'] };
    const createDid = at(place, () => didCreator.prepare({ method, config, keyType }));
    return withNewKey(keys, { key: { backend, keyType, turn, ...more }, place: ['key'] }, async (reference) => {
      const { publicJwk: jwk } = reference;
      const { did: issuerDid } = await createDid({ publicJwk: jwk, signer: () => keys.signer(reference) });
      await issuers.add(issuer, { did: issuerDid, jwk });
      return { issuerKey: keys.write(reference, backend), issuerDid };
    });
  }
}
