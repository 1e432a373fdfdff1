import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier, Certificate, type TBSCertificate } from '@peculiar/asn1-x509';
import { expect } from 'chai';
import fc from 'fast-check';
import { NodeCertificates } from '../../adapters/crypto/certificates.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';
import { validatePath } from '../../domain/x509/path-validation.ts';
import type { ParsedCertificate } from '../../ports/certificates.ts';
import { cpuMs } from '../support/runs/cpu.ts';
import { type CertificateSpec, makeCertificate, testKeys } from '../support/trust/certificates.ts';
import { otherName } from '../support/trust/general-names.ts';

const certificates = new NodeCertificates();
const keys = testKeys('P-256', 0);
const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));

/** The certificate, or undefined when it was refused with the specified error. */
function parsed(der: Uint8Array): ParsedCertificate | undefined {
  try {
    return certificates.parse(der);
  } catch (error) {
    if (isDomainError(error, 'BadRequest')) return undefined;
    throw error;
  }
}

const root = makeCertificate({ subject: 'CN=Root,O=A', keys, ca: true, permitted: [{ dNSName: 'example.com' }] });
const leaf = makeCertificate({
  subject: 'C=DE,CN=Leaf',
  keys: testKeys('RSA'),
  issuer: root,
  altNames: [{ dNSName: 'a.example.com' }, { rfc822Name: 'a@b.example' }, { iPAddress: '10.0.0.1' }, otherName()],
});

/** A certificate with one extension of this value. */
const withExtension = (oid: string, hex: string): Uint8Array =>
  makeCertificate({ keys, keyUsage: null, extensions: [{ oid, value: bytes(hex) }] }).der;

/** A certificate that is changed after it was signed. */
function changed(spec: CertificateSpec, change: (tbs: TBSCertificate, whole: Certificate) => void): Uint8Array {
  const whole = AsnConvert.parse(makeCertificate({ keys, ...spec }).der, Certificate);
  change(whole.tbsCertificate, whole);
  whole.tbsCertificateRaw = undefined;
  return new Uint8Array(AsnConvert.serialize(whole));
}

/** The bytes with one run replaced by another of the same length. */
function replaced(der: Uint8Array, from: string | Uint8Array, to: string | Uint8Array): Uint8Array {
  const copy = Buffer.from(der);
  const at = copy.indexOf(from);
  if (at < 0) throw new Error('there is nothing to replace');
  copy.set(Buffer.from(to), at);
  return Uint8Array.from(copy);
}

/** A certificate whose signature algorithm is RSASSA-PSS with these parameters. */
const withPss = (hex: string): Uint8Array =>
  changed({}, (tbs, whole) => {
    const algorithm = { algorithm: '1.2.840.113549.1.1.10', parameters: new Uint8Array(bytes(hex)).buffer };
    whole.signatureAlgorithm = new AlgorithmIdentifier(algorithm);
    tbs.signature = new AlgorithmIdentifier(algorithm);
  });

/** `hashAlgorithm [0]` of RSASSA-PSS-params with SHA-256. */
const SHA256_FIELD = 'a00d 300b 0609 608648016503040201';

const plain = () => makeCertificate({ keys }).der;
const nested = (depth: number) => {
  let value = Uint8Array.of(5, 0);
  for (let level = 0; level < depth; level++) {
    const length = value.length < 128 ? [value.length] : [0x82, value.length >> 8, value.length & 0xff];
    value = Uint8Array.of(0x30, ...length, ...value);
  }
  return value;
};

