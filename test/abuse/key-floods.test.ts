import { setMaxListeners } from 'node:events';
import { expect } from 'chai';
import { byEmail } from '../actors/accounts.ts';
import { from, STRANGERS } from '../actors/strangers.ts';
import { useServer } from '../support/servers/server.ts';

const FLOOD = 40;

describe('a flood of keys that take long', () => {
  const server = useServer({ settings: STRANGERS });

  const post = (path: string, json: object, init: { headers: Record<string, string>; signal?: AbortSignal }) =>
    server.fetch(path, {
      ...init,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...init.headers },
      body: JSON.stringify(json),
    });

  /** Begins a flood and waits for its first answer, which is a refusal. */
  async function flood(make: () => ReturnType<typeof post>) {
    const state = { left: FLOOD };
    const answers = Array.from({ length: FLOOD }, async () => {
      const answer = await make();
      state.left -= 1;
      return answer;
    });
    // Those that a client gives up are no failures of the test.
    for (const answer of answers) answer.catch(() => {});
    const { status, body, headers } = await Promise.race(answers);
    expect([status, body.id, headers.get('retry-after')]).to.deep.equal([503, 'Overloaded', '5']);
    return { state, answers };
  }

  it('503: waits in turns and within bounds, beside logins, when strangers make it', async () => {
    await server.call('registerAccount', { json: byEmail('ada') });
    const onboard = (network: number, keyType: string) =>
      post('/onboard/issuer', { key: { backend: 'jwk', keyType } }, { headers: from(network) });
    const { state, answers } = await flood(() => onboard(1, 'RSA'));
    expect((await server.call('loginAccount', { json: byEmail('ada') })).status).to.equal(200);
    expect((await onboard(2, 'RSA')).status).to.equal(200);
    expect(state.left, 'requests of the flood that still wait').to.be.greaterThan(5);
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 503)).to.have.length.within(23, 24);
    expect(statuses.filter((status) => status === 200)).to.have.length.within(16, 17);
  });

  it('503: waits beside the logins and the keys of others when a user makes it, and is dropped when the user leaves', async () => {
    const users = await Promise.all(['grace', 'joan'].map(newUser));
    const [attacker, other] = users as [User, User];
    const generate = ({ token, wallet }: User, keyType: string, signal?: AbortSignal) => {
      const headers = { authorization: `Bearer ${token}`, ...from(3) };
      return post(`/wallet-api/wallet/${wallet}/keys/generate`, { backend: 'jwk', keyType }, { headers, signal });
    };
    const client = new AbortController();
    setMaxListeners(FLOOD, client.signal);
    const { state, answers } = await flood(() => generate(attacker, 'RSA', client.signal));
    expect((await server.call('loginAccount', { json: byEmail('joan') })).status).to.equal(200);
    expect((await generate(other, 'RSA')).status).to.equal(201);
    expect(state.left, 'requests of the flood that still wait').to.be.greaterThan(5);
    client.abort();
    await Promise.allSettled(answers);
    expect((await generate(attacker, 'RSA')).status).to.equal(201);
    const { body } = await server.call('listWalletKeys', { path: { wallet: attacker.wallet }, token: attacker.token });
    expect(body, 'keys of the flood that were made').to.have.length.below(12);
  });

  it('429: ends by default after 60 requests of a source within a minute', async () => {
    const { token, wallet } = await newUser('mary');
    const call = { path: { wallet }, token, json: { backend: 'jwk', keyType: 'Ed25519' } };
    for (let made = 0; made < 60; made += 1)
      expect((await server.call('generateWalletKey', { ...call, headers: from(4) })).status).to.equal(201);
    const refused = await server.call('generateWalletKey', { ...call, headers: from(4) });
    expect([refused.status, refused.body.id]).to.deep.equal([429, 'TooManyRequests']);
    expect((await server.call('generateWalletKey', call)).status, "a backend of the operator's").to.equal(201);
  });

  /** A user who is logged in. */
  interface User {
    token: string;
    wallet: string;
  }

  async function newUser(name: string): Promise<User> {
    await server.call('registerAccount', { json: byEmail(name) });
    const { token } = (await server.call('loginAccount', { json: byEmail(name) })).body;
    const { body } = await server.call('listAccountWallets', { token });
    return { token, wallet: body.wallets[0].id };
  }
});
