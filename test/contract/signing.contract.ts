import { verify } from 'node:crypto';
import { expect } from 'chai';
import { CompactSign, compactVerify, importJWK, type JWK } from 'jose';
import { parseJws, signJws, verifyJws } from '../../domain/jose/jws.ts';
import { KEY_TYPES } from '../../domain/jose/key-types.ts';
import type { KeyBackends } from '../../domain/keys/key-backends.ts';
import type { SignatureCheck } from '../../ports/credential-formats.ts';
import type { KeyReference, KeyType } from '../../ports/key-service.ts';
import type { Signatures } from '../../ports/signatures.ts';
import { testFormats, testMdocs } from '../support/credentials/formats.ts';
import { mdocContent } from '../support/credentials/mdoc-issuer.ts';
import { contentOf, judged, offline } from '../support/credentials/sd-jwts.ts';

const MDOC_KEY_TYPES: KeyType[] = ['secp256r1', 'secp384r1', 'secp521r1', 'Ed25519'];

/** Verifies an mdoc by its certificates. */
async function verifyMdoc(text: string): Promise<SignatureCheck> {
  const { verifyIssuer } = await testMdocs.parse(text);
  return verifyIssuer(offline);
}

/** A backend under test. */
export interface BackendUnderTest {
  /** With this backend at least. */
  backends: KeyBackends;
  /** The backend as requests spell it. */
  spelling: string;
  signatures: Signatures;
  keyTypes: KeyType[];
  /** What its keys are created with. */
  config?: Record<string, unknown>;
}

/** The contract of every key backend; an independent library verifies its signatures. */
export function signingContract(name: string, open: () => Promise<BackendUnderTest>): void {
  describe(`KeyService ${name}`, () => {
    let under: BackendUnderTest;
    const references = new Map<KeyType, KeyReference>();
    const referenceOf = async (keyType: KeyType): Promise<KeyReference> => {
      const { backends, spelling, config } = under;
      const known = references.get(keyType) ?? (await backends.create(spelling, { keyType, config }));
      references.set(keyType, known);
      return known;
    };
    before(async () => {
      under = await open();
    });

    it('creates keys of each type whose signatures an independent library accepts', async () => {
      for (const keyType of under.keyTypes) {
        const reference = await referenceOf(keyType);
        const token = await signJws({ typ: 'JWT' }, { n: 1 }, under.backends.signer(reference));
        expect(await judge(token, reference.publicJwk as JWK), keyType).to.equal(true);
      }
    });

    it('reads a written reference as the same key', async () => {
      for (const keyType of under.keyTypes) {
        const reference = await referenceOf(keyType);
        const written = JSON.parse(JSON.stringify(under.backends.write(reference, under.spelling)));
        expect(written.type).to.equal(under.spelling);
        const read = await under.backends.read(written);
        const token = await signJws({ typ: 'JWT' }, { n: 1 }, under.backends.signer(read));
        const { config: _, ...key } = reference;
        expect({ ...read, ...key }, keyType).to.deep.equal(read);
        expect(await judge(token, reference.publicJwk as JWK), keyType).to.equal(true);
      }
    });

    it('signatures verify, and not after any change', async () => {
      for (const keyType of under.keyTypes) {
        const reference = await referenceOf(keyType);
        const token = await signJws({ typ: 'JWT' }, { n: 1 }, under.backends.signer(reference));
        const { publicJwk } = reference;
        expect(await verifyJws(parseJws(token), publicJwk, under.signatures), keyType).to.equal(true);
        const [head, , tail] = token.split('.');
        const other = parseJws(`${head}.${Buffer.from('{"n":2}').toString('base64url')}.${tail}`);
        expect(await verifyJws(other, publicJwk, under.signatures), keyType).to.equal(false);
      }
    });

    it('signs credentials with selective disclosure that an independent library accepts', async () => {
      for (const keyType of under.keyTypes) {
        const signer = under.backends.signer(await referenceOf(keyType));
        const content = contentOf(signer, { selectiveDisclosure: { fields: { given_name: { sd: true } } } });
        const token = await testFormats.get('dc+sd-jwt').codec.issue(content, signer);
        expect((await judged(token, signer.publicJwk)).given_name, keyType).to.equal('Ada');
      }
    });

    it('signs mdocs with its keys of the types that mdocs have, and names the type of another', async () => {
      for (const keyType of under.keyTypes) {
        const signer = under.backends.signer(await referenceOf(keyType));
        const issued = testMdocs.issue(mdocContent(signer), signer);
        const text = await issued.catch(({ code, message }) => `${code}: ${message}`);
        if (!MDOC_KEY_TYPES.includes(keyType)) expect(text).to.include('BadRequest: An mdoc cannot be signed');
        else expect(await verifyMdoc(text), keyType).to.deep.equal({ valid: true });
        expect(text.includes(`of the type ${keyType}`), keyType).to.equal(!MDOC_KEY_TYPES.includes(keyType));
      }
    });

    it('refuses key types that it does not have, before anything is created', async () => {
      const { backends, spelling, config, keyTypes } = under;
      const others = (Object.keys(KEY_TYPES) as KeyType[]).filter((keyType) => !keyTypes.includes(keyType));
      for (const keyType of others) {
        const outcome = await backends.create(spelling, { keyType, config }).catch((error) => error);
        expect(outcome.code, keyType).to.equal('BadRequest');
        expect(outcome.details[0].path, keyType).to.deep.equal(['keyType']);
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
      const { backends, spelling, signatures } = await open();
      const data = Buffer.from('data');
      for (const keyType of ['Ed25519', 'secp256r1', 'secp256k1'] as const) {
        const reference = await backends.create(spelling, { keyType });
        const signature = await backends.signer(reference).sign(data);
        const { publicJwk: jwk } = reference;
        for (const alg of ['none', 'HS256', 'ES256', 'ES384', 'ES256K', 'RS256', 'PS256', 'EdDSA', 'toString', '']) {
          const expected = alg === KEY_TYPES[keyType].alg;
          expect(await signatures.verify({ alg, jwk, data, signature }), `${keyType} ${alg}`).to.equal(expected);
        }
      }
    });

    it('accept signatures of an independent library', async () => {
      const { backends, spelling, signatures } = await open();
      const reference = await backends.create(spelling, { keyType: 'secp384r1' });
      const key = await importJWK({ ...reference.publicJwk, ...reference.config } as JWK, 'ES384');
      const token = await new CompactSign(Buffer.from('{}')).setProtectedHeader({ alg: 'ES384' }).sign(key);
      expect(await verifyJws(parseJws(token), reference.publicJwk, signatures)).to.equal(true);
    });
  });
}
