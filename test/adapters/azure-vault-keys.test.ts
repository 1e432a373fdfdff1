import { expect } from 'chai';
import { placeOf, publicJwkOf, signatureBytes } from '../../adapters/kms/azure/vault-keys.ts';
import { KmsFailure } from '../../adapters/kms/remote/kms.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'base64url');
const X = bytes('f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU');
const Y = bytes('x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0');

/** The fault of a key that is not read. */
function faultOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return error instanceof KmsFailure ? error.fault : String(error);
  }
}

describe('The keys of a vault', () => {
  it('in software and in a hardware module are read as the same public key, without the URL', () => {
    const kid = 'https://credenza.vault.azure.net/keys/a/0123456789abcdef0123456789abcdef';
    const expected = {
      kty: 'EC',
      crv: 'P-256',
      x: Buffer.from(X).toString('base64url'),
      y: Buffer.from(Y).toString('base64url'),
    };
    for (const kty of ['EC', 'EC-HSM'] as const)
      expect(publicJwkOf({ kid, kty, crv: 'P-256', x: X, y: Y })).to.deep.equal(expected);
    expect(publicJwkOf({ kty: 'EC', crv: 'P-256K', x: X, y: Y }).crv).to.equal('secp256k1');
  });

  it('of RSA have no leading zeros', () => {
    const n = Buffer.alloc(256, 0xab);
    const jwk = publicJwkOf({ kty: 'RSA-HSM', n: Buffer.concat([Buffer.alloc(1), n]), e: bytes('AAEAAQ') });
    expect(jwk).to.deep.equal({ kty: 'RSA', n: n.toString('base64url'), e: 'AQAB' });
  });

  it('that sign nothing here are unusable', () => {
    const keys = [
      { kty: 'oct' as const },
      { kty: 'EC' as const, crv: 'P-512', x: X, y: Y },
      { kty: 'EC' as const, crv: 'P-256', x: X },
      { kty: 'EC' as const, crv: 'P-256', x: X.subarray(1), y: Y },
      { kty: 'RSA' as const, n: Buffer.alloc(128, 0xab), e: bytes('AQAB') },
      {},
    ];
    for (const key of keys)
      expect(
        faultOf(() => publicJwkOf(key)),
        JSON.stringify(key),
      ).to.equal('unusable-key');
  });

  it('have a place in the vault, with a version or without', () => {
    const version = '0123456789abcdef0123456789abcdef';
    expect(placeOf(`https://a/keys/b/${version}`, 'https://a')).to.deep.equal({ name: 'b', version });
    expect(placeOf('https://a/keys/b', 'https://a')).to.deep.equal({ name: 'b', version: undefined });
    for (const id of [
      '',
      'https://a/keys/',
      'https://b/keys/b',
      'https://a/secrets/b',
      'https://a/keys/b/c',
      'https://a/keys/b?c',
    ])
      expect(placeOf(id, 'https://a'), id).to.equal(undefined);
  });

  it('make signatures of the length of the curve or the modulus', () => {
    const types = ['secp256r1', 'secp256k1', 'secp384r1', 'secp521r1', 'RSA', 'RSA3072', 'RSA4096'] as const;
    expect(types.map(signatureBytes)).to.deep.equal([64, 64, 96, 132, 256, 384, 512]);
  });
});
