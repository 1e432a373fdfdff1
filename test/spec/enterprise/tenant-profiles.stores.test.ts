import { expect } from 'chai';
import {
  asForm,
  type EnterpriseFixture,
  fieldsOf,
  jwkDid,
  KMS,
  oversized,
  startEnterprise,
} from '../../actors/tenant.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import { CARDS, createIssuer, ISSUER, offerOf, takeCard } from '../../actors/tenant-issuer.ts';
import { refusesStrangers } from '../../actors/tenant-refusals.ts';

const STATUS = 'acme.t1.status1';
const LIST = `${STATUS}.list1`;

const LICENCE = { name: 'Licence', credentialConfigurationId: 'Card', credentialData: { level: 'gold' } };

describe('profiles that are created at an issuer of a tenant', () => {
  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise();
    await ok(world.post('createService', STATUS, { type: 'credential-status', dependencies: [KMS] }), 201);
    await ok(createIssuer(world, { dependencies: [KMS, STATUS] }), 201);
    const { key } = await ok(world.server.call('getResource', { path: { target: `${KMS}.key1` }, token: world.root }));
    const config = { type: 'TokenStatusList', format: 'JWT' };
    const list = { kid: `${KMS}.key1`, issuerDid: jwkDid(key.jwk), config };
    await ok(world.post('createStatusCredential', LIST, list), 201);
  });
  after(() => world.close());

  const call = (operationId: string, profileId: string, json?: object, target = ISSUER) =>
    world.server.call(operationId, { path: { target, profileId }, json, token: world.root });
  const create = (profileId: string, changes: object = {}) =>
    call('createTenantProfile', profileId, { ...LICENCE, ...changes });
  const shown = (profileId: string) => call('tenantGetIssuanceProfile', profileId);
  const configure = async (changes: object) => {
    const keys = { dependencies: [KMS, STATUS], defaultIssuerKey: `${KMS}.key1` };
    return world.post('updateService', ISSUER, { type: 'issuer2', ...CARDS, ...keys, ...changes });
  };
  const strangers = (operationId: string, profileId: string, json?: object) =>
    refusesStrangers(
      () => world,
      () => ({ operationId, target: ISSUER, path: { profileId }, json }),
    );
  const refusesForms = (operationId: string) =>
    it('413, 415: refuses large bodies and other media types', async () => {
      const request = { path: { target: ISSUER, profileId: 'any' }, token: world.root };
      expect((await world.server.call(operationId, { ...request, ...oversized })).status).to.equal(413);
      expect((await world.server.call(operationId, { ...request, ...asForm })).status).to.equal(415);
    });

  /** What is wrong with a profile, whichever operation gets it. */
  const refusesContent = (operationId: string, profileId: () => Promise<string>) =>
    it('400: names the member', async () => {
      const fields = async (changes: object) =>
        fieldsOf(await call(operationId, await profileId(), { ...LICENCE, ...changes }));
      expect(await fields({ credentialConfigurationId: 'absent' })).to.deep.equal(['/body/credentialConfigurationId']);
      expect(await fields({ issuerKeyId: `${KMS}.absent` })).to.deep.equal(['/body/issuerKeyId']);
      expect(await fields({ surprise: 1 })).to.deep.equal(['/body/surprise']);
      const listed = { statusCredentialConfig: `${STATUS}.absent` };
      const place = '/body/credentialStatus/statusCredentialConfig';
      expect(await fields({ credentialStatus: listed })).to.deep.equal([place]);
      expect(await fields({ credentialStatus: { statusCredentialConfig: `${KMS}.key1` } })).to.deep.equal([place]);
      expect(await fields({ credentialStatus: { statusCredentialConfig: LIST, initialStatus: '0x1' } })).to.deep.equal([
        '/body/credentialStatus/initialStatus',
      ]);
      const both = { credentialStatus: { statusCredentialConfig: LIST }, statusList: { type: 'TokenStatusList' } };
      expect(await fields(both)).to.deep.equal(['/body/credentialStatus']);
    });

  let count = 0;
  const created = async (): Promise<string> => {
    count += 1;
    await ok(create(`created${count}`), 201);
    return `created${count}`;
  };

  describe('createTenantProfile', () => {
    it('201: with a source of attributes, whose secrets are not shown; one of this network is refused', async () => {
      const claims = { level: '$.level' };
      const source = (url: string) => ({ attributeSource: { url, claims, bearerToken: 'SECRET' } });
      const { status, body } = await create('sourced', source('https://registry.example/people'));
      expect([status, body.attributeSource]).to.deep.equal([201, {}]);
      expect(JSON.stringify([body, (await shown('sourced')).body])).not.to.match(/SECRET|registry/);
      const offer = await world.post('tenantCreateCredentialOffer', ISSUER, offerOf({ profileId: 'sourced' }));
      expect(fieldsOf(offer)).to.deep.equal(['/body/reference']);
      expect(fieldsOf(await create('inside', source('http://10.1.2.3/people')))).to.deep.equal([
        '/body/attributeSource/url',
      ]);
    });

    it('201: as it is shown and listed; wallets take what it offers', async () => {
      const { body } = await create('licence', { credentialStatus: { statusCredentialConfig: LIST } });
      expect(body).to.include({ profileId: 'licence', name: 'Licence', credentialConfigurationId: 'Card' });
      expect((await shown('licence')).body).to.deep.equal(body);
      const { body: list } = await world.server.call('tenantListIssuanceProfiles', {
        path: { target: ISSUER },
        token: world.root,
      });
      expect(list).to.deep.include(body);
      const offer = await ok(world.post('tenantCreateCredentialOffer', ISSUER, offerOf({ profileId: 'licence' })), 201);
      await ok(takeCard(world, offer.credentialOffer));
    });

    it('201: it stays when the service is configured anew', async () => {
      const id = await created();
      await ok(configure({ issuedRetentionDays: 9 }));
      expect((await shown(id)).status).to.equal(200);
      const taken = await configure({ profiles: { ...CARDS.profiles, [id]: LICENCE } });
      expect([taken.status, fieldsOf(taken)]).to.deep.equal([400, [`/body/profiles/${id}`]]);
    });

    refusesContent('createTenantProfile', async () => 'wrong');

    it('409: once, of those of the configuration too, and no more than its issuer holds', async () => {
      for (const id of ['card', await created()]) expect((await create(id)).status, id).to.equal(409);
      const credentialData = { text: 'x'.repeat(262_144) };
      expect((await create('large', { credentialData })).status).to.equal(409);
      expect((await shown('large')).status).to.equal(404);
    });
    strangers('createTenantProfile', 'stranger', LICENCE);
    refusesForms('createTenantProfile');
  });

  describe('replaceTenantProfile', () => {
    it('200: what was offered stays what it is', async () => {
      const id = await created();
      const offer = await ok(world.post('tenantCreateCredentialOffer', ISSUER, offerOf({ profileId: id })), 201);
      const { body } = await call('replaceTenantProfile', id, { ...LICENCE, name: 'Other' });
      expect(body).to.include({ profileId: id, name: 'Other' });
      expect((await shown(id)).body).to.deep.equal(body);
      await ok(takeCard(world, offer.credentialOffer));
    });
    refusesContent('replaceTenantProfile', created);

    it('404: without the profile; 409: one of the configuration', async () => {
      for (const absent of ['absent', 'constructor'])
        expect((await call('replaceTenantProfile', absent, LICENCE)).status, absent).to.equal(404);
      expect((await call('replaceTenantProfile', 'card', LICENCE)).status).to.equal(409);
    });
    strangers('replaceTenantProfile', 'card', LICENCE);
    refusesForms('replaceTenantProfile');
  });

  describe('deleteTenantProfile', () => {
    it('204: it is gone, and what was offered stays what it is', async () => {
      const id = await created();
      const offer = await ok(world.post('tenantCreateCredentialOffer', ISSUER, offerOf({ profileId: id })), 201);
      expect((await call('deleteTenantProfile', id)).status).to.equal(204);
      expect((await shown(id)).status).to.equal(404);
      expect((await call('deleteTenantProfile', id)).status).to.equal(404);
      await ok(takeCard(world, offer.credentialOffer));
    });

    it('400: names a malformed id; 409: one of the configuration', async () => {
      expect(fieldsOf(await call('deleteTenantProfile', 'a.b'))).to.deep.equal(['/path/profileId']);
      expect((await call('deleteTenantProfile', 'card')).status).to.equal(409);
    });
    strangers('deleteTenantProfile', 'card');
  });
});
