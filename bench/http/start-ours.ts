import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compiled } from '../compiled.ts';

const { readSettings } = await compiled<typeof import('../../adapters/config/read-settings.ts')>(
  'adapters/config/read-settings',
);
const { start } = await compiled<typeof import('../../composition/start.ts')>('composition/start');

const [document] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'bench-'));
const nothing = () => {};
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
const started = performance.now();
const settings = await readSettings({ CONFIG_DIR: join(folder, 'config'), DATA_DIR: folder, PORT: '0' });
const running = await start(settings, { log });
const milliseconds = performance.now() - started;
if (document) writeFileSync(document, await (await fetch(`${running.url}/api.json`)).text());
process.send?.({ milliseconds, port: Number(new URL(running.url).port) });
process.on('disconnect', () => process.exit(0));
