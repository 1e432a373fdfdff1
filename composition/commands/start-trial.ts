import { tmpdir } from 'node:os';
import type { ConfigurationProblem } from '../../adapters/config/errors.ts';
import type { ServiceName, Settings } from '../../adapters/config/settings.ts';
import { silentLog } from '../../adapters/log/silent-log.ts';
import type { Store } from '../../ports/store.ts';
import { SERVICES } from '../services/services.ts';
import { closeAll, wire } from './application.ts';

/** What no start without data needs. */
const ANY_KEY = '00'.repeat(32);

const noTimers = { every: () => () => {} };

/** Makes everything that these services consist of, and serves nothing; `wrapStore` sees the collections that they open. */
export async function makeServices(
  settings: Settings,
  names: readonly ServiceName[],
  wrapStore?: (store: Store) => Store,
): Promise<void> {
  const resolve = await wire({ settings, overrides: { wrapStore, timers: noTimers, log: silentLog } });
  try {
    for (const name of names) SERVICES[name].handlers(resolve);
  } finally {
    await closeAll(resolve);
  }
}

/** What a start would refuse although each file is right: such as a profile of a credential that is not configured. */
export async function startProblems(settings: Settings): Promise<ConfigurationProblem[]> {
  const { store, rateLimit } = settings;
  const persistence = { ...rateLimit.persistence, type: 'memory' as const };
  const apart: Settings = {
    ...settings,
    dataDir: tmpdir(),
    masterKeys: [ANY_KEY],
    store: { ...store, type: 'memory' },
    rateLimit: { ...rateLimit, persistence },
  };
  return makeServices(apart, settings.services.services).then(
    () => [],
    (error: Error) => [problemOf(error)],
  );
}

/** Errors of the wiring begin with the file. */
function problemOf({ message }: Error): ConfigurationProblem {
  const [, file = 'configuration', rest = message] = /^(\S+\.conf): (.*)$/s.exec(message) ?? [];
  return { file, field: '', message: rest };
}
