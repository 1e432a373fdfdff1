import { expect } from 'chai';
import fc from 'fast-check';
import type { JsonObject } from '../../../domain/foundation/json.ts';
import { type ClaimsPath, select } from '../../../domain/presentation/dcql/claims-path.ts';
import { compileDcql } from '../../../domain/presentation/dcql/matching.ts';
import { type CredentialQuery, readDcqlQuery } from '../../../domain/presentation/dcql/query.ts';
import { createVpToken, parseVpToken } from '../../../domain/presentation/dcql/response.ts';
import { parsedCredential, testFormats } from '../../support/credentials/formats.ts';

const NAMES = ['a', 'b', 'c'];
const TYPES = ['A', 'B', 'C'];

const leaf = fc.oneof(fc.constantFrom('x', 'y', ''), fc.boolean(), fc.integer({ min: 0, max: 2 }), fc.constant(null));
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    leaf,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('json'), { maxKeys: 3 }),
  ),
}));
const document = fc.dictionary(fc.constantFrom(...NAMES), json, { maxKeys: 3 });
const path = fc.array(fc.oneof(fc.constantFrom(...NAMES), fc.nat({ max: 2 }), fc.constant(null)), {
  minLength: 1,
  maxLength: 4,
}) as fc.Arbitrary<ClaimsPath>;
const values = fc.option(fc.uniqueArray(fc.constantFrom('x', 'y', true, false, 0, 1, 2), { minLength: 1 }), {
  nil: undefined,
});

/** Whether a value is one of those listed, by its text as JSON. */
const isListed = (value: unknown, listed: unknown[]): boolean =>
  listed.map((one) => JSON.stringify(one)).includes(JSON.stringify(value));

/** Every value of a document with the concrete path to it, by exhaustion. */
function everywhere(value: unknown, at: (string | number)[] = []): [(string | number)[], unknown][] {
  const parts =
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([name, part]) =>
          everywhere(part, [...at, Array.isArray(value) ? Number(name) : name]),
        )
      : [];
  return [[at, value], ...parts.flat()];
}

/** The values whose concrete path fits a claims path pointer: the model of selection. */
const fitting = (root: unknown, wanted: ClaimsPath): unknown[] =>
  everywhere(root)
    .filter(
      ([at]) =>
        at.length === wanted.length &&
        wanted.every((part, index) => (part === null ? typeof at[index] === 'number' : part === at[index])),
    )
    .map(([, value]) => value);

const typed = (types: string[], more: JsonObject = {}) =>
  parsedCredential({ type: types.at(-1), document: { type: types, ...more } });

const credentialQuery = (id: string, more: JsonObject = {}) => ({ id, format: 'jwt_vc_json', meta: {}, ...more });

const compile = (credentials: unknown[], sets?: unknown) =>
  compileDcql(readDcqlQuery({ credentials, ...(sets !== undefined && { credential_sets: sets }) }, testFormats), {
    formats: testFormats,
  });

