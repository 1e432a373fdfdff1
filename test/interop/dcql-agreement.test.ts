import { expect } from 'chai';
import { type DcqlCredential, DcqlQuery } from 'dcql';
import fc from 'fast-check';
import type { JsonObject } from '../../domain/foundation/json.ts';
import { compileDcql } from '../../domain/presentation/dcql/matching.ts';
import { readDcqlQuery } from '../../domain/presentation/dcql/query.ts';
import type { AuthorityCheck } from '../../domain/presentation/matching/compiled-query.ts';
import type { ParsedCredential } from '../../ports/credential-formats.ts';
import { parsedCredential, testFormats } from '../support/credentials/formats.ts';

const NAMES = ['a', 'b'];
const TYPES = ['A', 'B'];
const AUTHORITIES = ['AAAA', 'BBBB'];
const LEAVES = ['x', '1', 1, true] as const;

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** One credential as each side sees it. */
interface Held {
  theirs: DcqlCredential;
  ours: ParsedCredential;
}

const leaf = fc.constantFrom(...LEAVES);
const members = <T>(value: fc.Arbitrary<T>) =>
  fc.dictionary(fc.constantFrom(...NAMES), value, { minKeys: 1, maxKeys: 2, noNullPrototype: true });
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    leaf,
    fc.array(tie('json'), { minLength: 1, maxLength: 3 }),
    members(tie('json')),
  ),
}));
const issuer = fc.constantFrom(undefined, ...AUTHORITIES);

/** What both sides know of a credential of any format. */
const bound = (authority: string | undefined) => ({
  cryptographic_holder_binding: true,
  ...(authority && { authority: { type: 'aki' as const, values: [authority] as [string] } }),
});
const issuedBelow = (authority = '') => ({ kind: 'url' as const, id: authority });

const w3c = fc
  .tuple(members(json), fc.subarray(TYPES, { minLength: 1 }), issuer)
  .map(([more, type, authority]): Held => {
    const document = { ...more, type };
    return {
      theirs: { credential_format: 'jwt_vc_json', claims: document, type, ...bound(authority) },
      ours: parsedCredential({ document, type: type.at(-1), issuer: issuedBelow(authority) }),
    };
  });

const sdJwt = fc
  .tuple(fc.constantFrom('dc+sd-jwt' as const, 'vc+sd-jwt' as const), members(json), fc.constantFrom(...TYPES), issuer)
  .map(([format, more, vct, authority]): Held => {
    const claims = { ...more, vct };
    return {
      theirs: { credential_format: format, claims, vct, ...bound(authority) },
      ours: parsedCredential({ format, claims, document: claims, type: vct, issuer: issuedBelow(authority) }),
    };
  });

const mdoc = fc
  .tuple(members(members(json)), fc.constantFrom(...TYPES), issuer)
  .map(([namespaces, doctype, authority]): Held => {
    const document = { docType: doctype };
    return {
      theirs: { credential_format: 'mso_mdoc', namespaces, doctype, ...bound(authority) },
      ours: parsedCredential({
        format: 'mso_mdoc',
        claims: namespaces,
        document,
        type: doctype,
        issuer: issuedBelow(authority),
      }),
    };
  });

/** Absent in half of all cases. */
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const name = fc.constantFrom(...NAMES);
const jsonPath = fc
  .tuple(name, fc.array(fc.oneof(name, fc.nat({ max: 1 }), fc.constant(null)), { maxLength: 2 }))
  .map(([first, rest]) => [first, ...rest]);
const someOf = <T>(list: readonly T[]) => fc.uniqueArray(fc.constantFrom(...list), { minLength: 1 });
const sets = fc.array(someOf([0, 1, 2]), { minLength: 1, maxLength: 3 });

/** A member that is absent where there is no value. */
const present = (more: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined));

/** The members of a credential query that all formats have; the paths of claims are those of the format. */
const asking = (path: fc.Arbitrary<unknown[]>) =>
  fc
    .record({
      claims: optional(fc.array(fc.tuple(path, optional(someOf(LEAVES))), { minLength: 1, maxLength: 3 })),
      chosen: optional(sets),
      authorities: optional(someOf(AUTHORITIES)),
      multiple: optional(fc.boolean()),
    })
    .map(({ claims, chosen, authorities, multiple }) =>
      present({
        multiple,
        claims: claims?.map(([at, values], index) => present({ id: `c${index}`, path: at, values })),
        claim_sets: claims && chosen?.map((set) => set.map((index) => `c${index % claims.length}`)),
        trusted_authorities: authorities && [{ type: 'aki', values: authorities }],
      }),
    );

const queried = fc.oneof(
  fc.record({
    format: fc.constant('jwt_vc_json'),
    meta: fc.record({ type_values: fc.array(someOf(TYPES), { minLength: 1, maxLength: 2 }) }),
    rest: asking(jsonPath),
  }),
  fc.record({
    format: fc.constantFrom('dc+sd-jwt', 'vc+sd-jwt'),
    meta: fc.oneof(fc.constant({}), fc.record({ vct_values: someOf(TYPES) })),
    rest: asking(jsonPath),
  }),
  fc.record({
    format: fc.constant('mso_mdoc'),
    meta: fc.oneof(fc.constant({}), fc.record({ doctype_value: fc.constantFrom(...TYPES) })),
    rest: asking(fc.tuple(name, name)),
  }),
);

