import { expect } from 'chai';
import { LEASE_MS } from '../../../domain/foundation/lease.ts';
import type { Collection, CollectionSpec, Store } from '../../../ports/store.ts';
import { deferAll } from '../../actors/deferred-issuer.ts';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { giveRefreshTokens } from '../../actors/refreshing-issuer.ts';
import { CREDENTIAL_STORE, type EnterpriseFixture, startEnterprise } from '../../actors/tenant.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import { askForCard, cardOffer, createWallet, startWallet, WALLET } from '../../actors/tenant-wallet.ts';
import { until } from '../../support/runs/waiting.ts';
import { FaultyStore, StoreFaults } from '../../support/stores/faulty-store.ts';

const METADATA = '/issuer/.well-known/openid-credential-issuer';
const DEFERRED: CollectionSpec<object> = { name: 'tenant-wallet-deferred', listed: true, afterRestore: 'kept' };
const MINUTE = 60_000;

describe('what the wallet of a tenant keeps', () => {
  const faults = new StoreFaults();
  let store: Store;
  /** Whose deferred credential was kept last. */
  let waiting = '';
  let world: EnterpriseFixture;
  let issuer: TestIssuer;
  before(async () => {
    class NotingStore extends FaultyStore {
      override collection<T>(spec: CollectionSpec<T>): Collection<T> {
        const noted = super.collection(spec);
        const insert: Collection<T>['insert'] = (record) => {
          waiting = record.parent ?? '';
          return noted.insert(record);
        };
        const get = (_: object, name: string) => (name === 'insert' ? insert : Reflect.get(noted, name));
        return spec.name === DEFERRED.name ? (new Proxy(noted, { get }) as Collection<T>) : noted;
      }
    }
    const wrapStore = (inner: Store) => {
      store = inner;
      return new NotingStore(inner, faults);
    };
    world = await startEnterprise({ wallet: { batchSize: 2 } }, { wrapStore });
    await startWallet(world);
  });
  after(() => world.close());
  beforeEach(async () => {
    issuer = await startIssuer();
    issuer.behaviour.nonces = 'endpoint';
  });
  afterEach(async () => {
    faults.end();
    await issuer.close();
  });

  const receive = (offerUrl: string, target = WALLET) => world.post('receiveTenantCredentials', target, { offerUrl });
  const entry = async (target: string) =>
    ok(world.server.call('getTenantCredential', { path: { target }, token: world.root }));
  const entries = async (): Promise<{ _id: string }[]> => {
    const path = { target: CREDENTIAL_STORE };
    return ok(world.server.call('listCredentials', { path, query: { limit: '100' }, token: world.root }));
  };
  const present = async () => {
    const { link: requestUrl, info } = await askForCard(world);
    await ok(world.post('presentTenantCredentials', WALLET, { requestUrl }));
    expect((await info()).status).to.equal('SUCCESSFUL');
  };

  it('presentTenantCredentials 200: of copies each is presented once, of two presentations at once each another one', async () => {
    const { credentialIds } = await ok(receive(await cardOffer(world)));
    const [target] = credentialIds;
    const first = await entry(target);
    expect([credentialIds.length, first.copies]).to.deep.equal([1, 2]);
    expect(JSON.stringify([first, await entries()])).not.to.match(/"d":|held/);
    await Promise.all([present(), present()]);
    const second = await entry(target);
    expect([second.copies, second.credential.signed === first.credential.signed]).to.deep.equal([1, false]);
    await present();
    expect((await entry(target)).credential.signed).to.equal(second.credential.signed);
  });

  it('receiveTenantCredentials 200: what came with a refresh token is renewed in its place, under the name of its issuer', async () => {
    const metadata = issuer.peer.routes[METADATA];
    issuer.peer.routes[METADATA] = async (request) => {
      const body = Object((await metadata?.(request))?.body);
      const { Degree_jwt_vc_json: degree } = body.credential_configurations_supported;
      const named = { ...degree, display: [{ name: 'Diploma' }] };
      return { body: { ...body, credential_configurations_supported: { Degree_jwt_vc_json: named } } };
    };
    issuer.behaviour.claims = (claims) => ({
      ...claims,
      exp: Math.floor((world.server.clock.now() + 60 * MINUTE) / 1000),
    });
    const tokens = giveRefreshTokens(issuer);
    const [target] = (await ok(receive(issuer.link()))).credentialIds;
    const before = await entry(target);
    expect(before.label).to.equal('Diploma');
    world.server.clock.advance(49 * MINUTE);
    await until(async () => {
      world.server.clock.advance(5000);
      return (await entry(target)).credential.signed !== before.credential.signed;
    });
    expect([(await entry(target)).label, tokens.refreshes]).to.deep.equal(['Diploma', 1]);
  });

  for (const how of ['deleteTenantCredential', 'deleteResource', 'replaceTenantCredential'] as const)
    it(`${how}: the issuer learns that the credential is deleted, once, with a token that is good`, async () => {
      const { routes } = issuer.peer;
      const [metadata, deliver] = [routes[METADATA], routes['/issuer/credential']];
      const events: object[] = [];
      routes[METADATA] = async (request) => ({
        body: { ...Object((await metadata?.(request))?.body), notification_endpoint: `${issuer.issuer}/notification` },
      });
      routes['/issuer/credential'] = async (request) => {
        const { body, ...rest } = (await deliver?.(request)) ?? {};
        return { ...rest, body: { ...Object(body), notification_id: 'of-this-one' } };
      };
      routes['/issuer/notification'] = ({ body }) => {
        events.push(JSON.parse(body));
        return { status: 204 };
      };
      const tokens = giveRefreshTokens(issuer);
      const [target] = (await ok(receive(issuer.link()))).credentialIds;
      await until(() => events.length === 1);
      tokens.expire();
      const json = { credential: { type: 'vc-w3c_1_1' } };
      const isReplaced = how === 'replaceTenantCredential';
      await ok(
        world.server.call(how, { path: { target }, token: world.root, ...(isReplaced && { json }) }),
        isReplaced ? 200 : 204,
      );
      await until(() => events.length === 2);
      expect(events).to.deep.equal([
        { notification_id: 'of-this-one', event: 'credential_accepted' },
        { notification_id: 'of-this-one', event: 'credential_deleted' },
      ]);
      if (!isReplaced) return;
      await ok(world.server.call('deleteTenantCredential', { path: { target }, token: world.root }), 204);
      expect(events).to.have.length(2);
    });

  it('deleteResource 204: what the wallet waits for, and was granted, goes with it', async () => {
    deferAll(issuer, 'v1');
    giveRefreshTokens(issuer);
    const other = 'acme.t1.waiting';
    await ok(createWallet(world, other), 201);
    await ok(receive(issuer.link(), other));
    const kept = () => store.collection(DEFERRED).ids({ parent: waiting, order: 'id', offset: 0, limit: 9 });
    expect([waiting.startsWith(other), (await kept()).length]).to.deep.equal([true, 1]);
    await ok(world.server.call('deleteResource', { path: { target: other }, token: world.root }), 204);
    expect(await kept()).to.deep.equal([]);
  });

  it('receiveTenantCredentials: a process that ends at any call of the store loses nothing: the same offer brings the rest', async () => {
    const offered = ['Degree_jwt_vc_json', 'Passport_jwt_vc_json'];
    for (let call = 1, isDone = false; !isDone; call += 2) {
      const before = await entries();
      const isOld = new Set(before.map(({ _id }) => _id));
      // Each round has an offer of its own: the wallet keeps one by its link.
      const link = `${issuer.link(offered)}&round=${call}`;
      let codes = 1;
      const asked = issuer.peer.count('/issuer/credential');
      const token = issuer.peer.routes['/issuer/token'];
      issuer.peer.routes['/issuer/token'] = (request) => {
        codes -= 1;
        return codes >= 0 ? token?.(request) : { status: 400, body: { error: 'invalid_grant' } };
      };
      Object.assign(faults, { failIn: call, isDeadly: true });
      await receive(link);
      isDone = faults.failIn > 0;
      faults.end();
      world.server.clock.advance(LEASE_MS);
      const { status, body } = isDone ? { status: 200, body: undefined } : await receive(link);
      const added = (await entries()).filter(({ _id }) => !isOld.has(_id));
      for (const { _id: target } of added)
        await ok(world.server.call('deleteTenantCredential', { path: { target }, token: world.root }), 204);
      // A code whose token could not be kept is lost, before the issuer gave anything; what was stored whole is not asked for again.
      const given = issuer.peer.count('/issuer/credential') - asked;
      expect(added.length, `at call ${call}`).to.equal(given === 0 ? 0 : 2);
      if (status !== 200) expect(body.upstreamError, `at call ${call}`).to.equal('invalid_grant');
      issuer.peer.routes['/issuer/token'] = token ?? (() => undefined);
      expect(call).to.be.below(200);
    }
  });
});
