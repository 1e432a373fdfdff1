import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { fromBase64url } from '../../../domain/foundation/bytes.ts';
import {
  ALGORITHMS,
  algorithmFits,
  coordinateBytes,
  DIGESTS,
  KEY_TYPE_NAMES,
  KEY_TYPES,
  keyTypeOf,
  opensslCurve,
} from '../../../domain/jose/key-types.ts';
import type { KeyType, PublicJwk } from '../../../ports/key-service.ts';

/** A key of a type as OpenSSL makes it. */
function publicKey(type: KeyType): PublicJwk {
  const { kty, bits, opensslCurve: namedCurve = '' } = KEY_TYPES[type];
  const pair = () => {
    if (kty === 'RSA') return generateKeyPairSync('rsa', { modulusLength: bits });
    return kty === 'OKP' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve });
  };
  return pair().publicKey.export({ format: 'jwk' }) as unknown as PublicJwk;
}

describe('the table of key types', () => {
  const keys = new Map(KEY_TYPE_NAMES.map((type) => [type, publicKey(type)]));
  const types = fc.constantFrom(...KEY_TYPE_NAMES);

  it('agrees with OpenSSL on curves, coordinates and moduli', () => {
    for (const [type, jwk] of keys) {
      const facts = KEY_TYPES[type];
      expect(keyTypeOf(jwk)).to.equal(type);
      expect(jwk.crv, type).to.equal(facts.crv);
      const size = facts.kty === 'RSA' ? facts.bits / 8 : coordinateBytes(facts);
      expect(fromBase64url(jwk.x ?? jwk.n ?? '')?.length, type).to.equal(size);
    }
  });

  it('a curve is found by its OpenSSL name, and by no other', () => {
    fc.assert(
      fc.property(types, fc.string(), (type, text) => {
        const { opensslCurve: name } = KEY_TYPES[type];
        if (name !== undefined) expect(opensslCurve(name)).to.equal(KEY_TYPES[type]);
        const isKnown = KEY_TYPE_NAMES.some((known) => KEY_TYPES[known].opensslCurve === text);
        expect(opensslCurve(text) !== undefined).to.equal(isKnown);
      }),
    );
    expect(opensslCurve('')).to.equal(undefined);
  });

  it('an algorithm fits the keys of its type, those of RSA any RSA key, and has one digest', () => {
    fc.assert(
      fc.property(types, types, (one, other) => {
        const { alg, digest, kty } = KEY_TYPES[one];
        const jwk = keys.get(other) as PublicJwk;
        expect(algorithmFits(alg, jwk), `${alg} ${other}`).to.equal(
          one === other || (kty === 'RSA' && jwk.kty === 'RSA'),
        );
        expect(DIGESTS.get(alg)).to.equal(digest);
      }),
    );
  });

  it('no other algorithm fits any key', () => {
    const others = fc.oneof(fc.string(), fc.constantFrom('none', 'HS256', 'PS256', 'RS1', 'es256', 'constructor'));
    fc.assert(
      fc.property(types, others, (type, alg) => {
        fc.pre(!ALGORITHMS.includes(alg));
        expect(algorithmFits(alg, keys.get(type) as PublicJwk)).to.equal(false);
      }),
    );
  });
});
