/**
 * Installs the programs that the tests need, runs the checks and compiles the tests, then runs the suites, or only the
 * suites that the arguments name. Two more suites than the machine has cores run at the same time, since many tests wait.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { joinDocuments, readDocuments } from './join-documents.mjs';
import { prepare } from './test-programs.mjs';

const CHECKS = ['types:check', 'lint', 'build'];

/**
 * Each with its mocha configuration and the store of its HTTP tests; the longest first. `http` has those of the requests
 * whose outcome depends on the store: concurrent callers, pages, failing stores, and all others that are needed so that
 * every operation on every collection is done on every store.
 */
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

/** Read by all processes of the suites. */
const JOINED_DOCUMENT = 'dist-test/joined.json';

/** The native compiler, of version 7; the scripts that read syntax trees import version 6. */
const TYPESCRIPT = 'node_modules/typescript-native/bin/tsc';

const check = (name) => run(name, 'npm', ['run', '--silent', name]);

/**
 * Writes the tests as JavaScript to dist-test/, with the scripts and the joined documents beside them: processes start
 * faster from it than through a loader.
 */
function compileTests() {
  rmSync('dist-test', { recursive: true, force: true });
  mkdirSync('dist-test');
  symlinkSync('../scripts', 'dist-test/scripts');
  writeFileSync(JOINED_DOCUMENT, JSON.stringify(joinDocuments(readDocuments())));
  return run('types of sources and tests', process.execPath, [TYPESCRIPT, '-p', 'tsconfig.test.json']);
}

/** Each test server leaves much behind: fewer, larger collections of garbage cost less. */
const NODE_FLAGS = ['--max-semi-space-size=64'];

function test([title, config, store]) {
  const args = [...NODE_FLAGS, 'node_modules/mocha/bin/mocha.js', '--config', `.mocharc.${config}.json`];
  const STORE_OPERATIONS = operationsFile(config, store);
  return run(title, process.execPath, args, { TEST_STORE: store, STORE_OPERATIONS, JOINED_DOCUMENT });
}

const operationsFile = (config, store) => `dist-test/operations-${config}-${store}.json`;

/** Whether each of the other stores saw all operations on collections that the requests did on SQLite. */
function everyStoreSawAll() {
  const operationsOf = (config, store) => JSON.parse(readFileSync(operationsFile(config, store), 'utf8'));
  const all = operationsOf('requests', 'sqlite');
  const missing = SUITES.filter(([, config]) => config === 'http').flatMap(([, config, store]) => {
    const seen = new Set(operationsOf(config, store));
    return all.filter((one) => !seen.has(one)).map((one) => `${store}: ${one}`);
  });
  if (missing.length > 0)
    console.log(`\nOnly on SQLite; add tests that do it to .mocharc.http.json:\n${missing.join('\n')}`);
  return missing.length === 0;
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
if (!prepare()) process.exit(1);
const checks = [compileTests(), ...(named.length > 0 ? [] : CHECKS.map(check))];
const checked = (await Promise.all(checks)).every(Boolean);
const queue = SUITES.filter(([, config]) => named.length === 0 || named.includes(config));
const workers = Array.from({ length: availableParallelism() + 2 }, () => workOff(queue));
const passed = checked && (await Promise.all(workers)).every(Boolean);
const isComplete = !passed || named.length > 0 || everyStoreSawAll();
process.exitCode = passed && isComplete ? 0 : 1;