const asked = fc
  .tuple(
    fc.tuple(queried, queried, queried),
    optional(fc.array(fc.record({ required: optional(fc.boolean()), options: sets }), { minLength: 1, maxLength: 3 })),
  )
  .map(([queries, credentialSets]) =>
    present({
      credentials: queries.map(({ rest, ...one }, index) => ({ id: `q${index}`, ...one, ...rest })),
      credential_sets: credentialSets?.map(({ required, options }) =>
        present({ required, options: options.map((option) => option.map((index) => `q${index}`)) }),
      ),
    }),
  );

const isBelow: AuthorityCheck['isBelow'] = ({ id }, authorities) =>
  authorities.some(({ values }) => values.includes(id));

/** For each query the indices of the credentials that satisfy it, and whether the query as a whole can be answered. */
interface Verdict {
  found: Record<string, number[]>;
  isSatisfied: boolean;
}

function ours(wanted: JsonObject, held: readonly Held[]): Verdict {
  const compiled = compileDcql(readDcqlQuery(wanted, testFormats), { formats: testFormats, isBelow });
  const matches = compiled.match([{ credentials: held.map((one) => one.ours) }], []);
  const found = Object.fromEntries(matches.map(({ queryId, credentials }) => [queryId, credentials]));
  return { found, isSatisfied: compiled.isSatisfied(matches) };
}

function theirs(wanted: JsonObject, held: readonly Held[]): Verdict {
  const parsed = DcqlQuery.parse(wanted as DcqlQuery.Input);
  DcqlQuery.validate(parsed);
  const result = DcqlQuery.query(
    parsed,
    held.map((one) => one.theirs),
  );
  const found = Object.entries(result.credential_matches).map(([id, { valid_credentials: valid }]) => [
    id,
    (valid ?? []).map(({ input_credential_index: index }) => index),
  ]);
  return { found: Object.fromEntries(found), isSatisfied: Boolean(result.can_be_satisfied) };
}

const SD_JWT = { id: 'q', format: 'dc+sd-jwt', meta: {} };
const claimsOf = (...claims: JsonObject[]) => ({ credentials: [{ ...SD_JWT, claims }] });

type Finding = boolean | 'refused';

/**
 * Where the two differ on purpose (OpenID4VP 1.0 §6 and §7), so that it is not generated: a query, the claims of an
 * SD-JWT VC, and what ours and the package find about them. Holder binding and the number of credentials are not
 * compared, since ours judges them by the presentations. Nor are presentations, in which the package takes any element
 * of a list for the one that a position asks for, and paths below an element of an mdoc, which it cuts off.
 */
const DIFFERENCES: [rule: string, query: JsonObject, claims: Record<string, Json>, ours: Finding, theirs: Finding][] = [
  ['null selects nothing in an empty list', claimsOf({ path: ['a', null] }), { a: [] }, false, true],
  ['a name selects no inherited member', claimsOf({ path: ['toString'] }), {}, false, true],
  ['a name selects no element of a list', claimsOf({ path: ['a', '0'] }), { a: ['x'] }, false, true],
  ['a claim whose value is null is there', claimsOf({ path: ['a'] }), { a: null }, true, false],
  ['values are not empty', claimsOf({ path: ['a'], values: [] }), { a: 1 }, 'refused', false],
  ['an integer is a safe one', claimsOf({ path: ['a'], values: [2 ** 60] }), { a: 2 ** 60 }, 'refused', true],
  [
    'two claims have two ids',
    claimsOf({ id: 'c', path: ['a'] }, { id: 'c', path: ['b'] }),
    { a: 1, b: 1 },
    'refused',
    true,
  ],
  ['an option is not empty', { credentials: [SD_JWT], credential_sets: [{ options: [[]] }] }, {}, 'refused', true],
  ['meta is there', { credentials: [{ ...SD_JWT, meta: undefined }] }, {}, 'refused', true],
  ['every meta may be empty', { credentials: [{ ...SD_JWT, format: 'jwt_vc_json' }] }, {}, false, 'refused'],
];

describe('DCQL beside the package dcql', () => {
  it('property: the same credentials satisfy the same queries, and the same queries can be answered', () => {
    const held = fc.array(fc.oneof(w3c, sdJwt, mdoc), { maxLength: 6 });
    const seen = { matches: 0, mismatches: 0, answered: 0, unanswered: 0 };
    fc.assert(
      fc.property(asked, held, (wanted, credentials) => {
        const verdict = ours(wanted, credentials);
        expect(verdict).to.deep.equal(theirs(wanted, credentials));
        const matches = Object.values(verdict.found).flat().length;
        seen.matches += matches;
        seen.mismatches += 3 * credentials.length - matches;
        seen[verdict.isSatisfied ? 'answered' : 'unanswered'] += 1;
      }),
      { numRuns: 200 },
    );
    for (const [outcome, times] of Object.entries(seen)) expect(times, outcome).to.be.above(0);
  });

  for (const [rule, query, content, expected, other] of DIFFERENCES)
    it(`ours differs: ${rule}`, () => {
      const claims = { ...content, vct: 'A' };
      const held: Held = {
        theirs: { credential_format: 'dc+sd-jwt', claims, vct: 'A', ...bound(undefined) },
        ours: parsedCredential({ format: 'dc+sd-jwt', claims, document: claims, type: 'A' }),
      };
      const found = (judge: typeof ours): Finding => {
        try {
          return judge(query, [held]).isSatisfied;
        } catch {
          return 'refused';
        }
      };
      expect([found(ours), found(theirs)]).to.deep.equal([expected, other]);
    });
});
