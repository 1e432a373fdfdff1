/** Runs the whole suite on SQLite, then the HTTP suite once more on Redis and on a Redis Cluster, one after the other. */
import { spawn } from 'node:child_process';

const suites = [
  ['the whole suite', '.mocharc.json', 'sqlite'],
  ['the HTTP suite on Redis', '.mocharc.http.json', 'redis'],
  ['the HTTP suite on Redis Cluster', '.mocharc.http.json', 'redis-cluster'],
];

function run([title, config, store]) {
  return new Promise((resolve) => {
    console.log(`\n${title}`);
    const args = ['node_modules/mocha/bin/mocha.js', '--config', config];
    const child = spawn(process.execPath, args, { env: { ...process.env, TEST_STORE: store }, stdio: 'inherit' });
    child.on('close', (code) => resolve(code === 0));
  });
}

let passed = true;
for (const suite of suites) passed = (await run(suite)) && passed;
process.exit(passed ? 0 : 1);
