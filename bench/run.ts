import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Line, table } from './harness.ts';
import { ROWS } from './rows.ts';
import { transpile } from './transpile.ts';

const TIMEOUT_MS = 40_000;
/** Everything the rows write; gone when they are done. */
const SCRATCH = mkdtempSync(join(tmpdir(), 'bench-'));

/** Runs one row in a process of its own, so that none finds the compiler or the heap as another left it. */
async function runRow(folder: URL, name: string): Promise<Line[]> {
  const child = fork(new URL('row.js', folder), [name], {
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
const unknown = asked.find((name) => !Object.hasOwn(ROWS, name));
if (unknown !== undefined) {
  console.error(`There is no benchmark ${unknown}; there are ${Object.keys(ROWS).join(', ')}`);
  process.exit(1);
}
const folder = transpile();
const lines: Line[] = [];
for (const name of asked.length > 0 ? asked : Object.keys(ROWS)) {
  console.error(`${name} …`);
  lines.push(...(await runRow(folder, name)));
}
rmSync(SCRATCH, { recursive: true, force: true });
console.log(table(lines));
