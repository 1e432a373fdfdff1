import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import fc from 'fast-check';
import { isDomainError } from '../../domain/foundation/errors.ts';
import type { Store } from '../../ports/store.ts';
import { testScript } from '../support/processes/script.ts';
import { runs } from '../support/runs/property-runs.ts';
import { inTurn } from '../support/runs/tier.ts';
import { CONTAINERS, type Container, ORGANIZATION } from '../support/stores/containers.ts';
import { Actor } from '../support/stores/stepped-store.ts';
import { openStore } from '../support/stores/stores.ts';
import type { StoreUnderTest } from './collection.contract.ts';

/** The most calls of a store per request. */
const MOST_CALLS = 32;

/** Sealing changes none of their operations (collection.contract.ts). */
const STORES = ['memory', 'SQLite', 'Redis', 'Redis Cluster', 'PostgreSQL'];

/**
 * After how many of these calls the other request runs whole: after each in memory; first, half way or last in turn on
 * databases, whose every operation does the same (collection.contract.ts).
 */
const placesIn = (name: string, calls: number): Iterable<number> =>
  name === 'memory' ? Array(calls + 1).keys() : [[0, Math.floor(calls / 2), calls][calls % 3] as number];

/** Before which calls a process is killed: after the first look for children, up to what withdraws the removal. */
const KILLS = { SQLite: [6, 9], Redis: [7, 10], 'Redis Cluster': [8], PostgreSQL: [11] };

/** The outcomes of the requests of a run. Killed ones are neither done nor refused. */
interface Run {
  adder: Pick<Actor, 'outcome' | 'isDone'>;
  removers: Pick<Actor, 'outcome' | 'isDone'>[];
}

/** The invariants after any run, regardless of which request was killed. */
async function check(store: Store, container: Container, { adder, removers }: Run): Promise<void> {
  const [hasContainer, hasChild] = [await container.hasContainer(store), await container.hasChild(store)];
  const isRemoved = removers.some(({ isDone }) => isDone);
  for (const { outcome } of [adder, ...removers])
    if (outcome?.error) expect(isDomainError(outcome.error), String(outcome.error)).to.equal(true);
  if (adder.isDone && !container.cascades)
    expect([hasContainer, hasChild], 'an acknowledged child and its container are there').to.deep.equal([true, true]);
  if (adder.isDone && container.cascades && hasContainer && !hasChild) {
    // The child was removed by a decided removal, which can only be completed.
    const refused = await container.add(store).catch((error) => error);
    expect(isDomainError(refused, 'Conflict')).to.equal(true);
  }
  if (isRemoved) expect(hasContainer, 'a container is gone once its removal is acknowledged').to.equal(false);
  expect(removers.filter(({ isDone }) => isDone)).to.have.length.below(2);
  const isKilled = [adder, ...removers].some(({ outcome }) => outcome === undefined);
  if (!isKilled) {
    expect(hasContainer, 'no container is gone that was not removed').to.equal(!isRemoved);
    expect(hasChild, 'no child is there that was not added').to.equal(adder.isDone && hasContainer);
  }
  if (adder.outcome !== undefined && !hasContainer) expect(hasChild, 'no child outlives its container').to.equal(false);
}

/** The records of a killed process block no request: all can be removed and created again. */
async function goOn(store: Store, container: Container): Promise<void> {
  if (await container.hasContainer(store)) {
    if (await container.hasChild(store)) await container.removeChild(store);
    await container.remove(store);
  }
  expect(await container.hasContainer(store)).to.equal(false);
  await container.make(store);
  if (!(await container.hasChild(store))) await container.add(store);
  await container.removeChild(store);
  await container.remove(store);
}

