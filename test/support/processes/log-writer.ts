import { writeSync } from 'node:fs';
import { JsonLog } from '../../../adapters/log/json-log.ts';

/** Writes a log to standard error in the way of its first argument, and to standard output what the test has to know. */
const log = new JsonLog('info');
const say = (text: string): void => void writeSync(1, `${text}\n`);

const WAYS: Record<string, (number: number) => void> = {
  /** One line in a turn of the event loop, which is said when that turn is over, each time that the input says something. */
  turns: () => {
    let number = 0;
    process.stdin.on('data', () => {
      log.info('line', { number });
      setImmediate(() => say(String(number++)));
    });
  },
  /** As many lines as asked for, in turns of 100; then one more each time that the input says something. */
  many: (count) => {
    const write = (from: number): void => {
      for (let number = from; number < from + 100; number += 1) log.info('line', { number, filler: 'x'.repeat(400) });
      if (from + 100 < count) setImmediate(write, from + 100);
      else say('written');
    };
    write(0);
    process.stdin.on('data', () => {
      log.info('line', { number: count });
      say('written');
    });
  },
  exit: () => {
    log.info('line', { number: 1 });
    process.exit(3);
  },
  exception: () => {
    log.info('line', { number: 1 });
    throw new Error('thrown for a test');
  },
};

const [way = '', number] = process.argv.slice(2);
WAYS[way]?.(Number(number));
