import { expect } from 'chai';
import { LEASE_MS } from '../../../domain/foundation/lease.ts';
import { startIssuer, type TestIssuer } from '../../actors/issuer.ts';
import { giveRefreshTokens } from '../../actors/refreshing-issuer.ts';
import { newWalletUser, resetWallet, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';
import { FaultyStore, StoreFaults } from '../../support/stores/faulty-store.ts';

const BOTH = ['Degree_jwt_vc_json', 'Passport_jwt_vc_json'];

describe('an offer whose second request fails', () => {
  const faults = new StoreFaults();
  const server = useServer({ wrapStore: (store) => new FaultyStore(store, faults) });
  let holder: WalletUser;
  let issuer: TestIssuer;
  let failures: number;
  before(async () => {
    holder = await newWalletUser(server);
  });
  beforeEach(async () => {
    await resetWallet(holder);
    issuer = await startIssuer();
    const deliver = issuer.peer.routes['/issuer/credential'];
    failures = 1;
    issuer.peer.routes['/issuer/credential'] = (request) => {
      const isSecond = /Passport/.test(request.body);
      if (isSecond) failures -= 1;
      return isSecond && failures >= 0 ? { status: 500 } : deliver?.(request);
    };
  });
  afterEach(() => issuer.close());

  const accept = (text: string, query: Record<string, string> = {}, user = holder) =>
    user.call('acceptCredentialOffer', { text, query });
  const typesOf = (credentials: { parsedDocument: { type: string[] } }[]) =>
    credentials.map(({ parsedDocument }) => parsedDocument.type[1]).sort();
  const held = async () => (await holder.call('listWalletCredentials')).body;
  const asked = (type: string) =>
    issuer.peer.seen.filter(({ url, body }) => url.pathname === '/issuer/credential' && body.includes(type)).length;

  for (const nonces of ['endpoint', 'token'] as const)
    it(`acceptCredentialOffer 200: goes on where it ended, ${nonces === 'endpoint' ? 'in 1.0' : 'in the drafts'}`, async () => {
      issuer.behaviour.nonces = nonces;
      failures = 2;
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const { status, body } = await accept(issuer.link(BOTH));
        expect([status, body.resumable]).to.deep.equal([502, true]);
        expect(body.message).to.match(/Accept the same offer again/);
        expect(await held()).to.deep.equal([]);
      }
      const { status, body } = await accept(issuer.link(BOTH));
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(typesOf(body)).to.deep.equal(['Degree', 'Passport']);
      expect(await held()).to.have.length(2);
      expect([issuer.peer.count('/issuer/token'), asked('Degree'), asked('Passport')]).to.deep.equal([1, 1, 3]);
      expect((await accept(issuer.link(BOTH))).status).to.equal(200);
      expect(issuer.peer.count('/issuer/token')).to.equal(2);
    });

  it('acceptCredentialOffer: goes on once of two at the same time, only for the same DID and wallet, and longer where something was given', async () => {
    const { body: did } = await holder.call('createWalletDid', { path: { method: 'jwk' } });
    failures = 3;
    await accept(issuer.link(BOTH), { did });
    const other = await accept(issuer.link(BOTH), { did: holder.did });
    expect([other.status, other.body.details[0].path]).to.deep.equal([400, '/query/did']);
    await accept(issuer.link(BOTH), {}, await newWalletUser(server));
    expect(issuer.peer.count('/issuer/token')).to.equal(2);
    failures = 0;
    const answers = await Promise.all([accept(issuer.link(BOTH)), accept(issuer.link(BOTH))]);
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200]);
    // One of them redeemed the offer anew, for the default DID.
    expect(issuer.peer.count('/issuer/token')).to.equal(3);
    // Without anything delivered it is an hour.
    for (const [offered, tokens] of [
      [BOTH, 4],
      [BOTH.slice(1), 6],
    ] as const) {
      failures = 1;
      await accept(issuer.link([...offered]));
      server.clock.advance(60 * 60 * 1000);
      expect((await accept(issuer.link([...offered]))).status).to.equal(200);
      expect(issuer.peer.count('/issuer/token')).to.equal(tokens);
    }
  });

  it('acceptCredentialOffer 200: goes on with a new access token where the old one has ended', async () => {
    issuer.behaviour.nonces = 'endpoint';
    const tokens = giveRefreshTokens(issuer);
    expect((await accept(issuer.link(BOTH))).body.resumable).to.equal(true);
    tokens.expire();
    const { status, body } = await accept(issuer.link(BOTH));
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(typesOf(body)).to.deep.equal(['Degree', 'Passport']);
    expect([tokens.refreshes, asked('Degree')]).to.deep.equal([1, 1]);
  });

  for (const what of ['without a refresh token', 'with one that is refused'])
    it(`acceptCredentialOffer 400: an access token that has ended, ${what}, ends the offer, and what was given is stored`, async () => {
      issuer.behaviour.nonces = 'endpoint';
      const tokens = giveRefreshTokens(issuer);
      tokens.isWithout = what.startsWith('without');
      tokens.refusal = { status: 400, body: { error: 'invalid_grant' } };
      expect((await accept(issuer.link(BOTH))).body.resumable).to.equal(true);
      tokens.expire();
      const { status, body } = await accept(issuer.link(BOTH));
      expect([status, body.upstreamError, body.resumable]).to.deep.equal([400, 'invalid_token', undefined]);
      expect(body.message).to.include('What it had given is in the wallet');
      expect(typesOf(await held())).to.deep.equal(['Degree']);
      // The offer is over: the next one is redeemed anew. Of one that gave nothing nothing is kept.
      tokens.refusal = undefined;
      failures = 0;
      const given = issuer.peer.routes['/issuer/credential'];
      issuer.peer.routes['/issuer/credential'] = () => ({ status: 401 });
      const nothing = await accept(issuer.link(BOTH));
      expect([nothing.status, nothing.body.resumable]).to.deep.equal([400, undefined]);
      issuer.peer.routes['/issuer/credential'] = given ?? (() => undefined);
      expect(typesOf((await accept(issuer.link(BOTH))).body)).to.deep.equal(['Degree', 'Passport']);
    });

  it('acceptCredentialOffer: a process that ends at any call of the store loses no credential that the issuer gave', async () => {
    let isDone = false;
    for (let call = 1; !isDone; call += 1) {
      await resetWallet(holder);
      failures = 0;
      const link = `${issuer.link(BOTH)}&state=${call}`;
      const before = ['/issuer/token', '/issuer/credential'].map((path) => issuer.peer.count(path));
      Object.assign(faults, { failIn: call, isDeadly: true });
      await accept(link);
      isDone = faults.failIn > 0;
      faults.end();
      const hasGiven = issuer.peer.count('/issuer/credential') > (before[1] ?? 0);
      server.clock.advance(LEASE_MS);
      expect((await accept(link)).status, `at call ${call}`).to.equal(200);
      expect(typesOf(await held()), `at call ${call}`).to.deep.equal(
        isDone ? ['Degree', 'Degree', 'Passport', 'Passport'] : ['Degree', 'Passport'],
      );
      const tokens = issuer.peer.count('/issuer/token') - (before[0] ?? 0);
      if (hasGiven && !isDone) expect(tokens, `at call ${call}`).to.equal(1);
      expect(call).to.be.below(100);
    }
  });

  it('acceptCredentialOffer: of nine offers the eight latest are kept', async () => {
    failures = 9;
    const links = Array.from({ length: 9 }, (_, n) => `${issuer.link(BOTH)}&state=${n}`);
    for (const link of links) expect((await accept(link)).body.resumable).to.equal(true);
    for (const link of links.toReversed()) await accept(link);
    expect(issuer.peer.count('/issuer/token')).to.equal(10);
  });

  it('acceptCredentialOffer 400: nothing is kept of credentials that are not acceptable', async () => {
    failures = 0;
    issuer.behaviour.credential = (jwt) => `${jwt.slice(0, -8)}AAAAAAAA`;
    const { status, body } = await accept(issuer.link(BOTH));
    expect([status, body.resumable]).to.deep.equal([400, undefined]);
    await accept(issuer.link(BOTH));
    expect(issuer.peer.count('/issuer/token')).to.equal(2);
  });

  describe('step by step', () => {
    const take = async (operationId: string, json: object) => {
      const { status, body } = await holder.call(operationId, { json });
      expect(status, JSON.stringify(body)).to.equal(200);
      return body;
    };
    /** A call that stores a credential, with a token and a proof of its own. */
    const fetching = async () => {
      const named = { credentialIssuer: issuer.issuer };
      const { accessToken } = await take('requestToken', {
        ...named,
        tokenEndpoint: `${issuer.issuer}/token`,
        preAuthorizedCode: 'the-code',
      });
      const { nonce } = await take('requestNonce', named);
      const asked = { issuerUrl: issuer.issuer, credentialConfigurationId: BOTH[0], nonce };
      const { proofJwt } = await take('signProof', asked);
      const credentialEndpoint = `${issuer.issuer}/credential`;
      return { credentialEndpoint, accessToken, credentialConfigurationId: BOTH[0], proofJwt, storeInWallet: true };
    };
    beforeEach(() => {
      issuer.behaviour.nonces = 'endpoint';
    });

    it('fetchCredential 503, 200: what the issuer gave is stored with the next call, and not asked for again', async () => {
      const json = await fetching();
      const deliver = issuer.peer.routes['/issuer/credential'];
      issuer.peer.routes['/issuer/credential'] = async (request) => {
        const reply = await deliver?.(request);
        // The answer is kept by the second call of the store from now on; the one after it fails.
        faults.failIn = 4;
        return reply;
      };
      const failed = await holder.call('fetchCredential', { json });
      expect([failed.status, failed.body.resumable]).to.deep.equal([503, true]);
      expect(await held()).to.deep.equal([]);
      issuer.peer.routes['/issuer/credential'] = deliver ?? (() => undefined);
      const { rawCredentials } = await take('fetchCredential', json);
      expect((await held()).map(({ document }: { document: string }) => document)).to.deep.equal(rawCredentials);
      expect(issuer.peer.count('/issuer/credential')).to.equal(1);
      // The next one is another credential.
      await take('fetchCredential', await fetching());
      expect(await held()).to.have.length(2);
    });

    it('fetchCredential: a process that ends at any call of the store leaves one credential, with the same call again', async () => {
      for (let call = 1, isDone = false; !isDone; call += 1) {
        await resetWallet(holder);
        const json = await fetching();
        Object.assign(faults, { failIn: call, isDeadly: true });
        await holder.call('fetchCredential', { json });
        isDone = faults.failIn > 0;
        faults.end();
        server.clock.advance(LEASE_MS);
        if (!isDone) {
          const { proofJwt } = await fetching();
          await take('fetchCredential', { ...json, proofJwt });
        }
        expect(await held(), `at call ${call}`).to.have.length(1);
        expect(call).to.be.below(100);
      }
    });

    it('fetchCredential: of two at once with one token one asks the issuer, and the other waits', async () => {
      const json = await fetching();
      const deliver = issuer.peer.routes['/issuer/credential'];
      let second = 0;
      issuer.peer.routes['/issuer/credential'] = async (request) => {
        second = (await holder.call('fetchCredential', { json })).status;
        return deliver?.(request);
      };
      await take('fetchCredential', json);
      expect(second).to.equal(503);
      expect([(await held()).length, issuer.peer.count('/issuer/credential')]).to.deep.equal([1, 1]);
    });
  });
});
