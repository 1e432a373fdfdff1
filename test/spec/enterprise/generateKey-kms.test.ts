import { expect } from 'chai';
import { type EnterpriseFixture, KMS, startEnterprise } from '../../actors/tenant.ts';
import { useClouds } from '../../support/kms/clouds.ts';

describe('generateKey in a key management service', function () {
  this.timeout(60_000);
  const clouds = useClouds();
  let tenancy: EnterpriseFixture;
  before(async () => {
    const kms = { ...clouds.settings, timeoutSeconds: 1 };
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
      expect(JSON.stringify(body)).not.to.match(/secretAccessKey|clientSecret|signingKeyPem/);
    }
  });

  it('400, 502 and 504: refused credentials, a service that fails, one that hangs; no key is left', async () => {
    for (const { backend, config, managing, living } of clouds.all) {
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
    }
  });
});
