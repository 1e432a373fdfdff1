import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { HttpPeer } from '../actors/http-peer.ts';
import { redeem, requestCredential } from '../actors/wallet.ts';
import type { IssuerHandover, IssuerPlan } from '../support/processes/killed-issuer.ts';
import { testScript } from '../support/processes/script.ts';
import { pause, until } from '../support/runs/waiting.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';
import { freePort } from '../support/stores/redis.ts';

/** An event as the receiver of a callback sees it. */
interface Seen {
  id: string;
  sequence: number;
  type: string;
  data: Record<string, string>;
}

const LEASE_MS = 15_000;
const TICK_MS = 5000;

describe('Events of an issuance', () => {
  let dataDir: string;
  let receiver: HttpPeer;
  let survivor: TestServer | undefined;
  /** What a process left that was killed after it had stored a credential and its event, which several tests go on from. */
  let left: { handover: IssuerHandover; folder: string; received: HttpPeer['seen'] } | undefined;

  const newFolder = () => mkdtemp(join(tmpdir(), 'credenza-events-'));
  before(async () => {
    receiver = await new HttpPeer().listen();
    receiver.routes['/events'] = () => ({});
  });
  after(async () => {
    await receiver.close();
    if (left) await rm(left.folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    dataDir = await newFolder();
    receiver.seen.length = 0;
  });
  afterEach(async () => {
    await survivor?.close();
    survivor = undefined;
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Runs an issuer in a process of its own until it is killed at the given write of its event log. */
  async function kill(plan: Pick<IssuerPlan, 'write' | 'when'>): Promise<IssuerHandover> {
    const { file, execArgv } = testScript('test/support/processes/killed-issuer.ts');
    const child = fork(file, { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    child.send({ dataDir, callbackUrl: receiver.url, ...plan } satisfies IssuerPlan);
    const [handover] = (await once(child, 'message')) as [IssuerHandover];
    child.send('go on');
    const [, signal] = await once(child, 'exit');
    expect(signal).to.equal('SIGKILL');
    return handover;
  }

  /** What is left by a process that is killed when it has stored an issued credential; it has sent the events before that. */
  async function killAfterIssuance(): Promise<IssuerHandover> {
    if (left === undefined) {
      const handover = await kill({ write: 5, when: 'after' });
      left = { handover, folder: await newFolder(), received: [...receiver.seen] };
      await cp(dataDir, left.folder, { recursive: true });
    } else {
      await cp(left.folder, dataDir, { recursive: true });
      receiver.seen.push(...left.received);
    }
    return left.handover;
  }

  /** Starts another instance on what the killed one left; its first look for events is after the lease has ended. */
  async function restart({ url }: IssuerHandover): Promise<TestServer> {
    survivor = await startServer({ store: 'sqlite', dataDir, settings: { port: await freePort(), publicUrl: url } });
    return survivor;
  }

  const seen = (): Seen[] =>
    receiver.seen.map(({ headers, body }) => {
      const { type, data } = JSON.parse(body);
      return { id: String(headers['x-event-id']), sequence: Number(headers['x-event-sequence']), type, data };
    });

  /** The events once there are as many. */
  async function arrived(count: number): Promise<Seen[]> {
    await until(() => seen().length >= count);
    return seen();
  }

  /** The events after a while in which one too many would arrive. */
  async function settled(): Promise<Seen[]> {
    await pause(500);
    return seen();
  }

  function expectOrdered(events: Seen[]): void {
    const sequences = events.map(({ sequence }) => sequence);
    expect(sequences).to.deep.equal([...sequences].sort((a, b) => a - b));
    expect(events.every(({ id }) => /^[0-9a-f-]{36}$/.test(id))).to.equal(true);
  }

  it('the event that a killed process had stored and not sent is sent after the restart, in its order', async () => {
    const handover = await kill({ write: 3, when: 'after' });
    expect(seen().map(({ type }) => type)).to.deep.equal(['resolved_credential_offer']);
    const server = await restart(handover);
    server.clock.advance(LEASE_MS + TICK_MS);
    const events = await arrived(2);
    expect(events.map(({ type }) => type)).to.deep.equal(['resolved_credential_offer', 'requested_token']);
    expectOrdered(events);
    // The process died before the wallet had its tokens: the code is good again, and its redemption was reported.
    expect((await redeem(server, handover.code)).status).to.equal(200);
    expect(await settled()).to.have.length(2);
  });

  it('a credential that was reported is the one the wallet receives with the same proof, and is reported once', async () => {
    const handover = await killAfterIssuance();
    expect(seen()).to.have.length(2);
    const server = await restart(handover);
    server.clock.advance(LEASE_MS + TICK_MS);
    const events = await arrived(3);
    expect(events.map(({ type }) => type)).to.deep.equal(['resolved_credential_offer', 'requested_token', 'jwt_issue']);
    expectOrdered(events);
    const { token = '', request } = handover.access ?? {};
    const { status, body } = await requestCredential(server, token, request);
    expect([status, body.credential]).to.deep.equal([200, events.at(-1)?.data.jwt]);
    server.clock.advance(4 * TICK_MS);
    expect(await settled()).to.have.length(3);
  });

  it('a wallet that comes back at once is put off while the killed process could be alive; the event is sent once', async () => {
    const handover = await killAfterIssuance();
    const server = await restart(handover);
    const { token = '', request } = handover.access ?? {};
    let answer = await requestCredential(server, token, request);
    for (let tries = 0; answer.status !== 200 && tries < 40; tries += 1) {
      expect([answer.status, answer.headers.has('retry-after')]).to.deep.equal([503, true]);
      server.clock.advance(1000);
      answer = await requestCredential(server, token, request);
    }
    const { body } = answer;
    server.clock.advance(4 * TICK_MS);
    await arrived(3);
    const events = await settled();
    expect(events.map(({ type }) => type)).to.deep.equal(['resolved_credential_offer', 'requested_token', 'jwt_issue']);
    expectOrdered(events);
    expect(body.credential).to.equal(events.at(-1)?.data.jwt);
  });

  it('an event that was sent but not noted as sent is sent again with the same id', async () => {
    const handover = await kill({ write: 6, when: 'before' });
    expect(await arrived(3)).to.have.length(3);
    const server = await restart(handover);
    server.clock.advance(LEASE_MS + TICK_MS);
    const events = await arrived(4);
    expect(events.map(({ type }) => type).slice(2)).to.deep.equal(['jwt_issue', 'jwt_issue']);
    expect(events[3]).to.deep.equal(events[2]);
    expectOrdered(events);
    const { token = '', request } = handover.access ?? {};
    const { body } = await requestCredential(server, token, request);
    expect(body.credential).to.equal(events.at(-1)?.data.jwt);
    expect(seen()).to.have.length(4);
  });

  it('of two instances one sends the event that a killed process left', async () => {
    const handover = await killAfterIssuance();
    const servers = [await restart(handover), await startServer({ store: 'sqlite', dataDir })];
    for (const { clock } of servers) clock.advance(LEASE_MS + TICK_MS);
    await arrived(3);
    for (const { clock } of servers) clock.advance(2 * TICK_MS);
    expect(await settled()).to.have.length(3);
    await servers[1]?.close();
  });
});
