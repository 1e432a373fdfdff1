import { expect } from 'chai';
import { EventListener } from '../actors/event-listener.ts';
import { crossDevice, Openid4vp } from '../actors/openid4vp.ts';
import {
  ENTERPRISE_SETTINGS,
  type EnterpriseFixture,
  enterpriseOn,
  may,
  PASSWORD,
  SUPERADMIN,
  VERIFIER,
} from '../actors/tenant.ts';
import { until } from '../support/runs/waiting.ts';
import { type Instances, startInstances } from '../support/servers/instances.ts';
import type { TestServer, TestStore } from '../support/servers/server.ts';
import { addressesOf, type RedisNode, startNode } from '../support/stores/redis.ts';
import { certifiedKey } from '../support/trust/verifier-chains.ts';

const OTHER_VERIFIER = 'acme.t1.verifier2';
const LIMIT = 40;
const STORES: TestStore[] = ['redis', 'redis-cluster'];

for (const store of STORES)
  describe(`The verifier of a tenant on two instances on one ${store}`, () => {
    let instances: Instances;
    let one: TestServer;
    let other: TestServer;
    let world: EnterpriseFixture;
    let limits: RedisNode;
    /** The verifier, called at the first instance and at the other. */
    let first: Openid4vp;
    let second: Openid4vp;
    before(async () => {
      limits = await startNode();
      const settings = {
        ...ENTERPRISE_SETTINGS,
        rateLimit: {
          ...ENTERPRISE_SETTINGS?.rateLimit,
          persistence: { type: 'kvstore' as const, nodes: addressesOf([limits]) },
          verifier2_request_endpoint: { requestsPerMinute: LIMIT, failureThreshold: 1000 },
        },
      };
      instances = await startInstances({ store, settings });
      [one, other] = instances.servers;
      world = await enterpriseOn(one);
      await world.post('createService', OTHER_VERIFIER, { type: 'verifier2', presentedData: 'deleteOnHandover' });
      first = await Openid4vp.with(one, { target: VERIFIER, token: world.root });
      second = await Openid4vp.with(other, { target: VERIFIER, token: world.root });
    });
    after(async () => {
      await instances.close();
      limits.discard();
    });

    it('a session of one is fetched at the other, answered at the first, and shown and streamed by both', async () => {
      const { key, hash: clientId, x5c } = await certifiedKey();
      const created = await first.create(crossDevice({ signed_request: true, key, x5c, clientId }));
      const headers = { authorization: `Bearer ${world.root}` };
      const follow = (server: TestServer) =>
        EventListener.open(server, created.sessionId, {
          operation: 'tenantStreamVerificationSessionEvents',
          target: VERIFIER,
          headers,
        });
      const listeners = [await follow(one), await follow(other)];
      expect((await first.info(created)).status).to.equal('UNUSED');
      const request = await second.request(created);
      expect((await first.info(created)).status).to.equal('IN_USE');
      const { status } = await first.respond(request, await first.response(request));
      expect(status).to.equal(200);
      for (const vp of [second, first]) {
        const session = await vp.info(created);
        expect([session.status, session.presented_credentials.degree.length]).to.deep.equal(['SUCCESSFUL', 1]);
      }
      for (const { clock } of instances.servers) clock.advance(1000);
      for (const listener of listeners) {
        await until(() => listener.text.includes('"status":"SUCCESSFUL"'));
        listener.leave();
      }
      const [own, others] = listeners.map(({ ids, events }) => ({ ids, events }));
      expect(others).to.deep.equal(own);
      const path = { target: VERIFIER };
      const lists = instances.servers.map((server) =>
        server.call('listVerificationSessions', { path, token: world.root }),
      );
      const [here, there] = (await Promise.all(lists)).map(({ body }) => body);
      expect(there).to.deep.equal(here);
    });

    it('of many responses at both at once exactly one is verified', async () => {
      const created = await first.create();
      const request = await first.request(created);
      const responses = await Promise.all(Array.from({ length: 10 }, () => first.response(request)));
      const answers = await Promise.all(
        responses.map((response, n) => (n % 2 === 0 ? first : second).respond(request, response)),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses.filter((status) => status === 200)).to.have.length(1);
      const lost = answers.filter(({ status, headers }) => status === 409 || headers.get('retry-after') === '1');
      expect(lost).to.have.length(9);
      for (const vp of [first, second]) expect((await vp.info(created)).status).to.equal('SUCCESSFUL');
      const events = await second.events(created);
      expect(events.filter((event) => event === 'presentation_validation_available')).to.have.length(1);
    });

    it('of many who ask both at once one gets what is deleted on hand-over', async () => {
      const [here, there] = await Promise.all(
        instances.servers.map((server) => Openid4vp.with(server, { target: OTHER_VERIFIER, token: world.root })),
      );
      if (!here || !there) throw new Error('There are two instances');
      const created = await here.create();
      const request = await there.request(created);
      expect((await there.respond(request, await there.response(request))).status).to.equal(200);
      const shown = await Promise.all(Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? here : there).info(created)));
      expect(shown.filter((session) => session.presented_credentials.degree[0].claims)).to.have.length(1);
    });

    it('a logout at one ends the login at the other, with the token and with the cookie', async () => {
      const created = await first.create();
      const path = { target: VERIFIER, sessionId: created.sessionId };
      const get = async (server: TestServer, login: object) =>
        (await server.call('tenantGetVerificationSession', { path, ...login })).status;
      const { token } = await world.member([may(VERIFIER)]);
      expect([await get(one, { token }), await get(other, { token })]).to.deep.equal([200, 200]);
      await other.call('logoutEnterpriseAccount', { token });
      expect([await get(one, { token }), await get(other, { token })]).to.deep.equal([401, 401]);
      const json = { email: SUPERADMIN, password: PASSWORD };
      const { headers } = await one.call('createAccountSession', { json });
      const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
      expect([await get(one, { cookie }), await get(other, { cookie })]).to.deep.equal([200, 200]);
      await one.call('deleteAccountSession', { cookie, headers: { origin: one.url } });
      expect([await get(one, { cookie }), await get(other, { cookie })]).to.deep.equal([401, 401]);
    });

    it('the limit of a target is one for both, and another target has its own', async () => {
      const fetches = async (target: string, count: number) => {
        const path = { target, requestId: 'unknown' };
        const answers = await Promise.all(
          Array.from({ length: count }, (_, n) =>
            (n % 2 === 0 ? one : other).call('tenantGetAuthorizationRequest', { path }),
          ),
        );
        return answers.map(({ status }) => status).filter((status) => status === 429).length;
      };
      await limits.command('FLUSHALL');
      expect(await fetches(VERIFIER, LIMIT + 10)).to.equal(10);
      expect(await fetches(OTHER_VERIFIER, LIMIT)).to.equal(0);
    });
  });
