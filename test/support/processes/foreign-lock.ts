import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { testScript } from './script.ts';

const HOLDER = testScript('test/support/processes/lock-holder.ts');

/** Another process's lock on a SQLite file: `NORMAL` keeps writers out, `EXCLUSIVE` readers too. */
export async function lockFile(
  file: string,
  mode: 'NORMAL' | 'EXCLUSIVE' = 'NORMAL',
): Promise<{ release(): Promise<void> }> {
  const child = spawn(process.execPath, [...HOLDER.execArgv, HOLDER.file, file, mode], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [said] = await Promise.race([once(child.stdout, 'data'), ended]);
  if (String(said).trim() !== 'locked') throw new Error(`The holder of the lock ended with ${said}`);
  return {
    release: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
