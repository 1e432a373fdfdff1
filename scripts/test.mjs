/**
 * Runs the whole suite in two concurrent lanes, for a machine with two cores: in the first, databases and processes,
 * which mostly wait; in the second, everything else on SQLite, then the HTTP tests on Redis and on a Redis Cluster.
 */
import { spawn } from 'node:child_process';

const LANES = [
  [['Databases, processes and other adapters', '.mocharc.processes.json', 'sqlite']],
  [
    ['The domain and the requests, on SQLite', '.mocharc.requests.json', 'sqlite'],
    ['The HTTP tests on Redis', '.mocharc.http.json', 'redis'],
    ['The HTTP tests on a Redis Cluster', '.mocharc.http.json', 'redis-cluster'],
  ],
];

/** Runs one suite and prints its output when it ends, so that the outputs of two do not mix. */
function run([title, config, store]) {
  return new Promise((resolve) => {
    const args = ['node_modules/mocha/bin/mocha.js', '--config', config];
    const env = { ...process.env, TEST_STORE: store };
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
    child.on('close', (code) => {
      process.stdout.write(`\n${title}\n${Buffer.concat(chunks)}`);
      resolve(code === 0);
    });
  });
}

async function runLane(suites) {
  let passed = true;
  for (const suite of suites) passed = (await run(suite)) && passed;
  return passed;
}

const outcomes = await Promise.all(LANES.map(runLane));
process.exitCode = outcomes.every(Boolean) ? 0 : 1;
