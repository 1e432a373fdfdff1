import { expect } from 'chai';
import { refusesAsEvery } from '../../actors/administration.ts';
import { type EnterpriseFixture, fieldsOf, KMS, may, mayNot, startEnterprise, VERIFIER } from '../../actors/tenant.ts';

interface Place {
  target: string;
  type: string;
  name?: string;
  actions: string[];
}

describe('workplaces', () => {
  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise();
    for (const _id of ['beta', 'gamma'])
      await world.server.call('createOrganization', { json: { _id }, token: world.root });
  });
  after(() => world.close());
  const organizations = (token = world.root, query: Record<string, string> = {}) =>
    world.server.call('listOrganizations', { token, query });
  const at = (target: string, token = world.root, query: Record<string, string> = {}) =>
    world.server.call('getWorkplace', { path: { target }, token, query });
  const targets = (places: Place[]): string[] => places.map(({ target }) => target);

  describe('listOrganizations', () => {
    it('200: superadmins see all, in pages; an account those of its roles, also where a role reaches a service only', async () => {
      expect(targets((await organizations()).body)).to.deep.equal(['acme', 'beta', 'gamma']);
      expect(targets((await organizations(world.root, { limit: '1', offset: '1' })).body)).to.deep.equal(['beta']);
      const { token } = await world.member([may(KMS, 'list-keys'), may('gamma'), may('absent')]);
      expect((await organizations(token)).body[0]).to.deep.equal({
        target: 'acme',
        type: 'organization',
        name: 'Acme',
        actions: [],
      });
      expect(targets((await organizations(token)).body)).to.deep.equal(['acme', 'gamma']);
      const all = await world.member([may('*', 'list-keys'), mayNot('beta')]);
      expect(targets((await organizations(all.token)).body)).to.deep.equal(['acme', 'gamma']);
      expect((await organizations((await world.member([])).token)).body).to.deep.equal([]);
    });

    it('400: names the parameters that are wrong', async () => {
      expect(fieldsOf(await organizations(world.root, { limit: '0', offset: '-1' }))).to.deep.equal([
        '/query/limit',
        '/query/offset',
      ]);
    });

    refusesAsEvery('listOrganizations', { world: () => world, call: {} });
  });

  describe('getWorkplace', () => {
    it('200: what the caller may do here and directly below, and nothing that it may not know of', async () => {
      const rights = [may('acme.t1', 'check-run'), may(VERIFIER, 'check-list'), mayNot(KMS)];
      const { token } = await world.member(rights);
      const { body } = await at('acme.t1', token);
      expect(body.here).to.deep.equal({ target: 'acme.t1', type: 'tenant', name: 't1', actions: ['check-run'] });
      expect(targets(body.below)).to.deep.equal(
        ['creds1', 'dids1', 'policies1', 'verifier1'].map((name) => `acme.t1.${name}`),
      );
      expect(body.below.at(-1)).to.deep.equal({
        target: VERIFIER,
        type: 'verifier2',
        actions: ['check-list', 'check-run'],
      });
      const page = await at('acme.t1', token, { limit: '1', offset: '3' });
      expect(targets(page.body.below)).to.deep.equal([VERIFIER]);
      const clerk = await world.member([may(VERIFIER, 'check-run')]);
      const above = (await at('acme', clerk.token)).body;
      expect([above.here.actions, targets(above.below)]).to.deep.equal([[], ['acme.t1']]);
      expect(targets((await at('acme.t1', clerk.token)).body.below)).to.deep.equal([VERIFIER]);
    });

    it('200: who has full control may do `all`; where something is denied below, it has not', async () => {
      const full = await world.member([may('acme')]);
      const limited = await world.member([may('acme'), mayNot(KMS, 'key-sign')]);
      const all = async (target: string, token: string) => (await at(target, token)).body.here.actions.includes('all');
      expect([await all('acme', full.token), await all('acme.t1', full.token)]).to.deep.equal([true, true]);
      expect([await all('acme', limited.token), await all(VERIFIER, limited.token)]).to.deep.equal([false, true]);
    });

    it('200: a superadmin may do everything everywhere', async () => {
      const { body } = await at('acme');
      const { body: actions } = await world.server.call('listActions', { token: world.root });
      expect(body.here.actions).to.deep.equal([...actions.map(({ action }: { action: string }) => action), 'all']);
      expect(targets(body.below)).to.deep.equal(['acme.t1']);
    });

    it('404: where the caller sees nothing, and where nothing is; 400 names a wrong parameter', async () => {
      const { token } = await world.member([may(VERIFIER, 'check-run')]);
      for (const target of ['beta', KMS, 'absent']) expect((await at(target, token)).status, target).to.equal(404);
      expect((await at('acme.absent')).status).to.equal(404);
      expect(fieldsOf(await at('acme', world.root, { sort: 'createdDateTime', limit: 'x' }))).to.include(
        '/query/limit',
      );
    });

    refusesAsEvery('getWorkplace', { world: () => world, call: { path: { target: 'acme.t1' } } });
  });
});
