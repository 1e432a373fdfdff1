import { expect } from 'chai';
import type { Store } from '../../ports/store.ts';
import { type EnterpriseFixture, KMS, startEnterprise } from '../actors/tenant.ts';
import { newWalletUser, type WalletUser } from '../actors/wallet-user.ts';
import { type Cloud, useClouds } from '../support/kms/clouds.ts';
import { FaultyStore, StoreFaults } from '../support/stores/faulty-store.ts';

/** The most calls of the store that one request makes. */
const MOST_CALLS = 40;

describe('a key in a key management service, when a later step fails', () => {
  const clouds = useClouds();
  const faults = new StoreFaults();
  let tenancy: EnterpriseFixture;
  let user: WalletUser;
  before(async () => {
    const settings = { outbound: { allow: ['127.0.0.1'] }, kms: { ...clouds.settings, timeoutSeconds: 10 } };
    const wrapStore = (store: Store) => new FaultyStore(store, faults);
    tenancy = await startEnterprise(settings, { wrapStore });
    user = await newWalletUser(tenancy.server);
  });
  after(() => tenancy?.close());

  const keyOf = ({ backend, config }: Cloud) => ({ backend, keyType: 'secp256r1', config: config() });
  interface Action {
    act(cloud: Cloud): Promise<{ status: number }>;
    /** The number of keys that its owner has in a cloud; absent where only the answer says that there is one. */
    owned?(cloud: Cloud): Promise<number>;
  }
  const listed = async (answer: Promise<{ body: object[] }>, backend: string): Promise<number> =>
    (await answer).body.filter((one) => JSON.stringify(one).includes(`"${backend}"`)).length;
  const actions: Record<string, Action> = {
    'onboarding an issuer': {
      act: (cloud) => tenancy.server.call('onboardIssuer', { json: { key: keyOf(cloud), did: { method: 'jwk' } } }),
    },
    'creating a key of a wallet': {
      act: (cloud) => user.call('generateWalletKey', { json: keyOf(cloud) }),
      owned: ({ backend }) => listed(user.call('listWalletKeys'), backend),
    },
    'creating a key of a tenant': {
      act: (cloud) => tenancy.post('generateKey', KMS, keyOf(cloud)),
      owned: ({ backend }) =>
        listed(tenancy.server.call('listKeys', { path: { target: KMS }, token: tenancy.root }), backend),
    },
  };

  for (const [name, { act, owned }] of Object.entries(actions))
    it(`${name}: the key exists exactly when it has an owner, whichever call of the store fails`, async () => {
      for (const cloud of clouds.all) {
        let failures = 0;
        for (let n = 1; n <= MOST_CALLS; n += 1) {
          const [before, had] = [cloud.living(), await owned?.(cloud)];
          faults.failIn = n;
          const { status } = await act(cloud);
          const wasStruck = faults.failIn === 0;
          faults.failIn = 0;
          const succeeded = status < 300;
          if (!succeeded) failures += 1;
          const added = owned ? (await owned(cloud)) - (had ?? 0) : Number(succeeded);
          const expected = before + added;
          for (let wait = 0; cloud.living() !== expected && wait < 100; wait += 1)
            await new Promise((resolve) => setTimeout(resolve, 20));
          expect(cloud.living(), `${cloud.backend}, call ${n} of the store, ${status}`).to.equal(expected);
          if (!wasStruck) break;
        }
        expect(failures, cloud.backend).to.be.greaterThan(0);
      }
    });

  it('of three keys created under one name at once, one is kept and the others are removed', async () => {
    for (const cloud of clouds.all) {
      const target = `${KMS}.${cloud.backend}`;
      const before = cloud.living();
      const outcomes = await Promise.all([1, 2, 3].map(() => tenancy.post('generateKey', target, keyOf(cloud))));
      expect(outcomes.map(({ status }) => status).sort(), cloud.backend).to.deep.equal([201, 409, 409]);
      for (let wait = 0; cloud.living() !== before + 1 && wait < 100; wait += 1)
        await new Promise((resolve) => setTimeout(resolve, 20));
      expect(cloud.living(), cloud.backend).to.equal(before + 1);
    }
  });

  it('the list of a tenant shows the public part of such keys and no secret', async () => {
    const { body } = await tenancy.server.call('listKeys', { path: { target: KMS }, token: tenancy.root });
    const text = JSON.stringify(body);
    for (const cloud of clouds.all) expect(text).to.include(`"type":"${cloud.backend}"`);
    expect(text).not.to.match(/secretAccessKey|clientSecret|signingKeyPem|secretId|PRIVATE/);
  });
});
