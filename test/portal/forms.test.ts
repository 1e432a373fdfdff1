import { expect } from 'chai';
import fc from 'fast-check';
import {
  added,
  type Claims,
  isFirst,
  movedUp,
  removed,
  renamed,
  withKind,
} from '../../portal/areas/types/claim-list.ts';
import { type Field, type FieldKind, fieldsOf, treeOf } from '../../portal/forms/fields.ts';
import { jsonTextOf, readJsonText } from '../../portal/forms/json-text.ts';
import { fieldFor, pointerOf, valueAt, withValue } from '../../portal/forms/pointers.ts';

const CLAIMS = [
  { path: ['name'], type: 'text', mandatory: true, label: [{ locale: 'en', name: 'Name' }] },
  { path: ['address'], type: 'object' },
  { path: ['address', 'city'], type: 'text' },
  { path: ['visits'], type: 'list', items: 'object' },
  { path: ['visits', null, 'day'], type: 'date' },
  { path: ['marks'], type: 'list', items: 'number' },
] as const;

const shown = (value: unknown): unknown[] =>
  fieldsOf(treeOf(CLAIMS), value).map(({ path, node, value: part }) => [pointerOf(path), node.kind, part]);

/** The object that fields make together. */
const made = (fields: readonly Field[]): unknown =>
  fields.reduce<unknown>((whole, { path, value }) => (value === undefined ? whole : withValue(whole, path, value)), {});

describe('the fields of a form', () => {
  it('are those of the claims in their order, with those of objects and of the elements of lists', () => {
    expect(shown({ address: { city: 'Vienna' }, visits: [{ day: '2026-01-31' }, {}], marks: [1] })).to.deep.equal([
      ['/name', 'text', undefined],
      ['/address', 'object', {}],
      ['/address/city', 'text', 'Vienna'],
      ['/visits', 'list', []],
      ['/visits/0', 'object', {}],
      ['/visits/0/day', 'date', '2026-01-31'],
      ['/visits/1', 'object', {}],
      ['/visits/1/day', 'date', undefined],
      ['/marks', 'list', []],
      ['/marks/0', 'number', 1],
    ]);
    const [name] = treeOf(CLAIMS);
    expect(name).to.deep.include({ isMandatory: true, label: [{ locale: 'en', name: 'Name' }] });
  });

  it('show a value of another kind, and a member that no claim describes, by what they are', () => {
    expect(shown({ name: 7, visits: 'none', marks: ['x'], more: { at: null, on: '2026-01-31' } })).to.deep.equal([
      ['/name', 'number', 7],
      ['/address', 'object', undefined],
      ['/visits', 'text', 'none'],
      ['/marks', 'list', []],
      ['/marks/0', 'text', 'x'],
      ['/more', 'object', {}],
      ['/more/at', 'json', null],
      ['/more/on', 'date', '2026-01-31'],
    ]);
  });

  it('of any value make that value again, with any claims', () => {
    const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'x/y~z');
    const kind = fc.constantFrom<FieldKind>('text', 'date', 'number', 'boolean', 'picture', 'list', 'object', 'json');
    const claim = fc.record({
      path: fc.array(fc.oneof(name, fc.constant(null)), { minLength: 1, maxLength: 3 }),
      type: kind,
      items: kind,
    });
    const { tree } = fc.letrec((tie) => ({
      leaf: fc.oneof(fc.string(), fc.constant('2026-01-31'), fc.integer(), fc.boolean(), fc.constant(null)),
      tree: fc.oneof({ depthSize: 'small' }, tie('leaf'), fc.array(tie('tree'), { maxLength: 3 }), tie('object')),
      object: fc.dictionary(name, tie('tree'), { maxKeys: 4 }),
    }));
    fc.assert(
      fc.property(fc.array(claim, { maxLength: 6 }), fc.dictionary(name, tree, { maxKeys: 4 }), (claims, value) => {
        // As it comes out of a text.
        const given = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(jsonTextOf(made(fieldsOf(treeOf(claims), given))))).to.deep.equal(given);
      }),
      { numRuns: 500 },
    );
  });

  it('are changed one by one: an element that is taken away closes the gap, what is around a new one is made', () => {
    const value = { list: [1, 2, 3], text: 'x' };
    expect(withValue(value, ['list', 1], undefined)).to.deep.equal({ list: [1, 3], text: 'x' });
    expect(withValue(value, ['list', 3], 4)).to.deep.equal({ list: [1, 2, 3, 4], text: 'x' });
    expect(withValue(value, ['text'], undefined)).to.deep.equal({ list: [1, 2, 3] });
    expect(withValue({}, ['a', 0, 'b'], 'c')).to.deep.equal({ a: [{ b: 'c' }] });
    expect(Object.keys(withValue(value, ['list'], []) as object)).to.deep.equal(['list', 'text']);
    expect(valueAt(value, ['constructor', 'name'])).to.equal(undefined);
    expect(value).to.deep.equal({ list: [1, 2, 3], text: 'x' });
  });

  it('are found for what a pointer of the server names, or else the field around it', () => {
    const fields = ['/claims/0', '/claims/0/path'];
    const find = (pointer: string) => fieldFor(pointer, (one) => fields.includes(one));
    expect(find('/claims/0/path/1')).to.equal('/claims/0/path');
    expect(find('/claims/0/items')).to.equal('/claims/0');
    expect(find('/formats/0')).to.equal(undefined);
  });
});

