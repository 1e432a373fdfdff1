import { expect } from 'chai';
import { byCertificate } from '../actors/accounts.ts';
import { pause, untilReady } from '../support/runs/waiting.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';
import { addressesOf, sharedCluster, sharedNode, startNode } from '../support/stores/redis.ts';
import { redisSettings, redisStore } from '../support/stores/stores.ts';

/** The number of connections that reveals one in twenty with a second attempt. */
const OPENED = 100;

describe('A server whose Redis is not started yet', () => {
  it('starts, and becomes ready when Redis is', async () => {
    const node = await startNode();
    await node.kill();
    const server = await startServer({ settings: { store: { type: 'kvstore', nodes: addressesOf([node]) } } });
    expect((await server.call('getReadiness')).status).to.equal(503);
    expect((await server.call('loginWithCertificate', { json: byCertificate(0) })).status).to.equal(503);
    await node.start();
    await untilReady(server);
    expect((await server.call('loginWithCertificate', { json: byCertificate(0) })).status).to.equal(200);
    await server.close();
    await node.stop();
  });

  it('never changes data that another master key sealed and that it finds later', async function () {
    this.timeout(60_000);
    const node = await startNode();
    const settings = { store: { type: 'kvstore', nodes: addressesOf([node]), keyPrefix: 'shared:' } } as const;
    const first = await startServer({ settings });
    let refusal = '';
    await startServer({ settings }).catch((error: Error) => {
      refusal = error.message;
    });
    expect(refusal).to.match(
      /^Redis at \S+: The stored data was sealed with another master key: this store needs [\w-]{8}, and the ring has [\w-]{8}$/,
    );
    node.pause();
    const late = await startServer({ settings });
    node.resume();
    await untilReady(first);
    const hasSeen = () => late.lines.some(({ fields }) => String(fields.cause).includes('another master key'));
    for (const deadline = performance.now() + 60_000; !hasSeen() && performance.now() < deadline; await pause(50))
      expect((await late.call('loginWithCertificate', { json: byCertificate(0) })).status).to.equal(503);
    expect(hasSeen()).to.equal(true);
    expect((await late.call('getReadiness')).status).to.equal(503);
    expect((await first.call('loginWithCertificate', { json: byCertificate(0) })).status).to.equal(200);
    await Promise.all([first.close(), late.close()]);
    await node.stop();
  });
});

describe('A Redis that is slow when a server starts', () => {
  it('is waited for: data that another master key sealed stops the start', async function () {
    this.timeout(60_000);
    const node = await startNode();
    const settings = { store: { type: 'kvstore', nodes: addressesOf([node]), keyPrefix: 'slow:' } } as const;
    const first = await startServer({ settings });
    node.pause();
    const starting = startServer({ settings }).then(
      async (server) => {
        await server.close();
        return 'started';
      },
      ({ message }: Error) => message,
    );
    // For longer than the first connection and the first command are waited for.
    await pause(5500);
    node.resume();
    expect(await starting).to.match(/sealed with another master key/);
    await first.close();
    await node.stop();
  });
});

describe('A suspended process', () => {
  it('accepts the answers that it received meanwhile, however late it reads them', async () => {
    const settings = { store: { type: 'kvstore', nodes: addressesOf([await sharedNode()]) } } as const;
    const server = await startServer({ settings });
    // A server without the scripts needs two commands for each.
    await (await sharedNode()).command('SCRIPT', 'FLUSH');
    const asked = [server.call('getReadiness'), server.call('loginWithCertificate', { json: byCertificate(0) })];
    // Until the commands are sent, and then for longer than the command timeout.
    for (let turn = 0; turn < 12; turn += 1) {
      await pause(1);
      for (const end = performance.now() + 900; turn % 4 === 0 && performance.now() < end; );
    }
    expect((await Promise.all(asked)).map(({ status }) => status)).to.deep.equal([200, 200]);
    await server.close();
  });
});

describe('A running Redis Cluster', () => {
  it('is always connected at the first attempt', async () => {
    const { nodes } = await sharedCluster();
    const connections = async (): Promise<number> => {
      const infos = await Promise.all(nodes.map((node) => node.command('INFO', 'stats')));
      return infos.reduce<number>(
        (sum, info) => sum + Number(/total_connections_received:(\d+)/.exec(`${info}`)?.[1]),
        0,
      );
    };
    const before = await connections();
    for (let n = 0; n < OPENED; n += 1) {
      const store = redisStore(redisSettings(true, nodes), { now: Date.now });
      await store.collection({ name: 'x', listed: false, sealed: false, afterRestore: 'kept' }).get({ id: 'a' });
      await store.close();
    }
    // One to each node, one for the slots, one subscriber, and those of the counters.
    expect((await connections()) - before).to.be.at.most(OPENED * (nodes.length + 2) + nodes.length);
  });
});

describe('A Redis that requires a password', () => {
  it('is used with the right one; a wrong one gives 503, without the password in log or answer', async () => {
    const [right, wrong] = ['right-open-sesame', 'wrong-open-sesame'];
    const node = await startNode();
    await node.command('CONFIG', 'SET', 'requirepass', right);
    const start = (password: string): Promise<TestServer> =>
      startServer({ settings: { store: { type: 'kvstore', nodes: addressesOf([node]), password } } });
    const [welcome, refused] = await Promise.all([start(right), start(wrong)]);
    expect((await welcome.call('getReadiness')).status).to.equal(200);
    const answer = await refused.call('loginWithCertificate', { json: byCertificate(0) });
    expect(answer.status).to.equal(503);
    const said = JSON.stringify([answer.body, refused.lines, welcome.lines]);
    expect(said).to.include('WRONGPASS').and.not.include('sesame');
    await Promise.all([welcome.close(), refused.close()]);
    await node.stop();
  });
});
