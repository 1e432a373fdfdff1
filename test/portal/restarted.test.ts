import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { newWalletUser } from '../actors/wallet-user.ts';
import { usePages } from '../support/portal/browser.ts';
import { undisturbedMs } from '../support/runs/undisturbed.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';
import { freePort } from '../support/stores/redis.ts';

/** How long a step may take from the wallet's request to the page, in milliseconds. */
const LONGEST_MS = 1000;

describe('the portal over a restart of its server', () => {
  const world = { url: '' };
  let dataDir: string;
  let server: TestServer;
  const start = async (): Promise<TestServer> =>
    startServer({ store: 'sqlite', dataDir, settings: { port: Number(new URL(world.url).port) } });
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'credenza-restarted-'));
    world.url = `http://127.0.0.1:${await freePort()}`;
    server = await start();
  });
  after(async () => {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const open = usePages(world);

  it('I6: each step of the wallet comes once, in order and within a second, also when the server restarted in between', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Start: offer a card' }).click();
    const steps = page.getByRole('log').getByRole('listitem');
    await steps.first().waitFor();
    const text = new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get('offer') ?? '';
    await server.close();
    await page.getByText('The connection broke; it is made again').first().waitFor();
    server = await start();
    const { call } = await newWalletUser(server);
    await page.getByText('The connection broke; it is made again').first().waitFor({ state: 'hidden' });
    page.forgive(/ERR_/);
    const took = await undisturbedMs(async () => {
      expect((await call('acceptCredentialOffer', { text })).status).to.equal(200);
      await steps.nth(4).waitFor();
    });
    expect(took).to.be.below(LONGEST_MS);
    expect(await steps.allInnerTexts()).to.deep.equal([
      'The offer was made',
      'A wallet looked at the offer',
      'The wallet got access',
      'The wallet got the credential',
      'The offer was closed',
    ]);
  });
});
