import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { readSettings } from '../../adapters/config/read-settings.ts';
import { configuredSignIn } from '../../domain/sign-in/configured-sign-in.ts';
import { Browser, locationOf } from '../actors/browser.ts';
import { linkOf } from '../actors/sign-in-page.ts';
import { newWalletUser } from '../actors/wallet-user.ts';
import { testFormats } from '../support/credentials/formats.ts';
import { useServer } from '../support/servers/server.ts';
import { freePort } from '../support/stores/redis.ts';
import { blocksOf } from './tables.ts';

const EXAMPLE = 'examples/sign-in';

describe('docs/sign-in.md', () => {
  const site = { url: '' };
  let folder: string;
  let running: ChildProcess;
  const server = useServer(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-sign-in-'));
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    site.url = `http://127.0.0.1:${await freePort()}`;
    const written = await readFile(`${EXAMPLE}/sign-in.conf`, 'utf8');
    const here = written.replaceAll('http://127.0.0.1:7001', publicUrl).replaceAll('http://127.0.0.1:3000', site.url);
    await writeFile(join(folder, 'sign-in.conf'), here);
    const { signIn } = await readSettings({ CONFIG_DIR: folder });
    return { settings: { port, publicUrl, signIn } };
  });

  before(async () => {
    const env = { PATH: process.env.PATH, ISSUER: `${server.url}/sign-in`, SITE: site.url };
    running = spawn(process.execPath, [`${EXAMPLE}/app.mjs`], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(running.stdout as NodeJS.ReadableStream, 'data');
  });
  after(async () => {
    running.kill();
    await once(running, 'exit');
    await rm(folder, { recursive: true });
  });

  /** Opens a path of the shop with its cookie. */
  async function shop(path: string, cookie = '') {
    const answer = await fetch(`${site.url}${path}`, { redirect: 'manual', headers: { cookie } });
    const [given = ''] = answer.headers.getSetCookie();
    return {
      location: answer.headers.get('location') ?? '',
      cookie: given.split(';')[0] ?? '',
      text: await answer.text(),
    };
  }

  it('its application signs in the person with the card of the tour, and logs out', async () => {
    const wallet = await newWalletUser(server);
    const json = { profileId: 'IdentityCredential_dc-sd-jwt', authMethod: 'PRE_AUTHORIZED' };
    const card = await wallet.accept((await server.call('createCredentialOffer', { json })).body.credentialOffer);
    expect((await shop('/')).text).to.include('Sign in with a card');
    const begun = await shop('/sign-in');
    const browser = new Browser(server);
    const page = await browser.follow(begun.location);
    const shown = { presentationRequest: linkOf(page), selectedCredentials: [card.id] };
    expect((await wallet.call('presentCredentials', { json: shown })).status).to.equal(200);
    const { pathname, search } = new URL(locationOf(await browser.follow(page.url)) ?? '');
    expect((await shop(`${pathname}${search}`)).location).to.equal('/?failed');
    expect((await shop(`${pathname}${search}`, begun.cookie)).location).to.equal('/');
    expect((await shop('/', begun.cookie)).text).to.include('<h1>Welcome, Alex Example</h1>');
    const out = await browser.open((await shop('/sign-out', begun.cookie)).location);
    expect(out.text).to.include('Log out of A shop?');
    expect((await shop('/', begun.cookie)).text).to.include('Sign in with a card');
  });

  it('shows this application, which has 40 lines, and its configuration', async () => {
    const shown = await readFile('docs/sign-in.md', 'utf8');
    const app = await readFile(`${EXAMPLE}/app.mjs`, 'utf8');
    expect(blocksOf(shown, 'js')).to.deep.equal([app]);
    expect(app.trimEnd().split('\n')).to.have.length.at.most(40);
    expect(blocksOf(shown, 'hocon')[0]).to.equal(await readFile(`${EXAMPLE}/sign-in.conf`, 'utf8'));
  });

  it('its profile for wallets of the drafts is good', async () => {
    const [, profile = ''] = blocksOf(await readFile('docs/sign-in.md', 'utf8'), 'hocon');
    const folder = await mkdtemp(join(tmpdir(), 'credenza-profile-'));
    await writeFile(join(folder, 'sign-in.conf'), `profiles.degree {\nissuers = any\n${profile}}`);
    const { signIn } = await readSettings({ CONFIG_DIR: folder }).finally(() => rm(folder, { recursive: true }));
    const { profiles } = configuredSignIn(signIn, { formats: testFormats, issuer: 'https://a.example/sign-in' });
    expect(profiles.map(({ claims }) => Object.keys(claims))).to.deep.equal([['degree']]);
  });

  it('its commands make a secret and its digest', async () => {
    const [, command = ''] = blocksOf(await readFile('docs/sign-in.md', 'utf8'), 'sh');
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    expect(stdout).to.match(/^[0-9a-f]{64}\n[0-9a-f]{64}\n$/);
  });

  it('the clients and profiles of docs/config/sign-in.conf are good', async () => {
    const environment = {
      SHOP_SECRET_DIGEST: 'a'.repeat(64),
      VAULT_SIGNING_KEY: 'k',
      HSM_PIN: '1234',
      HSM_ACCESS_KEY: 'a'.repeat(16),
      MANAGEMENT_TOKEN: 'm'.repeat(32),
    };
    const { signIn } = await readSettings({ CONFIG_DIR: 'docs/config', ...environment });
    const { clients, profiles } = configuredSignIn(signIn, {
      formats: testFormats,
      issuer: 'https://a.example/sign-in',
    });
    expect([...clients.keys(), ...profiles.map(({ id }) => id)]).to.deep.equal([
      'shop',
      'keycloak',
      'identity',
      'adult',
    ]);
  });
});
