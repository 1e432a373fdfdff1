import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import fc from 'fast-check';
import { CallerSchemas } from '../../adapters/json/json-schemas.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';
import { cpuMs, longestHold } from '../support/runs/cpu.ts';

const schemas = new CallerSchemas();

const DRAFT_2020 = { $schema: 'https://json-schema.org/draft/2020-12/schema' };

/** Keywords of other drafts and of Ajv that options or vocabularies enable. */
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
  it('validate as draft-07 specifies', async () => {
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

  it('violations have a path and a message', async () => {
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

  it('validate as 2020-12 specifies, when they name it', async () => {
    const cases: [schema: object, valid: unknown, invalid: unknown][] = [
      [{ prefixItems: [{ type: 'string' }], items: { type: 'number' } }, ['a', 1], ['a', 'b']],
      [{ dependentRequired: { a: ['b'] } }, { a: 1, b: 1 }, { a: 1 }],
      [{ dependentSchemas: { a: { required: ['b'] } } }, { c: 1 }, { a: 1 }],
      [{ properties: { a: true }, unevaluatedProperties: false }, { a: 1 }, { a: 1, b: 1 }],
      [{ allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, { a: 1 }, { b: 1 }],
      [{ contains: { const: 1 }, minContains: 2, maxContains: 2 }, [1, 1, 2], [1, 2]],
      [{ $ref: '#/$defs/a', $defs: { a: { pattern: '^a' } } }, 'ab', 'ba'],
      [{ uniqueItems: true }, [{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 1 }]],
    ];
    for (const [schema, valid, invalid] of cases) {
      const named = { ...DRAFT_2020, ...schema };
      expect([await isValid(named, valid), await isValid(named, invalid)], JSON.stringify(schema)).to.deep.equal([
        true,
        false,
      ]);
    }
    expect(await isValid({ prefixItems: [{ type: 'string' }] }, [1]), 'is no keyword of draft-07').to.equal(true);
  });

  it('values that are not schemas, of another draft, remote, recursive or too large are refused', async () => {
    const wide = { properties: Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`p${i}`, {}])) };
    const bomb: Record<string, unknown> = { a0: { type: 'string' } };
    for (let i = 1; i < 40; i += 1)
      bomb[`a${i}`] = { allOf: [{ $ref: `#/definitions/a${i - 1}` }, { $ref: `#/definitions/a${i - 1}` }] };
    const cases: [unknown, RegExp][] = [
      [7, /not a schema/],
      [null, /not a schema/],
      [{ type: 'nonsense' }, /is not valid/],
      [{ properties: { a: 'x' } }, /not a schema/],
      [{ $schema: 'https://json-schema.org/draft/2019-09/schema' }, /draft-07 or 2020-12/],
      [{ ...DRAFT_2020, $dynamicRef: '#a' }, /may not hold/],
      [{ ...DRAFT_2020, $ref: '#a', $defs: { a: { $anchor: 'a' } } }, /own parts/],
      [{ ...DRAFT_2020, items: [{}] }, /is not valid/],
      [{ ...DRAFT_2020, prefixItems: [{ $ref: '#' }] }, /recursive/],
      [{ ...DRAFT_2020, dependentSchemas: { a: { $ref: 'https://x.example/s' } } }, /own parts/],
      [{ ...DRAFT_2020, unevaluatedProperties: { $async: true } }, /may not hold/],
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

  it('keywords of the validator alone are refused or ignored', async () => {
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

  it('every keyword of the validator is one of draft-07, refused or ignored', async () => {
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

  it('data references are compared as plain objects', async () => {
    const reference = { $data: '1/b' };
    expect(await isValid({ properties: { a: { const: reference } } }, { a: 1, b: 1 })).to.equal(false);
    expect(await isValid({ properties: { a: { enum: [reference] } } }, { a: reference })).to.equal(true);
    expect(await refusal({ properties: { a: { minimum: reference } } })).to.match(/is not valid/);
  });

  it('an id of one caller is unknown to the next', async () => {
    const id = 'urn:example:one';
    const naming = (type: string) => ({ other: { $id: id, type }, type });
    expect(await isValid(naming('string'), 'x')).to.equal(true);
    expect(await isValid(naming('number'), 'x')).to.equal(false);
  });

  it('use bounded memory, regardless of the number of compiled schemas', async () => {
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

  it('a value that is too large for its schema is a violation, found at once', async () => {
    const check = await schemas.compile({ items: { allOf: Array.from({ length: 100 }, () => ({ required: ['a'] })) } });
    const values = Array.from({ length: 100_000 }, () => ({}));
    expect(await cpuMs(() => expect(check(values)[0]?.message).to.match(/too large/))).to.be.below(1000);
  });
});

describe('patterns of callers', () => {
  const withPattern = (pattern: string) => ({ type: 'string', pattern });

  it('ordinary patterns are accepted with their usual meaning', async () => {
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

  const EXPLOSIVE = [
    '(a+)+$',
    '(a|a)*b',
    '(a|aa)+$',
    '^(\\w+\\s?)*$',
    '(.*)*x',
    '(x+x+)+y',
    '^(a?){30}a{30}$',
    'a.*b.*c.*d',
    '(a|b)*a(a|b){50}c',
    'a?b'.repeat(100),
  ];

  /** Texts on which backtracking is slow: many repetitions and an end that does not match. */
  const LONG = [
    'a'.repeat(20_000),
    'ab'.repeat(10_000),
    `${'a'.repeat(20_000)}!`,
    `${'x'.repeat(20_000)}!`,
    `${'b'.repeat(9999)}\n${'a'.repeat(9999)}`,
  ];

  /** In processor time. */
  async function slowestMs(check: (value: unknown) => unknown, values: unknown[]): Promise<number> {
    let worst = 0;
    for (const value of values) worst = Math.max(worst, await cpuMs(() => check(value)));
    return worst;
  }

  it('patterns that are exponential with backtracking take linear time, in any position', async () => {
    for (const pattern of EXPLOSIVE) {
      const places = [withPattern(pattern), { not: { items: [withPattern(pattern)] } }];
      for (const schema of places) {
        const check = await schemas.compile(schema);
        expect(await slowestMs(check, schema === places[0] ? LONG : LONG.map((text) => [text])), pattern).to.be.below(
          500,
        );
      }
      const members = { patternProperties: { [pattern]: {} }, properties: { [LONG[2] ?? '']: {} } };
      expect(await cpuMs(() => schemas.compile(members)), 'compilation').to.be.below(500);
      const check = await schemas.compile(members);
      expect(await slowestMs(check, [Object.fromEntries(LONG.map((text) => [text, 1]))]), pattern).to.be.below(1000);
    }
    expect(await isValid(withPattern('(a+)+$'), `${'a'.repeat(60)}!`)).to.equal(false);
    expect(await isValid(withPattern('^(a?){30}a{30}$'), 'a'.repeat(45))).to.equal(true);
    expect(await isValid({ patternProperties: { '^(a|aa)+$': false } }, { ['a'.repeat(100)]: 1 })).to.equal(false);
  });

  it('constructs that cannot run in linear time are refused, and the message names them', async () => {
    const cases: [string, RegExp][] = [
      ['(?=(a+)+b)', /uses a look-around, which is not supported/],
      ['(a)\\1', /uses a back-reference, which is not supported/],
      ['(', /is not a valid regular expression/],
      ['x'.repeat(1101), /has more than 1100 characters/],
      ['(?:a{50}){51}', /is too large/],
      ['(?:a{40}){30}', /is too large/],
    ];
    for (const [pattern, reason] of cases) {
      expect(await refusal(withPattern(pattern)), pattern).to.match(reason);
      expect(await refusal({ patternProperties: { [pattern]: {} } }), pattern).to.match(reason);
      expect(await refusal({ not: { items: [withPattern(pattern)] } }), pattern).to.match(reason);
    }
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`^a{${900 + at}}$`, {}]));
    expect(await refusal({ patternProperties: many })).to.match(/too many or too large patterns/);
  });

  it('every pattern is accepted at once, also for many concurrent callers', async () => {
    const patterns = Array.from({ length: 200 }, (_, at) => `^(a|b){1,${at + 1}}(c+d?)*${at}$`);
    const answers = await Promise.all(patterns.map((pattern) => refusal(withPattern(pattern))));
    expect(new Set(answers)).to.deep.equal(new Set(['accepted']));
  });

  it('property: no accepted pattern is slow on any text', async () => {
    const atoms = fc.constantFrom('a', '.', '[ab]', '\\d', '(a|b)', '(ab)', 'b', '(a*)*', '(a|ab|b)+');
    const repeated = fc
      .tuple(atoms, fc.constantFrom('', '', '*', '+', '?', '{2,5}', '{10}'))
      .map(([atom, sign]) => (sign && /[*+]$/.test(atom) ? `(${atom})${sign}` : atom + sign));
    const body = fc.array(repeated, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
    const patterns = fc.tuple(fc.constantFrom('', '^'), body, fc.constantFrom('', '$')).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(patterns, async (pattern) => {
        expect(await refusal(withPattern(pattern)), pattern).to.equal('accepted');
        expect(await slowestMs(await schemas.compile(withPattern(pattern)), LONG), pattern).to.be.below(500);
      }),
      { numRuns: 60 },
    );
  });

  it('the largest pattern on the longest texts is stopped: the value is too large to be validated', async () => {
    const check = await schemas.compile({ items: withPattern('(a|b)*a(a|b){800}c') });
    expect(check(['aab'])[0]?.message).to.match(/must match pattern/);
    const texts = Array.from({ length: 100 }, () => 'ab'.repeat(30_000));
    expect(check(texts)[0]?.message).to.match(/too large/);
    expect(await slowestMs(check, [texts])).to.be.below(2000);
    expect(check(['aab'])[0]?.message, 'the next value').to.match(/must match pattern/);
  });

  it('no text over 65,536 characters matches', async () => {
    expect(await isValid(withPattern('^a*$'), 'a'.repeat(65_536))).to.equal(true);
    expect(await isValid(withPattern('^a*$'), 'a'.repeat(65_537))).to.equal(false);
  });

  it('are compiled in small parts: other requests are answered in between', async () => {
    await refusal(withPattern('(warm+)+$'));
    const large = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`^(a|b){1,${200 + at}}$`, {}]));
    const hold = await longestHold(() =>
      Promise.all([refusal({ patternProperties: large }), refusal({ propertyNames: { patternProperties: large } })]),
    );
    expect(hold).to.be.below(150);
  });
});
