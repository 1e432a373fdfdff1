import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../../../adapters/config/settings.ts';
import { STORES } from '../../../composition/platform/stores.ts';
import { degree, offerLink, onboard } from '../../../demo/actors/issuer.ts';
import { DEGREE_REQUEST, sessionOf, startVerification, stateOf } from '../../../demo/actors/verifier.ts';
import { WalletUser } from '../../../demo/actors/wallet-user.ts';
import { member, textOf } from '../../../demo/http-client.ts';
import { perform } from '../../../demo/services.ts';
import type { RawRecord, RawStore } from '../../../ports/store-copy.ts';
import { type CommandProcess, runCommandProcess } from '../processes/process.ts';
import { pause } from '../runs/waiting.ts';
import { freePort } from '../stores/redis.ts';
import { startServer, type TestServer, type TestStore } from './server.ts';

/** Two instances on one store, each of which a test restarts with another ring of master keys. */
export class Installation {
  readonly #store: TestStore;
  readonly #dataDir: string;
  readonly #ports: readonly [number, number];
  readonly #servers: TestServer[] = [];
  #turn = 0;

  private constructor(store: TestStore, dataDir: string, ports: [number, number]) {
    this.#store = store;
    this.#dataDir = dataDir;
    this.#ports = ports;
  }

  static async open(store: TestStore, ring: string[]): Promise<Installation> {
    const dataDir = await mkdtemp(join(tmpdir(), 'credenza-installation-'));
    const installation = new Installation(store, dataDir, [await freePort(), await freePort()]);
    for (const index of [0, 1] as const) await installation.#start(index, ring);
    await installation.#writeConfiguration();
    return installation;
  }

  get servers(): [TestServer, TestServer] {
    return this.#servers as [TestServer, TestServer];
  }

  get settings(): Settings {
    return this.servers[0].settings;
  }

  /** The instance whose turn it is. */
  at = (): TestServer => {
    this.#turn += 1;
    return this.servers[this.#turn % 2 === 0 ? 0 : 1];
  };

  async restart(index: 0 | 1, ring: string[]): Promise<void> {
    await this.servers[index].close();
    await this.#start(index, ring);
  }

  /** Runs a command with the configuration of the instances and this ring. */
  command(args: string[], ring: string[]): CommandProcess {
    const environment = { CONFIG_DIR: this.#dataDir, DATA_DIR: this.#dataDir, MASTER_KEYS: ring.join(',') };
    return runCommandProcess(args, environment);
  }

  /** Opens the database record by record. */
  raw(): RawStore {
    const store = STORES[this.settings.store.type].copy?.(this.settings, async () => undefined);
    if (!store) throw new Error('The store has no copy');
    return store;
  }

  /** All records as they are stored. */
  async records(): Promise<RawRecord[]> {
    const store = this.raw();
    const all: RawRecord[] = [];
    for await (const page of store.records(500)) all.push(...page);
    await store.close();
    return all;
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
    await rm(this.#dataDir, { recursive: true, force: true });
  }

  async #start(index: 0 | 1, ring: string[]): Promise<void> {
    const settings = {
      masterKeys: ring,
      port: this.#ports[index],
      publicUrl: `http://127.0.0.1:${this.#ports[0]}`,
    };
    this.#servers[index] = await startServer({ store: this.#store, dataDir: this.#dataDir, settings });
  }

  async #writeConfiguration(): Promise<void> {
    const { type, nodes, keyPrefix } = this.settings.store;
    const store = type === 'sqlite' ? { type } : { type, nodes, keyPrefix };
    await writeFile(join(this.#dataDir, 'store.conf'), JSON.stringify(store));
  }
}

/** A user who registered, with a login session. */
export interface Visitor {
  account: { type: string; email: string; password: string; name: string };
  token: string;
}

/** Registers, logs in, receives a degree and presents it; `at` names the instance of each step. */
export async function visit(at: () => TestServer): Promise<Visitor> {
  const email = `${randomUUID()}@example.org`;
  const account = { type: 'email', email, password: 'a long enough password', name: 'Ada' };
  await perform(at(), 'registerAccount', { json: account, expect: 201 });
  const token = await logIn(at(), account);
  const user = await WalletUser.open(at(), token);
  await user.accept(await newOffer(at()));
  await presentTo(at, token);
  return { account, token };
}

/** An offer of a degree by a new issuer. */
export const newOffer = async (server: TestServer): Promise<string> =>
  offerLink(server, degree(await onboard(server, { key: { keyType: 'secp256r1' } })));

export const logIn = async (server: TestServer, json: Visitor['account']): Promise<string> =>
  textOf(await perform(server, 'loginAccount', { json }), 'token');

/** Presents the degree of a user. @throws Error when it is not accepted */
export async function presentTo(at: () => TestServer, token: string): Promise<void> {
  const link = await startVerification(at(), DEGREE_REQUEST);
  await (await WalletUser.open(at(), token)).present(link);
  const session = await sessionOf(at(), stateOf(link));
  if (member(session, 'verificationResult') !== true) throw new Error('The degree was refused');
}

/** Work that is repeated in several loops, each with a pause after it, until it is stopped. */
export interface Traffic {
  /** Stops and returns how often the work was done. @throws the first failure */
  stop(): Promise<number>;
}

const PACE_MS = 100;

export function startTraffic(loops: number, work: () => Promise<unknown>): Traffic {
  let isOver = false;
  let count = 0;
  const loop = async (): Promise<void> => {
    while (!isOver) {
      await work();
      count += 1;
      // What is tested meanwhile is another process; more work would only take its processor.
      await pause(PACE_MS);
    }
  };
  const running = Promise.all(Array.from({ length: loops }, loop));
  running.catch(() => undefined);
  return {
    stop: async () => {
      isOver = true;
      await running;
      return count;
    },
  };
}
