import { expect } from 'chai';
import fc from 'fast-check';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { type ChainPurpose, decideChain, type TrustDecision } from '../../../domain/trust/chain-trust.ts';
import { IssuerTrust } from '../../../domain/trust/issuer-trust.ts';
import { countryViolation } from '../../../domain/trust/issuing-country.ts';
import { akiValues, readRootCertificates, type TrustAnchor } from '../../../domain/trust/trust-anchors.ts';
import type { IssuerReference } from '../../../ports/credential-formats.ts';
import { testFormats } from '../../support/credentials/formats.ts';
import { DAY, makeCertificate, type TestCertificate, testKeys } from '../../support/trust/certificates.ts';
import { noChains } from '../../support/trust/federation.ts';
import { akiOf, documentSigner, iaca, usageExtension } from '../../support/trust/issuer-chains.ts';
import { testTrustLists } from '../../support/trust/trust-lists.ts';

const certificates = new NodeCertificates();
const now = Date.now();
const anchorOf = ({ der }: TestCertificate, docTypes?: string[]): TrustAnchor => ({
  certificate: certificates.parse(der),
  ...(docTypes && { docTypes }),
});

interface Asked {
  anchors?: TrustAnchor[];
  purpose?: ChainPurpose;
  at?: number;
  docType?: string;
}

const decide = (
  chain: TestCertificate[],
  { anchors = [], purpose = 'mdoc', at = now, docType }: Asked,
): TrustDecision =>
  decideChain({ chain: chain.map(({ der }) => der), anchors, purpose, docType, now: at }, certificates);

const refusal = (decision: TrustDecision): string =>
  decision.trusted ? 'trusted' : `${decision.code}: ${decision.reason}`;

const root = iaca();
const signer = documentSigner(root);
const anchors = [anchorOf(root)];

