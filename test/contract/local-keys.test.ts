import { expect } from 'chai';
import { KEY_TYPE_NAMES } from '../../domain/jose/key-types.ts';
import { localKeys } from '../support/keys/local-keys.ts';
import { algorithmConfusion, signingContract } from './signing.contract.ts';

const open = async () => ({ ...localKeys(), spelling: 'jwk', keyTypes: KEY_TYPE_NAMES });

signingContract('jwk (local)', open);
algorithmConfusion(open);

describe('a private JWK from outside', () => {
  const { backends } = localKeys();
  const read = (jwk: unknown, more: object = {}) => codeOf(backends.read({ type: 'jwk', jwk, ...more }));

  it('is refused when its private part belongs to another key', async () => {
    for (const keyType of ['secp256r1', 'Ed25519'] as const) {
      const [one, two] = [await backends.create('jwk', { keyType }), await backends.create('jwk', { keyType })];
      expect(await read({ ...one.publicJwk, ...two.config }), keyType).to.equal('BadRequest');
    }
  });

  it('is refused when a part is missing or malformed, and accepted as JSON text', async () => {
    const { publicJwk, config } = await backends.create('jwk', { keyType: 'secp256r1' });
    expect(await read(publicJwk)).to.equal('BadRequest');
    expect(await read({ ...publicJwk, d: '!' })).to.equal('BadRequest');
    expect(await read({ ...publicJwk, ...config, x: 'AA' })).to.equal('BadRequest');
    expect(await read('{')).to.equal('BadRequest');
    expect(await read({ ...publicJwk, ...config }, { extra: 1 })).to.equal('BadRequest');
    expect(await read(JSON.stringify({ ...publicJwk, ...config }))).to.equal('fulfilled');
  });
});

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'fulfilled',
    (error) => error.code,
  );
