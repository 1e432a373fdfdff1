import { pino } from 'pino';
import type { Log } from '../../ports/log.ts';

/** JSON lines on standard error, at `level` and above; standard output stays for people. */
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
