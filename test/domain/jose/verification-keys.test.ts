import { readdirSync, readFileSync } from 'node:fs';
import * as library from '@owf/mdoc';
import { expect } from 'chai';
import { jwkOfKey } from '../../../adapters/formats/mdoc/cose.ts';
import { keyPair } from '../../../demo/actors/key-pairs.ts';
import { holderOfConfirmation } from '../../../domain/credentials/confirmation.ts';
import { keyInDocument, keysInDocument } from '../../../domain/dids/did-document.ts';
import { publicKeyOfDid } from '../../../domain/dids/did-methods.ts';
import { signatureKeys } from '../../../domain/jose/key-set.ts';
import { algorithmFits } from '../../../domain/jose/key-types.ts';
import { readVerificationKey } from '../../../domain/jose/verification-keys.ts';
import { readStatedKey } from '../../../domain/oauth/attesters.ts';

type Json = Record<string, unknown>;

const { publicKey, privateKey } = keyPair({ namedCurve: 'P-256' });
const JWK = publicKey.export({ format: 'jwk' }) as Json;
const { d } = privateKey.export({ format: 'jwk' });
const RSA = { kty: 'RSA', e: 'AQAB', n: Buffer.alloc(256, 0xc1).toString('base64url') };

/** What a key may say of itself, and whether it then verifies signatures. */
const KEYS: Record<string, [Json, boolean]> = {
  nothing: [{}, true],
  'use: sig': [{ use: 'sig' }, true],
  'its algorithm': [{ alg: 'ES256' }, true],
  'key_ops with verify': [{ key_ops: ['verify'] }, true],
  'a private part': [{ d }, false],
  'a symmetric part': [{ k: 'AAAA' }, false],
  'use: enc': [{ use: 'enc' }, false],
  'key_ops without verify': [{ key_ops: ['deriveKey'] }, false],
  'no list of key_ops': [{ key_ops: 'verify' }, false],
  'the algorithm of another type': [{ alg: 'ES384' }, false],
  'an algorithm of encryption': [{ alg: 'ECDH-ES' }, false],
  'no name of an algorithm': [{ alg: 7 }, false],
};

const DID = 'did:web:holder.example';
const documentOf = (publicKeyJwk: Json) => {
  const method = { id: `${DID}#1`, type: 'JsonWebKey', controller: DID, publicKeyJwk };
  return { id: DID, verificationMethod: [method], authentication: [method.id] };
};

/** Where keys of others stand. */
const PLACES: Record<string, (jwk: Json) => unknown> = {
  'the cnf of a credential': (jwk) => holderOfConfirmation({ jwk }),
  'a DID document, by its DID URL': (jwk) => keyInDocument(documentOf(jwk), `${DID}#1`, 'authentication'),
  'a DID document, by the DID': (jwk) => keysInDocument(documentOf(jwk), DID, 'authentication'),
  'a did:jwk': (jwk) => publicKeyOfDid(`did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`),
  'a JWK Set': (jwk) => signatureKeys({ keys: [jwk] })?.[0] ?? refuse(),
  'the statement of an attester': (jwk) => readStatedKey(jwk, 'cnf.jwk'),
};

function refuse(): never {
  throw new Error('It is not among the keys');
}

describe('the keys of others that signatures are verified with', () => {
  for (const [place, read] of Object.entries(PLACES))
    for (const [name, [members, isAccepted]] of Object.entries(KEYS))
      it(`${isAccepted ? 'accepted' : 'refused'}: in ${place}, with ${name}`, () => {
        if (isAccepted) read({ ...JWK, ...members });
        else expect(() => read({ ...JWK, ...members })).to.throw();
      });

  it('an RSA key that states an algorithm is good for no other', () => {
    const any = readVerificationKey(RSA);
    const one = readVerificationKey({ ...RSA, alg: 'RS256' });
    expect(['RS256', 'RS512'].map((alg) => algorithmFits(alg, any))).to.deep.equal([true, true]);
    expect(['RS256', 'RS512'].map((alg) => algorithmFits(alg, one))).to.deep.equal([true, false]);
    expect(() => readVerificationKey({ ...RSA, alg: 'PS256' })).to.throw('another algorithm');
  });

  it('an Ed25519 key may name its algorithm in both ways', () => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.alloc(32, 7).toString('base64url') };
    for (const alg of ['EdDSA', 'Ed25519']) expect(readVerificationKey({ ...jwk, alg })).to.not.have.property('alg');
  });

  for (const [name, members, isAccepted] of [
    ['nothing', {}, true],
    ['its algorithm', { algorithm: -7 }, true],
    ['its algorithm with the curve', { algorithm: -9 }, true],
    ['the operation verify', { keyOps: [2] }, true],
    ['a private part', { d: Buffer.from(String(d), 'base64url') }, false],
    ['another algorithm', { algorithm: -35 }, false],
    ['other operations', { keyOps: [1, 7] }, false],
  ] as const)
    it(`${isAccepted ? 'accepted' : 'refused'}: the key of a device with ${name}`, () => {
      const [x, y] = [JWK.x, JWK.y].map((text) => new Uint8Array(Buffer.from(String(text), 'base64url')));
      const facts = { keyType: library.KeyType.Ec, curve: library.Curve['P-256'], x, y, ...members };
      const key = library.DeviceKey.create(facts as Parameters<typeof library.DeviceKey.create>[0]);
      if (isAccepted) expect(jwkOfKey(key, library)).to.deep.equal(readVerificationKey(JWK));
      else expect(() => jwkOfKey(key, library)).to.throw('COSE_Key');
    });

  it('rows: every other reader of keys reads our own, keys that a message is encrypted to, or what is only compared', () => {
    const files = ['adapters', 'composition', 'domain'].flatMap((floor) =>
      readdirSync(floor, { recursive: true, encoding: 'utf8' }).map((file) => `${floor}/${file}`),
    );
    const readers = files.filter((file) => file.endsWith('.ts') && /readPublicJwk\(/.test(readFileSync(file, 'utf8')));
    expect(readers.sort()).to.deep.equal(OTHER_READERS);
  });
});

/** Files that read public keys, with what they read. */
const OTHER_READERS = [
  // The rule of COSE_Keys.
  'adapters/formats/mdoc/cose.ts',
  // Keys of key management services.
  'adapters/kms/azure/vault-keys.ts',
  'adapters/kms/pkcs11/pkcs11-kms.ts',
  'adapters/kms/remote/public-keys.ts',
  'adapters/kms/vault/transit-keys.ts',
  // The operator's own.
  'composition/platform/request-signing.ts',
  // Compared with an own key.
  'domain/dids/did-document.ts',
  // Of raw bytes.
  'domain/dids/did-methods.ts',
  // The user's own.
  'domain/holdings/caller-keys.ts',
  'domain/jose/jwk.ts',
  // The rule.
  'domain/jose/verification-keys.ts',
  'domain/keys/backends/jwk.ts',
  'domain/keys/key-reference.ts',
  // For encryption.
  'domain/keys/message-keys.ts',
  'domain/verifier/openid4vp/v1-responses.ts',
  'domain/verifier/requests/create-session.ts',
  'domain/wallet/presentation/response-recipient.ts',
  // The key in a proof that the wallet signed.
  'domain/wallet/steps/credential-steps.ts',
];
