import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { startPlatform } from '../servers/platform.ts';
import { remoteBackends } from './remote-backends.ts';

/** What the process is asked to do: sign with a key of AWS KMS, and with a client without configuration, after a call of /signed. */
export interface ProbeOrder {
  kmsa: { endpoint: string; metadataEndpoint: string };
  config: Record<string, unknown>;
}

/** What it did. */
export interface ProbeReport {
  /** Whether the vendor's library was loaded after the start of the platform, and after the first signature. */
  loadedAtStart: boolean;
  loadedAtUse: boolean;
  signed: boolean;
  /** Files that were opened for the signature, and for the client without configuration. */
  files: string[];
  plainFiles: string[];
}

const files: string[] = [];

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

async function run({ kmsa, config }: ProbeOrder): Promise<ProbeReport> {
  const { cache } = createRequire(import.meta.url);
  const isLoaded = () => Object.keys(cache).some((path) => path.includes('@aws-sdk/client-kms'));
  const { close } = await startPlatform();
  const loadedAtStart = isLoaded();
  watch(fs.promises, ['readFile', 'open', 'stat', 'access']);
  watch(fs, ['readFile', 'readFileSync', 'open', 'openSync', 'statSync', 'existsSync']);
  syncBuiltinESMExports();
  const { backends } = remoteBackends({ kmsa });
  const reference = await backends.create('kmsa', { keyType: 'secp256r1', config: config as never });
  const signature = await backends.signer(reference).sign(Buffer.from('data'));
  const [loadedAtUse, touched] = [isLoaded(), files.splice(0)];
  await fetch(`${process.env.AWS_ENDPOINT_URL}/signed`);
  const { KMS } = await import('@aws-sdk/client-kms');
  await new KMS({}).listKeys({}).catch(() => undefined);
  await close();
  return { loadedAtStart, loadedAtUse, signed: signature.length === 64, files: touched, plainFiles: files };
}

run(JSON.parse(process.argv[2] ?? '{}')).then(
  (report) => process.stdout.write(JSON.stringify(report), () => process.exit(0)),
  (error) => process.stderr.write(String(error?.stack), () => process.exit(1)),
);
