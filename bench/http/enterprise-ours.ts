import { compiled } from '../compiled.ts';
import { tellReady } from './serve.ts';

const { readSettings } = await compiled<typeof import('../../adapters/config/read-settings.ts')>(
  'adapters/config/read-settings',
);
const { start } = await compiled<typeof import('../../composition/start.ts')>('composition/start');

const [folder] = process.argv.slice(2);
const nothing = () => {};
const settings = await readSettings({ CONFIG_DIR: folder, DATA_DIR: folder, PORT: '0' });
const { port } = await start(settings, { log: { debug: nothing, info: nothing, warn: nothing, error: nothing } });
tellReady(port);
