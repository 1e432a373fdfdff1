import { asList, isObject, type JsonObject } from '../foundation/json.ts';

/** How messages are encrypted: ECDH-ES (RFC 7518 §4.6), AES-GCM (§5.3), compressed where asked for (RFC 7516 §4.1.3). */
export const ENCRYPTION = { ALG: 'ECDH-ES', ENC: ['A128GCM', 'A256GCM'], ZIP: 'DEF' } as const;

/** The first key of a JWK Set that messages can be encrypted to; one without `alg` has the given one. */
export const encryptionKey = (jwks: unknown, alg?: unknown): JsonObject | undefined =>
  (isObject(jwks) ? asList(jwks.keys).filter(isObject) : [])
    .map((key): JsonObject => (key.alg === undefined && alg === ENCRYPTION.ALG ? { ...key, alg } : key))
    .find(({ alg, kty, use = 'enc' }) => alg === ENCRYPTION.ALG && kty === 'EC' && use === 'enc');

/** The first of the listed content encryptions that is supported. */
export const contentEncryption = (listed: unknown): string | undefined =>
  asList(listed).flatMap((one) => ENCRYPTION.ENC.find((known) => known === one) ?? [])[0];
