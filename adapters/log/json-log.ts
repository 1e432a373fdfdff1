import { pino } from 'pino';
import type { Log } from '../../ports/log.ts';

/** Writes JSON lines of `level` and above to standard error; standard output is for commands. */
export function jsonLog(level: string): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const logger = pino(options, pino.destination({ dest: 2, sync: true }));
  return {
    debug: (message, fields = {}) => logger.debug(fields, message),
    info: (message, fields = {}) => logger.info(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
    error: (message, fields = {}) => logger.error(fields, message),
  };
}
