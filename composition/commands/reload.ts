import { ConfigurationError } from '../../adapters/config/errors.ts';
import type { Settings } from '../../adapters/config/settings.ts';
import { explain } from '../../domain/foundation/errors.ts';
import type { Log } from '../../ports/log.ts';
import { readAgain } from '../platform/followed-settings.ts';
import { loadSettings } from '../platform/settings.ts';

/** Asks a server to read its configuration again. No other signal is free: SIGHUP stops it, and Node has SIGUSR1. */
export const RELOAD = 'SIGUSR2';

/** Calls back at each signal to reload, one after another, so that the last one reads what counts; Windows has no such signal. */
export function onReload(reload: () => void | Promise<void>): void {
  let last = Promise.resolve();
  const next = (): void => {
    last = last.then(reload);
  };
  if (process.platform !== 'win32') process.on(RELOAD, next);
}

/** A server that follows its configuration. */
interface Following {
  log: Log;
  settings: Settings;
  follow(next: Settings): void;
}

/**
 * Returns what reads the configuration again, which was `configured` at the start, and lets the server take over what it
 * follows of it. When anything in it is wrong, nothing changes.
 */
export function reloading({ log, settings, follow }: Following, configured: Settings): () => Promise<void> {
  let known = configured;
  return async () => {
    try {
      const { followed, changed, waiting } = readAgain(known, await loadSettings(process.env));
      follow({ ...settings, ...followed });
      known = { ...known, ...followed };
      log.info('the configuration was read again', { changed, ...(waiting.length > 0 && { waiting }) });
    } catch (error) {
      const problems = error instanceof ConfigurationError ? error.problems : explain(error);
      log.error('the configuration was not read again, since it is wrong; nothing changes', { problems });
    }
  };
}

/** Asks the server with this process id; undefined when it could be asked, else why not. */
export function askToReload(pid: number): string | undefined {
  try {
    process.kill(pid, RELOAD);
    return undefined;
  } catch (error) {
    return explain(error);
  }
}
