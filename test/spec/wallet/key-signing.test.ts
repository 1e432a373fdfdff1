import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { compactVerify, importJWK, type JWK } from 'jose';
import { KEY_TYPE_NAMES, KEY_TYPES } from '../../../domain/jose/key-types.ts';
import type { KeyType } from '../../../ports/key-service.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { runs } from '../../support/runs/property-runs.ts';
import { useServer } from '../../support/servers/server.ts';

const headerOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
const payloadOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('signing with the keys of a wallet', () => {
  const server = useServer();
  let holder: WalletUser;
  const keys = new Map<KeyType, { keyId: string; jwk: JWK }>();
  const keyOf = (keyType: KeyType) => keys.get(keyType) as { keyId: string; jwk: JWK };
  before(async () => {
    holder = await newWalletUser(server);
    for (const keyType of KEY_TYPE_NAMES) {
      const { body: keyId } = await holder.call('generateWalletKey', { json: { keyType } });
      const { body: jwk } = await holder.call('exportWalletKey', { path: { keyId } });
      keys.set(keyType, { keyId, jwk: JSON.parse(jwk) });
    }
  });
  const sign = (keyId: string, json: unknown) => holder.call('signWithWalletKey', { path: { keyId }, json });
  const verify = (jwk: unknown, text: string, contentType = 'text/plain') =>
    holder.call('verifyWithWalletKey', { query: { JWK: JSON.stringify(jwk) }, text, contentType });

  describe('signWithWalletKey', () => {
    it('200: an independent library accepts the signature of every key type it knows, and the header names the key', async () => {
      for (const keyType of KEY_TYPE_NAMES.filter((name) => name !== 'secp256k1')) {
        const { keyId, jwk } = keyOf(keyType);
        const { status, body } = await sign(keyId, { sub: 'did:example:1', nonce: 'n' });
        expect(status).to.equal(200);
        const { alg } = KEY_TYPES[keyType];
        const { protectedHeader } = await compactVerify(body, await importJWK(jwk, alg));
        expect(protectedHeader).to.deep.equal({ alg, typ: 'JWT', kid: keyId });
      }
    });

    it('200: signs any JSON, and what is signed verifies with the key and with no other', () =>
      fc.assert(
        fc.asyncProperty(fc.constantFrom(...KEY_TYPE_NAMES), fc.jsonValue(), async (keyType, content) => {
          const { keyId, jwk } = keyOf(keyType);
          const { body: token } = await sign(keyId, content);
          expect(payloadOf(token)).to.deep.equal(JSON.parse(JSON.stringify(content)));
          expect((await verify(jwk, token)).body).to.equal(true);
          const another = keyOf(keyType === 'secp256r1' ? 'Ed25519' : 'secp256r1');
          expect((await verify(another.jwk, token)).body).to.equal(false);
        }),
        { numRuns: runs(20) },
      ));

    it('200: keeps the header of a flattened JWS, as object or as text, and adds the key when it names none', async () => {
      const { keyId, jwk } = keyOf('secp256r1');
      const payload = { aud: 'https://issuer.example.org' };
      const { body: named } = await sign(keyId, { protected: { typ: 'openid4vci-proof+jwt' }, payload });
      expect(headerOf(named)).to.deep.equal({ alg: 'ES256', typ: 'openid4vci-proof+jwt', kid: keyId });
      const { d: _, kid: __, ...inside } = jwk;
      const head = { alg: 'ES256', typ: 'openid4vci-proof+jwt', jwk: inside };
      const { body: embedded } = await sign(keyId, { protected: encoded(head), payload: encoded(payload) });
      expect(headerOf(embedded)).to.deep.equal(head);
      expect(payloadOf(embedded)).to.deep.equal(payload);
      expect((await verify(jwk, embedded)).body).to.equal(true);
    });

    it('200: accepts every name of the key: its id, its DID and its DID URL, in the path and as kid', async () => {
      const { keyId, jwk } = keyOf('secp256k1');
      const { body: did } = await holder.call('createWalletDid', { path: { method: 'key' }, query: { keyId } });
      const method = `${did}#${did.slice('did:key:'.length)}`;
      for (const name of [did, method]) {
        const { body } = await sign(name, { a: 1 });
        expect(headerOf(body)).to.include({ kid: method });
        expect((await verify(jwk, body)).body).to.equal(true);
        for (const kid of [keyId, did, method])
          expect(headerOf((await sign(name, { protected: { kid }, payload: {} })).body)).to.include({ kid });
      }
    });

    it('200: signs an object that only looks like a flattened JWS as a payload', async () => {
      const content = { protected: {}, payload: {}, more: 1 };
      expect(payloadOf((await sign(keyOf('Ed25519').keyId, content)).body)).to.deep.equal(content);
    });

    const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
    for (const [content, path] of [
      [{ protected: { kid: 'another' }, payload: {} }, '/body/protected/kid'],
      [{ protected: { kid: 'did:key:another' }, payload: {} }, '/body/protected/kid'],
      [{ protected: { kid: 7 }, payload: {} }, '/body/protected/kid'],
      [{ protected: { alg: 'ES384' }, payload: {} }, '/body/protected/alg'],
      [{ protected: { alg: 'none' }, payload: {} }, '/body/protected/alg'],
      [{ protected: { jwk: foreign }, payload: {} }, '/body/protected/jwk'],
      [{ protected: { jwk: { ...foreign, d: 'AA' } }, payload: {} }, '/body/protected/jwk'],
      [{ protected: { jwk: 'text' }, payload: {} }, '/body/protected/jwk'],
      [{ protected: { b64: false, crit: ['b64'] }, payload: {} }, '/body/protected/crit'],
      [{ protected: [], payload: {} }, '/body/protected'],
      [{ protected: '!', payload: 'AA' }, '/body/protected'],
      [{ protected: encoded([]), payload: 'AA' }, '/body/protected'],
      [{ protected: encoded({}), payload: { a: 1 } }, '/body/payload'],
      [{ protected: encoded({}), payload: '=' }, '/body/payload'],
    ] as const)
      it(`400: names ${path} of ${JSON.stringify(content).slice(0, 50)}`, async () => {
        const { status, body } = await sign(keyOf('secp256r1').keyId, content);
        expect([status, body.details?.[0].path]).to.deep.equal([400, path]);
      });

    it('404: for a key, a DID and a DID URL that the wallet does not have', async () => {
      for (const name of ['any', 'https://vault.example.org/keys/one', 'did:key:any', `${holder.did}#1`])
        expect((await sign(name, {})).status).to.equal(404);
    });
  });

  describe('verifyWithWalletKey', () => {
    it('200: looks at no media type', async () => {
      const { keyId, jwk } = keyOf('Ed25519');
      expect((await verify(jwk, (await sign(keyId, 1)).body, 'application/json')).body).to.equal(true);
    });

    it('200: false after any change of header, payload or signature', async () => {
      const { keyId, jwk } = keyOf('Ed25519');
      const [head, , tail = ''] = (await sign(keyId, { a: 1 })).body.split('.');
      const other = (await sign(keyId, { a: 2 })).body.split('.');
      for (const parts of [
        [head, encoded({ a: 2 }), tail],
        [encoded({ alg: 'EdDSA' }), other[1], other[2]],
        [head, encoded({ a: 1 }), other[2]],
        [head, encoded({ a: 1 }), ''],
      ])
        expect((await verify(jwk, parts.join('.'))).body, parts.join('.')).to.equal(false);
    });

    it('400: requires a public JWK and a compact JWS', async () => {
      const { jwk } = keyOf('Ed25519');
      const missing = await holder.call('verifyWithWalletKey', { text: 'a.b.c' });
      expect([missing.status, missing.body.details[0].path]).to.deep.equal([400, '/query/JWK']);
      for (const wrong of [{}, 'text', { kty: 'oct', k: 'AA' }, { ...jwk, d: 'AA' }]) {
        const { status, body } = await verify(wrong, 'e30.e30.AA');
        expect([status, body.details[0].path]).to.deep.equal([400, '/query/JWK']);
      }
      for (const token of ['text', 'a.b', 'W10.e30.AA', `${encoded({ alg: 'EdDSA', b64: false })}.e30.AA`]) {
        const { status, body } = await verify(jwk, token);
        expect([status, body.details[0].path]).to.deep.equal([400, '/body']);
      }
    });
  });
});
