import { expect } from 'chai';
import { degree, type Issuer } from '../../demo/actors/issuer.ts';
import { pause } from '../support/runs/waiting.ts';
import type { Answer, TestServer } from '../support/servers/server.ts';
import { offerId } from './issuance.ts';
import { redeem } from './wallet.ts';

interface Outcome {
  operation: string;
  status: number;
  ms: number;
}

const GRANT = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';
/** The longest wait of a caller in any state of the store. */
export const LONGEST_MS = 4000;

/** Between two offers of one caller: a fault is met in any call, and a node that fails over takes seconds of them. */
const PACE_MS = 25;

/** Offers that are continuously created and redeemed, several at once; each answer is recorded. */
export class Traffic {
  readonly outcomes: Outcome[] = [];
  /** Acknowledged offers whose code was not used. */
  readonly acknowledged: string[] = [];
  readonly #server: TestServer;
  readonly #issuer: Issuer;
  #isOver = false;
  #workers: Promise<void>[] = [];

  constructor(server: TestServer, issuer: Issuer) {
    this.#server = server;
    this.#issuer = issuer;
  }

  start(): this {
    this.#workers = Array.from({ length: 4 }, (_, n) => this.#work(n));
    return this;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#workers);
  }

  /** Resolves when this many more calls were answered. */
  async pass(count: number): Promise<void> {
    for (const goal = this.outcomes.length + count; this.outcomes.length < goal; ) await pause(10);
  }

  /** Resolves when a call has failed since `from`, the number of outcomes before the fault: others do not need a suspended node. */
  async failed(from: number): Promise<void> {
    while (this.outcomes.slice(from).every(({ status }) => status === 200)) await pause(10);
  }

  /** Resolves when calls succeed again. @throws Error when they do not within `ms` */
  async recovers(ms: number): Promise<void> {
    const deadline = performance.now() + ms;
    for (;;) {
      const from = this.outcomes.length;
      await this.pass(12);
      if (this.outcomes.slice(from).every(({ status }) => status === 200)) return;
      if (performance.now() > deadline) throw new Error(`Still failing after ${ms} ms`);
    }
  }

  statuses(): number[] {
    return [...new Set(this.outcomes.map(({ status }) => status))].sort();
  }

  slowest(): number {
    return Math.max(...this.outcomes.map(({ ms }) => ms));
  }

  async #work(worker: number): Promise<void> {
    for (let n = 0; !this.#isOver; n += 1) {
      await pause(PACE_MS);
      const live = await this.#timed('getLiveness', () => this.#server.call('getLiveness'));
      expect(live.status).to.equal(200);
      const made = await this.#timed('issueJwtCredential', () =>
        this.#server.call('issueJwtCredential', { json: degree(this.#issuer) }),
      );
      if (made.status !== 200) continue;
      const id = offerId(made.body);
      if ((worker + n) % 2 === 0) {
        this.acknowledged.push(id);
        continue;
      }
      const offer = await this.#timed('getCredentialOffer', () => this.#offer(id));
      if (offer.status !== 200) continue;
      await this.#timed('requestAccessToken', () => redeem(this.#server, codeOf(offer)));
    }
  }

  #offer(id: string): Promise<Answer> {
    return this.#server.call('getCredentialOffer', { query: { id } });
  }

  async #timed(operation: string, call: () => Promise<Answer>): Promise<Answer> {
    const started = performance.now();
    const answer = await call();
    this.outcomes.push({ operation, status: answer.status, ms: performance.now() - started });
    return answer;
  }
}

const codeOf = ({ body }: Answer): string => body.grants[GRANT]['pre-authorized_code'];

/** Asserts that each of these offers can still be fetched and redeemed once. */
export async function allRedeem(server: TestServer, ids: string[]): Promise<void> {
  for (const id of ids.slice(-12)) {
    const offer = await server.call('getCredentialOffer', { query: { id } });
    expect(offer.status).to.equal(200);
    expect((await redeem(server, codeOf(offer))).status).to.equal(200);
    expect((await redeem(server, codeOf(offer))).status).to.equal(400);
  }
}
