import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { degree, type Issuer, offerLink, onboard } from '../../demo/actors/issuer.ts';
import { HttpServices } from '../../demo/services.ts';
import { offerId } from '../actors/issuance.ts';
import { type CommandProcess, runCommandProcess } from '../support/processes/process.ts';
import { inTier, inTurn } from '../support/runs/tier.ts';
import { pause, until } from '../support/runs/waiting.ts';
import { LOGIN, sharedPostgres } from '../support/stores/postgres.ts';
import { addressesOf, freePort, sharedCluster, sharedNode } from '../support/stores/redis.ts';

/** 24 a minute for ten minutes. */
const KILLS = inTier({ hard: 240, usual: 1 });
const EVERY_MS = 60_000 / 24;
/** How many acknowledged calls are made before a process is killed at the least. */
const LEAST_CALLS = 12;
/** How many of the newest codes are tried after each kill; all of them take longer each time. */
const LATEST = 12;
const GRANT = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';

const prefixed = () => ({ keyPrefix: `kills-${randomUUID()}:` });
const inSchema = () => ({ ...LOGIN, schema: `kills_${randomUUID().replaceAll('-', '')}` });
/** What `store.conf` says. */
const STORES: Record<string, () => Promise<object>> = {
  SQLite: async () => ({ type: 'sqlite' }),
  Redis: async () => ({ type: 'kvstore', nodes: addressesOf([await sharedNode()]), ...prefixed() }),
  'a Redis Cluster': async () => ({
    type: 'kvstore-cluster',
    nodes: addressesOf((await sharedCluster()).nodes),
    ...prefixed(),
  }),
  PostgreSQL: async () => ({ type: 'postgresql', nodes: addressesOf([await sharedPostgres()]), ...inSchema() }),
};

/** Codes of offers by what became of them. */
interface Codes {
  /** Acknowledged, and not used. */
  open: string[];
  used: string[];
}

// What a start does is the same on each store, and what stores do is tried in the contracts: two of them each day.
for (const [name, storeOf] of inTurn(Object.entries(STORES), 0, 2))
  describe(`A server on ${name} that is killed ${KILLS} times under load`, () => {
    let folder: string;
    let environment: Record<string, string>;
    let running: CommandProcess | undefined;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'credenza-kills-'));
      await writeFile(join(folder, 'services.conf'), 'services = [issuer], stopDelaySeconds = 0\n');
      await writeFile(join(folder, 'store.conf'), JSON.stringify(await storeOf()));
      environment = { DATA_DIR: folder, CONFIG_DIR: folder, PORT: String(await freePort()), LOG_LEVEL: 'error' };
    });
    after(async () => {
      running?.child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    });

    async function serve(): Promise<HttpServices> {
      running = runCommandProcess(['serve'], environment);
      const [, url = ''] = await running.says(/Listening on\s+(http:\/\/\S+)/);
      return HttpServices.at(url);
    }

    /** The status of a token request. */
    const redeem = async (services: HttpServices, code: string): Promise<number> =>
      (await services.call('requestAccessToken', { form: { grant_type: GRANT, 'pre-authorized_code': code } })).status;

    async function newCode(services: HttpServices, issuer: Issuer): Promise<string> {
      const query = { id: offerId(await offerLink(services, degree(issuer))) };
      const { body } = await services.call('getCredentialOffer', { query });
      return Object(body).grants[GRANT]['pre-authorized_code'];
    }

    /** Makes offers, and redeems every second one, until a call fails. */
    async function load(services: HttpServices, issuer: Issuer, { open, used }: Codes): Promise<void> {
      try {
        for (;;) {
          open.push(await newCode(services, issuer));
          const code = await newCode(services, issuer);
          // One whose answer is cut off may be used or not.
          if ((await redeem(services, code)) === 200) used.push(code);
        }
      } catch {
        // The process is gone.
      }
    }

    it('loses no offer that it acknowledged, and no code is good twice', async () => {
      let services = await serve();
      const issuer = await onboard(services);
      const codes: Codes = { open: [], used: [] };
      for (let kill = 0; kill < KILLS; kill += 1) {
        const began = performance.now();
        const before = codes.open.length + codes.used.length;
        const loads = [1, 2, 3].map(() => load(services, issuer, codes));
        await until(() => codes.open.length + codes.used.length >= before + LEAST_CALLS);
        running?.child.kill('SIGKILL');
        await Promise.all(loads);
        await running?.ended;
        services = await serve();
        for (const code of codes.used.slice(-LATEST)) expect(await redeem(services, code), 'used before').to.equal(400);
        for (const code of codes.open.splice(-LATEST)) {
          expect(await redeem(services, code), 'acknowledged before').to.equal(200);
          expect(await redeem(services, code), 'again').to.equal(400);
        }
        await pause(Math.max(0, began + inTier({ hard: EVERY_MS, usual: 0 }) - performance.now()));
      }
      expect(codes.used).to.have.length.above(0);
      expect((await running?.stop())?.code).to.equal(0);
    });
  });
