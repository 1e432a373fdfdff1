import { expect } from 'chai';
import { login, registration } from '../actors/tenant.ts';
import { type Instances, startInstances } from '../support/servers/instances.ts';
import { startServer, type TestServer, type TestStore } from '../support/servers/server.ts';

const ROUNDS = 4;
const emailOf = (n: number): string => `root${n}@example.org`;
const tokens = Object.fromEntries(
  Array.from({ length: ROUNDS + 2 }, (_, n) => [`a-token-of-the-operator-${n}`, registration(emailOf(n))]),
);
const settings = {
  superadminRegistration: { tokens },
  rateLimit: { superadmin_create_by_token_endpoint: { requestsPerMinute: 10_000 } },
};

interface Superadmin {
  token: string;
  id: string;
}

/** Two instances on one store; a store in memory has only one. */
async function startBoth(store: TestStore): Promise<Instances> {
  if (store !== 'memory') return startInstances({ store, settings });
  const server = await startServer({ store, settings });
  return { servers: [server, server], join: async () => server, close: () => server.close() };
}

for (const store of ['memory', 'sqlite', 'redis-cluster'] satisfies TestStore[])
  describe(`Superadmins of two instances on one ${store}`, () => {
    let instances: Instances;
    before(async () => {
      instances = await startBoth(store);
    });
    after(() => instances.close());

    const newSuperadmin = async (n: number): Promise<Superadmin> => {
      const [server] = instances.servers;
      await server.call('createSuperadmin', { text: `a-token-of-the-operator-${n}` });
      const token = await login(server, emailOf(n));
      return { token, id: (await server.call('getOwnAccount', { token })).body._id };
    };
    const isLeft = async ({ token }: Superadmin): Promise<boolean> =>
      (await instances.servers[0].call('listAccounts', { token })).status === 200;

    for (const operationId of ['deleteAccount', 'disableAccount'])
      it(`${operationId}: of three who end each other in a circle, and of two, at least one is left`, async () => {
        const [one, other] = instances.servers;
        const end = (at: TestServer, by: Superadmin, whom: Superadmin) =>
          at.call(operationId, { path: { accountId: whom.id }, token: by.token });
        const all = await Promise.all(Array.from({ length: ROUNDS + 2 }, (_, n) => newSuperadmin(n)));
        while (all.length > 1) {
          const racing = all.slice(0, 3);
          const answers = await Promise.all(
            racing.map((by, n) => end(n % 2 === 0 ? one : other, by, racing[(n + 1) % racing.length] as Superadmin)),
          );
          const statuses = answers.map(({ status }) => status);
          const left = [];
          for (const each of racing) if (await isLeft(each)) left.push(each);
          expect(left, statuses.join()).to.have.length.within(1, racing.length - 1);
          expect(statuses.filter((status) => status < 300)).to.have.length(racing.length - left.length);
          all.splice(0, racing.length, ...left);
        }
        const [last] = all as [Superadmin];
        expect((await end(other, last, last)).status).to.equal(409);
        expect(await isLeft(last)).to.equal(true);
      });
  });
