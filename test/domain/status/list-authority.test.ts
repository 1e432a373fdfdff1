import { expect } from 'chai';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { ListAuthority } from '../../../domain/status/list-authority.ts';
import { rootAnchors } from '../../../domain/trust/trust-anchors.ts';
import { STATUS_SIGNING } from '../../../domain/x509/signer-profiles.ts';
import type { IssuerReference } from '../../../ports/credential-formats.ts';
import {
  type CertificateSpec,
  DAY,
  makeCertificate,
  type TestCertificate,
  testKeys,
} from '../../support/trust/certificates.ts';
import { documentSigner, iaca, usageExtension } from '../../support/trust/issuer-chains.ts';
import {
  GRANTED,
  jsonList,
  PID_ISSUANCE,
  PID_REVOCATION,
  type ServiceSpec,
  WITHDRAWN,
  xmlList,
} from '../../support/trust/trust-list-makers.ts';
import { testTrustLists } from '../../support/trust/trust-lists.ts';

const certificates = new NodeCertificates();
const [AUTHORITY, OTHER] = [iaca(1), iaca(2)];
const ISSUER = documentSigner(AUTHORITY);
const OTHER_USAGE = '1.3.6.1.5.5.7.3.99';

const below = (issuer: TestCertificate, number: number, spec: CertificateSpec = {}): TestCertificate =>
  makeCertificate({ subject: `C=ZZ,CN=Signer ${number}`, keys: testKeys('P-256', 300 + number), issuer, ...spec });

const forLists = { extensions: [usageExtension(STATUS_SIGNING)] };
const DELEGATE = below(AUTHORITY, 1, forLists);

const referenceTo = (...chain: TestCertificate[]): IssuerReference => ({
  kind: 'certificates',
  id: 'https://issuer.example',
  chain: chain.map(({ der }) => der),
});

interface World {
  roots?: TestCertificate[];
  lists?: string[];
  usages?: string[];
}

async function authorityWith({ roots = [AUTHORITY], lists = [], usages = [] }: World): Promise<ListAuthority> {
  const source = testTrustLists();
  const read = lists.map((list) => source.read({ kind: 'etsi', source: list, isUnsigned: true }));
  const etsi = await Promise.all(read);
  const pems = roots.map(({ pem }) => pem);
  return new ListAuthority({
    certificates,
    clock: { now: () => Date.now() },
    trust: { anchors: async () => ({ anchors: rootAnchors(pems, certificates), missing: [] }) },
    trustLists: { etsiLists: async () => etsi },
    statusSigningUsages: usages,
  });
}

/** Whether a list under this chain is the issuer's. */
async function isOwn(chain: TestCertificate[], issuer = referenceTo(ISSUER), world: World = {}): Promise<boolean> {
  const parsed = chain.map(({ der }) => certificates.parse(der));
  return (await authorityWith(world)).isOf({ chain: parsed }, { issuer });
}

describe('whose a status list is: the signer below the authority of the issuer', () => {
  it('a certificate for signing lists that the same authority issued, wherever that one is known from', async () => {
    expect(await isOwn([DELEGATE])).to.equal(true);
    expect(await isOwn([DELEGATE, AUTHORITY], undefined, { roots: [] })).to.equal(true);
    expect(await isOwn([DELEGATE], referenceTo(ISSUER, AUTHORITY), { roots: [] })).to.equal(true);
    const anchors = async () => [certificates.parse(AUTHORITY.der)];
    const authority = await authorityWith({ roots: [] });
    const signature = { chain: [certificates.parse(DELEGATE.der)] };
    expect(await authority.isOf(signature, { issuer: referenceTo(ISSUER), anchors })).to.equal(true);
  });

  it('usages of the configuration count, too', async () => {
    const signer = below(AUTHORITY, 2, { extensions: [usageExtension(OTHER_USAGE)] });
    expect(await isOwn([signer])).to.equal(false);
    expect(await isOwn([signer], undefined, { usages: [OTHER_USAGE] })).to.equal(true);
  });

  const intermediate = makeCertificate({
    subject: 'C=ZZ,CN=Below',
    ca: true,
    issuer: makeCertificate({ subject: 'C=ZZ,CN=Root', ca: true, keys: testKeys('P-256', 320) }),
    keys: testKeys('P-256', 321),
  });
  const refused: [what: string, chain: TestCertificate[]][] = [
    ['without the purpose', [below(AUTHORITY, 3)]],
    ['another purpose', [below(AUTHORITY, 3, { extensions: [usageExtension(OTHER_USAGE)] })]],
    ['another document signer of the authority', [documentSigner(AUTHORITY, { keys: testKeys('P-256', 201) })]],
    ['another authority', [below(OTHER, 4, forLists), OTHER]],
    ['another authority of the same name', [below(iaca(3, { subject: AUTHORITY.subject }), 5, forLists)]],
    ['an authority below another one', [below(intermediate, 6, forLists), intermediate]],
    ['expired', [below(AUTHORITY, 7, { ...forLists, notAfter: new Date(Date.now() - DAY / 2) })]],
    ['not valid yet', [below(AUTHORITY, 8, { ...forLists, notBefore: new Date(Date.now() + DAY) })]],
    ['no key for signatures', [below(AUTHORITY, 9, { ...forLists, keyUsage: 0x10 })]],
    ['signed by itself', [makeCertificate({ subject: 'CN=Self', keys: testKeys('P-256', 330), ...forLists })]],
    ['none', []],
  ];
  for (const [what, chain] of refused)
    it(`refused: ${what}`, async () => {
      const roots = [AUTHORITY, OTHER];
      expect(await isOwn(chain, undefined, { roots })).to.equal(false);
      expect(await isOwn([...chain, AUTHORITY], undefined, { roots })).to.equal(false);
    });

  it('refused: an authority with an RSA key that only the tokens bring', async () => {
    const rsa = makeCertificate({ subject: 'CN=RSA', ca: true, keys: testKeys('RSA', 340) });
    const [leaf, signer] = [below(rsa, 10), below(rsa, 11, forLists)];
    expect(await isOwn([signer, rsa], referenceTo(leaf, rsa), { roots: [] })).to.equal(false);
    expect(await isOwn([signer], referenceTo(leaf), { roots: [rsa] })).to.equal(true);
  });

  it('an issuer without certificates is believed under its name only', async () => {
    const authority = await authorityWith({});
    const chain = [certificates.parse(DELEGATE.der)];
    const issuer = { kind: 'did', id: 'did:example:1' } as const;
    expect(await authority.isOf({ chain }, { issuer })).to.equal(false);
    expect(await authority.isOf({ issuer: 'did:example:1', chain }, { issuer })).to.equal(true);
    expect(await authority.isOf({ issuer: 'did:example:2', chain }, { issuer: referenceTo(ISSUER) })).to.equal(false);
  });
});

