import { expect } from 'chai';
import { NO_ACCOUNT, refusesAsEvery } from '../../actors/administration.ts';
import {
  accountRequest,
  type EnterpriseFixture,
  fieldsOf,
  login,
  may,
  PASSWORD,
  registration,
  startEnterprise,
  TOKEN,
  withoutRequestId,
} from '../../actors/tenant.ts';

describe('account administration', () => {
  /** Another superadmin. */
  const SECOND = { token: 'a-token-of-the-operator-2', email: 'second@example.org' };

  let world: EnterpriseFixture;
  before(async () => {
    const tokens = { [TOKEN]: registration(), [SECOND.token]: registration(SECOND.email) };
    world = await startEnterprise({ superadminRegistration: { tokens } });
  });
  after(() => world.close());
  const of = (operationId: string, accountId: string, token = world.root) =>
    world.server.call(operationId, { path: { accountId }, token });
  const own = (token: string) => world.server.call('getOwnAccount', { token });
  const enter = (email: string, password = PASSWORD) =>
    world.server.call('loginEnterpriseAccount', { json: { email, password } });
  const refusesMembers = (operationId: string) => {
    it('403: for callers that are not superadmins', async () => {
      const [one, other] = [await world.member([may('acme')]), await world.member([])];
      expect((await of(operationId, other.id, one.token)).status).to.equal(403);
    });

    it('404: for an account that does not exist', async () => {
      expect((await of(operationId, NO_ACCOUNT)).status).to.equal(404);
    });

    refusesAsEvery(operationId, { world: () => world, call: { path: { accountId: NO_ACCOUNT } } });
  };

  describe('listAccounts', () => {
    const list = (query: Record<string, string>, token = world.root) =>
      world.server.call('listAccounts', { query, token });

    it('200: superadmins see all accounts, in pages, without secrets', async () => {
      const { id } = await world.member([may('acme')]);
      const { body: whole } = await list({ limit: '1000' });
      const found = whole.find((account: { _id: string }) => account._id === id);
      expect(found).to.have.keys('_id', 'profile', 'roles', 'superadmin', 'disabled', 'createdDateTime');
      const pages = [];
      for (let offset = 0; offset < whole.length; offset += 1)
        pages.push(...(await list({ limit: '1', offset: String(offset) })).body);
      expect(pages).to.deep.equal(whole);
      const ids = whole.map((account: { _id: string }) => account._id);
      expect(ids).to.deep.equal(ids.toSorted());
    });

    it('400: reports every wrong parameter', async () => {
      const answer = await list({ limit: '05', offset: '1e2', sort: 'createdDateTime' });
      expect(fieldsOf(answer)).to.have.members(['/query/limit', '/query/offset', '/query/sort']);
    });

    it('403: for callers that are not superadmins, before the parameters are read', async () => {
      const { token } = await world.member([may('acme')]);
      expect((await list({ limit: 'x' }, token)).status).to.equal(403);
    });

    refusesAsEvery('listAccounts', { world: () => world, call: {} });
  });

  describe('getAccount', () => {
    it('200: for superadmins, and for the account itself', async () => {
      const { id, token } = await world.member([may('acme')]);
      const [byRoot, byItself] = [await of('getAccount', id.toUpperCase()), await of('getAccount', id, token)];
      expect(byRoot.body).to.deep.include({ _id: id, superadmin: false, disabled: false });
      expect(byItself.body).to.deep.equal(byRoot.body);
    });

    refusesMembers('getAccount');
  });

  describe('disableAccount', () => {
    it('200: the account can neither log in nor go on, with the answer of a wrong password', async () => {
      const { id, token } = await world.member([may('acme')]);
      const { email } = (await own(token)).body.profile;
      expect((await of('disableAccount', id)).body.disabled).to.equal(true);
      expect((await of('disableAccount', id)).status).to.equal(200);
      expect((await own(token)).status).to.equal(401);
      const [right, wrong] = [await enter(email), await enter(email, 'wrong')];
      expect(right.status).to.equal(401);
      expect(withoutRequestId(right)).to.deep.equal(withoutRequestId(wrong));
    });

    it('200: of many who disable another superadmin at once one does it, and the others meanwhile get 409', async () => {
      await world.server.call('createSuperadmin', { text: SECOND.token });
      const { _id: id } = (await own(await login(world.server, SECOND.email))).body;
      const answers = await Promise.all([1, 2, 3, 4].map(() => of('disableAccount', id)));
      expect(answers.map(({ status }) => status)).to.include(200);
      for (const { status } of answers) expect([200, 409]).to.include(status);
      expect((await enter(SECOND.email)).status).to.equal(401);
      expect((await of('enableAccount', id)).body).to.include({ superadmin: true, disabled: false });
      expect((await of('deleteAccount', id)).status).to.equal(204);
      expect((await of('getAccount', id)).status).to.equal(404);
    });

    it('409: a superadmin cannot disable itself', async () => {
      expect((await of('disableAccount', (await own(world.root)).body._id)).status).to.equal(409);
    });

    refusesMembers('disableAccount');
  });

  describe('enableAccount', () => {
    it('200: the account can log in again and has its roles', async () => {
      const { id, token } = await world.member([may('acme')]);
      const { email } = (await own(token)).body.profile;
      await of('disableAccount', id);
      expect((await of('enableAccount', id)).body.disabled).to.equal(false);
      const answer = await world.server.call('getResource', {
        path: { target: 'acme' },
        token: await login(world.server, email),
      });
      expect(answer.status).to.equal(200);
      expect((await own(token)).status).to.equal(401);
    });

    refusesMembers('enableAccount');
  });

  describe('deleteAccount', () => {
    it('204: its login, its sessions and its roles end, and the address is free', async () => {
      const { id, token } = await world.member([may('acme')]);
      const { profile, roles } = (await own(token)).body;
      expect((await of('deleteAccount', id)).status).to.equal(204);
      expect((await own(token)).status).to.equal(401);
      expect((await enter(profile.email)).status).to.equal(401);
      expect((await of('getAccount', id)).status).to.equal(404);
      const members = { path: { target: roles[0] }, token: world.root };
      expect((await world.server.call('listRoleAccounts', members)).body).to.deep.equal([]);
      const again = { json: accountRequest(profile.email), token: world.root };
      expect((await world.server.call('registerEnterpriseAccount', again)).status).to.equal(201);
    });

    it('204: of many at once one removes it', async () => {
      const { id } = await world.member([]);
      const statuses = (await Promise.all([1, 2, 3].map(() => of('deleteAccount', id)))).map(({ status }) => status);
      expect(statuses).to.include(204);
      expect((await of('getAccount', id)).status).to.equal(404);
    });

    it('409: a superadmin cannot remove itself', async () => {
      expect((await of('deleteAccount', (await own(world.root)).body._id)).status).to.equal(409);
    });

    refusesMembers('deleteAccount');
  });
});
