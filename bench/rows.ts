import type { Line } from './harness.ts';

type Row = () => Promise<Line[]>;

/** The benchmarks by the names they are asked for, in the order of the table; each is loaded when it runs. */
export const ROWS: Record<string, () => Promise<Row>> = {
  'edge-post': async () => (await import('./edge.ts')).edgePost,
  'edge-list': async () => (await import('./edge.ts')).edgeList,
  'edge-tail': async () => (await import('./edge-tail.ts')).latencyTail,
  decisions: async () => (await import('./decisions.ts')).decisions,
  issuance: async () => (await import('./issuance.ts')).wholeIssuance,
  'session-memory': async () => (await import('./session-memory.ts')).sessionMemory,
  presentation: async () => (await import('./presentation.ts')).presentationVerification,
  definition: async () => (await import('./definition.ts')).definitionMatching,
  'x5c-path': async () => (await import('./path-validation.ts')).pathValidation,
  limiter: async () => (await import('./limiter.ts')).limiter,
  'limiter-memory': async () => (await import('./limiter-memory.ts')).limiterMemory,
  'x5c-login': async () => (await import('./login.ts')).x5cLogin,
  'session-write': async () => (await import('./session-write.ts')).sessionWrite,
  'list-http': async () => (await import('./list-http.ts')).listHttp,
  'list-sqlite': async () => (await import('./list-sqlite.ts')).listSqlite,
  'list-redis': async () => (await import('./list-redis.ts')).listRedis,
  workers: async () => (await import('./workers.ts')).workers,
  start: async () => (await import('./start.ts')).startToReady,
};
