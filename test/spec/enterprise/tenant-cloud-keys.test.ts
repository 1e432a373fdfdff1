import { expect } from 'chai';
import { compactVerify, importJWK } from 'jose';
import { attest, createAttester } from '../../actors/client-attester.ts';
import { signerChain } from '../../actors/issuance-formats.ts';
import { type EnterpriseFixture, jwkDid, KMS, publicJwkIn, startEnterprise } from '../../actors/tenant.ts';
import { CERTIFIER, MDL, newIaca, ok, STORE, startCertificates } from '../../actors/tenant-certificates.ts';
import { useClouds } from '../../support/kms/clouds.ts';
import { type ReadList, readCwtList, readListCredential, readTokenList } from '../../support/status/issued-lists.ts';

type Json = Record<string, unknown>;

const STATUS = 'acme.t1.status1';

/** Each list with its independent reader. */
const LISTS: [config: Json, read: (body: Uint8Array, key: object) => ReadList | Promise<ReadList>][] = [
  ...['BitstringStatusList', 'StatusList2021', 'RevocationList2020'].map((type): (typeof LISTS)[number] => [
    { type },
    (body, key) => readListCredential(Buffer.from(body).toString(), key),
  ]),
  [{ type: 'TokenStatusList', format: 'JWT' }, (body, key) => readTokenList(Buffer.from(body).toString(), key)],
  [{ type: 'TokenStatusList', format: 'CWT' }, readCwtList],
];

describe('a tenant with keys in clouds', () => {
  const clouds = useClouds();
  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise({ kms: clouds.settings });
    await startCertificates(world);
    await ok(world.post('createService', STATUS, { type: 'credential-status', dependencies: [KMS] }), 201);
  });
  after(() => world.close());

  /** A new key of a cloud; returns its target and its public part. */
  async function cloudKey(number: number, name: string) {
    const [kid, cloud] = [`${KMS}.${name}${number}`, clouds.all[number]];
    const json = { backend: cloud?.backend, keyType: 'secp256r1', config: cloud?.config() };
    const { key } = await ok(world.post('generateKey', kid, json), 201);
    return { kid, jwk: publicJwkIn(key) };
  }
  const signatures = (number: number) => clouds.all[number]?.signing.calls.length ?? 0;

  for (const [number, name] of ['AWS', 'Azure', 'OCI'].entries()) {
    it(`publishes status lists of every kind that ${name} signs, again after a change`, async () => {
      const { kid, jwk } = await cloudKey(number, 'lists');
      for (const [config, read] of LISTS) {
        const x5Chain = config.format === 'CWT' ? { x5Chain: signerChain(jwk) } : {};
        const wanted = { kid, issuerDid: jwkDid(jwk), config, ...x5Chain };
        const { url, listId } = await ok(world.post('createStatusCredential', STATUS, wanted), 201);
        const at = (operationId: string, path: Json, json: Json) =>
          world.server.call(operationId, { path: { target: STATUS, listId, ...path }, json, token: world.root });
        const { entry } = await ok(at('tenantAllocateStatusEntry', {}, {}), 201);
        const before = signatures(number);
        const published = async () => {
          const list = await read(new Uint8Array(await (await fetch(url)).arrayBuffer()), jwk);
          return list.status(entry.index);
        };
        expect(await published(), JSON.stringify(config)).to.equal(0);
        await ok(at('tenantChangeStatusEntry', { index: String(entry.index) }, { action: 'revoke' }));
        expect(await published(), JSON.stringify(config)).to.equal(1);
        expect(signatures(number) - before).to.be.greaterThanOrEqual(2);
      }
    });

    it(`attests keys of wallets with a key that ${name} signs with`, async () => {
      const { kid, jwk } = await cloudKey(number, 'attests');
      const target = `acme.t1.attester${number}`;
      await createAttester(world, { signingKeyId: kid }, target);
      const before = signatures(number);
      const { clientAttestationJwt } = await ok(attest(world, { target }));
      await compactVerify(clientAttestationJwt, await importJWK(jwk, 'ES256'));
      expect(signatures(number)).to.equal(before + 1);
    });

    it(`publishes a VICAL that ${name} signs, below an authority whose certificate it signed`, async () => {
      const { kid } = await cloudKey(number, 'vical');
      const wanted = { ...newIaca(`cloud${number}`, { docType: [MDL] }), kid };
      const { certificate } = await ok(world.post('createTenantIaca', CERTIFIER, wanted), 201);
      const { pem } = certificate.data;
      const target = `acme.t1.vical${number}`;
      const config = { type: 'vical-service', dependencies: [KMS, STORE], kid, x5Chain: [pem] };
      await ok(world.post('createService', target, config), 201);
      const before = signatures(number);
      const { entryCount } = await ok(world.post('publishVical', target, { vicalProvider: name }), 201);
      expect(signatures(number)).to.equal(before + 1);
      const reply = await fetch(`${world.server.url}/v1/${target}/vical-service-api/vical`);
      const vicalBase64 = Buffer.from(await reply.arrayBuffer()).toString('base64');
      const json = { verificationKey: pem, vicalBase64 };
      const report = await ok(world.server.call('validateVical', { json }));
      expect(report).to.deep.include({ vicalValid: true, vicalProvider: name, certificates: entryCount });
    });
  }
});
