import { expect } from 'chai';
import { LEASE_MS } from '../../../domain/foundation/lease.ts';
import { deferAll } from '../../actors/deferred-issuer.ts';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { giveRefreshTokens } from '../../actors/refreshing-issuer.ts';
import { newWalletUser, resetWallet, type WalletUser } from '../../actors/wallet-user.ts';
import { until } from '../../support/runs/waiting.ts';
import { useServer } from '../../support/servers/server.ts';
import { FaultyStore, StoreFaults } from '../../support/stores/faulty-store.ts';

const HOUR = 60 * 60 * 1000;

describe('credentials that an issuer delivers later', () => {
  const faults = new StoreFaults();
  const server = useServer({ wrapStore: (store) => new FaultyStore(store, faults), outboundTimeoutMs: 3000 });
  let holder: WalletUser;
  let issuer: TestIssuer;
  before(async () => {
    holder = await newWalletUser(server);
  });
  beforeEach(async () => {
    await resetWallet(holder);
    issuer = await startIssuer();
  });
  afterEach(async () => {
    faults.end();
    for (const { id } of await waiting()) await abandon(id);
    await issuer.close();
  });

  const accept = (text = issuer.link()) => holder.call('acceptCredentialOffer', { text });
  const held = async () => (await holder.call('listWalletCredentials')).body;
  const waiting = async (user = holder) => (await user.call('listDeferredCredentials')).body;
  const collect = (id: string, user = holder) => user.call('collectDeferredCredential', { path: { id } });
  const abandon = (id: string) => holder.call('abandonDeferredCredential', { path: { id } });
  const actions = async (): Promise<string[]> => {
    const query = { filter: 'event=Credential', sortOrder: 'desc', limit: '20' };
    return (await holder.call('listWalletEvents', { query })).body.items.map(
      ({ action }: { action: string }) => action,
    );
  };
  /** Lets the time pass after which the wallet asks by itself, until `holds`. */
  const passUntil = (holds: () => Promise<boolean> | boolean) =>
    until(async () => {
      if (await holds()) return true;
      server.clock.advance(5000);
      return false;
    });
  const defer = async () => {
    expect((await accept()).body).to.deep.equal([]);
    return (await waiting())[0];
  };

  it('listDeferredCredentials 200: the wallet asks by itself, stores once what comes, and notifies once', async () => {
    const later = deferAll(issuer, 'v1');
    later.notificationId = 'of-this-one';
    const one = await defer();
    expect(one).to.include({
      issuer: issuer.issuer,
      configurationId: 'Degree_jwt_vc_json',
      format: 'jwt_vc_json',
      nextAt: new Date(server.clock.now() + 5000).toISOString(),
    });
    expect(JSON.stringify(one)).not.to.match(/transaction|the-token/);
    expect(await held()).to.deep.equal([]);
    await passUntil(() => later.asked.length === 3);
    later.isReady = true;
    await passUntil(async () => (await held()).length === 1);
    await until(() => later.events.length > 0);
    expect(later.events).to.deep.equal([{ notification_id: 'of-this-one', event: 'credential_accepted' }]);
    expect(await waiting()).to.deep.equal([]);
    expect((await actions()).slice(0, 2)).to.deep.equal(['Receive', 'Defer']);
    const asked = later.asked.length;
    server.clock.advance(HOUR);
    expect([later.asked.length, (await held()).length, later.events.length]).to.deep.equal([asked, 1, 1]);
    expect(later.asked[0]?.headers.authorization).to.equal('Bearer the-token');
  });

  it('collectDeferredCredential 200: not before the time that the issuer states; with pauses that grow to an hour', async () => {
    const later = deferAll(issuer, 'v1');
    later.interval = 20;
    const { id } = await defer();
    const early = await collect(id);
    expect([early.status, early.body.pending.id, later.asked.length]).to.deep.equal([200, id, 0]);
    const pauses: number[] = [];
    later.answer = () => ({ status: 202, body: { transaction_id: 'transaction 0', interval: 20 } });
    for (let attempt = 0; attempt < 12; attempt += 1) {
      server.clock.advance(20_000);
      // The wallet may be asking by itself.
      await until(async () => (await collect(id)).status === 200);
      await until(() => later.asked.length > attempt);
      pauses.push(Math.round((Date.parse((await waiting())[0].nextAt) - server.clock.now()) / 1000));
    }
    expect([pauses[0], pauses.at(-1)]).to.deep.equal([20, 3600]);
    expect(pauses).to.deep.equal(pauses.toSorted((a, b) => a - b));
  });

  for (const kind of ['draft13', 'draft11'] as const)
    it(`collectDeferredCredential 200: ${kind === 'draft13' ? 'issuance_pending of draft 13' : 'the acceptance token of draft 11'}`, async () => {
      const later = deferAll(issuer, kind);
      const { id } = await defer();
      server.clock.advance(4999);
      expect((await collect(id)).body.pending.id).to.equal(id);
      server.clock.advance(1);
      await until(() => later.asked.length === 1);
      later.isReady = true;
      await passUntil(async () => (await held()).length === 1);
      const token = kind === 'draft13' ? 'the-token' : 'transaction-0';
      expect(later.asked.map(({ headers }) => headers.authorization)).to.deep.equal([
        `Bearer ${token}`,
        `Bearer ${token}`,
      ]);
      await until(async () => (await collect(id)).status === 404);
    });

  it('collectDeferredCredential 200: an access token that ended is renewed, once for all of an offer', async () => {
    const later = deferAll(issuer, 'v1');
    later.notificationId = 'of-this-one';
    const tokens = giveRefreshTokens(issuer);
    await accept(issuer.link(['Degree_jwt_vc_json', 'Passport_jwt_vc_json']));
    tokens.expire();
    tokens.refusal = { status: 503 };
    await passUntil(() => tokens.refreshes > 1);
    expect(await waiting()).to.have.length(2);
    tokens.refusal = undefined;
    const failed = tokens.refreshes;
    await passUntil(() => later.asked.length > 2);
    expect(tokens.refreshes).to.equal(failed + 1);
    tokens.expire();
    later.isReady = true;
    await passUntil(async () => (await held()).length === 2);
    await until(() => later.events.length === 2);
    expect([await waiting(), tokens.refreshes]).to.deep.equal([[], failed + 2]);
  });

  it('collectDeferredCredential 400: a refresh token that is refused ends it', async () => {
    deferAll(issuer, 'v1');
    const tokens = giveRefreshTokens(issuer);
    await defer();
    tokens.expire();
    tokens.refusal = { status: 400, body: { error: 'invalid_grant' } };
    await passUntil(async () => (await waiting()).length === 0);
    expect([(await actions())[0], tokens.refreshes]).to.deep.equal(['Fail', 1]);
  });

  it('acceptCredentialOffer 200: what is there at once is stored at once', async () => {
    const both = ['Degree_jwt_vc_json', 'Passport_jwt_vc_json'];
    const deliver = issuer.peer.routes['/issuer/credential'];
    const later = deferAll(issuer, 'v1');
    const postponing = issuer.peer.routes['/issuer/credential'];
    issuer.peer.routes['/issuer/credential'] = (request) =>
      (/Passport/.test(request.body) ? postponing : deliver)?.(request);
    expect((await accept(issuer.link(both))).body).to.have.length(1);
    later.isReady = true;
    await passUntil(async () => (await held()).length === 2);
    // Without credentials that are acceptable, nothing of the offer is waited for.
    issuer.behaviour.credential = (jwt) => `${jwt.slice(0, -8)}AAAAAAAA`;
    expect((await accept(issuer.link(both))).status).to.equal(400);
    expect(await waiting()).to.deep.equal([]);
  });

  it('collectDeferredCredential 400: a refusal and a credential that is not acceptable end it, a failure does not', async () => {
    const later = deferAll(issuer, 'v1');
    later.notificationId = 'of-this-one';
    const answers: [Parameters<typeof Object>[0], number, string | undefined][] = [
      [{ status: 400, body: { error: 'invalid_transaction_id' } }, 400, 'invalid_transaction_id'],
      [{ status: 400, body: { error: 'credential_request_denied' } }, 400, 'credential_request_denied'],
      [{ status: 401, body: { error: 'invalid_token' } }, 400, 'invalid_token'],
      [{ status: 429, body: { error: 'too_many' } }, 502, 'too_many'],
      [{ status: 500 }, 502, undefined],
      [{ body: 'no JSON' }, 502, undefined],
      [{ body: { credentials: [{ credential: 5 }] } }, 502, undefined],
    ];
    for (const [answer, status, upstreamError] of answers) {
      later.answer = () => answer;
      const { id } = await defer();
      server.clock.advance(4000);
      server.clock.advance(1000);
      await until(() => later.asked.length > 0);
      await until(async () => (await waiting()).length === (status === 400 ? 0 : 1));
      if (status !== 400) {
        server.clock.advance(5000);
        const asked = later.asked.length;
        const failed = await collect(id);
        expect(
          [later.asked.length > asked, failed.status, failed.body.upstreamError],
          JSON.stringify(answer),
        ).to.deep.equal([true, status, upstreamError]);
        expect((await abandon(id)).status).to.equal(204);
      }
      expect((await actions())[0], JSON.stringify(answer)).to.equal('Fail');
      later.asked.length = 0;
    }
    later.answer = undefined;
    Object.assign(later, { isReady: true, credential: (jwt: string) => `${jwt.slice(0, -8)}AAAAAAAA` });
    const { id } = await defer();
    server.clock.advance(5000);
    await until(async () => (await waiting()).length === 0);
    await until(() => later.events.length > 0);
    expect(later.events).to.deep.equal([{ notification_id: 'of-this-one', event: 'credential_failure' }]);
    expect(await held()).to.deep.equal([]);
    for (const operation of ['collectDeferredCredential', 'abandonDeferredCredential'])
      expect((await holder.call(operation, { path: { id } })).status).to.equal(404);
  });

  it('collectDeferredCredential 504: an issuer that does not answer is asked again', async () => {
    const later = deferAll(issuer, 'v1');
    const { id } = await defer();
    later.isReady = true;
    const answered = issuer.peer.routes['/issuer/deferred'] ?? (() => undefined);
    issuer.peer.routes['/issuer/deferred'] = () => undefined;
    server.clock.advance(4999);
    // The caller is first: the wallet itself looks for what is due every five seconds.
    faults.down = true;
    server.clock.advance(1);
    faults.end();
    expect((await collect(id)).status).to.equal(504);
    issuer.peer.routes['/issuer/deferred'] = answered;
    await passUntil(async () => (await held()).length === 1);
  });

  it('acceptCredentialOffer 409: a wallet waits for 64, and gets the rest of the offer when there is room', async () => {
    deferAll(issuer, 'v1');
    for (let count = 0; count < 64; count += 1) await accept();
    const other = await newWalletUser(server);
    const { status, body } = await accept();
    expect([status, body.resumable]).to.deep.equal([409, true]);
    const [first] = await waiting();
    expect([(await collect(first.id, other)).status, (await waiting(other)).length]).to.deep.equal([404, 0]);
    await abandon(first.id);
    const tokens = issuer.peer.count('/issuer/token');
    expect([(await accept()).status, issuer.peer.count('/issuer/token')]).to.deep.equal([200, tokens]);
  });

  it('acceptCredentialOffer 400: an issuer that delivers later names where', async () => {
    const published = issuer.peer.routes['/issuer/.well-known/openid-credential-issuer'];
    deferAll(issuer, 'v1');
    issuer.peer.routes['/issuer/.well-known/openid-credential-issuer'] = published ?? (() => undefined);
    const { status, body } = await accept();
    expect(status).to.equal(400);
    expect(body.message).to.match(/^The issuer delivers later, and names no deferred_credential_endpoint/);
  });

  it('collectDeferredCredential: a process that ends at any call of the store loses nothing that was deferred or delivered', async () => {
    deferAll(issuer, 'v1').isReady = true;
    for (const step of ['accept', 'collect'] as const)
      for (let call = 1, isDone = false; !isDone; call += 1) {
        await resetWallet(holder);
        const die = async (work: () => Promise<unknown>) => {
          Object.assign(faults, { failIn: call, isDeadly: true });
          await work();
          isDone = faults.failIn > 0;
          faults.end();
        };
        if (step === 'accept') await die(accept);
        else await accept();
        const [one] = await waiting();
        if (step === 'accept' && !one) {
          // The issuer has not deferred it, or the user accepts the offer again.
          expect((await accept()).status).to.equal(200);
        }
        const id = (await waiting())[0]?.id ?? '';
        if (step === 'collect') {
          server.clock.advance(4999);
          await die(() => collectWhenDue(id));
        }
        server.clock.advance(LEASE_MS);
        await passUntil(async () => (await waiting()).length === 0);
        expect(await held(), `${step}, at call ${call}`).to.have.length(1);
        expect(call).to.be.below(100);
      }
  });

  /** Asks at the moment when it is due, by the caller or by the background, which may be first. */
  async function collectWhenDue(id: string): Promise<void> {
    server.clock.advance(1);
    await collect(id);
  }
});
