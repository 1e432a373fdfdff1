import type { CompactJWEHeaderParameters, JWK } from 'jose';
import { badRequest } from '../../domain/foundation/errors.ts';
import { ENCRYPTION } from '../../domain/jose/encryption-algorithms.ts';
import { hasPrivateMember } from '../../domain/jose/jwk.ts';
import type { MessageEncryption, Recipient, RecipientRequest } from '../../ports/message-encryption.ts';

const { ALG, ENC, ZIP } = ENCRYPTION;
/** The curves of receivers' keys. */
const CURVES = ['P-256', 'P-384', 'P-521'];

/** Loaded by the first message that is encrypted. */
const loadLibrary = () => import('jose');

type Library = Awaited<ReturnType<typeof loadLibrary>>;

/** Encryption of messages with the jose library. */
export const joseEncryption: MessageEncryption = {
  async decrypt(message, { keyOf, maxBytes }) {
    const options = {
      keyManagementAlgorithms: [ALG],
      contentEncryptionAlgorithms: [...ENC],
      // 0 stands for no compression.
      maxDecompressedLength: maxBytes,
    };
    const { compactDecrypt, errors } = await loadLibrary();
    try {
      const { plaintext, protectedHeader } = await compactDecrypt(
        message,
        (header: CompactJWEHeaderParameters) => privateKey(header.kid, keyOf),
        options,
      );
      return { plaintext, header: protectedHeader };
    } catch (cause) {
      throw refusal({ cause, errors }, 'The message is not a JWE that this server can decrypt');
    }
  },

  async recipient({ jwk, enc, compresses, contentType: cty, apu, apv }: RecipientRequest): Promise<Recipient> {
    const { kty, crv, alg, kid, use = 'enc' } = jwk;
    if (alg !== ALG) throw badRequest(`jwk.alg: must be ${ALG}`);
    if (kty !== 'EC' || !CURVES.includes(String(crv))) throw badRequest(`jwk: must be of a curve ${CURVES.join(', ')}`);
    if (hasPrivateMember(jwk)) throw badRequest('jwk: must not hold a private key');
    if (use !== 'enc') throw badRequest('jwk.use: must be enc');
    if (!ENC.some((one) => one === enc)) throw badRequest(`enc: must be one of ${ENC.join(', ')}`);
    const { CompactEncrypt, errors, importJWK } = await loadLibrary();
    const key = await importJWK({ kty, crv, x: jwk.x, y: jwk.y } as JWK, ALG).catch((cause) => {
      throw refusal({ cause, errors }, 'jwk: is not a public key');
    });
    const named = { ...(typeof kid === 'string' && { kid }), ...(cty && { cty }) };
    const header = { alg: ALG, enc, ...named, ...(compresses && { zip: ZIP }) };
    const parties = { ...(apu && { apu }), ...(apv && { apv }) };
    return (plaintext) =>
      new CompactEncrypt(plaintext).setProtectedHeader(header).setKeyManagementParameters(parties).encrypt(key);
  },
};

/** The library imports it, once for each object. */
async function privateKey(
  kid: unknown,
  keyOf: (kid: string | undefined) => Promise<Record<string, unknown> | undefined>,
) {
  const jwk = kid === undefined || typeof kid === 'string' ? await keyOf(kid) : undefined;
  if (jwk) return jwk as JWK;
  throw badRequest('The kid of the JWE must be that of a published key');
}

/** What the library refuses, or WebCrypto as a key or ciphertext, is the sender's mistake. */
function refusal({ cause, errors }: { cause: unknown; errors: Library['errors'] }, message: string): unknown {
  const isTheirs = cause instanceof errors.JOSEError || cause instanceof TypeError || cause instanceof DOMException;
  return isTheirs ? badRequest(message, cause) : cause;
}
