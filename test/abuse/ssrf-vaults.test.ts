import { expect } from 'chai';
import { type EnterpriseFixture, startEnterprise } from '../actors/tenant.ts';
import { AddressTrial } from './address-trial.ts';
import { SsrfTarget, type UrlInput } from './url-inputs.ts';
import { vaultInputs } from './vault-inputs.ts';

describe('addresses of vaults', function () {
  this.timeout(120_000);
  let trial: AddressTrial;
  before(async () => {
    trial = await AddressTrial.start();
  });
  after(() => trial.close());

  for (const allowHttp of [false, true])
    describe(allowHttp ? 'where kms.conf allows plain http' : 'where kms.conf does not allow plain http', () => {
      let fixture: EnterpriseFixture;
      let inputs: UrlInput[];
      before(async () => {
        const kms = { kmsb: { allowHttp }, kmsc: { allowHttp } };
        fixture = await startEnterprise({ outbound: { allow: [] }, kms });
        inputs = await vaultInputs(fixture);
      });
      after(() => fixture.close());

      it('are refused in every field, however the host is spelled', async () => {
        const schemes = allowHttp ? ['http'] : ['http', 'https'];
        for (const input of inputs)
          for (const scheme of schemes) await trial.refusesAll(input, trial.spelled(scheme, ''));
      });

      it('are refused in every field, with credentials and in other schemes', async () => {
        for (const input of inputs) await trial.refusesAll(input, trial.others);
      });
    });

  describe("that are the operator's own endpoints", () => {
    let fixture: EnterpriseFixture;
    let own: string;
    before(async () => {
      own = `http://127.0.0.1:${trial.canary.port}`;
      const kms = {
        kmsa: { endpoint: own, metadataEndpoint: own },
        kmsb: { authorityHost: own, allowHttp: true },
        kmsc: { allowHttp: true },
      };
      const didRegistrar = { url: own, resolverUrl: own, methods: ['cheqd'] };
      fixture = await startEnterprise({ outbound: { allow: [] }, kms, didRegistrar });
    });
    after(() => fixture.close());

    it('are refused as vaults, although they may be called as what they are', async () => {
      for (const input of await vaultInputs(fixture)) await trial.refusesAll(input, [own]);
    });

    it('are refused in every other field and did:web', async () => {
      const { inputs } = await SsrfTarget.of(fixture.server);
      for (const input of inputs.urls) await trial.refusesAll(input, [`${own}/x`]);
      for (const input of inputs.hosts) await trial.refusesAll(input, [new URL(own).host]);
    });

    it('would be counted by the canary: AWS KMS, and the credentials of an instance', async () => {
      const { canary } = trial;
      for (const auth of [{ accessKeyId: 'a', secretAccessKey: 'b' }, { roleName: 'issuer' }]) {
        const before = canary.hits;
        const config = { auth: { ...auth, region: 'eu-central-1' } };
        const json = { key: { backend: 'aws', keyType: 'secp256r1', config } };
        expect((await fixture.server.call('onboardIssuer', { json })).status).to.be.within(400, 504);
        expect(canary.hits).to.be.greaterThan(before);
        canary.hits = before;
      }
    });
  });
});
