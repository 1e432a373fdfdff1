import { deflateRawSync } from 'node:zlib';
import { expect } from 'chai';
import { CompactEncrypt, calculateJwkThumbprint, importJWK, type JWK } from 'jose';
import { joseEncryption } from '../../../adapters/crypto/message-encryption.ts';
import { isDomainError } from '../../../domain/foundation/errors.ts';
import { publishedKey } from '../../../domain/keys/message-keys.ts';
import { ResponseEncryption } from '../../../domain/verifier/openid4vp/response-encryption.ts';
import { keyThumbprint } from '../../../domain/verifier/openid4vp/v1-responses.ts';
import { localKeys } from '../../support/keys/local-keys.ts';

const responses = new ResponseEncryption({ keys: localKeys().backends, encryption: joseEncryption });

interface Wanted {
  jwk: JWK;
  payload?: string;
  header?: Record<string, unknown>;
  apu?: string;
}

async function encrypted({ jwk, payload = '{"state":"s"}', header, apu }: Wanted): Promise<string> {
  const alg = String(header?.alg ?? 'ECDH-ES');
  const jwe = new CompactEncrypt(Buffer.from(payload));
  jwe.setProtectedHeader({ alg, enc: 'A128GCM', kid: jwk.kid, ...header });
  if (apu !== undefined) jwe.setKeyManagementParameters({ apu: Buffer.from(apu) });
  return jwe.encrypt(await importJWK(jwk, alg));
}

async function refusalOf(message: string, key: Awaited<ReturnType<ResponseEncryption['createKey']>>): Promise<string> {
  const error: unknown = await responses.decrypt(message, key).then(
    () => undefined,
    (thrown) => thrown,
  );
  if (!isDomainError(error, 'BadRequest')) throw new Error(`Not a BadRequest: ${String(error)}`);
  expect(error.details?.map(({ path }) => path)).to.deep.equal([[]]);
  return error.message;
}

describe('Encrypted responses', () => {
  it('each session has a P-256 key of its own, of which the public part is published', async () => {
    const [first, second] = [await responses.createKey(), await responses.createKey()];
    const jwk = publishedKey(first);
    expect(jwk).to.include({ kty: 'EC', crv: 'P-256', use: 'enc', alg: 'ECDH-ES', kid: first.kid });
    expect(jwk).to.have.all.keys('kty', 'crv', 'kid', 'x', 'y', 'use', 'alg');
    expect(first.kid).to.not.equal(second.kid);
    const thumbprint = await calculateJwkThumbprint(jwk as JWK, 'sha256');
    expect(Buffer.from(keyThumbprint(first)).toString('base64url')).to.equal(thumbprint);
  });

  for (const enc of ['A128GCM', 'A256GCM'])
    it(`are decrypted with ${enc}, and the header says who encrypted`, async () => {
      const key = await responses.createKey();
      const message = await encrypted({ jwk: publishedKey(key) as JWK, header: { enc }, apu: 'mdoc nonce' });
      const { payload, header } = await responses.decrypt(message, key);
      expect(payload).to.deep.equal({ state: 's' });
      expect(header.apu).to.equal(Buffer.from('mdoc nonce').toString('base64url'));
    });

  it('to a session need not name its key, since it has one', async () => {
    const key = await responses.createKey();
    const { kid: _, ...jwk } = publishedKey(key) as JWK;
    expect((await responses.decrypt(await encrypted({ jwk }), key)).payload).to.deep.equal({ state: 's' });
  });

  it('are refused when they are to another key, name another one, or use other algorithms', async () => {
    const [key, other] = [await responses.createKey(), await responses.createKey()];
    const jwk = publishedKey(key) as JWK;
    const wrong = [
      { jwk: publishedKey(other) as JWK },
      { jwk: { ...(publishedKey(other) as JWK), kid: key.kid } },
      { jwk: publishedKey(other) as JWK, header: { kid: undefined } },
      { jwk, header: { kid: 1 } },
      { jwk, header: { enc: 'A256CBC-HS512' } },
      { jwk, header: { alg: 'ECDH-ES+A256KW' } },
    ];
    for (const one of wrong) expect(await refusalOf(await encrypted(one), key)).to.not.equal('');
    for (const text of ['', 'a.b.c', 'a.b.c.d.e', '{}']) expect(await refusalOf(text, key)).to.not.equal('');
  });

  it('must be one JSON object without duplicate members', async () => {
    const key = await responses.createKey();
    const jwk = publishedKey(key) as JWK;
    for (const payload of ['[]', '"text"', 'x', '{"a":1,"a":2}', ''])
      await refusalOf(await encrypted({ jwk, payload }), key);
  });

  it('have at most 1 MiB, before and after decompression', async () => {
    const key = await responses.createKey();
    const jwk = publishedKey(key) as JWK;
    const large = JSON.stringify({ vp_token: 'x'.repeat(1024 * 1024) });
    expect(await refusalOf(await encrypted({ jwk, payload: large }), key)).to.contain('1048576 bytes');
    expect(deflateRawSync(large).length).to.be.below(4096);
    await refusalOf(await encrypted({ jwk, payload: large, header: { zip: 'DEF' } }), key);
  });
});
