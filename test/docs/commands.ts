import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { blocksOf } from './tables.ts';

const run = promisify(execFile);

/** Runs the commands (`sh`) of a documentation against a server; they print its outputs (`text`), in which … is anything. */
export async function expectDocumented(documentation: string, { url }: { url: string }, folder = '.'): Promise<void> {
  const script = blocksOf(documentation, 'sh').join('\n').replaceAll('http://127.0.0.1:7001', url);
  const { stdout } = await run('bash', ['-euc', script], { cwd: folder });
  const expected = blocksOf(documentation, 'text').join('').replaceAll('7001', new URL(url).port);
  const pattern = expected
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  expect(stdout).to.match(new RegExp(`^${pattern}$`));
}
