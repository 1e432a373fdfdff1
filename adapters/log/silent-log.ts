import type { Log } from '../../ports/log.ts';

/** A log that discards its lines. */
export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
