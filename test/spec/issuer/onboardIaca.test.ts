import { X509Certificate } from 'node:crypto';
import { X509Certificate as Read } from '@peculiar/x509';
import { expect } from 'chai';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { IACA_DATA, makeIaca } from '../../../demo/actors/authority.ts';
import { derOfPem } from '../../../domain/x509/pem.ts';
import { useServer } from '../../support/servers/server.ts';
import { DAY } from '../../support/trust/certificates.ts';

const certificates = new NodeCertificates();

describe('onboardIaca', () => {
  const server = useServer();
  const post = (changes: object, rest: object = {}) =>
    server.call('onboardIaca', { json: { certificateData: { ...IACA_DATA, ...changes }, ...rest } });
  const from = (days: number): string => new Date(server.clock.now() + days * DAY).toISOString();

  for (const [keyType, oid] of [
    ['secp256r1', '1.2.840.10045.4.3.2'],
    ['secp384r1', '1.2.840.10045.4.3.3'],
    ['secp521r1', '1.2.840.10045.4.3.4'],
  ] as const)
    it(`200: ${keyType}: a root for document signers, in the profile of ISO 18013-5`, async () => {
      const { iacaKey, certificatePEM, certificateData, certificateValidationResult } = await makeIaca(server, {
        keyType,
      });
      expect(iacaKey).to.have.nested.property('jwk.d');
      const parsed = certificates.parse(derOfPem(certificatePEM) ?? new Uint8Array());
      expect(parsed).to.deep.include({
        version: 3,
        issuer: parsed.subject,
        basicConstraints: { ca: true, pathLength: 0 },
        keyUsage: ['keyCertSign', 'cRLSign'],
      });
      expect(parsed.signature.oid).to.equal(oid);
      expect(parsed.extensions).to.deep.equal([
        { oid: '2.5.29.19', critical: true },
        { oid: '2.5.29.14', critical: false },
        { oid: '2.5.29.15', critical: true },
        { oid: '2.5.29.31', critical: false },
        { oid: '2.5.29.18', critical: false },
      ]);
      expect(certificates.signedBy(parsed, parsed)).to.equal(true);
      const native = new X509Certificate(certificatePEM);
      expect(native.verify(native.publicKey)).to.equal(true);
      expect(native.subject).to.equal('C=ZZ\nST=Example State\nO=Example Authority\nCN=Example IACA');
      expect(native.publicKey.export({ format: 'jwk' })).to.include({ x: Object(iacaKey.jwk).x });
      expect(new Read(certificatePEM).toString('text')).to.include('authority@example.org');
      expect(certificateData).to.deep.include(IACA_DATA);
      expect(certificateValidationResult).to.deep.equal([
        { validatorId: 'certification-path', severity: 'INFO', message: 'The path to the trust anchor is valid' },
      ]);
    });

  it('200: valid from now for 20 years unless the request says otherwise', async () => {
    const { certificateData: usual } = await makeIaca(server);
    const [begin, end] = [new Date(String(usual.notBefore)), new Date(String(usual.notAfter))];
    expect(begin.getTime()).to.be.within(server.clock.now() - 1000, server.clock.now());
    begin.setUTCFullYear(begin.getUTCFullYear() + 20);
    expect(end).to.deep.equal(begin);
    const dates = { notBefore: from(-30).replace(/\.\d+/, ''), notAfter: from(30).replace(/\.\d+/, '') };
    const { certificatePEM, certificateData } = await makeIaca(server, undefined, dates);
    expect(certificateData).to.include(dates);
    const { validFrom, validTo } = new X509Certificate(certificatePEM);
    expect([validFrom, validTo].map(Date.parse)).to.deep.equal([dates.notBefore, dates.notAfter].map(Date.parse));
  });

  it('200: serial numbers are positive, of 20 octets, and never the same', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => makeIaca(server)));
    const serials = made.map(({ certificatePEM }) => new X509Certificate(certificatePEM).serialNumber);
    for (const serial of serials) expect(serial).to.match(/^[4-7][0-9A-F]{39}$/);
    expect(new Set(serials).size).to.equal(8);
  });

  it('200: names in any script', async () => {
    for (const commonName of ['Führerscheinbehörde Köln', '運転免許', '#0403414243', 'a, b+c="d"', '🚗']) {
      const { certificatePEM } = await makeIaca(server, undefined, { commonName });
      expect(new Read(certificatePEM).subjectName.getField('CN')).to.deep.equal([commonName]);
    }
  });

  const refused: [string, object, string, object?][] = [
    ['an unknown country', { country: 'UT' }, 'certificateData/country'],
    ['a country in lower case', { country: 'at' }, 'certificateData/country'],
    ['a name with a control character', { commonName: 'a\u0000b' }, 'certificateData/commonName'],
    ['a name with space around it', { commonName: ' a' }, 'certificateData/commonName'],
    ['a name of 65 characters', { commonName: 'x'.repeat(65) }, 'certificateData/commonName'],
    ['an organization of 65 characters', { organizationName: 'x'.repeat(65) }, 'certificateData/organizationName'],
    ['no contact', { issuerAlternativeNameConf: {} }, 'certificateData/issuerAlternativeNameConf'],
    [
      'an email address without a host',
      { issuerAlternativeNameConf: { email: 'office' } },
      'certificateData/issuerAlternativeNameConf/email',
    ],
    [
      'a contact that is no http URL',
      { issuerAlternativeNameConf: { uri: 'javascript:1' } },
      'certificateData/issuerAlternativeNameConf/uri',
    ],
    [
      'a URL that is not ASCII',
      { crlDistributionPointUri: 'https://authority.example/ü' },
      'certificateData/crlDistributionPointUri',
    ],
    ['a date that is none', { notBefore: 'yesterday' }, 'certificateData/notBefore'],
    ['a day that does not exist', { notAfter: '2031-02-40' }, 'certificateData/notAfter'],
    ['secp256k1', {}, 'ecKeyGenRequestParams/keyType', { keyType: 'secp256k1' }],
    ['Ed25519', {}, 'ecKeyGenRequestParams/keyType', { keyType: 'Ed25519' }],
    ['an unknown backend', {}, 'ecKeyGenRequestParams/backend', { backend: 'hsm' }],
    ['an unknown member', { color: 'red' }, 'certificateData/color'],
  ];
  for (const [title, changes, path, key] of refused)
    it(`400: refuses ${title}, naming it`, async () => {
      const { status, body } = await post(changes, { ecKeyGenRequestParams: key });
      expect([status, body.details?.[0].path], JSON.stringify(body)).to.deep.equal([400, `/body/${path}`]);
    });

  it('400: refuses dates in the wrong order, in the past, and beyond 20 years', async () => {
    const cases: [object, string, RegExp][] = [
      [{ notBefore: from(2), notAfter: from(1) }, 'notAfter', /after notBefore/],
      [{ notBefore: from(2), notAfter: from(2) }, 'notAfter', /after notBefore/],
      [{ notBefore: from(-2), notAfter: from(-1) }, 'notAfter', /passed/],
      [{ notAfter: from(20 * 365 + 6) }, 'notAfter', /20 years/],
      [{ notBefore: from(400) }, 'notBefore', /366 days/],
    ];
    for (const [dates, member, message] of cases) {
      const { status, body } = await post(dates);
      expect([status, body.details[0].path]).to.deep.equal([400, `/body/certificateData/${member}`]);
      expect(body.message).to.match(message);
    }
  });

  it('413: refuses a body over 1 MiB, and 415: another media type', async () => {
    const json = { certificateData: { ...IACA_DATA, commonName: 'x'.repeat(1024 * 1024) } };
    expect((await server.call('onboardIaca', { json })).status).to.equal(413);
    expect((await server.call('onboardIaca', { text: '{}' })).status).to.equal(415);
  });
});
