import { expect } from 'chai';
import {
  asForm,
  login,
  oversized,
  PASSWORD,
  registration,
  SUPERADMIN,
  TOKEN,
  withoutRequestId,
} from '../../actors/tenant.ts';
import { startServer, type TestServer } from '../../support/servers/server.ts';

const EXPIRED = 'a-token-of-the-operator-2';
const SECOND = 'a-token-of-the-operator-3';

describe('createSuperadmin', () => {
  let server: TestServer;
  beforeEach(async () => {
    const tokens = {
      [TOKEN]: registration(),
      [EXPIRED]: registration('late@example.org', '2001-01-01T00:00:00Z'),
      [SECOND]: registration('second@example.org'),
    };
    const rateLimit = { superadmin_create_by_token_endpoint: { requestsPerMinute: 10_000 } };
    server = await startServer({ settings: { superadminRegistration: { tokens }, rateLimit } });
  });
  afterEach(() => server.close());
  const activate = (text: string) => server.call('createSuperadmin', { text });

  it('200: accepts the token as text, with or without white space around it', async () => {
    expect((await activate(` ${TOKEN}\n`)).status).to.equal(200);
    const { body } = await server.call('loginEnterpriseAccount', { json: { email: SUPERADMIN, password: PASSWORD } });
    const organization = { json: { _id: 'acme' }, token: body.token };
    expect((await server.call('createOrganization', organization)).status).to.equal(201);
  });

  it('200: accepts the token as JSON', async () => {
    const { status, body } = await server.call('createSuperadmin', { json: { token: SECOND } });
    expect([status, body]).to.deep.equal([200, 'account activated']);
    expect(await login(server, 'second@example.org')).to.be.a('string');
  });

  it('200: of 50 concurrent calls exactly one creates the account', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => activate(TOKEN)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([200, ...Array(49).fill(409)]);
    expect(await login(server, SUPERADMIN)).to.be.a('string');
  });

  it('400: refuses a body that is not a token', async () => {
    for (const json of [{}, { token: 1 }, { token: 'short' }, { token: TOKEN, more: 1 }, [], 1, null, 'short'])
      expect((await server.call('createSuperadmin', { json })).status, JSON.stringify(json)).to.equal(400);
    expect((await activate('')).status).to.equal(400);
    expect((await activate('x'.repeat(1025))).status).to.equal(400);
  });

  it('401: the answers for an unknown and an expired token are the same', async () => {
    const unknown = await activate('a-token-that-was-not-issued');
    const expired = await activate(EXPIRED);
    expect(unknown.status).to.equal(401);
    expect(withoutRequestId(unknown)).to.deep.equal(withoutRequestId(expired));
    expect(unknown.headers.get('www-authenticate')).to.match(/^Bearer/);
  });

  it('401: a token is accepted before its end and not at it', async () => {
    const tokens = { [TOKEN]: registration(SUPERADMIN, new Date(server.clock.now() + 60_000).toISOString()) };
    const other = await startServer({ settings: { superadminRegistration: { tokens } } });
    other.clock.advance(60_000);
    expect((await other.call('createSuperadmin', { text: TOKEN })).status).to.equal(401);
    await other.close();
  });

  it('409: a second use, which does not change the account', async () => {
    await activate(TOKEN);
    expect((await activate(TOKEN)).status).to.equal(409);
    expect(await login(server, SUPERADMIN)).to.be.a('string');
  });

  it('413: refuses a body over 1 MiB', async () => {
    expect((await server.call('createSuperadmin', oversized)).status).to.equal(413);
  });

  it('415: refuses other media types', async () => {
    expect((await server.call('createSuperadmin', asForm)).status).to.equal(415);
  });

  it('429: refuses a source with too many requests', async () => {
    const rateLimit = { superadmin_create_by_token_endpoint: { requestsPerMinute: 2 } };
    const other = await startServer({ settings: { rateLimit } });
    const statuses: number[] = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await other.call('createSuperadmin', { text: TOKEN })).status);
    expect(statuses).to.deep.equal([401, 401, 429]);
    await other.close();
  });

  it('neither tokens nor passwords are in the log or in an answer', async () => {
    const answers = [await activate(TOKEN), await activate(TOKEN), await activate(EXPIRED)];
    const written = JSON.stringify([server.lines, answers.map(({ body }) => body)]);
    for (const secret of [TOKEN, EXPIRED, PASSWORD]) expect(written).not.to.contain(secret);
  });
});
