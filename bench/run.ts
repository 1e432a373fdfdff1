import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BENCHMARKS } from './benchmarks.ts';
import { type Line, table } from './support/harness.ts';
import { transpile } from './support/transpile.ts';

const TIMEOUT_MS = 240_000;
/** The folder of all files of the benchmarks; deleted at the end. */
const SCRATCH = mkdtempSync(join(tmpdir(), 'bench-'));

/** Runs one benchmark in a process of its own, so that none inherits optimised code or a heap from another. */
async function run(folder: URL, name: string): Promise<Line[]> {
  const child = fork(new URL('run-benchmark.js', folder), [name], {
    execArgv: ['--import', 'reflect-metadata'],
    serialization: 'advanced',
    env: { ...process.env, TMPDIR: SCRATCH },
    timeout: TIMEOUT_MS,
  });
  const lines: Line[] = [];
  child.on('message', (sent) => lines.push(...(sent as Line[])));
  const [code] = await once(child, 'exit');
  if (code === 0) return lines;
  process.exitCode = 1;
  return [{ work: name, ours: 'failed', beside: '' }];
}

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown !== undefined) {
  console.error(`There is no benchmark ${unknown}; there are ${Object.keys(BENCHMARKS).join(', ')}`);
  process.exit(1);
}
const folder = transpile();
const lines: Line[] = [];
for (const name of asked.length > 0 ? asked : Object.keys(BENCHMARKS)) {
  console.error(`${name} …`);
  lines.push(...(await run(folder, name)));
}
rmSync(SCRATCH, { recursive: true, force: true });
console.log(table(lines));
