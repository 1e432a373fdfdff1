import { expect } from 'chai';
import fc from 'fast-check';
import { invalidField } from '../../domain/foundation/errors.ts';
import { DependencyRules } from '../../domain/tenancy/dependencies.ts';
import type { ResourceTree } from '../../domain/tenancy/resource-tree.ts';
import { type TenantVerifierParts, TenantVerifiers } from '../../domain/tenancy/services/tenant-verifiers.ts';

/** The rules over services of these dependencies. */
const rulesOver = (dependenciesOf: (target: string) => string[]): DependencyRules =>
  new DependencyRules({
    lookUp: async (target: string) => ({ type: 'wallet', dependencies: dependenciesOf(target) }),
  } as unknown as ResourceTree);

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error) => error,
  );

describe('services that depend on each other', () => {
  it('are a circle exactly when a service is reached from what it depends on', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 20 }), async (arrows) => {
        const below = (one: string) => arrows.filter(([from]) => `s${from}` === one).map(([, to]) => `s${to}`);
        const reached = new Set(below('s0'));
        for (const one of reached) for (const next of below(one)) reached.add(next);
        expect(await rulesOver(below).isCyclic('s0', below('s0'))).to.equal(reached.has('s0'));
      }),
    ));

  it('are refused when one reaches more than a thousand others', async () => {
    const chain = (length: number) =>
      rulesOver((target) => (Number(target) < length ? [String(Number(target) + 1)] : []));
    expect(await chain(1000).isCyclic('x', ['1'])).to.equal(false);
    expect(await errorOf(chain(1001).isCyclic('x', ['1']))).to.include({ code: 'Conflict' });
  });
});

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
    expect(removed).to.deep.equal(['acme.checks~a']);
  });
});
