import { expect } from 'chai';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { readAnchors } from '../../../domain/x509/trust-anchors.ts';
import { DAY, makeCertificate, pemOf, testCa, testKeys, testLeaf } from '../../support/trust/certificates.ts';

const certificates = new NodeCertificates();
const read = (texts: string[], now = Date.now()) =>
  readAnchors({ certificates: texts, now, parse: (der) => certificates.parse(der) });

describe('readAnchors', () => {
  const good = testCa().pem;

  it('reads every certificate, with any line breaks', () => {
    const other = makeCertificate({ subject: 'CN=Other CA', ca: true, keys: testKeys('P-256') });
    const spellings = [other.pem, other.pem.replaceAll('\n', '\r\n'), `\n ${other.pem.trim()} `];
    for (const spelling of spellings) expect(read([good, spelling])).to.have.length(2);
    const [head = '', ...lines] = other.pem.trim().split('\n');
    expect(read([`${head}${lines.join('')}`])).to.have.length(1);
  });

  it('names file and entry of the one unusable certificate', () => {
    const now = Date.now();
    const spoiled: [string, RegExp][] = [
      ['', /is not one certificate in PEM form$/],
      ['no PEM', /is not one certificate in PEM form$/],
      [good + good, /is not one certificate in PEM form$/],
      [pemOf(Buffer.from('junk')), /is not an X\.509 certificate$/],
      [testLeaf().pem, /is not a certificate authority$/],
      [makeCertificate({ ca: true, notAfter: new Date(now - DAY) }).pem, /has expired$/],
      [makeCertificate({ ca: true, notBefore: new Date(now + DAY) }).pem, /is not valid yet$/],
      [makeCertificate({ ca: true, keys: testKeys('RSA1024') }).pem, /has a weak key$/],
    ];
    for (const [pem, why] of spoiled) {
      expect(() => read([good, good, pem])).to.throw(Error, /^trusted-ca\.conf: certificates\[2\] /);
      expect(() => read([pem])).to.throw(Error, why);
    }
  });

  it('refuses an empty list, which would make every login fail', () => {
    expect(() => read([])).to.throw(Error, 'trusted-ca.conf: certificates must contain at least one certificate');
  });
});
