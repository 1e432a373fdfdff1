import type { Line } from './support/harness.ts';

/** Measures some work beside its baselines. */
export type Benchmark = () => Promise<Line[]>;

/** The benchmarks by name, in the order of the table; each is loaded when it runs. */
export const BENCHMARKS: Record<string, () => Promise<Benchmark>> = {
  story: async () => (await import('./rows/story.ts')).story,
  'edge-post': async () => (await import('./rows/edge-throughput.ts')).edgePost,
  'edge-list': async () => (await import('./rows/edge-throughput.ts')).edgeList,
  'edge-latency': async () => (await import('./rows/edge-latency.ts')).edgeLatency,
  decisions: async () => (await import('./rows/decisions.ts')).decisions,
  issuance: async () => (await import('./rows/issuance.ts')).issuance,
  'issuance-sd-jwt': async () => (await import('./rows/issuance.ts')).issuanceSdJwt,
  'issuance-mdoc': async () => (await import('./rows/issuance.ts')).issuanceMdoc,
  mdoc: async () => (await import('./rows/credentials.ts')).mdoc,
  batch: async () => (await import('./rows/credentials.ts')).credentialBatch,
  token: async () => (await import('./rows/token.ts')).token,
  signing: async () => (await import('./rows/signing.ts')).signing,
  'kms-signing': async () => (await import('./rows/kms-signing.ts')).kmsSigning,
  onboarding: async () => (await import('./rows/onboarding.ts')).onboarding,
  'loop-delay': async () => (await import('./rows/loop-delay.ts')).loopDelay,
  'session-memory': async () => (await import('./rows/memory.ts')).sessionMemory,
  presentation: async () => (await import('./rows/presentation.ts')).presentation,
  'presentation-growth': async () => (await import('./rows/presentation.ts')).presentationGrowth,
  'sd-jwt-presentation': async () => (await import('./rows/sd-jwt-presentation.ts')).sdJwtPresentation,
  'mdoc-presentation': async () => (await import('./rows/mdoc-presentation.ts')).mdocPresentation,
  definition: async () => (await import('./rows/definition.ts')).definition,
  dcql: async () => (await import('./rows/dcql.ts')).dcql,
  'status-check': async () => (await import('./rows/status.ts')).statusCheck,
  'status-decode': async () => (await import('./rows/status.ts')).statusDecode,
  'status-change': async () => (await import('./rows/status.ts')).statusChange,
  'x5c-path': async () => (await import('./rows/path-validation.ts')).pathValidation,
  limiter: async () => (await import('./rows/limiter.ts')).limiter,
  'limiter-memory': async () => (await import('./rows/memory.ts')).limiterMemory,
  'x5c-login': async () => (await import('./rows/x5c-login.ts')).x5cLogin,
  'session-write': async () => (await import('./rows/session-write.ts')).sessionWrite,
  'list-http': async () => (await import('./rows/list-http.ts')).listHttp,
  'list-sqlite': async () => (await import('./rows/list-sqlite.ts')).listSqlite,
  'list-redis': async () => (await import('./rows/list-redis.ts')).listRedis,
  workers: async () => (await import('./rows/workers.ts')).workers,
  start: async () => (await import('./rows/start.ts')).start,
};
