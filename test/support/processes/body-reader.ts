import 'reflect-metadata';
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { CONNECTION_TIMEOUTS } from '../../../adapters/http/messages/connection-limits.ts';
import { byEmail } from '../../actors/accounts.ts';
import { login, registration, SUPERADMIN, TOKEN } from '../../actors/tenant.ts';
import { startServer } from '../servers/server.ts';

/** What the process of a server that reads bodies says first. */
export interface BodyReader {
  url: string;
  /** The tokens of callers with all permissions, by realm. */
  tokens: { wallet: string; enterprise: string };
}

/** What the process can be asked for, in bytes: what it has received on all connections, and what it keeps in memory. */
export type Question = 'received' | 'kept';

const sockets = new Set<Socket>();
subscribe('http.server.request.start', (message) => {
  const { socket } = (message as { request: IncomingMessage }).request;
  sockets.add(socket);
});

const ANSWERS: Record<Question, () => number> = {
  received: () => [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, 0),
  kept: () => {
    for (let round = 0; round < 3; round += 1) (globalThis as unknown as { gc(): void }).gc();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  },
};

process.once('disconnect', () => process.exit());
process.once('message', async () => {
  const server = await startServer({
    // As long as a busy machine needs.
    timeouts: { ...CONNECTION_TIMEOUTS, requestTimeout: 240_000, idleTimeout: 240_000 },
    settings: {
      services: { trustedProxies: ['127.0.0.1'] },
      superadminRegistration: { tokens: { [TOKEN]: registration() } },
    },
  });
  await server.call('createSuperadmin', { text: TOKEN });
  await server.call('registerAccount', { json: byEmail('ada') });
  const { body } = await server.call('loginAccount', { json: byEmail('ada') });
  const tokens = { wallet: body.token, enterprise: await login(server, SUPERADMIN) };
  process.on('message', (question: Question) => process.send?.(ANSWERS[question]()));
  process.send?.({ url: server.url, tokens } satisfies BodyReader);
});
