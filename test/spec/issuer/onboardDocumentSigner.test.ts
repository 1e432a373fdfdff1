import { createPublicKey, X509Certificate } from 'node:crypto';
import { ExtendedKeyUsageExtension, Pkcs10CertificateRequest, X509Certificate as Read } from '@peculiar/x509';
import { expect } from 'chai';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { IACA_DATA, type Iaca, makeIaca, SIGNER_DATA, signerRequest } from '../../../demo/actors/authority.ts';
import { validatePath } from '../../../domain/x509/path-validation.ts';
import { derOfPem } from '../../../domain/x509/pem.ts';
import { SIGNER_PROFILES, type SignerPurpose } from '../../../domain/x509/signer-profiles.ts';
import { withoutAnchor } from '../../../domain/x509/signing-chain.ts';
import { useServer } from '../../support/servers/server.ts';
import { DAY, makeCertificate, testKeys } from '../../support/trust/certificates.ts';

const certificates = new NodeCertificates();
const parse = (pem: string) => certificates.parse(derOfPem(pem) ?? new Uint8Array());
const URL_NAME = { subjectAlternativeName: { uri: 'https://issuer.example.org', dns: 'issuer.example.org' } };
const EKU = '2.5.29.37';

/** Members that only some purposes have. */
const MEMBERS: Record<SignerPurpose, object> = { mdoc: {}, 'sd-jwt-vc': URL_NAME, 'status-list': URL_NAME };

