import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { startPlatform } from '../servers/platform.ts';
import { ociBackends } from './oci.ts';

/** What the process did with a key of Oracle OCI Vault. */
export interface OciProbeReport {
  /** Whether the vendor's library was loaded after the start of the platform, and after the first signature. */
  loadedAtStart: boolean;
  loadedAtUse: boolean;
  signed: boolean;
  /** Paths below the home directory that were looked at. */
  files: string[];
  /** Warnings that were written to the console. */
  warnings: string[];
  /** Globals that the library replaced. */
  replaced: string[];
}

const GLOBALS = ['fetch', 'Request', 'Response', 'Headers', 'Promise'] as const;
const files: string[] = [];
const warnings: string[] = [];

/** Notes every path that a function of `node:fs` is called with. */
// biome-ignore lint/suspicious/noExplicitAny: functions of any shape
const watch = (module: Record<string, any>, names: string[]): void => {
  for (const name of names) {
    const original = module[name];
    module[name] = (path: unknown, ...rest: unknown[]) => {
      files.push(String(path));
      return original.call(module, path, ...rest);
    };
  }
};

async function run(config: Record<string, unknown>): Promise<OciProbeReport> {
  const { cache } = createRequire(import.meta.url);
  const isLoaded = () => Object.keys(cache).some((path) => path.includes('/oci-keymanagement/'));
  const { close } = await startPlatform();
  const loadedAtStart = isLoaded();
  const before = GLOBALS.map((name) => globalThis[name]);
  watch(fs.promises, ['readFile', 'open', 'stat', 'access']);
  watch(fs, ['readFile', 'readFileSync', 'open', 'openSync', 'statSync', 'existsSync']);
  syncBuiltinESMExports();
  console.warn = (text: unknown) => void warnings.push(String(text));
  const { backends } = ociBackends();
  const reference = await backends.create('kmsc', { keyType: 'secp256r1', config: config as never, name: 'Schlüssel' });
  const signature = await backends.signer(reference).sign(Buffer.from('data'));
  const unknown = { ...reference, id: 'ocid1.key.oc1.eu-frankfurt-1.unknown' };
  await backends
    .signer(unknown)
    .sign(Buffer.from('data'))
    .catch(() => undefined);
  await close();
  return {
    loadedAtStart,
    loadedAtUse: isLoaded(),
    signed: signature.length === 64,
    files: files.filter((path) => path.startsWith(String(process.env.HOME)) || path.includes('/.oci')),
    warnings,
    replaced: GLOBALS.filter((name, index) => globalThis[name] !== before[index]),
  };
}

run(JSON.parse(process.argv[2] ?? '{}')).then(
  (report) => process.stdout.write(JSON.stringify(report), () => process.exit(0)),
  (error) => process.stderr.write(String(error?.stack), () => process.exit(1)),
);
