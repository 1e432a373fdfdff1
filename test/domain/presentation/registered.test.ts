import { expect } from 'chai';
import fc from 'fast-check';
import type { ClaimsPath } from '../../../domain/presentation/dcql/claims-path.ts';
import { readDcqlQuery } from '../../../domain/presentation/dcql/query.ts';
import { readRegistered, surplusOf } from '../../../domain/presentation/dcql/registered.ts';
import { testFormats } from '../../support/credentials/formats.ts';

interface WrittenClaim {
  path: ClaimsPath;
  values?: string[];
}

/** W3C credentials, whose types are sets; the other formats have one type. */
interface Written {
  format: string;
  meta: { type_values?: string[][] };
  claims?: WrittenClaim[];
}

/** What a query or a registration names, and one more of each kind that none names: it stands for all others. */
const PARTS = ['a', 'b', 'z', 0, 9];
const VALUES = ['x', 'y', 'other'];
const FORMATS = ['jwt_vc_json', 'dc+sd-jwt'];
const TYPE_SETS = [['A'], ['B'], ['A', 'B'], ['A', 'C'], ['A', 'B', 'C'], ['B', 'C'], ['C']];

/** Every element of every document, by its concrete path. */
const ELEMENTS: (string | number)[][] = [1, 2, 3].flatMap((length) =>
  Array.from({ length: length - 1 }).reduce<(string | number)[][]>(
    (paths) => paths.flatMap((path) => PARTS.map((part) => [...path, part])),
    PARTS.map((part) => [part]),
  ),
);

const expanded = new Map<string, Set<number>>();

/** The model: a claim is the set of the elements, each with one value, that it stands for; parts of an element are in it. */
function elementsOf({ path, values }: WrittenClaim): Set<number> {
  const key = JSON.stringify([path, values]);
  const known = expanded.get(key) ?? new Set<number>();
  if (!expanded.has(key)) {
    ELEMENTS.forEach((element, place) => {
      const isIn = path.every((part, at) => (part === null ? Number.isInteger(element[at]) : element[at] === part));
      VALUES.forEach((value, number) => {
        const hasValue = values === undefined || (values.includes(value) && element.length === path.length);
        if (isIn && hasValue) known.add(place * VALUES.length + number);
      });
    });
    expanded.set(key, known);
  }
  return known;
}

/** The elements that an asked claim wants: with values it wants these of the element itself, and else it and all of its parts. */
const model = (query: Written[], registered: Written[]): string[] =>
  query.flatMap(({ format, meta, claims = [] }, index) => {
    const wanted = (meta.type_values ?? []).flatMap((alternative) =>
      TYPE_SETS.filter((types) => alternative.every((type) => types.includes(type))),
    );
    const granting = wanted.map((types) =>
      registered.filter(
        (one) =>
          one.format === format && one.meta.type_values?.some((all) => all.every((type) => types.includes(type))),
      ),
    );
    if (wanted.length === 0 || granting.some((entries) => entries.length === 0)) return [`${index}`];
    return claims.flatMap((claim, place) => {
      const isGranted = granting.every((entries) => {
        const granted = new Set(
          entries.flatMap((entry) => (entry.claims ?? []).flatMap((one) => [...elementsOf(one)])),
        );
        return [...elementsOf(claim)].every((element) => granted.has(element));
      });
      return isGranted ? [] : [`${index}/${place}`];
    });
  });

