import { Redis } from 'ioredis';
import { Keys } from '../../adapters/redis/keys.ts';
import { encode } from '../../adapters/redis/record-bytes.ts';
import { RedisStore } from '../../adapters/redis/redis-store.ts';
import { DIDS, type DidRow, didRows } from '../support/did-rows.ts';
import { interleave, type Line, type Slice } from '../support/harness.ts';
import { FEW, MANY, PAGES, type PageOf, parentOf, queryFor, timeRatio, titleOf } from '../support/pages.ts';
import { SILENT } from '../support/platform.ts';
import { isRedisInstalled, startRedis } from '../support/redis-server.ts';

const SLICE_MS = 100;
const CHUNK = 2000;
/** The page that all others are compared with. */
const BESIDE: PageOf = { count: MANY, offset: 1000 };
const keys = new Keys('bench:');

/** Writes the same as inserts through the store, thousands of records per command. */
async function fill(client: Redis, count: number): Promise<void> {
  let chunk: DidRow[] = [];
  for (const row of didRows(count)) {
    chunk.push(row);
    if (chunk.length < CHUNK) continue;
    await put(client, count, chunk);
    chunk = [];
  }
}

async function put(client: Redis, count: number, rows: readonly DidRow[]): Promise<void> {
  const { records, byId, byCreated, byUpdated } = keys.group(DIDS.name, parentOf(count));
  const texts = rows.flatMap(({ id, created, body }) => [
    id,
    encode({ revision: 1, createdAt: created, updatedAt: created, body }),
  ]);
  const times = rows.flatMap(({ id, created }) => [created, id]);
  await Promise.all([
    client.hset(records, ...texts),
    client.zadd(byId, ...rows.flatMap(({ id }) => [0, id])),
    client.zadd(byCreated, ...times),
    client.zadd(byUpdated, ...times),
  ]);
}

/** Processor time of this process and of the server together. */
async function cpuSeconds(client: Redis): Promise<number> {
  const { user, system } = process.cpuUsage();
  const used = [...(await client.info('cpu')).matchAll(/^used_cpu_(?:user|sys):([\d.]+)/gm)];
  return (user + system) / 1e6 + used.reduce((sum, [, seconds]) => sum + Number(seconds), 0);
}

function pages(client: Redis, list: () => Promise<unknown>): Slice {
  return async () => {
    const usedBefore = await cpuSeconds(client);
    const started = performance.now();
    let times = 0;
    for (; performance.now() - started < SLICE_MS; times += 1) await list();
    return times / ((await cpuSeconds(client)) - usedBefore);
  };
}

/** Pages through the port, newest first, beside the page at offset 1,000. */
export async function listRedis(): Promise<Line[]> {
  if (!isRedisInstalled())
    return [{ work: 'list, Redis', ours: 'not measured', beside: 'redis-server is not installed' }];
  const { port, stop } = await startRedis();
  const client = new Redis(port, '127.0.0.1');
  for (const count of [FEW, MANY]) await fill(client, count);
  const nodes = [{ host: '127.0.0.1', port }];
  const address = { cluster: false, nodes, user: '', password: '', tls: false, keyPrefix: keys.prefix };
  const store = new RedisStore(address, { clock: { now: () => Date.now() }, log: SILENT });
  const records = store.collection(DIDS);
  const sliceOf = (page: PageOf): Slice => pages(client, () => records.list(queryFor(page)));
  const lines: Line[] = [];
  for (const page of PAGES) {
    const { ours, beside } = await interleave({ ours: sliceOf(page), beside: sliceOf(BESIDE) });
    const work = `${titleOf(page)}, Redis, time`;
    lines.push(timeRatio({ work, named: `itself, ${titleOf(BESIDE)}`, page, atMost: 1.5 }, ours, beside));
  }
  await store.close();
  client.disconnect();
  await stop();
  return lines;
}
