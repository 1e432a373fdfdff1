import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { build } from 'esbuild';
import { JsonLog, MAX_WAITING_BYTES } from '../../adapters/log/json-log.ts';

const numbersOf = (text: string): number[] => [...text.matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number));

/** The numbers from 0 on. */
const upTo = (count: number): number[] => Array.from({ length: count }, (_, number) => number);

describe('the log', () => {
  let folder: string;
  let writes: string[];
  let out: Writable;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'credenza-log-'));
    // Not by tsx: a process that shares standard error, as its translator, has writes to it wait for the reader.
    const entryPoints = ['test/support/processes/log-writer.ts'];
    await build({ entryPoints, outfile: join(folder, 'writer.cjs'), bundle: true, platform: 'node' });
  });
  after(() => rm(folder, { recursive: true }));
  beforeEach(() => {
    writes = [];
    out = new Writable({
      write(chunk, _encoding, done) {
        writes.push(String(chunk));
        done();
      },
    });
  });

  const run = (...args: string[]): ChildProcessWithoutNullStreams =>
    spawn(process.execPath, [join(folder, 'writer.cjs'), ...args]);

  it('writes the lines of one turn of the event loop at once, in their order', async () => {
    const log = new JsonLog('info', { out });
    log.info('a', { number: 0 });
    log.debug('not of this level', { number: 9 });
    log.warn('b', { number: 1 });
    expect(writes).to.deep.equal([]);
    await setImmediate();
    log.info('c', { number: 2 });
    await setImmediate();
    expect(writes.map(numbersOf)).to.deep.equal([[0, 1], [2]]);
    for (const line of writes.join('').trim().split('\n'))
      expect(JSON.parse(line)).to.include.keys('level', 'time', 'msg');
  });

  it('writes lines for people on a terminal, in which control characters of strangers stay escaped', async () => {
    const log = new JsonLog('info', { out: Object.assign(out, { isTTY: true }) });
    log.warn('refused', { url: 'http://a', cause: { message: 'a\u001b[2J\nb' }, err: { stack: '\u001b[31m' } });
    await setImmediate();
    const [line = ''] = writes;
    expect(stripVTControlCharacters(line)).to.match(
      /^\[\d\d:\d\d:\d\d\] WARN: refused \{"url":"http:\/\/a","cause":.*\}\n$/,
    );
    expect(line).to.include('a\\u001b[2J\\nb').and.include('\\u001b[31m');
  });

  it('writes an error at once, after the lines before it', () => {
    const log = new JsonLog('info', { out });
    log.info('a', { number: 0 });
    log.error('b', { number: 1 });
    expect(writes.map(numbersOf)).to.deep.equal([[0, 1]]);
  });

  it('holds its lines until they are released, also errors, and then no more', async () => {
    const log = new JsonLog('info', { out, isHeld: true });
    log.warn('a', { number: 0 });
    log.error('b', { number: 1 });
    await setImmediate();
    expect(writes).to.deep.equal([]);
    log.release();
    log.error('c', { number: 2 });
    log.release();
    expect(writes.map(numbersOf)).to.deep.equal([[0, 1], [2]]);
  });

  it('keeps the oldest lines up to a number of bytes, and says how many it dropped', async () => {
    const log = new JsonLog('info', { out, isHeld: true });
    for (const number of upTo(3000)) log.info('line', { number, filler: 'ä'.repeat(500) });
    log.release();
    expect(Buffer.byteLength(writes.join(''))).to.be.within(MAX_WAITING_BYTES - 2000, MAX_WAITING_BYTES);
    const kept = numbersOf(writes.join(''));
    expect(kept).to.deep.equal(upTo(kept.length));
    log.error('after');
    expect(writes.at(-1))
      .to.include(`"lines":${3000 - kept.length}`)
      .and.include('"msg":"after"');
  });

  it('a reader that stops does not stop the process; it gets the oldest lines, the number of the others, and new ones', async () => {
    const count = 20_000;
    const child = run('many', String(count));
    const said = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    expect((await said.next()).value).to.equal('written');
    let text = '';
    child.stderr.on('data', (chunk) => {
      text += chunk;
    });
    while (!text.includes(`"number":${count}`)) {
      child.stdin.write('one more\n');
      await said.next();
    }
    child.kill('SIGKILL');
    const kept = numbersOf(text).filter((number) => number < count);
    expect(kept).to.deep.equal(upTo(kept.length));
    const dropped = Number(/"lines":(\d+)/.exec(text)?.[1]);
    expect(dropped)
      .to.be.at.least(count - kept.length)
      .and.be.at.most(count - kept.length + 1000);
    expect(Buffer.byteLength(text)).to.be.within(MAX_WAITING_BYTES, 2 * MAX_WAITING_BYTES);
  });

  it('a process that is killed loses the lines of one turn at most', async () => {
    const child = run('turns');
    const closed = once(child, 'close');
    let text = '';
    child.stderr.on('data', (chunk) => {
      text += chunk;
    });
    child.stdin.write('go on');
    for await (const line of createInterface({ input: child.stdout })) {
      if (line === '500') child.kill('SIGKILL');
      else child.stdin.write('go on');
    }
    await closed;
    expect(numbersOf(text)).to.deep.equal(upTo(501));
  });

  for (const way of ['exit', 'exception'])
    it(`nothing is lost at the end of a process: ${way}`, async () => {
      const child = run(way);
      let text = '';
      child.stderr.on('data', (chunk) => {
        text += chunk;
      });
      await once(child, 'close');
      expect(numbersOf(text)).to.deep.equal([1]);
    });
});
