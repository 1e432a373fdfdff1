import { expect } from 'chai';
import { degree, onboard } from '../../../demo/actors/issuer.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { TestRegistrar } from '../../support/keys/did-registrar.ts';
import { useServer } from '../../support/servers/server.ts';

const ED25519 = { backend: 'jwk', keyType: 'Ed25519' };

describe('DIDs of a network-bound method', () => {
  const registrar = new TestRegistrar();
  const server = useServer(async () => {
    await registrar.listen();
    const { url } = registrar;
    return { settings: { didRegistrar: { url, resolverUrl: url, timeoutSeconds: 1 } } };
  });
  let holder: WalletUser;
  before(async () => {
    holder = await newWalletUser(server);
  });
  after(() => registrar.close());
  afterEach(() => {
    registrar.fault = undefined;
  });
  const answer = (did: object, key: object = ED25519) => server.call('onboardIssuer', { json: { key, did } });
  const create = (query: Record<string, string> = {}) =>
    holder.call('createWalletDid', { path: { method: 'cheqd' }, query });
  const keys = async (): Promise<number> => (await holder.call('listWalletKeys')).body.length;

  describe('onboardIssuer', () => {
    it('200: registers a did:cheqd; a credential under it is issued, received, presented and verified', async () => {
      const issuer = await onboard(server, { key: ED25519, did: { method: 'cheqd', config: { network: 'testnet' } } });
      expect(issuer.issuerDid).to.match(/^did:cheqd:testnet:[0-9a-f-]{36}$/);
      expect(registrar.documents.get(issuer.issuerDid)).to.have.property('id', issuer.issuerDid);
      expect(JSON.stringify(registrar.requests.map(({ body }) => body))).not.to.contain(String(issuer.issuerKey.jwk.d));
      const { body: offer } = await server.call('issueJwtCredential', { json: degree(issuer) });
      const accepted = await holder.call('acceptCredentialOffer', { text: offer });
      expect(accepted.status, JSON.stringify(accepted.body)).to.equal(200);
      const request = { request_credentials: [{ type: 'UniversityDegree', format: 'jwt_vc_json' }] };
      const { body: link } = await server.call('startVerification', { json: request });
      const json = { presentationRequest: link, selectedCredentials: [accepted.body[0].id] };
      const presented = await holder.call('presentCredentials', { json });
      expect(presented.status, JSON.stringify(presented.body)).to.equal(200);
      const state = new URL(link).searchParams.get('state') ?? '';
      const { body: result } = await server.call('getVerificationResult', { path: { state } });
      expect(result.verificationResult, JSON.stringify(result)).to.equal(true);
    });

    for (const [did, key, path] of [
      [{ method: 'cheqd' }, { keyType: 'secp256r1' }, '/body/key/keyType'],
      [{ method: 'cheqd', config: { network: 'a/b' } }, ED25519, '/body/did/config/network'],
      [{ method: 'indy' }, ED25519, '/body/did/method'],
      [{ method: 'iota' }, ED25519, '/body/did/method'],
    ] as const)
      it(`400: names ${path} of ${JSON.stringify(did)} before the registrar is called`, async () => {
        const before = registrar.requests.length;
        const { status, body } = await answer(did, key);
        expect([status, body.details?.[0].path]).to.deep.equal([400, path]);
        expect(registrar.requests).to.have.length(before);
      });

    it('400: with the reason of a registrar that refuses the request', async () => {
      registrar.fault = 'refuses';
      const { status, body } = await answer({ method: 'cheqd', config: { network: 'moon' } });
      expect([status, body.message]).to.deep.equal([
        400,
        'The DID registrar refused the DID: the network moon is unknown',
      ]);
    });

    for (const fault of ['fails', 'nonsense', 'other DID', 'other key'] as const)
      it(`502: for a registrar with the fault "${fault}"`, async () => {
        registrar.fault = fault;
        expect((await answer({ method: 'cheqd' })).status).to.equal(502);
      });

    for (const fault of ['hangs', 'hangs at the end'] as const)
      it(`504: for a registrar that ${fault}`, async () => {
        registrar.fault = fault;
        expect((await answer({ method: 'cheqd' })).status).to.equal(504);
      });
  });

  describe('createWalletDid', () => {
    it('200: registers a DID with a new key of a type that the network accepts, and signs as it', async () => {
      const { status, body: did } = await create({ network: 'mainnet', alias: 'on a network' });
      expect(status).to.equal(200);
      expect(did).to.match(/^did:cheqd:mainnet:/);
      const listed = (await holder.call('listWalletDids')).body.find((entry: { did: string }) => entry.did === did);
      expect(JSON.parse(listed.document)).to.deep.equal(registrar.documents.get(did));
      const { body: token } = await holder.call('signWithWalletKey', { path: { keyId: did }, json: {} });
      const { kid } = JSON.parse(Buffer.from(token.split('.')[0], 'base64url').toString());
      expect(kid).to.equal(`${did}#${listed.keyId}`);
    });

    it('400: for a key of another type, naming it', async () => {
      const { body: keyId } = await holder.call('generateWalletKey', { json: { keyType: 'secp256r1' } });
      const { status, body } = await create({ keyId });
      expect([status, body.details?.[0].path]).to.deep.equal([400, '/query/keyId']);
    });

    for (const [fault, status] of [
      ['refuses', 400],
      ['fails', 502],
      ['other DID', 502],
      ['hangs at the end', 504],
    ] as const)
      it(`${status}: leaves no key and no DID when the registrar ${fault}`, async () => {
        const [before, dids] = [await keys(), (await holder.call('listWalletDids')).body.length];
        registrar.fault = fault;
        expect((await create()).status).to.equal(status);
        expect(await keys()).to.equal(before);
        expect((await holder.call('listWalletDids')).body).to.have.length(dids);
      });
  });

  describe('importWalletDid', () => {
    it('200: imports a registered DID with its key, and 400 with another key', async () => {
      const issuer = await onboard(server, { key: ED25519, did: { method: 'cheqd' } });
      const { kid: _, ...key } = issuer.issuerKey.jwk;
      const imported = await holder.call('importWalletDid', { json: { did: issuer.issuerDid, key } });
      expect([imported.status, imported.body]).to.deep.equal([200, issuer.issuerDid]);
      const other = await onboard(server, { key: ED25519, did: { method: 'cheqd' } });
      const { status, body } = await holder.call('importWalletDid', { json: { did: other.issuerDid, key } });
      expect([status, body.details?.[0].path]).to.deep.equal([400, '/body/key']);
    });

    it('502: for a DID that the resolver does not know', async () => {
      const { issuerKey } = await onboard(server, { key: ED25519 });
      const json = { did: 'did:cheqd:testnet:00000000-0000-4000-8000-000000000000', key: issuerKey.jwk };
      expect((await holder.call('importWalletDid', { json })).status).to.equal(502);
    });
  });
});

describe('network-bound methods without a registrar', () => {
  const server = useServer();

  it('onboardIssuer 400: says that did-registrar.conf names none', async () => {
    const { status, body } = await server.call('onboardIssuer', { json: { key: ED25519, did: { method: 'cheqd' } } });
    expect([status, body.details[0].path]).to.deep.equal([400, '/body/did/method']);
    expect(body.message).to.contain('did-registrar.conf');
  });
});