describe('DCQL', () => {
  it('property: a path selects exactly the values whose place it describes, in document order', () => {
    fc.assert(
      fc.property(document, path, (root, wanted) => {
        expect(select(root, wanted)).to.deep.equal(fitting(root, wanted));
      }),
      { numRuns: 500 },
    );
  });

  it('property: a credential satisfies a query iff its type and the claims (all, or those of one claim set) are there with a listed value', () => {
    const claim = fc.record({ path, values }, { requiredKeys: ['path'] });
    const sets = fc.option(
      fc.array(fc.uniqueArray(fc.nat({ max: 2 }), { minLength: 1 }), { minLength: 1, maxLength: 3 }),
    );
    const alternatives = fc.array(fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1 }), {
      minLength: 1,
      maxLength: 2,
    });
    fc.assert(
      fc.property(
        document,
        fc.array(claim, { minLength: 3, maxLength: 3 }),
        sets,
        alternatives,
        fc.subarray(TYPES),
        (root, claims, chosen, wanted, types) => {
          const asked = claims.map(({ path: at, values: listed }, index) => {
            return { id: `c${index}`, path: at, ...(listed && { values: listed }) };
          });
          const query = compile([
            credentialQuery('q', {
              meta: { type_values: wanted },
              claims: asked,
              ...(chosen && { claim_sets: chosen.map((set) => set.map((index) => `c${index}`)) }),
            }),
          ]);
          const isMet = claims.map(({ path: at, values: listed }) => {
            const found = fitting(root, at);
            return listed ? found.some((value) => isListed(value, listed)) : found.length > 0;
          });
          const hasType = wanted.some((alternative) => alternative.every((one) => types.includes(one)));
          const hasClaims = chosen ? chosen.some((set) => set.every((index) => isMet[index])) : isMet.every(Boolean);
          expect(query.accepts('q', typed(types, root))).to.equal(hasType && hasClaims);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('property: an answer is enough iff each required set has a complete option, or all queries are met; a query is required iff none lacks it', () => {
    const set = fc.record({
      required: fc.boolean(),
      options: fc.array(fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1 }), { minLength: 1, maxLength: 3 }),
    });
    const subsets = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => TYPES.filter((_, index) => bits & (1 << index)));
    fc.assert(
      fc.property(fc.option(fc.array(set, { minLength: 1, maxLength: 3 })), (sets) => {
        const credentials = TYPES.map((type) => credentialQuery(type, { meta: { type_values: [[type]] } }));
        const query = compile(credentials, sets ?? undefined);
        const isEnough = (held: string[]): boolean =>
          sets
            ? sets.every(
                ({ required, options }) => !required || options.some((one) => one.every((id) => held.includes(id))),
              )
            : held.length === TYPES.length;
        for (const held of subsets) {
          const matches = query.match([{ credentials: held.map((type) => typed([type])) }], []);
          expect(query.isSatisfied(matches)).to.equal(isEnough(held));
        }
        for (const { id, isRequired } of query.describe().queries)
          expect(isRequired).to.equal(!subsets.some((held) => !held.includes(id) && isEnough(held)));
      }),
    );
  });

  it('a presentation that names its queries answers only those, one credential each unless multiple', () => {
    const query = compile([credentialQuery('one'), credentialQuery('many', { multiple: true })]);
    const credentials = [typed(['A']), typed(['B'])];
    const met = (...hints: [string, number | undefined][]) =>
      query
        .match(
          [{ credentials }],
          hints.map(([queryId, index]) => ({ queryId, index })),
        )
        .map((match) => match.met);
    expect(met(['one', 0])).to.deep.equal([true, false]);
    expect(met(['one', 0], ['one', 1])).to.deep.equal([false, false]);
    expect(met(['many', 0], ['many', 1])).to.deep.equal([false, true]);
    expect(met(['one', 2])).to.deep.equal([false, false]);
    expect(met(['one', undefined])).to.deep.equal([false, false]);
    expect(met()).to.deep.equal([true, true]);
  });

  it('vct and doctype are compared with the type of the credential, the type of all credentials in either form', () => {
    const read = (more: JsonObject): CredentialQuery | undefined =>
      readDcqlQuery({ credentials: [credentialQuery('q', more)] }, testFormats).credentials[0];
    expect(read({ format: 'dc+sd-jwt', meta: { vct_values: ['v'] } })?.meta).to.deep.equal({ vctValues: ['v'] });
    expect(read({ format: 'mso_mdoc', meta: { doctype_value: 'd' } })?.meta).to.deep.equal({ doctypeValue: 'd' });
    const accepts = (more: JsonObject, credential: Parameters<typeof parsedCredential>[0]) =>
      compile([credentialQuery('q', more)]).accepts('q', parsedCredential(credential));
    const [vct, doctype] = [
      { format: 'dc+sd-jwt', meta: { vct_values: ['v', 'w'] } },
      { format: 'mso_mdoc', meta: { doctype_value: 'd' } },
    ];
    expect(accepts(vct, { format: 'dc+sd-jwt', type: 'w' })).to.equal(true);
    expect(accepts(vct, { format: 'dc+sd-jwt', type: 'x' })).to.equal(false);
    expect(accepts(vct, { format: 'jwt_vc_json', type: 'w' })).to.equal(false);
    expect(accepts(doctype, { format: 'mso_mdoc', type: 'd' })).to.equal(true);
    expect(accepts(doctype, { format: 'mso_mdoc', type: 'e' })).to.equal(false);
    const type_values = [['https://www.w3.org/2018/credentials#VerifiableCredential', 'A']];
    expect(accepts({ meta: { type_values } }, { document: { type: ['VerifiableCredential', 'A'] } })).to.equal(true);
  });

  it('a malformed query is refused, naming the part', () => {
    const one = credentialQuery('q');
    const cases: [unknown, RegExp][] = [
      [[], /DCQL query object/],
      [{}, /^credentials: /],
      [{ credentials: [] }, /^credentials: /],
      [{ credentials: [one, one] }, /^credentials: .*same id/],
      [{ credentials: [7] }, /^credentials\[0]: /],
      [{ credentials: [{ ...one, id: 'a b' }] }, /^credentials\[0]\.id: /],
      [{ credentials: [{ ...one, format: 7 }] }, /^credentials\[0]\.format: /],
      [{ credentials: [{ ...one, meta: undefined }] }, /^credentials\[0]\.meta: /],
      [{ credentials: [{ ...one, meta: { types: 1 } }] }, /^credentials\[0]\.meta\.type_values: /],
      [{ credentials: [{ ...one, meta: { type_values: ['A'] } }] }, /^credentials\[0]\.meta\.type_values\[0]: /],
      [{ credentials: [{ ...one, meta: { type_values: [['']] } }] }, /^credentials\[0]\.meta\.type_values\[0]\[0]: /],
      [{ credentials: [{ ...one, multiple: 'yes' }] }, /^credentials\[0]\.multiple: /],
      [{ credentials: [{ ...one, claims: [] }] }, /^credentials\[0]\.claims: /],
      [{ credentials: [{ ...one, claims: [{ path: [] }] }] }, /^credentials\[0]\.claims\[0]\.path: /],
      [{ credentials: [{ ...one, claims: [{ path: ['a', -1] }] }] }, /^credentials\[0]\.claims\[0]\.path\[1]: /],
      [{ credentials: [{ ...one, claims: [{ path: [1.5] }] }] }, /^credentials\[0]\.claims\[0]\.path\[0]: /],
      [
        { credentials: [{ ...one, claims: [{ path: ['a'], values: [null] }] }] },
        /^credentials\[0]\.claims\[0]\.values\[0]: /,
      ],
      [
        { credentials: [{ ...one, claims: [{ path: ['a'], values: [1.5] }] }] },
        /^credentials\[0]\.claims\[0]\.values\[0]: /,
      ],
      [{ credentials: [{ ...one, claim_sets: [['a']] }] }, /^credentials\[0]\.claim_sets: needs claims/],
      [
        { credentials: [{ ...one, claims: [{ path: ['a'] }], claim_sets: [['a']] }] },
        /^credentials\[0]\.claim_sets: needs an id/,
      ],
      [
        { credentials: [{ ...one, claims: [{ id: 'a', path: ['a'] }], claim_sets: [['b']] }] },
        /^credentials\[0]\.claim_sets\[0]\[0]: /,
      ],
      [
        {
          credentials: [
            {
              ...one,
              claims: [
                { id: 'a', path: ['a'] },
                { id: 'a', path: ['b'] },
              ],
            },
          ],
        },
        /^credentials\[0]\.claims: .*same id/,
      ],
      [{ credentials: [one], credential_sets: [{}] }, /^credential_sets\[0]\.options: /],
      [{ credentials: [one], credential_sets: [{ options: [['r']] }] }, /^credential_sets\[0]\.options\[0]\[0]: /],
      [
        { credentials: [one], credential_sets: [{ options: [['q']], required: 1 }] },
        /^credential_sets\[0]\.required: /,
      ],
    ];
    for (const [value, message] of cases)
      expect(() => readDcqlQuery(value, testFormats), JSON.stringify(value)).to.throw(message);
    expect(() => compile([{ ...one, format: 'nothing' }])).to.throw(/^credentials\[0]\.format: /);
  });

  it('large and deep queries are refused, and the longest path reads each value once', async () => {
    const claims = Array.from({ length: 257 }, () => ({ path: ['a'] }));
    expect(() => compile([credentialQuery('q', { claims })])).to.throw(/claims/);
    const halves = ['q', 'r'].map((id) => credentialQuery(id, { claims: claims.slice(0, 129) }));
    expect(() => compile(halves)).to.throw(/at most 256 claims/);
    expect(() => compile([credentialQuery('q', { claims: [{ path: Array(33).fill(null) }] })])).to.throw(/path/);
    expect(() => compile([credentialQuery('q', { more: 'x'.repeat(70_000) })])).to.throw(/65536 bytes/);
    const ids = Array.from({ length: 65 }, (_, index) => credentialQuery(`q${index}`));
    expect(() => compile(ids)).to.throw(/^credentials: /);
    let deep: unknown = 1;
    let reads = 0;
    const counted = (list: unknown[]): unknown[] =>
      new Proxy(list, {
        get(target, name) {
          if (name === '0' || name === '1') reads += 1;
          return Reflect.get(target, name);
        },
      });
    for (let level = 0; level < 32; level += 1) deep = counted([deep, deep].slice(0, level < 12 ? 2 : 1));
    const query = compile([credentialQuery('q', { claims: [{ path: ['a', ...Array(31).fill(null)] }] })]);
    query.accepts('q', typed(['A'], { a: deep }));
    // One in each of 20 lists, then 2, 4, … in the 11 levels below.
    expect(reads).to.equal(20 + 2 ** 12 - 2);
  });

  it('property: a vp_token is read back as the presentations it was created from, grouped by their queries', () => {
    const presented = fc.array(
      fc.record({ queryId: fc.constantFrom('q', 'r', '7', 's'), presentation: fc.stringMatching(/^[a-z.]{1,9}$/) }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(presented, (list) => {
        const text = JSON.stringify(createVpToken(list));
        const read = parseVpToken(text, 64).presented;
        for (const id of ['q', 'r', '7', 's'])
          expect(read.filter(({ queryId }) => queryId === id)).to.deep.equal(
            list.filter(({ queryId }) => queryId === id),
          );
      }),
    );
    for (const text of ['[]', '{}', '{"q":"p"}', '{"q":[]}', '{"q":[7]}', JSON.stringify({ q: Array(65).fill('p') })])
      expect(() => parseVpToken(text, 64), text).to.throw(/vp_token/);
  });
});
