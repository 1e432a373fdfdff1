import type { Context } from 'mocha';
import { openStore, STORE_NAMES } from '../support/stores/stores.ts';
import { collectionContract } from './collection.contract.ts';

describe('Collection contract', () => {
  /** Rule → the stores for which it applies. */
  const outcomes = new Map<string, Map<string, boolean>>();

  afterEach(function (this: Context) {
    const { title, parent, state } = this.currentTest ?? {};
    const [kind = '', store = ''] = parent?.title.split(' on ') ?? [];
    const rule = `${kind}: ${title}`;
    outcomes.set(rule, (outcomes.get(rule) ?? new Map<string, boolean>()).set(store, state === 'passed'));
  });

  after(() => {
    const head = STORE_NAMES.map((name) => name.padEnd(name.length + 2)).join('');
    const rows = [...outcomes].map(([rule, stores]) => {
      const marks = STORE_NAMES.map((name) => (stores.get(name) ? '✓' : '✗').padEnd(name.length + 2)).join('');
      return `      ${marks}${rule}`;
    });
    console.log(['', `      ${head}`, ...rows].join('\n'));
  });

  for (const name of STORE_NAMES) collectionContract(name, () => openStore(name));
});
