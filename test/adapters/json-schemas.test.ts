import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import fc from 'fast-check';
import { CallerSchemas } from '../../adapters/json/json-schemas.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';

const schemas = new CallerSchemas();

/** Keywords of other drafts and of Ajv itself that it takes up when options or vocabularies say so. */
const FOREIGN_TO_DRAFT_7 = [
  ...[
    '$async',
    '$data',
    '$anchor',
    '$vocabulary',
    '$recursiveRef',
    '$recursiveAnchor',
    '$dynamicRef',
    '$dynamicAnchor',
  ],
  ...[
    'nullable',
    'discriminator',
    'dependentRequired',
    'dependentSchemas',
    'unevaluatedProperties',
    'unevaluatedItems',
  ],
  ...['prefixItems', 'minContains', 'maxContains', 'elements', 'optionalProperties', 'values', 'mapping', 'ref', 'jtd'],
  ...['formatMinimum', 'formatMaximum', 'formatExclusiveMinimum', 'formatExclusiveMaximum', 'instanceof', 'typeof'],
];

async function refusal(schema: unknown): Promise<string> {
  try {
    await schemas.compile(schema);
  } catch (error) {
    if (!isDomainError(error, 'BadRequest')) throw error;
    return error.message;
  }
  return 'accepted';
}

const isValid = async (schema: unknown, value: unknown): Promise<boolean> =>
  (await schemas.compile(schema))(value).length === 0;

