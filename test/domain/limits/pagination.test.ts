import { expect } from 'chai';
import fc from 'fast-check';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { jsonPointer } from '../../../domain/foundation/field-paths.ts';
import { type Page, readPage } from '../../../domain/limits/pagination.ts';

const LIMITS = { defaultLimit: 100, maxLimit: 1000 };
const sortable = { ...LIMITS, sortable: true };
const unsortable = { ...LIMITS, sortable: false };

type Told = Page | Record<string, string>;

function read(query: Parameters<typeof readPage>[0], rules: Parameters<typeof readPage>[1] = sortable): Told {
  try {
    return readPage(query, rules);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'BadRequest') throw error;
    return Object.fromEntries((error.details ?? []).map(({ path, message }) => [jsonPointer(path), message]));
  }
}

/** Numerals, things that look like them, and anything. */
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^[-+0-9. ex_]{0,20}$/),
  fc.bigInt({ min: -5n, max: 2n ** 60n }).map(String),
  fc.integer({ min: -3, max: 1003 }).map(String),
);
const GRAMMAR = /^(0|[1-9][0-9]{0,15})$/;
const inGrammar = (text: string): boolean => GRAMMAR.test(text) && BigInt(text) <= 2n ** 53n - 1n;

describe('readPage', () => {
  it('starts at the first element with the default limit, in the order of ids', () => {
    expect(readPage({}, sortable)).to.deep.equal({ limit: 100, offset: 0, order: 'id' });
  });

  it('accepts as limit exactly the texts of the grammar from 1 to maxLimit', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 2000 }), (limit, maxLimit) => {
        const told = read({ limit }, { defaultLimit: 1, maxLimit, sortable: true });
        const right = inGrammar(limit) && BigInt(limit) >= 1n && BigInt(limit) <= BigInt(maxLimit);
        expect('/limit' in told).to.equal(!right);
        if (right) expect(told).to.have.property('limit', Number(limit));
      }),
      { numRuns: 3000 },
    );
  });

  it('accepts as offset exactly the texts of the grammar that are safe integers', () => {
    fc.assert(
      fc.property(texts, (offset) => {
        const told = read({ offset });
        expect('/offset' in told).to.equal(!inGrammar(offset));
        if (inGrammar(offset)) expect(told).to.have.property('offset', Number(offset));
      }),
      { numRuns: 3000 },
    );
  });

  it('accepts as sort exactly six values, and none on a list that cannot be sorted', () => {
    const orders: Record<string, string> = {
      createdDateTime: 'created-',
      'createdDateTime-': 'created-',
      'createdDateTime+': 'created+',
      updatedDateTime: 'updated-',
      'updatedDateTime-': 'updated-',
      'updatedDateTime+': 'updated+',
    };
    fc.assert(
      fc.property(fc.oneof(texts, fc.constantFrom(...Object.keys(orders), 'toString', '__proto__')), (sort) => {
        expect('/sort' in read({ sort }, unsortable)).to.equal(true);
        const order = Object.hasOwn(orders, sort) ? orders[sort] : undefined;
        expect('/sort' in read({ sort })).to.equal(order === undefined);
        if (order) expect(read({ sort })).to.have.property('order', order);
      }),
    );
  });

  it('says how to write a plus that arrived as a space', () => {
    expect((read({ sort: 'createdDateTime ' }) as Record<string, string>)['/sort']).to.contain('%2B');
  });

  it('names every wrong parameter at once', () => {
    const told = read({ limit: '0', offset: '1,1', sort: 'name' });
    expect(Object.keys(told)).to.have.members(['/limit', '/offset', '/sort']);
  });
});
