import { CompactEncrypt, importJWK, type JWK } from 'jose';

/** How a response is encrypted; each test changes what it needs, undefined removes a member of the header. */
export interface ResponseSealing {
  enc?: string;
  header?: Record<string, unknown>;
  /** The text of `apu`, which presentations of mdocs are bound to. */
  apu?: string;
}

/** The parameters of a response as a JWE to the key of a verifier, with jose (JARM). */
export async function encryptedResponse(
  parameters: unknown,
  jwk: JWK,
  { enc = 'A256GCM', header = {}, apu }: ResponseSealing = {},
): Promise<string> {
  const text = typeof parameters === 'string' ? parameters : JSON.stringify(parameters);
  const sealed = new CompactEncrypt(new TextEncoder().encode(text)).setProtectedHeader({
    alg: 'ECDH-ES',
    enc,
    kid: jwk.kid,
    ...header,
  });
  if (apu !== undefined) sealed.setKeyManagementParameters({ apu: new TextEncoder().encode(apu) });
  return sealed.encrypt(await importJWK(jwk, 'ECDH-ES'));
}
