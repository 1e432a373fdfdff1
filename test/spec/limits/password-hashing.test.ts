import { expect } from 'chai';
import { readSettings } from '../../../adapters/config/read-settings.ts';
import { ScryptPasswords } from '../../../adapters/crypto/passwords.ts';
import { limitedSource } from '../../../adapters/http/messages/operations.ts';
import { byEmail } from '../../actors/accounts.ts';
import { accountRequest, login, PASSWORD, registration, SUPERADMIN, TOKEN } from '../../actors/tenant.ts';
import { contract, operationOf } from '../../support/documents/contract.ts';
import { exampleOf } from '../../support/documents/examples.ts';
import { until } from '../../support/runs/waiting.ts';
import { startServer, type TestServer } from '../../support/servers/server.ts';

/** The number of hashed passwords so far, of new accounts and of logins. */
let hashes = 0;
/** Of those of logins, the number of those that were dropped. */
let dropped = 0;
const { hash, matches } = ScryptPasswords.prototype;

describe('password hashing', () => {
  let server: TestServer;
  before(() => {
    ScryptPasswords.prototype.hash = function (this: ScryptPasswords, ...args) {
      hashes += 1;
      return hash.apply(this, args);
    };
    ScryptPasswords.prototype.matches = function (this: ScryptPasswords, ...args) {
      hashes += 1;
      const result = matches.apply(this, args);
      result.catch(() => (dropped += 1));
      return result;
    };
  });
  after(() => {
    Object.assign(ScryptPasswords.prototype, { hash, matches });
  });
  afterEach(() => server.close());

  const start = async (options: Parameters<typeof startServer>[0] = {}): Promise<void> => {
    server = await startServer(options);
  };

  it('is reached only by operations with a limit', async () => {
    const { operations } = await contract;
    const { token } = exampleOf(await operationOf('createSuperadmin')) as { token: string };
    const tokens = { [TOKEN]: registration(), [token]: registration('second@example.org') };
    await start({ settings: { superadminRegistration: { tokens } } });
    await server.call('createSuperadmin', { text: TOKEN });
    const root = await login(server, SUPERADMIN);
    const reached: string[] = [];
    for (const operation of operations) {
      const before = hashes;
      const example = exampleOf(operation);
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${root}` };
      const body = example === undefined ? undefined : JSON.stringify(example);
      const path = operation.path.replaceAll(/\{[^}]+\}/g, 'x');
      await fetch(`${server.url}${path}`, { method: operation.method, headers, body });
      if (hashes > before) reached.push(operation.operationId);
    }
    expect(reached).to.have.members([
      'registerAccount',
      'loginAccount',
      'registerWallet2Account',
      'loginWallet2Account',
      'createSuperadmin',
      'loginEnterpriseAccount',
      'registerEnterpriseAccount',
      'changeOwnPassword',
      'createAccountSession',
      'enrolSecondFactor',
      'confirmSecondFactor',
      'removeSecondFactor',
    ]);
    const withoutLimit = operations.filter(({ operationId, rateLimit }) => reached.includes(operationId) && !rateLimit);
    expect(withoutLimit.map(({ operationId }) => operationId)).to.deep.equal([]);
  });

  it('cannot be reached by an operation without a limit, which has no source', async () => {
    await start();
    const caller = { accountId: '', token: '', presentedTokens: [] };
    expect(() => limitedSource(caller)).to.throw('An operation without a limit must not hash passwords');
    expect(limitedSource({ ...caller, limitedSource: '192.0.2.1' })).to.equal('192.0.2.1');
  });

  it('is done once for fifty concurrent registrations of one address, of wallet and enterprise accounts', async () => {
    await start({ settings: { superadminRegistration: { tokens: { [TOKEN]: registration() } } } });
    await server.call('createSuperadmin', { text: TOKEN });
    const token = await login(server, SUPERADMIN);
    const before = hashes;
    const fifty = (call: () => Promise<{ status: number }>) => Promise.all(Array.from({ length: 50 }, call));
    const answers = [
      await fifty(() => server.call('registerAccount', { json: byEmail('ada') })),
      await fifty(() => server.call('registerEnterpriseAccount', { json: accountRequest('ada@example.org'), token })),
    ];
    for (const all of answers)
      expect(all.map(({ status }) => status).sort()).to.deep.equal([201, ...Array(49).fill(409)]);
    expect(hashes - before).to.equal(2);
  });

  it('401 and 429: of 60 concurrent guesses at the password of a superadmin 30 are verified', async () => {
    const { rateLimit } = await defaults();
    await start({
      settings: {
        superadminRegistration: { tokens: { [TOKEN]: registration() } },
        rateLimit: { enterprise_auth_endpoint: rateLimit.enterprise_auth_endpoint },
      },
    });
    await server.call('createSuperadmin', { text: TOKEN });
    const json = { email: SUPERADMIN, password: `${PASSWORD}?` };
    const guesses = Array.from({ length: 60 }, () => server.call('loginEnterpriseAccount', { json }));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([...Array(30).fill(401), ...Array(30).fill(429)]);
  });

  it('is dropped for clients that have left', async () => {
    await start({ settings: { auth: { password: { scryptLogN: 14 } } } });
    const before = { hashes, dropped };
    const clients = new AbortController();
    const json = JSON.stringify(byEmail('unknown'));
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: json, signal: clients.signal };
    const flood = Array.from({ length: 40 }, () =>
      fetch(`${server.url}/wallet-api/auth/login`, request).catch(() => {}),
    );
    await until(() => hashes - before.hashes === 40);
    clients.abort();
    await Promise.all(flood);
    expect((await server.call('loginAccount', { json: byEmail('unknown') })).status).to.equal(401);
    expect(dropped - before.dropped).to.be.greaterThan(20);
  });

  it('503: is refused to a source with too many requests, while another source is served at once', async () => {
    // At this cost, with two at a time, a full queue takes two seconds.
    await start({ settings: { auth: { password: { scryptLogN: 13 } }, services: { trustedProxies: ['127.0.0.1'] } } });
    const post = (path: string, source: string, json: object) =>
      fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': source },
        body: JSON.stringify(json),
      });
    let left = 300;
    const flood = Array.from({ length: left }, async () => {
      const answer = await post('/wallet-api/auth/login', '198.51.100.1', byEmail('unknown'));
      left -= 1;
      return answer;
    });
    await Promise.race(flood);
    const honest = await post('/wallet-api/auth/register', '203.0.113.9', byEmail('ada'));
    expect(honest.status).to.equal(201);
    expect(left, 'requests of the flood that still wait').to.be.greaterThan(20);
    const answers = await Promise.all(flood);
    const refused = answers.filter(({ status }) => status === 503);
    expect(answers.filter(({ status }) => status === 401).length + refused.length).to.equal(300);
    expect(refused).to.have.length.greaterThan(100);
    expect(refused[0]?.headers.get('retry-after')).to.equal('5');
    expect(await refused[0]?.json()).to.include({ id: 'Overloaded', code: '503' });
  });
});

const defaults = () => readSettings({ CONFIG_DIR: new URL('./none', import.meta.url).pathname });
