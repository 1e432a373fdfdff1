import type { Answer } from '../support/servers/server.ts';
import { CREDENTIAL_STORE, DID_STORE, type EnterpriseFixture, KMS, startEnterprise } from './tenant.ts';
import { newWalletUser } from './wallet-user.ts';

/** The target of the issuer of the tenant `acme.t1`. */
export const ISSUER = 'acme.t1.issuer1';

/** Targets with services of other types. */
export const SERVICES_OF_OTHERS = [KMS, DID_STORE, CREDENTIAL_STORE, 'acme.t1'];

/** Credentials of every format, and one profile of an SD-JWT VC. */
export const CARDS = {
  supportedCredentialTypes: {
    Degree: ['VerifiableCredential', 'Degree'],
    Card: { format: 'dc+sd-jwt', display: [{ name: 'Card', locale: 'en' }] },
    Licence: 'org.iso.18013.5.1.mDL',
  },
  profiles: { card: { name: 'Card', credentialConfigurationId: 'Card', credentialData: { level: 'gold' } } },
};

/** A credential type with one claim. */
export const MEMBER = {
  display: [{ locale: 'en', name: 'Member' }],
  claims: [{ path: ['name'], type: 'text', mandatory: true }],
  formats: ['dc+sd-jwt'],
};

/** An offer of the card; `changes` are members of the request. */
export const offerOf = (changes: object = {}) => ({ profileId: 'card', authMethod: 'PRE_AUTHORIZED', ...changes });

/** Creates an issuer with a key of the tenant's kms; `changes` are members of its configuration. */
export async function createIssuer(world: EnterpriseFixture, changes: object = {}, target = ISSUER): Promise<Answer> {
  await world.post('generateKey', `${KMS}.key1`, { keyType: 'secp256r1' });
  const keys = { dependencies: [KMS], defaultIssuerKey: `${KMS}.key1` };
  return world.post('createService', target, { type: 'issuer2', ...CARDS, ...keys, ...changes });
}

/** The tenant with its issuer. */
export async function startIssuer(...settings: Parameters<typeof startEnterprise>): Promise<EnterpriseFixture> {
  const world = await startEnterprise(...settings);
  await createIssuer(world);
  return world;
}

/** A new user of the wallet service takes an offer. */
export async function takeCard({ server }: EnterpriseFixture, offer: string): Promise<Answer> {
  return (await newWalletUser(server)).call('acceptCredentialOffer', { text: offer });
}
