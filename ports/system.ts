/** The wall clock; the only source of "now". */
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

/** Monotonic time, for measuring durations. */
export interface MonotonicClock {
  /** Milliseconds since an arbitrary moment before the start of the process. */
  now(): number;
}

/** The turns of the process, in which others can be served between two pieces of work. */
export interface Turns {
  /** Calls `work` in the next turn. */
  next(work: () => void): void;
}

/** Repeats work in the background. */
export interface Timers {
  /** Calls `work` every `ms` milliseconds until the function it returns is called. It keeps no process alive. */
  every(ms: number, work: () => void): () => void;
}
