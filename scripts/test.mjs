/**
 * Installs the programs that the tests need, runs the checks and compiles the tests, then runs the suites, or only those
 * that the arguments name, and prints the slowest tests and files; with `--weigh` it also writes how much processor time
 * the files took, by which they are put together to processes (`suites.mjs`), and with `--hard` it tries whole products
 * and long floods (`test/support/runs/tier.ts`). Two more processes than the machine has cores run at the same
 * time, since many tests wait.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { buildUnlessFresh } from './fresh-build.mjs';
import { joinDocuments, readDocuments, withResolved } from './join-documents.mjs';
import { LEAST_WEIGHT, partsOf, SUITES, WEIGHTS_FILE } from './suites.mjs';
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

/** What the compiled tests are made of. */
const SOURCES = ['ports', 'domain', 'adapters', 'composition', 'demo', 'openapi', 'client', 'test', 'bench', 'scripts'];

/**
 * Writes the tests as JavaScript to dist-test/, with the scripts and the joined documents beside them: processes start
 * faster from it than through a loader.
 */
async function writeTests() {
  symlinkSync('../scripts', 'dist-test/scripts');
  writeFileSync(JOINED_DOCUMENT, JSON.stringify(await withResolved(joinDocuments(readDocuments()))));
  // Several checkers each read the types of all packages; with the garbage of one left, it takes half the processor time.
  const args = [TYPESCRIPT, '-p', 'tsconfig.test.json', '--checkers', '1'];
  if (!(await run('types of sources and tests', process.execPath, args, { GOGC: '400' })))
    throw new Error('There are wrong types');
}

const compileTests = () =>
  buildUnlessFresh({
    folder: 'dist-test',
    inputs: [...SOURCES, 'tsconfig.json', 'tsconfig.test.json'],
    build: writeTests,
  }).then(
    () => true,
    ({ message }) => console.error(message),
  );

/** Each test server leaves much behind: fewer, larger collections of garbage cost less. */
const NODE_FLAGS = ['--max-semi-space-size=64'];

/** A test that waits for what never happens ends after this; a slow machine needs a part of it, and a flood all of it. */
const TIMEOUT_MS = process.argv.includes('--hard') ? 4 * 3_600_000 : 240_000;

const compiled = (glob) => `dist-test/test/${glob.replace(/\.ts$/, '.js')}`;

/** What the processes of a suite leave behind for those that look at all of them, a JSON file each. */
const folderOf = (kind, suite) => `dist-test/${kind}/${suite}`;
const KINDS = ['notes', 'durations'];
const filesOf = (kind, suite) =>
  readdirSync(folderOf(kind, suite)).map((name) =>
    JSON.parse(readFileSync(`${folderOf(kind, suite)}/${name}`, 'utf8')),
  );

/** Runs some files of a suite in a process of their own. */
function test({ name, title, store }, { files: specs, of }, at) {
  const options = {
    require: ['reflect-metadata', compiled('./support/runs/property-seed.ts')],
    reporter: ['./scripts/test-reporter.cjs'],
    timeout: [TIMEOUT_MS],
  };
  const flags = Object.entries(options).flatMap(([option, values]) =>
    values.flatMap((value) => [`--${option}`, value]),
  );
  const args = [...NODE_FLAGS, 'node_modules/mocha/bin/mocha.js', '--exit', ...flags, ...specs.map(compiled)];
  const [notes, durations] = KINDS.map((kind) => `${folderOf(kind, name)}/${at}.json`);
  const written = { JOINED_DOCUMENT, SUITE_NOTES: notes, TEST_DURATIONS: durations };
  return run(`${title}${of}`, process.execPath, args, { TEST_STORE: store, ...written });
}

const SHOWN = 20;
const secondsOf = (ms) => `${(ms / 1000).toFixed(1)} s`.padStart(8);

/** Which tests and hooks of all suites took longest; the processor time is that of their process. */
function printSlowest(suites) {
  const measured = suites.flatMap(({ name }) =>
    filesOf('durations', name).flatMap(({ tests }) => tests.map((one) => ({ ...one, name }))),
  );
  const slowest = measured.toSorted((a, b) => b.ms - a.ms).slice(0, SHOWN);
  console.log('\nThe slowest tests and hooks (time, of it processor time, suite)');
  for (const { ms, cpuMs, name, title } of slowest)
    console.log(`${secondsOf(ms)}${secondsOf(cpuMs)}  ${name}: ${title}`);
}

/** The processor time that files took, with that of the processes that they started, by suite; the dearest first. */
const weighed = (suites) =>
  suites
    .flatMap(({ name }) =>
      filesOf('durations', name).flatMap(({ files }) =>
        Object.entries(files).map(([file, ms]) => ({
          name,
          ms,
          file: relative('dist-test/test', file).replace(/js$/, 'ts'),
        })),
      ),
    )
    .toSorted((a, b) => b.ms - a.ms);

