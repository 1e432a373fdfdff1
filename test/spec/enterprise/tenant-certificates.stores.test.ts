import { X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import { TRUSTED_ROOT } from '../../actors/presenters.ts';
import { type EnterpriseFixture, fieldsOf, jwkDid, KMS, startEnterprise } from '../../actors/tenant.ts';
import {
  CERTIFIER,
  IACA_DATA,
  MDL,
  newIaca,
  newSigner,
  ok,
  SIGNER_DATA,
  STORE,
  startCertificates,
  TRUST,
} from '../../actors/tenant-certificates.ts';
import { refusesBodies, refusesStrangers } from '../../actors/tenant-refusals.ts';
import { makeCertificate, testKeys } from '../../support/trust/certificates.ts';

describe('tenant certificates', () => {
  type Json = Record<string, unknown>;

  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise();
    await startCertificates(world);
  });
  after(() => world.close());

  let made = 0;
  /** Another certificate of an authority, or of no authority. */
  function certificate(ca = true): string {
    made += 1;
    return makeCertificate({ subject: `C=ZZ,CN=Certificate ${made}`, ca, keys: testKeys('P-256', made) }).pem;
  }

  const at = (operationId: string, target: string, json?: Json) =>
    world.server.call(operationId, { path: { target }, json, token: world.root });
  const docType = [MDL];
  const BASE = () => ({ type: 'base', certificatePem: certificate() });
  const ENTRY = { type: 'vical-entry', certificatePem: TRUSTED_ROOT, complementaryMetadata: { docType } };

  /** A certificate that is refused, by the field. */
  const WRONG = (): [Json, string][] => {
    const { privateKey } = testKeys('P-256', 1);
    return [
      [{ type: 'base', certificatePem: 'none' }, '/body/certificatePem'],
      [{ type: 'base', certificatePem: certificate() + certificate() }, '/body/certificatePem'],
      [
        { type: 'base', certificatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string },
        '/body/certificatePem',
      ],
      [{ ...BASE(), type: 'vical-entry' }, '/body/complementaryMetadata'],
      [{ ...BASE(), complementaryMetadata: { docType } }, '/body/complementaryMetadata'],
      [
        { ...BASE(), type: 'vical-entry', complementaryMetadata: { docType: [] } },
        '/body/complementaryMetadata/docType',
      ],
      [
        { type: 'vical-entry', certificatePem: certificate(false), complementaryMetadata: { docType } },
        '/body/certificatePem',
      ],
      [{ ...BASE(), type: 'other' }, '/body/type'],
      [{ ...BASE(), other: 1 }, '/body/other'],
    ];
  };

  describe('addCertificate', () => {
    it('201: with a name and without one', async () => {
      const json = BASE();
      const named = await ok(world.post('addCertificate', `${STORE}.base-001`, json), 201);
      expect(named).to.deep.include({ _id: `${STORE}.base-001`, parent: STORE });
      expect(new X509Certificate(named.data.pem).subject).to.equal(new X509Certificate(json.certificatePem).subject);
      const digest = Buffer.from(new X509Certificate(json.certificatePem).fingerprint256.replaceAll(':', ''), 'hex');
      const { _id } = await ok(world.post('addCertificate', STORE, json), 201);
      expect(_id).to.equal(`${STORE}.${digest.toString('base64url')}`);
    });

    it('400: names the field, and stores nothing', async () => {
      for (const [json, path] of WRONG()) {
        const answer = await world.post('addCertificate', `${STORE}.wrong`, json);
        expect(answer.status, JSON.stringify(answer.body)).to.equal(400);
        expect(fieldsOf(answer), JSON.stringify(answer.body)).to.deep.equal([path]);
      }
      expect((await at('getResource', `${STORE}.wrong`)).status).to.equal(404);
    });

    it('409: of many at once one wins, with a name and by the certificate', async () => {
      for (const target of [`${STORE}.raced`, STORE]) {
        const json = BASE();
        const all = await Promise.all(Array.from({ length: 8 }, () => world.post('addCertificate', target, json)));
        expect(all.map(({ status }) => status).sort()).to.deep.equal([201, ...Array(7).fill(409)]);
      }
    });

    refusesStrangers(
      () => world,
      () => ({ operationId: 'addCertificate', target: `${STORE}.x`, json: BASE() }),
    );
    refusesBodies(() => world, { operationId: 'addCertificate', target: STORE });
  });

  describe('listCertificates', () => {
    it('200: all of the store, and at the target of a certificate that one', async () => {
      const stored = await ok(world.post('addCertificate', `${STORE}.shown`, ENTRY), 201);
      expect(await ok(at('listCertificates', STORE))).to.deep.include(stored);
      expect(await ok(at('listCertificates', `${STORE}.shown`))).to.deep.equal(stored);
      expect((await at('listCertificates', `${STORE}.absent`)).status).to.equal(404);
    });
  });

  describe('replaceCertificate', () => {
    it('200: keeps its time of creation', async () => {
      const before = await ok(world.post('addCertificate', `${STORE}.changing`, BASE()), 201);
      world.server.clock.advance(1000);
      const after = await ok(at('replaceCertificate', `${STORE}.changing`, ENTRY));
      expect(after.createdDateTime).to.equal(before.createdDateTime);
      expect(after.updatedDateTime > before.updatedDateTime).to.equal(true);
      expect(after.data.pem).not.to.equal(before.data.pem);
      expect(after.data).to.deep.include({ type: 'vical-entry', complementaryMetadata: { docType } });
    });

    it('400: names the field', async () => {
      for (const [json, path] of WRONG())
        expect(fieldsOf(await at('replaceCertificate', `${STORE}.iaca1`, json))).to.deep.equal([path]);
    });

    it('404: there is none', async () => {
      expect((await at('replaceCertificate', `${STORE}.absent`, BASE())).status).to.equal(404);
    });

    refusesStrangers(
      () => world,
      () => ({ operationId: 'replaceCertificate', target: `${STORE}.iaca1`, json: BASE() }),
    );
    refusesBodies(() => world, { operationId: 'replaceCertificate', target: `${STORE}.iaca1` });
  });

  describe('deleteCertificate', () => {
    it('204: once', async () => {
      await ok(world.post('addCertificate', `${STORE}.passing`, BASE()), 201);
      expect((await at('deleteCertificate', `${STORE}.passing`)).status).to.equal(204);
      expect((await at('deleteCertificate', `${STORE}.passing`)).status).to.equal(404);
    });

    it('400: a malformed target', async () => {
      expect((await at('deleteCertificate', 'a..b')).status).to.equal(400);
    });

    refusesStrangers(
      () => world,
      () => ({ operationId: 'deleteCertificate', target: `${STORE}.x` }),
    );
  });

  describe('createTenantIaca', () => {
    it('201: a certificate that the key of the tenant signs, in its store', async () => {
      const body = await ok(world.post('createTenantIaca', CERTIFIER, newIaca('iaca2')), 201);
      expect(body.certificateData).to.deep.include(IACA_DATA);
      expect(body.certificateValidationResult[0].severity).to.equal('INFO');
      expect(body.certificate.data.type).to.equal('base');
      const { pem } = (await ok(at('getResource', `${STORE}.iaca2`))).data;
      const parsed = new X509Certificate(pem);
      expect(parsed.ca && parsed.verify(parsed.publicKey)).to.equal(true);
    });

    it('400: names the field', async () => {
      await ok(world.post('generateKey', `${KMS}.rsa`, { keyType: 'RSA' }), 201);
      for (const [changes, path] of [
        [{ kid: `${KMS}.absent` }, '/body/kid'],
        [{ kid: `${KMS}.rsa` }, '/body/kid'],
        [{ certificateData: { ...IACA_DATA, country: 'UK' } }, '/body/certificateData/country'],
        [{ certificateId: 'a.b' }, '/body/certificateId'],
      ] as [Json, string][])
        expect(fieldsOf(await world.post('createTenantIaca', CERTIFIER, newIaca('wrong', changes)))).to.deep.equal([
          path,
        ]);
    });

    it('409: the name is taken', async () => {
      expect((await world.post('createTenantIaca', CERTIFIER, newIaca('iaca1'))).status).to.equal(409);
    });

    refusesStrangers(
      () => world,
      () => ({ operationId: 'createTenantIaca', target: CERTIFIER, json: newIaca('x') }),
    );
    refusesBodies(() => world, { operationId: 'createTenantIaca', target: CERTIFIER });
  });

  describe('createTenantSigner', () => {
    it('201: a certificate below the authority of the tenant', async () => {
      const body = await ok(world.post('createTenantSigner', CERTIFIER, newSigner('signer2')), 201);
      expect(body.certificateData).to.deep.include(SIGNER_DATA);
      const authority = new X509Certificate((await ok(at('getResource', `${STORE}.iaca1`))).data.pem);
      expect(new X509Certificate(body.certificate.data.pem).verify(authority.publicKey)).to.equal(true);
    });

    it('400: names the field', async () => {
      const iaca = { kid: `${KMS}.iaca`, certificate: `${STORE}.iaca1` };
      for (const [changes, path] of [
        [{ kid: `${KMS}.absent` }, '/body/kid'],
        [{ iaca: { ...iaca, kid: `${KMS}.absent` } }, '/body/iaca/kid'],
        [{ iaca: { ...iaca, certificate: `${STORE}.absent` } }, '/body/iaca/certificate'],
        [{ iaca: { ...iaca, certificate: 'acme.t2.store1.iaca1' } }, '/body/iaca/certificate'],
        [{ iaca: { ...iaca, kid: `${KMS}.signer` } }, '/body/iaca/iacaPem'],
        [{ certificateData: { ...SIGNER_DATA, country: 'DE' } }, '/body/certificateData/country'],
      ] as [Json, string][])
        expect(fieldsOf(await world.post('createTenantSigner', CERTIFIER, newSigner('wrong', changes)))).to.deep.equal([
          path,
        ]);
    });

    it('409: the name is taken', async () => {
      expect((await world.post('createTenantSigner', CERTIFIER, newSigner('signer1'))).status).to.equal(409);
    });

    refusesStrangers(
      () => world,
      () => ({ operationId: 'createTenantSigner', target: CERTIFIER, json: newSigner('x') }),
    );
    refusesBodies(() => world, { operationId: 'createTenantSigner', target: CERTIFIER });
  });

  describe('addTrustedIssuer', () => {
    const did = jwkDid({ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' });

    it('201: a certificate, a DID and a URL', async () => {
      for (const [type, issuer] of [
        ['certificate', certificate()],
        ['did', did],
        ['url', 'https://issuer.example.org/tenant'],
      ]) {
        const json = { type, issuer, credentialTypes: ['UniversityDegree'], name: 'University' };
        expect(await ok(world.post('addTrustedIssuer', TRUST, json), 201)).to.deep.include({ ...json, parent: TRUST });
        expect((await world.post('addTrustedIssuer', TRUST, json)).status).to.equal(409);
      }
    });

    it('400: names the field', async () => {
      for (const [json, path] of [
        [{ type: 'certificate', issuer: 'none' }, '/body/issuer'],
        [{ type: 'did', issuer: 'did:web' }, '/body/issuer'],
        [{ type: 'did', issuer: `${did}#0` }, '/body/issuer'],
        [{ type: 'url', issuer: 'ftp://issuer.example.org' }, '/body/issuer'],
        [{ type: 'other', issuer: did }, '/body/type'],
        [{ type: 'did', issuer: did, credentialTypes: [] }, '/body/credentialTypes'],
      ] as [Json, string][])
        expect(fieldsOf(await world.post('addTrustedIssuer', TRUST, json)), JSON.stringify(json)).to.deep.equal([path]);
    });

    refusesStrangers(
      () => world,
      () => ({
        operationId: 'addTrustedIssuer',
        target: `${TRUST}.x`,
        json: { type: 'did', issuer: did },
      }),
    );
    refusesBodies(() => world, { operationId: 'addTrustedIssuer', target: TRUST });
  });
});
