/** What the service counts about itself. Labels come from closed sets, never from input. */
export interface Metrics {
  /** A session (`issuance`, `verification`, `login`) reached `state`. */
  sessionMoved(kind: 'issuance' | 'verification' | 'login', state: string): void;
  /** An outbound call ended as `outcome` after `seconds`. */
  outboundCall(outcome: 'answered' | 'refused' | 'unreachable' | 'timeout', seconds: number): void;
  /** A signature was made or checked with a key of `keyType`. */
  cryptoOperation(operation: 'sign' | 'verify' | 'generate', keyType: string): void;
  /** A captured x5c token can be replayed because `x5c.replay` is `compatible`. */
  replayableLogin(): void;
  /** A request to an operation with the rate limit `section` was decided on. */
  limited(section: string, outcome: 'admitted' | 'refused' | 'blocked'): void;
  /** An exception or a rejected promise was handled by nothing; the process ends because of it. */
  unhandledError(kind: 'exception' | 'rejection'): void;
}
