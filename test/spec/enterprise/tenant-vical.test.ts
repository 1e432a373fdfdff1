import { expect } from 'chai';
import { encryptedResponse } from '../../actors/encrypted-response.ts';
import { MDOC_NONCE, presentOf, requestedOf, responseOf, TRUSTED_ROOT } from '../../actors/presenters.ts';
import { type EnterpriseFixture, fieldsOf, KMS, startEnterprise } from '../../actors/tenant.ts';
import {
  CERTIFIER,
  MDL,
  newIaca,
  ok,
  STORE,
  startCertificates,
  startVical,
  VICAL,
} from '../../actors/tenant-certificates.ts';
import { refusesBodies, refusesStrangers } from '../../actors/tenant-refusals.ts';
import { readRequest, responseKeyOf } from '../../actors/wallet.ts';

describe('tenant vical', () => {
  type Json = Record<string, unknown>;

  let world: EnterpriseFixture;
  let signerPem: string;
  before(async () => {
    world = await startEnterprise();
    await startCertificates(world);
    signerPem = await startVical(world);
  });
  after(() => world.close());

  const PROVIDER = { vicalProvider: 'Acme' };
  const publish = (json: Json = {}) => world.post('publishVical', VICAL, { ...PROVIDER, ...json });
  const vicalAt = async (target: string): Promise<string> => {
    const answer = await fetch(`${world.server.url}/v1/${target}/vical-service-api/vical`);
    expect(answer.status).to.equal(200);
    return Buffer.from(await answer.arrayBuffer()).toString('base64');
  };
  const validate = (vicalBase64: string, verificationKey: unknown = signerPem) =>
    ok(world.server.call('validateVical', { json: { verificationKey, vicalBase64 } }));

  describe('publishVical', () => {
    it('201: a list of the authorities in the store, which validates', async () => {
      const next = new Date(world.server.clock.now() + 86_400_000).toISOString();
      const version = await ok(publish({ versionId: 'production-1', nextUpdate: next }), 201);
      expect(version).to.deep.include({ ...PROVIDER, entryCount: 1, _id: `${VICAL}.production-1` });
      expect(version.versionIdPath).to.equal(`${VICAL}.versions.production-1`);
      const report = await validate(await vicalAt(version.versionIdPath));
      expect(report).to.deep.include({ vicalValid: true, ...PROVIDER, certificates: 1, documentTypes: [MDL] });
      expect(Math.floor(Date.parse(report.nextUpdate) / 1000)).to.equal(Math.floor(Date.parse(next) / 1000));
    });

    it('201: with a name of its own; the version has what the store had then', async () => {
      const first = await ok(publish(), 201);
      await ok(
        world.post('createTenantIaca', CERTIFIER, newIaca('iaca3', { docType: [MDL, 'org.example.pass'] })),
        201,
      );
      const second = await ok(publish(), 201);
      expect([first.entryCount, second.entryCount]).to.deep.equal([1, 2]);
      expect((await validate(await vicalAt(first.versionIdPath))).certificates).to.equal(1);
      expect((await validate(await vicalAt(second.versionIdPath))).documentTypes).to.include('org.example.pass');
    });

    it('201: every key of the curves of ISO 18013-5 signs', async () => {
      for (const keyType of ['secp256r1', 'secp521r1']) {
        const kid = `${KMS}.${keyType}`;
        await ok(world.post('generateKey', kid, { keyType }), 201);
        const { certificate } = await ok(world.post('createTenantIaca', CERTIFIER, { ...newIaca(keyType), kid }), 201);
        const { pem } = certificate.data;
        const target = `acme.t1.vical-${keyType}`;
        const config = { type: 'vical-service', dependencies: [KMS, STORE], kid, x5Chain: [pem] };
        await ok(world.post('createService', target, config), 201);
        await ok(world.post('publishVical', target, PROVIDER), 201);
        expect((await validate(await vicalAt(target), pem)).vicalValid, keyType).to.equal(true);
      }
    });

    it('400: names the field', async () => {
      for (const [json, path] of [
        [{ issuanceDate: 'today' }, '/body/issuanceDate'],
        [{ issuanceDate: '2999-01-01T00:00:00Z' }, '/body/issuanceDate'],
        [{ nextUpdate: '2001-01-01T00:00:00Z' }, '/body/nextUpdate'],
        [{ versionId: 'a.b' }, '/body/versionId'],
        [{ vicalProvider: '' }, '/body/vicalProvider'],
        [{ other: 1 }, '/body/other'],
      ] as [Json, string][])
        expect(fieldsOf(await publish(json)), path).to.deep.equal([path]);
    });

    it('409: of many at once with one id one wins', async () => {
      const all = await Promise.all(Array.from({ length: 8 }, () => publish({ versionId: 'raced' })));
      expect(all.map(({ status }) => status).sort()).to.deep.equal([201, ...Array(7).fill(409)]);
    });

    it('409: the key was removed', async () => {
      const target = 'acme.t1.vical2';
      const kid = `${KMS}.passing`;
      await ok(world.post('generateKey', kid, { keyType: 'secp256r1' }), 201);
      const { certificate } = await ok(world.post('createTenantIaca', CERTIFIER, { ...newIaca('passing'), kid }), 201);
      const config = { type: 'vical-service', dependencies: [KMS, STORE], kid, x5Chain: [certificate.data.pem] };
      await ok(world.post('createService', target, config), 201);
      await ok(world.server.call('deleteResource', { path: { target: kid }, token: world.root }), 204);
      expect((await world.post('publishVical', target, PROVIDER)).status).to.equal(409);
    });

    refusesStrangers(
      () => world,
      () => ({ operationId: 'publishVical', target: VICAL, json: PROVIDER }),
    );
    refusesBodies(() => world, { operationId: 'publishVical', target: VICAL });
  });

  describe('a VICAL of a tenant', () => {
    /** Presents an mdoc below `TRUSTED_ROOT`; returns the codes of the policies that refuse it. */
    async function refusals(vical: string): Promise<string[]> {
      const { server } = world;
      const args = { vical, enableDocumentTypeValidation: true, trustedSourceSignerCertificates: [signerPem] };
      const policy = { policy: 'vical', args };
      const json = { request_credentials: [requestedOf('mso_mdoc')], vc_policies: ['signature', policy] };
      const request = readRequest(await ok(server.call('startVerification', { json })));
      const made = await presentOf('mso_mdoc', request);
      const response = await encryptedResponse(responseOf([made], request), responseKeyOf(request), {
        apu: MDOC_NONCE,
      });
      await server.call('submitPresentation', { path: { state: request.state }, form: { response } });
      const { policyResults } = await ok(server.call('getVerificationResult', { path: { state: request.state } }));
      const lines: Json[] = policyResults.results.flatMap(({ policies }: { policies: Json[] }) => policies);
      return lines.filter(({ is_success }) => !is_success).map(({ policy: name, code }) => `${name}: ${code}`);
    }

    it('decides in the policy vical of our verifier, by the authorities in the store', async () => {
      const before = await ok(publish(), 201);
      const json = { type: 'vical-entry', certificatePem: TRUSTED_ROOT, complementaryMetadata: { docType: [MDL] } };
      await ok(world.post('addCertificate', `${STORE}.root`, json), 201);
      const after = await ok(publish(), 201);
      expect(await refusals(await vicalAt(before.versionIdPath))).to.deep.equal(['vical: issuer-untrusted']);
      expect(await refusals(await vicalAt(after.versionIdPath))).to.deep.equal([]);
      await ok(world.server.call('deleteCertificate', { path: { target: `${STORE}.root` }, token: world.root }), 204);
    });
  });

  describe('getTenantVical', () => {
    it('200: the latest version at the service', async () => {
      world.server.clock.advance(1000);
      const { versionIdPath } = await ok(publish({ versionId: 'a-latest' }), 201);
      expect(await vicalAt(VICAL)).to.equal(await vicalAt(versionIdPath));
      const { headers } = await world.server.call('getTenantVical', { path: { target: VICAL } });
      expect(headers.get('content-type')).to.equal('application/cbor');
    });

    it('404: no version, and no service', async () => {
      for (const target of [`${VICAL}.versions.absent`, STORE, 'acme.t1.absent', 'acme'])
        expect((await world.server.call('getTenantVical', { path: { target } })).status, target).to.equal(404);
    });

    it('400: a malformed target', async () => {
      expect((await world.server.call('getTenantVical', { path: { target: 'a..b' } })).status).to.equal(400);
    });
  });

  describe('a service of the type vical-service', () => {
    it('400: a configuration that cannot sign, by its member', async () => {
      const config = { type: 'vical-service', dependencies: [KMS, STORE], kid: `${KMS}.vical`, x5Chain: [signerPem] };
      for (const [changes, path] of [
        [{ kid: undefined }, '/body/kid'],
        [{ kid: `${KMS}.absent` }, '/body/kid'],
        [{ kid: `${KMS}.iaca` }, '/body/x5Chain/0'],
        [{ x5Chain: ['none'] }, '/body/x5Chain/0'],
        [{ x5Chain: [] }, '/body/x5Chain'],
        [{ dependencies: ['acme.t1.x509'] }, '/body/dependencies/0'],
        [{ dependencies: ['other.t1.kms1'] }, '/body/dependencies/0'],
        [{ surprise: 1 }, '/body/surprise'],
      ] as [Json, string][]) {
        const answer = await world.post('createService', 'acme.t1.wrong', { ...config, ...changes });
        expect(fieldsOf(answer), JSON.stringify(answer.body)).to.deep.equal([path]);
      }
      expect((await world.post('createService', 'acme.t1.wrong', { ...config, dependencies: [] })).status).to.equal(
        409,
      );
    });
  });
});