describe('decideChain', () => {
  it('trusts a document signer directly below an anchor, named or not, and says which anchor it is', () => {
    for (const chain of [[signer], [signer, root]]) {
      const decision = decide(chain, { anchors: [anchorOf(iaca(1)), ...anchors] });
      expect(decision).to.deep.equal({ trusted: true, anchor: anchors[0] });
    }
  });

  it('refuses each other chain with a code and a reason', () => {
    const other = iaca(1);
    const renamed = iaca(2, { subject: 'C=ZZ,O=Example,CN=Authority 0' });
    const middle = makeCertificate({ subject: 'C=ZZ,CN=Middle', issuer: root, ca: true, keys: testKeys('P-256', 3) });
    const wide = iaca(0, { pathLength: undefined });
    const cases: [string, TestCertificate[], Asked, RegExp][] = [
      ['no anchor', [signer], {}, /^no-trust-anchor: there is no trust anchor$/],
      ['an empty chain', [], { anchors }, /^chain-untrusted: the chain must have 1 to 10/],
      ['another authority', [documentSigner(other)], { anchors }, /^chain-untrusted: .*not issued by a trusted/],
      [
        'its name with another key',
        [documentSigner(renamed)],
        { anchors },
        /^chain-untrusted: .*not signed by the key/,
      ],
      ['a signer that made itself', [makeCertificate({ keys: testKeys('P-256', 4) })], { anchors }, /^chain-untrusted/],
      ['the signer of before', [signer], { anchors, at: now - 9 * DAY }, /^chain-invalid: .*not valid yet/],
      ['the signer of after', [signer], { anchors, at: now + 999 * DAY }, /^chain-invalid: .*expired/],
      ['the authority itself', [root], { anchors }, /^chain-unsuitable: .*of a certificate authority/],
      [
        'below another',
        [documentSigner(middle), middle],
        { anchors: [anchorOf(wide)] },
        /^chain-unsuitable: .*directly/,
      ],
      ['beyond the path length', [documentSigner(middle), middle], { anchors }, /^chain-invalid: .*longer/],
      [
        'an anchor below a root',
        [documentSigner(middle)],
        { anchors: [anchorOf(middle)] },
        /^chain-unsuitable: .*root/,
      ],
      [
        'no document signer',
        [documentSigner(root, { extensions: [usageExtension('1.0.18013.5.1.6')] })],
        { anchors },
        /^chain-unsuitable: .*extended key usage/,
      ],
      ['no usage at all', [documentSigner(root, { extensions: [] })], { anchors }, /^chain-unsuitable: .*extended/],
      [
        'a key that may not sign',
        [documentSigner(root, { keyUsage: 8 })],
        { anchors },
        /^chain-unsuitable: .*may not sign by its key usage/,
      ],
      [
        'a signer of another country',
        [documentSigner(root, { subject: 'C=AA,CN=Document signer' })],
        { anchors },
        /^chain-unsuitable: .*another country/,
      ],
    ];
    for (const [name, chain, asked, expected] of cases) expect(refusal(decide(chain, asked)), name).to.match(expected);
  });

  it('refuses bytes that are no certificate', () => {
    const question = { chain: [Uint8Array.of(1, 2)], anchors, purpose: 'mdoc', now } as const;
    expect(refusal(decideChain(question, certificates))).to.match(/^chain-malformed/);
  });

  it('property: a chain is trusted exactly when one of the anchors issued it, listed in any order', () => {
    const authorities = [0, 1, 2, 3].map((number) => iaca(number));
    fc.assert(
      fc.property(fc.nat(3), fc.shuffledSubarray([0, 1, 2, 3], { minLength: 1 }), (issuer, listed) => {
        const chain = [documentSigner(authorities[issuer] ?? root)];
        const decision = decide(chain, { anchors: listed.map((index) => anchorOf(authorities[index] ?? root)) });
        expect(decision.trusted).to.equal(listed.includes(issuer));
      }),
      { numRuns: 40 },
    );
  });

  it('a list limits an anchor to its document types, which another entry for the same authority does not', () => {
    const limited = [anchorOf(root, ['org.iso.18013.5.1.mDL'])];
    expect(decide([signer], { anchors: limited, docType: 'org.iso.18013.5.1.mDL' }).trusted).to.equal(true);
    expect(refusal(decide([signer], { anchors: limited, docType: 'other' }))).to.match(/^chain-untrusted/);
    expect(refusal(decide([signer], { anchors: limited }))).to.match(/^chain-untrusted/);
    expect(decide([signer], { anchors: [...limited, ...anchors], docType: 'other' }).trusted).to.equal(true);
  });

  it('a listed signer counts for itself alone, as long as it is valid, and issues nothing', () => {
    const listed = [anchorOf(signer)];
    expect(decide([signer], { anchors: listed }).trusted).to.equal(true);
    expect(decide([signer, root], { anchors: listed }).trusted).to.equal(true);
    expect(refusal(decide([signer], { anchors: listed, at: now + 999 * DAY }))).to.match(/^chain-invalid: .*expired/);
    const child = makeCertificate({ subject: 'C=ZZ,CN=Child', issuer: signer, keys: testKeys('P-256', 5) });
    expect(refusal(decide([child, signer], { anchors: listed, purpose: 'sd-jwt-vc' }))).to.match(/^chain-untrusted/);
  });

  it('a signer of SD-JWT VCs may stand below intermediates and needs no extended key usage', () => {
    const top = iaca(0, { pathLength: undefined });
    const middle = makeCertificate({ subject: 'C=ZZ,CN=Middle', issuer: top, ca: true, keys: testKeys('P-256', 3) });
    const leaf = documentSigner(middle, { subject: 'C=AA,CN=Signer', extensions: [] });
    expect(decide([leaf, middle], { anchors: [anchorOf(top)], purpose: 'sd-jwt-vc' }).trusted).to.equal(true);
    expect(refusal(decide([leaf], { anchors: [anchorOf(top)], purpose: 'sd-jwt-vc' }))).to.match(/^chain-untrusted/);
    expect(refusal(decide([top], { anchors: [anchorOf(top)], purpose: 'sd-jwt-vc' }))).to.match(/^chain-unsuitable/);
  });
});

describe('readRootCertificates', () => {
  const read = (value: unknown) => readRootCertificates(value, { certificates, now });

  it('returns up to 32 certificates of authorities as they are written', () => {
    const most = Array.from({ length: 32 }, () => root.pem);
    expect(read(most)).to.deep.equal(most);
    expect(read([])).to.deep.equal([]);
  });

  it('names the entry that cannot be trusted', () => {
    const old = iaca(5, { notAfter: new Date(now - DAY) });
    const cases: [unknown, RegExp][] = [
      ['x', /^must be a list of at most 32/],
      [Array.from({ length: 33 }, () => root.pem), /^must be a list of at most 32/],
      [[root.pem, 7], /^\[1]: must be a certificate/],
      [[root.pem.padEnd(16_385)], /^\[0]: must be a certificate in PEM form of at most 16384/],
      [[root.pem + root.pem], /^\[0]: is not one certificate/],
      [['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'], /^\[0]: is not an X.509/],
      [[root.pem, signer.pem], /^\[1]: is not a certificate authority/],
      [[old.pem], /^\[0]: has expired/],
    ];
    for (const [value, expected] of cases) expect(() => read(value)).to.throw(expected);
  });
});

