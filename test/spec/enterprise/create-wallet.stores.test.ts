import { expect } from 'chai';
import { LEASE_MS } from '../../../domain/foundation/lease.ts';
import { type EnterpriseFixture, fieldsOf, may, startEnterprise } from '../../actors/tenant.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import { createIssuer } from '../../actors/tenant-issuer.ts';
import { askForCard, cardOffer } from '../../actors/tenant-wallet.ts';
import { FaultyStore, StoreFaults } from '../../support/stores/faulty-store.ts';

describe('a wallet with everything that it needs', () => {
  let world: EnterpriseFixture;
  const faults = new StoreFaults();
  before(async () => {
    world = await startEnterprise({}, { wrapStore: (inner) => new FaultyStore(inner, faults) });
    await createIssuer(world);
  });
  after(() => world.close());

  const createIfNotFound = true;
  const at = (name: string) => `acme.t1.${name}`;
  const whole = (name: string, changes: object = {}) => ({
    createIfNotFound,
    target: at(`${name}wallet`),
    kms: {
      createIfNotFound,
      target: at(`${name}kms`),
      key: { createIfNotFound, target: at(`${name}kms.wallet_key`), config: { backend: 'jwk', keyType: 'secp256r1' } },
    },
    didStore: { createIfNotFound, target: at(`${name}dids`) },
    didService: {
      createIfNotFound,
      target: at(`${name}did`),
      dependencies: [at(`${name}kms`), at(`${name}dids`)],
      did: { createIfNotFound, target: at(`${name}dids.wallet_did`), type: 'jwk' },
    },
    credentialStore: { createIfNotFound, target: at(`${name}creds`) },
    ...changes,
  });
  const create = (wallet: object, token?: string) => world.post('createServices', 'acme.t1', { wallet }, token);
  const statusAt = async (target: string) =>
    (await world.server.call('getResource', { path: { target }, token: world.root })).status;
  const NAMES = ['wallet', 'kms', 'kms.wallet_key', 'dids', 'did', 'dids.wallet_did', 'creds'];
  const present = async (name: string) => {
    const statuses = await Promise.all(NAMES.map((part) => statusAt(at(`${name}${part}`))));
    return NAMES.filter((_, index) => statuses[index] === 200);
  };

  it('201: a tenant bootstraps it with one call, repeats that without change, receives from its issuer and presents to its verifier', async () => {
    const first = await create(whole('a'));
    expect(first.status, JSON.stringify(first.body)).to.equal(201);
    const targets = first.body.map(({ _id }: { _id: string }) => _id);
    expect(targets).to.deep.equal(['akms', 'adids', 'adid', 'acreds', 'awallet'].map(at));
    expect(await present('a')).to.deep.equal(NAMES);
    const again = await create(whole('a'));
    expect([again.status, again.body]).to.deep.equal([200, first.body]);
    const offerUrl = await cardOffer(world);
    const { credentialIds } = await ok(world.post('receiveTenantPreAuthorized', at('awallet'), { offerUrl }));
    expect(credentialIds[0].startsWith(`${at('acreds')}.`)).to.equal(true);
    const { link: requestUrl, info } = await askForCard(world);
    const keyReference = at('akms.wallet_key');
    await ok(world.post('presentTenantCredentials', at('awallet'), { requestUrl, keyReference }));
    expect((await info()).status).to.equal('SUCCESSFUL');
  });

  it('201: what is missing is created beside what exists; of many calls at once each succeeds, and everything is there once', async () => {
    await ok(world.post('createService', at('bkms'), { type: 'kms' }), 201);
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(whole('b'))));
    for (const { status, body } of answers) expect([200, 201], JSON.stringify(body)).to.include(status);
    expect(await present('b')).to.deep.equal(NAMES);
    expect((await create(whole('b'))).status).to.equal(200);
  });

  it('201: a process that ends at any call of the store leaves what the same call completes', async () => {
    for (let call = 1, isDone = false; !isDone; call += 9) {
      const name = `k${call}`;
      Object.assign(faults, { failIn: call, isDeadly: true });
      await create(whole(name)).catch(() => undefined);
      isDone = faults.failIn > 0;
      faults.end();
      world.server.clock.advance(LEASE_MS);
      const { status, body } = await create(whole(name));
      expect([200, 201], `at call ${call}: ${JSON.stringify(body)}`).to.include(status);
      expect(await present(name), `at call ${call}`).to.deep.equal(NAMES);
      expect(call).to.be.below(500);
    }
  });

  it('400, 409: names the part that cannot be created, and nothing that the call made stays', async () => {
    await ok(world.post('createService', at('taken'), { type: 'policy-store' }), 201);
    const kms = whole('c').kms;
    const cases: [object, number, string[]][] = [
      [{ didStore: { target: at('cdids') } }, 400, ['/body/wallet/didStore/target']],
      [{ credentialStore: { createIfNotFound, target: at('taken') } }, 409, ['/body/wallet/credentialStore/target']],
      [
        { credentialStore: { createIfNotFound, target: 'acme.t2.creds' } },
        400,
        ['/body/wallet/credentialStore/target'],
      ],
      [{ createIfNotFound: false }, 400, ['/body/wallet/target']],
      [
        { kms: { ...kms, key: { ...kms.key, config: { keyType: 'secp256r1', region: 'x' } } } },
        400,
        ['/body/wallet/kms/key/config/region'],
      ],
      [{ kms: { ...kms, key: { ...kms.key, target: at('other.key') } } }, 400, ['/body/wallet/kms/key/target']],
      [{ kms: { ...kms, key: undefined } }, 400, ['/body/wallet/kms/key']],
      [{ surprise: 1 }, 400, ['/body/wallet/surprise']],
    ];
    for (const [changes, status, fields] of cases) {
      const answer = await create(whole('c', changes));
      expect([answer.status, fieldsOf(answer)], JSON.stringify(changes)).to.deep.equal([status, fields]);
      expect(await present('c'), JSON.stringify(changes)).to.deep.equal([]);
    }
    const both = { wallet: whole('c'), services: { x: { type: 'kms' } } };
    expect((await world.post('createServices', 'acme.t1', both)).status).to.equal(400);
  });

  it('409: a wallet that exists and uses other services; those that the call made are gone', async () => {
    await ok(world.post('createService', at('dwallet'), { type: 'wallet2' }), 201);
    const { status, body } = await create(whole('d'));
    expect([status, body.message]).to.deep.equal([409, `${at('dwallet')} exists and does not use ${at('dkms')}`]);
    expect(await present('d')).to.deep.equal(['wallet']);
  });

  it('403: without a permission for one of the parts nothing is made', async () => {
    const actions = ['service-create', 'service-use', 'resource-view', 'key-create'];
    const { token } = await world.member(actions.map((action) => may('acme', action)));
    expect((await create(whole('e'), token)).status).to.equal(403);
    expect(await present('e')).to.deep.equal([]);
  });
});
