import { expect } from 'chai';
import fc from 'fast-check';
import type { IssuerServices } from '../../../adapters/http/handlers/issuer.ts';
import { makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { isDomainError } from '../../../domain/foundation/errors.ts';
import { LEASE_MS } from '../../../domain/foundation/lease.ts';
import type { Store } from '../../../ports/store.ts';
import { bearer } from '../../support/credentials/oauth.ts';
import {
  codeOf,
  degreeContent,
  degreeRequest,
  type IssuerInProcess,
  issuerInProcess,
} from '../../support/servers/issuer-services.ts';
import { FaultyStore, StoreFaults } from '../../support/stores/faulty-store.ts';
import { Actor } from '../../support/stores/stepped-store.ts';

/** One move of the schedule: a call of one request goes through, fails, or its process is killed; or time passes. */
type Move = { kind: 'step' | 'fail' | 'kill'; request: number } | { kind: 'wait' };

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('step' as const), request: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('fail' as const), request: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), request: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const) }) },
);

/** A wallet with one access token that may send many requests at the same time. */
class Wallet {
  /** What was delivered, by item. */
  readonly delivered = new Map<string, Set<string>>();
  readonly #on: IssuerInProcess;
  readonly #token: string;
  readonly #holder = makeHolderKey();
  #nonce: string;

  constructor(on: IssuerInProcess, { token, nonce }: { token: string; nonce: string }) {
    this.#on = on;
    this.#token = token;
    this.#nonce = nonce;
  }

  /** Asks for a credential, or several at once, with the latest nonce, and again when that is refused. */
  async ask(services: IssuerServices, count: number): Promise<void> {
    for (let tries = 0; tries < 3; tries += 1) {
      try {
        await this.#request(services, count);
        return;
      } catch (error) {
        const fresh = isDomainError(error) ? error.extra?.c_nonce : undefined;
        if (typeof fresh !== 'string') throw error;
        this.#nonce = fresh;
      }
    }
  }

  async #request(services: IssuerServices, count: number): Promise<void> {
    const choices = Array.from({ length: count }, () => degreeRequest(this.#on, this.#holder, this.#nonce));
    const access = await services.credentialEndpoint.access(this.#on.issuer, bearer(this.#token));
    const { outcome, next } = await services.credentialEndpoint.issueBatch(access, choices);
    this.#nonce = next?.nonce ?? this.#nonce;
    for (const one of outcome) {
      if (one.kind !== 'delivered') throw new Error('nothing is deferred');
      const known = this.delivered.get(one.notificationId) ?? new Set();
      for (const credential of one.credentials) known.add(credential);
      this.delivered.set(one.notificationId, known);
    }
  }
}

async function offered(on: IssuerInProcess, items: number): Promise<Wallet> {
  const { services, issuer } = on;
  const content = Array.from({ length: items }, (_, level) => degreeContent(on, level));
  const { id } = await services.offers.create(issuer, { content, ttlSeconds: 100_000 });
  const code = await codeOf(on, id);
  const { accessToken, nonce = '' } = await services.tokenEndpoint.redeem(issuer, {
    code,
    configurationIds: [],
    event: {},
  });
  return new Wallet(on, { token: accessToken, nonce });
}

/** One request on a store of its own whose calls the schedule releases. */
interface Running {
  actor: Actor;
  faults: StoreFaults;
  isDead: boolean;
}

function start(on: IssuerInProcess, wallet: Wallet, count: number): Running {
  const faults = new StoreFaults();
  const work = (store: Store) => wallet.ask(on.over(new FaultyStore(store, faults)), count);
  return { actor: new Actor(on.platform.store, work), faults, isDead: false };
}

describe('issuance under interleaved requests', () => {
  let on: IssuerInProcess;
  before(async () => {
    on = await issuerInProcess();
  });

  it('nothing is issued twice: when calls fail, processes are killed and requests come again, an item gives one credential', async () => {
    const schedules = fc.record({
      items: fc.integer({ min: 1, max: 3 }),
      counts: fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 4, maxLength: 4 }),
      moves: fc.array(move, { minLength: 40, maxLength: 120 }),
    });
    const check = fc.asyncProperty(schedules, async ({ items, counts, moves }) => {
      const wallet = await offered(on, items);
      const running = counts.map((count) => start(on, wallet, count));
      for (const one of moves) {
        if (one.kind === 'wait') {
          on.clock.advance(LEASE_MS);
          continue;
        }
        const request = running[one.request];
        if (!request || request.isDead) continue;
        if (one.kind === 'kill') request.isDead = true;
        else {
          if (one.kind === 'fail') request.faults.failIn = 1;
          await request.actor.step();
        }
      }
      for (const { actor, isDead } of running) if (!isDead) await actor.run();
      on.clock.advance(LEASE_MS);
      for (let tries = 0; tries <= items; tries += 1) await wallet.ask(on.services, 1).catch(() => undefined);
      for (const credentials of wallet.delivered.values()) expect(credentials.size).to.equal(1);
      const all = [...wallet.delivered.values()].flatMap((credentials) => [...credentials]);
      expect(new Set(all).size).to.equal(all.length);
      expect(all.length).to.be.within(1, items);
    });
    await fc.assert(check, { numRuns: 60 });
  });

  it('a request that is repeated while it is served gets the credential, or is to come again: its token stays good', async () => {
    const check = fc.asyncProperty(fc.array(fc.nat(2), { minLength: 20, maxLength: 80 }), async (turns) => {
      const wallet = await offered(on, 1);
      const running = [1, 1, 1].map((count) => start(on, wallet, count));
      for (const turn of turns) await running[turn]?.actor.step();
      for (const { actor } of running) await actor.run();
      expect(wallet.delivered.size).to.equal(1);
      for (const { actor } of running) {
        const { isDone, error } = actor.outcome ?? { isDone: false };
        if (isDone) continue;
        expect(isDomainError(error) && [error.code, error.retryAfterSeconds]).to.deep.equal(['Busy', 1]);
      }
    });
    await fc.assert(check, { numRuns: 60 });
  });

  it('a wallet that only ever retries gets every item of an offer', async () => {
    const check = fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.nat(12), { maxLength: 6 }),
      async (items, failures) => {
        const wallet = await offered(on, items);
        for (const failIn of failures) {
          const request = start(on, wallet, 1);
          request.faults.failIn = failIn;
          await request.actor.run();
        }
        for (let tries = 0; tries < items; tries += 1) await wallet.ask(on.services, 1);
        expect(wallet.delivered.size).to.equal(items);
        for (const credentials of wallet.delivered.values()) expect(credentials.size).to.equal(1);
      },
    );
    await fc.assert(check, { numRuns: 30 });
  });
});
