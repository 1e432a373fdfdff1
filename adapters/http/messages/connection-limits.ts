import type { Server } from 'node:http';
import type { Log } from '../../../ports/log.ts';

/** How long a client may take, in milliseconds; a request that takes longer is answered with 408 and closed. */
export const CONNECTION_TIMEOUTS = {
  /** From the first byte of the head to the last of the body. */
  requestTimeout: 30_000,
  headersTimeout: 15_000,
  /** How often both are checked. */
  connectionsCheckingInterval: 5000,
  /** Without any transfer, such as of a client that does not read its answer. */
  idleTimeout: 60_000,
};

/** How much of a body a stream keeps for a reader who waits, in bytes, each of which may come in a buffer of its own. */
export const STREAM_BYTES = 4096;

/** Refused connections are logged at most once in this time, in milliseconds. */
const QUIET_MS = 60_000;

/** Refuses connections beyond `maxConnections`, and logs how many were refused since the last line. */
export function limitConnections(server: Server, { maxConnections, log }: { maxConnections: number; log: Log }): void {
  server.maxConnections = maxConnections;
  let refused = 0;
  let quietUntil = 0;
  server.on('drop', () => {
    refused += 1;
    const now = performance.now();
    if (now < quietUntil) return;
    log.warn('connections are refused, since as many as services.conf allows are open', { maxConnections, refused });
    refused = 0;
    quietUntil = now + QUIET_MS;
  });
}
