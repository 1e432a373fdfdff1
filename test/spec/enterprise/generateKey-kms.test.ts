import { expect } from 'chai';
import { compactVerify, importJWK } from 'jose';
import { type EnterpriseFixture, KMS, startEnterprise } from '../../actors/tenant.ts';
import { useClouds } from '../../support/kms/clouds.ts';

describe('generateKey in a key management service', () => {
  const clouds = useClouds();
  let tenancy: EnterpriseFixture;
  before(async () => {
    const kms = { ...clouds.settings, timeoutSeconds: 3 };
    tenancy = await startEnterprise({ outbound: { allow: ['127.0.0.1'] }, kms });
  });
  after(() => tenancy?.close());

  it('201: the key is shown with its public part, without the credentials', async () => {
    for (const { backend, config } of clouds.all) {
      const { status, body } = await tenancy.post('generateKey', KMS, {
        backend,
        keyType: 'secp256r1',
        config: config(),
      });
      expect(status, backend).to.equal(201);
      expect(body.key).to.include({ type: backend, _keyType: 'secp256r1' });
      expect(JSON.stringify(body)).not.to.match(/secretAccessKey|clientSecret|signingKeyPem|secretId/);
    }
  });

  it('400, 502 and 504: refused credentials, a service that fails, one that hangs; no key is left', async () => {
    const each = clouds.all.map(async ({ backend, config, managing, living }) => {
      const before = living();
      const attempt = async (given: object) =>
        (await tenancy.post('generateKey', KMS, { backend, keyType: 'secp256r1', config: given })).status;
      expect(await attempt({}), backend).to.equal(400);
      managing.always({ kind: 'fail' });
      expect(await attempt(config()), backend).to.equal(502);
      managing.always({ kind: 'hang' });
      expect(await attempt(config()), backend).to.equal(504);
      managing.always(undefined);
      expect(living(), backend).to.equal(before);
    });
    await Promise.all(each);
  });
});

describe('signWithTenantKey and deleteTenantKey in a key management service', () => {
  const clouds = useClouds();
  let tenancy: EnterpriseFixture;
  before(async () => {
    const kms = { ...clouds.settings, timeoutSeconds: 3 };
    tenancy = await startEnterprise({ outbound: { allow: ['127.0.0.1'] }, kms });
  });
  after(() => tenancy?.close());

  it('200, 204, 502 and 504: the key signs and goes; after a failure it is still there', async () => {
    const each = clouds.all.map(async ({ backend, config, managing, signing, living }) => {
      const target = `${KMS}.${backend}`;
      const key = { backend, keyType: 'secp256r1', config: config() };
      const { jwk } = (await tenancy.post('generateKey', target, key)).body.key._publicKey ?? {};
      const sign = () => tenancy.post('signWithTenantKey', target, { sub: 'alice' });
      const remove = () => tenancy.post('deleteTenantKey', target);
      const signed = await sign();
      expect(signed.status, backend).to.equal(200);
      if (jwk) await compactVerify(signed.body, await importJWK({ ...jwk, key_ops: ['verify'] }, 'ES256'));
      for (const [kind, status] of [['fail', 502] as const, ['hang', 504] as const]) {
        signing.always({ kind });
        managing.always({ kind });
        expect((await sign()).status, backend).to.equal(status);
        expect((await remove()).status, backend).to.equal(status);
        signing.always(undefined);
        managing.always(undefined);
      }
      expect((await sign()).status, backend).to.equal(200);
      const before = living();
      expect((await remove()).status, backend).to.equal(204);
      expect(living(), backend).to.equal(before - 1);
      expect((await sign()).status, backend).to.equal(404);
    });
    await Promise.all(each);
  });
});
