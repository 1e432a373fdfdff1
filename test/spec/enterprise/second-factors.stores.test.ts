import { expect } from 'chai';
import { stepAt, totpCode } from '../../../domain/accounts/totp.ts';
import { hmacSha1 } from '../../../domain/foundation/bytes.ts';
import { NO_ACCOUNT, refusesAsEvery, secretOf } from '../../actors/administration.ts';
import {
  asForm,
  type EnterpriseFixture,
  fieldsOf,
  may,
  oversized,
  PASSWORD,
  registration,
  SUPERADMIN,
  startEnterprise,
  TOKEN,
} from '../../actors/tenant.ts';
import { startServer } from '../../support/servers/server.ts';

describe('second factors', () => {
  let world: EnterpriseFixture;
  before(async () => {
    world = await startEnterprise();
  });
  after(() => world.close());
  const call = (operationId: string, json: unknown) => world.server.call(operationId, { json });
  const codeOf = (secret: string) => totpCode(secretOf(secret), stepAt(world.server.clock.now()), hmacSha1);

  /** An account with a second factor. */
  async function enrolled() {
    const { token, id } = await world.member([may('acme')]);
    const { email } = (await world.server.call('getOwnAccount', { token })).body.profile;
    const credentials = { email, password: PASSWORD };
    const { secret } = (await call('enrolSecondFactor', credentials)).body;
    const { body } = await call('confirmSecondFactor', { ...credentials, code: codeOf(secret) });
    world.server.clock.advance(30_000);
    return { id, credentials, secret, recoveryCodes: body.recoveryCodes as string[] };
  }

  /** The answers that the operations with credentials have in common. */
  const asEvery = (operationId: string, right: object) => {
    it('400: names the field', async () => {
      expect(fieldsOf(await call(operationId, { ...right, email: 'x' }))).to.deep.equal(['/body/email']);
    });

    it('401: for a wrong password, whether or not there is a factor', async () => {
      const { credentials } = await enrolled();
      expect((await call(operationId, { ...right, ...credentials, password: 'wrong' })).status).to.equal(401);
      expect((await call(operationId, { ...right, email: 'absent@example.org' })).status).to.equal(401);
    });

    it('413: refuses a body over 1 MiB', async () => {
      expect((await world.server.call(operationId, oversized)).status).to.equal(413);
    });

    it('415: refuses other media types', async () => {
      expect((await world.server.call(operationId, asForm)).status).to.equal(415);
    });
  };

  describe('enrolSecondFactor', () => {
    it('201: a secret that is shown once; the login needs no code before it is confirmed', async () => {
      const { token } = await world.member([]);
      const { email } = (await world.server.call('getOwnAccount', { token })).body.profile;
      const credentials = { email, password: PASSWORD };
      const { status, body, headers } = await call('enrolSecondFactor', credentials);
      expect(status).to.equal(201);
      expect(headers.get('cache-control')).to.equal('no-store');
      const url = new URL(body.otpauthUrl);
      expect([url.searchParams.get('secret'), url.searchParams.get('issuer')]).to.deep.equal([
        body.secret,
        '127.0.0.1',
      ]);
      expect((await call('loginEnterpriseAccount', credentials)).status).to.equal(200);
      expect(JSON.stringify(world.server.lines)).not.to.contain(body.secret);
    });

    it('409: when there is a factor', async () => {
      const { credentials } = await enrolled();
      expect((await call('enrolSecondFactor', credentials)).status).to.equal(409);
    });

    asEvery('enrolSecondFactor', { email: 'a@example.org', password: PASSWORD });
  });

  describe('confirmSecondFactor', () => {
    it('200: then the login needs a code, after the right password only, and takes each once', async () => {
      const { credentials, secret } = await enrolled();
      const login = (more: object) => call('loginEnterpriseAccount', { ...credentials, ...more });
      const [missing, wrong] = [await login({}), await login({ password: 'wrong' })];
      expect([missing.status, missing.body.id]).to.deep.equal([401, 'CodeRequired']);
      expect([wrong.status, wrong.body.id]).to.deep.equal([401, 'LoginRequired']);
      const code = codeOf(secret);
      const answers = await Promise.all([1, 2, 3, 4].map(() => login({ code })));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 401, 401, 401]);
      world.server.clock.advance(30_000);
      expect((await call('createAccountSession', { ...credentials, code: codeOf(secret) })).status).to.equal(204);
    });

    it('200: a recovery code is a code too, once', async () => {
      const { credentials, recoveryCodes } = await enrolled();
      const statuses = [];
      for (const code of [recoveryCodes[0], recoveryCodes[0], recoveryCodes[1]])
        statuses.push((await call('loginEnterpriseAccount', { ...credentials, code })).status);
      expect(statuses).to.deep.equal([200, 401, 200]);
      expect(JSON.stringify(world.server.lines)).not.to.contain(recoveryCodes[2]);
    });

    it('401: wrong codes lock the account as wrong passwords do', async () => {
      const { credentials, secret } = await enrolled();
      for (let n = 0; n < 10; n += 1)
        expect((await call('loginEnterpriseAccount', { ...credentials, code: 'wrong' })).status).to.equal(401);
      const answer = await call('loginEnterpriseAccount', { ...credentials, code: codeOf(secret) });
      expect(answer.body.message).to.equal('The e-mail address or the password is wrong');
    });

    it('409: without an enrolment, and a second time', async () => {
      const { credentials, secret } = await enrolled();
      expect((await call('confirmSecondFactor', { ...credentials, code: codeOf(secret) })).status).to.equal(409);
      const none = { email: SUPERADMIN, password: PASSWORD, code: '123456' };
      expect((await call('confirmSecondFactor', none)).status).to.equal(409);
    });

    asEvery('confirmSecondFactor', { email: 'a@example.org', password: PASSWORD, code: '123456' });
  });

  describe('removeSecondFactor', () => {
    it('204: with a code; the login needs none any more', async () => {
      const { credentials, secret } = await enrolled();
      expect((await call('removeSecondFactor', { ...credentials, code: 'wrong' })).status).to.equal(401);
      expect((await call('removeSecondFactor', { ...credentials, code: codeOf(secret) })).status).to.equal(204);
      expect((await call('loginEnterpriseAccount', credentials)).status).to.equal(200);
    });

    it('409: without a factor', async () => {
      const none = { email: SUPERADMIN, password: PASSWORD, code: '123456' };
      expect((await call('removeSecondFactor', none)).status).to.equal(409);
    });

    asEvery('removeSecondFactor', { email: 'a@example.org', password: PASSWORD, code: '123456' });
  });

  describe('deleteSecondFactor', () => {
    const remove = (accountId: string, token = world.root) =>
      world.server.call('deleteSecondFactor', { path: { accountId }, token });

    it('204: for an account that lost its device', async () => {
      const { id, credentials } = await enrolled();
      expect((await remove(id.toUpperCase())).status).to.equal(204);
      expect((await call('loginEnterpriseAccount', credentials)).status).to.equal(200);
      expect((await remove(id)).status).to.equal(404);
    });

    it('403: for callers that are not superadmins', async () => {
      const { token, id } = await world.member([may('acme')]);
      expect((await remove(id, token)).status).to.equal(403);
    });

    refusesAsEvery('deleteSecondFactor', { world: () => world, call: { path: { accountId: NO_ACCOUNT } } });
  });

  describe('auth.conf, secondFactor.required', () => {
    it('an account that needs a factor enrols before its first login', async () => {
      const server = await startServer({
        settings: {
          superadminRegistration: { tokens: { [TOKEN]: registration() } },
          auth: { secondFactor: { required: 'superadmins' } },
        },
      });
      await server.call('createSuperadmin', { text: TOKEN });
      const json = { email: SUPERADMIN, password: PASSWORD };
      const first = await server.call('loginEnterpriseAccount', { json });
      expect([first.status, first.body.id]).to.deep.equal([401, 'EnrolmentRequired']);
      const { secret } = (await server.call('enrolSecondFactor', { json })).body;
      const code = () => totpCode(secretOf(secret), stepAt(server.clock.now()), hmacSha1);
      await server.call('confirmSecondFactor', { json: { ...json, code: code() } });
      server.clock.advance(30_000);
      expect((await server.call('loginEnterpriseAccount', { json: { ...json, code: code() } })).status).to.equal(200);
      await server.close();
    });
  });

  describe('acceptInvitation of an account with a second factor', () => {
    it('401: without its code, which does not use up the invitation; 201: with it', async () => {
      const { credentials, secret } = await enrolled();
      const role = (await world.post('createRole', 'acme.guests', { name: 'Guests', permissions: [] })).body._id;
      const { body } = await world.post('createInvitation', 'acme', { email: credentials.email, role });
      const invited = { token: body.token, password: PASSWORD };
      expect((await call('acceptInvitation', invited)).body.id).to.equal('CodeRequired');
      const { status, body: account } = await call('acceptInvitation', { ...invited, code: codeOf(secret) });
      expect([status, account.roles.includes(role)]).to.deep.equal([201, true]);
    });
  });
});
