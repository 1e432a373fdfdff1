import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { IACA_DATA, makeIaca, signerRequest } from '../../demo/actors/authority.ts';
import { BACKENDS } from '../../domain/keys/key-reference.ts';
import type { Backend } from '../../ports/key-service.ts';
import { ENTERPRISE_SETTINGS, type EnterpriseFixture, enterpriseOn, KMS } from '../actors/tenant.ts';
import { newWalletUser, type WalletUser } from '../actors/wallet-user.ts';
import { useFakeAws } from '../support/kms/aws.ts';
import { outcomeOf } from '../support/kms/aws-trial.ts';
import { type Cloud, useClouds } from '../support/kms/clouds.ts';
import { remoteBackends } from '../support/kms/remote-backends.ts';
import { type Call, useServer } from '../support/servers/server.ts';

const TAG = 'credenza-request';
const turn = { source: '192.0.2.1', requestId: 'request-1' };
const keyType = 'secp256r1' as const;

describe('the tag with the request for which a key was made in a cloud', () => {
  describe('at each key management service', () => {
    const clouds = useClouds();
    const tagging = () => clouds.all.filter(({ backend }) => BACKENDS[backend as Backend].maxTags !== undefined);
    const create = async ({ backend, config, newestTags }: Cloud, tags: Record<string, string>) => {
      const { backends } = remoteBackends({ ...clouds.settings, allow: ['127.0.0.1'] });
      await backends.create(backend, { keyType, config: { ...config(), tags }, turn });
      await backends.close();
      return newestTags();
    };

    it('stands beside the tags of the caller', async () => {
      for (const cloud of tagging()) {
        const own = { team: 'identity' };
        expect(await create(cloud, own), cloud.backend).to.deep.equal({ ...own, [TAG]: turn.requestId });
      }
    });

    it('is left out where the caller uses all tags that a key may have', async () => {
      for (const cloud of tagging()) {
        const { maxTags = 0 } = BACKENDS[cloud.backend as Backend];
        const tags = Object.fromEntries(Array.from({ length: maxTags }, (_, at) => [`t${at}`, 'x']));
        expect(await create(cloud, tags), cloud.backend).to.deep.equal(tags);
      }
    });
  });

  describe('with credentials that may not tag', () => {
    const fake = useFakeAws();
    const create = async (tags?: Record<string, string>) => {
      const { backends } = remoteBackends({ kmsa: fake.settings });
      await outcomeOf(backends.create('kmsa', { keyType, config: { ...fake.config(), tags } as never, turn }));
      await backends.close();
      return [...fake.service.keys.values()].map((key) => key.tags);
    };

    it('is left out: a key without other tags is made all the same', async () => {
      fake.service.denied.add('kms:TagResource');
      expect(await create({ team: 'identity' })).to.deep.equal([]);
      expect(await create()).to.deep.equal([{}]);
    });
  });

  describe('of every operation that makes a key', () => {
    const clouds = useClouds();
    const aws = () => clouds.all[0] as Cloud;
    const server = useServer(async () => {
      const defaultKeyConfig = { backend: 'kmsa-rest-api', keyType, config: aws().config() };
      const registrationDefaults = { defaultKeyConfig, defaultDidConfig: { method: 'jwk' } };
      const kms = { ...clouds.settings, timeoutSeconds: 5 };
      return { settings: { ...ENTERPRISE_SETTINGS, kms, registrationDefaults } };
    });
    let holder: WalletUser;
    let tenancy: EnterpriseFixture;
    before(async () => {
      holder = await newWalletUser(server);
      tenancy = await enterpriseOn(server);
    });

    const key = () => ({ backend: 'kmsa-rest-api', keyType, config: aws().config() });
    const account = () => ({
      type: 'email',
      name: 'Ada',
      email: `${randomUUID()}@example.org`,
      password: 'a long password',
    });
    const calls: Record<string, () => Promise<Call>> = {
      onboardIssuer: async () => ({ json: { key: key() } }),
      onboardIaca: async () => ({ json: { certificateData: IACA_DATA, ecKeyGenRequestParams: key() } }),
      onboardDocumentSigner: async () => ({
        json: signerRequest(await makeIaca(server), { ecKeyGenRequestParams: key() }),
      }),
      generateWalletKey: async () => ({ path: { wallet: holder.wallet }, token: holder.token, json: key() }),
      createWalletDid: async () => ({ path: { wallet: holder.wallet, method: 'jwk' }, token: holder.token }),
      registerAccount: async () => ({ json: account() }),
      generateKey: async () => ({ path: { target: KMS }, token: tenancy.root, json: key() }),
    };
    for (const [operation, call] of Object.entries(calls))
      it(`${operation}: has the id that the answer has`, async () => {
        const { status, headers } = await server.call(operation, await call());
        expect(status).to.be.within(200, 201);
        expect(aws().newestTags()?.[TAG]).to.equal(headers.get('x-request-id'));
      });
  });
});
