import { verify, X509Certificate } from 'node:crypto';
import { type CoseKey, IssuerSigned, type MdocContext, type Sign1, SignatureAlgorithm } from '@owf/mdoc';
import { expect } from 'chai';
import { digest } from '../../domain/foundation/bytes.ts';
import { iaca, issueMdoc, MDL } from '../support/credentials/mdoc-issuer.ts';
import { makeCertificate, testKeys } from '../support/trust/certificates.ts';
import type { Verdict } from './mdl-judge.ts';
import { mdlVerdict } from './mdl-verdict.ts';

const LICENCE = {
  [MDL.namespace]: {
    family_name: 'Doe',
    given_name: 'Jürgen',
    birth_date: '1980-01-31',
    issue_date: '2026-01-02T03:04:05Z',
    issuing_country: 'UT',
    portrait: Buffer.from([0xff, 0xd8, 0xff, 0xe0]).toString('base64url'),
    age_over_18: true,
    height: 180,
    driving_privileges: [{ vehicle_category_code: 'B', issue_date: '2018-08-09' }],
  },
  'org.iso.18013.5.1.aamva': { DHS_compliance: 'F', weight: 2.5 },
};

const KEY_TYPES = ['secp256r1', 'secp384r1', 'secp521r1', 'Ed25519'] as const;

const ELEMENTS = Object.fromEntries(Object.entries(LICENCE).map(([name, elements]) => [name, Object.keys(elements)]));
const judged = (text: string, authority: string): Promise<Verdict> =>
  mdlVerdict({ text, authority, elements: ELEMENTS });

describe('mdocs before the verifiers of other projects', () => {
  it('@auth0/mdl parses them, presents them with the key of the holder and verifies them below the authority', async () => {
    for (const keyType of KEY_TYPES) {
      const verdict = await judged(await issueMdoc({ document: LICENCE }, keyType), iaca.pem);
      const licence = LICENCE[MDL.namespace];
      const portrait = Buffer.from(licence.portrait, 'base64url').toString('hex');
      const issue_date = '2026-01-02T03:04:05.000Z';
      expect(verdict, keyType).to.deep.equal({
        elements: { ...LICENCE, [MDL.namespace]: { ...licence, portrait, issue_date } },
      });
    }
  });

  it('@auth0/mdl refuses them below another authority, and with a changed element', async () => {
    const text = await issueMdoc({ document: LICENCE });
    const other = makeCertificate({ subject: 'CN=Utopia IACA,C=UT', ca: true, keys: testKeys('P-256', 43) });
    expect(await judged(text, other.pem))
      .to.have.property('refusal')
      .that.includes('certificate');
    const bytes = Buffer.from(text, 'base64url');
    bytes.write('Roe', bytes.indexOf('Doe'));
    expect(await judged(bytes.toString('base64url'), iaca.pem))
      .to.have.property('refusal')
      .that.includes('digest');
  });

  it('@owf/mdoc verifies them with the certificate of the authority as its only trust', async () => {
    for (const keyType of KEY_TYPES) {
      const text = await issueMdoc({ document: LICENCE }, keyType);
      const issuerSigned = IssuerSigned.fromEncodedForOid4Vci(text);
      const checks: string[] = [];
      await issuerSigned.verify(
        {
          trustedCertificates: [iaca.der],
          verificationCallback: ({ status, check }) => {
            if (status !== 'PASSED') expect.fail(check);
            checks.push(check);
          },
        },
        CONTEXT,
      );
      expect(checks.filter((check) => check.includes('digest')).length).to.be.at.least(11);
      expect(checks).to.include('Issuer certificate must be valid');
    }
  });
});

const HASHES: Partial<Record<number, string | null>> = {
  [SignatureAlgorithm.ES256]: 'sha256',
  [SignatureAlgorithm.ES384]: 'sha384',
  [SignatureAlgorithm.ES512]: 'sha512',
  [SignatureAlgorithm.EdDSA]: null,
};

/** What the library verifies with: node:crypto throughout; the key travels as the certificate that it is in. */
const CONTEXT = {
  crypto: { digest: ({ bytes }: { bytes: Uint8Array }) => digest('sha256', bytes) },
  cose: {
    sign1: {
      verify: ({ sign1 }: { sign1: Sign1; key: CoseKey }) => {
        const key = new X509Certificate(sign1.certificate).publicKey;
        const hash = HASHES[Number(sign1.protectedHeaders.headers.get(1))];
        return verify(hash, sign1.toBeSigned, { key, dsaEncoding: 'ieee-p1363' }, sign1.signature);
      },
    },
  },
  x509: {
    getIssuerNameField: ({ certificate, field }: { certificate: Uint8Array; field: string }) =>
      new X509Certificate(certificate).subject
        .split('\n')
        .filter((part) => part.startsWith(`${field}=`))
        .map((part) => part.slice(field.length + 1)),
    getPublicKey: () => undefined,
    verifyCertificateChain: ({
      trustedCertificates,
      x5chain,
    }: {
      trustedCertificates: Uint8Array[];
      x5chain: Uint8Array[];
    }) => {
      const [leaf = new Uint8Array()] = x5chain;
      const roots = trustedCertificates.map((der) => new X509Certificate(der).publicKey);
      if (!roots.some((root) => new X509Certificate(leaf).verify(root))) throw new Error('not trusted');
    },
    getCertificateData: ({ certificate }: { certificate: Uint8Array }) => {
      const { validFrom, validTo, issuer } = new X509Certificate(certificate);
      return { notBefore: new Date(validFrom), notAfter: new Date(validTo), issuerName: issuer };
    },
  },
} as unknown as MdocContext;
