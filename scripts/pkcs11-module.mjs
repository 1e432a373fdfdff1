/** Compiles pkcs11js for the tests when it is absent: the package has no prebuilt binaries. Its interface to Node is the same in all versions. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const root = new URL('..', import.meta.url);
if (!existsSync(new URL('node_modules/pkcs11js/build/Release/pkcs11.node', root))) {
  console.error('Building pkcs11js for the tests; this takes some five seconds');
  const args = ['rebuild', 'pkcs11js', '--ignore-scripts=false'];
  const env = { ...process.env, CXXFLAGS: '-O1 -w' };
  const { status } = spawnSync('npm', args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
  process.exit(status ?? 1);
}
