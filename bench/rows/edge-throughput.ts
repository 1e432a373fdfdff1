import { compared, interleave, type Line, type Slice } from '../support/harness.ts';
import { encode, load } from '../support/load.ts';
import { ORDER, USUAL_SIZE } from '../support/orders-document.ts';
import { type OrderServerSpec, serveOrders } from '../support/servers.ts';

/** V8 has optimised a server's code after some 20,000 requests. */
const WARM_UP = 10;
const JSON_TYPE = { 'content-type': 'application/json' };
const POST = encode({ method: 'POST', target: '/orders', headers: JSON_TYPE, body: JSON.stringify(ORDER) });
const LIST = encode({ method: 'GET', target: '/tenants/acme/orders?limit=20&offset=40&order=created' });

/** Sends one request to several servers, each in a process of its own. */
async function against<K extends string>(
  request: Buffer,
  servers: Record<K, OrderServerSpec>,
): Promise<Record<K, number[]>> {
  const names = Object.keys(servers) as K[];
  const running = await Promise.all(names.map((name) => serveOrders(servers[name])));
  const slices = Object.fromEntries(
    running.map((server, at) => [names[at], load(server, () => request)]),
  ) as unknown as Record<K, Slice>;
  const rates = await interleave(slices, { warmUp: WARM_UP });
  for (const { close } of running) await close();
  return rates;
}

/** A POST with a 1 KB body: full validation, error handling, request id and metrics. */
export async function edgePost(): Promise<Line[]> {
  const { ours, hand, shipped } = await against(POST, {
    ours: { name: 'support/edge-server', size: USUAL_SIZE },
    hand: { name: 'baselines/hand-written', size: USUAL_SIZE },
    shipped: { name: 'baselines/as-shipped', size: USUAL_SIZE },
  });
  return [
    compared({ work: 'POST of 1 KB, HTTP', named: 'koa + router + ajv by hand', goal: { atLeast: 0.9 } }, ours, hand),
    compared({ work: '', named: 'koa + openapi-backend as shipped', goal: { atLeast: 4 } }, ours, shipped),
  ];
}

/** A GET of a templated list with three query parameters. */
export async function edgeList(): Promise<Line[]> {
  const { ours, large, bare } = await against(LIST, {
    ours: { name: 'support/edge-server', size: 28 },
    large: { name: 'support/edge-server', size: 200 },
    bare: { name: 'baselines/bare-koa', size: 0 },
  });
  return [
    compared({ work: 'GET of a list, HTTP, 28 operations', named: 'bare koa', goal: { atLeast: 0.55 } }, ours, bare),
    compared(
      { work: 'growth of its time, 28 to 200 operations', named: 'with 200 operations', goal: { atMost: 1.3 } },
      ours,
      large,
    ),
  ];
}
