import type { Server } from 'node:http';
import type { Log } from '../../ports/log.ts';

/** How long a client may take, in milliseconds; a request that takes longer is answered with 408 and closed. */
export const CONNECTION_TIMEOUTS = {
  /** From the first byte of the head to the last of the body. */
  requestTimeout: 30_000,
  headersTimeout: 15_000,
  /** So much later at most it is noticed. */
  connectionsCheckingInterval: 5000,
  /** For so long nothing may move, as with a client that reads nothing of its answer. */
  idleTimeout: 60_000,
};

/** There is at most one log line of refused connections in so many milliseconds. */
const QUIET_MS = 60_000;

/** Refuses connections beyond `maxConnections`; the log says so, with how many there were since its last line. */
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