const MALFORMED: [string, () => Uint8Array][] = [
  ['nothing', () => new Uint8Array(0)],
  ['text', () => Buffer.from('-----BEGIN CERTIFICATE-----')],
  ['the PEM form', () => Buffer.from(leaf.pem)],
  ['an empty sequence', () => bytes('3000')],
  ['another structure', () => new Uint8Array(keys.publicKey.export({ format: 'der', type: 'spki' }))],
  ['a trailing byte', () => Uint8Array.of(...leaf.der, 0)],
  ['two certificates', () => Uint8Array.of(...leaf.der, ...root.der)],
  ['a missing byte', () => leaf.der.slice(0, -1)],
  ['more than 16 KiB', () => Uint8Array.of(...leaf.der, ...new Uint8Array(16 * 1024))],
  [
    'a well-formed certificate of more than 16 KiB',
    () => makeCertificate({ keys, extensions: [{ oid: '1.2.3', value: new Uint8Array(17_000) }] }).der,
  ],
  ['an indefinite length', () => Uint8Array.of(0x30, 0x80, ...leaf.der.slice(4), 0, 0)],
  ['a length in a longer form', () => Uint8Array.of(0x30, 0x83, 0, ...leaf.der.slice(2))],
  ['endless nesting', () => nested(1000)],
  ['a length of gigabytes', () => bytes('3084ffffffff02')],
  ['a NUL in the subject', () => makeCertificate({ keys, subject: 'CN=a\0b' }).der],
  [
    'a NUL in a BMPString',
    () => replaced(makeCertificate({ keys, subject: 'CN=XXXX' }).der, bytes('1304 58585858'), bytes('1e04 00410000')),
  ],
  ['a NUL in a DNS name', () => makeCertificate({ keys, altNames: [{ dNSName: 'good.example\0.evil' }] }).der],
  ['a NUL in an e-mail name', () => makeCertificate({ keys, altNames: [{ rfc822Name: 'a@good.example\0.evil' }] }).der],
  ['a DNS name outside ASCII', () => makeCertificate({ keys, altNames: [{ dNSName: 'é.example' }] }).der],
  [
    'broken UTF-8 in a name',
    () => replaced(makeCertificate({ keys, subject: 'CN=äXX' }).der, bytes('c3a4'), bytes('c341')),
  ],
  [
    'letters outside ASCII in a PrintableString',
    () => replaced(makeCertificate({ keys, subject: 'CN=XXXX' }).der, 'XXXX', bytes('58e45858')),
  ],
  ['a month 13', () => replaced(plain(), bytes('170d'), bytes('170d323431333031303030303030'))],
  ['a time with an offset', () => replaced(plain(), bytes('170d'), bytes('170d323430313031303030302b3031'))],
  ['an unknown version', () => changed({}, (tbs) => Object.assign(tbs, { version: 7 }))],
  [
    'two signature algorithms',
    () =>
      changed({}, (_, whole) =>
        Object.assign(whole, { signatureAlgorithm: new AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.3' }) }),
      ),
  ],
  [
    'a public key that is none',
    () =>
      changed({}, (tbs) => Object.assign(tbs.subjectPublicKeyInfo, { subjectPublicKey: new Uint8Array(65).buffer })),
  ],
  ['RSASSA-PSS with parameters that are no sequence', () => withPss('0500')],
  ['RSASSA-PSS with a field that is not known', () => withPss('3005 a403 020120')],
  ['RSASSA-PSS with its fields in another order', () => withPss(`3014 a203020120 ${SHA256_FIELD}`)],
  ['RSASSA-PSS with two digests', () => withPss(`301e ${SHA256_FIELD} ${SHA256_FIELD}`)],
  ['RSASSA-PSS with an empty digest', () => withPss('3002 a000')],
  ['RSASSA-PSS with a digest that is no algorithm', () => withPss('3005 a003 020120')],
  ['a serial number with needless zeros', () => replaced(plain(), bytes('020901'), bytes('02090000'))],
  ['alternative names that are empty', () => withExtension('2.5.29.17', '3000')],
  ['alternative names that are no list', () => withExtension('2.5.29.17', '0500')],
  ['alternative names with trailing bytes', () => withExtension('2.5.29.17', '3003 820161 00')],
  ['an alternative name of an unknown form', () => withExtension('2.5.29.17', '3003 8a0161')],
  ['name constraints that are empty', () => withExtension('2.5.29.30', '3000')],
  ['name constraints in the wrong order', () => withExtension('2.5.29.30', '300e a1053003820161 a0053003820161')],
  ['name constraints with a maximum', () => withExtension('2.5.29.30', '300a a0083006 820161 810101')],
  ['name constraints with a minimum', () => withExtension('2.5.29.30', '300a a0083006 820161 800101')],
  ['a negative path length', () => withExtension('2.5.29.19', '3006 0101ff 0201ff')],
  ['basic constraints with a third member', () => withExtension('2.5.29.19', '3009 0101ff 020100 020100')],
  ['a boolean that is neither 0 nor 255', () => withExtension('2.5.29.19', '3003 010101')],
  ['a key usage that is an integer', () => withExtension('2.5.29.15', '020106')],
  ['a key usage with stray bits', () => withExtension('2.5.29.15', '0302 0507')],
  ['purposes that are no list', () => withExtension('2.5.29.37', '0500')],
];

describe('Certificates.parse: hostile input', () => {
  for (const [what, make] of MALFORMED)
    it(`refuses ${what}`, () => {
      const der = make();
      expect(() => certificates.parse(der))
        .to.throw()
        .with.property('code', 'BadRequest');
    });

  it('reads the digest of RSASSA-PSS from parameters that are whole: SHA-1 when they name none', () => {
    expect(parsed(withPss('3000'))?.signature.digest).to.equal('sha1');
    expect(parsed(withPss(`300f ${SHA256_FIELD}`))?.signature.digest).to.equal('sha256');
    expect(parsed(withPss('3009 a007 3005 0603 2a0304'))?.signature.digest).to.equal('unknown');
  });

  it('refuses a certificate with another one inside as PEM text, which native parsers would prefer', () => {
    const inner = Uint8Array.from(Buffer.from(`\n${leaf.pem}\n`));
    const { der } = makeCertificate({
      subject: 'CN=Forged',
      keys,
      ca: true,
      extensions: [{ oid: '1.2.3', value: inner }],
    });
    expect(parsed(der)).to.equal(undefined);
  });

  it('does not accept explicit curve parameters for the named curve that they resemble', () => {
    const der = changed({}, (tbs) => {
      tbs.subjectPublicKeyInfo.algorithm.parameters = bytes('3000').buffer as ArrayBuffer;
    });
    expect(parsed(der)?.publicKey.kind ?? 'other').to.equal('other');
  });

  it('parses a path length that exceeds any path', () => {
    expect(parsed(withExtension('2.5.29.19', '300b 0101ff 0206 010000000000'))?.basicConstraints).to.deep.equal({
      ca: true,
      pathLength: 2 ** 40,
    });
  });

  it('keeps an extension value that is not DER unchanged when the extension is not interpreted', () => {
    const value = new OctetString(Uint8Array.of(1, 2, 3));
    expect(
      parsed(makeCertificate({ keys, extensions: [{ oid: '1.2.3.4', value: new Uint8Array(value.buffer) }] }).der),
    ).to.not.equal(undefined);
  });

  it('property: any bytes are a certificate or BadRequest', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (junk) => {
        expect(parsed(junk)).to.equal(undefined);
        expect(parsed(Uint8Array.of(0x30, 0x82, junk.length >> 8, junk.length & 0xff, ...junk))).to.equal(undefined);
      }),
      { numRuns: 500 },
    );
  });

  it('property: a certificate with changed, cut, added or repeated bytes is never trusted', () => {
    const anchor = certificates.parse(root.der);
    const signedBy = certificates.signedBy.bind(certificates);
    const trusted = (der: Uint8Array) => {
      const certificate = parsed(der);
      return (
        certificate !== undefined &&
        validatePath({ chain: [certificate], anchors: [anchor], now: Date.now(), signedBy }).valid
      );
    };
    expect(trusted(leaf.der)).to.equal(true);
    const place = fc.nat({ max: leaf.der.length - 1 });
    fc.assert(
      fc.property(place, fc.nat({ max: 4 }), fc.uint8Array({ maxLength: 4 }), (at, removed, added) => {
        const der = Uint8Array.of(...leaf.der.slice(0, at), ...added, ...leaf.der.slice(at + removed));
        expect(trusted(der)).to.equal(Buffer.compare(der, leaf.der) === 0);
      }),
      { numRuns: 3000 },
    );
  });

  it('parses the largest certificate within a bounded time', async () => {
    const altNames = Array.from({ length: 1400 }, (_, index) => ({ dNSName: `n${index}.a` }));
    const { der } = makeCertificate({ keys, altNames });
    expect(der.length).to.be.within(11_000, 16 * 1024);
    const ms = await cpuMs(() => expect(certificates.parse(der).subjectAltNames).to.have.length(1400));
    expect(ms).to.be.below(1000);
  });
});