describe('countryViolation', () => {
  const judged = (elements: object, { der } = signer, format = 'mso_mdoc') => {
    const issuer: IssuerReference = { kind: 'certificates', id: 'signer', chain: [der] };
    const claims = { 'org.iso.18013.5.1': elements };
    return countryViolation({ claims, issuer }, testFormats.get(format), certificates);
  };

  it('refuses an issuing country that is not that of the signer, or none at all', () => {
    expect(judged({ issuing_country: 'ZZ' })).to.equal(undefined);
    expect(judged({ issuing_country: 'zz' })).to.equal(undefined);
    for (const issuing_country of ['UT', '', 'ZZ ', 7, null, ['ZZ']])
      expect(judged({ issuing_country }), String(issuing_country)).to.match(/issuing_country is not the country/);
  });

  it('says nothing where the country is withheld, the certificate names none, or the format has no such rule', () => {
    const nameless = documentSigner(root, { subject: 'CN=Document signer' });
    expect(judged({ family_name: 'Doe' })).to.equal(undefined);
    expect(judged({ issuing_country: 'UT' }, nameless)).to.equal(undefined);
    expect(judged({ issuing_country: 'UT' }, signer, 'dc+sd-jwt')).to.equal(undefined);
  });
});

describe('IssuerTrust', () => {
  const trustOf = (configured: TestCertificate[] = [], acceptUnanchored = false) =>
    new IssuerTrust({
      certificates,
      clock: { now: () => now },
      formats: testFormats,
      lists: testTrustLists(),
      configured: configured.map(({ pem }) => pem),
      acceptUnanchored,
      trustChains: noChains,
    });
  const chained = (id: string, ...chain: TestCertificate[]): IssuerReference => ({
    kind: 'certificates',
    id,
    chain: chain.map(({ der }) => der),
  });
  const judged = async (trust: IssuerTrust, issuer: IssuerReference, format: string, roots?: string[]) =>
    refusal(trust.decide({ format, type: 't', issuer }, await trust.anchors(roots)));

  it('believes the anchors of the configuration and those of the request', async () => {
    const mdoc = chained('C=ZZ', signer);
    expect(await judged(trustOf([root]), mdoc, 'mso_mdoc')).to.equal('trusted');
    expect(await judged(trustOf(), mdoc, 'mso_mdoc', [root.pem])).to.equal('trusted');
    expect(await judged(trustOf([iaca(1)]), mdoc, 'mso_mdoc', [iaca(2).pem])).to.match(/^chain-untrusted/);
  });

  it('without an anchor, certificates prove nothing unless a DID that lists the key vouches for it', async () => {
    for (const [id, format] of [
      ['C=ZZ', 'mso_mdoc'],
      ['did:key:z', 'mso_mdoc'],
      ['https://issuer.example', 'dc+sd-jwt'],
      ['C=ZZ', 'dc+sd-jwt'],
    ] as const)
      expect(await judged(trustOf(), chained(id, signer), format), id).to.match(/^no-trust-anchor/);
    expect(await judged(trustOf(), chained('did:key:z', signer), 'dc+sd-jwt')).to.equal('trusted');
    expect(await judged(trustOf([iaca(1)]), chained('did:key:z', signer), 'dc+sd-jwt')).to.match(/^chain-untrusted/);
  });

  it('the operator may accept certificates without an anchor, which ends with the first anchor', async () => {
    const mdoc = chained('C=ZZ', signer);
    expect(await judged(trustOf([], true), mdoc, 'mso_mdoc')).to.equal('trusted');
    expect(await judged(trustOf([iaca(1)], true), mdoc, 'mso_mdoc')).to.match(/^chain-untrusted/);
    expect(await judged(trustOf([], true), mdoc, 'mso_mdoc', [iaca(1).pem])).to.match(/^chain-untrusted/);
  });

  it('says nothing about issuers that are named by a DID or URL alone', async () => {
    expect(await judged(trustOf([root]), { kind: 'did', id: 'did:key:z' }, 'jwt_vc_json')).to.equal('trusted');
    expect(await judged(trustOf([root]), { kind: 'url', id: 'https://i.example' }, 'dc+sd-jwt')).to.equal('trusted');
  });
});

describe('akiValues', () => {
  it('are the key identifiers of the anchors, each once', () => {
    const plain = iaca(3, { extensions: [] });
    expect(akiValues({ anchors: [root, plain, root].map((one) => anchorOf(one)) })).to.deep.equal([akiOf(root)]);
  });
});
