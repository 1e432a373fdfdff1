import { expect } from 'chai';
import { GRANT } from '../../../demo/actors/holder-key.ts';
import { type Answer, startServer, type TestServer } from '../../support/servers/server.ts';

const LIMIT = 5;
const USERS = 8;

describe('a server with the wallets of many users', () => {
  let server: TestServer;
  afterEach(() => server.close());

  /** A server with the default limits of the contract. */
  async function start(exempt: string[], trustedProxies: string[] = []): Promise<void> {
    const limit = { requestsPerMinute: LIMIT };
    const rateLimit = {
      exempt,
      ...{ issuer2_token_endpoint: limit, verifier2_response_endpoint: limit, draft_token_endpoint: limit },
      wallet_auth_endpoint: limit,
    };
    server = await startServer({ settings: { rateLimit, services: { trustedProxies } } });
  }

  const CALLS: Record<string, object> = {
    requestOpenid4vciToken: { form: { grant_type: GRANT, 'pre-authorized_code': 'unknown' } },
    submitAuthorizationResponse: { path: { requestId: 'unknown' }, form: { state: 's', vp_token: '{}' } },
    requestAccessToken: { form: { grant_type: GRANT, 'pre-authorized_code': 'unknown' } },
  };

  /** What each user is answered; `from` is the address that a proxy names. */
  async function answers(operationId: string, from?: string, call: object | undefined = CALLS[operationId]) {
    const all: Answer[] = [];
    const headers: Record<string, string> = from === undefined ? {} : { 'x-forwarded-for': from };
    for (let n = 0; n < USERS; n += 1) all.push(await server.call(operationId, { ...call, headers }));
    return all;
  }
  const refused = (all: readonly Answer[]): number => all.filter(({ status }) => status === 429).length;

  it('429: its sixth user is refused, and the answer names the section to change, in the shape of the endpoint', async () => {
    await start([]);
    for (const [operationId, section] of [
      ['requestOpenid4vciToken', 'issuer2_token_endpoint'],
      ['submitAuthorizationResponse', 'verifier2_response_endpoint'],
      ['requestAccessToken', 'draft_token_endpoint'],
    ] as const) {
      const all = await answers(operationId);
      expect(refused(all), operationId).to.equal(USERS - LIMIT);
      const { error, error_description: why } = all.at(-1)?.body ?? {};
      expect([error, why]).to.deep.equal([
        'slow_down',
        `There were too many requests; try again later (rate-limit.conf: ${section})`,
      ]);
    }
    const login = { json: { type: 'email', email: 'ada@example.org', password: 'unknown' } };
    expect((await answers('loginAccount', undefined, login)).at(-1)?.body.message).to.include('wallet_auth_endpoint');
  });

  it('it is not limited when it is exempt, but for logins', async () => {
    await start(['192.0.2.1', '127.0.0.0/8']);
    for (const operationId of Object.keys(CALLS)) {
      const all = await answers(operationId);
      expect([refused(all), all[0]?.headers.get('ratelimit')], operationId).to.deep.equal([0, null]);
    }
    const login = { json: { type: 'email', email: 'ada@example.org', password: 'unknown' } };
    expect(refused(await answers('loginAccount', undefined, login))).to.equal(USERS - LIMIT);
  });

  it('its address is that which a trusted proxy names, and no other proxy can claim it', async () => {
    await start(['192.0.2.1', '2001:db8::7'], ['127.0.0.1']);
    const at = (address: string) => answers('requestOpenid4vciToken', address);
    for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '2001:db8::7', '2001:db8::8', '203.0.113.9, 192.0.2.1'])
      expect(refused(await at(address)), address).to.equal(0);
    for (const address of ['192.0.2.2', '2001:db8:1::7', '192.0.2.1, 203.0.113.9'])
      expect(refused(await at(address)), address).to.equal(USERS - LIMIT);
    await server.close();
    await start(['192.0.2.1']);
    expect(refused(await at('192.0.2.1'))).to.equal(USERS - LIMIT);
  });
});
