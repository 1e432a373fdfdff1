/**
 * Mocha's dots, and at the end how long each test and each hook took, with the processor time of the process: a busy machine
 * stretches the first figure and hardly the second. For each file the processor time counts all processes that it started.
 * Both stand as JSON in the file that TEST_DURATIONS names.
 */
const { existsSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

const { EVENT_HOOK_BEGIN, EVENT_HOOK_END, EVENT_RUN_END, EVENT_TEST_BEGIN, EVENT_TEST_END } = Runner.constants;

const MS_PER_TICK = 10;

/** Processor time of a process and of those below it, also of those that ended; 0 for one that just ended. */
function treeMs(pid) {
  try {
    // Behind the name of the program: its state, eight numbers for others, and its times with those of ended children.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1).split(' ');
    const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * MS_PER_TICK, 0);
    const below = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').split(' ').filter(Boolean),
    );
    return below.reduce((sum, child) => sum + treeMs(child), own);
  } catch {
    return 0;
  }
}

function ownMs(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const allMs = () => (existsSync('/proc/self/stat') ? treeMs(process.pid) : ownMs());

module.exports = class TimedDots extends reporters.Dot {
  constructor(runner, options) {
    super(runner, options);
    const file = process.env.TEST_DURATIONS;
    if (file === undefined) return;
    const tests = [];
    const files = {};
    const begun = new Map();
    let current = { file: '', ms: allMs() };
    const goOnWith = (next) => {
      if (next === current.file) return;
      const ms = allMs();
      // The start of the process is no file's.
      if (current.file !== '') files[current.file] = (files[current.file] ?? 0) + Math.max(0, ms - current.ms);
      current = { file: next, ms };
    };
    const begins = (one) => {
      if (one.file) goOnWith(one.file);
      begun.set(one, { at: performance.now(), cpu: process.cpuUsage() });
    };
    const ends = (one) => {
      const { at, cpu } = begun.get(one) ?? {};
      if (at === undefined) return;
      begun.delete(one);
      tests.push({ title: one.fullTitle(), ms: performance.now() - at, cpuMs: ownMs(cpu) });
    };
    for (const event of [EVENT_TEST_BEGIN, EVENT_HOOK_BEGIN]) runner.on(event, begins);
    for (const event of [EVENT_TEST_END, EVENT_HOOK_END]) runner.on(event, ends);
    runner.once(EVENT_RUN_END, () => {
      goOnWith('');
      writeFileSync(file, JSON.stringify({ tests, files }));
    });
  }
};