for (const name of STORES)
  describe(`Removing a container while something is added to it, on ${name}`, () => {
    let under: StoreUnderTest;
    before(async () => {
      under = await openStore(name);
      under.clock.time = 1_000_000;
    });
    after(() => under.close());

    async function started(container: Container, removals = 1): Promise<Run & { adder: Actor; removers: Actor[] }> {
      await container.make(under.store);
      const removers = Array.from({ length: removals }, () => new Actor(under.store, container.remove));
      return { adder: new Actor(under.store, container.add), removers };
    }

    async function ended(container: Container, run: Run): Promise<void> {
      await check(under.store, container, run);
      await goOn(under.store, container);
    }

    // In memory all, whose orders of calls are those of each store; a database has a third of them, others the next day.
    const all = Object.entries(CONTAINERS);
    for (const [title, container] of name === 'memory' ? all : inTurn(all, STORES.indexOf(name), 3)) {
      it(`${title}: the removal is killed after any of its calls, the child was added before that`, async () => {
        for (let killed = 0, isOver = false; !isOver; killed += 1)
          for (const added of placesIn(name, killed)) {
            const run = await started(container);
            const [remover] = run.removers as [Actor];
            await remover.run(added);
            await run.adder.run();
            await remover.run(killed - added);
            isOver = remover.outcome !== undefined;
            expect(killed).to.be.below(MOST_CALLS);
            await ended(container, run);
          }
      });

      it(`${title}: the addition is killed after any of its calls, the container was removed before that`, async () => {
        for (let killed = 0, isOver = false; !isOver; killed += 1)
          for (const removed of placesIn(name, killed)) {
            const run = await started(container);
            await run.adder.run(removed);
            await run.removers[0]?.run();
            await run.adder.run(killed - removed);
            isOver = run.adder.outcome !== undefined;
            expect(killed).to.be.below(MOST_CALLS);
            await ended(container, run);
          }
      });

      it(`${title}: one addition and two removals in any order of their calls, each killed or not`, () => {
        const turns = fc.array(fc.nat(2), { maxLength: 40 });
        const kills = fc.tuple(...Array.from({ length: 3 }, () => fc.option(fc.nat(10), { freq: 3 })));
        return fc.assert(
          fc.asyncProperty(turns, kills, async (order, last) => {
            const run = await started(container, 2);
            const actors = [run.adder, ...run.removers];
            const left = last.map((calls) => calls ?? Number.POSITIVE_INFINITY);
            for (const turn of [...order, ...Array(MOST_CALLS * 3).keys()]) {
              const who = turn % 3;
              if ((left[who] ?? 0) > 0) await actors[who]?.step();
              left[who] = (left[who] ?? 0) - 1;
            }
            for (const [who, actor] of actors.entries()) if (last[who] === null) await actor.run();
            await ended(container, run);
          }),
          { numRuns: runs(name === 'memory' ? 120 : 3) },
        );
      });
    }

    it('an organization that is removed while it is created again has its administrator, or does not exist', async () => {
      for (let removed = 0, isOver = false; !isOver; removed += 1) {
        await ORGANIZATION.make(under.store);
        const remover = new Actor(under.store, ORGANIZATION.remove);
        await remover.run(removed);
        isOver = remover.outcome !== undefined;
        const maker = new Actor(under.store, ORGANIZATION.make);
        await maker.run();
        await remover.run();
        expect([remover.isDone, maker.isDone]).to.deep.equal([true, isOver]);
        expect(await ORGANIZATION.hasContainer(under.store)).to.equal(isOver);
        expect(await ORGANIZATION.hasChild(under.store)).to.equal(isOver);
      }
      await ORGANIZATION.remove(under.store);
    });
  });

for (const [name, calls] of Object.entries(KILLS))
  describe(`A process killed while it removes a service to which a key is added, on ${name}`, () => {
    const container = CONTAINERS['a service and a key'] as Container;

    it('neither the service nor the acknowledged key is lost, and the removal can be completed', async () => {
      const under = await openStore(name);
      under.clock.time = Date.now();
      const { file, execArgv } = testScript('test/support/processes/killed-remover.ts');
      const children = calls.map(() => fork(file, { execArgv }));
      for (const [index, killed] of calls.entries()) {
        const child = children[index] as ChildProcess;
        await container.make(under.store);
        child.send({ shared: under.shared, pauseAt: 6, killAt: killed });
        await once(child, 'message');
        const adder = new Actor(under.store, container.add);
        await adder.run();
        const exit = once(child, 'exit');
        child.send('go on');
        const [code, signal] = await exit;
        expect([code, signal], `killed before call ${killed}`).to.deep.equal([null, 'SIGKILL']);
        await check(under.store, container, { adder, removers: [] });
        await goOn(under.store, container);
      }
      await under.close();
    });
  });
