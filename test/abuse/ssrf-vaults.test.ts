import { expect } from 'chai';
import { HttpPeer, type PeerReply } from '../actors/http-peer.ts';
import { type EnterpriseFixture, startEnterprise } from '../actors/tenant.ts';
import { AddressTrial } from './address-trial.ts';
import { SsrfTarget, type UrlInput } from './url-inputs.ts';
import { vaultInputs } from './vault-inputs.ts';

describe('addresses of vaults', () => {
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
        const kms = { kmsb: { allowHttp }, kmsc: { allowHttp }, tse: { allowHttp } };
        fixture = await startEnterprise({ outbound: { allow: [] }, kms });
        inputs = await vaultInputs(fixture);
      });
      after(() => fixture.close());

      it('are refused in every field, however the host is spelled', async () => {
        const schemes = allowHttp ? ['http'] : ['http', 'https'];
        for (const scheme of schemes) await trial.refusesAll(inputs, trial.spelled(scheme, ''));
      });

      it('are refused in every field, with credentials and in other schemes', async () => {
        await trial.refusesAll(inputs, trial.others);
      });
    });

  describe('in the answers of a vault and of the authority', () => {
    let fixture: EnterpriseFixture;
    let peer: HttpPeer;
    let inputs: UrlInput[];
    let reply: (path: string) => PeerReply;
    before(async () => {
      peer = await new HttpPeer().listen();
      const kms = {
        kmsb: { authorityHost: `${peer.url}/authority`, allowHttp: true },
        kmsc: { allowHttp: true },
        tse: { allowHttp: true },
      };
      fixture = await startEnterprise({ outbound: { allow: [new URL(peer.url).host] }, kms });
      inputs = (await vaultInputs(fixture)).filter(({ name }) =>
        /^(keyVaultUrl|managementEndpoint)(?!.* stated)/.test(name),
      );
      peer.other = ({ url }) => reply(url.pathname);
    });
    after(() => Promise.all([fixture.close(), peer.close()]));

    const challenge = (authority: string): PeerReply => ({
      status: 401,
      headers: { 'www-authenticate': `Bearer authorization="${authority}", resource="${peer.url}"` },
    });
    const answers: Record<string, (address: string) => (path: string) => PeerReply> = {
      'a redirect': (location) => () => ({ status: 307, headers: { location } }),
      'the authority of a challenge': (address) => (path) =>
        path.startsWith('/authority') ? { status: 400, body: { error: 'invalid_client' } } : challenge(address),
      'a redirect of the authority': (location) => (path) =>
        path.startsWith('/authority') ? { status: 307, headers: { location } } : challenge(location),
    };

    for (const [name, answer] of Object.entries(answers))
      it(`are not called: ${name}`, async () => {
        const addresses = trial.spelled('http', '/x').filter((_, index) => index % 5 === 0);
        for (const [index, address] of addresses.entries()) {
          reply = answer(address);
          const calls = peer.seen.length;
          const { status } = (await inputs[index % inputs.length]?.send(peer.url)) ?? {};
          expect(status, address).to.be.within(400, 504);
          expect(trial.canary.hits, `${name} ${address}`).to.equal(0);
          expect(peer.seen.length, 'the vault is called').to.be.greaterThan(calls);
        }
      });
  });

  describe("that are the operator's own endpoints", () => {
    let fixture: EnterpriseFixture;
    let own: string;
    before(async () => {
      own = `http://127.0.0.1:${trial.canary.port}`;
      const kms = {
        kmsa: { endpoint: own, metadataEndpoint: own, allowRoleReferences: true },
        kmsb: { authorityHost: own, allowHttp: true },
        kmsc: { allowHttp: true },
        tse: { allowHttp: true },
      };
      const didRegistrar = { url: own, resolverUrl: own, methods: ['cheqd'] };
      fixture = await startEnterprise({ outbound: { allow: [] }, kms, didRegistrar });
    });
    after(() => fixture.close());

    it('are refused as vaults, although they may be called as what they are', async () => {
      await trial.refusesAll(await vaultInputs(fixture), [own]);
    });

    it('are refused in every other field and did:web', async () => {
      const { inputs } = await SsrfTarget.of(fixture.server);
      await trial.refusesAll(inputs.urls, [`${own}/x`]);
      await trial.refusesAll(inputs.hosts, [new URL(own).host]);
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
