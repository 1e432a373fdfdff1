import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Answer, type ServerOptions, startServer, type TestServer } from '../support/servers/server.ts';

/** The default number of concurrent calls. */
const RACERS = 50;

export type Kind = 'memory' | 'one SQLite file' | 'two instances on one SQLite file';
export const KINDS: Kind[] = ['memory', 'one SQLite file', 'two instances on one SQLite file'];

/** One instance, or two on one store and behind one address. */
export interface Installation {
  /** Sends calls to the instances in turn. */
  server: TestServer;
  advance(ms: number): void;
  close(): Promise<void>;
}

export async function install(kind: Kind, settings: ServerOptions['settings'] = {}): Promise<Installation> {
  if (kind !== 'two instances on one SQLite file') {
    const server = await startServer({ store: kind === 'memory' ? 'memory' : 'sqlite', settings });
    return { server, advance: server.clock.advance, close: server.close };
  }
  const balancer = await Balancer.listen();
  const dataDir = await mkdtemp(join(tmpdir(), 'credenza-race-'));
  const options = { store: 'sqlite' as const, dataDir, settings: { ...settings, publicUrl: balancer.url } };
  const [first, second] = [await startServer(options), await startServer(options)];
  const instances = [first, second];
  balancer.ports.push(...instances.map(portOf));
  return {
    server: first,
    advance: (ms) => instances.forEach(({ clock }) => void clock.advance(ms)),
    close: async () => {
      for (const { lines } of instances)
        expect(lines.filter(({ message }) => message === 'request')).to.have.length.above(0);
      await balancer.close();
      for (const instance of instances) await instance.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The address on which an instance listens. */
const portOf = ({ lines }: TestServer): number =>
  Number(lines.find(({ message }) => message === 'listening')?.fields.port);

/** Forwards every request to the next instance. */
class Balancer {
  readonly ports: number[] = [];
  readonly #server: Server;
  #turn = 0;

  static async listen(): Promise<Balancer> {
    const balancer = new Balancer();
    await new Promise<void>((resolve) => balancer.#server.listen(0, '127.0.0.1', resolve));
    return balancer;
  }

  private constructor() {
    this.#server = createServer((incoming, outgoing) => {
      const { method, url: path, headers } = incoming;
      const port = this.ports[this.#turn++ % this.ports.length];
      const passed = request({ host: '127.0.0.1', port, method, path, headers }, (reply) => {
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(outgoing);
      });
      passed.on('error', () => outgoing.destroy());
      incoming.pipe(passed);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

/** Runs a call many times concurrently. */
export const race = (run: (index: number) => Promise<Answer>, racers = RACERS): Promise<Answer[]> =>
  Promise.all(Array.from({ length: racers }, (_, index) => run(index)));

/** Asserts that one answer is a success and all others are the same error. */
export function exactlyOne(answers: Answer[], { won, lost }: { won: number; lost: number | number[] }): void {
  const statuses = answers.map(({ status }) => status);
  const others = statuses.filter((status) => ![lost].flat().includes(status));
  expect(others, JSON.stringify(statuses)).to.deep.equal([won]);
}
