import type { MessageEncryption } from '../../../ports/message-encryption.ts';
import { digest, utf8 } from '../../foundation/bytes.ts';
import { DomainError } from '../../foundation/errors.ts';
import { isObject, type JsonObject } from '../../foundation/json.ts';
import { parseJson } from '../../foundation/strict-json.ts';
import { contentEncryption, ENCRYPTION, encryptionKey } from '../../jose/encryption-algorithms.ts';
import { canonicalKey, readPublicJwk } from '../../jose/jwk.ts';

/** To whom and how a response is encrypted. */
export interface ResponseRecipient {
  /** The verifier's public key, with its `alg`. */
  jwk: JsonObject;
  enc: string;
}

/** The algorithm of a request that lists none (OpenID4VP 1.0 §5.1). */
const DEFAULT_ENC = 'A128GCM';
const { ALG, ENC } = ENCRYPTION;
const ENCRYPTED_MODES: readonly unknown[] = ['direct_post.jwt', 'dc_api.jwt'];

/**
 * Reads from a request to whom its response is encrypted (OpenID4VP 1.0 §8.3; the members of the drafts that JARM names).
 * @returns undefined when it is not to be encrypted
 * @throws DomainError `BadRequest` when it is to be, and the metadata has no key or algorithm that this wallet can use
 */
export function recipientOf(params: ReadonlyMap<string, string>): ResponseRecipient | undefined {
  if (!ENCRYPTED_MODES.includes(params.get('response_mode'))) return undefined;
  const metadata = metadataOf(params);
  const { jwks, authorization_encrypted_response_alg: stated } = metadata;
  const jwk = encryptionKey(jwks, stated);
  if (!jwk) throw new DomainError('BadRequest', `The request has no key for ${ALG} to encrypt the response to`);
  const {
    encrypted_response_enc_values_supported: listed,
    authorization_encrypted_response_enc: single = DEFAULT_ENC,
  } = metadata;
  const enc = contentEncryption(listed ?? [single]);
  if (enc === undefined) throw new DomainError('BadRequest', `The response must be encrypted with ${ENC.join(' or ')}`);
  return { jwk, enc };
}

/** The `client_metadata` of a request; without it an empty object. @throws DomainError `BadRequest` */
export function metadataOf(params: ReadonlyMap<string, string>): JsonObject {
  const text = params.get('client_metadata');
  const value = text === undefined ? {} : parseJson(text);
  if (isObject(value)) return value;
  throw new DomainError('BadRequest', 'The client_metadata of the request are not a JSON object');
}

/** The SHA-256 thumbprint (RFC 7638) of the key, which session transcripts contain. @throws DomainError `BadRequest` */
export const recipientThumbprint = ({ jwk }: ResponseRecipient): Uint8Array =>
  digest('sha256', canonicalKey(readPublicJwk(jwk)));

/** A response to encrypt; `apu` and `apv` are inputs of the key agreement (RFC 7518 §4.6.1). */
interface UnencryptedResponse {
  parameters: JsonObject;
  apu?: string;
  apv?: string;
}

/** Encrypts a response as a compact JWE. @throws DomainError `BadRequest` when the key cannot be used */
export async function encryptResponse(
  { jwk, enc }: ResponseRecipient,
  { parameters, apu, apv }: UnencryptedResponse,
  encryption: MessageEncryption,
): Promise<string> {
  const parties = { ...(apu !== undefined && { apu: utf8(apu) }), ...(apv !== undefined && { apv: utf8(apv) }) };
  const recipient = await encryption.recipient({ jwk, enc, compresses: false, ...parties });
  return recipient(utf8(JSON.stringify(parameters)));
}
