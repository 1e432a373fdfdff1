import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import fc from 'fast-check';
import { DomainError, isDomainError } from '../../domain/foundation/errors.ts';
import { LEASE_MS } from '../../domain/foundation/lease.ts';
import type { WrittenServices } from '../../domain/tenancy/services/service-configurations.ts';
import type { KilledPlan } from '../support/processes/killed-creator.ts';
import { testScript } from '../support/processes/script.ts';
import { runs } from '../support/runs/property-runs.ts';
import { creations, type ServicePlan } from '../support/stores/containers.ts';
import { Actor } from '../support/stores/stepped-store.ts';
import { openStore } from '../support/stores/stores.ts';
import type { StoreUnderTest } from './collection.contract.ts';

/** More calls of the store than any of these creations has. */
const MOST_CALLS = 200;

/** Sealing changes none of their operations (collection.contract.ts). */
const STORES = ['memory', 'SQLite', 'Redis', 'Redis Cluster', 'PostgreSQL'];

/** Which of five places, at which a process is killed, are tried on which database. */
const SHARES = { SQLite: [0, 1], Redis: [3], 'Redis Cluster': [4], PostgreSQL: [2] };

/** Bodies that agree on some services and not on others, in the same order and in another. */
const RIVALS: [WrittenServices, WrittenServices][] = [
  [
    { one: { type: 'kms' }, two: { type: 'did-store' } },
    { one: { type: 'kms' }, two: { type: 'credential-store' } },
  ],
  [
    { one: { type: 'kms' }, two: { type: 'did-store' }, three: { type: 'wallet2' } },
    { two: { type: 'kms' }, four: { type: 'wallet2' }, one: { type: 'did-store' } },
  ],
];

