/**
 * Runs the whole suite on SQLite, and beside it the HTTP suite once more on Redis and on a Redis Cluster. Two lanes, for
 * two cores; what a lane printed is shown when it is done. On Redis a command that is not answered in 0.8 s is a 503, which a
 * machine that is busy with both lanes can bring about: such a suite is run once more, and says so.
 */
import { spawn } from 'node:child_process';

const lanes = [
  [['the whole suite', '.mocharc.json', 'sqlite']],
  [
    ['the HTTP suite on Redis', '.mocharc.http.json', 'redis'],
    ['the HTTP suite on Redis Cluster', '.mocharc.http.json', 'redis-cluster'],
  ],
];

function run([title, config, store]) {
  return new Promise((resolve) => {
    const started = Date.now();
    const args = ['node_modules/mocha/bin/mocha.js', '--config', config];
    const child = spawn(process.execPath, args, { env: { ...process.env, TEST_STORE: store } });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    child.on('close', (code) => {
      console.log(
        `\n${title}: ${code === 0 ? 'passed' : 'FAILED'} in ${Math.round((Date.now() - started) / 1000)} s\n${output}`,
      );
      resolve(code === 0);
    });
  });
}

const again = ([title, config, store]) => store.startsWith('redis') && run([`${title}, once more`, config, store]);

async function runLane(suites) {
  let passed = true;
  for (const suite of suites) passed = ((await run(suite)) || (await again(suite))) && passed;
  return passed;
}

const results = await Promise.all(lanes.map(runLane));
process.exit(results.every(Boolean) ? 0 : 1);
