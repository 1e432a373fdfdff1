import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { compared, interleave, type Line, repeat } from '../support/harness.ts';
import { encode, load } from '../support/load.ts';
import { configFolder, serveProduct } from '../support/servers.ts';

const generate = promisify(generateKeyPair);
const WARM_UP = 4;

const REQUEST = encode({
  method: 'POST',
  target: '/onboard/issuer',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ key: { backend: 'jwk', keyType: 'secp256r1' }, did: { method: 'jwk' } }),
});

/** Issuers onboarded over HTTP: key and DID created, published and stored in SQLite. */
export async function onboarding(): Promise<Line[]> {
  const server = await serveProduct({ folder: configFolder({}) });
  const { ours, bare } = await interleave(
    { ours: load(server, () => REQUEST), bare: repeat(() => generate('ec', { namedCurve: 'prime256v1' })) },
    { warmUp: WARM_UP },
  );
  await server.close();
  return [compared({ work: 'onboarding, local P-256 key, HTTP, SQLite', named: 'bare key generation' }, ours, bare)];
}