function printDearest(suites) {
  const files = weighed(suites);
  const total = files.reduce((sum, { ms }) => sum + ms, 0);
  console.log(`\nThe files that took most processor time, of ${secondsOf(total).trim()} in all`);
  for (const { ms, name, file } of files.slice(0, SHOWN)) console.log(`${secondsOf(ms)}  ${name}: ${file}`);
}

/** Writes what the files took where it is most: those for all stores run twice. */
function writeWeights(suites) {
  const most = {};
  for (const { ms, file } of weighed(suites)) most[file] = Math.max(most[file] ?? 0, Math.round(ms / 1000));
  const heavy = Object.entries(most).filter(([, seconds]) => seconds >= LEAST_WEIGHT);
  writeFileSync(WEIGHTS_FILE, `${JSON.stringify(Object.fromEntries(heavy.toSorted()), undefined, 2)}\n`);
}

/**
 * Whether what the requests did on SQLite was done on Redis too: every operation on every collection on a single node or
 * on a cluster, and on listed and on other collections, whose scripts differ, on both.
 */
function everyStoreSawAll() {
  const seenBy = (names, kind) =>
    new Set(names.flatMap((name) => filesOf('notes', name).flatMap((one) => one[kind] ?? [])));
  const missing = [
    { names: ['redis', 'cluster'], kind: 'operations' },
    { names: ['redis'], kind: 'scripts' },
    { names: ['cluster'], kind: 'scripts' },
  ].flatMap(({ names, kind }) => {
    const seen = seenBy(names, kind);
    const all = [...seenBy(['requests'], kind)].toSorted();
    return all.filter((one) => !seen.has(one)).map((one) => `${names.join(' or ')}: ${one}`);
  });
  if (missing.length > 0)
    console.log(`\nOnly on SQLite; name tests that do it *.stores.test.ts:\n${missing.join('\n')}`);
  return missing.length === 0;
}

/** Works off the queue until it is empty. */
async function workOff(queue) {
  let passed = true;
  for (let next = queue.shift(); next; next = queue.shift()) passed = (await next()) && passed;
  return passed;
}

/** The processes of a suite, each with a function that runs it; the process that ends last is followed by that of `last`. */
function processesOf(suite) {
  const parts = partsOf(suite);
  let running = parts.length;
  const start = async (files, at) => {
    const passed = await test(suite, { files, of: ` (${at + 1} of ${parts.length})` }, at);
    running -= 1;
    if (running > 0 || suite.last === undefined) return passed;
    return (await test(suite, { files: suite.last, of: ', at last' }, parts.length)) && passed;
  };
  return parts.map(({ files, seconds }, at) => ({ seconds, start: () => start(files, at) }));
}

/** Runs the suites, as many processes at a time as pays. */
async function testAll(suites) {
  for (const kind of KINDS) rmSync(`dist-test/${kind}`, { recursive: true, force: true });
  for (const { name } of suites) for (const kind of KINDS) mkdirSync(folderOf(kind, name), { recursive: true });
  const processes = suites.flatMap(processesOf).toSorted((a, b) => b.seconds - a.seconds);
  const queue = processes.map(({ start }) => start);
  const workers = Array.from({ length: availableParallelism() + 2 }, () => workOff(queue));
  return (await Promise.all(workers)).every(Boolean);
}

const WEIGH = '--weigh';
const HARD = '--hard';
const named = process.argv.slice(2).filter((name) => ![WEIGH, HARD].includes(name));
const unknown = named.filter((name) => !SUITES.some((suite) => suite.name === name));
if (unknown.length > 0) throw new Error(`There is no suite ${unknown.join(', ')}`);
/** What ends before all suites have ended has not passed. */
let hasEnded = false;
process.once('exit', (code) => {
  if (!hasEnded) process.exitCode = code || 1;
});
if (!prepare()) process.exit(1);
const { status } = spawnSync(process.execPath, ['scripts/pkcs11-module.mjs'], { stdio: 'inherit' });
if (status !== 0) process.exit(1);
// What part of a product is tried, in all processes also of a run that ends on another day.
process.env.TEST_SEED ??= String(Math.floor(Date.now() / 86_400_000));
if (process.argv.includes(HARD)) Object.assign(process.env, { TEST_TIER: 'hard', PROPERTY_RUNS: '10' });
else console.log(`Parts of products are chosen by TEST_SEED=${process.env.TEST_SEED}, which repeats this run`);
const isWhole = named.length === 0;
const suites = SUITES.filter(({ name }) => isWhole || named.includes(name));
const checks = isWhole ? CHECKS.map(check) : [];
const isChecked = (await Promise.all([compileTests(), ...checks])).every(Boolean);
const passed = isChecked && (await testAll(suites));
if (isChecked) {
  printSlowest(suites);
  printDearest(suites);
  if (isWhole && process.argv.includes(WEIGH)) writeWeights(suites);
}
const isComplete = !passed || !isWhole || everyStoreSawAll();
process.exitCode = passed && isComplete ? 0 : 1;
hasEnded = true;
