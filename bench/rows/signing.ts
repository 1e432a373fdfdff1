import { constants, createPrivateKey, type JsonWebKey, sign } from 'node:crypto';
import { NodeSignatures } from '../../adapters/crypto/signatures.ts';
import { LocalKeys } from '../../adapters/kms/local/local-keys.ts';
import { PrometheusMetrics } from '../../adapters/metrics/prometheus.ts';
import { KEY_TYPE_NAMES, KEY_TYPES } from '../../domain/jose/key-types.ts';
import type { KeyReference, KeyType } from '../../ports/key-service.ts';
import { compared, interleave, type Line, repeat } from '../support/harness.ts';

const DATA = Buffer.alloc(800, 'x');

/** A signature with each type of local key. */
export async function signing(): Promise<Line[]> {
  const metrics = new PrometheusMetrics();
  const keys = new LocalKeys({
    metrics,
    signatures: new NodeSignatures(metrics),
    work: { run: (_turn, work) => work() },
  });
  const lines: Line[] = [];
  for (const keyType of KEY_TYPE_NAMES) {
    const reference = await keys.create({ keyType, config: {} });
    const signer = keys.signer(reference);
    const { ours, bare } = await interleave({
      ours: repeat(() => signer.sign(DATA)),
      bare: repeat(bareSign(keyType, reference)),
    });
    const named = "node:crypto's sign";
    lines.push(compared({ work: `local signature, ${keyType}`, named, goal: { atLeast: 0.85 } }, ours, bare));
  }
  return lines;
}

/** The same signature by node:crypto alone. */
function bareSign(keyType: KeyType, { publicJwk, config }: KeyReference): () => unknown {
  const key = createPrivateKey({ key: { ...publicJwk, ...config } as JsonWebKey, format: 'jwk' });
  const { digest, kty } = KEY_TYPES[keyType];
  const padding = kty === 'RSA' ? constants.RSA_PKCS1_PADDING : undefined;
  return () => sign(digest, DATA, { key, dsaEncoding: 'ieee-p1363', padding });
}
