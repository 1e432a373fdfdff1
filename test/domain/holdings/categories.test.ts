import { expect } from 'chai';
import fc from 'fast-check';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { systemClock, systemTurns } from '../../../adapters/system/system.ts';
import { isDomainError } from '../../../domain/foundation/errors.ts';
import { Categories } from '../../../domain/holdings/categories.ts';
import { MAX_CATEGORIES } from '../../../domain/holdings/category-list.ts';
import { Credentials } from '../../../domain/holdings/credentials.ts';
import { WalletStores } from '../../../domain/holdings/places/wallet-stores.ts';
import { WALLET_CREDENTIALS } from '../../../domain/holdings/records.ts';
import { testFormats } from '../../support/credentials/formats.ts';
import { silentActivity } from '../../support/servers/silent-activity.ts';

const NAMES = ['a', 'b', 'c', 'A', '__proto__', 'ü'];
const CREDENTIALS = ['one', 'two', 'three'];
const WALLET = 'wallet';

/** A step by name with what it needs; the model and the wallet take the same ones. */
type Step = CategoryStep | CredentialStep;
type CategoryStep = { do: 'add' | 'remove'; name: string } | { do: 'rename'; name: string; to: string };
type CredentialStep = { do: 'put' | 'take'; credential: string; names: string[] };

const isOfCredential = (step: Step): step is CredentialStep => 'names' in step;

const name = fc.constantFrom(...NAMES);
const names = fc.array(name, { minLength: 1, maxLength: 3 });
const credential = fc.constantFrom(...CREDENTIALS);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('add' as const, 'remove' as const), name }),
  fc.record({ do: fc.constant('rename' as const), name, to: name }),
  fc.record({ do: fc.constantFrom('put' as const, 'take' as const), credential, names }),
);

/** Categories as a list of names, and a set of names for each credential. */
class Model {
  categories: string[] = [];
  members = new Map(CREDENTIALS.map((id): [string, Set<string>] => [id, new Set()]));

  run(step: Step): string {
    if (isOfCredential(step)) {
      if (!step.names.every((one) => this.categories.includes(one))) return 'BadRequest';
      const set = this.members.get(step.credential);
      for (const one of step.names) step.do === 'put' ? set?.add(one) : set?.delete(one);
      return 'done';
    }
    const isKnown = this.categories.includes(step.name);
    if (step.do === 'add') {
      if (isKnown) return 'Conflict';
      this.categories.push(step.name);
      return 'done';
    }
    if (!isKnown) return 'NotFound';
    if (step.do === 'remove') {
      this.categories = this.categories.filter((one) => one !== step.name);
      for (const set of this.members.values()) set.delete(step.name);
      return 'done';
    }
    if (step.do !== 'rename') return 'done';
    if (step.to !== step.name && this.categories.includes(step.to)) return 'Conflict';
    this.categories = this.categories.map((one) => (one === step.name ? step.to : one));
    for (const set of this.members.values()) if (set.delete(step.name)) set.add(step.to);
    return 'done';
  }
}

async function openWallet() {
  const store = new MemoryStore(systemClock);
  const stores = new WalletStores({ store, clock: systemClock });
  const categories = new Categories({ store, stores });
  const credentials = new Credentials({
    store,
    stores,
    formats: testFormats,
    clock: systemClock,
    turns: systemTurns,
    activity: silentActivity,
  });
  for (const id of CREDENTIALS)
    await store.collection(WALLET_CREDENTIALS).insert({
      id,
      parent: WALLET,
      value: { format: 'unknown', document: id, holder: 'did:key:z', pending: false },
    });
  const run = async (step: Step): Promise<string> => {
    try {
      if (isOfCredential(step))
        await credentials.categorise(WALLET, step.credential, {
          [step.do === 'put' ? 'add' : 'remove']: step.names,
        });
      else if ('to' in step) await categories.rename(WALLET, { from: step.name, to: step.to });
      else if (step.do === 'add') await categories.add(WALLET, step.name);
      else await categories.remove(WALLET, step.name);
      return 'done';
    } catch (error) {
      if (!isDomainError(error)) throw error;
      return error.code;
    }
  };
  return { store, categories, credentials, run };
}

const FILTER = { showDeleted: false, showPending: false, descending: false };

describe('the categories of a wallet', () => {
  it('after any steps, the answers, the categories and those of each credential are those of sets of names', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const model = new Model();
        const { categories, credentials, run } = await openWallet();
        for (const one of steps) expect(await run(one)).to.equal(model.run(one));
        const list = await categories.list(WALLET);
        expect(list.categories.map((category) => category.name)).to.deep.equal(model.categories);
        for (const { id, categories: shown } of await credentials.list(WALLET, FILTER))
          expect(new Set(shown), id).to.deep.equal(model.members.get(id));
        for (const wanted of NAMES) {
          const found = await credentials.list(WALLET, { ...FILTER, categories: [wanted] });
          const expected = CREDENTIALS.filter((id) => model.members.get(id)?.has(wanted));
          expect(found.map(({ id }) => id)).to.deep.equal(expected);
        }
      }),
      { numRuns: 200 },
    ));

  it('of concurrent additions of one name exactly one succeeds, and all of different names', async () => {
    const { categories, run } = await openWallet();
    const same = await Promise.all(Array.from({ length: 20 }, () => run({ do: 'add', name: 'x' })));
    expect(same.filter((answer) => answer === 'done')).to.have.length(1);
    expect(new Set(same)).to.deep.equal(new Set(['done', 'Conflict']));
    await Promise.all(NAMES.map((one) => run({ do: 'add', name: one })));
    expect((await categories.list(WALLET)).categories).to.have.length(1 + NAMES.length);
  });

  it(`a wallet has at most ${MAX_CATEGORIES}, also when they are added at once; a deleted one makes room`, async () => {
    const { categories, run } = await openWallet();
    const names = Array.from({ length: MAX_CATEGORIES + 5 }, (_, index) => `n${index}`);
    const answers = await Promise.all(names.map((one) => run({ do: 'add', name: one })));
    expect(answers.filter((answer) => answer === 'done')).to.have.length(MAX_CATEGORIES);
    expect(answers.filter((answer) => answer === 'BadRequest')).to.have.length(5);
    const [first] = (await categories.list(WALLET)).categories;
    await categories.remove(WALLET, first?.name ?? '');
    expect(await run({ do: 'add', name: 'one more' })).to.equal('done');
  });

  it('a credential that a failure left in a deleted category does not get into a new one of the same name', async () => {
    const { categories, credentials, store, run } = await openWallet();
    await run({ do: 'add', name: 'x' });
    await run({ do: 'put', credential: 'one', names: ['x'] });
    const records = store.collection(WALLET_CREDENTIALS);
    const before = await records.get({ id: 'one', parent: WALLET });
    await categories.remove(WALLET, 'x');
    const after = await records.get({ id: 'one', parent: WALLET });
    if (!before || !after) throw new Error('The credential is gone');
    await records.replace({ id: 'one', parent: WALLET, value: before.value }, after.revision);
    await run({ do: 'add', name: 'x' });
    expect((await credentials.get(WALLET, 'one')).categories).to.deep.equal([]);
  });

  it('end with the wallet', async () => {
    const { categories, credentials, run } = await openWallet();
    await run({ do: 'add', name: 'x' });
    await credentials.removeAll(WALLET);
    expect((await categories.list(WALLET)).categories).to.deep.equal([]);
  });
});
