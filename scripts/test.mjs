/**
 * Runs the checks and compiles the tests, then runs the suites, or only the suites that the arguments name. Two more suites
 * than the machine has cores run at the same time, since many tests wait.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const CHECKS = ['types:check', 'lint', 'build'];

/** Each with its mocha configuration and the store of its HTTP tests; the longest first. */
const SUITES = [
  ['Stores and keys', 'contract', 'sqlite'],
  ['Processes, key management services and other adapters', 'processes', 'sqlite'],
  ['The requests, on SQLite', 'requests', 'sqlite'],
  ['The domain, abuse and interoperation, on SQLite', 'domain', 'sqlite'],
  ['The requests, on Redis', 'http', 'redis'],
  ['The requests, on a Redis Cluster', 'http', 'redis-cluster'],
];

/** Runs a command and prints its output when it ends, so that the outputs of two do not mix. */
function run(title, command, args, variables = {}) {
  return new Promise((resolve) => {
    const started = performance.now();
    const env = { ...process.env, ...variables };
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
    child.on('close', (code) => {
      const seconds = Math.round((performance.now() - started) / 1000);
      process.stdout.write(`\n${title} (${seconds} s)\n${Buffer.concat(chunks)}`);
      resolve(code === 0);
    });
  });
}

const check = (name) => run(name, 'npm', ['run', '--silent', name]);

/**
 * Writes the tests as JavaScript to dist-test/, with the scripts beside them: processes start faster from it than through
 * a loader.
 */
function compileTests(...options) {
  rmSync('dist-test', { recursive: true, force: true });
  mkdirSync('dist-test');
  symlinkSync('../scripts', 'dist-test/scripts');
  return run('types of sources and tests', 'node_modules/.bin/tsc', ['-p', 'tsconfig.test.json', ...options]);
}

/** Each test server leaves much behind: fewer, larger collections of garbage cost less. */
const NODE_FLAGS = ['--max-semi-space-size=64'];

function test([title, config, store]) {
  const args = [...NODE_FLAGS, 'node_modules/mocha/bin/mocha.js', '--config', `.mocharc.${config}.json`];
  return run(title, process.execPath, args, { TEST_STORE: store });
}

/** Works off the queue until it is empty. */
async function workOff(queue) {
  let passed = true;
  for (let suite = queue.shift(); suite; suite = queue.shift()) passed = (await test(suite)) && passed;
  return passed;
}

const named = process.argv.slice(2);
const unknown = named.filter((name) => !SUITES.some(([, config]) => config === name));
if (unknown.length > 0) throw new Error(`There is no suite ${unknown.join(', ')}`);
const checks = named.length > 0 ? [compileTests('--noCheck')] : [compileTests(), ...CHECKS.map(check)];
const checked = (await Promise.all(checks)).every(Boolean);
const queue = SUITES.filter(([, config]) => named.length === 0 || named.includes(config));
const workers = Array.from({ length: availableParallelism() + 2 }, () => workOff(queue));
const passed = checked && (await Promise.all(workers)).every(Boolean);
process.exitCode = passed ? 0 : 1;
