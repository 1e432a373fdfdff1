/**
 * Installs the programs that the tests need, runs the checks and compiles the tests, then runs the suites, or only those
 * that the arguments name, and prints the slowest tests. Two more suites than the machine has cores run at the same time,
 * since many tests wait.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { joinDocuments, readDocuments, withResolved } from './join-documents.mjs';
import { SUITES } from './suites.mjs';
import { prepare } from './test-programs.mjs';

/** All end before the first suite begins, since a test writes files that break their rules. */
const CHECKS = ['types:check', 'lint', 'build'];

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
async function compileTests() {
  rmSync('dist-test', { recursive: true, force: true });
  mkdirSync('dist-test');
  symlinkSync('../scripts', 'dist-test/scripts');
  writeFileSync(JOINED_DOCUMENT, JSON.stringify(await withResolved(joinDocuments(readDocuments()))));
  return run('types of sources and tests', process.execPath, [TYPESCRIPT, '-p', 'tsconfig.test.json']);
}

/** Each test server leaves much behind: fewer, larger collections of garbage cost less. */
const NODE_FLAGS = ['--max-semi-space-size=64'];

/** A test that waits for what never happens ends after this; a slow machine needs a part of it. */
const TIMEOUT_MS = 240_000;

const compiled = (glob) => `dist-test/test/${glob.replace(/\.ts$/, '.js')}`;

function test({ name, title, store, specs }) {
  const options = {
    require: ['reflect-metadata', compiled('./support/runs/property-seed.ts')],
    reporter: ['./scripts/test-reporter.cjs'],
    timeout: [TIMEOUT_MS],
  };
  const flags = Object.entries(options).flatMap(([option, values]) =>
    values.flatMap((value) => [`--${option}`, value]),
  );
  const args = [...NODE_FLAGS, 'node_modules/mocha/bin/mocha.js', '--exit', ...flags, ...specs.map(compiled)];
  const files = { STORE_OPERATIONS: operationsFile(name), TEST_DURATIONS: durationsFile(name), JOINED_DOCUMENT };
  return run(title, process.execPath, args, { TEST_STORE: store, ...files });
}

const operationsFile = (name) => `dist-test/operations-${name}.json`;
const durationsFile = (name) => `dist-test/durations-${name}.json`;

const SHOWN_TESTS = 20;

/** Which tests and hooks of all suites took longest; the processor time is that of their process. */
function printSlowest(suites) {
  const measured = suites
    .filter(({ name }) => existsSync(durationsFile(name)))
    .flatMap(({ name }) => JSON.parse(readFileSync(durationsFile(name), 'utf8')).map((one) => ({ ...one, name })));
  const slowest = measured.toSorted((a, b) => b.ms - a.ms).slice(0, SHOWN_TESTS);
  const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`.padStart(8);
  console.log('\nThe slowest tests and hooks (time, of it processor time, suite)');
  for (const { ms, cpuMs, name, title } of slowest) console.log(`${seconds(ms)}${seconds(cpuMs)}  ${name}: ${title}`);
}

/** Whether each of the other stores saw all operations on collections that the requests did on SQLite. */
function everyStoreSawAll() {
  const operationsOf = (name) => JSON.parse(readFileSync(operationsFile(name), 'utf8'));
  const all = operationsOf('requests');
  const missing = ['redis', 'cluster'].flatMap((name) => {
    const seen = new Set(operationsOf(name));
    return all.filter((one) => !seen.has(one)).map((one) => `${name}: ${one}`);
  });
  if (missing.length > 0)
    console.log(`\nOnly on SQLite; name tests that do it *.stores.test.ts:\n${missing.join('\n')}`);
  return missing.length === 0;
}

/** Works off the queue until it is empty. */
async function workOff(queue) {
  let passed = true;
  for (let suite = queue.shift(); suite; suite = queue.shift()) passed = (await test(suite)) && passed;
  return passed;
}

/** Runs the suites, as many at a time as pays. */
async function testAll(suites) {
  const queue = [...suites];
  const workers = Array.from({ length: availableParallelism() + 2 }, () => workOff(queue));
  return (await Promise.all(workers)).every(Boolean);
}

const named = process.argv.slice(2);
const unknown = named.filter((name) => !SUITES.some((suite) => suite.name === name));
if (unknown.length > 0) throw new Error(`There is no suite ${unknown.join(', ')}`);
if (!prepare()) process.exit(1);
const isWhole = named.length === 0;
const suites = SUITES.filter(({ name }) => isWhole || named.includes(name));
const checks = isWhole ? CHECKS.map(check) : [];
const isChecked = (await Promise.all([compileTests(), ...checks])).every(Boolean);
const passed = isChecked && (await testAll(suites));
if (isChecked) printSlowest(suites);
const isComplete = !passed || !isWhole || everyStoreSawAll();
process.exitCode = passed && isComplete ? 0 : 1;
