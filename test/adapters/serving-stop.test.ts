import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type CommandProcess, runCommandProcess } from '../support/processes/process.ts';
import { inTurn } from '../support/runs/tier.ts';
import { pause, until } from '../support/runs/waiting.ts';
import { HalfRequest, RawConnection } from '../support/servers/raw-connection.ts';

/** Makes a process fail on a signal: SIGUSR2 for an unhandled rejection, SIGWINCH for an exception. */
const PLANT = `process.on('SIGUSR2', () => void Promise.reject(new Error('planted rejection')));
process.on('SIGWINCH', () => { throw new Error('planted exception'); });
`;

interface Server {
  url: string;
  command: CommandProcess;
}

describe('a server that stops', () => {
  let folder: string;
  const running: CommandProcess[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-stop-'));
    await writeFile(join(folder, 'plant.mjs'), PLANT);
  });
  after(async () => {
    for (const { child } of running) child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  async function serve(services: string, environment: Record<string, string> = {}): Promise<Server> {
    const place = await mkdtemp(join(folder, 'data-'));
    await writeFile(join(place, 'services.conf'), services);
    const command = runCommandProcess(['serve'], { DATA_DIR: place, CONFIG_DIR: place, PORT: '0', ...environment });
    running.push(command);
    const [, url = ''] = await command.says(/Listening on\s+(http:\/\/\S+)/);
    return { url, command };
  }

  const setups = [
    ['one process', 'stopDelaySeconds = 0\n'],
    ['two workers', 'stopDelaySeconds = 0, workers = 2\n'],
  ] as const;
  for (const [name, services] of inTurn(setups, 0))
    it(`${name}, SIGTERM: closes idle connections at once, and those in use after their answer`, async () => {
      const { url, command } = await serve(services);
      const half = await HalfRequest.send(url);
      const [silent, kept] = [await RawConnection.open(url), await RawConnection.open(url)];
      kept.get('/livez');
      await kept.answers();
      expect(kept.text).to.match(/Connection: keep-alive/i);
      const stopped = command.stop();
      await Promise.all([silent.ended(3000), kept.ended(3000)]);
      expect(half.connection.isClosed).to.equal(false);
      const answer = await half.finish();
      expect(answer)
        .to.match(/^HTTP\/1\.1 200 /)
        .and.match(/\r\nConnection: close\r\n/i);
      expect(answer).to.match(/\r\n\r\n\{.*"issuerDid":.*\}$/s);
      const { code, ms } = await stopped;
      expect(code).to.equal(0);
      expect(ms).to.be.below(7000);
    });

  // The other one of the two.
  for (const [name, services] of inTurn(setups, 1))
    it(`${name}, SIGINT: answers 503 at /readyz and closes each connection during stopDelaySeconds`, async () => {
      const { url, command } = await serve(`${services}stopDelaySeconds = 2\n`);
      const kept = await RawConnection.open(url);
      kept.get('/readyz');
      await kept.answers();
      expect(kept.text).to.match(/^HTTP\/1\.1 200 /);
      const stopped = command.stop('SIGINT');
      await until(async () => (await fetch(`${url}/readyz`)).status === 503);
      kept.text = '';
      kept.get('/readyz');
      const late = await RawConnection.open(url);
      late.get('/livez');
      expect(await kept.ended(3000)).to.match(/^HTTP\/1\.1 503 [\s\S]*\r\nConnection: close\r\n[\s\S]*Unhealthy/i);
      expect(await late.ended(3000)).to.match(/^HTTP\/1\.1 200 [\s\S]*\r\nConnection: close\r\n/i);
      const { code, ms } = await stopped;
      expect(code).to.equal(0);
      expect(ms).to.be.within(2000, 6000);
    });

  it('without a terminal it takes new connections for three seconds', async () => {
    const { url, command } = await serve('');
    const stopped = command.stop();
    await until(async () => (await fetch(`${url}/readyz`)).status === 503);
    expect((await fetch(`${url}/livez`)).status).to.equal(200);
    const { code, ms } = await stopped;
    expect(code).to.equal(0);
    expect(ms).to.be.within(3000, 7000);
  });

  it('SIGHUP: completes every answer, also to slow readers', async () => {
    const { url, command } = await serve('stopDelaySeconds = 0\n');
    const reader = await RawConnection.open(url);
    reader.socket.pause();
    // More than the buffers of both sides.
    const count = 8;
    for (let n = 0; n < count; n += 1) reader.get('/docs/swagger-ui-bundle.js');
    await pause(1000);
    const stopped = command.stop('SIGHUP');
    await pause(500);
    reader.socket.resume();
    const text = await reader.ended(7000);
    const lengths = [...text.matchAll(/\r\ncontent-length: (\d+)\r\n/gi)].map(([, length]) => Number(length));
    expect(lengths).to.have.length(count);
    const heads = [...text.matchAll(/HTTP\/1\.1 200 OK\r\n[\s\S]*?\r\n\r\n/g)].map(([head]) => head.length);
    const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
    expect(text.length).to.equal(sum(lengths) + sum(heads));
    expect((await stopped).code).to.equal(0);
  });

  it('logs and counts each unhandled rejection and exception, answers current requests and exits with 1', async () => {
    const planted = { NODE_OPTIONS: `--import ${join(folder, 'plant.mjs')}` };
    const { url, command } = await serve('stopDelaySeconds = 2\n', planted);
    const half = await HalfRequest.send(url);
    const stopped = command.stop('SIGUSR2');
    await until(async () => (await fetch(`${url}/readyz`)).status === 503);
    command.child.kill('SIGWINCH');
    const counts = async () => (await fetch(`${url}/metrics`)).text();
    for (const kind of ['rejection', 'exception'])
      await until(async () => (await counts()).includes(`credenza_unhandled_errors_total{kind="${kind}"} 1`));
    expect(await half.finish()).to.match(/^HTTP\/1\.1 200 /);
    // That the other one ends a process too is shown with workers (serving-workers.test.ts).
    expect((await stopped).code).to.equal(1);
    for (const kind of ['rejection', 'exception']) {
      const line = command.output.err.split('\n').find((text) => text.includes(`planted ${kind}`));
      expect(JSON.parse(line ?? '{}')).to.include({ level: 50, kind, error: `planted ${kind}` });
    }
  });
});
