import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeHolderKey } from '../../demo/actors/holder-key.ts';
import { degree, type Issuer, onboard } from '../../demo/actors/issuer.ts';
import { HttpPeer } from '../actors/http-peer.ts';
import { makeOffer } from '../actors/issuance.ts';
import { issueCredential, jwkParty, keyParty } from '../actors/party.ts';
import {
  credentialRequest,
  makePresentation,
  proofOf,
  readRequest,
  redeem,
  requestCredential,
  submissionFor,
} from '../actors/wallet.ts';
import { until } from '../support/runs/waiting.ts';
import { type Answer, startServer, type TestServer } from '../support/servers/server.ts';
import { FaultyStore, StoreFaults } from '../support/stores/faulty-store.ts';
import { freePort } from '../support/stores/redis.ts';

/** A repeatable request to either instance. */
type Send = (server: TestServer) => Promise<Answer>;

describe('A lease', () => {
  let dataDir: string;
  let peer: HttpPeer;
  const faults = new StoreFaults();
  /** The instance that fails: its calls no longer reach the store. */
  let mortal: TestServer;
  let survivor: TestServer;
  let issuer: Issuer;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'credenza-leases-'));
    peer = await new HttpPeer().listen();
    mortal = await startServer({ store: 'sqlite', dataDir, wrapStore: (store) => new FaultyStore(store, faults) });
    const settings = { port: await freePort(), publicUrl: mortal.url };
    survivor = await startServer({ store: 'sqlite', dataDir, settings });
    mortal.clock.advance(survivor.clock.now() - mortal.clock.now());
    issuer = await onboard(survivor);
  });
  afterEach(() => {
    faults.down = false;
  });
  after(async () => {
    await Promise.all([mortal.close(), survivor.close(), peer.close()]);
    await rm(dataDir, { recursive: true, force: true });
  });

  /** A credential request whose mapping calls the webhook of the peer. */
  async function proof(items = 1): Promise<Send> {
    const json = degree(issuer, { mapping: { grade: `<webhook:${peer.url}/hook>` } });
    const batch = Array.from({ length: items }, () => json);
    const { code } = await makeOffer(survivor, batch, { operationId: 'issueJwtCredentialBatch' });
    const { body } = await redeem(survivor, code);
    const issuerUrl = { url: mortal.url, clock: survivor.clock } as TestServer;
    const request = credentialRequest(proofOf(issuerUrl, makeHolderKey(), { nonce: body.c_nonce }));
    return (server) => requestCredential(server, body.access_token, request);
  }

  /** A pre-authorized code whose redemption is reported to the peer. */
  async function code(): Promise<Send> {
    live();
    const headers = { statusCallbackUri: `${peer.url}/hook` };
    const { code } = await makeOffer(survivor, degree(issuer), { headers });
    return (server) => redeem(server, code);
  }

  /** A presentation whose policies call the webhook of the peer. */
  async function presentation(): Promise<Send> {
    const vp_policies = ['signature', { policy: 'webhook', args: `${peer.url}/hook` }];
    const json = { request_credentials: ['UniversityDegree'], vp_policies };
    const request = readRequest((await survivor.call('startVerification', { json })).body);
    const path = { state: request.state };
    const { body: definition } = await survivor.call('getPresentationDefinition', { path });
    const [party, holder] = [await jwkParty('ES256'), await keyParty()];
    const credentials = [await issueCredential(party, holder, { type: 'UniversityDegree' })];
    const form = {
      vp_token: await makePresentation(holder, request, { credentials }),
      presentation_submission: submissionFor(definition.id, { [definition.input_descriptors[0].id]: 0 }),
    };
    return (server) => server.call('submitPresentation', { path, form });
  }

  function expectBusy({ status, headers, body }: Answer): void {
    expect([status, body.error], JSON.stringify(body)).to.deep.equal([503, 'temporarily_unavailable']);
    expect(headers.get('retry-after')).to.equal('1');
  }

  /** Both instances have the same time. */
  const pass = (ms: number): void => {
    for (const { clock } of [mortal, survivor]) clock.advance(ms);
  };

  /** Answers the webhook and makes the first instance fail during the call. */
  const die = () => {
    peer.routes['/hook'] = () => {
      faults.down = true;
      return { body: {} };
    };
  };
  const live = () => {
    peer.routes['/hook'] = () => ({ body: {} });
  };

  /** Delays the answer of the webhook until `answer` is called. */
  function hang(): { asked: Promise<void>; answer: (reply: object) => void } {
    let answer = (_: object): void => undefined;
    const reply = new Promise<object>((resolve) => {
      answer = resolve;
    });
    const asked = new Promise<void>((resolve) => {
      peer.routes['/hook'] = () => {
        resolve();
        return reply;
      };
    });
    return { asked, answer };
  }

  const KINDS: [string, () => Promise<Send>][] = [
    ["a holder's proof (requestCredential)", proof],
    ["a presenter's submission (submitPresentation)", presentation],
  ];
  for (const [what, make] of KINDS)
    describe(`on ${what}`, () => {
      it('503 with Retry-After until the lease of the failed instance expires, then 200 for the same request', async () => {
        const send = await make();
        die();
        expect((await send(mortal)).status).to.equal(503);
        live();
        expectBusy(await send(survivor));
        pass(14_999);
        expectBusy(await send(survivor));
        pass(1);
        expect((await send(survivor)).status).to.equal(200);
        const again = await send(survivor);
        expect([again.status, again.body.error]).to.deep.equal(
          again.status === 400 ? [400, 'invalid_proof'] : [409, again.body.error],
        );
      });

      it('is renewed while the work runs, regardless of its duration', async () => {
        const send = await make();
        const called = peer.seen.length;
        const { asked, answer } = hang();
        const first = send(survivor);
        await asked;
        for (let seconds = 0; seconds < 60; seconds += 5) {
          expectBusy(await send(survivor));
          pass(5000);
        }
        expectBusy(await send(survivor));
        answer({ body: {} });
        expect((await first).status).to.equal(200);
        expect(peer.seen).to.have.length(called + 1);
      });

      it('that expires during the work is acquired by the next request; the result of the work is discarded', async () => {
        const send = await make();
        const { asked, answer } = hang();
        const first = send(mortal);
        await asked;
        live();
        faults.down = true;
        pass(15_000);
        expect((await send(survivor)).status).to.equal(200);
        faults.down = false;
        answer({ body: {} });
        expect((await first).status).to.be.oneOf([401, 409, 503]);
      });
    });

  describe('on a pre-authorized code (requestAccessToken)', () => {
    const usedUp = async (send: Send) => {
      const { status, body } = await send(survivor);
      expect([status, body.error]).to.deep.equal([400, 'invalid_grant']);
    };
    /** What the failed instance did not report is reported beside the requests, and while it is, the code is busy. */
    const becomesGood = (send: Send) => until(async () => (await send(survivor)).status === 200);

    it('503 with Retry-After until the lease of the failed instance expires, then 200 for the same request, once', async () => {
      const send = await code();
      die();
      expect((await send(mortal)).status).to.equal(503);
      live();
      expectBusy(await send(survivor));
      pass(14_999);
      expectBusy(await send(survivor));
      pass(1);
      await becomesGood(send);
      await usedUp(send);
    });

    it('lasts longer than a callback may take', async () => {
      const send = await code();
      const { asked, answer } = hang();
      const first = send(survivor);
      await asked;
      for (let seconds = 0; seconds < 15; seconds += 5) {
        expectBusy(await send(survivor));
        pass(4999);
      }
      answer({ body: {} });
      expect((await first).status).to.equal(200);
      await usedUp(send);
    });

    it('that expires during the work is acquired by the next request; the result of the work is discarded', async () => {
      const send = await code();
      const { asked, answer } = hang();
      const first = send(mortal);
      await asked;
      live();
      faults.down = true;
      pass(15_000);
      await becomesGood(send);
      faults.down = false;
      answer({ body: {} });
      expectBusy(await first);
      await usedUp(send);
    });
  });

  it('on one credential of an offer does not lock the others, each with its own proof', async () => {
    const send = await proof(2);
    die();
    expect((await send(mortal)).status).to.equal(503);
    live();
    expectBusy(await send(survivor));
    pass(15_000);
    const { status, body } = await send(survivor);
    expect(status).to.equal(200);
    expect(body.c_nonce).to.be.a('string');
    const again = await send(survivor);
    expect([again.status, again.body.error]).to.deep.equal([400, 'invalid_proof']);
  });
});
