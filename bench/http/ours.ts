import { compiled } from '../compiled.ts';
import { createdAnswer, listAnswer } from './answers.ts';
import { joinedBenchDocument } from './document.ts';
import { listen } from './serve.ts';

const { loadContract } = await compiled<typeof import('../../adapters/http/document.ts')>('adapters/http/document');
const { buildApplication } = await compiled<typeof import('../../adapters/http/server.ts')>('adapters/http/server');
const { PrometheusMetrics } =
  await compiled<typeof import('../../adapters/metrics/prometheus.ts')>('adapters/metrics/prometheus');

const { RateLimits } = await compiled<typeof import('../../adapters/http/rate-limits.ts')>('adapters/http/rate-limits');
const { MemoryCounters } =
  await compiled<typeof import('../../adapters/memory/counters.ts')>('adapters/memory/counters');

const { ClientAddresses } = await compiled<typeof import('../../adapters/http/client-addresses.ts')>(
  'adapters/http/client-addresses',
);

type Handlers = Parameters<typeof buildApplication>[0]['handlers'];
type Given = { body: unknown; query: Record<string, unknown> };

const size = Number(process.argv[2]);
const joined = joinedBenchDocument(size);
const publicUrl = 'http://127.0.0.1';
const contract = await loadContract({ joined, documents: ['bench'], features: [], publicUrl });
const answer = (body: unknown) => ({ status: 200, body });
const handlers = Object.fromEntries(
  joined['x-documents'].bench.operations.map((id) => [id, async () => answer({})]),
) as Handlers;
handlers.createOrder = async (input: Given) => answer(createdAnswer(input.body));
handlers.listOrders = async (input: Given) => answer(listAnswer(input.query));

const nothing = () => {};
const metrics = new PrometheusMetrics();
const counters = new MemoryCounters({ now: () => performance.now() });
const app = buildApplication({
  contract,
  handlers,
  sessions: { authenticate: async () => undefined },
  origins: { publicUrl, corsOrigins: [] },
  limits: new RateLimits({ counters, rules: {}, metrics }),
  sources: new ClientAddresses([]),
  log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
  metrics,
});
listen(app.callback());
