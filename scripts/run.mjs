/** Builds, then becomes `credenza <arguments>`: one process, which signals reach. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const { status } = spawnSync('npm', ['run', 'build', '--silent'], {
  cwd: new URL('..', import.meta.url),
  stdio: ['ignore', 'inherit', 'inherit'],
  shell: process.platform === 'win32',
});
if (status !== 0) process.exit(status ?? 1);
const main = new URL('../dist/composition/main.js', import.meta.url);
process.argv[1] = fileURLToPath(main);
await import(main.href);
