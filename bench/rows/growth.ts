import { start } from '../../composition/commands/start.ts';
import { LISTS } from '../../domain/tenancy/services/lists.ts';
import { interleave, type Line, median, perSecond, ratioOf, repeat, type Slice } from '../support/harness.ts';
import { offerRequest, redeemOffer } from '../support/issuer.ts';
import { SILENT } from '../support/platform.ts';
import { isPostgresInstalled, startPostgres } from '../support/postgres-server.ts';
import { isRedisInstalled, startRedis } from '../support/redis-server.ts';
import { accountOf, createInstallation, type Installation, KMS, type Size } from '../support/tenants.ts';

const FEW: Size = { keys: 1000, tenants: 1000, sessions: 1000, events: 1000 };
const MANY: Size = { keys: 1_000_000, tenants: 10_000, sessions: 100_000, events: 1_000_000 };
/** In PostgreSQL each record is a transaction of its own. */
const SOME: Size = { keys: 50_000, tenants: 5000, sessions: 10_000, events: 50_000 };
const PAGE = 100;
const SLICE_MS = 100;

/** Something that must not cost more in a large installation; `atMost` is the goal of its ratio, if it has one. */
interface Work {
  work: string;
  slice(installation: Installation, size: Size): Promise<Slice>;
  atMost?: number;
}

/** The tenants take turns, so that nothing is read twice in a row. */
function turns(count: number): () => number {
  let last = 0;
  return () => {
    last = (last + 7919) % count;
    return last;
  };
}

const keyPage =
  (offsetOf: (size: Size) => number): Work['slice'] =>
  async ({ tenancy }, size) => {
    const texts = { limit: String(PAGE), offset: String(offsetOf(size)), sort: 'createdDateTime' };
    const rights = await tenancy.access.require(accountOf(0), ['list-keys'], KMS);
    const request = { rights, target: KMS, query: async <T>(read: (query: object) => T) => read(texts) };
    return repeat(() => tenancy.lists.page(LISTS.listKeys, request), SLICE_MS);
  };

/** What every database must do as fast with many as with few; the last page is its own goal. */
const works = (lastPage: number | undefined): Work[] => [
  { work: 'first page of the keys of a service', slice: keyPage(() => 0), atMost: 1.3 },
  { work: 'last page of them', slice: keyPage(({ keys }) => keys - PAGE), ...(lastPage && { atMost: lastPage }) },
  {
    work: 'newest page of the recorded calls of an organization',
    slice: async ({ tenancy }) => {
      const target = 'acme.t0';
      const request = { target, rights: await tenancy.access.require(accountOf(0), ['audit-view'], target) };
      const query = async () => ({ limit: PAGE, order: 'newest', subtree: true }) as const;
      return repeat(() => tenancy.audit.trail.page(request, query), SLICE_MS);
    },
    atMost: 1.3,
  },
  {
    work: 'permission of a tenant checked, and the tenant read',
    slice: async ({ tenancy }, { tenants }) => {
      const next = turns(tenants);
      return repeat(async () => {
        const tenant = next();
        await tenancy.access.require(accountOf(tenant), ['resource-view'], `acme.t${tenant}`);
        return tenancy.resources.get(`acme.t${tenant}`);
      }, SLICE_MS);
    },
    atMost: 1.3,
  },
  {
    work: 'bearer token of a login checked',
    slice: async ({ tenancy }) => {
      const token = await tenancy.sessions.start(accountOf(1));
      return repeat(() => tenancy.sessions.authenticate(token), SLICE_MS);
    },
    atMost: 1.3,
  },
  {
    work: 'credential offered and its code redeemed',
    slice: async ({ issuing }) => {
      const request = { content: offerRequest() };
      return repeat(() => redeemOffer(issuing, request), SLICE_MS);
    },
    atMost: 1.3,
  },
];

/** Starts and stops, by the clock: all services, on the data of an installation. */
const startOf =
  ({ settings }: Installation): Slice =>
  async () => {
    const from = performance.now();
    const running = await start(settings, { log: SILENT });
    const seconds = (performance.now() - from) / 1000;
    await running.close(0);
    return 1 / seconds;
  };

/** Two installations that are compared, and the goal of their last pages, if they have one. */
interface Pair {
  few: Installation;
  many: Installation;
  /** How much the larger one has. */
  size?: Size;
  lastPage?: number;
}

async function growth(name: string, { few, many, size = MANY, lastPage }: Pair): Promise<Line[]> {
  const lines: Line[] = [];
  for (const { work, slice, atMost } of works(lastPage)) {
    const slices = { ours: await slice(many, size), beside: await slice(few, FEW) };
    const { ours, beside } = await interleave(slices);
    const goal = atMost === undefined ? {} : { goal: { atMost } };
    lines.push({
      work: `${work}, ${name}`,
      ours: perSecond(ours),
      beside: `${perSecond(beside)} with few`,
      ratio: ratioOf(beside, ours),
      ...goal,
    });
  }
  await Promise.all([few.close(), many.close()]);
  const { ours, beside } = await interleave({ ours: startOf(many), beside: startOf(few) }, { rounds: 5, warmUp: 2 });
  const time = (rates: number[]): string => `${(1000 / median(rates)).toFixed(0)} ms`;
  lines.push({
    work: `start, ${name}`,
    ours: time(ours),
    beside: `${time(beside)} with few`,
    ratio: ratioOf(beside, ours),
    goal: { atMost: 1.3 },
  });
  return lines;
}

/** 10⁶ keys, 10⁴ tenants, 10⁵ logins and 10⁵ issuance sessions beside 10³ of each, in SQLite. */
export async function growthSqlite(): Promise<Line[]> {
  return growth('SQLite', { few: await createInstallation(FEW), many: await createInstallation(MANY) });
}

/** The same in Redis. */
export async function growthRedis(): Promise<Line[]> {
  if (!isRedisInstalled())
    return [{ work: 'growth, Redis', ours: 'not measured', beside: 'redis-server is not installed' }];
  const { port, stop } = await startRedis();
  const nodes = [{ host: '127.0.0.1', port }];
  const store = (keyPrefix: string) => ({ type: 'kvstore' as const, nodes, keyPrefix });
  const few = await createInstallation(FEW, store('few:'));
  const lines = await growth('Redis', { few, many: await createInstallation(MANY, store('many:')), lastPage: 1.3 });
  await stop();
  return lines;
}

/** A twentieth of that in PostgreSQL. */
export async function growthPostgres(): Promise<Line[]> {
  if (!isPostgresInstalled())
    return [{ work: 'growth, PostgreSQL', ours: 'not measured', beside: 'PostgreSQL is not installed' }];
  const { settings, stop } = await startPostgres();
  const store = (schema: string) => ({ type: 'postgresql' as const, ...settings, schema });
  const few = await createInstallation(FEW, store('few'));
  const many = await createInstallation(SOME, store('many'));
  const lines = await growth('PostgreSQL', { few, many, size: SOME });
  await stop();
  return lines;
}
