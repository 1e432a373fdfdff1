import { expect } from 'chai';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { mapBounded } from '../../../domain/foundation/concurrency.ts';
import { WALLET_CREDENTIALS, WALLET_DIDS, WALLET_KEYS } from '../../../domain/holdings/records.ts';
import { WALLET_LIMITS } from '../../../domain/holdings/room.ts';
import type { CollectionSpec, Store } from '../../../ports/store.ts';
import { loginOffer } from '../../actors/code-grant.ts';
import { deferAll } from '../../actors/deferred-issuer.ts';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { issueCredential, jwkParty, type Party } from '../../actors/party.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { until } from '../../support/runs/waiting.ts';
import { type Answer, type Call, useServer } from '../../support/servers/server.ts';

const KEY = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
const PRIVATE_KEY = JSON.stringify({ ...KEY, d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A' });
const SPECS: Record<keyof typeof WALLET_LIMITS, CollectionSpec<unknown>> = {
  keys: { ...WALLET_KEYS, afterRestore: 'kept' },
  DIDs: { ...WALLET_DIDS, afterRestore: 'kept' },
  credentials: { ...WALLET_CREDENTIALS, afterRestore: 'kept' },
};

/** Few enough that a slow machine writes each within the time that an operation of a store may take. */
const AT_ONCE = 100;

describe('a full wallet', () => {
  let store: Store;
  const server = useServer({
    wrapStore: (inner) => {
      store = inner;
      return inner;
    },
  });
  let holder: WalletUser;
  let issuer: TestIssuer;
  before(async () => {
    [holder, issuer] = [await newWalletUser(server), await startIssuer()];
  });
  after(() => issuer.close());

  /** Fills the wallet up to the limit while `run` is running; nothing reads the records. */
  async function whileFull(kind: keyof typeof WALLET_LIMITS, run: () => Promise<void>): Promise<void> {
    const collection = store.collection(SPECS[kind]);
    const most = WALLET_LIMITS[kind];
    const page = { parent: holder.wallet, order: 'id', offset: 0, limit: most } as const;
    const ids = Array.from({ length: most - (await collection.ids(page)).length }, (_, n) => `filler-${n}`);
    await mapBounded(ids, AT_ONCE, (id) => collection.insert({ parent: holder.wallet, id, value: '' }));
    try {
      await run();
    } finally {
      await mapBounded(ids, AT_ONCE, (id) => collection.remove({ parent: holder.wallet, id }));
    }
  }
  const refused = ({ status, body }: Answer, kind: keyof typeof WALLET_LIMITS): void => {
    const { message } = typeof body === 'string' ? JSON.parse(body) : body;
    const limit = `A wallet may have at most ${WALLET_LIMITS[kind]} ${kind}; remove one permanently first`;
    expect([status, message]).to.deep.equal([409, limit]);
  };
  const calls = (operationId: string, call: Call) => () => holder.call(operationId, call);

  it('generateWalletKey, importWalletKey 409: takes no further key, and one again when there is room', async () => {
    const generate = calls('generateWalletKey', { json: { backend: 'jwk', keyType: 'Ed25519' } });
    const importKey = calls('importWalletKey', { text: PRIVATE_KEY });
    await whileFull('keys', async () => {
      for (const call of [generate, importKey]) refused(await call(), 'keys');
    });
    for (const call of [generate, importKey]) expect((await call()).status).to.equal(201);
  });

  it('createWalletDid, importWalletDid 409: takes no further DID, makes no key for it, and keeps none', async () => {
    const keys = async () => (await holder.call('listWalletKeys')).body.length;
    const before = await keys();
    const create = calls('createWalletDid', { path: { method: 'key' } });
    const { privateKey, did } = makeHolderKey();
    const importDid = calls('importWalletDid', { json: { did, key: privateKey.export({ format: 'jwk' }) } });
    await whileFull('DIDs', async () => {
      for (const call of [create, importDid]) refused(await call(), 'DIDs');
      expect(await keys()).to.equal(before);
    });
    for (const call of [create, importDid]) expect((await call()).status).to.equal(200);
  });

  it('acceptCredentialOffer, prepareExternalOffer, beginOfferAuthorization, finishOfferAuthorization, importWalletCredential 409: all refused', async () => {
    const text = issuer.link();
    const later = await startIssuer();
    deferAll(later, 'v1').isReady = true;
    await holder.call('acceptCredentialOffer', { text: later.link() });
    const [{ id }] = (await holder.call('listDeferredCredentials')).body;
    const collect = calls('collectDeferredCredential', { path: { id } });
    const party: Party = await jwkParty();
    const jwt = await issueCredential(party, { did: holder.did } as Party);
    const accept = calls('acceptCredentialOffer', { text });
    const prepare = calls('prepareExternalOffer', { json: { offerURL: text } });
    const importOne = calls('importWalletCredential', { json: { jwt, associated_did: holder.did } });
    const begin = calls('beginOfferAuthorization', { json: { offer: loginOffer(issuer) } });
    const finish = calls('finishOfferAuthorization', { json: { state: 'any', code: 'any' } });
    const credentialEndpoint = `${issuer.issuer}/credential`;
    const selected = { credentialConfigurationId: 'Degree_jwt_vc_json' };
    const named = { credentialEndpoint, ...selected };
    const answered = { code: 'any', state: 'any', credentialIssuer: issuer.issuer };
    const steps = [
      calls('receiveCredentials', { json: { offerUrl: text } }),
      calls('fetchCredential', { json: { ...named, accessToken: 'any', storeInWallet: true } }),
      calls('collectDeferred', { json: { transactionId: id } }),
      calls('resumePendingCredential', { path: { pendingId: id } }),
      calls('createAuthorizationUrl', { json: { offerUrl: loginOffer(issuer) } }),
      calls('createAuthorizationUrlBatch', { json: { offerUrl: loginOffer(issuer) } }),
      calls('receiveAuthorized', { json: { ...named, ...answered } }),
      calls('receiveAuthorizedBatch', { json: { credentialEndpoint, credentials: [selected], ...answered } }),
    ];
    await whileFull('credentials', async () => {
      for (const call of [accept, prepare, begin, finish, importOne, ...steps]) refused(await call(), 'credentials');
      expect(issuer.peer.count('/issuer/token')).to.equal(0);
      refused(await collect(), 'credentials');
      const nextAt = async () => (await holder.call('listDeferredCredentials')).body[0].nextAt;
      const planned = await nextAt();
      server.clock.advance(5000);
      // The wallet looked by itself, found no room and put it off.
      await until(async () => (await nextAt()) !== planned);
      expect(later.peer.count('/issuer/deferred')).to.equal(0);
    });
    await later.close();
    expect([(await accept()).status, (await importOne()).status]).to.deep.equal([200, 201]);
  });
});
