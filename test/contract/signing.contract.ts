import { verify } from 'node:crypto';
import { expect } from 'chai';
import { CompactSign, compactVerify, importJWK, type JWK } from 'jose';
import { parseJws, signJws, verifyJws } from '../../domain/jose/jws.ts';
import { KEY_TYPES } from '../../domain/keys/key-types.ts';
import type { KeyReference, KeyService, KeyType } from '../../ports/key-service.ts';
import type { Signatures } from '../../ports/signatures.ts';

/** A backend under test with a way to create keys. */
export interface BackendUnderTest {
  service: KeyService;
  signatures: Signatures;
  keyTypes: KeyType[];
  config?: Record<string, unknown>;
}

/** The contract of every key backend; an independent library verifies its signatures. */
export function signingContract(name: string, open: () => Promise<BackendUnderTest>): void {
  describe(`KeyService ${name}`, () => {
    let under: BackendUnderTest;
    const references = new Map<KeyType, KeyReference>();
    const referenceOf = async (keyType: KeyType): Promise<KeyReference> => {
      const known = references.get(keyType) ?? (await under.service.create({ keyType, config: under.config }));
      references.set(keyType, known);
      return known;
    };
    before(async () => {
      under = await open();
    });

    it('creates keys of each type whose signatures an independent library accepts', async () => {
      for (const keyType of under.keyTypes) {
        const reference = await referenceOf(keyType);
        const token = await signJws({ typ: 'JWT' }, { n: 1 }, under.service.signer(reference));
        expect(await judge(token, reference.publicJwk as JWK), keyType).to.equal(true);
      }
    });

    it('returns a reference unchanged after it was stored', async () => {
      for (const keyType of under.keyTypes) {
        const reference = await referenceOf(keyType);
        const written = JSON.parse(JSON.stringify(under.service.write(reference)));
        expect(await under.service.read(written), keyType).to.deep.equal(reference);
      }
    });

    it('signatures verify, and not after any change', async () => {
      for (const keyType of under.keyTypes) {
        const reference = await referenceOf(keyType);
        const token = await signJws({ typ: 'JWT' }, { n: 1 }, under.service.signer(reference));
        const { publicJwk } = reference;
        expect(await verifyJws(parseJws(token), publicJwk, under.signatures), keyType).to.equal(true);
        const [head, , tail] = token.split('.');
        const other = parseJws(`${head}.${Buffer.from('{"n":2}').toString('base64url')}.${tail}`);
        expect(await verifyJws(other, publicJwk, under.signatures), keyType).to.equal(false);
      }
    });
  });
}

async function judge(token: string, jwk: JWK): Promise<boolean> {
  const { alg } = parseJws(token).header;
  if (alg === 'ES256K') {
    const [head, body, tail = ''] = token.split('.');
    const key = { key: jwk as never, format: 'jwk', dsaEncoding: 'ieee-p1363' } as const;
    return verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(tail, 'base64url'));
  }
  await compactVerify(token, await importJWK(jwk, String(alg)));
  return true;
}

/** Mismatched algorithms and keys. */
export function algorithmConfusion(open: () => Promise<BackendUnderTest>): void {
  describe('Signatures', () => {
    it('refuse every algorithm that is not the key type’s own', async () => {
      const { service, signatures } = await open();
      const data = Buffer.from('data');
      for (const keyType of ['Ed25519', 'secp256r1', 'secp256k1'] as const) {
        const reference = await service.create({ keyType });
        const signature = await service.signer(reference).sign(data);
        const { publicJwk: jwk } = reference;
        for (const alg of ['none', 'HS256', 'ES256', 'ES384', 'ES256K', 'RS256', 'PS256', 'EdDSA', 'toString', '']) {
          const expected = alg === KEY_TYPES[keyType].alg;
          expect(await signatures.verify({ alg, jwk, data, signature }), `${keyType} ${alg}`).to.equal(expected);
        }
      }
    });

    it('accept signatures of an independent library', async () => {
      const { service, signatures } = await open();
      const reference = await service.create({ keyType: 'secp384r1' });
      const key = await importJWK({ ...reference.publicJwk, ...reference.config } as JWK, 'ES384');
      const token = await new CompactSign(Buffer.from('{}')).setProtectedHeader({ alg: 'ES384' }).sign(key);
      expect(await verifyJws(parseJws(token), reference.publicJwk, signatures)).to.equal(true);
    });
  });
}
