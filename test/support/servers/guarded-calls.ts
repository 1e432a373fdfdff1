import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { expect } from 'chai';
import { GuardedOutbound } from '../../../adapters/outbound/guarded-outbound.ts';
import { DomainError, type ErrorCode } from '../../../domain/foundation/errors.ts';
import type { Metrics } from '../../../ports/metrics.ts';
import type { OutboundRequest } from '../../../ports/outbound.ts';

/** A server on loopback that records its callers. */
export interface Host {
  port: number;
  connections: () => number;
  requests: IncomingMessage[];
}

/** Guards and servers of one describe block; registers the hooks that end them after each test. */
export function guardedCalls() {
  const servers: Server[] = [];
  const guards: GuardedOutbound[] = [];
  const outcomes: string[] = [];

  const metrics: Metrics = {
    sessionMoved: () => {},
    storeOperation: () => {},
    cryptoOperation: () => {},
    replayableLogin: () => {},
    unhandledError: () => {},
    limited: () => {},
    outboundCall: (outcome) => void outcomes.push(outcome),
  };

  beforeEach(() => {
    outcomes.length = 0;
  });

  const stop = () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  };

  afterEach(async () => {
    stop();
    await Promise.all(guards.splice(0).map((guard) => guard.close()));
  });

  async function host(listener: RequestListener): Promise<Host> {
    const requests: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      requests.push(request);
      listener(request, response);
    });
    let connections = 0;
    server.on('connection', () => {
      connections += 1;
    });
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    return { port: (server.address() as AddressInfo).port, connections: () => connections, requests };
  }

  const canary = () => host((_, response) => void response.end('reached'));

  function guard(options: { allow?: string[]; publicUrl?: string; resolve?: LookupFunction } = {}): GuardedOutbound {
    const made = new GuardedOutbound({ allow: [], publicUrl: 'https://self.example', metrics, ...options });
    guards.push(made);
    return made;
  }

  return { host, canary, guard, outcomes, stop };
}

/** A resolver that returns its answers in turn, then repeats the last one. */
export function resolver(...answers: string[][]): LookupFunction {
  let asked = 0;
  return (_name, _options, callback) => {
    const addresses = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
}

/** A GET of this URL; expects a status list unless `more` names another kind. */
export const get = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  method: 'GET',
  url,
  expects: 'status-list',
  ...more,
});

/** The error of a failed call; any other outcome fails the test. */
export async function fails(sending: Promise<unknown>, code: ErrorCode): Promise<DomainError> {
  const error = await sending.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).to.be.instanceOf(DomainError);
  expect(error).to.have.property('code', code);
  return error as DomainError;
}
