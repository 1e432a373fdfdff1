import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SqliteCopy } from '../../adapters/sqlite/sqlite-copy.ts';
import { GRANT, makeHolderKey } from '../../demo/actors/holder-key.ts';
import { degree, type Issuer, onboard } from '../../demo/actors/issuer.ts';
import { isObject } from '../../domain/foundation/json.ts';
import { DATA_VERSION } from '../../domain/migration/data-version.ts';
import type { Collection, CollectionSpec, NewRecord, Store } from '../../ports/store.ts';
import type { RawRecord } from '../../ports/store-copy.ts';
import { byEmail } from '../actors/accounts.ts';
import { makeOffer } from '../actors/issuance.ts';
import { DEGREE } from '../actors/openid4vci.ts';
import { crossDevice, Openid4vp } from '../actors/openid4vp.ts';
import { ENTERPRISE_SETTINGS, enterpriseOn, KMS, login, SUPERADMIN } from '../actors/tenant.ts';
import { credentialRequest, decodeJwt, proofOf, redeem, requestCredential } from '../actors/wallet.ts';
import { FormNotes } from '../support/releases/form-notes.ts';
import { checkForms, isWithin, storedForms } from '../support/releases/stored-forms.ts';
import { type Instances, startInstances } from '../support/servers/instances.ts';
import { type Answer, startServer, type TestServer } from '../support/servers/server.ts';
import { readTokenList } from '../support/status/issued-lists.ts';

type Json = Record<string, unknown>;

/** The hash of a recorded call covers all its members, also those that a later version adds. */
const HASHED = 'audit-events';

/** The member that the next version adds. */
const ADDED = 'addedByNext';

/** A store into which the next minor version writes: each record has a member that this one does not know. */
function ofNextVersion(store: Store): Store {
  const extended = <T>({ value, ...record }: NewRecord<T>): NewRecord<T> => ({
    ...record,
    value: isObject(value) ? ({ ...value, [ADDED]: { since: 1, list: ['x'] } } as T) : value,
  });
  const collection = <T>(spec: CollectionSpec<T>): Collection<T> => {
    const inner = store.collection(spec);
    if (spec.name === HASHED) return inner;
    return {
      insert: (record) => inner.insert(extended(record)),
      replace: (record, ifRevision) => inner.replace(extended(record), ifRevision),
      get: (key) => inner.get(key),
      take: (key) => inner.take(key),
      remove: (key) => inner.remove(key),
      list: (query) => inner.list(query),
      ids: (query) => inner.ids(query),
    };
  };
  return {
    collection,
    ping: () => store.ping(),
    checkWritable: () => store.checkWritable(),
    close: () => store.close(),
  };
}

const good = ({ status, body }: Answer): Json => {
  expect(status, JSON.stringify(body)).to.be.below(300);
  return body;
};

