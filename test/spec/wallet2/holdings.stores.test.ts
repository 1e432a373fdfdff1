import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { didKey } from '../../../domain/dids/did-methods.ts';
import { mapBounded } from '../../../domain/foundation/concurrency.ts';
import { WALLET_KEYS } from '../../../domain/holdings/records.ts';
import { WALLET_LIMITS } from '../../../domain/holdings/room.ts';
import type { Store } from '../../../ports/store.ts';
import { issueCredential, jwkParty, keyParty, type Party, tamper } from '../../actors/party.ts';
import { newWallet2User, type Wallet2Caller } from '../../actors/wallet2.ts';
import { deviceKey, issueMdoc } from '../../support/credentials/mdoc-issuer.ts';
import { disclosure, newSigner, signSdJwt } from '../../support/credentials/sd-jwts.ts';
import { useServer } from '../../support/servers/server.ts';
import { testKeys } from '../../support/trust/certificates.ts';

const UNKNOWN = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK';

describe('what a wallet of API 2 holds', () => {
  let store: Store;
  const server = useServer({
    wrapStore: (inner) => {
      store = inner;
      return inner;
    },
  });
  let ada: Wallet2Caller;
  let wallet: Awaited<ReturnType<Wallet2Caller['create']>>;
  before(async () => {
    ada = await newWallet2User(server);
  });
  beforeEach(async () => {
    wallet = await ada.create();
  });
  const key = async (json = {}) => (await wallet.call('generateWallet2Key', { json })).body as { keyId: string };
  const newDid = async (json: object) => (await wallet.call('createWallet2Did', { json })).body;
  const described = async () => (await wallet.call('describeWallet')).body;
  const refusal = async (operationId: string, call: Parameters<typeof wallet.call>[1]) => {
    const { status, body } = await wallet.call(operationId, call);
    return [status, body.message];
  };

  it('generateWallet2Key 201, setDefaultWallet2Key 204, createWallet2Did 201: a DID is of the default key', async () => {
    const first = await key({ keyType: 'Ed25519' });
    const second = await key();
    expect(second).to.include({ keyType: 'secp256r1' });
    expect((await newDid({ method: 'jwk' })).document.verificationMethod[0].publicKeyJwk).to.include({
      crv: 'Ed25519',
    });
    const path = { keyId: second.keyId };
    expect((await wallet.call('setDefaultWallet2Key', { path })).status).to.equal(204);
    expect(await described()).to.include({ defaultKeyId: second.keyId });
    const { did, document } = await newDid({ method: 'jwk' });
    expect(document.verificationMethod[0].publicKeyJwk).to.include({ crv: 'P-256' });
    expect((await wallet.call('getWallet2Did', { path: { did } })).body).to.deep.equal({ did, document });
    const json = { method: 'key', keyId: first.keyId, options: { useJwkJcsPub: true } };
    const named = await newDid(json);
    expect((await wallet.call('createWallet2Did', { json })).status).to.equal(409);
    expect(named.did).to.match(/^did:key:zmYg/);
    expect((await wallet.call('listWallet2Dids')).body.map((one: { did: string }) => one.did)).to.deep.include(did);
    const { body: list } = await wallet.call('listWallet2Keys');
    expect(list[1]).to.deep.equal({ ...second, algorithm: 'ES256' });
  });

  it('createWallet2Did 400: without a key, with an unknown one, or by a method that is none', async () => {
    expect(await refusal('createWallet2Did', { json: { method: 'key' } })).to.deep.equal([
      400,
      'This wallet has no key',
    ]);
    await key();
    for (const json of [{ method: 'key', keyId: 'any' }, { method: 'nothing' }, { method: 'key', options: { a: {} } }])
      expect((await wallet.call('createWallet2Did', { json })).status, JSON.stringify(json)).to.equal(400);
  });

  it('setDefaultWallet2Key 400, setDefaultWallet2Did 400: an unknown one; deleting one twice is 204, then 404', async () => {
    const { keyId } = await key();
    const { did } = await newDid({ method: 'key' });
    expect((await wallet.call('setDefaultWallet2Key', { path: { keyId: 'any' } })).status).to.equal(400);
    expect((await wallet.call('setDefaultWallet2Did', { path: { did: UNKNOWN } })).status).to.equal(400);
    expect((await wallet.call('setDefaultWallet2Key', { path: { keyId } })).status).to.equal(204);
    expect((await wallet.call('setDefaultWallet2Did', { path: { did } })).status).to.equal(204);
    expect(await described()).to.include({ defaultKeyId: keyId, defaultDidId: did });
    expect((await wallet.call('deleteWallet2Key', { path: { keyId } })).status).to.equal(400);
    for (const status of [204, 404])
      expect((await wallet.call('deleteWallet2Did', { path: { did } })).status).to.equal(status);
    for (const status of [204, 404])
      expect((await wallet.call('deleteWallet2Key', { path: { keyId } })).status).to.equal(status);
    expect(await described()).to.not.have.any.keys('defaultKeyId', 'defaultDidId');
    expect((await wallet.call('getWallet2Key', { path: { keyId } })).status).to.equal(404);
    expect((await wallet.call('getWallet2Did', { path: { did } })).status).to.equal(404);
  });

  it('generateWallet2Key 409: no further key than the store may have', async () => {
    const records = store.collection<unknown>({ ...WALLET_KEYS, afterRestore: 'kept' });
    const ids = Array.from({ length: WALLET_LIMITS.keys }, (_, n) => `filler-${n}`);
    await mapBounded(ids, 100, (id) => records.insert({ id, parent: wallet.walletId, value: '' }));
    expect((await wallet.call('generateWallet2Key', { json: {} })).status).to.equal(409);
    await mapBounded(ids, 100, (id) => records.remove({ id, parent: wallet.walletId }));
    await key();
  });

  it('importWallet2Key 201, 409, 400: a private key, once; neither a public one nor another form', async () => {
    const jwk = testKeys('P-256', 41).privateKey.export({ format: 'jwk' });
    const json = { key: { type: 'jwk', jwk } };
    const { status, body } = await wallet.call('importWallet2Key', { json });
    expect([status, body.keyType]).to.deep.equal([201, 'secp256r1']);
    expect((await wallet.call('importWallet2Key', { json })).status).to.equal(409);
    expect(
      (await wallet.call('importWallet2Key', { json: { key: { type: 'jwk', jwk: deviceKey() } } })).status,
    ).to.equal(400);
    expect((await wallet.call('importWallet2Key', { json: { key: { type: 'pem', pem: 'x' } } })).status).to.equal(400);
    const text = JSON.stringify(testKeys('P-256', 42).privateKey.export({ format: 'jwk' }));
    expect((await wallet.call('importWallet2Key', { json: { key: { type: 'jwk', jwk: text } } })).status).to.equal(201);
  });

  it('importWallet2Did 201, 409, 400: of a key that the wallet has, with its document', async () => {
    const { keyId } = await key();
    const { did, document } = await newDid({ method: 'key' });
    const json = { did, document: JSON.stringify(document) };
    expect((await wallet.call('importWallet2Did', { json })).status).to.equal(409);
    await wallet.call('deleteWallet2Did', { path: { did } });
    const { status, body } = await wallet.call('importWallet2Did', { json });
    expect([status, body], JSON.stringify(body)).to.deep.equal([201, { did, document }]);
    await wallet.call('deleteWallet2Did', { path: { did } });
    const refusals = [
      { did, document: JSON.stringify({ ...document, id: UNKNOWN }) },
      { did, document: '{"id":' },
      { did, document: JSON.stringify({ id: did }) },
      { did: UNKNOWN, document: JSON.stringify({ ...document, id: UNKNOWN }) },
      { did: 'did:none:any', document: '{"id":"did:none:any"}' },
    ];
    for (const refused of refusals)
      expect((await wallet.call('importWallet2Did', { json: refused })).status, refused.document).to.equal(400);
    await wallet.call('deleteWallet2Key', { path: { keyId } });
    expect((await wallet.call('importWallet2Did', { json })).status).to.equal(400);
  });

  it('importWallet2Credential 201: three formats, listed without their contents, each shown whole', async () => {
    const jwk = testKeys('P-256', 41).privateKey.export({ format: 'jwk' });
    await wallet.call('importWallet2Key', { json: { key: { type: 'jwk', jwk } } });
    const { did } = await newDid({ method: 'jwk' });
    const withheld = disclosure('given_name', 'Ada');
    const issuer = await newSigner();
    const raw = [
      await issueCredential(await jwkParty(), { did } as Party, {
        subject: { degree: 'BSc' },
        claims: { jti: `urn:uuid:${randomUUID()}` },
      }),
      await signSdJwt(issuer, { cnf: { jwk: deviceKey() }, _sd: [withheld.digest] }, { disclosures: [withheld.text] }),
      await issueMdoc({ issuedAt: Math.floor(server.clock.now() / 1000) * 1000 - 60_000 }),
    ];
    for (const rawCredential of raw) {
      const json = { rawCredential, label: 'Card' };
      const { status, body } = await wallet.call('importWallet2Credential', { json });
      expect(status, JSON.stringify(body)).to.equal(201);
      expect((await wallet.call('importWallet2Credential', { json })).status).to.equal(409);
    }
    const { body: list } = await wallet.call('listWallet2Credentials');
    const formats = ['jwt_vc_json', 'dc+sd-jwt', 'mso_mdoc'];
    expect(list.map(({ format }: { format: string }) => format)).to.deep.equal(formats);
    for (const one of raw) expect(JSON.stringify(list)).to.not.include(one);
    expect(list[1]).to.include({ issuer: didKey(issuer.publicJwk), label: 'Card' });
    expect(list[0]).to.include({ subject: did });
    const types = ['vc-w3c_1_1', 'vc-sd_jwt', 'vc-mdocs'];
    for (const [index, { id: credentialId }] of list.entries()) {
      const { body } = await wallet.call('getWallet2Credential', { path: { credentialId } });
      expect(body).to.include({ id: credentialId, label: 'Card', addedAt: list[index].addedAt });
      expect(body.credential).to.include({ type: types[index], format: formats[index], signed: raw[index] });
      expect(body.credential.credentialData).to.be.an('object');
      if (index === 1) {
        const [{ name, value, encoded }] = body.credential.disclosures;
        expect([name, value, encoded]).to.deep.equal(['given_name', 'Ada', withheld.text]);
      }
    }
    const page = async (query: Record<string, string>) =>
      (await wallet.call('listWallet2Credentials', { query })).body.map(({ format }: { format: string }) => format);
    expect(await page({ limit: '1' })).to.deep.equal(formats.slice(0, 1));
    expect(await page({ limit: '2' })).to.deep.equal(formats.slice(0, 2));
    expect(await page({ limit: '1', offset: '2' })).to.deep.equal(formats.slice(2));
    const path = { credentialId: list[0].id };
    for (const status of [204, 404])
      expect((await wallet.call('deleteWallet2Credential', { path })).status).to.equal(status);
    expect((await wallet.call('getWallet2Credential', { path })).status).to.equal(404);
  });

  it('importWallet2Credential 400: what is no credential, of another holder, changed, or no longer valid', async () => {
    await key();
    const { did } = await newDid({ method: 'key' });
    const issuer = await jwkParty();
    const good = await issueCredential(issuer, { did } as Party);
    const refusals = [
      'no credential',
      await issueCredential(issuer, await keyParty()),
      tamper(good, (payload) => Object.assign(payload, { jti: 'other' })),
      await issueCredential(issuer, { did } as Party, { claims: { exp: 1 } }),
    ];
    for (const rawCredential of refusals) {
      const { status, body } = await wallet.call('importWallet2Credential', { json: { rawCredential } });
      expect(status, JSON.stringify(body)).to.equal(400);
    }
    expect((await wallet.call('listWallet2Credentials')).body).to.deep.equal([]);
  });

  it('what API 1 marks as deleted or has pending is not there, and what either stores the other shows', async () => {
    const own = (operationId: string, call: object = {}) =>
      server.call(operationId, {
        token: ada.token,
        ...call,
        path: { wallet: wallet.walletId, ...(call as { path?: object }).path },
      });
    const keyId = (await own('generateWalletKey', { json: { backend: 'jwk', keyType: 'Ed25519' } })).body;
    expect((await wallet.call('getWallet2Key', { path: { keyId } })).body).to.deep.equal({ keyId, keyType: 'Ed25519' });
    const { did } = await newDid({ method: 'key', keyId });
    expect((await own('listWalletDids')).body[0]).to.include({ did, keyId });
    const issuer = await jwkParty();
    const jwt = await issueCredential(issuer, { did } as Party);
    const { id } = (await own('importWalletCredential', { json: { jwt, associated_did: did } })).body;
    expect((await wallet.call('listWallet2Credentials')).body.map((one: { id: string }) => one.id)).to.deep.equal([id]);
    const rawCredential = await issueCredential(issuer, { did } as Party, { claims: { jti: 'urn:x:second' } });
    await wallet.call('importWallet2Credential', { json: { rawCredential } });
    expect((await own('listWalletCredentials')).body).to.have.lengthOf(2);
    const path = { credentialId: id };
    await own('deleteWalletCredential', { path });
    expect((await wallet.call('getWallet2Credential', { path })).status).to.equal(404);
    expect((await wallet.call('deleteWallet2Credential', { path })).status).to.equal(404);
    expect((await wallet.call('listWallet2Credentials')).body).to.have.lengthOf(1);
    expect((await own('restoreWalletCredential', { path })).status).to.equal(200);
    expect((await wallet.call('getWallet2Credential', { path })).status).to.equal(200);
  });
});
