import { expect } from 'chai';
import { LEASE_MS } from '../../../domain/foundation/lease.ts';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { giveRefreshTokens } from '../../actors/refreshing-issuer.ts';
import { newWalletUser, resetWallet, type WalletUser } from '../../actors/wallet-user.ts';
import { until } from '../../support/runs/waiting.ts';
import { useServer } from '../../support/servers/server.ts';
import { FaultyStore, StoreFaults } from '../../support/stores/faulty-store.ts';

const METADATA = '/issuer/.well-known/openid-credential-issuer';
const [MINUTE, HOUR] = [60_000, 60 * 60_000];

describe('credentials that came with a refresh token', () => {
  const faults = new StoreFaults();
  const server = useServer({ wrapStore: (store) => new FaultyStore(store, faults), outboundTimeoutMs: 3000 });
  let holder: WalletUser;
  let issuer: TestIssuer;
  let tokens: ReturnType<typeof giveRefreshTokens>;
  let level: number;
  let events: object[];
  before(async () => {
    holder = await newWalletUser(server);
  });
  beforeEach(async () => {
    await resetWallet(holder);
    issuer = await startIssuer();
    [level, events] = [0, []];
    const { routes } = issuer.peer;
    const [metadata, deliver] = [routes[METADATA], routes['/issuer/credential']];
    issuer.behaviour.nonces = 'endpoint';
    issuer.behaviour.claims = ({ vc, ...claims }) => {
      const credentialSubject = { ...Object(vc).credentialSubject, level };
      const exp = Math.floor((server.clock.now() + HOUR) / 1000);
      return { ...claims, exp, vc: { ...Object(vc), credentialSubject } };
    };
    routes[METADATA] = async (request) => ({
      body: { ...Object((await metadata?.(request))?.body), notification_endpoint: `${issuer.issuer}/notification` },
    });
    routes['/issuer/credential'] = async (request) => {
      level += 1;
      const { body, ...rest } = (await deliver?.(request)) ?? {};
      return { ...rest, body: { ...Object(body), notification_id: `notification ${level}` } };
    };
    routes['/issuer/notification'] = ({ body }) => {
      events.push(JSON.parse(body));
      return { status: 204 };
    };
    tokens = giveRefreshTokens(issuer);
  });
  afterEach(async () => {
    faults.end();
    await issuer.close();
  });

  const accept = async () => {
    const { status, body } = await holder.call('acceptCredentialOffer', { text: issuer.link() });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body[0].id;
  };
  const renew = (credentialId: string) => holder.call('renewWalletCredential', { path: { credentialId } });
  const levels = async (): Promise<number[]> =>
    (await holder.call('listWalletCredentials')).body.map(
      (one: { parsedDocument: { credentialSubject: { level: number } } }) => one.parsedDocument.credentialSubject.level,
    );
  const last = async () => {
    const query = { filter: 'event=Credential', sortOrder: 'desc', limit: '1' };
    return (await holder.call('listWalletEvents', { query })).body.items[0].action;
  };
  const passUntil = (holds: () => Promise<boolean>) =>
    until(async () => {
      if (await holds()) return true;
      server.clock.advance(5000);
      return false;
    });

  it('renewWalletCredential 200: the new one takes the place of the old one, and the refresh token that of the old', async () => {
    const id = await accept();
    await holder.call('addWalletCategory', { path: { name: 'Kept' } });
    await holder.call('addWalletCredentialCategories', { path: { credentialId: id }, json: ['Kept'] });
    for (const wanted of [2, 3]) {
      const { status, body } = await renew(id);
      expect(status, JSON.stringify(body)).to.equal(200);
      expect([body.id, body.categories]).to.deep.equal([id, ['Kept']]);
      expect(await levels()).to.deep.equal([wanted]);
    }
    expect(await last()).to.equal('Renew');
    await until(() => events.length === 3);
    expect(events.map((event) => Object(event).event)).to.deep.equal(Array(3).fill('credential_accepted'));
  });

  it('renewWalletCredential 404, 409: of another wallet, without a refresh token, marked as deleted', async () => {
    const id = await accept();
    const other = await newWalletUser(server);
    expect((await other.call('renewWalletCredential', { path: { credentialId: id } })).status).to.equal(404);
    await holder.call('deleteWalletCredential', { path: { credentialId: id } });
    expect((await renew(id)).status).to.equal(409);
    const plain = await startIssuer();
    const { body } = await holder.call('acceptCredentialOffer', { text: plain.link() });
    const { status, body: refused } = await renew(body[0].id);
    expect([status, refused.message]).to.deep.equal([
      409,
      'The credential cannot be renewed: its issuer gave no refresh token for it',
    ]);
    await plain.close();
  });

  it('renewWalletCredential: the wallet renews by itself before the end; failures leave the old one, a refusal is final', async () => {
    await accept();
    server.clock.advance(47 * MINUTE);
    expect(await levels()).to.deep.equal([1]);
    tokens.refusal = { status: 500 };
    for (const failures of [1, 2]) {
      server.clock.advance(5 * MINUTE);
      await passUntil(async () => tokens.refreshes >= failures);
    }
    expect(await levels()).to.deep.equal([1]);
    tokens.refusal = undefined;
    server.clock.advance(10 * MINUTE);
    await passUntil(async () => (await levels())[0] === 2);
    tokens.refusal = { status: 400, body: { error: 'invalid_grant' } };
    server.clock.advance(HOUR);
    await passUntil(async () => (await last()) === 'Fail');
    const before = tokens.refreshes;
    server.clock.advance(2 * HOUR);
    expect([await levels(), tokens.refreshes]).to.deep.equal([[2], before]);
  });

  it('renewWalletCredential 400, 502, 504: what the issuer refuses, or delivers wrongly, leaves the old one', async () => {
    const id = await accept();
    for (const [reply, status, upstreamError] of [
      [{ status: 400, body: { error: 'invalid_grant' } }, 400, 'invalid_grant'],
      [{ status: 500 }, 502, undefined],
    ] as const) {
      tokens.refusal = reply;
      const { status: answered, body } = await renew(id);
      expect([answered, body.upstreamError]).to.deep.equal([status, upstreamError]);
    }
    tokens.refusal = undefined;
    issuer.behaviour.credential = (jwt) => `${jwt.slice(0, -8)}AAAAAAAA`;
    expect((await renew(id)).status).to.equal(400);
    const METADATA_ROUTE = issuer.peer.routes['/issuer/credential'];
    issuer.peer.routes['/issuer/credential'] = () => undefined;
    expect((await renew(id)).status).to.equal(504);
    expect(await levels()).to.deep.equal([1]);
    issuer.behaviour.credential = (jwt) => jwt;
    issuer.peer.routes['/issuer/credential'] = METADATA_ROUTE ?? (() => undefined);
    expect((await renew(id)).status).to.equal(200);
  });

  it('renewWalletCredential: a process that ends at any call of the store leaves the old one or the new one', async () => {
    const seen = new Set<boolean>();
    for (let call = 1, isDone = false; !isDone; call += 1) {
      await resetWallet(holder);
      const id = await accept();
      const old = level;
      Object.assign(faults, { failIn: call, isDeadly: true });
      const { status } = await renew(id);
      isDone = faults.failIn > 0;
      faults.end();
      const found = await levels();
      expect(found, `at call ${call}`).to.have.length(1);
      expect(found[0]).to.be.oneOf(status === 200 ? [old + 1] : [old, old + 1]);
      seen.add(found[0] === old);
      server.clock.advance(LEASE_MS);
      expect(call).to.be.below(100);
    }
    expect([...seen].sort()).to.deep.equal([false, true]);
  });

  it('deleteWalletCredential 202: the issuer is notified after the access token ended, with one new one for all', async () => {
    issuer.behaviour.nonces = 'endpoint';
    const both = await holder.call('acceptCredentialOffer', {
      text: issuer.link(['Degree_jwt_vc_json', 'Passport_jwt_vc_json']),
    });
    await until(() => events.length === 2);
    tokens.expire();
    const query = { permanent: 'true' };
    const remove = (credentialId: string) => holder.call('deleteWalletCredential', { path: { credentialId }, query });
    const ids: string[] = both.body.map(({ id }: { id: string }) => id);
    expect((await Promise.all(ids.map(remove))).map(({ status }) => status)).to.deep.equal([202, 202]);
    await until(() => events.length === 4);
    expect(tokens.refreshes).to.equal(1);
    expect(events.slice(2)).to.have.deep.members(
      [1, 2].map((number) => ({ notification_id: `notification ${number}`, event: 'credential_deleted' })),
    );
  });

  it('deleteWalletCredential, rejectWalletCredential 202: the issuer is notified, and nothing waits for it', async () => {
    const id = await accept();
    await until(() => events.length === 1);
    await holder.call('deleteWalletCredential', { path: { credentialId: id } });
    const permanent = { path: { credentialId: id }, query: { permanent: 'true' } };
    expect((await holder.call('deleteWalletCredential', permanent)).status).to.equal(202);
    await until(() => events.length === 2);
    expect(events[1]).to.deep.equal({ notification_id: 'notification 1', event: 'credential_deleted' });
    const query = { requireUserInput: 'true' };
    const { body } = await holder.call('acceptCredentialOffer', { text: issuer.link(), query });
    issuer.peer.routes['/issuer/notification'] = () => undefined;
    const rejected = await holder.call('rejectWalletCredential', { path: { credentialId: body[0].id } });
    expect(rejected.status).to.equal(202);
    await until(() =>
      issuer.peer.seen.some(({ body: sent }) => sent.includes('"notification 2","event":"credential_deleted"')),
    );
  });
});
