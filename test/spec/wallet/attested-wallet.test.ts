import { expect } from 'chai';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { ATTESTER, AttestedIssuance, REDIRECT_URI, SIGNER } from '../../actors/attested-wallet.ts';
import { browse } from '../../actors/code-grant.ts';
import { HttpPeer, type PeerReply } from '../../actors/http-peer.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { type Answer, startServer, type TestServer } from '../../support/servers/server.ts';

const ES256 = { proof_signing_alg_values_supported: ['ES256'] };
const REQUIRED = { key_storage: ['iso_18045_moderate'] };
const card = (proof_types_supported: object) => ({
  format: 'dc+sd-jwt',
  vct: 'urn:example:card',
  proof_types_supported,
});
const supportedCredentialTypes = {
  identity_credential: card({ jwt: ES256 }),
  Card: card({ jwt: { ...ES256, key_attestations_required: REQUIRED } }),
  Sheet: card({ attestation: ES256 }),
};
const redirectUris = [REDIRECT_URI];
const profileOf = (credentialConfigurationId: string) => ({
  name: credentialConfigurationId,
  credentialConfigurationId,
  credentialData: { level: 'gold' },
  ...SIGNER,
});

describe('our issuer with HAIP and our wallet', () => {
  const attester = makeHolderKey();
  const signingKey = { type: 'jwk', jwk: attester.privateKey.export({ format: 'jwk' }) };
  const local = { issuer: ATTESTER, signingKey, x5Chain: [], validitySeconds: 3600, keyStorage: REQUIRED.key_storage };
  let issuance: AttestedIssuance;
  let peer: HttpPeer;
  /** Wallets: on the server of the issuer, on another one, with another server as attester, and without one. */
  let [near, far, remote, bare]: WalletUser[] = [];
  const servers: TestServer[] = [];

  before(async () => {
    const issuerMetadata = {
      supportedCredentialTypes,
      keyAttesters: [{ issuer: ATTESTER, jwks: { keys: [{ ...attester.jwk }] } }],
    };
    const issuer2Profiles = { profiles: { card: profileOf('Card'), sheet: profileOf('Sheet') } };
    const settings = { issuerMetadata, issuer2Profiles, wallet: { attester: local, redirectUris } };
    issuance = await AttestedIssuance.start('HAIP', {}, settings, attester);
    peer = await new HttpPeer().listen();
    const requestBody = { wallet: '{{client_id}}', jwk: '{{public_jwk}}', environment: 'test' };
    const attestationConfig = { attesterUrl: `${peer.url}/attest`, requestBody, bearerToken: 'of-the-attester' };
    for (const wallet of [{ attester: local, clientId: 'https://wallet.example' }, { attestationConfig }, {}])
      servers.push(await startServer({ settings: { wallet: { ...wallet, redirectUris } } }));
    [near, far, remote, bare] = await Promise.all([issuance.server, ...servers].map(userWithEs256));
  });
  after(async () => {
    await Promise.all([issuance.close(), peer.close(), ...servers.map((server) => server.close())]);
  });

  async function userWithEs256(server: TestServer): Promise<WalletUser> {
    const user = await newWalletUser(server);
    const json = { backend: 'jwk', keyType: 'secp256r1' };
    const { body: keyId } = await user.call('generateWalletKey', { json });
    const { body: did } = await user.call('createWalletDid', { path: { method: 'jwk' }, query: { keyId } });
    await user.call('setDefaultWalletDid', { query: { did } });
    return user;
  }

  const offer = async (profileId: string, authMethod = 'AUTHORIZED'): Promise<string> => {
    const answer = await issuance.server.call('createCredentialOffer', { json: { profileId, authMethod } });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body.credentialOffer;
  };
  const begin = async (user: WalletUser | undefined, profileId = 'identity'): Promise<Answer> => {
    if (!user) throw new Error('There is no wallet');
    return user.call('beginOfferAuthorization', { json: { offer: await offer(profileId), redirectUri: REDIRECT_URI } });
  };
  async function receive(user: WalletUser | undefined, profileId = 'identity'): Promise<Answer> {
    const { status, body } = await begin(user, profileId);
    expect(status, JSON.stringify(body)).to.equal(200);
    const answer = await browse(body.authorizationUrl, REDIRECT_URI);
    return (user as WalletUser).call('finishOfferAuthorization', { json: answer });
  }

  it('finishOfferAuthorization 200: on one server and over two, with attestation, pushed request, DPoP and nonces', async () => {
    for (const user of [near, far]) {
      const { status, body } = await receive(user);
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body).to.have.length(1);
    }
  });

  it('acceptCredentialOffer 200: a pre-authorized code is redeemed with attestation too', async () => {
    const text = await offer('identity', 'PRE_AUTHORIZED');
    const { status, body } = await (far as WalletUser).call('acceptCredentialOffer', { text });
    expect(status, JSON.stringify(body)).to.equal(200);
    const refused = await (bare as WalletUser).call('acceptCredentialOffer', {
      text: await offer('identity', 'PRE_AUTHORIZED'),
    });
    expect([refused.status, refused.body.upstreamError], 'without an attester').to.deep.equal([400, 'invalid_client']);
  });

  for (const profile of ['card', 'sheet'])
    it(`finishOfferAuthorization 200: ${profile}, for which the issuer demands an attestation of the key`, async () => {
      const { status, body } = await receive(far, profile);
      expect(status, JSON.stringify(body)).to.equal(200);
    });

  it('beginOfferAuthorization 200: asks another server for the attestation; 502: it gives none', async () => {
    const reply: PeerReply = {};
    peer.routes['/attest'] = ({ body, headers }) => {
      const { wallet, jwk, environment } = JSON.parse(body);
      expect([environment, headers.authorization]).to.deep.equal(['test', 'Bearer of-the-attester']);
      const clientAttestationJwt = issuance.wallet(wallet).attestation({ claims: { cnf: { jwk } } });
      return { body: { clientAttestationJwt }, ...reply };
    };
    expect((await receive(remote)).status).to.equal(200);
    for (const other of [{ status: 403, body: { secret: 'x' } }, { body: {} }]) {
      Object.assign(reply, other);
      const { status, body } = await begin(remote);
      expect([status, /client attester/.test(body.message)]).to.deep.equal([502, true]);
    }
  });

  it('beginOfferAuthorization 400: names the attester that a wallet lacks, for clients and for keys', async () => {
    const { status, body } = await begin(bare);
    expect([status, /attest_jwt_client_auth.*no attester/.test(body.message)]).to.deep.equal([400, true]);
    for (const profile of ['card', 'sheet']) {
      const { status: refused, body: answer } = await begin(remote, profile);
      expect([refused, /key attestation.*no attester for keys/.test(answer.message)]).to.deep.equal([400, true]);
    }
  });
});
