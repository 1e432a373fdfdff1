import type { MessageEncryption, Recipient } from '../../../ports/message-encryption.ts';
import { fromUtf8, utf8 } from '../../foundation/bytes.ts';
import { oauthError, replacing } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { parseJson } from '../../foundation/strict-json.ts';
import { ENCRYPTION } from '../../jose/encryption-algorithms.ts';
import { thumbprint } from '../../jose/jwk.ts';
import type { ServerKeys } from '../../keys/server-keys.ts';
import type { EncryptionMetadata } from '../protocol.ts';

/** The largest request after decompression, in bytes. */
const MAX_REQUEST_BYTES = 2 * 1024 * 1024;

/** A request as it was read. */
export interface ReadRequest {
  request: JsonObject;
  /** Encrypts the response; absent when the wallet did not ask for that. */
  recipient?: Recipient;
}

/** Encrypted credential requests and responses (OpenID4VCI 1.0 §10). */
export class CredentialEncryption {
  constructor(
    private readonly parts: {
      serverKeys: ServerKeys;
      encryption: MessageEncryption;
    },
  ) {}

  /** Encryption is never required. */
  async metadata(): Promise<EncryptionMetadata> {
    const { ALG, ENC, ZIP } = ENCRYPTION;
    const { publicJwk } = await this.parts.serverKeys.reference('encryption');
    const key = { ...publicJwk, kid: thumbprint(publicJwk), use: 'enc', alg: ALG };
    const values = { enc_values_supported: ENC, zip_values_supported: [ZIP], encryption_required: false };
    return {
      credential_request_encryption: { jwks: { keys: [key] }, ...values },
      credential_response_encryption: { alg_values_supported: [ALG], ...values },
    };
  }

  /**
   * Reads a request, which is a text when it is encrypted. Only such a request may ask for an encrypted response, since
   * another key could be put into a plain one (§8.2). @throws DomainError `invalid_encryption_parameters`
   */
  async read(body: JsonObject | string): Promise<ReadRequest> {
    const request = typeof body === 'string' ? await this.#decrypted(body) : body;
    const { credential_response_encryption: wanted } = request;
    if (wanted === undefined) return { request };
    if (typeof body !== 'string')
      throw invalid('credential_response_encryption: is only accepted in an encrypted request');
    return { request, recipient: await this.#recipient(wanted) };
  }

  /** A response as a JWE where the wallet asked for that. */
  async encrypted(response: object, { recipient }: ReadRequest): Promise<Uint8Array | undefined> {
    return recipient && utf8(await recipient(utf8(JSON.stringify(response))));
  }

  async #decrypted(message: string): Promise<JsonObject> {
    const { encryption, serverKeys } = this.parts;
    // OpenID4VCI 1.0 §10: the message names the key, since its `kid` is published.
    const keyOf = async (kid?: string) => (kid === undefined ? undefined : serverKeys.privateJwk('encryption', kid));
    const { plaintext } = await asParameters(encryption.decrypt(message, { keyOf, maxBytes: MAX_REQUEST_BYTES }));
    if (plaintext.length > MAX_REQUEST_BYTES) throw invalid('The encrypted request is too large');
    const request = parsed(plaintext);
    if (isObject(request)) return request;
    throw oauthError('invalid_credential_request', 'The encrypted request is not a JSON object');
  }

  #recipient(wanted: unknown): Promise<Recipient> {
    const { jwk, enc, zip } = isObject(wanted) ? wanted : {};
    if (!isObject(jwk) || !isText(enc)) throw invalid('credential_response_encryption: jwk and enc are required');
    if (zip !== undefined && zip !== ENCRYPTION.ZIP) throw invalid(`zip: must be ${ENCRYPTION.ZIP}`);
    const recipient = this.parts.encryption.recipient({ jwk, enc, compresses: zip !== undefined });
    return asParameters(recipient, 'credential_response_encryption: ');
  }
}

const invalid = (text: string, cause?: unknown) => oauthError('invalid_encryption_parameters', text, { cause });

const asParameters = <T>(work: Promise<T>, where = ''): Promise<T> =>
  work.catch(replacing('BadRequest', (error) => invalid(`${where}${error.message}`, error)));

function parsed(plaintext: Uint8Array): unknown {
  try {
    return parseJson(fromUtf8(plaintext));
  } catch {
    return undefined;
  }
}
