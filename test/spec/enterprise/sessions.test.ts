import { expect } from 'chai';
import {
  asForm,
  type EnterpriseFixture,
  fieldsOf,
  oversized,
  PASSWORD,
  SUPERADMIN,
  startEnterprise,
} from '../../actors/tenant.ts';
import { contract } from '../../support/documents/contract.ts';

describe('sessions', () => {
  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise();
  });
  after(() => world.close());
  const json = { email: SUPERADMIN, password: PASSWORD };
  const enter = () => world.server.call('createAccountSession', { json });
  const cookieOf = (answer: { headers: Headers }): string => answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const own = (call: object) => world.server.call('getOwnAccount', call).then(({ status }) => status);
  const ofServer = () => ({ origin: world.server.url });
  const FOREIGN = { origin: 'https://attacker.example' };

  describe('createAccountSession', () => {
    it('204: sets the cookie, which is a login for these services alone', async () => {
      const answer = await enter();
      expect(answer.status).to.equal(204);
      const attributes = answer.headers.get('set-cookie')?.split('; ').slice(1);
      expect(attributes).to.deep.equal(['HttpOnly', 'SameSite=Strict', 'Path=/', 'Max-Age=86400']);
      const cookie = cookieOf(answer);
      expect(cookie).to.match(/^admin=/);
      expect(await own({ cookie })).to.equal(200);
      expect(await own({ cookie: cookie.replace('admin=', 'login=') })).to.equal(401);
      expect((await world.server.call('getUserInfo', { cookie })).status).to.equal(401);
      const asLogin = cookie.replace('admin=', 'login=');
      expect((await world.server.call('getUserInfo', { cookie: asLogin })).status).to.equal(401);
    });

    it('204: the cookie is for https alone where the public URL is', async () => {
      const other = await startEnterprise({ publicUrl: 'https://credenza.example' });
      const answer = await other.server.call('createAccountSession', { json });
      expect(answer.headers.get('set-cookie')).to.match(/; Secure$/);
      await other.close();
    });

    it('400: names the field', async () => {
      expect(fieldsOf(await world.server.call('createAccountSession', { json: { password: 'x' } }))).to.deep.equal([
        '/body/email',
      ]);
    });

    it('401: for wrong credentials, without a cookie', async () => {
      const answer = await world.server.call('createAccountSession', { json: { ...json, password: 'wrong' } });
      expect([answer.status, answer.headers.get('set-cookie')]).to.deep.equal([401, null]);
    });

    it('413: refuses a body over 1 MiB', async () => {
      expect((await world.server.call('createAccountSession', oversized)).status).to.equal(413);
    });

    it('415: refuses other media types', async () => {
      expect((await world.server.call('createAccountSession', asForm)).status).to.equal(415);
    });

    it('403: every operation that changes something refuses the cookie with a foreign Origin, and without one', async () => {
      const cookie = cookieOf(await enter());
      const changing = (await contract).operations.filter(
        ({ realm, method, authentication }) =>
          realm === 'enterprise' && authentication === 'required' && !['GET', 'HEAD'].includes(method),
      );
      expect(changing).to.have.length.greaterThan(20);
      const id = '00000000-0000-4000-8000-000000000000';
      for (const { operationId, parameters } of changing) {
        const names = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
        const path = Object.fromEntries(names.map((name) => [name, /Id$/.test(name) ? id : 'acme']));
        for (const headers of [FOREIGN, {}, { origin: 'null' }])
          expect((await world.server.call(operationId, { path, cookie, headers })).status, operationId).to.equal(403);
      }
      expect(await own({ cookie })).to.equal(200);
    });
  });

  for (const [operationId, headers] of [
    ['deleteAccountSession', ofServer],
    ['logoutEnterpriseAccount', ofServer],
  ] as const)
    describe(operationId, () => {
      const leave = (call: object) => world.server.call(operationId, call);

      it('204: ends the session of the cookie and of the bearer token', async () => {
        const cookie = cookieOf(await enter());
        const { token } = (await world.server.call('loginEnterpriseAccount', { json })).body;
        const answer = await leave({ cookie, token, headers: headers() });
        expect(answer.status).to.equal(204);
        expect(answer.headers.get('set-cookie')).to.match(/^admin=; .*Max-Age=0/);
        expect(await own({ cookie })).to.equal(401);
        expect(await own({ token })).to.equal(401);
        expect(await own({ token: world.root })).to.equal(200);
      });

      it('204: without a login too, and a second time', async () => {
        expect((await leave({})).status).to.equal(204);
        expect((await leave({ token: 'unknown' })).status).to.equal(204);
      });

      it('400: refuses a parameter that is not documented', async () => {
        expect(fieldsOf(await leave({ query: { surprise: '1' } }))).to.deep.equal(['/query/surprise']);
      });

      it('403: refuses the cookie with a foreign Origin', async () => {
        const cookie = cookieOf(await enter());
        expect((await leave({ cookie, headers: FOREIGN })).status).to.equal(403);
        expect(await own({ cookie })).to.equal(200);
      });
    });
});
