import { crossDevice, Openid4vp } from './openid4vp.ts';
import { CREDENTIAL_STORE, DID_STORE, type EnterpriseFixture, KMS, POLICY_STORE, VERIFIER } from './tenant.ts';
import { ok } from './tenant-certificates.ts';
import { createIssuer, ISSUER, offerOf } from './tenant-issuer.ts';

export const WALLET = 'acme.t1.wallet1';
/** The key and the DID that the wallet uses where a call names none. */
export const WALLET_KEY = `${KMS}.walletkey`;
export const WALLET_DID = `${DID_STORE}.walletdid`;

/** Creates the wallet of the tenant with a key, a DID and a policy store, and an issuer; `changes` are members of its configuration. */
export async function startWallet(world: EnterpriseFixture, changes: object = {}): Promise<void> {
  await createIssuer(world);
  await ok(world.post('generateKey', WALLET_KEY, { keyType: 'secp256r1' }), 201);
  await world.post('addDependency', DID_STORE, { dependency: KMS });
  await ok(world.post('createTenantDid', WALLET_DID, { method: 'jwk', key: WALLET_KEY }), 201);
  await ok(createWallet(world, WALLET, changes), 201);
}

/** Creates a wallet on the stores of the tenant. */
export const createWallet = (world: EnterpriseFixture, target: string, changes: object = {}) =>
  world.post('createService', target, {
    type: 'wallet2',
    dependencies: [KMS, DID_STORE, CREDENTIAL_STORE, POLICY_STORE],
    ...changes,
  });

/** A new offer of the tenant's card. */
export async function cardOffer(world: EnterpriseFixture, changes: object = {}): Promise<string> {
  const { credentialOffer } = await ok(world.post('tenantCreateCredentialOffer', ISSUER, offerOf(changes)), 201);
  return credentialOffer;
}

/** A query for the card. */
export const CARD_QUERY = {
  credentials: [{ id: 'card', format: 'dc+sd-jwt', meta: {}, claims: [{ path: ['level'] }] }],
};

/** A session of the tenant's verifier that asks for the card: its link, and how it went. */
export async function askForCard({ server, root: token }: EnterpriseFixture, query: object = CARD_QUERY) {
  const vp = await Openid4vp.with(server, { target: VERIFIER, token });
  const session = await vp.create(crossDevice({ dcql_query: query }));
  return { link: String(session.bootstrapAuthorizationRequestUrl), info: () => vp.info(session) };
}
