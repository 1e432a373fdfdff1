import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../adapters/config/read-settings.ts';
import { start } from '../../composition/commands/start.ts';
import { SILENT } from './platform.ts';

/** Starts the product in an empty folder and reports how long that took; writes its document to the path it is given. */
const [document] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'bench-'));
const started = performance.now();
const settings = await readSettings({ CONFIG_DIR: join(folder, 'config'), DATA_DIR: folder, PORT: '0' });
const running = await start(settings, { log: SILENT });
const milliseconds = performance.now() - started;
if (document) writeFileSync(document, await (await fetch(`${running.url}/api.json`)).text());
process.send?.({ milliseconds, port: running.port });
process.on('disconnect', () => process.exit(0));
