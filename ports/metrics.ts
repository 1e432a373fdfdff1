import type { Collection } from './store.ts';

/** Metrics of the server. Labels are from closed sets, never from input. */
export interface Metrics {
  /** A session (`issuance`, `verification`, `login`) reached `state`. */
  sessionMoved(kind: 'issuance' | 'verification' | 'login', state: string): void;
  /** An outbound call ended as `outcome` after `seconds`. */
  outboundCall(outcome: 'answered' | 'refused' | 'unreachable' | 'timeout', seconds: number): void;
  /** An operation of the database ended after `seconds`; `conflict` is an answer, `failed` is none. */
  storeOperation(operation: keyof Collection<unknown>, outcome: 'done' | 'conflict' | 'failed', seconds: number): void;
  /** A signature was created or verified with a key of `keyType`. */
  cryptoOperation(operation: 'sign' | 'verify' | 'generate', keyType: string): void;
  /** A captured x5c token can be replayed because `x5c.replay` is `compatible`. */
  replayableLogin(): void;
  /** A request to an operation with the rate limit `section` was decided. */
  limited(section: string, outcome: 'admitted' | 'refused' | 'blocked'): void;
  /** An unhandled exception or rejection ends the process. */
  unhandledError(kind: 'exception' | 'rejection'): void;
}
