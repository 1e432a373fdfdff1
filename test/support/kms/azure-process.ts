import { createRequire } from 'node:module';
import { FakeAzure } from '../../../demo/fake-clouds/azure.ts';
import { remoteBackends } from './remote-backends.ts';

/** Whether the vendor's library is loaded: a package that only it imports is in the cache of modules. */
const isLoaded = (): boolean =>
  Object.keys(createRequire(import.meta.url).cache).some((path) => path.includes('/https-proxy-agent/'));

/** Creates a key in a fake vault, signs with it and deletes it; prints what was called. Run as a process of its own. */
async function main(): Promise<void> {
  const fake = await FakeAzure.start();
  const { backends } = remoteBackends({ kmsb: fake.settings, allow: ['127.0.0.1'] });
  const loaded = [isLoaded()];
  const reference = await backends.create('kmsb', { keyType: 'secp256r1', config: fake.config });
  await backends.signer(reference).sign(Buffer.from('data'));
  fake.vault.fault(1, { kind: 'fail' });
  await backends.remove(reference);
  const called = [...fake.authority.calls, ...fake.vault.calls].map(({ method, path }) => `${method} ${path}`);
  loaded.push(isLoaded());
  await fake.close();
  process.stdout.write(JSON.stringify({ called, loaded, keys: fake.content.keys.length }));
}

main().catch((error: unknown) => {
  process.stderr.write(String(error));
  process.exitCode = 1;
});
