import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Store } from '../../ports/store.ts';
import { HttpPeer, startCallback } from '../actors/http-peer.ts';
import { issueCredential, jwkParty, keyParty } from '../actors/party.ts';
import { makePresentation, readRequest, submissionFor, type WalletRequest } from '../actors/wallet.ts';
import { until } from '../support/runs/waiting.ts';
import { type Answer, startServer, type TestServer } from '../support/servers/server.ts';
import { FaultyStore, StoreFaults } from '../support/stores/faulty-store.ts';
import { freePort } from '../support/stores/redis.ts';

const LEASE_MS = 15_000;
const TICK_MS = 5000;
const KEY = 'Basic c2VjcmV0';

describe('Events of a verification', () => {
  let dataDir: string;
  let receiver: HttpPeer;
  const faults = new StoreFaults();
  /** Whether the first instance dies after it stored an event. */
  let diesAfterAppend = false;
  /** The instance that dies: nothing it does reaches the store any more. */
  let mortal: TestServer;
  let survivor: TestServer;

  /** Lets the first instance die after it created an event log, which stores the event. */
  function dying(store: Store): Store {
    return Object.assign(Object.create(store) as Store, {
      ping: () => store.ping(),
      checkWritable: () => store.checkWritable(),
      close: () => store.close(),
      collection: (spec: Parameters<Store['collection']>[0]) => {
        const collection = store.collection(spec);
        if (spec.name !== 'verification-event-logs') return collection;
        const insert: typeof collection.insert = async (...args) => {
          const inserted = await collection.insert(...args);
          faults.down ||= diesAfterAppend;
          return inserted;
        };
        return Object.assign(Object.create(collection), {
          get: collection.get.bind(collection),
          insert,
          replace: collection.replace.bind(collection),
        });
      },
    });
  }

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'credenza-results-'));
    receiver = await new HttpPeer().listen();
    const wrapStore = (store: Store) => new FaultyStore(dying(store), faults);
    mortal = await startServer({ store: 'sqlite', dataDir, wrapStore });
    survivor = await startServer({
      store: 'sqlite',
      dataDir,
      settings: { port: await freePort(), publicUrl: mortal.url },
    });
  });
  afterEach(async () => {
    faults.down = false;
    diesAfterAppend = false;
    await Promise.all([mortal.close(), survivor.close(), receiver.close()]);
    await rm(dataDir, { recursive: true, force: true });
  });

  async function ask(url = receiver.url): Promise<WalletRequest> {
    const headers = { statusCallbackUri: `${url}/result`, statusCallbackApiKey: KEY };
    const json = { request_credentials: ['UniversityDegree'] };
    return readRequest((await survivor.call('startVerification', { json, headers })).body);
  }

  async function present(server: TestServer, request: WalletRequest): Promise<Answer> {
    const path = { state: request.state };
    const { body: definition } = await survivor.call('getPresentationDefinition', { path });
    const [party, holder] = [await jwkParty('ES256'), await keyParty()];
    const credentials = [await issueCredential(party, holder, { type: 'UniversityDegree' })];
    const form = {
      vp_token: await makePresentation(holder, request, { credentials }),
      presentation_submission: submissionFor(definition.id, { [definition.input_descriptors[0].id]: 0 }),
    };
    return server.call('submitPresentation', { path, form });
  }

  const result = async ({ state }: WalletRequest) =>
    (await survivor.call('getVerificationResult', { path: { state } })).body;

  /** The calls of the receiver once there are as many, or none came for a while. */
  async function seen(count: number, tries = 3000) {
    for (let left = tries; left > 0 && receiver.seen.length < count; left -= 1) await pause(20);
    return receiver.seen.map(({ headers, body }) => ({ id: headers['x-event-id'], key: headers.authorization, body }));
  }

  it('a result that could not be delivered is delivered later; the wallet was answered at once', async () => {
    const callback = await startCallback();
    const request = await ask(callback.url);
    await callback.goAway();
    expect((await present(survivor, request)).status).to.equal(200);
    await callback.comeBack();
    survivor.clock.advance(2 * TICK_MS);
    await until(() => callback.events.length === 1);
    survivor.clock.advance(4 * TICK_MS);
    await pause(100);
    expect(callback.events).to.have.length(1);
    expect(callback.events[0]).to.deep.include(await result(request));
    await callback.goAway();
  });

  it('a result whose delivery was not noted is delivered again with the same id, by another instance', async () => {
    receiver.routes['/result'] = () => {
      faults.down = true;
      return {};
    };
    const request = await ask();
    expect((await present(mortal, request)).status).to.equal(200);
    receiver.routes['/result'] = () => ({});
    survivor.clock.advance(LEASE_MS + TICK_MS);
    const calls = await seen(2);
    expect(calls).to.have.length(2);
    expect(calls[1]).to.deep.equal(calls[0]);
    expect(calls[0]).to.include({ key: KEY });
    expect(JSON.parse(calls[0]?.body ?? '')).to.deep.equal(await result(request));
    survivor.clock.advance(LEASE_MS + TICK_MS);
    expect(await seen(3, 50)).to.have.length(2);
  });

  it('an event whose session was not concluded reports nothing; the wallet can answer again and is reported', async () => {
    receiver.routes['/result'] = () => ({});
    const request = await ask();
    diesAfterAppend = true;
    expect((await present(mortal, request)).status).to.equal(503);
    survivor.clock.advance(LEASE_MS + 2 * TICK_MS);
    expect(await seen(1, 50)).to.have.length(0);
    expect((await present(survivor, request)).status).to.equal(200);
    const calls = await seen(1);
    expect(calls).to.have.length(1);
    expect(JSON.parse(calls[0]?.body ?? '')).to.deep.equal(await result(request));
  });

  it('a callback that stays unreachable is given up after eight attempts, and the log has no key', async () => {
    const request = await ask();
    receiver.routes['/result'] = () => undefined;
    await receiver.close();
    expect((await present(survivor, request)).status).to.equal(200);
    const failures = () => survivor.lines.filter(({ message }) => message.includes('could not be delivered')).length;
    for (let tries = 0; tries < 400 && failures() < 8; tries += 1) {
      survivor.clock.advance(TICK_MS);
      await pause(5);
    }
    for (let ticks = 0; ticks < 300; ticks += 1) survivor.clock.advance(TICK_MS);
    await pause(100);
    expect(failures()).to.equal(8);
    expect(survivor.lines.filter(({ message }) => message.includes('given up'))).to.have.length(1);
    expect(JSON.stringify(survivor.lines)).not.to.include(KEY);
    expect((await result(request)).verificationResult).to.equal(true);
    receiver = await new HttpPeer().listen();
  });
});
