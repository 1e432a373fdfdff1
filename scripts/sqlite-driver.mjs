/** Compiles the SQLite driver of Node 20 when it is needed and absent; the driver for newer versions has prebuilt binaries. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const root = new URL('..', import.meta.url);
const isBuilt = existsSync(new URL('node_modules/better-sqlite3-node20/build/Release/better_sqlite3.node', root));
if (Number.parseInt(process.versions.node, 10) < 22 && !isBuilt) {
  console.error('Building the SQLite driver for Node 20; this takes about a minute');
  const args = ['rebuild', 'better-sqlite3-node20', '--ignore-scripts=false'];
  const { status } = spawnSync('npm', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  process.exit(status ?? 1);
}
