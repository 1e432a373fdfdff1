/**
 * Mocha's dots, and at the end how long each test and each hook took, with the processor time of the process, as a JSON
 * list in the file that TEST_DURATIONS names: a busy machine stretches the first figure and hardly the second.
 */
const { writeFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

const { EVENT_HOOK_BEGIN, EVENT_HOOK_END, EVENT_RUN_END, EVENT_TEST_BEGIN, EVENT_TEST_END } = Runner.constants;

module.exports = class TimedDots extends reporters.Dot {
  constructor(runner, options) {
    super(runner, options);
    const file = process.env.TEST_DURATIONS;
    if (file === undefined) return;
    const measured = [];
    const begun = new Map();
    const begins = (one) => begun.set(one, { at: performance.now(), cpu: process.cpuUsage() });
    const ends = (one) => {
      const { at, cpu } = begun.get(one) ?? {};
      if (at === undefined) return;
      begun.delete(one);
      const { user, system } = process.cpuUsage(cpu);
      measured.push({
        title: one.fullTitle(),
        ms: performance.now() - at,
        cpuMs: (user + system) / 1000,
        file: one.file,
      });
    };
    for (const event of [EVENT_TEST_BEGIN, EVENT_HOOK_BEGIN]) runner.on(event, begins);
    for (const event of [EVENT_TEST_END, EVENT_HOOK_END]) runner.on(event, ends);
    runner.once(EVENT_RUN_END, () => writeFileSync(file, JSON.stringify(measured)));
  }
};
