import { expect } from 'chai';
import fc from 'fast-check';
import { Rfc9535Paths } from '../../../adapters/json/json-paths.ts';
import { CallerSchemas } from '../../../adapters/json/json-schemas.ts';
import type { JsonObject } from '../../../domain/foundation/json.ts';
import {
  type DescriptorField,
  descriptorOfType,
  readDefinition,
} from '../../../domain/presentation/exchange/definition.ts';
import {
  acceptsFormat,
  compileDescriptors,
  type PresentedFormat,
} from '../../../domain/presentation/exchange/matching.ts';
import { compileDefinition } from '../../../domain/presentation/exchange/presentation-exchange.ts';
import { isSatisfied } from '../../../domain/presentation/exchange/requirements.ts';
import type { CompiledQuery } from '../../../domain/presentation/matching/compiled-query.ts';
import type { ParsedCredential } from '../../../ports/credential-formats.ts';
import { parsedCredential, testFormats } from '../../support/credentials/formats.ts';

const credentialOf = (claims: JsonObject) => parsedCredential({ claims });

/** For each query, in order, the indices of the documents that satisfy it. */
const candidates = (query: CompiledQuery, documents: readonly JsonObject[]): number[][] =>
  query.match([{ credentials: documents.map(credentialOf) }], []).map((match) => match.credentials);

const ports = { paths: new Rfc9535Paths(), schemas: new CallerSchemas(), formats: testFormats };

const TYPES = ['A', 'B', 'C', 'D'];

const ofTypes = (types: string[]): Promise<CompiledQuery> =>
  compileDefinition(
    { id: 'd', input_descriptors: types.map((type, index) => descriptorOfType(`${index}`, type)) },
    ports,
  );

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const credential = (type: string) => ({ vc: { type: ['VerifiableCredential', type] } });

async function fieldMatches(field: DescriptorField, document: JsonObject): Promise<boolean> {
  const definition = readDefinition({ id: 'd', input_descriptors: [{ id: 'x', constraints: { fields: [field] } }] });
  return (await compileDefinition(definition, ports)).accepts('x', credentialOf(document));
}

