import type { Answer } from '../support/server.ts';
import { type EnterpriseFixture, KMS } from './tenant.ts';

/** The target of the issuer of the tenant `acme.t1`. */
export const ISSUER = 'acme.t1.issuer1';

/** Credentials of every format, and one profile of an SD-JWT VC. */
export const CARDS = {
  supportedCredentialTypes: {
    Degree: ['VerifiableCredential', 'Degree'],
    Card: { format: 'dc+sd-jwt', display: [{ name: 'Card', locale: 'en' }] },
    Licence: 'org.iso.18013.5.1.mDL',
  },
  profiles: { card: { name: 'Card', credentialConfigurationId: 'Card', credentialData: { level: 'gold' } } },
};

/** An offer of the card; `changes` are members of the request. */
export const cardOffer = (changes: object = {}) => ({ profileId: 'card', authMethod: 'PRE_AUTHORIZED', ...changes });

/** Creates the issuer with a key of the tenant's kms; `changes` are members of its configuration. */
export async function createIssuer(world: EnterpriseFixture, changes: object = {}): Promise<Answer> {
  await world.post('generateKey', `${KMS}.key1`, { keyType: 'secp256r1' });
  const keys = { dependencies: [KMS], defaultIssuerKey: `${KMS}.key1` };
  return world.post('createService', ISSUER, { type: 'issuer2', ...CARDS, ...keys, ...changes });
}