describe('Several services of one call', function () {
  this.timeout(120_000);
  let tenants = 0;

  for (const name of STORES)
    describe(`on ${name}`, () => {
      let under: StoreUnderTest;
      const clock = { now: () => under.clock.time };
      before(async () => {
        under = await openStore(name);
        under.clock.time = Date.now();
      });
      after(() => under.close());

      /** New plans for one new tenant. */
      async function plansFor(...bodies: WrittenServices[]): Promise<ServicePlan[]> {
        tenants += 1;
        const tenant = `acme.tenant${tenants}`;
        await creations.make(under.store, tenant);
        return bodies.map((services) => ({ tenant, services }));
      }

      /** The types of the services of these names that exist. */
      async function typesOf({ tenant }: ServicePlan, names: Iterable<string>): Promise<Record<string, string>> {
        const types: Record<string, string> = {};
        for (const one of names) {
          const type = await creations.typeOf(under.store, `${tenant}.${one}`);
          if (type !== undefined) types[one] = type;
        }
        return types;
      }
      const wanted = ({ services }: ServicePlan) =>
        Object.fromEntries(Object.entries(services).map(([one, { type }]) => [one, type]));

      /** Calls again until no other call is in the way. */
      async function settled(plan: ServicePlan): Promise<DomainError | undefined> {
        for (;;) {
          const error = await creations.create(under.store, clock, plan).then(
            () => undefined,
            (reason: unknown) => reason,
          );
          if (error !== undefined && !(error instanceof DomainError)) throw error;
          if (error?.code !== 'Busy') return error;
          under.clock.time += LEASE_MS;
        }
      }

      /** Of two calls with different bodies one succeeds wholly, the other says what differs, and nothing else exists. */
      async function oneWins(plans: readonly ServicePlan[], outcomes: readonly (DomainError | undefined)[]) {
        const [winner] = plans.filter((_, at) => outcomes[at] === undefined) as [ServicePlan];
        const [refusal, ...others] = outcomes.filter((outcome) => outcome !== undefined);
        expect([refusal?.code, others.length], String(refusal)).to.deep.equal(['Conflict', 0]);
        expect(refusal?.details?.map(({ message }) => message)).to.include('differs from the service that exists');
        const names = new Set(plans.flatMap(({ services }) => Object.keys(services)));
        expect(await typesOf(winner, names)).to.deep.equal(wanted(winner));
      }

      for (const [at, bodies] of RIVALS.entries())
        it(`in any order of the calls of two different bodies (${at + 1}), one killed or not, one wins wholly and the other names what differs`, () => {
          const turns = fc.array(fc.boolean(), { maxLength: 80 });
          const kill = fc.option(fc.nat(60), { freq: 2 });
          return fc.assert(
            fc.asyncProperty(turns, kill, async (order, last) => {
              const plans = (await plansFor(...bodies)) as [ServicePlan, ServicePlan];
              const [one, other] = plans.map(
                (plan) => new Actor(under.store, (store) => creations.create(store, clock, plan)),
              ) as [Actor, Actor];
              let left = last ?? Number.POSITIVE_INFINITY;
              for (const isFirst of order) {
                if (!isFirst) await other.step();
                else if (left > 0) await one.step();
                left -= isFirst ? 1 : 0;
              }
              await other.run();
              if (last === null) await one.run();
              const outcomes = [];
              for (const [index, plan] of plans.entries()) {
                const outcome = [one, other][index]?.outcome;
                const isOver = outcome !== undefined && !isDomainError(outcome.error, 'Busy');
                outcomes.push(isOver ? (outcome.error as DomainError | undefined) : await settled(plan));
              }
              await oneWins(plans, outcomes);
            }),
            { numRuns: runs(name === 'memory' ? 80 : 3) },
          );
        });

      it('of many calls at once with two bodies all with one of them succeed, and the others name what differs', async () => {
        for (const bodies of RIVALS) {
          const plans = (await plansFor(...bodies)) as [ServicePlan, ServicePlan];
          const all = Array.from({ length: 8 }, (_, n) => plans[n % 2] as ServicePlan);
          await Promise.allSettled(all.map((plan) => creations.create(under.store, clock, plan)));
          await oneWins(plans, [await settled(plans[0]), await settled(plans[1])]);
        }
      });
    });

  for (const [name, share] of Object.entries(SHARES))
    describe(`of a process that is killed, on ${name}`, () => {
      let under: StoreUnderTest;
      const clock = { now: () => under.clock.time };
      before(async () => {
        under = await openStore(name);
      });
      after(() => under.close());

      /** Creates services in a process that is killed before this call of the store; returns whether it was at work. */
      async function killed(plan: ServicePlan, killAt: number): Promise<boolean> {
        const { file, execArgv } = testScript('test/support/processes/killed-creator.ts');
        const child = fork(file, { execArgv });
        child.send({ ...plan, killAt, shared: under.shared } satisfies KilledPlan);
        const exit = once(child, 'exit');
        const [isCut] = (await once(child, 'message')) as [boolean];
        expect((await exit)[1]).to.equal('SIGKILL');
        under.clock.time = Date.now();
        return isCut;
      }
      const pointsIn = (min: number, max: number): number[] => {
        const all = fc.sample(fc.integer({ min, max }), 5);
        return share.map((at) => all[at] as number);
      };
      const newTenant = async () => {
        tenants += 1;
        under.clock.time = Date.now();
        await creations.make(under.store, `acme.tenant${tenants}`);
        return `acme.tenant${tenants}`;
      };

      it('the same call again completes it at once', async () => {
        for (const point of pointsIn(2, 40)) {
          const tenant = await newTenant();
          const services: WrittenServices = {
            keys: { type: 'kms', name: 'Keys' },
            dids: { type: 'did-store', dependencies: [`${tenant}.keys`] },
            shop: { type: 'issuer2', kms: `${tenant}.keys`, dependencies: [`${tenant}.dids`] },
          };
          await killed({ tenant, services }, point);
          const made = await creations.create(under.store, clock, { tenant, services });
          expect(
            made.map(({ _id }) => _id),
            `killed before call ${point}`,
          ).to.deep.equal(['keys', 'dids', 'shop'].map((one) => `${tenant}.${one}`));
        }
      });

      it('which undoes a refused one: the same call again is refused as the first was, and what is left can be taken', async () => {
        const tenant = await newTenant();
        await creations.create(under.store, clock, { tenant, services: { last: { type: 'wallet2' } } });
        const good: WrittenServices = { one: { type: 'kms' }, two: { type: 'did-store' } };
        const services: WrittenServices = { ...good, last: { type: 'kms' } };
        let calls = 0;
        const counted = new Actor(under.store, (store) => creations.create(store, clock, { tenant, services }));
        for (; await counted.step(); calls += 1) expect(calls).to.be.below(MOST_CALLS);
        // The undo is among the last calls; those before it are tried above.
        for (const point of pointsIn(calls - 22, calls - 1)) {
          expect(await killed({ tenant, services }, point), `before call ${point} of ${calls}`).to.equal(true);
          const refusal = await creations.create(under.store, clock, { tenant, services }).then(
            () => undefined,
            (error: unknown) => error,
          );
          expect(isDomainError(refusal, 'Conflict') && refusal.details?.[0]?.message, `${point}: ${refusal}`).to.equal(
            'differs from the service that exists',
          );
          under.clock.time += LEASE_MS;
          await creations.create(under.store, clock, { tenant, services: good });
          for (const one of ['two', 'one']) await creations.remove(under.store, `${tenant}.${one}`);
        }
      });
    });
});
