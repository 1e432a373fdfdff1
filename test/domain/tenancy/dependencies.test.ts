import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { systemClock, systemIds } from '../../../adapters/system/system.ts';
import { invalidField } from '../../../domain/foundation/errors.ts';
import { ServiceConnections } from '../../../domain/tenancy/services/service-connections.ts';
import { type TenantVerifierParts, TenantVerifiers } from '../../../domain/tenancy/services/tenant-verifiers.ts';
import { dependenciesOf } from '../../../domain/tenancy/tree/resource-content.ts';
import { RESOURCE_KINDS } from '../../../domain/tenancy/tree/resource-kinds.ts';
import { ResourceRepository } from '../../../domain/tenancy/tree/resource-repository.ts';
import { ResourceTree } from '../../../domain/tenancy/tree/resource-tree.ts';
import type { Store } from '../../../ports/store.ts';
import { Actor } from '../../support/stores/stepped-store.ts';

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error) => error,
  );

describe('the verifier of a tenant', () => {
  it('is removed with its sessions also when its configuration cannot work', async () => {
    const removed: string[] = [];
    const read = async () => {
      throw invalidField(['clientMetadata'], 'must be an object');
    };
    const verifiers = new TenantVerifiers({
      services: { found: async () => ({ state: 'a 1', uid: 'a', read }) },
      sessions: { removeAll: async ({ target }: { target: string }) => removed.push(target) },
    } as unknown as TenantVerifierParts);
    expect(await errorOf(verifiers.at('acme.checks'))).to.include({ code: 'BadRequest' });
    await verifiers.removeSessions('acme.checks');
    expect(removed).to.deep.equal(['acme.checks#a']);
  });
});

describe('changes of one service at the same time', () => {
  const [USED, USER] = ['acme.used', 'acme.user'];

  /** Replaces what the service depends on, as often as another request is first. */
  async function replaceDependencies(store: Store, dependencies: string[]): Promise<void> {
    const repository = new ResourceRepository(store, systemIds);
    const tree = new ResourceTree(repository);
    const connections = new ServiceConnections(repository, tree);
    const content = { type: 'wallet2', dependencies };
    while (!(await connections.change(await tree.serviceState(USER), { content }, dependencies)));
  }

  const scenario = fc.record({
    uses: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
    turns: fc.array(fc.nat(3), { maxLength: 60, size: 'max' }),
  });

  /** Runs the changes, and the removal of what they use if wanted, in turns. */
  async function race({ uses, turns }: { uses: boolean[]; turns: number[] }, isRemoved: boolean) {
    const store = new MemoryStore(systemClock);
    const repository = new ResourceRepository(store, systemIds);
    const tree = new ResourceTree(repository);
    await tree.add(RESOURCE_KINDS.resources, 'acme', { content: { type: 'organization' } });
    for (const target of [USED, USER])
      await tree.add(RESOURCE_KINDS.resources, target, { content: { type: 'wallet2' } });
    const actors = uses.map((used) => new Actor(store, (own) => replaceDependencies(own, used ? [USED] : [])));
    if (isRemoved) actors.push(new Actor(store, (own) => removeUsed(own)));
    for (const turn of turns) await actors[turn]?.step();
    for (const actor of actors) await actor.run();
    const { resource, links } = await tree.serviceState(USER);
    expect(links.map(({ target }) => target)).to.deep.equal(dependenciesOf(resource));
    const exists = (await tree.lookUp(USED)) !== undefined;
    return { actors, links, exists, dependents: await repository.dependents(USED) };
  }

  const removeUsed = (store: Store): Promise<unknown> =>
    new ResourceTree(new ResourceRepository(store, systemIds)).remove(USED, {
      clear: async () => undefined,
      mayName: () => true,
    });

  it('all succeed in any order in which their calls of the store take turns, and the service has one result', () =>
    fc.assert(
      fc.asyncProperty(scenario, async (made) => {
        const { actors, links, dependents } = await race(made, false);
        expect(actors.map(({ outcome }) => outcome)).to.deep.equal(Array(3).fill({ isDone: true }));
        expect(dependents).to.have.length(links.length);
      }),
    ));

  it('never leave a dependency on a service that is removed meanwhile', () =>
    fc.assert(
      fc.asyncProperty(scenario, async (made) => {
        const { actors, links, exists } = await race(made, true);
        for (const { outcome } of actors) if (!outcome?.isDone) expect(outcome?.error).to.include({ code: 'Conflict' });
        if (!exists) expect(links).to.deep.equal([]);
      }),
    ));
});
