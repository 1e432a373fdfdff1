/** A body with one defect and the field that the error must name. */
export interface Mutation {
  name: string;
  /** JSON Pointer below the body. */
  path: string;
  text: string;
}

type Json = unknown;

/** Each field has one of each kind, in turn: what reads them is the same code, or a schema. */
const WRONG_TYPES: [name: string, value: Json][][] = [
  [['nothing', null]],
  [
    ['list', []],
    ['object', {}],
  ],
  [
    ['number', 42],
    ['text', 'x'],
    ['yes', true],
  ],
];
const OVERSIZED = 'x'.repeat(20_000);
const DEEPEST = 4;

/** Every single-field defect of a valid body: missing, mistyped, oversized, unknown, hostile names. */
export function* mutate(body: Json): Generator<Mutation> {
  const widened = new Set<string>();
  for (const [turn, { path, parent, name }] of [...fields(body)].entries()) {
    const changed = (change: (holder: Record<string, Json>) => void): string => {
      const copy = structuredClone(body);
      change(reach(copy, parent));
      return JSON.stringify(copy);
    };
    yield { name: 'missing', path, text: changed((holder) => delete holder[name]) };
    for (const [kind, value] of WRONG_TYPES.flatMap((kinds) => [kinds[turn % kinds.length] ?? []])) {
      yield { name: `is a ${kind}`, path, text: changed((holder) => Object.assign(holder, { [name]: value })) };
    }
    yield { name: 'is oversized', path, text: changed((holder) => Object.assign(holder, { [name]: OVERSIZED })) };
    if (widened.has(parent)) continue;
    widened.add(parent);
    yield {
      name: 'has an unknown sibling',
      path: `${parent}/surprise`,
      text: changed((holder) => Object.assign(holder, { surprise: 1 })),
    };
  }
  const text = JSON.stringify(body);
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    if (text.startsWith('{'))
      yield { name: `has a member ${name}`, path: `/${name}`, text: `{"${name}":{"x":1},${text.slice(1)}` };
  }
}

interface Field {
  path: string;
  parent: string;
  name: string;
}

function* fields(value: Json, parent = '', depth = 0): Generator<Field> {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth >= DEEPEST) return;
  for (const [name, inner] of Object.entries(value)) {
    const path = `${parent}/${name}`;
    yield { path, parent, name };
    yield* fields(inner, path, depth + 1);
  }
}

function reach(body: Json, parent: string): Record<string, Json> {
  return parent
    .split('/')
    .slice(1)
    .reduce((holder, name) => (holder as Record<string, Json>)[name], body) as Record<string, Json>;
}

/** Texts that are not JSON bodies. */
export const BROKEN_JSON: Record<string, string> = {
  'no JSON': '{"a"',
  'a bare word': 'undefined',
  'a duplicate member': '{"a":1,"a":2}',
  'deep nesting': `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
};

/** JSON that is no object. */
export const BARE_JSON: Record<string, string> = {
  'a bare number': '1',
  'a bare string': '"x y"',
  'a lone surrogate': '"\\ud800"',
  nothing: 'null',
};

/** Every kind of invalid bearer token. */
export const BROKEN_TOKENS: string[] = [
  'x',
  'a.b.c',
  'e30.e30.',
  'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.AAAA',
  `${'a'.repeat(6000)}`,
];
