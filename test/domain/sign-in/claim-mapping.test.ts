import { expect } from 'chai';
import fc from 'fast-check';
import { mapLogin, type Presented } from '../../../domain/sign-in/claim-mapping.ts';
import { subjectOf } from '../../../domain/sign-in/subject.ts';
import { verifiedClaims } from '../../../domain/sign-in/verified-claims.ts';
import type { WrittenClaim, WrittenSubject } from '../../../domain/sign-in/written-sign-in.ts';
import { cardProfile } from '../../actors/sign-in.ts';

const claim = (more: Partial<WrittenClaim> = {}): WrittenClaim => ({
  query: 'card',
  path: ['name'],
  required: false,
  transform: 'none',
  list: false,
  ...more,
});

const presented = (claims: object, issuer = 'did:example:town'): Presented => ({
  card: [{ format: 'dc+sd-jwt', type: 'card', issuer, claims: { ...claims } }],
});

/** The claims of a mapping with one claim, or why there are none. */
const mapped = (written: WrittenClaim, given: Presented) => {
  const subject: WrittenSubject = { kind: 'pairwise', values: [], acrossIssuers: false };
  const mapping = mapLogin(cardProfile({ claims: { name: written }, subject }), given);
  return 'login' in mapping ? mapping.login.claims : mapping.refusal;
};

const scalar = fc.oneof(fc.string(), fc.boolean(), fc.integer());

describe('claims of a sign-in', () => {
  it('a scalar is the claim as it was presented', () =>
    fc.assert(
      fc.property(scalar, (value) => {
        expect(mapped(claim(), presented({ name: value }))).to.deep.equal({ name: value });
      }),
    ));

  it('a list has every value in its order; a single claim is refused unless there is one value', () =>
    fc.assert(
      fc.property(fc.array(scalar, { minLength: 1, maxLength: 5 }), (values) => {
        const given = presented({ name: values });
        const path = ['name', null];
        expect(mapped(claim({ path, list: true }), given)).to.deep.equal({ name: values });
        const single = values.length === 1 ? { name: values[0] } : 'value-ambiguous';
        expect(mapped(claim({ path }), given)).to.deep.equal(single);
      }),
    ));

  it('what is absent is left out, and refused where it is required', () => {
    for (const given of [presented({}), {}]) {
      expect(mapped(claim(), given)).to.deep.equal({});
      expect(mapped(claim({ list: true }), given)).to.deep.equal({});
      expect(mapped(claim({ required: true }), given)).to.equal('claim-missing');
    }
  });

  it('two credentials for one query are refused, also where they have the same values', () => {
    const { card: [one] = [] } = presented({ name: 'Ada' });
    if (one) expect(mapped(claim(), { card: [one, one] })).to.equal('credential-ambiguous');
  });

  it('an object, a list and null are no values', () => {
    for (const value of [{ a: 1 }, [1], null])
      expect(mapped(claim(), presented({ name: value }))).to.equal('value-unusable');
  });

  it('a member of a prototype is no claim', () =>
    expect(mapped(claim({ path: ['constructor'] }), presented({}))).to.deep.equal({}));

  it('texts are transformed, and digests are of texts', () => {
    const of = (transform: WrittenClaim['transform'], name: unknown) =>
      mapped(claim({ transform }), presented({ name }));
    expect(of('lowercase', 'ÄDA')).to.deep.equal({ name: 'äda' });
    expect(of('uppercase', 'äda')).to.deep.equal({ name: 'ÄDA' });
    expect(of('trim', ' Ada ')).to.deep.equal({ name: 'Ada' });
    expect(of('lowercase', 7)).to.deep.equal({ name: 7 });
    const digest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    expect(of('sha256', '')).to.deep.equal({ name: digest });
  });
});

describe('subjects of a sign-in', () => {
  /** A digest whose difference is that of its values. */
  const secret = { digest: async (values: readonly unknown[]) => Buffer.from(JSON.stringify(values)) };
  const rule = (more: Partial<WrittenSubject> = {}): WrittenSubject => ({
    kind: 'pairwise',
    values: [],
    acrossIssuers: false,
    ...more,
  });
  const of = (values: [string | number | boolean, string][], { sector = 'shop', written = rule() } = {}) =>
    subjectOf(
      written,
      values.map(([value, issuer]) => ({ value, issuer })),
      { provider: 'https://op.example', sector, secret },
    );

  it('differ as soon as a value, its kind, its issuer or the sector does', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(scalar, fc.string()), { minLength: 1, maxLength: 3 }), async (values) => {
        const subject = await of(values);
        expect(await of(values)).to.equal(subject);
        expect(await of(values, { sector: 'bank' })).to.not.equal(subject);
        const [[value, issuer] = ['', ''], ...rest] = values;
        expect(await of([[`${value}x`, issuer], ...rest])).to.not.equal(subject);
        expect(await of([[value, `${issuer}x`], ...rest])).to.not.equal(subject);
        const otherKind = typeof value === 'string' ? undefined : await of([[String(value), issuer], ...rest]);
        expect(otherKind).to.not.equal(subject);
      }),
    ));

  it('are the same over issuers where the profile says so', async () => {
    const written = rule({ acrossIssuers: true });
    expect(await of([['a', 'one']], { written })).to.equal(await of([['a', 'other']], { written }));
  });

  it('are the plain value where the profile says so, if it can be one', async () => {
    const written = rule({ kind: 'plain' });
    expect(await of([['ada', 'one']], { written })).to.equal('ada');
    for (const value of ['', 'two words', 'ä', 'a'.repeat(256)])
      expect(await of([[value, 'one']], { written })).to.equal(undefined);
  });
});

describe('verified_claims', () => {
  const person = {
    subject: 's',
    claims: { given_name: 'Ada', age: 36 },
    issuers: { given_name: 'did:example:town', age: 'did:example:town' },
    acr: 'card',
    amr: ['pop'],
    at: 1_700_000_000,
    trustFramework: 'eidas',
  };
  const ask = (verification: unknown, ...names: string[]) => ({
    verification,
    claims: Object.fromEntries(names.map((name) => [name, null])),
  });

  it('are those of the asked claims that were presented, with their issuers', () =>
    expect(verifiedClaims(ask({ trust_framework: null }, 'given_name', 'email'), person)).to.deep.equal({
      verification: {
        trust_framework: 'eidas',
        time: '2023-11-14T22:13:20Z',
        evidence: [{ type: 'electronic_record', record: { source: { name: 'did:example:town' } } }],
      },
      claims: { given_name: 'Ada' },
    }));

  it('are absent where none of them can be given', () => {
    for (const asked of [
      undefined,
      ask({}, 'email'),
      ask({}),
      ask({ trust_framework: { value: 'other' } }, 'age'),
      ask({ trust_framework: { values: ['other'] } }, 'age'),
      ask({ trust_framework: 'eidas' }, 'age'),
    ])
      expect(verifiedClaims(asked, person)).to.equal(undefined);
    expect(verifiedClaims(ask({}, 'age'), { ...person, trustFramework: undefined })).to.equal(undefined);
    for (const accepted of [{ value: 'eidas' }, { values: ['other', 'eidas'] }, null, undefined])
      expect(verifiedClaims(ask({ trust_framework: accepted }, 'age'), person)).to.have.property('claims');
  });
});