describe('whose a status list is: the revocation service of a listed entity', () => {
  const REVOKER = below(OTHER, 20);
  const FORMATS = {
    'TS 119 602 (JSON)': (services: ServiceSpec[]) => JSON.stringify(jsonList({ services })),
    'TS 119 612 (XML)': (services: ServiceSpec[]) => xmlList({ services }),
  };
  const issuing = (certificate = ISSUER, more: object = {}): ServiceSpec => ({
    ...{ certificate, type: PID_ISSUANCE, status: GRANTED, entity: 'A' },
    ...more,
  });
  const revoking = (certificate = REVOKER, more: object = {}): ServiceSpec => ({
    ...{ certificate, type: PID_REVOCATION, status: GRANTED, entity: 'A' },
    ...more,
  });
  const later = new Date(Date.now() + DAY);
  const cases: [what: string, services: ServiceSpec[], chain: TestCertificate[], expected: boolean][] = [
    ['of the same entity', [issuing(), revoking()], [REVOKER], true],
    ['of the same entity, by the authorities of both', [issuing(AUTHORITY), revoking(OTHER)], [REVOKER], true],
    ['of another entity', [issuing(), revoking(REVOKER, { entity: 'B' })], [REVOKER], false],
    [
      'of another entity that issues, too',
      [issuing(), issuing(below(OTHER, 21), { entity: 'B' }), revoking(REVOKER, { entity: 'B' })],
      [REVOKER],
      false,
    ],
    [
      'the issuance service of the same entity',
      [issuing(), issuing(REVOKER), revoking(below(OTHER, 22))],
      [REVOKER],
      false,
    ],
    ['of an entity that the issuer is no issuance service of', [revoking(ISSUER), revoking()], [REVOKER], false],
    ['withdrawn', [issuing(), revoking(REVOKER, { status: WITHDRAWN })], [REVOKER], false],
    [
      'of an issuance service that is withdrawn',
      [issuing(ISSUER, { status: WITHDRAWN }), revoking()],
      [REVOKER],
      false,
    ],
    ['not begun', [issuing(), revoking(REVOKER, { since: later })], [REVOKER], false],
    ['another signer than the listed one', [issuing(), revoking()], [below(OTHER, 23)], false],
    ['expired', [issuing(), revoking(OTHER)], [below(OTHER, 24, { notAfter: new Date(Date.now() - DAY / 2) })], false],
  ];
  for (const [format, write] of Object.entries(FORMATS))
    for (const [what, services, chain, expected] of cases)
      it(`${expected ? 'believed' : 'refused'} in a list of ${format}: ${what}`, async () => {
        expect(await isOwn(chain, undefined, { lists: [write(services)] })).to.equal(expected);
        if (expected) expect(await isOwn(chain)).to.equal(false);
      });

  it('refused: the two services in two lists', async () => {
    const lists = [[issuing()], [revoking()]].map(FORMATS['TS 119 602 (JSON)']);
    expect(await isOwn([REVOKER], undefined, { lists })).to.equal(false);
  });
});
