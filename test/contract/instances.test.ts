import { expect } from 'chai';
import { makeHolderKey } from '../../demo/actors/holder-key.ts';
import { degree, onboard } from '../../demo/actors/issuer.ts';
import { byCertificate, byEmail } from '../actors/accounts.ts';
import { makeOffer } from '../actors/issuance.ts';
import { issueCredential, jwkParty, keyParty } from '../actors/party.ts';
import { DEGREE_REQUEST } from '../actors/verification.ts';
import {
  credentialRequest,
  makePresentation,
  proofOf,
  readRequest,
  redeem,
  requestCredential,
  submissionFor,
} from '../actors/wallet.ts';
import { inTurn } from '../support/runs/tier.ts';
import { type Instances, startInstances } from '../support/servers/instances.ts';
import type { Answer, TestServer, TestStore } from '../support/servers/server.ts';
import { readTokenList } from '../support/status/issued-lists.ts';
import { sharedPostgres } from '../support/stores/postgres.ts';
import { sharedCluster, sharedNode } from '../support/stores/redis.ts';

// What one Redis and a cluster do at once with their records is the same (collection.contract.ts); tenants are raced on one Redis.
const STORES: TestStore[] = ['redis-cluster', 'postgresql'];

/** Deletes all data of a store, as a restart without persistence or a dropped schema does. */
async function loseAll(store: TestStore, schema: string): Promise<void> {
  if (store === 'postgresql') return void (await (await sharedPostgres()).query(`DROP SCHEMA "${schema}" CASCADE`));
  const nodes = store === 'redis' ? [await sharedNode()] : (await sharedCluster()).nodes;
  await Promise.all(nodes.map((node) => node.command('FLUSHALL')));
}

