import { ClientAddresses } from '../../adapters/http/edge/client-addresses.ts';
import { RateLimits } from '../../adapters/http/edge/rate-limits.ts';
import { buildApplication } from '../../adapters/http/edge/server.ts';
import { withValidators } from '../../adapters/http/edge/validation.ts';
import { loadContract } from '../../adapters/http/messages/document.ts';
import { MemoryCounters } from '../../adapters/memory/counters.ts';
import { PrometheusMetrics } from '../../adapters/metrics/prometheus.ts';
import { NO_TRACING } from '../../ports/tracing.ts';
import { createdAnswer, listAnswer } from './answers.ts';
import { joinedBenchDocument } from './orders-document.ts';
import { listen } from './servers.ts';

type Handlers = Parameters<typeof buildApplication>[0]['handlers'];
type Given = { body: unknown; query: Record<string, unknown> };

const size = Number(process.argv[2]);
const joined = joinedBenchDocument(size);
const publicUrl = 'http://127.0.0.1';
const contract = loadContract({ joined, documents: ['bench'], features: [], publicUrl });
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
  ...withValidators(contract),
  handlers,
  sessions: { authenticate: async () => undefined },
  admission: {},
  origins: { publicUrl, corsOrigins: [] },
  limits: new RateLimits({ counters, rules: {}, metrics }),
  streams: { timers: { every: () => nothing }, connections: { whenEnding: () => nothing } },
  sources: new ClientAddresses([]),
  log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
  metrics,
  tracing: NO_TRACING,
});
listen(app.callback());