describe('a JSON text', () => {
  it('is read, or its broken place is named by line and column', () => {
    expect(readJsonText('{"a": [1]}')).to.deep.equal({ value: { a: [1] } });
    expect(readJsonText('{\n  "a": 1,\n  b\n}')).to.deep.equal({ line: 3, column: 3 });
    expect(readJsonText('[1,\n2')).to.deep.equal({ line: 2, column: 2 });
    expect(readJsonText('{\n  "a": }')).to.deep.equal({ line: 2, column: 8 });
    expect(readJsonText('')).to.deep.equal({ line: 1, column: 1 });
    expect(jsonTextOf({ a: 1 })).to.equal('{\n  "a": 1\n}');
  });

  it('is broken at a sign that no JSON has there, wherever it is put', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), (value, place) => {
        const text = jsonTextOf(value);
        const at = place % (text.length + 1);
        const before = text.slice(0, at);
        // Inside a text the sign is allowed.
        fc.pre(before.replaceAll(/\\./g, '').split('"').length % 2 === 1);
        const lines = before.split('\n');
        const found = { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
        expect(readJsonText(`${before}@${text.slice(at)}`)).to.deep.equal(found);
      }),
    );
  });
});

describe('the claims of a type', () => {
  const paths = (claims: Claims) => claims.map(({ path }) => path.map((part) => part ?? '*').join('.'));
  const start: Claims = [
    { path: ['a'], type: 'text' },
    { path: ['b'], type: 'object' },
    { path: ['b', 'x'], type: 'text' },
    { path: ['b', 'y'], type: 'text' },
    { path: ['c'], type: 'text' },
  ];

  it('are added, moved, renamed and removed with those inside them', () => {
    expect(paths(added(start))).to.deep.equal(['a', 'b', 'b.x', 'b.y', 'c', '']);
    expect(paths(added(start, 1))).to.deep.equal(['a', 'b', 'b.x', 'b.y', 'b.', 'c']);
    expect(paths(movedUp(start, 1))).to.deep.equal(['b', 'b.x', 'b.y', 'a', 'c']);
    expect(paths(movedUp(start, 4))).to.deep.equal(['a', 'c', 'b', 'b.x', 'b.y']);
    expect(paths(movedUp(start, 3))).to.deep.equal(['a', 'b', 'b.y', 'b.x', 'c']);
    expect([isFirst(start, 2), isFirst(start, 3), movedUp(start, 0)]).to.deep.equal([true, false, start]);
    expect(paths(renamed(start, 1, 'd'))).to.deep.equal(['a', 'd', 'd.x', 'd.y', 'c']);
    expect(paths(removed(start, 1))).to.deep.equal(['a', 'c']);
  });

  it('that become lists of groups keep those inside, and lose them with a kind that has none', () => {
    const list = withKind(start, 1, { type: 'list', items: 'object' });
    expect(paths(list)).to.deep.equal(['a', 'b', 'b.*.x', 'b.*.y', 'c']);
    expect(paths(added(list, 1))).to.deep.equal(['a', 'b', 'b.*.x', 'b.*.y', 'b.*.', 'c']);
    expect(list[1]).to.deep.equal({ path: ['b'], type: 'list', items: 'object' });
    expect(withKind(list, 1, { type: 'object' })).to.deep.equal(start);
    expect(paths(withKind(start, 1, { type: 'date' }))).to.deep.equal(['a', 'b', 'c']);
  });
});
