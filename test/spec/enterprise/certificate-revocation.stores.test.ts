import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type EnterpriseFixture, fieldsOf, KMS, may, startEnterprise } from '../../actors/tenant.ts';
import {
  CERTIFIER,
  IACA_DATA,
  newIaca,
  newSigner,
  ok,
  STORE,
  startCertificates,
} from '../../actors/tenant-certificates.ts';
import { refusesBodies, refusesStrangers } from '../../actors/tenant-refusals.ts';
import { useClouds } from '../../support/kms/clouds.ts';
import { makeCertificate, testKeys } from '../../support/trust/certificates.ts';

const DAY_MS = 86_400_000;

describe('certificate revocation', () => {
  type Json = Record<string, unknown>;

  const clouds = useClouds();
  let world: EnterpriseFixture;
  let folder: string;
  let iacaPem: string;
  before(async () => {
    const kms = { ...clouds.settings, timeoutSeconds: 3 };
    world = await startEnterprise({ outbound: { allow: ['127.0.0.1'] }, kms });
    await startCertificates(world);
    iacaPem = (await ok(at('getResource', IACA))).data.pem;
    folder = mkdtempSync(join(tmpdir(), 'revocation-'));
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await world.close();
  });

  const at = (operationId: string, target: string, json?: Json) =>
    world.server.call(operationId, { path: { target }, json, token: world.root });
  const IACA = `${STORE}.iaca1`;
  const { crlDistributionPointUri: _, ...DATA } = newSigner('x').certificateData;

  let signers = 0;
  /** A new signer whose certificate names no list of the caller. */
  async function signer(more: object = {}) {
    signers += 1;
    const wanted = { ...newSigner(`named${signers}`), certificateData: DATA, ...more };
    const { certificate } = await ok(world.post('createTenantSigner', CERTIFIER, wanted), 201);
    return { target: certificate._id as string, x509: new X509Certificate(certificate.data.pem) };
  }
  const revoke = (certificate: string, more: Json = {}) =>
    world.post('revokeTenantCertificate', CERTIFIER, { certificate, iaca: IACA, ...more });

  /** A new authority with a key of its own. */
  async function authority(name: string) {
    const kid = `${KMS}.${name}`;
    await ok(world.post('generateKey', kid, { keyType: 'secp384r1' }), 201);
    const made = await ok(world.post('createTenantIaca', CERTIFIER, { ...newIaca(name), kid }), 201);
    return { kid, url: made.certificateData.crlDistributionPointUri, pem: made.certificate.data.pem };
  }

  /** What openssl says of a certificate or a list. */
  const openssl = (args: string[], input: string | Uint8Array): string =>
    execFileSync('openssl', args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });
  const urlIn = (certificate: X509Certificate): string =>
    /URI:(http\S+\/crls\/\S+)/.exec(openssl(['x509', '-noout', '-text'], certificate.toString()))?.[1] ?? '';

  /** The answer at the URL of a list, checked as every answer of the server is. */
  const answerAt = (url: string) => world.server.fetch(url.slice(world.server.url.length));

  /** The list at a URL, whose signature openssl verifies by the certificate of its authority. */
  async function crlAt(url: string, authority?: string) {
    const answer = await fetch(url);
    expect(answer.status, url).to.equal(200);
    expect(answer.headers.get('content-type')).to.equal('application/pkix-crl');
    expect(answer.headers.get('cache-control')).to.equal('public, max-age=300');
    const der = new Uint8Array(await answer.arrayBuffer());
    const ca = join(folder, 'ca.pem');
    writeFileSync(ca, authority ?? iacaPem);
    const verified = spawnSync('openssl', ['crl', '-inform', 'DER', '-CAfile', ca, '-noout', '-text'], { input: der });
    expect(verified.stderr.toString()).to.match(/^verify OK$/m);
    const text = verified.stdout.toString();
    const [, number = ''] = /CRL Number:\s*(\d+|0x[0-9A-Fa-f]+)/.exec(text) ?? [];
    const serials = [...text.matchAll(/Serial Number: ([0-9A-F]+)/g)].map(([, serial]) => serial);
    return { der: Buffer.from(der).toString('base64'), number: Number(number), serials, text };
  }

  describe('getTenantCrl', () => {
    it('200: authority and signer name a list that openssl verifies, and say so to the caller', async () => {
      const { x509 } = await signer();
      const url = urlIn(x509);
      expect(urlIn(new X509Certificate(iacaPem))).to.equal(url);
      expect(url.startsWith(`${world.server.url}/v1/${CERTIFIER}/x509-service-api/crls/`)).to.equal(true);
      const { text } = await crlAt(url);
      expect(text)
        .to.match(/Version 2 \(0x1\)/)
        .and.match(/Authority Key Identifier/)
        .and.match(/No Revoked/);
      const days = (Date.parse(/Next Update: (.*)/.exec(text)?.[1] ?? '') - world.server.clock.now()) / DAY_MS;
      expect(days).to.be.within(6, 7);
      const made = await ok(world.post('createTenantIaca', CERTIFIER, newIaca('stated')), 201);
      expect(made.certificateData.crlDistributionPointUri).to.equal(url);
    });

    it('200: the URL of the caller stands, and an authority from elsewhere has no list here', async () => {
      const stated = await ok(world.post('createTenantSigner', CERTIFIER, newSigner('stated-signer')), 201);
      expect(openssl(['x509', '-noout', '-text'], stated.certificate.data.pem)).to.match(/URI:https:\/\/authority/);
      const other = 'acme.t1.other-x509';
      await ok(world.post('createService', other, { type: 'x509-service', dependencies: [KMS, STORE] }), 201);
      const wanted = { ...newSigner('elsewhere'), certificateData: DATA };
      expect(fieldsOf(await world.post('createTenantSigner', other, wanted))).to.deep.equal([
        '/body/certificateData/crlDistributionPointUri',
      ]);
      const revoking = await world.post('revokeTenantCertificate', other, {
        certificate: `${STORE}.signer1`,
        iaca: IACA,
      });
      expect(fieldsOf(revoking)).to.deep.equal(['/body/iaca']);
    });

    it('404: no such list, service or service of this type', async () => {
      const id = new URL(urlIn((await signer()).x509)).pathname.split('/').at(-1);
      for (const [target, crlId] of [
        [CERTIFIER, 'absent'],
        ['acme.t1.absent', id],
        [KMS, id],
      ] as [string, string][])
        expect((await world.server.call('getTenantCrl', { path: { target, crlId } })).status).to.equal(404);
    });

    it('404: the list of a service that was removed, for the next one with its name', async () => {
      const target = 'acme.t1.again';
      const make = () => world.post('createService', target, { type: 'x509-service', dependencies: [KMS, STORE] });
      await ok(make(), 201);
      const made = await ok(world.post('createTenantIaca', target, newIaca('again')), 201);
      const url = made.certificateData.crlDistributionPointUri;
      expect((await answerAt(url)).status).to.equal(200);
      await ok(at('deleteResource', target), 204);
      expect((await answerAt(url)).status).to.equal(404);
      await ok(make(), 201);
      expect((await answerAt(url)).status).to.equal(404);
    });

    it('502: another key has the name of its key', async () => {
      const { kid, url } = await authority('replaced');
      await ok(at('deleteResource', kid), 204);
      await ok(world.post('generateKey', kid, { keyType: 'secp384r1' }), 201);
      expect((await answerAt(url)).status).to.equal(502);
    });
  });

  describe('revokeTenantCertificate', () => {
    it('200: the list has the serial number and the reason at once; again, the answer is the same', async () => {
      const [{ target, x509 }, kept] = [await signer(), await signer()];
      const url = urlIn(x509);
      const before = await crlAt(url);
      const answer = await ok(revoke(target, { reason: 'keyCompromise' }));
      expect(answer).to.deep.include({ reason: 'keyCompromise', crl: url });
      expect(answer.serialNumber.toUpperCase()).to.equal(x509.serialNumber);
      const after = await crlAt(url);
      expect(after.number).to.be.greaterThan(before.number);
      expect(after.serials).to.include(x509.serialNumber).and.not.include(kept.x509.serialNumber);
      expect(after.text).to.match(/Key Compromise/);
      world.server.clock.advance(5000);
      expect(await ok(revoke(target, { reason: 'superseded' }))).to.deep.equal(answer);
      expect((await crlAt(url)).der).to.equal(after.der);
    });

    it('200: of many at once all are on one list', async () => {
      const all = await Promise.all(Array.from({ length: 6 }, () => signer()));
      await Promise.all(all.map(({ target }) => ok(revoke(target))));
      const { serials } = await crlAt(urlIn((all[0] as (typeof all)[number]).x509));
      expect(serials).to.include.members(all.map(({ x509 }) => x509.serialNumber));
    });

    it('200: with its own permission and no other, and recorded', async () => {
      const { target } = await signer();
      const issuing = await world.member([may(CERTIFIER, 'certificate-issue'), may(STORE)]);
      const json = { certificate: target, iaca: IACA };
      expect((await world.post('revokeTenantCertificate', CERTIFIER, json, issuing.token)).status).to.equal(403);
      const revoking = await world.member([may(CERTIFIER, 'certificate-revoke')]);
      await ok(world.post('revokeTenantCertificate', CERTIFIER, json, revoking.token));
      const events = await ok(world.server.call('listAuditEvents', { path: { target: 'acme' }, token: world.root }));
      const recorded = JSON.stringify(events);
      expect(recorded).to.include('revokeTenantCertificate').and.include(revoking.id);
    });

    it('400: names the field', async () => {
      const { target } = await signer();
      const foreign = makeCertificate({
        subject: 'C=AT,CN=Example Document Signer',
        ca: false,
        keys: testKeys('P-256', 3),
      });
      await ok(world.post('addCertificate', `${STORE}.foreign`, { type: 'base', certificatePem: foreign.pem }), 201);
      for (const [json, path] of [
        [{ certificate: `${STORE}.absent` }, '/body/certificate'],
        [{ certificate: IACA }, '/body/certificate'],
        [{ certificate: `${STORE}.foreign` }, '/body/certificate'],
        [{ iaca: `${STORE}.absent` }, '/body/iaca'],
        [{ iaca: target }, '/body/iaca'],
        [{ reason: 'certificateHold' }, '/body/reason'],
        [{ other: 1 }, '/body/other'],
      ] as [Json, string][])
        expect(fieldsOf(await revoke(target, json)), JSON.stringify(json)).to.deep.equal([path]);
    });

    it('409: the service depends on no store', async () => {
      const target = 'acme.t1.storeless';
      await ok(world.post('createService', target, { type: 'x509-service', dependencies: [KMS] }), 201);
      const json = { certificate: `${STORE}.signer1`, iaca: IACA };
      expect((await world.post('revokeTenantCertificate', target, json)).status).to.equal(409);
    });

    it('502 and 504: the key does not sign; it is revoked all the same, and no list says otherwise', async () => {
      const [cloud] = clouds.all;
      const kid = `${KMS}.cloud`;
      const key = { backend: cloud?.backend, keyType: 'secp256r1', config: cloud?.config() };
      await ok(world.post('generateKey', kid, key), 201);
      const name = { certificateData: { ...IACA_DATA, commonName: 'Cloud IACA' } };
      const made = await ok(world.post('createTenantIaca', CERTIFIER, { ...newIaca('cloud', name), kid }), 201);
      const { pem } = made.certificate.data;
      const iaca = `${STORE}.cloud`;
      for (const [kind, status] of [['fail', 502] as const, ['hang', 504] as const]) {
        const { target, x509 } = await signer({ iaca: { kid, certificate: iaca } });
        const url = urlIn(x509);
        await crlAt(url, pem);
        cloud?.signing.always({ kind });
        expect((await revoke(target, { iaca })).status).to.equal(status);
        expect((await answerAt(url)).status).to.equal(status);
        cloud?.signing.always(undefined);
        world.server.clock.advance(6000);
        const signed = cloud?.signing.calls.length;
        await ok(revoke(target, { iaca }));
        expect((await crlAt(url, pem)).serials).to.include(x509.serialNumber);
        expect(cloud?.signing.calls.length).to.equal((signed ?? 0) + 1);
      }
    });

    refusesStrangers(
      () => world,
      () => ({
        operationId: 'revokeTenantCertificate',
        target: CERTIFIER,
        json: { certificate: `${STORE}.signer1`, iaca: IACA },
      }),
    );
    refusesBodies(() => world, { operationId: 'revokeTenantCertificate', target: CERTIFIER });
  });

  // Last, since logins end with the day.
  describe('a list of revoked certificates', () => {
    it('is signed once a day, with a number that grows, and while its key cannot sign published for a week', async () => {
      const [{ x509 }, gone] = [await signer(), await authority('gone')];
      const url = urlIn(x509);
      const [first, last] = [await crlAt(url), await crlAt(gone.url, gone.pem)];
      await ok(at('deleteResource', gone.kid), 204);
      const { clock } = world.server;
      clock.advance(DAY_MS - 60_000);
      expect((await crlAt(url)).der).to.equal(first.der);
      clock.advance(60_000);
      const next = await Promise.all(Array.from({ length: 8 }, () => crlAt(url)));
      expect(new Set(next.map(({ der }) => der)).size).to.equal(1);
      expect(next[0]?.number).to.be.greaterThan(first.number);
      clock.advance(5 * DAY_MS);
      expect((await crlAt(gone.url, gone.pem)).der).to.equal(last.der);
      clock.advance(DAY_MS);
      expect((await answerAt(gone.url)).status).to.equal(502);
    });
  });
});
