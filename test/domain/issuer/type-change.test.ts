import { expect } from 'chai';
import fc from 'fast-check';
import type { TypeSelector } from '../../../domain/credentials/formats/facts.ts';
import type { DomainError } from '../../../domain/foundation/errors.ts';
import type { CredentialType, TypeClaim, VersionedType } from '../../../domain/issuer/credential-type.ts';
import { changedType, claimsOfAllVersions } from '../../../domain/issuer/types/type-change.ts';

const SELECTORS: Record<string, TypeSelector> = { 'dc+sd-jwt': 'vct', mso_mdoc: 'doc_type', jwt_vc_json: 'type' };
const DISPLAY = [{ locale: 'en', name: 'Card' }];

const change = (before: VersionedType, next: CredentialType): VersionedType =>
  changedType({ id: 'card', before, next, selectorOf: (format) => SELECTORS[format] ?? 'type' });

/** The next version, or the field that is refused. */
function tried(before: VersionedType, next: CredentialType): VersionedType | string {
  try {
    return change(before, next);
  } catch (error) {
    return (error as DomainError).details?.[0]?.path.join('.') ?? 'no field';
  }
}

const claim: fc.Arbitrary<TypeClaim> = fc.record({
  path: fc.constantFrom(['a'], ['b'], ['c'], ['c', 'a']),
  type: fc.constantFrom('text', 'date'),
  mandatory: fc.boolean(),
});
const type: fc.Arbitrary<CredentialType> = fc.record({
  display: fc.constant(DISPLAY),
  claims: fc.uniqueArray(claim, { minLength: 1, maxLength: 3, selector: ({ path }) => path.join() }),
  formats: fc.subarray(Object.keys(SELECTORS), { minLength: 1 }),
  vct: fc.constantFrom(undefined, 'urn:a', 'urn:b'),
  doctype: fc.constantFrom(undefined, 'card', 'org.a'),
  namespace: fc.constantFrom(undefined, 'card', 'org.a'),
});

const namesIn = ({ formats, vct, doctype = 'card', namespace = doctype }: CredentialType) => ({
  vct: formats.includes('dc+sd-jwt') ? String(vct) : undefined,
  mdoc: formats.includes('mso_mdoc') ? `${doctype} ${namespace}` : undefined,
});

const distinct = <T>(values: readonly (T | undefined)[]): number =>
  new Set(values.filter((one) => one !== undefined)).size;

describe('changes of credential types', () => {
  it('property: all versions of a type have one vct and document type, and one kind for each claim', () => {
    fc.assert(
      fc.property(type, fc.array(type, { maxLength: 8 }), (first, others) => {
        const versions: VersionedType[] = [{ ...first, version: 1 }];
        for (const next of others) {
          const made = tried(versions.at(-1) as VersionedType, next);
          if (typeof made !== 'string') versions.push(made);
        }
        expect(versions.map(({ version }) => version)).to.deep.equal(versions.map((_, index) => index + 1));
        const names = versions.map(namesIn);
        expect(distinct(names.map(({ vct }) => vct))).to.be.at.most(1);
        const kinds = new Map<string, string>();
        for (const { path, type: kind } of versions.flatMap(({ claims }) => claims)) {
          expect(kinds.get(path.join()) ?? kind).to.equal(kind);
          kinds.set(path.join(), kind);
        }
        expect(distinct(names.map(({ mdoc }) => mdoc))).to.be.at.most(1);
      }),
    );
  });

  it('property: metadata call a claim mandatory when every version demanded it', () => {
    fc.assert(
      fc.property(type, fc.array(fc.array(claim, { minLength: 1 }), { maxLength: 4 }), (first, changes) => {
        const versions: VersionedType[] = [{ ...first, version: 1 }];
        const kindOf = () => 'text' as const;
        const texts = (claims: TypeClaim[]) => [
          ...new Map(claims.map((one) => [one.path.join(), { ...one, type: kindOf() }])).values(),
        ];
        versions[0] = { ...first, claims: texts(first.claims), version: 1 };
        for (const claims of changes)
          versions.push(change(versions.at(-1) as VersionedType, { ...first, claims: texts(claims) }));
        const last = versions.at(-1) as VersionedType;
        const isInAll = claimsOfAllVersions(last);
        for (const one of last.claims) {
          const demanded = versions.every(({ claims }) =>
            claims.some(({ path, mandatory }) => path.join() === one.path.join() && mandatory),
          );
          expect(isInAll(one)).to.equal(demanded);
        }
      }),
    );
  });

  it('names what cannot change, also when a version between did not have it', () => {
    const card: CredentialType = {
      display: DISPLAY,
      claims: [{ path: ['born'], type: 'date' }],
      formats: ['mso_mdoc'],
    };
    const first = { ...card, version: 1 };
    expect(tried(first, { ...card, doctype: 'org.other' })).to.equal('doctype');
    expect(tried(first, { ...card, namespace: 'org.other' })).to.equal('namespace');
    expect(tried(first, { ...card, doctype: 'card', vct: 'urn:new' })).to.be.an('object');
    const between = change(first, { ...card, formats: ['dc+sd-jwt'], claims: [{ path: ['name'], type: 'text' }] });
    expect(tried(between, { ...card, doctype: 'org.other' })).to.equal('doctype');
    expect(tried(between, { ...card, vct: 'urn:new' })).to.equal('vct');
    expect(tried(between, { ...card, claims: [{ path: ['born'], type: 'text' }] })).to.equal('claims.0.type');
  });
});