describe('matching', () => {
  it('the documents that satisfy a descriptor are the same in any order of documents and descriptors', async () => {
    const many = fc.array(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(many, many, fc.infiniteStream(fc.nat()), async (asked, held, random) => {
        const shuffle = <T>(list: T[]): T[] =>
          list
            .map((item) => [random.next().value, item] as const)
            .sort((a, b) => a[0] - b[0])
            .map(([, item]) => item);
        const documents = held.map((type, index) => ({ ...credential(type), index }));
        const found = async (types: string[], list: typeof documents) =>
          Object.fromEntries(
            candidates(await ofTypes(types), list).map((indices, at) => [
              types[at],
              indices.map((i) => list[i]?.index).sort(),
            ]),
          );
        expect(await found(shuffle(asked), shuffle(documents))).to.deep.equal(await found(asked, documents));
      }),
      { numRuns: 60 },
    );
  });

  it('every field must be met, by the first of its paths whose value passes the filter', async () => {
    const string = (pattern: string) => ({ type: 'string', pattern });
    const document = { a: 'one', b: { c: ['x', 'y'] }, n: null, z: 0 };
    const cases: [DescriptorField, boolean][] = [
      [{ path: ['$.a'] }, true],
      [{ path: ['$.none'] }, false],
      [{ path: ['$.none'], optional: true }, true],
      [{ path: ['$.none', '$.a'], filter: string('^one$') }, true],
      [{ path: ['$.a', '$.b.c'], filter: string('^x$') }, true],
      [{ path: ['$.a', '$.none', '$.z'], filter: { const: 0 } }, true],
      [{ path: ['$.a', '$.b.c'], filter: string('^q$') }, false],
      [{ path: ['$.none', '$.a'], filter: string('two'), optional: true }, false],
      [{ path: ['$.none', '$.nor.this'], filter: string('two'), optional: true }, true],
      [{ path: ['$.n'], filter: string('two'), optional: true }, false],
      [{ path: ['$.a'], filter: string('n') }, true],
      [{ path: ['$.a'], filter: string('two'), optional: true }, false],
      [{ path: ['$.b.c'], filter: string('^y$') }, true],
      [{ path: ['$.b.c'], filter: string('^q$') }, false],
      [{ path: ['$.b.c'], filter: { type: 'array', contains: { const: 'y' } } }, true],
      [{ path: ['$.b.c[*]'], filter: { const: 'y' } }, true],
      [{ path: ['$.n'] }, true],
      [{ path: ['$.z'], filter: { type: 'number', const: 0 } }, true],
      [{ path: ['$.z'], filter: string('.*') }, false],
      [{ path: ['$.toString'] }, false],
      [{ path: ['$.a'], filter: true }, true],
      [{ path: ['$.a'], filter: false }, false],
    ];
    for (const [field, expected] of cases)
      expect(await fieldMatches(field, document), JSON.stringify(field)).to.equal(expected);
  });

  it('a filter or path that cannot be used is refused, naming its path', async () => {
    const refusal = (field: object) =>
      fieldMatches(field as DescriptorField, {}).then(
        () => '',
        (error: Error) => error.message,
      );
    expect(await refusal({ path: ['$.a', '$['] })).to.match(
      /^input_descriptors\[0]\.constraints\.fields\[0]\.path\[1]: /,
    );
    expect(await refusal({ path: ['$.a'], filter: { pattern: '(a|a)*(?=b)' } })).to.match(
      /fields\[0]\.filter: .*uses a look-around/,
    );
    expect(await refusal({ path: ['$.a'], filter: 'x' })).to.match(/fields\[0]\.filter: /);
    expect(await refusal({ path: ['$.a'], filter: { $ref: '#/a' } })).to.match(/references/);
  });

  /** The work of one match: how many paths and filters are evaluated, and members of credentials read. */
  async function workOf(size: { descriptors: number; credentials: number; isNamed: boolean }): Promise<number> {
    let work = 0;
    const counting =
      <A, R>(evaluate: (value: A) => R) =>
      (value: A): R => {
        work += 1;
        return evaluate(value);
      };
    const counted = {
      formats: testFormats,
      paths: {
        compile: (path: string) => counting(ports.paths.compile(path)),
        locate: (path: string) => counting(ports.paths.locate(path)),
      },
      schemas: { compile: async (schema: unknown) => counting(await ports.schemas.compile(schema)) },
    };
    const descriptors = numbers(size.descriptors).map((index) => descriptorOfType(`${index}`, `T${index}`));
    const query = await compileDefinition({ id: 'd', input_descriptors: descriptors }, counted);
    const get = (target: ParsedCredential, name: string): unknown => {
      work += 1;
      return Reflect.get(target, name);
    };
    const credentials = numbers(size.credentials).map(
      (index) => new Proxy(credentialOf(credential(size.isNamed ? `T${index}` : 'A')), { get }),
    );
    const hints = size.isNamed ? descriptors.map(({ id: queryId }, index) => ({ queryId, index })) : [];
    const met = query.match([{ credentials }], hints).filter((match) => match.met).length;
    expect(met).to.equal(size.isNamed ? size.descriptors : 0);
    return work;
  }

  it('property: the work grows with the descriptors times the credentials, and with the descriptors alone when the credentials are named', async () => {
    const most = fc.integer({ min: 1, max: 20 });
    const once = { descriptors: 1, credentials: 1 };
    const [unnamed, named] = [await workOf({ ...once, isNamed: false }), await workOf({ ...once, isNamed: true })];
    expect(Math.min(unnamed, named)).to.be.above(2);
    await fc.assert(
      fc.asyncProperty(most, most, async (descriptors, credentials) => {
        const every = await workOf({ descriptors, credentials, isNamed: false });
        expect(every).to.be.at.most(unnamed * descriptors * credentials);
        const each = await workOf({ descriptors, credentials: descriptors, isNamed: true });
        expect(each).to.be.at.most(named * descriptors);
      }),
      { numRuns: 20, examples: [[20, 20]] },
    );
  });

  /** Whether a descriptor takes a format, by its own `format` object and that of its definition. */
  async function takes(given: { own?: object; shared?: object }, presented: PresentedFormat) {
    const { own, shared } = given;
    const descriptor = { id: 'x', ...(own && { format: own }) };
    const definition = readDefinition({ id: 'd', ...(shared && { format: shared }), input_descriptors: [descriptor] });
    const [compiled] = await compileDescriptors(definition, ports);
    const isPresentation = presented.format.endsWith('_vp_json');
    return compiled !== undefined && acceptsFormat(compiled, { isPresentation, ...presented });
  }

  it('a format is taken by either of its names, and by a descriptor that names none', async () => {
    const formats = (own?: object) =>
      Promise.all(['jwt_vc_json', 'vc+sd-jwt'].map((format) => takes({ own }, { format })));
    expect(await formats()).to.deep.equal([true, true]);
    expect(await formats({})).to.deep.equal([true, true]);
    expect(await formats({ jwt_vc: {} })).to.deep.equal([true, false]);
    expect(await formats({ 'vc+sd-jwt': {} })).to.deep.equal([false, true]);
    expect(await formats({ jwt_vp: {} })).to.deep.equal([true, true]);
  });

  it('a name of a credential and of its presentation at once restricts both', async () => {
    const own = { mso_mdoc: { alg: ['ES384'] } };
    for (const isPresentation of [false, true]) {
      expect(await takes({ own }, { format: 'mso_mdoc', isPresentation, alg: 'ES384' })).to.equal(true);
      expect(await takes({ own }, { format: 'mso_mdoc', isPresentation, alg: 'ES256' })).to.equal(false);
    }
    expect(await takes({ own }, { format: 'jwt_vc_json', alg: 'ES384' })).to.equal(false);
  });

  it('an algorithm is taken when every format object that names the format lists it under a name of the format', async () => {
    const algorithms = ['ES256', 'EdDSA', 'RS256'];
    const lists = fc.option(fc.subarray(algorithms, { minLength: 1 }), { nil: undefined });
    const entry = (alg?: string[]) => (alg ? { alg } : {});
    for (const [one, other, format] of [
      ['jwt_vc_json', 'jwt_vc', 'jwt_vc_json'],
      ['jwt_vp', 'jwt_vp_json', 'jwt_vp_json'],
    ] as const)
      await fc.assert(
        fc.asyncProperty(lists, lists, lists, fc.constantFrom(...algorithms), async (own, synonym, shared, alg) => {
          const given = { own: { [one]: entry(own), [other]: entry(synonym) }, shared: { [other]: entry(shared) } };
          const isListed = (list?: string[]) => list === undefined || list.includes(alg);
          const expected = (isListed(own) || isListed(synonym)) && isListed(shared);
          expect(await takes(given, { format, alg })).to.equal(expected);
          const ofOtherKind = format === 'jwt_vc_json' ? 'jwt_vp_json' : 'jwt_vc_json';
          expect(await takes(given, { format: ofOtherKind, alg })).to.equal(true);
        }),
        { numRuns: 60 },
      );
  });
});

