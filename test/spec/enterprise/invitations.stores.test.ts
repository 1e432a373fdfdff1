import { expect } from 'chai';
import { NO_ACCOUNT, needControl } from '../../actors/administration.ts';
import {
  asForm,
  type EnterpriseFixture,
  fieldsOf,
  login,
  may,
  oversized,
  PASSWORD,
  startEnterprise,
  withoutRequestId,
} from '../../actors/tenant.ts';

describe('invitations', () => {
  let world: EnterpriseFixture;
  let guests = 0;
  before(async () => {
    world = await startEnterprise();
    await world.post('createRole', 'acme.guest', { name: 'G', permissions: [may('acme.t1', 'resource-view')] });
  });
  after(() => world.close());
  const controlled = needControl(() => world);
  const freshEmail = () => `guest${++guests}@example.org`;
  const create = (target: string, json: unknown, token?: string) => world.post('createInvitation', target, json, token);
  const invite = async (more: object = {}): Promise<{ email: string; token: string; id: string }> => {
    const { body } = await create('acme', { email: freshEmail(), role: 'acme.guest', ...more });
    return { email: body.email, token: body.token, id: body._id };
  };
  const accept = (json: unknown) => world.server.call('acceptInvitation', { json });
  const view = async (email: string) =>
    (await world.server.call('getResource', { path: { target: 'acme.t1' }, token: await login(world.server, email) }))
      .status;

  describe('createInvitation', () => {
    it('201: the token is shown once, and neither listed nor logged', async () => {
      const email = freshEmail();
      const { status, body, headers } = await create('acme', { email, role: 'acme.guest', expiresInSeconds: 60 });
      expect([status, body.email, body.role]).to.deep.equal([201, email, 'acme.guest']);
      expect(headers.get('cache-control')).to.equal('no-store');
      const { body: listed } = await world.server.call('listInvitations', {
        path: { target: 'acme' },
        token: world.root,
      });
      expect(JSON.stringify([listed, world.server.lines])).not.to.contain(body.token);
    });

    it('400: refuses roles that the caller may not give, and what is no address', async () => {
      const { token } = await world.member([may('acme')]);
      await world.post('createRole', 'acme.beyond', { name: 'W', permissions: [may('other')] });
      for (const role of ['acme.beyond', 'acme.absent', 'other.admin'])
        expect(fieldsOf(await create('acme', { email: freshEmail(), role }, token)), role).to.deep.equal([
          '/body/role',
        ]);
      expect(fieldsOf(await create('acme', { email: 'x', role: 'acme.guest' }))).to.deep.equal(['/body/email']);
      const long = { email: freshEmail(), role: 'acme.guest', expiresInSeconds: 0 };
      expect(fieldsOf(await create('acme', long))).to.deep.equal(['/body/expiresInSeconds']);
    });

    controlled('createInvitation', { path: { target: 'acme' }, json: { email: 'a@example.org', role: 'acme.guest' } });
  });

  describe('acceptInvitation', () => {
    it('201: creates the account with its password, its profile and the role', async () => {
      const { email, token } = await invite();
      const { status, body } = await accept({ token, password: PASSWORD, profile: { name: 'Guest', apiKey: 'x' } });
      expect([status, body.roles, body.profile]).to.deep.equal([201, ['acme.guest'], { name: 'Guest', email }]);
      expect(await view(email)).to.equal(200);
    });

    it('201: an account that has the address gets the role, with its own password only', async () => {
      const { token: session, id } = await world.member([]);
      const { email } = (await world.server.call('getOwnAccount', { token: session })).body.profile;
      const { token } = await invite({ email: email.toUpperCase() });
      expect((await accept({ token, password: 'another' })).status).to.equal(401);
      const { status, body } = await accept({ token, password: PASSWORD });
      expect([status, body._id]).to.deep.equal([201, id]);
      expect(await view(email)).to.equal(200);
    });

    it('201: of many at once one accepts', async () => {
      for (const email of [freshEmail(), undefined]) {
        const { token } = await invite(email === undefined ? {} : { email });
        const request = { token, password: PASSWORD, profile: { name: 'Guest' } };
        const answers = await Promise.all([1, 2, 3, 4].map(() => accept(request)));
        expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 401, 401, 401]);
      }
    });

    it('400: names the field; the invitation stays open', async () => {
      const { token } = await invite();
      expect(fieldsOf(await accept({ token, password: ' ' }))).to.deep.equal(['/body/password']);
      expect((await accept({ token, password: PASSWORD })).status).to.equal(201);
    });

    it('401: the same for an unknown token, one that was used, expired or was revoked, and one of a removed tenant', async () => {
      const [used, late, gone] = [await invite(), await invite({ expiresInSeconds: 60 }), await invite()];
      await accept({ token: used.token, password: PASSWORD });
      await world.server.call('revokeInvitation', {
        path: { target: 'acme', invitationId: gone.id },
        token: world.root,
      });
      await world.post('createTenant', 'acme.brief', {});
      const request = { email: freshEmail(), role: 'acme.guest' };
      const { token } = (await create('acme.brief', request)).body;
      await world.server.call('deleteResource', { path: { target: 'acme.brief' }, token: world.root });
      world.server.clock.advance(60_000);
      const unknown = await accept({ token: 'unknown', password: PASSWORD });
      expect(unknown.status).to.equal(401);
      for (const other of [used.token, late.token, gone.token, token])
        expect(withoutRequestId(await accept({ token: other, password: PASSWORD }))).to.deep.equal(
          withoutRequestId(unknown),
        );
    });

    it('409: when the role was removed, also when another has its name now', async () => {
      await world.post('createRole', 'acme.lost', { name: 'L', permissions: [] });
      const { token } = await invite({ role: 'acme.lost' });
      await world.server.call('deleteRole', { path: { target: 'acme.lost' }, token: world.root });
      expect((await accept({ token, password: PASSWORD })).status).to.equal(409);
      await world.post('createRole', 'acme.lost', { name: 'L', permissions: [may('acme')] });
      expect((await accept({ token, password: PASSWORD })).status).to.equal(409);
    });

    it('413: refuses a body over 1 MiB', async () => {
      expect((await world.server.call('acceptInvitation', oversized)).status).to.equal(413);
    });

    it('415: refuses other media types', async () => {
      expect((await world.server.call('acceptInvitation', asForm)).status).to.equal(415);
    });
  });

  describe('listInvitations', () => {
    it('200: the open invitations of the target, in pages', async () => {
      await world.post('createTenant', 'acme.inviting', {});
      const emails = [freshEmail(), freshEmail(), freshEmail()];
      const made = await Promise.all(emails.map((email) => create('acme.inviting', { email, role: 'acme.guest' })));
      await accept({ token: made[0]?.body.token, password: PASSWORD });
      const pages = [];
      for (const offset of ['0', '1', '2']) {
        const query = { limit: '1', offset };
        const call = { path: { target: 'acme.inviting' }, query, token: world.root };
        pages.push(...(await world.server.call('listInvitations', call)).body);
      }
      expect(pages.map(({ email }) => email).sort()).to.deep.equal(emails.slice(1));
      for (const one of pages) expect(one).to.have.keys('_id', 'email', 'role', 'createdDateTime', 'expiresDateTime');
    });

    controlled('listInvitations', { path: { target: 'acme' } });
  });

  describe('revokeInvitation', () => {
    const revoke = (target: string, invitationId: string, token = world.root) =>
      world.server.call('revokeInvitation', { path: { target, invitationId }, token });

    it('204: once, at its own target', async () => {
      const { id } = await invite();
      expect((await revoke('acme.t1', id)).status).to.equal(404);
      expect((await revoke('acme', id.toUpperCase())).status).to.equal(204);
      expect((await revoke('acme', id)).status).to.equal(404);
    });

    controlled('revokeInvitation', { path: { target: 'acme', invitationId: NO_ACCOUNT } });
  });
});