describe('An instance of this version and one of the next on one store', () => {
  let instances: Instances;
  let ways: [TestServer, TestServer][];
  const forms = new FormNotes();
  before(async () => {
    instances = await startInstances({ store: 'sqlite', settings: ENTERPRISE_SETTINGS });
    const next = await instances.join({ wrapStore: ofNextVersion });
    const own = await instances.join({ wrapStore: (store) => forms.wrap(store) });
    ways = [
      [next, own],
      [own, next],
    ];
  });
  after(() => instances.close());

  it('know accounts, logins and wallets of each other', async () => {
    for (const [at, [one, other]] of ways.entries()) {
      good(await one.call('registerAccount', { json: byEmail(`ada${at}`) }));
      const { token } = good(await other.call('loginAccount', { json: byEmail(`ada${at}`) })) as { token: string };
      const { wallets } = good(await one.call('listAccountWallets', { token })) as unknown as { wallets: Json[] };
      const path = { wallet: String(wallets[0]?.id) };
      const key = (await one.call('generateWalletKey', { token, path, json: {} })).body;
      const made = { ...path, method: 'jwk' };
      const did = (await other.call('createWalletDid', { token, path: made, query: { keyId: key } })).body;
      const dids = (await one.call('listWalletDids', { token, path })).body as Json[];
      expect(dids.map((each) => each.did)).to.include(did);
      good(await one.call('logoutAccount', { token }));
      expect((await other.call('getUserInfo', { token })).status).to.equal(401);
    }
  });

  it('go on with issuances of each other, and what one used up is used up at the other', async () => {
    for (const [one, other] of ways) {
      const issuer = await onboard(one);
      const { code } = await makeOffer(one, degree(issuer));
      const { access_token: token, c_nonce: nonce } = good(await redeem(other, code)) as Record<string, string>;
      expect((await redeem(one, code)).status).to.equal(400);
      const proof = proofOf(instances.servers[0], makeHolderKey(), { nonce });
      const request = credentialRequest(proof);
      expect((await requestCredential(one, token ?? '', request)).status).to.equal(200);
      expect((await requestCredential(other, token ?? '', request)).status).to.equal(400);
    }
  });

  it('revoke what the other issued', async () => {
    for (const [one, other] of ways) {
      const issuer = await onboard(one, { key: { keyType: 'secp256r1' } });
      const list = good(await one.call('createStatusList', { json: { ...issuer, type: 'TokenStatusList' } }));
      const listId = String(list.listId);
      const made = await other.call('allocateStatusEntry', { path: { listId }, json: { session: 's' } });
      const { index } = good(made).entry as { index: number };
      const path = { listId, index: String(index) };
      good(await one.call('changeStatusEntry', { path, json: { action: 'revoke' } }));
      const { body } = await other.call('getStatusList', { path: { id: listId } });
      expect((await readTokenList(body, { ...issuer.issuerKey.jwk, d: undefined })).status(index)).to.equal(1);
    }
  });

  it('go on with verifications of each other', async () => {
    for (const [one, other] of ways) {
      const [first, second] = [await Openid4vp.with(one), await Openid4vp.with(other)];
      const created = await first.create(crossDevice());
      const request = await second.request(created);
      good(await second.respond(request, await first.response(request)));
      expect((await first.info(created)).status).to.equal('SUCCESSFUL');
      expect((await second.info(created)).status).to.equal('SUCCESSFUL');
      expect((await first.respond(request, await first.response(request))).status).to.be.at.least(400);
    }
  });

  it('have one tree of tenants, and one audit trail', async () => {
    const [[next, own] = expect.fail()] = ways;
    const world = await enterpriseOn(next);
    const key = await own.call('generateKey', {
      path: { target: `${KMS}.signer` },
      json: { backend: 'jwk', keyType: 'secp256r1' },
      token: world.root,
    });
    good(key);
    const path = { target: `${KMS}.signer` };
    for (const server of [next, own])
      expect((await server.call('signWithTenantKey', { path, json: { a: 1 }, token: world.root })).status).to.equal(
        200,
      );
    for (const server of [own, next]) {
      const check = await server.call('checkAuditTrail', { path: { target: 'acme' }, token: world.root });
      expect(good(check)).to.include({ valid: true });
    }
  });

  it('write the forms that the table has', () => {
    const isOwn = ([path]: [string, string]): boolean => !path.startsWith(ADDED);
    const own = Object.entries(forms.forms()).map(([name, members]) => [
      name,
      Object.fromEntries(Object.entries(members).filter(isOwn)),
    ]);
    checkForms(Object.fromEntries(own));
  });
});

describe('The table of stored forms', () => {
  it('has no form that a program would misread which reads its version of the data', () => {
    for (const [name, rows] of Object.entries(storedForms()))
      for (const [at, { since, data, members }] of rows.entries()) {
        const before = rows[at - 1];
        expect(data, name)
          .to.be.at.most(DATA_VERSION)
          .and.at.least(before?.data ?? 0);
        if (!before) continue;
        expect(since, name).not.to.equal(before.since);
        const changed = Object.keys(before.members).filter(
          (path) => !isWithin(members[path] ?? 'none', before.members[path]),
        );
        if (data === before.data)
          expect(changed, `${name} of ${since} without a new version of the data`).to.deep.equal([]);
      }
  });
});

/** What stands in the first line of a kept store: how to use what the others hold. */
interface Kept {
  wallet: string;
  did: string;
  keyId: string;
  credential: string;
  issuer: Issuer;
  listId: string;
  index: number;
  offer: string;
  session: string;
  tenantKey: Json;
}

