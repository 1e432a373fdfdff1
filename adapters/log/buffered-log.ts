import type { Log } from '../../ports/log.ts';

/** Maximum of buffered lines; the oldest are kept, since they name the cause. */
const MAX_LINES = 1000;

/** A log that buffers its lines until they are released; later lines are written at once. */
interface BufferedLog {
  log: Log;
  release(): void;
}

/** Buffers the lines of a log for a command whose output must stay together. */
export function bufferLog(log: Log): BufferedLog {
  const lines: (() => void)[] = [];
  let isReleased = false;
  const write =
    (level: keyof Log) =>
    (message: string, fields?: Record<string, unknown>): void => {
      const line = (): void => log[level](message, fields);
      if (isReleased) line();
      else if (lines.length < MAX_LINES) lines.push(line);
    };
  return {
    log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    release: () => {
      isReleased = true;
      for (const line of lines.splice(0)) line();
    },
  };
}