describe('onboardDocumentSigner', () => {
  const server = useServer();
  let iaca: Iaca;
  before(async () => {
    iaca = await makeIaca(server);
  });
  const post = (changes: object, rest: object = {}) =>
    server.call('onboardDocumentSigner', {
      json: signerRequest(iaca, { certificateData: { ...SIGNER_DATA, ...changes }, ...rest }),
    });
  const from = (days: number): string => new Date(server.clock.now() + days * DAY).toISOString();
  const validates = (leaf: string, anchor: string) =>
    validatePath({
      chain: [parse(leaf)],
      anchors: [parse(anchor)],
      now: server.clock.now(),
      signedBy: (certificate, issuer) => certificates.signedBy(certificate, issuer),
    });

  for (const purpose of Object.keys(SIGNER_PROFILES) as SignerPurpose[])
    for (const keyType of ['secp256r1', 'secp384r1', 'secp521r1'])
      it(`200: ${purpose}, ${keyType}: the certificate has its profile, and every reader validates it`, async () => {
        const rest = { purpose, ecKeyGenRequestParams: { keyType } };
        const { status, body } = await post(MEMBERS[purpose], rest);
        expect(status, JSON.stringify(body)).to.equal(200);
        const { certificatePEM, documentSignerKey } = body;
        const leaf = parse(certificatePEM);
        expect(leaf.keyUsage).to.deep.equal(['digitalSignature']);
        expect(leaf.basicConstraints).to.equal(undefined);
        expect(leaf.extendedKeyUsage ?? []).to.deep.equal(SIGNER_PROFILES[purpose].extendedKeyUsage);
        const names = purpose === 'mdoc' ? [] : ['https://issuer.example.org', 'issuer.example.org'];
        expect(leaf.subjectAltNames.map((name) => 'value' in name && name.value)).to.deep.equal(names);
        const oids = leaf.extensions.map(({ oid, critical }) => `${oid}${critical ? ' critical' : ''}`);
        expect(oids).to.include.members(['2.5.29.14', '2.5.29.35', '2.5.29.15 critical', '2.5.29.31', '2.5.29.18']);
        expect(oids.includes(`${EKU} critical`)).to.equal(SIGNER_PROFILES[purpose].extendedKeyUsage.length > 0);
        expect(validates(certificatePEM, iaca.certificatePEM)).to.deep.equal({ valid: true });
        const [native, authority] = [new X509Certificate(certificatePEM), new X509Certificate(iaca.certificatePEM)];
        expect(native.checkIssued(authority) && native.verify(authority.publicKey)).to.equal(true);
        expect(native.publicKey.export({ format: 'jwk' })).to.include({ x: documentSignerKey.jwk.x });
        const days = (Date.parse(native.validTo) - Date.parse(native.validFrom)) / DAY;
        expect(days).to.equal(SIGNER_PROFILES[purpose].maxDays);
        expect(body.x5Chain).to.deep.equal([certificatePEM]);
        expect(withoutAnchor([leaf], certificates)).to.deep.equal([leaf]);
        expect(body.iacaPem).to.equal(iaca.certificatePEM);
        expect(body.certificateValidationResult[0]).to.include({ severity: 'INFO' });
        expect(JSON.stringify(body)).not.to.include(Object(iaca.iacaKey.jwk).d);
      });

  it('200: the subject has every member in order, and the issuer is the subject of the authority, byte by byte', async () => {
    const { body } = await post({});
    const [leaf, root] = [new Read(body.certificatePEM), new Read(iaca.certificatePEM)];
    expect(leaf.subject).to.equal(
      'C=ZZ, ST=Example State, L=Example Town, O=Example Authority, CN=Example Document Signer',
    );
    expect(Buffer.from(leaf.issuerName.toArrayBuffer())).to.deep.equal(Buffer.from(root.subjectName.toArrayBuffer()));
    const contact = [leaf, root].map((one) => one.getExtension('2.5.29.18')?.toString('hex') ?? '');
    expect(contact[0]).to.equal(contact[1]).and.not.equal('');
    expect(leaf.toString('text')).to.include('https://authority.example.org/signers.crl');
  });

  it('200: an authority by its data alone: the same names, and a warning that the path is not validated', async () => {
    const { iacaKey, certificateData } = iaca;
    const { status, body } = await post({}, { iacaSigner: { iacaKey, certificateData } });
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(validates(body.certificatePEM, iaca.certificatePEM)).to.deep.equal({ valid: true });
    expect(body).not.to.have.property('iacaPem');
    expect(body.certificateValidationResult[0]).to.include({ severity: 'WARNING' });
  });

  it('200: an authority of another origin, whose names have other encodings, and both forms together', async () => {
    const keys = testKeys('P-384', 50);
    const foreign = makeCertificate({ subject: 'C=ZZ,CN=Foreign IACA', ca: true, keys });
    const iacaKey = { type: 'jwk', jwk: keys.privateKey.export({ format: 'jwk' }) };
    const certificateData = {
      country: 'ZZ',
      commonName: 'foreign  iaca',
      issuerAlternativeNameConf: { email: 'a@example.org' },
    };
    const iacaSigner = { iacaKey, iacaPem: foreign.pem, certificateData };
    const { status, body } = await post({}, { iacaSigner });
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(validates(body.certificatePEM, foreign.pem)).to.deep.equal({ valid: true });
    const [leaf, root] = [new Read(body.certificatePEM), new Read(foreign.pem)];
    expect(Buffer.from(leaf.issuerName.toArrayBuffer())).to.deep.equal(Buffer.from(root.subjectName.toArrayBuffer()));
    const { notAfter } = parse(foreign.pem);
    expect(parse(body.certificatePEM).notAfter).to.equal(notAfter);
  });

  for (const purpose of Object.keys(SIGNER_PROFILES) as SignerPurpose[])
    it(`200: ${purpose} with the output csr: a request signed by the new key`, async () => {
      const { crlDistributionPointUri: _, ...data } = SIGNER_DATA;
      const json = { purpose, output: 'csr', certificateData: { ...data, ...MEMBERS[purpose] } };
      const { status, body } = await server.call('onboardDocumentSigner', { json });
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body).to.have.keys('documentSignerKey', 'certificateData', 'certificateSigningRequestPEM');
      const request = new Pkcs10CertificateRequest(body.certificateSigningRequestPEM);
      expect(await request.verify()).to.equal(true);
      expect(request.subject).to.include('CN=Example Document Signer').and.include('C=ZZ');
      const usage = request.extensions.find((one) => one instanceof ExtendedKeyUsageExtension);
      expect(usage?.usages ?? []).to.deep.equal(SIGNER_PROFILES[purpose].extendedKeyUsage);
      const { x } = body.documentSignerKey.jwk;
      expect(createPublicKey(request.publicKey.toString('pem')).export({ format: 'jwk' })).to.include({ x });
    });

  const data = 'certificateData';
  const refused: [string, object, string, object?][] = [
    ['a document signer without a CRL', { crlDistributionPointUri: undefined }, `${data}/crlDistributionPointUri`],
    ['a document signer with an alternative name', URL_NAME, `${data}/subjectAlternativeName`],
    ['a signer of SD-JWT VCs without one', {}, `${data}/subjectAlternativeName`, { purpose: 'sd-jwt-vc' }],
    [
      'an alternative name that is no host',
      { subjectAlternativeName: { dns: 'a b' } },
      `${data}/subjectAlternativeName/dns`,
      { purpose: 'status-list' },
    ],
    ['a country other than that of the authority', { country: 'AT' }, `${data}/country`],
    ['a state other than that of the authority', { stateOrProvinceName: 'x' }, `${data}/stateOrProvinceName`],
    ['the name of the authority', { commonName: 'Example  IACA', localityName: undefined }, `${data}/commonName`],
    ['a validity over 457 days', { notAfter: '2099-01-01' }, `${data}/notAfter`],
    ['a validity that begins before its authority', { notBefore: '2020-01-01' }, `${data}/notBefore`],
    ['a request without an authority', {}, 'iacaSigner', { iacaSigner: undefined }],
    ['an unknown purpose', {}, 'purpose', { purpose: 'tls' }],
    ['a csr with an authority', {}, 'iacaSigner', { output: 'csr' }],
    ['a csr with dates', { notAfter: '2030-01-01' }, `${data}/notAfter`, { output: 'csr', iacaSigner: undefined }],
    ['another key type', {}, 'ecKeyGenRequestParams/keyType', { ecKeyGenRequestParams: { keyType: 'RSA' } }],
  ];
  for (const [title, changes, path, rest] of refused)
    it(`400: refuses ${title}, naming it`, async () => {
      const { status, body } = await post(changes, rest);
      expect([status, body.details?.[0].path], JSON.stringify(body)).to.deep.equal([400, `/body/${path}`]);
    });

  it('400: refuses an authority that cannot sign this certificate, naming what is wrong with it', async () => {
    const { iacaKey, certificatePEM: iacaPem, certificateData } = iaca;
    const other = await makeIaca(server);
    const keys = testKeys('P-256', 51);
    const own = { type: 'jwk', jwk: keys.privateKey.export({ format: 'jwk' }) };
    const ca = (spec: object) => makeCertificate({ subject: 'C=ZZ,CN=CA', ca: true, keys, ...spec }).pem;
    const ed25519 = { type: 'jwk', jwk: testKeys('Ed25519', 52).privateKey.export({ format: 'jwk' }) };
    const expired = { notBefore: new Date(server.clock.now() - 2 * DAY), notAfter: new Date(server.clock.now() - DAY) };
    const cases: [object, string, RegExp][] = [
      [{ iacaKey }, 'iacaPem', /required/],
      [{ iacaKey, iacaPem: other.certificatePEM }, 'iacaPem', /another key/],
      [{ iacaKey, iacaPem: 'PEM' }, 'iacaPem', /PEM/],
      [{ iacaKey: own, iacaPem: ca(expired) }, 'iacaPem', /expired/],
      [{ iacaKey: own, iacaPem: ca({ ca: false }) }, 'iacaPem', /not a certificate authority/],
      [{ iacaKey, iacaPem, certificateData: { ...IACA_DATA, commonName: 'Another' } }, data, /another authority/],
      [{ iacaKey, iacaPem, certificateData: { ...IACA_DATA, notAfter: from(9) } }, `${data}/notAfter`, /another date/],
      [{ iacaKey, certificateData: { ...IACA_DATA, notAfter: from(-1) } }, `${data}/notAfter`, /expired/],
      [{ iacaKey, certificateData: { ...IACA_DATA, country: 'UT' } }, `${data}/country`, /ISO 3166/],
      [{ iacaKey: ed25519, certificateData }, 'iacaKey', /secp256r1/],
      [{ iacaKey: { type: 'hsm' }, iacaPem }, 'iacaKey/type', /available/],
      [
        { iacaKey: own, iacaPem: ca({ excluded: [{ uniformResourceIdentifier: 'issuer.example.org' }] }) },
        '',
        /name constraints exclude/,
      ],
    ];
    for (const [iacaSigner, path, message] of cases) {
      const isLast = path === '';
      const rest = isLast ? { iacaSigner, purpose: 'sd-jwt-vc' } : { iacaSigner };
      const { status, body } = await post(isLast ? URL_NAME : {}, rest);
      const place = `/body/iacaSigner${isLast ? '' : `/${path}`}`;
      expect([status, body.details?.[0].path], JSON.stringify(body)).to.deep.equal([400, place]);
      expect(body.message).to.match(message);
    }
  });

  it('400: a signer does not outlast its authority, stated or certified', async () => {
    const { iacaKey, certificateData } = iaca;
    const { status, body } = await post(
      { notAfter: from(3) },
      { iacaSigner: { iacaKey, certificateData: { ...certificateData, notAfter: from(2) } } },
    );
    expect([status, body.details[0].path]).to.deep.equal([400, `/body/${data}/notAfter`]);
    expect(body.message).to.include('authority');
  });

  it('413: refuses a body over 1 MiB, and 415: another media type', async () => {
    const json = { certificateData: { ...SIGNER_DATA, commonName: 'x'.repeat(1024 * 1024) } };
    expect((await server.call('onboardDocumentSigner', { json })).status).to.equal(413);
    expect((await server.call('onboardDocumentSigner', { text: '{}' })).status).to.equal(415);
  });
});
