import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compiled } from '../compiled.ts';
import { tellReady } from './serve.ts';

const { readSettings } = await compiled<typeof import('../../adapters/config/read-settings.ts')>(
  'adapters/config/read-settings',
);
const { start } = await compiled<typeof import('../../composition/start.ts')>('composition/start');

const folder = mkdtempSync(join(tmpdir(), 'bench-'));
const defaults = await readSettings({ CONFIG_DIR: join(folder, 'config'), DATA_DIR: folder, PORT: '0' });
const nothing = () => {};
const running = await start(
  {
    ...defaults,
    features: { ...defaults.features, enabled: [...defaults.features.enabled, 'trusted-ca'], trustedCa: true },
    trustedCa: { certificates: [process.argv[2] ?? ''] },
    // One address logs in far more often than the default allows; the limiter still decides on every request.
    rateLimit: {
      ...defaults.rateLimit,
      wallet_auth_endpoint: { ...defaults.rateLimit.wallet_auth_endpoint, requestsPerMinute: 1_000_000 },
    },
  },
  { log: { debug: nothing, info: nothing, warn: nothing, error: nothing } },
);
tellReady(Number(new URL(running.url).port));
