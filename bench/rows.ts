import type { Line } from './harness.ts';

type Row = () => Promise<Line[]>;

/** The benchmarks by the names they are asked for, in the order of the table; each is loaded when it runs. */
export const ROWS: Record<string, () => Promise<Row>> = {
  'edge-post': async () => (await import('./edge.ts')).edgePost,
  'edge-list': async () => (await import('./edge.ts')).edgeList,
  decisions: async () => (await import('./decisions.ts')).decisions,
  issuance: async () => (await import('./issuance.ts')).wholeIssuance,
  presentation: async () => (await import('./presentation.ts')).presentationVerification,
  definition: async () => (await import('./definition.ts')).definitionMatching,
  'x5c-path': async () => (await import('./path-validation.ts')).pathValidation,
  'x5c-login': async () => (await import('./login.ts')).x5cLogin,
  'session-write': async () => (await import('./session-write.ts')).sessionWrite,
  start: async () => (await import('./start.ts')).startToReady,
};