/** The store that a release wrote, under a master key of 32 sevens and for the public URL https://credenza.example. */
describe('The store of an installation of 0.9.0', () => {
  let server: TestServer;
  let kept: Kept;
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'credenza-kept-'));
    const lines = (await readFile('test/support/releases/written-by-0.9.0.jsonl', 'utf8')).trim().split('\n');
    const [first, ...records] = lines.map((line) => JSON.parse(line));
    kept = first;
    await write(join(dataDir, 'credenza.sqlite'), records);
    server = await startServer({
      store: 'sqlite',
      dataDir,
      settings: { ...ENTERPRISE_SETTINGS, masterKeys: ['07'.repeat(32)], publicUrl: 'https://credenza.example' },
    });
  });
  after(async () => {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function write(file: string, records: RawRecord[]): Promise<void> {
    const copy = new SqliteCopy(file, { fileMustExist: false, pause: async () => undefined });
    await copy.put(records);
    await copy.close();
  }

  it('has its account, with the wallet, its key, its DID and its credential', async () => {
    const { token } = good(await server.call('loginAccount', { json: byEmail('ada') })) as { token: string };
    const path = { wallet: kept.wallet };
    const ids = async (operation: string, member: string) =>
      ((await server.call(operation, { token, path })).body as Json[]).map((each) => each[member]);
    expect(await ids('listWalletDids', 'did')).to.deep.equal([kept.did]);
    expect(await ids('listWalletKeys', 'keyId')).to.deep.equal([{ id: kept.keyId }]);
    expect(await ids('listWalletCredentials', 'id')).to.deep.equal([kept.credential]);
    const signed = await server.call('signWithWalletKey', {
      token,
      path: { ...path, keyId: kept.keyId },
      json: { sub: 'ada' },
    });
    expect(signed.status).to.equal(200);
  });

  it('has its offer, which gives its credential once, to a wallet of today', async () => {
    const url = new URL(new URL(kept.offer).searchParams.get('credential_offer_uri') ?? '');
    const offer = await server.fetch(`${url.pathname}${url.search}`);
    const code = offer.body.grants[GRANT]['pre-authorized_code'];
    const form = { grant_type: GRANT, 'pre-authorized_code': code };
    const { access_token: token } = good(await server.call('requestOpenid4vciToken', { form })) as Record<
      string,
      string
    >;
    expect((await server.call('requestOpenid4vciToken', { form })).status).to.equal(400);
    const { c_nonce: nonce } = good(await server.call('requestOpenid4vciNonce')) as Record<string, string>;
    const claims = { aud: 'https://credenza.example/openid4vci' };
    const { jwt } = proofOf(server, makeHolderKey(), { nonce, claims });
    const json = { credential_configuration_id: DEGREE, proofs: { jwt: [jwt] } };
    const { credentials } = good(await server.call('requestOpenid4vciCredential', { token, json }));
    const [{ credential }] = credentials as [{ credential: string }];
    expect(decodeJwt(credential).verifies(kept.issuer.issuerKey.jwk)).to.equal(true);
    const path = { sessionId: kept.session };
    expect((await server.call('getIssuanceSession', { path })).body).to.include({ status: 'SUCCESSFUL' });
  });

  it('has its status list, in which its credential is revoked', async () => {
    const path = { listId: kept.listId, index: String(kept.index) };
    const key = { ...kept.issuer.issuerKey.jwk, d: undefined };
    const status = async () => {
      const { body } = await server.call('getStatusList', { path: { id: kept.listId } });
      return (await readTokenList(body, key)).status(kept.index);
    };
    expect(await status()).to.equal(0);
    good(await server.call('changeStatusEntry', { path, json: { action: 'revoke' } }));
    expect(await status()).to.equal(1);
  });

  it('has its tenants with their keys, accounts and roles, and an audit trail that goes on', async () => {
    const root = await login(server, SUPERADMIN);
    const member = await login(server, 'member1@example.org');
    const path = { target: `${KMS}.signer` };
    const signed = await server.call('signWithTenantKey', { path, json: { a: 1 }, token: member });
    expect(decodeJwt(String(good(signed))).verifies(kept.tenantKey)).to.equal(true);
    const other = await server.call('createTenant', { path: { target: 'acme.t2' }, json: {}, token: member });
    expect(other.status).to.equal(404);
    good(await server.call('createTenant', { path: { target: 'acme.t2' }, json: {}, token: root }));
    const check = good(await server.call('checkAuditTrail', { path: { target: 'acme' }, token: root }));
    expect(check).to.include({ valid: true });
  });
});
