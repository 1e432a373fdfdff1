import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { degree, type Issuer, offerLink, onboard } from '../../demo/actors/issuer.ts';
import { DEGREE_REQUEST, sessionOf, startVerification, stateOf } from '../../demo/actors/verifier.ts';
import { HttpServices } from '../../demo/services.ts';
import { offerId } from '../actors/issuance.ts';
import { type CommandProcess, runCommandProcess } from '../support/processes/process.ts';
import { inTier } from '../support/runs/tier.ts';

const MIB = 1024 * 1024;
const GRANT = 'urn:ietf:params:oauth:grant-type:pre-authorized_code';
/** How often the process is looked at, and for how long it works before each look. */
const LOOKS = inTier({ hard: 30, usual: 4 });
const STORIES = inTier({ hard: Number.POSITIVE_INFINITY, usual: 25 });
const BETWEEN_MS = 60_000;
/** What measuring leaves open: code that is compiled late, and a connection that is about to be closed. */
const NOISE_BYTES = 4 * MIB;
const NOISE_HANDLES = 2;

/** Prints what is in memory after everything that is not used was removed. */
const PLANT = `import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');
let look = 0;
process.on('SIGWINCH', () => {
  for (let round = 0; round < 3; round += 1) gc();
  const { heapUsed, external } = process.memoryUsage();
  process.stdout.write('look ' + (look += 1) + ': ' + (heapUsed + external) + ' bytes\\n');
});
`;

/** By how much a straight line through these values rises from the first to the last (least squares). */
function riseOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const [covered, spread] = values.reduce(
    ([c, s], value, at) => [c + (at - middle) * (value - mean), s + (at - middle) ** 2],
    [0, 0] as [number, number],
  );
  return (covered / spread) * (values.length - 1);
}

describe('A server that works for long', () => {
  let folder: string;
  let running: CommandProcess;
  let services: HttpServices;
  let issuer: Issuer;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-soak-'));
    await writeFile(join(folder, 'plant.mjs'), PLANT);
    await writeFile(join(folder, 'services.conf'), 'services = [issuer, verifier], stopDelaySeconds = 0\n');
    const NODE_OPTIONS = `--import ${join(folder, 'plant.mjs')}`;
    const places = { DATA_DIR: folder, CONFIG_DIR: folder, PORT: '0', LOG_LEVEL: 'error' };
    running = runCommandProcess(['serve'], { ...places, NODE_OPTIONS });
    const [, url = ''] = await running.says(/Listening on\s+(http:\/\/\S+)/);
    services = await HttpServices.at(url);
    issuer = await onboard(services);
  });
  after(async () => {
    running.child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  /** An offer that is redeemed, and a request for a presentation that is looked at. */
  async function story(): Promise<void> {
    const query = { id: offerId(await offerLink(services, degree(issuer))) };
    const offer = Object((await services.call('getCredentialOffer', { query })).body);
    const form = { grant_type: GRANT, 'pre-authorized_code': offer.grants[GRANT]['pre-authorized_code'] };
    expect((await services.call('requestAccessToken', { form })).status).to.equal(200);
    await sessionOf(services, stateOf(await startVerification(services, DEGREE_REQUEST)));
  }

  /** Works for a while, then says what the process keeps. */
  async function look(number: number): Promise<{ bytes: number; handles: number }> {
    const until = performance.now() + BETWEEN_MS;
    for (let told = 0; told < STORIES && performance.now() < until; told += 1) await story();
    running.child.kill('SIGWINCH');
    const [, bytes] = await running.says(new RegExp(`^look ${number}: (\\d+) bytes$`, 'm'));
    return { bytes: Number(bytes), handles: readdirSync(`/proc/${running.child.pid}/fd`).length };
  }

  it('keeps no more memory and no more handles: both stay the same over the second half of the time', async () => {
    const looks: { bytes: number; handles: number }[] = [];
    for (let number = 1; number <= LOOKS; number += 1) looks.push(await look(number));
    const late = looks.slice(LOOKS / 2);
    expect(riseOf(late.map(({ bytes }) => bytes))).to.be.below(NOISE_BYTES);
    expect(riseOf(late.map(({ handles }) => handles))).to.be.below(NOISE_HANDLES);
  });
});
