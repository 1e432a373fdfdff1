import { expect } from 'chai';
import { readSettings } from '../../adapters/config/read-settings.ts';
import { checkKeys } from '../../composition/platform/key-checks.ts';
import { makeHolderKey } from '../../demo/actors/holder-key.ts';
import { degree } from '../../demo/actors/issuer.ts';
import { makeOffer } from '../actors/issuance.ts';
import { type EnterpriseFixture, KMS, startEnterprise } from '../actors/tenant.ts';
import { accept } from '../actors/wallet.ts';
import { useSoftHsm } from '../support/kms/softhsm.ts';

describe('keys of a hardware security module', () => {
  const under = useSoftHsm();
  let tenancy: EnterpriseFixture;
  const request = (members: object = {}) => ({
    backend: 'pkcs11',
    keyType: 'secp256r1',
    config: { ...under.hsm.config, ...members },
  });
  before(async () => {
    tenancy = await startEnterprise({ kms: { timeoutSeconds: 60, pkcs11: { tokens: [under.hsm.token] } } });
  });
  after(() => tenancy?.close());

  it('of an issuer: its reference issues, and a wallet accepts', async () => {
    const { server } = tenancy;
    const { status, body } = await server.call('onboardIssuer', { json: { key: request(), did: { method: 'jwk' } } });
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.issuerKey).to.deep.include({ type: 'pkcs11', config: under.hsm.config });
    const offer = await makeOffer(server, degree(body));
    expect((await accept(server, offer, makeHolderKey())).status).to.equal(200);
  });

  it('of a tenant: made, shown without its access key, signed with and deleted', async () => {
    const target = `${KMS}.hsm`;
    const { status, body } = await tenancy.post('generateKey', target, request());
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(JSON.stringify(body)).to.not.include(under.hsm.token.accessKey);
    expect((await tenancy.post('signWithTenantKey', target, { sub: 'alice' })).status).to.equal(200);
    expect((await tenancy.post('deleteTenantKey', target)).status).to.equal(204);
  });

  it('400 of a tenant that states a library or another access key, naming the member', async () => {
    for (const [members, path] of [
      [{ library: '/tmp/evil.so' }, '/body/config/library'],
      [{ auth: { accessKey: 'another-access-key' } }, '/body/config/auth'],
    ] as const) {
      const { status, body } = await tenancy.post('generateKey', KMS, request(members));
      expect([status, body.details[0].path]).to.deep.equal([400, path]);
    }
  });

  it('`credenza check` opens each token, and says what is wrong without the PIN', async () => {
    const read = await readSettings({ CONFIG_DIR: new URL('./none', import.meta.url).pathname });
    const stateOf = async (token: object) => {
      const pkcs11 = { tokens: [{ ...under.hsm.token, ...token }] };
      const found = await checkKeys({ ...read, kms: { ...read.kms, timeoutSeconds: 60, pkcs11 } });
      return found.find(({ title }) => title === 'PKCS#11');
    };
    expect(await stateOf({})).to.deep.include({ isUsable: true, state: 'usable; the tokens of kms.conf are open' });
    const refused = await stateOf({ pin: 'not-the-pin' });
    expect(refused?.isUsable).to.equal(false);
    expect(refused?.state).to.include('CKR_PIN_INCORRECT').and.not.include('not-the-pin');
  });
});