const path = fc.array(fc.constantFrom<string | number | null>('a', 'b', 0, null), { minLength: 1, maxLength: 3 });
const claim = fc.record(
  { path, values: fc.subarray(['x', 'y'], { minLength: 1 }) },
  { requiredKeys: ['path'] },
) as fc.Arbitrary<WrittenClaim>;
const types = fc.uniqueArray(fc.constantFrom('A', 'B'), { minLength: 1, maxLength: 2 });
const credential = fc.record(
  {
    format: fc.constantFrom('jwt_vc_json', 'jwt_vc_json', 'dc+sd-jwt'),
    meta: fc.record({ type_values: fc.array(types, { minLength: 1, maxLength: 2 }) }),
    claims: fc.array(claim, { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: ['format', 'meta'] },
);

/** SD-JWT VCs have one type, so theirs is the first name of each alternative. */
const ofFormat = ({ format, meta, ...one }: Written) => ({
  format,
  ...one,
  meta: format === FORMATS[0] ? meta : { vct_values: meta.type_values?.map(([first]) => first) },
});
const single = (one: Written): Written => ({
  ...one,
  meta: {
    type_values: one.meta.type_values?.map((alternative) => alternative.slice(0, one.format === FORMATS[0] ? 9 : 1)),
  },
});

/** The places of what is too much: of a credential, or of a credential and its claim. */
const surplus = (query: Written[], registered: unknown) =>
  surplusOf(
    readDcqlQuery({ credentials: query.map((one, index) => ({ id: `q${index}`, ...ofFormat(one) })) }, testFormats),
    readRegistered(registered, testFormats),
  ).map(({ index, claim: found }) => (found ? `${index}/${found.index}` : `${index}`));

describe('what is asked for beyond a registration', () => {
  it('property: is each credential and claim that stands for anything that no registered claim stands for', () => {
    const seen = { none: 0, credential: 0, claim: 0 };
    fc.assert(
      fc.property(
        fc.array(credential, { minLength: 1, maxLength: 2 }),
        fc.array(credential, { maxLength: 4 }),
        (query, registered) => {
          const expected = model(query.map(single), registered.map(single));
          const written = registered.map(ofFormat).map(({ claims, ...one }) => ({ ...one, claim: claims }));
          expect(surplus(query, written)).to.deep.equal(expected);
          for (const place of expected) seen[place.includes('/') ? 'claim' : 'credential'] += 1;
          if (expected.length === 0) seen.none += 1;
        },
      ),
      { numRuns: 10_000 },
    );
    expect(Math.min(...Object.values(seen)), 'of every kind').to.be.above(200);
  });

  const PID = { format: 'dc+sd-jwt', meta: { vct_values: ['urn:pid'] } };
  const asked = (more: object, registered: unknown) =>
    surplusOf(
      readDcqlQuery({ credentials: [{ id: 'pid', ...PID, ...more }] }, testFormats),
      readRegistered(registered, testFormats),
    );

  it('is decided where the standards are silent', () => {
    const name = { path: ['name'] };
    const whole = { index: 0, id: 'pid', format: 'dc+sd-jwt', types: ['urn:pid'] };
    const claimOf = (path: ClaimsPath, index = 0) => ({ ...whole, claim: { index, path } });
    const cases: [string, object, unknown, object[]][] = [
      ['nothing registered', {}, undefined, [whole]],
      ['a query without claims', {}, [PID], []],
      ['a claim of an entry without claims', { claims: [name] }, [PID], [claimOf(['name'])]],
      ['the member claims', { claims: [name] }, [{ ...PID, claims: [name] }], []],
      ['every type', { meta: {} }, [{ ...PID, claim: [name] }], [{ ...whole, types: [] }]],
      ['an entry without types', {}, [{ ...PID, meta: {} }], [whole]],
      ['another format', {}, [{ ...PID, format: 'mso_mdoc' }], [whole]],
      ['entries that cannot be read', {}, ['a', { format: 7 }, { ...PID, meta: { vct_values: 'urn:pid' } }], [whole]],
      [
        'a part of a claim',
        { claims: [{ path: ['address', 'city'] }] },
        [{ ...PID, claim: [{ path: ['address'] }] }],
        [],
      ],
      [
        'the whole of a part',
        { claims: [{ path: ['address'] }] },
        [{ ...PID, claim: [{ path: ['address', 'city'] }] }],
        [claimOf(['address'])],
      ],
      ['one of a list', { claims: [{ path: ['of', 1] }] }, [{ ...PID, claim: [{ path: ['of', null] }] }], []],
      [
        'a list of which one is registered',
        { claims: [{ path: ['of', null] }] },
        [{ ...PID, claim: [{ path: ['of', 1] }] }],
        [claimOf(['of', null])],
      ],
      [
        'a claim that no set names',
        {
          claims: [
            { id: 'a', ...name },
            { id: 'b', path: ['age'] },
          ],
          claim_sets: [['a']],
        },
        [{ ...PID, claim: [name] }],
        [claimOf(['age'], 1)],
      ],
    ];
    for (const [what, more, registered, expected] of cases)
      expect(asked(more, registered), what).to.deep.equal(expected);
  });

  it('counts credentials of optional sets too', () => {
    const query = {
      credentials: [
        { id: 'pid', ...PID },
        { id: 'card', ...PID, meta: { vct_values: ['urn:card'] } },
      ],
      credential_sets: [{ options: [['pid']] }, { options: [['card']], required: false }],
    };
    const found = surplusOf(readDcqlQuery(query, testFormats), readRegistered([PID], testFormats));
    expect(found.map(({ id }) => id)).to.deep.equal(['card']);
  });
});
