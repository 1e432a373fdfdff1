import { webcrypto } from 'node:crypto';
import { KeyUsageFlags } from '@peculiar/asn1-x509';
import { PemConverter, X509CertificateGenerator } from '@peculiar/x509';
import { expect } from 'chai';
import { NodeCertificates } from '../../adapters/crypto/certificates.ts';
import { CACHE_BYTES } from '../../domain/foundation/cache-bounds.ts';
import { isSameName } from '../../domain/x509/name-constraints.ts';
import { type KeyName, makeCertificate, testKeys } from '../support/trust/certificates.ts';
import { directoryName, otherName, smtpUtf8Mailbox } from '../support/trust/general-names.ts';

const certificates = new NodeCertificates();
const keys = testKeys('P-256', 0);

describe('Certificates.parse', () => {
  it('reads every extension that matters', () => {
    const made = makeCertificate({
      subject: 'C=DE,O=A,CN=x,E=ann@example.com',
      keys,
      ca: true,
      pathLength: 3,
      keyUsage: KeyUsageFlags.keyCertSign | KeyUsageFlags.digitalSignature | KeyUsageFlags.decipherOnly,
      permitted: [{ dNSName: 'example.com' }, { iPAddress: '10.0.0.0/8' }],
      excluded: [directoryName('O=B')],
      altNames: [
        { dNSName: 'a.example' },
        { rfc822Name: 'a@b.example' },
        { uniformResourceIdentifier: 'https://a.example/' },
        { iPAddress: '2001:db8::1' },
        directoryName('O=B,CN=y'),
        { registeredID: '1.2.3' },
        otherName(),
        smtpUtf8Mailbox('ä@example.com'),
      ],
      extensions: [
        { oid: '2.5.29.37', value: Uint8Array.from(Buffer.from('300a06082b06010505070302', 'hex')) },
        { oid: '1.2.3', critical: true, value: Uint8Array.of(5, 0) },
      ],
    });
    const { der, ...read } = certificates.parse(made.der);
    expect(der).to.deep.equal(made.der);
    expect(read.version).to.equal(3);
    expect(read.subject.rdns).to.have.length(4);
    expect(read.subject.emails).to.deep.equal(['ann@example.com']);
    expect(read.basicConstraints).to.deep.equal({ ca: true, pathLength: 3 });
    expect(read.keyUsage).to.deep.equal(['digitalSignature', 'keyCertSign', 'decipherOnly']);
    expect(read.extendedKeyUsage).to.deep.equal(['1.3.6.1.5.5.7.3.2']);
    expect(read.nameConstraints?.permitted).to.deep.equal([
      { type: 'dns', value: 'example.com' },
      { type: 'ip', bytes: Uint8Array.of(10, 0, 0, 0, 255, 0, 0, 0) },
    ]);
    expect(read.nameConstraints?.excluded.map(({ type }) => type)).to.deep.equal(['dirName']);
    expect(read.subjectAltNames.map(({ type }) => type)).to.deep.equal([
      'dns',
      'email',
      'uri',
      'ip',
      'dirName',
      'registeredID',
      'otherName',
      'otherName',
      'email',
    ]);
    expect(read.subjectAltNames.at(-1)).to.deep.equal({ type: 'email', value: 'ä@example.com' });
    expect(read.extensions.at(-1)).to.deep.equal({ oid: '1.2.3', critical: true });
  });

  it('reads the validity as milliseconds, before and after 2050', () => {
    const notBefore = Date.UTC(1999, 11, 31, 23, 59, 59);
    const notAfter = Date.UTC(9999, 11, 31, 23, 59, 59);
    const spec = { keys, notBefore: new Date(notBefore), notAfter: new Date(notAfter) };
    expect(certificates.parse(makeCertificate(spec).der)).to.include({ notBefore, notAfter });
  });

  const KEYS: [KeyName, object][] = [
    ['RSA', { kind: 'RSA', bits: 2048 }],
    ['RSA1024', { kind: 'RSA', bits: 1024 }],
    ['P-256', { kind: 'EC', bits: 256, curve: 'P-256' }],
    ['P-384', { kind: 'EC', bits: 384, curve: 'P-384' }],
    ['P-521', { kind: 'EC', bits: 521, curve: 'P-521' }],
    ['secp256k1', { kind: 'EC', bits: 256, curve: 'secp256k1' }],
    ['Ed25519', { kind: 'OKP', bits: 256, curve: 'Ed25519' }],
  ];
  for (const [name, facts] of KEYS)
    it(`reads a ${name} key and checks its signature`, () => {
      const certificate = certificates.parse(makeCertificate({ keys: testKeys(name) }).der);
      const other = certificates.parse(makeCertificate({ keys: testKeys(name, 1) }).der);
      const { jwk, ...rest } = certificate.publicKey;
      expect(rest).to.deep.equal(facts);
      expect(jwk).to.deep.equal(testKeys(name).publicKey.export({ format: 'jwk' }));
      expect(certificates.signedBy(certificate, certificate)).to.equal(true);
      expect(certificates.signedBy(certificate, other)).to.equal(false);
      expect(certificates.signedBy(other, certificate)).to.equal(false);
    });

  it('returns the size but no JWK of a curve that JOSE does not define', () => {
    const { publicKey } = certificates.parse(makeCertificate({ keys: testKeys('P-224') }).der);
    expect(publicKey).to.deep.equal({ kind: 'EC', bits: 224 });
  });

  it('names the digest of a signature', () => {
    const digest = (hash: 'md5' | 'sha1' | 'sha384' | 'sha512', name: KeyName) =>
      certificates.parse(makeCertificate({ hash, keys: testKeys(name) }).der).signature.digest;
    expect([digest('md5', 'RSA'), digest('sha1', 'RSA'), digest('sha384', 'RSA')]).to.deep.equal([
      'md5',
      'sha1',
      'sha384',
    ]);
    expect([digest('sha1', 'P-256'), digest('sha512', 'P-256')]).to.deep.equal(['sha1', 'sha512']);
    expect(digest('sha512', 'Ed25519')).to.equal('none');
  });

  for (const hash of ['SHA-1', 'SHA-256'])
    it(`parses a certificate of another generator: RSASSA-PSS with ${hash}`, async () => {
      const algorithm = { name: 'RSA-PSS', hash, publicExponent: Uint8Array.of(1, 0, 1), modulusLength: 2048 };
      const pair = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
      const signing = { ...algorithm, saltLength: 32 };
      const made = await X509CertificateGenerator.createSelfSigned({
        name: 'CN=PSS',
        keys: pair,
        signingAlgorithm: signing,
      });
      const certificate = certificates.parse(new Uint8Array(made.rawData));
      expect(certificate.signature.digest).to.equal(hash.replace('-', '').toLowerCase());
      expect(certificate.publicKey.bits).to.equal(2048);
      expect(certificates.signedBy(certificate, certificate)).to.equal(true);
    });

  it('treats a name as equal in every string type and never as equal to another name', () => {
    const typed = (tag: number, bytes: Buffer) => {
      const { der } = makeCertificate({ keys, subject: 'CN=XXXX' });
      const at = Buffer.from(der).lastIndexOf('XXXX') - 2;
      return certificates.parse(
        Uint8Array.from([...der.slice(0, at), tag, bytes.length, ...bytes, ...der.slice(at + 6)]),
      ).subject;
    };
    const names = [0x0c, 0x13, 0x14, 0x16].map((tag) => typed(tag, Buffer.from('aB c')));
    names.push(typed(0x1e, Buffer.from('\0a\0b'.normalize(), 'latin1')));
    const [first] = names;
    expect(names.map((name) => first && isSameName(first, name))).to.deep.equal([true, true, true, true, false]);
  });

  it('returns the same result for the same bytes, also when the caller changes its copy', () => {
    const { der } = makeCertificate({ keys, subject: 'CN=Kept' });
    const mine = Uint8Array.from(der);
    const first = certificates.parse(mine);
    mine.fill(0);
    expect(certificates.parse(der)).to.equal(first);
    expect(first.der).to.deep.equal(der);
  });

  it('caches certificates up to its size in bytes, the last used ones', () => {
    const reader = new NodeCertificates();
    const { der } = makeCertificate({ keys, subject: 'CN=Used' });
    const most = Math.ceil(CACHE_BYTES.certificates / der.length);
    const idle = makeCertificate({ keys, subject: 'CN=Idle' }).der;
    const serial = Buffer.from(der).indexOf(Buffer.of(2, 9, 1)) + 3;
    const first = reader.parse(der);
    const forgotten = reader.parse(idle);
    for (let count = 0; count < most / 8; count++) {
      const other = Uint8Array.from(der);
      other.set([count >> 8, count & 0xff], serial);
      reader.parse(other);
      if (count % 500 === 0) expect(reader.parse(der)).to.equal(first);
    }
    expect(reader.parse(der)).to.equal(first);
    expect(reader.parse(idle)).to.deep.equal(forgotten);
    expect(reader.parse(idle)).to.not.equal(forgotten);
  });

  it('parses the DER inside PEM that it created', () => {
    const made = makeCertificate({ keys });
    expect(new Uint8Array(PemConverter.decodeFirst(made.pem))).to.deep.equal(made.der);
  });
});