describe('submission requirements', () => {
  const met = (requirements: unknown, ...ids: string[]) => {
    const groups: [string, string[]][] = [
      ['a', ['A']],
      ['b', ['A']],
      ['c', ['B']],
      ['d', ['B']],
    ];
    const input_descriptors = groups.map(([id, group]) => ({ id, group, constraints: { fields: [] } }));
    return isSatisfied({ id: 'd', input_descriptors, submission_requirements: requirements }, new Set(ids));
  };

  it('without them every descriptor must be met', () => {
    expect(met(undefined, 'a', 'b', 'c', 'd')).to.equal(true);
    expect(met(undefined, 'a', 'b', 'c')).to.equal(false);
  });

  it('all and pick count descriptors of a group, or nested requirements', () => {
    const all = (from: string) => ({ rule: 'all', from });
    const pick = (counts: object, from = 'B') => ({ rule: 'pick', from, ...counts });
    expect(met([all('A')], 'a', 'b')).to.equal(true);
    expect(met([all('A')], 'a')).to.equal(false);
    expect(met([pick({ count: 1 })], 'c')).to.equal(true);
    expect(met([pick({ count: 2 })], 'c')).to.equal(false);
    expect(met([pick({})], 'a')).to.equal(false);
    expect(met([pick({ min: 1, max: 1 })], 'c', 'd')).to.equal(false);
    expect(met([all('A'), pick({ count: 1 })], 'a', 'b')).to.equal(false);
    expect(met([{ rule: 'pick', count: 1, from_nested: [all('A'), all('B')] }], 'c', 'd')).to.equal(true);
    expect(met([{ rule: 'all', from_nested: [all('A'), all('B')] }], 'c', 'd')).to.equal(false);
    expect(met([{ rule: 'nonsense', from: 'A' }], 'a', 'b')).to.equal(false);
    expect(met([all('none')], 'a', 'b')).to.equal(false);
  });
});
