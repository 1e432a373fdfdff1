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
