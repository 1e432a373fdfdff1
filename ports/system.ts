/** The time of the service; the only source of "now". */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Fresh identifiers. */
export interface Ids {
  /** A random UUID (RFC 9562 version 4) in lower case. */
  uuid(): string;
}

/** Cryptographically strong randomness. */
export interface Random {
  bytes(length: number): Uint8Array;
}

/** Time that only goes forward, whatever becomes of the clock; for measuring how long something lasts. */
export interface MonotonicClock {
  /** Milliseconds since some moment before the start of the process. */
  now(): number;
}

/** Work that is repeated beside other work. */
export interface Timers {
  /** Calls `work` every `ms` milliseconds until the function it returns is called. It keeps no process alive. */
  every(ms: number, work: () => void): () => void;
}
