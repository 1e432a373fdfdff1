import { expect } from 'chai';
import { WALLET_CREDENTIALS, WALLET_KEYS } from '../../../domain/holdings/records.ts';
import type { Store } from '../../../ports/store.ts';
import { issueCredential, jwkParty, keyParty, type Party } from '../../actors/party.ts';
import { WITHOUT_ACCOUNTS, wallet2Caller } from '../../actors/wallet2.ts';
import { useServer } from '../../support/servers/server.ts';

const JWK = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
};
const STATIC_KEY = { type: 'jwk', jwk: JWK };
const STATIC_DID = 'did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

describe('wallets without accounts', () => {
  let store: Store;
  const server = useServer({
    settings: WITHOUT_ACCOUNTS,
    wrapStore: (inner) => {
      store = inner;
      return inner;
    },
  });
  const operator = wallet2Caller({ call: (...args) => server.call(...args) });
  const { call, create } = operator;
  const describeWallet = async (wallet: string) => (await call('describeWallet', { path: { wallet } })).body;
  const listed = async () => (await call('listWallets')).body as string[];
  const storesOf = async (kind: string): Promise<string[]> => (await call('listNamedStores', { path: { kind } })).body;
  const addStore = (kind: string, storeId: string) => call('createNamedStore', { path: { kind, storeId } });

  it('createWallet 201, describeWallet 200: an empty body, or none, makes a wallet with a store of each kind', async () => {
    for (const json of [{}, undefined]) {
      const { walletId } = await create(json);
      expect(await describeWallet(walletId)).to.deep.equal({
        walletId,
        keyStoreCount: 1,
        credentialStoreCount: 1,
        hasDidStore: true,
        hasStaticKey: false,
        hasStaticDid: false,
        keyStoreIds: [`${walletId}-keys`],
        credentialStoreIds: [`${walletId}-credentials`],
        didStoreId: `${walletId}-dids`,
      });
      expect(await listed()).to.include(walletId);
    }
  });

  it('createWallet 400: a body that is no JSON, or has other members, makes no wallet', async () => {
    const before = await listed();
    for (const body of ['{"keyStoreIds": [', '{"keyStoreId": "a"}', '{"noDidStore": "yes"}', '[]'])
      expect((await call('createWallet', { text: body, contentType: 'application/json' })).status, body).to.equal(400);
    const conflicts = [
      { noDidStore: true, didStoreId: 'any' },
      { staticDid: STATIC_DID },
      { staticKey: STATIC_KEY, staticDid: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK' },
      { staticKey: { type: 'jwk', jwk: { kty: 'OKP', crv: 'Ed25519', x: JWK.x } } },
    ];
    for (const json of conflicts) {
      const { status, body } = await call('createWallet', { json });
      expect(status, JSON.stringify([json, body])).to.equal(400);
    }
    expect(await listed()).to.deep.equal(before);
  });

  it('createNamedStore 201, 400, 409: a store exists once, and two wallets with it have its credentials in common', async () => {
    expect(await addStore('credentials', 'shared')).to.deep.include({ status: 201, body: { storeId: 'shared' } });
    expect((await addStore('credentials', 'shared')).status).to.equal(409);
    for (const operationId of ['createNamedStore', 'listNamedStores']) {
      const query = { surprise: '1' };
      const answer = await call(operationId, { path: { kind: 'credentials', storeId: 'one' }, query });
      expect(answer.status, operationId).to.equal(400);
    }
    expect((await addStore('keys', 'shared')).status).to.equal(201);
    const [one, other] = [
      await create({ credentialStoreIds: ['shared'], keyStoreIds: ['shared'] }),
      await create({ credentialStoreIds: ['shared'], keyStoreIds: ['shared'] }),
    ];
    await one.call('generateWallet2Key', { json: {} });
    const { did } = (await one.call('createWallet2Did', { json: { method: 'key' } })).body;
    const rawCredential = await issueCredential(await jwkParty(), { did } as Party);
    const { body } = await one.call('importWallet2Credential', { json: { rawCredential, label: 'Degree' } });
    const { body: list } = await other.call('listWallet2Credentials');
    expect(list.map(({ id, label }: { id: string; label: string }) => [id, label])).to.deep.equal([
      [body.id, 'Degree'],
    ]);
    const keys = (await other.call('listWallet2Keys')).body;
    expect(keys).to.have.lengthOf(1);
    expect((await other.call('listWallet2Dids')).body).to.deep.equal([]);
    const path = { keyId: keys[0].keyId };
    const refused = await other.call('deleteWallet2Key', { path });
    const reason = `The key is used by ${did} of the wallet ${one.walletId}: delete that DID first`;
    expect([refused.status, refused.body.message]).to.deep.equal([409, reason]);
    expect((await one.call('deleteWallet2Key', { path })).status).to.equal(400);
    expect((await one.call('deleteWallet2Did', { path: { did } })).status).to.equal(204);
    expect((await other.call('deleteWallet2Key', { path })).status).to.equal(204);
  });

  it('createWallet 400: a store that does not exist is named by its position, and nothing is made', async () => {
    await addStore('keys', 'known');
    const before = [await listed(), await storesOf('keys')];
    const refusals = [
      [{ keyStoreIds: ['known', 'unknown'] }, '/body/keyStoreIds/1'],
      [{ credentialStoreIds: [`${UNKNOWN}-credentials`] }, '/body/credentialStoreIds/0'],
      [{ keyStoreIds: ['known'], didStoreId: 'unknown' }, '/body/didStoreId'],
    ] as const;
    for (const [json, place] of refusals) {
      const { status, body } = await call('createWallet', { json });
      expect(status).to.equal(400);
      expect(body.details.map(({ path }: { path: string }) => path)).to.deep.equal([place]);
    }
    expect([await listed(), await storesOf('keys')]).to.deep.equal(before);
    // The store is in no wallet, although one was about to have it.
    const { walletId } = await create({ keyStoreIds: ['known'] });
    await call('deleteWallet', { path: { wallet: walletId } });
    expect(await storesOf('keys')).to.not.include('known');
  });

  it('a wallet reads from all of its stores in their order and writes to the first', async () => {
    for (const id of ['first', 'second']) await addStore('keys', id);
    const [second, both] = [
      await create({ keyStoreIds: ['second'] }),
      await create({ keyStoreIds: ['first', 'second'], noDidStore: true }),
    ];
    const old = (await second.call('generateWallet2Key', { json: { keyType: 'Ed25519' } })).body;
    const { keyId } = (await both.call('generateWallet2Key', { json: {} })).body;
    const ids = async (of: typeof both) =>
      (await of.call('listWallet2Keys')).body.map((key: { keyId: string }) => key.keyId);
    expect(await ids(both)).to.have.members([old.keyId, keyId]);
    expect(await ids(second)).to.deep.equal([old.keyId]);
    expect((await both.call('getWallet2Key', { path: { keyId: old.keyId } })).body).to.deep.equal(old);
    const noDids = await both.call('createWallet2Did', { json: { method: 'key' } });
    expect([noDids.status, noDids.body.message]).to.deep.equal([400, 'This wallet has no DID store']);
    expect((await both.call('listWallet2Dids')).body).to.deep.equal([]);
  });

  it('a wallet with a key and a DID of its own says so, lists the key without its private part, and uses both', async () => {
    const fixed = await create({ staticKey: STATIC_KEY, staticDid: STATIC_DID, noDidStore: true });
    const described = await describeWallet(fixed.walletId);
    expect(described).to.include({ hasStaticKey: true, hasStaticDid: true, hasDidStore: false, keyStoreCount: 0 });
    expect(described).to.not.have.property('didStoreId');
    const { body: keys } = await fixed.call('listWallet2Keys');
    expect(keys).to.deep.equal([
      { keyId: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k', keyType: 'Ed25519', algorithm: 'EdDSA' },
    ]);
    expect(JSON.stringify([described, keys])).to.not.include(JWK.d);
    const path = { keyId: keys[0].keyId };
    expect((await fixed.call('deleteWallet2Key', { path })).status).to.equal(409);
    const refused = await fixed.call('generateWallet2Key', { json: {} });
    expect([refused.status, refused.body.message]).to.deep.equal([400, 'This wallet has no key store']);
    const rawCredential = await issueCredential(await keyParty(), { did: STATIC_DID } as Party);
    expect((await fixed.call('importWallet2Credential', { json: { rawCredential } })).status).to.equal(201);
  });

  it('deleteWallet 204: deletes what no other wallet has, also the store of another that a wallet named', async () => {
    await addStore('dids', 'of-both');
    const one = await create({ didStoreId: 'of-both' });
    await one.call('generateWallet2Key', { json: {} });
    const { did } = (await one.call('createWallet2Did', { json: { method: 'jwk' } })).body;
    const other = await create({ keyStoreIds: [`${one.walletId}-keys`], didStoreId: 'of-both' });
    const drop = (wallet: string) => call('deleteWallet', { path: { wallet } });
    expect((await drop(one.walletId)).status).to.equal(204);
    expect((await drop(one.walletId)).status).to.equal(404);
    expect((await other.call('listWallet2Keys')).body).to.have.lengthOf(1);
    expect((await other.call('getWallet2Did', { path: { did } })).status).to.equal(200);
    expect(await storesOf('keys')).to.include(`${one.walletId}-keys`);
    expect(await storesOf('credentials')).to.not.include(`${one.walletId}-credentials`);
    expect((await drop(other.walletId)).status).to.equal(204);
    for (const kind of ['keys', 'credentials', 'dids'])
      expect(await storesOf(kind)).to.not.include.members([`${one.walletId}-${kind}`, 'of-both']);
    // A new store of the name is an empty one.
    expect((await addStore('dids', 'of-both')).status).to.equal(201);
    const third = await create({ didStoreId: 'of-both' });
    expect((await third.call('listWallet2Dids')).body).to.deep.equal([]);
    const page = { parent: one.walletId, order: 'id', offset: 0, limit: 1 } as const;
    for (const spec of [WALLET_KEYS, WALLET_CREDENTIALS])
      expect(await store.collection<unknown>({ ...spec, afterRestore: 'kept' }).ids(page)).to.deep.equal([]);
  });

  it('deleteWallet: of several at once one is 204, and all else find no wallet', async () => {
    const { walletId: wallet, call: on } = await create();
    await on('generateWallet2Key', { json: {} });
    const answers = await Promise.all(Array.from({ length: 4 }, () => call('deleteWallet', { path: { wallet } })));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([204, 404, 404, 404]);
    expect(await listed()).to.not.include(wallet);
  });

  it('wallets that are created and deleted with one store at once leave it exactly as long as one has it', async () => {
    await addStore('keys', 'raced');
    const first = await create({ keyStoreIds: ['raced'] });
    const [, second] = await Promise.all([
      call('deleteWallet', { path: { wallet: first.walletId } }),
      call('createWallet', { json: { keyStoreIds: ['raced'] } }),
    ]);
    expect((await storesOf('keys')).includes('raced')).to.equal(second.status === 201);
    if (second.status === 201)
      expect((await call('generateWallet2Key', { path: { wallet: second.body.walletId }, json: {} })).status).to.equal(
        201,
      );
  });

  it('has neither logins nor accounts', async () => {
    const { body } = await server.fetch('/api.json');
    expect(body.paths['/wallet'].get.security).to.deep.equal([]);
    for (const path of ['/auth/register', '/auth/emailpass', '/auth/logout', '/auth/account', '/auth/account/wallets'])
      expect(body.paths).to.not.have.property(path);
    expect((await fetch(`${server.url}/auth/account`)).status).to.equal(404);
  });

  it('is not called by the pages of others', async () => {
    const headers = { origin: 'https://elsewhere.example' };
    expect((await call('createWallet', { headers })).status).to.equal(403);
    const path = { kind: 'kms', storeId: 'mine' };
    expect((await call('createNamedStore', { path, headers })).status).to.equal(403);
  });
});
