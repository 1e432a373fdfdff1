import { ConfigurationError } from '../../adapters/config/errors.ts';
import type { TrustedIssuerSettings } from '../../adapters/config/settings.ts';
import { explain } from '../../domain/foundation/errors.ts';
import type { Log } from '../../ports/log.ts';
import { loadSettings } from '../platform/settings.ts';

/** Asks a server to read trusted-issuers.conf again. No other signal is free: SIGHUP stops it, and Node has SIGUSR1. */
export const RELOAD = 'SIGUSR2';

/** Calls back at each signal to reload, one after another, so that the last one reads what counts; Windows has no such signal. */
export function onReload(reload: () => void | Promise<void>): void {
  let last = Promise.resolve();
  const next = (): void => {
    last = last.then(reload);
  };
  if (process.platform !== 'win32') process.on(RELOAD, next);
}

/** What believes the issuers of the file. */
interface Believing {
  log: Log;
  followTrustedIssuers(next: TrustedIssuerSettings): void;
}

/** Reads trusted-issuers.conf again. When anything in the configuration is wrong, what was believed before stays. */
export async function reloadTrustedIssuers({ log, followTrustedIssuers }: Believing): Promise<void> {
  try {
    const { trustedIssuers } = await loadSettings(process.env);
    followTrustedIssuers(trustedIssuers);
    const counts = Object.entries(trustedIssuers).flatMap(([name, list]) =>
      Array.isArray(list) ? [[name, list.length] as const] : [],
    );
    log.info('trusted-issuers.conf was read again', Object.fromEntries(counts));
  } catch (error) {
    const problems = error instanceof ConfigurationError ? error.problems : explain(error);
    log.error('trusted-issuers.conf was not read again, since the configuration is wrong; the issuers stay the same', {
      problems,
    });
  }
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
