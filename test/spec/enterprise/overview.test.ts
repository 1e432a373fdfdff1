import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { refusesAsEvery } from '../../actors/administration.ts';
import { type EnterpriseFixture, may, startEnterprise, TOKEN } from '../../actors/tenant.ts';

describe('overview', () => {
  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise();
  });
  after(() => world.close());

  describe('getOverview', () => {
    it('200: version, services, store and limits in force, without secrets', async () => {
      const { status, body } = await world.server.call('getOverview', { token: world.root });
      const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
      const { publicUrl, store, services, pagination } = world.server.settings;
      expect(status).to.equal(200);
      expect(body).to.deep.include({ version, publicUrl, services: services.services, pagination });
      expect(body.store).to.deep.equal({ type: store.type, state: 'Healthy' });
      expect(body.limits).to.deep.include({ section: 'enterprise_auth_endpoint', requestsPerMinute: 100_000 });
      expect(JSON.stringify(body)).not.to.contain(TOKEN);
    });

    it('403: for callers that are not superadmins', async () => {
      const { token } = await world.member([may('acme')]);
      expect((await world.server.call('getOverview', { token })).status).to.equal(403);
    });

    refusesAsEvery('getOverview', { world: () => world, call: {} });
  });
});
