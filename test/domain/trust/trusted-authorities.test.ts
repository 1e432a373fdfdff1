import { expect } from 'chai';
import fc from 'fast-check';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { readDcqlQuery } from '../../../domain/presentation/dcql/query.ts';
import type { TrustedAuthority } from '../../../domain/presentation/matching/compiled-query.ts';
import { checkAuthorities, isBelowAuthority } from '../../../domain/trust/trusted-authorities.ts';
import type { IssuerReference } from '../../../ports/credential-formats.ts';
import { testFormats } from '../../support/credentials/formats.ts';
import { makeCertificate, type TestCertificate, testKeys } from '../../support/trust/certificates.ts';
import { akiOf, documentSigner, iaca } from '../../support/trust/issuer-chains.ts';

const certificates = new NodeCertificates();
const list = 'https://lists.example/pid';

const isBelow = (chain: TestCertificate[], authorities: TrustedAuthority[], listed: TestCertificate[] = []): boolean =>
  isBelowAuthority({ kind: 'certificates', id: 'x', chain: chain.map(({ der }) => der) }, authorities, {
    certificates,
    lists: new Map([[list, listed.map(({ der }) => ({ certificate: certificates.parse(der) }))]]),
    entities: new Map(),
    now: Date.now(),
  });

const queryWith = (authorities: unknown) =>
  readDcqlQuery(
    { credentials: [{ id: 'q', format: 'dc+sd-jwt', meta: {}, trusted_authorities: authorities }] },
    testFormats,
  );

describe('isBelowAuthority', () => {
  it('property: an issuer is below an authority by aki exactly when a certificate of its chain names the key of one', () => {
    const top = iaca(0, { pathLength: undefined });
    const middle = documentSigner(top, { subject: 'C=ZZ,CN=Middle', ca: true, keys: testKeys('P-256', 3) });
    const chain = [documentSigner(middle), middle];
    const strangers = [akiOf(iaca(4)), akiOf(iaca(5))];
    const values = fc.subarray([akiOf(top), akiOf(middle), ...strangers], { minLength: 1 });
    fc.assert(
      fc.property(values, (wanted) => {
        const expected = wanted.some((value) => !strangers.includes(value));
        expect(isBelow(chain, [{ type: 'aki', values: wanted }])).to.equal(expected);
      }),
      { numRuns: 20 },
    );
  });

  it('a trust list stands for its entries', () => {
    const root = iaca();
    const authorities = [{ type: 'etsi_tl', values: ['https://other.example', list] }];
    expect(isBelow([documentSigner(root)], authorities, [root])).to.equal(true);
    expect(isBelow([documentSigner(root)], authorities, [iaca(1)])).to.equal(false);
    expect(isBelow([documentSigner(root)], authorities)).to.equal(false);
  });

  it('any of several authorities is enough, and one of an unknown kind has no issuers', () => {
    const root = iaca();
    const chain = [documentSigner(root)];
    const unknown = { type: 'elsewhere', values: ['https://federation.example'] };
    expect(isBelow(chain, [unknown, { type: 'aki', values: [akiOf(root)] }])).to.equal(true);
    expect(isBelow(chain, [unknown])).to.equal(false);
  });

  it('property: an issuer is below an entity exactly when the entity is in one of its trust chains', () => {
    const issuer = { kind: 'url', id: 'https://issuer.example' } as const;
    const entities = fc.subarray(['https://a.example', 'https://b.example', 'https://c.example']);
    fc.assert(
      fc.property(entities, entities, (proven, values) => {
        const parts = { certificates, lists: new Map(), entities: new Map([[issuer, new Set(proven)]]), now: 0 };
        const below = (one: IssuerReference, type: string) => isBelowAuthority(one, [{ type, values }], parts);
        expect(below(issuer, 'openid_federation')).to.equal(values.some((value) => proven.includes(value)));
        expect([below({ ...issuer }, 'openid_federation'), below(issuer, 'etsi_tl')]).to.deep.equal([false, false]);
      }),
    );
  });

  it('an issuer without certificates, or with others than certificates, is below none', () => {
    const authorities = [{ type: 'aki', values: [akiOf(iaca())] }];
    const parts = { certificates, lists: new Map(), entities: new Map(), now: Date.now() };
    expect(isBelowAuthority({ kind: 'did', id: 'did:key:z' }, authorities, parts)).to.equal(false);
    const broken = { kind: 'certificates', id: 'x', chain: [Uint8Array.of(1)] } as const;
    expect(isBelowAuthority(broken, authorities, parts)).to.equal(false);
    const bare = makeCertificate({ keys: testKeys('P-256', 2) });
    expect(isBelow([bare], authorities)).to.equal(false);
  });
});

describe('trusted_authorities', () => {
  it('are read in the form of the specification, also those of kinds that are not known', () => {
    const authorities = [
      { type: 'aki', values: ['s9tIpPmhxdiuNkHMEWNpYim8S8Y'] },
      { type: 'elsewhere', values: ['x'] },
    ];
    expect(queryWith(authorities).credentials[0]?.trustedAuthorities).to.deep.equal(authorities);
  });

  it('are refused in any other form, naming the part', () => {
    const aki = { type: 'aki', values: ['AA'] };
    const cases: [unknown, RegExp][] = [
      [[], /^credentials\[0]\.trusted_authorities: must be a list of 1 to 16/],
      [Array.from({ length: 17 }, () => aki), /trusted_authorities: must be a list of 1 to 16/],
      [[7], /trusted_authorities\[0]: must be a trusted authorities/],
      [[{ ...aki, type: 7 }], /trusted_authorities\[0]\.type: /],
      [[{ ...aki, values: [] }], /trusted_authorities\[0]\.values: must be a list of 1 to 64/],
      [[{ ...aki, values: ['AA', 7] }], /trusted_authorities\[0]\.values\[1]: must be a string/],
      [[{ ...aki, values: ['A=='] }], /trusted_authorities\[0]\.values\[0]: must be a key identifier/],
      [[{ type: 'etsi_tl', values: ['x'.repeat(2049)] }], /trusted_authorities\[0]\.values\[0]: must be a string/],
    ];
    for (const [authorities, expected] of cases) expect(() => queryWith(authorities)).to.throw(expected);
  });

  it('must be of kinds that can be judged when a request is created, lists being configured ones', () => {
    const check =
      (authorities: unknown, lists: string[] = [], hasFederations = false) =>
      () =>
        checkAuthorities(queryWith(authorities), { lists, hasFederations });
    const listed = [
      { type: 'aki', values: ['AA'] },
      { type: 'etsi_tl', values: [list] },
    ];
    expect(check(listed, [list])).not.to.throw();
    expect(check(listed)).to.throw(/trusted_authorities\[1]\.values\[0]: is not the URL of a trust list/);
    expect(check([{ type: 'elsewhere', values: ['https://x.example'] }])).to.throw(
      /trusted_authorities\[0]\.type: the only kinds that are supported are aki, etsi_tl, openid_federation/,
    );
    const federated = [{ type: 'openid_federation', values: ['https://x.example'] }];
    expect(check(federated, [], true)).not.to.throw();
    expect(check(federated)).to.throw(/trusted_authorities\[0]\.type: needs a trust anchor of a federation/);
  });
});
