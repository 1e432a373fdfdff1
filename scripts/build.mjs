/** Builds the project in a process of its own and ends this one when that fails. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

if (!existsSync(new URL('../dist/main.js', import.meta.url)))
  console.error('The first start builds the server, which takes some seconds');

const { status } = spawnSync('npm', ['run', 'build', '--silent'], {
  cwd: new URL('..', import.meta.url),
  stdio: ['ignore', 'inherit', 'inherit'],
  shell: process.platform === 'win32',
});
if (status !== 0) process.exit(status ?? 1);