describe('JSON schemas of callers', () => {
  it('check as draft-07 says', async () => {
    expect(
      await isValid({ type: 'object', required: ['a'], properties: { a: { type: 'integer' } } }, { a: 1 }),
    ).to.equal(true);
    expect(await isValid({ required: ['a'] }, {})).to.equal(false);
    expect(await isValid({ format: 'date-time' }, 'soon')).to.equal(false);
    expect(await isValid({ $ref: '#/definitions/a', definitions: { a: { type: 'number' } } }, 'x')).to.equal(false);
    expect(await isValid({ if: { type: 'string' }, else: false }, 1)).to.equal(false);
    expect(
      await isValid({ $schema: 'http://json-schema.org/draft-07/schema#', $id: 'urn:x', type: 'string' }, 'x'),
    ).to.equal(true);
    expect(await isValid({ $id: 'urn:x', type: 'number' }, 'x')).to.equal(false);
    expect([await isValid(true, 1), await isValid(false, 1)]).to.deep.equal([true, false]);
  });

  it('violations say where and why', async () => {
    const check = await schemas.compile({ properties: { a: { type: 'integer' } } });
    expect(check({ a: 'x' })).to.deep.equal([
      { path: '/a', schemaPath: '#/properties/a/type', message: 'must be integer' },
    ]);
  });

  it('inherited names are never members', async () => {
    for (const name of ['toString', 'constructor', 'hasOwnProperty'])
      expect(await isValid({ required: [name] }, {}), name).to.equal(false);
  });

  it('items are unique exactly when no two are equal as JSON values', async () => {
    const check = await schemas.compile({ uniqueItems: true });
    const equal = (a: unknown, b: unknown): boolean => {
      try {
        expect(a).to.deep.equal(b);
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 6 }), (values) => {
        const items = JSON.parse(JSON.stringify(values));
        const hasPair = items.some((a: unknown, i: number) => items.slice(i + 1).some((b: unknown) => equal(a, b)));
        expect(check(items).length === 0).to.equal(!hasPair);
      }),
    );
    expect(
      check([
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
    ).to.have.length(1);
  });

  it('what is not a schema, not of this draft, remote, recursive or too large is refused', async () => {
    const wide = { properties: Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`p${i}`, {}])) };
    const bomb: Record<string, unknown> = { a0: { type: 'string' } };
    for (let i = 1; i < 40; i += 1)
      bomb[`a${i}`] = { allOf: [{ $ref: `#/definitions/a${i - 1}` }, { $ref: `#/definitions/a${i - 1}` }] };
    const cases: [unknown, RegExp][] = [
      [7, /not a schema/],
      [null, /not a schema/],
      [{ type: 'nonsense' }, /is not valid/],
      [{ properties: { a: 'x' } }, /not a schema/],
      [{ $schema: 'https://json-schema.org/draft/2020-12/schema' }, /draft-07/],
      [{ $ref: 'https://x.example/schema.json' }, /own parts/],
      [{ $ref: '#/definitions/none' }, /has no part/],
      [{ $ref: '#/constructor' }, /has no part/],
      [{ $ref: '#' }, /recursive/],
      [{ properties: { a: { $ref: '#' } } }, /recursive/],
      [{ properties: { a: { $id: 'urn:y' } } }, /\$id/],
      [wide, /at most 250/],
      [{ definitions: bomb, $ref: '#/definitions/a39' }, /too large/],
      [{ enum: ['x'.repeat(70_000)] }, /65536/],
    ];
    for (const [schema, reason] of cases)
      expect(await refusal(schema), JSON.stringify(schema).slice(0, 60)).to.match(reason);
  });

  it('those that mean something to the validator alone are refused or mean nothing', async () => {
    const places: ((schema: object) => object)[] = [
      (schema) => schema,
      (schema) => ({ properties: { a: schema } }),
      (schema) => ({ not: { items: [schema] } }),
      (schema) => ({ definitions: { a: schema } }),
      (schema) => ({ other: { a: schema }, $ref: '#/other/a' }),
      (schema) => ({ if: false, else: { dependencies: { a: schema } } }),
    ];
    for (const own of [
      { $async: true },
      { $async: false },
      { $data: '1/a' },
      { nullable: true },
      { discriminator: {} },
    ])
      for (const place of places)
        expect(await refusal(place({ type: 'string', ...own })), JSON.stringify(place(own))).to.match(/may not hold/);
  });

  it('every keyword that the validator knows is one of draft-07, refused, or changes nothing', async () => {
    const draft7 = new Set(
      Object.keys(
        (await import('ajv/dist/refs/json-schema-draft-07.json', { with: { type: 'json' } })).default.properties,
      ),
    );
    const known = new Set([...Object.keys(new Ajv().RULES.keywords), ...FOREIGN_TO_DRAFT_7]);
    const values = [true, false, {}, [], 'a', 0, { $data: '1/a' }];
    const kinds = [null, 1, 'a', true, [1, 1], { a: 1 }];
    for (const keyword of known)
      for (const given of values) {
        if (draft7.has(keyword)) continue;
        const schema = { type: ['string', 'array'], [keyword]: given };
        if ((await refusal(schema)) !== 'accepted') continue;
        const check = await schemas.compile(schema);
        expect(
          kinds.map((value) => check(value).length === 0),
          JSON.stringify(schema),
        ).to.deep.equal([false, false, true, false, true, false]);
      }
  });

  it('data references compare as the objects they are', async () => {
    const reference = { $data: '1/b' };
    expect(await isValid({ properties: { a: { const: reference } } }, { a: 1, b: 1 })).to.equal(false);
    expect(await isValid({ properties: { a: { enum: [reference] } } }, { a: reference })).to.equal(true);
    expect(await refusal({ properties: { a: { minimum: reference } } })).to.match(/is not valid/);
  });

  it('what one caller names is unknown to the next', async () => {
    const id = 'urn:example:one';
    const naming = (type: string) => ({ other: { $id: id, type }, type });
    expect(await isValid(naming('string'), 'x')).to.equal(true);
    expect(await isValid(naming('number'), 'x')).to.equal(false);
  });

  it('take no more memory however many are compiled', async function () {
    this.timeout(60_000);
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const fresh = new CallerSchemas();
    const compile = async (count: number, label: string): Promise<number> => {
      for (let at = 0; at < count; at += 1)
        await fresh.compile({ properties: { [`${label}${at}`]: { description: 'x'.repeat(60_000) } } });
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = await compile(200, 'a');
    expect((await compile(800, 'b')) - before).to.be.below(24 * 1024 * 1024);
  });

  it('a value too large for its schema is a violation, found at once', async () => {
    const check = await schemas.compile({ items: { allOf: Array.from({ length: 100 }, () => ({ required: ['a'] })) } });
    const started = performance.now();
    expect(check(Array.from({ length: 100_000 }, () => ({})))[0]?.message).to.match(/too large/);
    expect(performance.now() - started).to.be.below(500);
  });
});

