import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type Line, table } from './harness.ts';
import { ROWS } from './rows.ts';

const TIMEOUT_MS = 40_000;

/** Runs one row in a process of its own, so that none finds the compiler or the heap as another left it. */
async function runRow(name: string): Promise<Line[]> {
  const child = fork(new URL('row.ts', import.meta.url), [name], {
    execArgv: ['--import', 'tsx', '--import', 'reflect-metadata'],
    serialization: 'advanced',
    timeout: TIMEOUT_MS,
  });
  const lines: Line[] = [];
  child.on('message', (sent) => lines.push(...(sent as Line[])));
  const [code] = await once(child, 'exit');
  return code === 0 ? lines : [{ work: name, ours: 'failed', beside: '' }];
}

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !Object.hasOwn(ROWS, name));
if (unknown !== undefined) {
  console.error(`There is no benchmark ${unknown}; there are ${Object.keys(ROWS).join(', ')}`);
  process.exit(1);
}
const lines: Line[] = [];
for (const name of asked.length > 0 ? asked : Object.keys(ROWS)) {
  console.error(`${name} …`);
  lines.push(...(await runRow(name)));
}
console.log(table(lines));