// One of the two each day.
for (const store of inTurn(STORES, 0))
  describe(`Two instances on one ${store}`, () => {
    let instances: Instances;
    let one: TestServer;
    let other: TestServer;
    before(async () => {
      instances = await startInstances({ store });
      [one, other] = instances.servers;
    });
    after(() => instances.close());

    /** Sends fifty concurrent requests to both instances in turn and counts the answers by status. */
    async function race(work: (server: TestServer) => Promise<Answer>): Promise<Record<number, number>> {
      const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => work(n % 2 === 0 ? one : other)));
      const counts: Record<number, number> = {};
      for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
      return counts;
    }

    it('a session of one is known at the other, and ends on both', async () => {
      await one.call('registerAccount', { json: byEmail('ada') });
      const { token, id } = (await other.call('loginAccount', { json: byEmail('ada') })).body;
      expect((await one.call('getUserInfo', { token })).body.id).to.equal(id);
      expect((await other.call('getUserInfo', { cookie: `login=${token}` })).status).to.equal(200);
      expect((await one.call('logoutAccount', { token })).status).to.equal(200);
      for (const server of [one, other]) expect((await server.call('getUserInfo', { token })).status).to.equal(401);
    });

    it('fifty revocations through both are fifty statuses, in the list and the check of either at once', async () => {
      const issuer = await onboard(one, { key: { keyType: 'secp256r1' } });
      const json = { ...issuer, type: 'TokenStatusList' };
      const { listId, url } = (await one.call('createStatusList', { json })).body;
      const made = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          (n % 2 === 0 ? one : other).call('allocateStatusEntry', { path: { listId }, json: { session: 's' } }),
        ),
      );
      const indexes = made.map(({ body }) => String(body.entry.index));
      const lists = () =>
        Promise.all([one, other].map(async (at) => (await at.call('getStatusList', { path: { id: listId } })).body));
      const key = { ...issuer.issuerKey.jwk, d: undefined };
      for (const list of await lists()) expect((await readTokenList(list, key)).status(Number(indexes[0]))).to.equal(0);
      const path = (n: number) => ({ listId, index: indexes[n] ?? '' });
      let last = 0;
      const counts = await race((at) => {
        const n = last;
        last += 1;
        return at.call('changeStatusEntry', { path: path(n), json: { action: 'revoke' } });
      });
      expect(counts).to.deep.equal({ 200: 50 });
      for (const list of await lists()) {
        const { size, status } = await readTokenList(list, key);
        const set = Array.from({ length: size }, (_, n) => n).filter((n) => status(n) !== 0);
        expect(set).to.deep.equal(indexes.map(Number).sort((a, b) => a - b));
      }
      const status = { status_list: { idx: Number(indexes[7]), uri: url } };
      const credential = { issuer: issuer.issuerDid, credentialSubject: {}, status };
      for (const at of [one, other]) {
        const answer = await at.call('checkRevocation', { json: credential });
        expect(answer.body, JSON.stringify(answer.body)).to.deep.equal({ isRevoked: true });
      }
    });

    it('an offer of one is redeemed at the other, and its credential requested at the first', async () => {
      const issuer = await onboard(one);
      const { code } = await makeOffer(one, degree(issuer));
      const { status, body } = await redeem(other, code);
      expect(status).to.equal(200);
      expect((await redeem(one, code)).status).to.equal(400);
      const proof = proofOf(one, makeHolderKey(), { nonce: body.c_nonce });
      expect((await requestCredential(one, body.access_token, credentialRequest(proof))).status).to.equal(200);
      const again = await requestCredential(other, body.access_token, credentialRequest(proof));
      expect([again.status, again.body.error]).to.deep.equal([400, 'invalid_proof']);
    });

    it('of 50 registrations of one address exactly one succeeds', async () => {
      expect(await race((server) => server.call('registerAccount', { json: byEmail('race') }))).to.deep.equal({
        201: 1,
        409: 49,
      });
    });

    it('of 50 registrations of one certificate exactly one succeeds', async () => {
      const json = byCertificate(0);
      expect(await race((server) => server.call('registerWithCertificate', { json }))).to.deep.equal({
        201: 1,
        409: 49,
      });
    });

    it('50 first logins with one certificate create one account', async () => {
      const json = byCertificate(1);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) => (n % 2 ? one : other).call('loginWithCertificate', { json })),
      );
      expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).to.equal(1);
    });

    it('of 50 logins with one nonce exactly one succeeds', async () => {
      const { nonce } = (await other.call('createLoginNonce')).body;
      const json = byCertificate(0, { nonce });
      expect(await race((server) => server.call('loginWithCertificate', { json }))).to.deep.equal({ 200: 1, 401: 49 });
    });

    it('of 50 redemptions of one pre-authorized code exactly one succeeds', async () => {
      const { code } = await makeOffer(one, degree(await onboard(one)));
      const counts = await race((server) => redeem(server, code));
      const { 200: won, 400: over = 0, 503: putOff = 0 } = counts;
      expect([won, over + putOff], JSON.stringify(counts)).to.deep.equal([1, 49]);
      expect((await redeem(other, code)).status).to.equal(400);
    });

    it('of 50 credential requests with one nonce exactly one succeeds', async () => {
      const { code } = await makeOffer(one, degree(await onboard(one)));
      const { body } = await redeem(other, code);
      const json = credentialRequest(proofOf(one, makeHolderKey(), { nonce: body.c_nonce }));
      const counts = await race((server) => requestCredential(server, body.access_token, json));
      const { 200: won, 401: over = 0, 503: putOff = 0 } = counts;
      expect([won, over + putOff], JSON.stringify(counts)).to.deep.equal([1, 49]);
    });

    it('of 50 presentations for one session exactly one is accepted', async () => {
      const [issuer, holder] = [await jwkParty('ES256'), await keyParty()];
      const request = readRequest((await one.call('startVerification', { json: DEGREE_REQUEST })).body);
      const path = { state: request.state };
      const { id, input_descriptors } = (await other.call('getPresentationDefinition', { path })).body;
      const credentials = [await issueCredential(issuer, holder, {})];
      const form = {
        vp_token: await makePresentation(holder, request, { credentials }),
        presentation_submission: submissionFor(id, { [input_descriptors[0].id]: 0 }),
        state: request.state,
      };
      const counts = await race((server) => server.call('submitPresentation', { path, form }));
      const { 200: won, 409: late = 0, 503: putOff = 0 } = counts;
      expect([won, late + putOff]).to.deep.equal([1, 49]);
      for (const server of [one, other])
        expect((await server.call('getVerificationResult', { path })).body.verificationResult).to.equal(true);
    });

    it('agree on their keys again after the store lost its data', async () => {
      const { token } = (await one.call('loginWithCertificate', { json: byCertificate(2) })).body;
      expect((await other.call('getUserInfo', { token })).status).to.equal(200);
      await loseAll(store, one.settings.store.schema);
      const third = await instances.join();
      const fromThird = (await third.call('loginWithCertificate', { json: byCertificate(2) })).body.token;
      for (const { clock } of [one, other]) clock.advance(30_000);
      for (const server of [one, other])
        expect((await server.call('getUserInfo', { token: fromThird })).status).to.equal(200);
      const fromOne = (await one.call('loginWithCertificate', { json: byCertificate(2) })).body.token;
      expect((await third.call('getUserInfo', { token: fromOne })).status).to.equal(200);
    });

    it('50 concurrent logouts are all answered, and the session has ended', async () => {
      const { token } = (await one.call('loginWithCertificate', { json: byCertificate(1) })).body;
      expect(await race((server) => server.call('logoutWithCertificate', { token }))).to.deep.equal({ 200: 50 });
      expect((await other.call('getUserInfo', { token })).status).to.equal(401);
    });
  });