describe('patterns of callers', () => {
  const withPattern = (pattern: string) => ({ type: 'string', pattern });

  it('ordinary ones are accepted and mean what they always mean', async () => {
    const cases: [string, string, boolean][] = [
      ['UniversityDegree', 'MyUniversityDegreeCredential', true],
      ['^A$', 'AB', false],
      ['.*', '', true],
      ['.*Degree.*', 'UniversityDegreeCredential', true],
      ['.*Degree', 'Other', false],
      ['Degree\\.*', 'Degree', true],
      ['^(A|B)$', 'B', true],
      ['^[A-Z][a-z]+$', 'Abc', true],
      ['^did:[a-z]+:[A-Za-z0-9]+$', 'did:key:z6Mk', true],
      ['^\\d{4}-\\d{2}-\\d{2}$', '2026-01-01', true],
      ['^[\\w-.]+$', 'a.b-c', true],
    ];
    for (const [pattern, text, expected] of cases)
      expect(await isValid(withPattern(pattern), text), pattern).to.equal(expected);
  });

  it('those that explode, wherever they stand, are refused', async () => {
    const evil = [
      '(a+)+$',
      '(a|a)*b',
      '(a|aa)+$',
      '^(\\w+\\s?)*$',
      '(.*)*x',
      '(x+x+)+y',
      '^(a?){30}a{30}$',
      '(?=(a+)+b)',
      'a.*b.*c.*d',
    ];
    for (const pattern of evil)
      expect(await refusal(withPattern(pattern)), pattern).to.match(/very long|could not be shown/);
    expect(await refusal({ patternProperties: { '(a+)+$': {} } })).to.match(/very long/);
    expect(await refusal({ not: { items: [withPattern('(a+)+$')] } })).to.match(/very long/);
    expect(await refusal(withPattern('('))).to.match(/not a valid regular expression/);
    expect(await refusal(withPattern('a?b'.repeat(100)))).to.match(/could not be shown/);
  }).timeout(60_000);

  it('no accepted pattern takes long on any text', async () => {
    const atoms = fc.constantFrom('a', '.', '[ab]', '\\d', '(a|b)', '(ab)', 'b');
    const repeated = fc
      .tuple(atoms, fc.constantFrom('', '', '*', '+', '?', '{2,5}'))
      .map(([atom, sign]) => atom + sign);
    const body = fc.array(repeated, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
    const patterns = fc.tuple(fc.constantFrom('', '^'), body, fc.constantFrom('', '$')).map((parts) => parts.join(''));
    const texts = [
      'a'.repeat(20_000),
      'ab'.repeat(10_000),
      `${'a'.repeat(20_000)}!`,
      `${'b'.repeat(9999)}\n${'a'.repeat(9999)}`,
    ];
    await fc.assert(
      fc.asyncProperty(patterns, async (pattern) => {
        if ((await refusal(withPattern(pattern))) !== 'accepted') return;
        const check = await schemas.compile(withPattern(pattern));
        const started = performance.now();
        for (const text of texts) check(text);
        expect(performance.now() - started, pattern).to.be.below(250);
      }),
      { numRuns: 40 },
    );
  }).timeout(120_000);

  it('are judged beside the event loop', async () => {
    await refusal(withPattern('(warm+)+$'));
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    await Promise.all(
      ['(.*)=\\1\\1', '^(b|a){1,50}c{2,1000}$', '(z+z+)+y'].map((pattern) => refusal(withPattern(pattern))),
    );
    delay.disable();
    expect(delay.max / 1e6).to.be.below(150);
  });
});
