import { expect } from 'chai';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { ATTESTER, AttestedIssuance, SIGNER } from '../../actors/attested-wallet.ts';
import { startIssuer } from '../../actors/issuer.ts';
import { newWalletUser, resetWallet, type WalletUser } from '../../actors/wallet-user.ts';

const ES256 = { proof_signing_alg_values_supported: ['ES256'] };
const card = (vct: string, proof_types_supported: object, method = 'jwk') => ({
  format: 'dc+sd-jwt',
  vct,
  cryptographic_binding_methods_supported: [method],
  proof_types_supported,
});
const REQUIRED = { key_storage: ['iso_18045_moderate'] };
const supportedCredentialTypes = {
  identity_credential: card('urn:example:identity', { jwt: ES256 }),
  ByDid: card('urn:example:by-did', { jwt: ES256 }, 'did:key'),
  Attested: card('urn:example:attested', { jwt: { ...ES256, key_attestations_required: REQUIRED } }),
  Attestation: card('urn:example:attestation', { attestation: ES256 }),
};
const profileOf = (credentialConfigurationId: string) => ({
  name: credentialConfigurationId,
  credentialConfigurationId,
  credentialData: { level: 'gold' },
  ...SIGNER,
});

describe('copies of a credential, each with a key of its own', () => {
  const attester = makeHolderKey();
  const signingKey = { type: 'jwk', jwk: attester.privateKey.export({ format: 'jwk' }) };
  const local = { issuer: ATTESTER, signingKey, x5Chain: [], validitySeconds: 3600, keyStorage: REQUIRED.key_storage };
  let issuance: AttestedIssuance;
  let holder: WalletUser;
  before(async () => {
    const issuerMetadata = {
      supportedCredentialTypes,
      keyAttesters: [{ issuer: ATTESTER, jwks: { keys: [{ ...attester.jwk }] } }],
    };
    const others = Object.keys(supportedCredentialTypes).map((id) => [id, profileOf(id)]);
    const issuer2Profiles = { profiles: Object.fromEntries(others) };
    const trustedIssuers = { certificates: SIGNER.x5Chain.slice(1) };
    const wallet = { attester: local, batchSize: 3 };
    const settings = { issuerMetadata, issuer2Profiles, trustedIssuers, wallet };
    issuance = await AttestedIssuance.start('OPEN', {}, settings, attester);
    holder = await newWalletUser(issuance.server);
  });
  beforeEach(() => resetWallet(holder));
  after(() => issuance.close());

  async function receive(profileId: string) {
    const json = { profileId, authMethod: 'PRE_AUTHORIZED' };
    const { body: offer } = await issuance.server.call('createCredentialOffer', { json });
    const { status, body } = await holder.call('acceptCredentialOffer', { text: offer.credentialOffer });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }
  const shown = async (id: string) => (await holder.call('getWalletCredential', { path: { credentialId: id } })).body;
  const keyIn = ({ parsedDocument }: { parsedDocument: { cnf: { jwk?: { x: string }; kid?: string } } }) =>
    parsedDocument.cnf.jwk?.x ?? parsedDocument.cnf.kid;
  /** Presents a credential to our verifier, which checks the key binding. */
  async function present(id: string, vct: string): Promise<void> {
    const query = { id: 'q', format: 'dc+sd-jwt', meta: { vct_values: [vct] } };
    const json = { flow_type: 'cross_device', core_flow: { dcql_query: { credentials: [query] } } };
    const { body: created } = await issuance.server.call('createVerificationSession', { json });
    const { bootstrapAuthorizationRequestUrl: presentationRequest, sessionId } = created;
    const answer = { presentationRequest, selectedCredentials: [id] };
    const { status, body } = await holder.call('presentCredentials', { json: answer });
    expect(status, JSON.stringify(body)).to.equal(200);
    const session = await issuance.server.call('getVerificationSession', { path: { sessionId } });
    expect(session.body.status, JSON.stringify(session.body)).to.equal('SUCCESSFUL');
  }

  for (const [profile, { vct }] of Object.entries(supportedCredentialTypes))
    it(`acceptCredentialOffer, presentCredentials 200: ${profile}: three copies are one in lists, and each is presented once`, async () => {
      const [{ id, copies }, ...others] = await receive(profile);
      expect([copies, others]).to.deep.equal([3, []]);
      const list = (await holder.call('listWalletCredentials')).body;
      expect(list.map((one: { id: string }) => one.id)).to.deep.equal([id]);
      expect(JSON.stringify(list)).not.to.match(/"d":/);
      const keys = [];
      for (let turn = 0; turn < 4; turn += 1) {
        keys.push(keyIn(await shown(id)));
        if (turn < 3) await present(id, vct);
      }
      // The last one is presented again.
      expect([new Set(keys).size, keys[2] === keys[3], (await shown(id)).copies]).to.deep.equal([3, true, 1]);
      expect((await holder.call('listWalletKeys')).body).to.have.length(1);
    });

  it('presentCredentials 200: two at once present two copies', async () => {
    const [{ id }] = await receive('ByDid');
    await Promise.all([present(id, 'urn:example:by-did'), present(id, 'urn:example:by-did')]);
    expect((await shown(id)).copies).to.equal(1);
  });

  it('presentCredentials 400: a request that the wallet cannot answer takes no copy', async () => {
    const [{ id }] = await receive('ByDid');
    const query = { id: 'q', format: 'dc+sd-jwt', meta: { vct_values: ['urn:another'] } };
    const json = { flow_type: 'cross_device', core_flow: { dcql_query: { credentials: [query] } } };
    const { body: created } = await issuance.server.call('createVerificationSession', { json });
    const answer = { presentationRequest: created.bootstrapAuthorizationRequestUrl, selectedCredentials: [id] };
    expect((await holder.call('presentCredentials', { json: answer })).status).to.equal(400);
    expect((await shown(id)).copies).to.equal(3);
  });

  it('acceptCredentialOffer 200: one copy where the issuer gives no batches, or the format is presented together', async () => {
    const foreign = await startIssuer();
    for (const size of [undefined, 20, 'many', -1]) {
      const METADATA = '/issuer/.well-known/openid-credential-issuer';
      const published = foreign.peer.routes[METADATA];
      foreign.behaviour.nonces = 'endpoint';
      foreign.peer.routes[METADATA] = async (request) => ({
        body: {
          ...Object((await published?.(request))?.body),
          ...(size !== undefined && { batch_credential_issuance: { batch_size: size } }),
        },
      });
      const { status, body } = await holder.call('acceptCredentialOffer', { text: foreign.link() });
      expect([status, body[0].copies]).to.deep.equal([200, undefined]);
    }
    await foreign.close();
  });
});
