import { expect } from 'chai';
import { LocalKeys } from '../../adapters/crypto/local-keys.ts';
import { NodeSignatures } from '../../adapters/crypto/signatures.ts';
import { PrometheusMetrics } from '../../adapters/metrics/prometheus.ts';
import { KEY_TYPE_NAMES } from '../../domain/keys/key-types.ts';
import { algorithmConfusion, signingContract } from './signing.contract.ts';

const metrics = new PrometheusMetrics();
const open = async () => ({
  service: new LocalKeys(metrics),
  signatures: new NodeSignatures(metrics),
  keyTypes: KEY_TYPE_NAMES.filter((name) => name !== 'RSA4096'),
});

signingContract('jwk', open);
algorithmConfusion(open);

describe('a private JWK from outside', () => {
  const keys = new LocalKeys(metrics);

  it('is refused when its private part belongs to another key', async () => {
    for (const keyType of ['secp256r1', 'Ed25519'] as const) {
      const [one, two] = [await keys.create({ keyType }), await keys.create({ keyType })];
      const jwk = { ...one.publicJwk, ...two.config };
      expect(await codeOf(keys.read({ jwk })), keyType).to.equal('BadRequest');
    }
  });

  it('is refused when a part is missing or malformed, and accepted as JSON text', async () => {
    const { publicJwk, config } = await keys.create({ keyType: 'secp256r1' });
    expect(await codeOf(keys.read({ jwk: publicJwk }))).to.equal('BadRequest');
    expect(await codeOf(keys.read({ jwk: { ...publicJwk, d: '!' } }))).to.equal('BadRequest');
    expect(await codeOf(keys.read({ jwk: { ...publicJwk, ...config, x: 'AA' } }))).to.equal('BadRequest');
    expect(await codeOf(keys.read({ jwk: '{' }))).to.equal('BadRequest');
    expect(await codeOf(keys.read({ jwk: { ...publicJwk, ...config }, extra: 1 }))).to.equal('BadRequest');
    expect(await codeOf(keys.read({ jwk: JSON.stringify({ ...publicJwk, ...config }) }))).to.equal('fulfilled');
  });
});

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'fulfilled',
    (error) => error.code,
  );
