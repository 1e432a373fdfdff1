import { DOCUMENTS } from '../../../ports/documents.ts';
import type { MessageEncryption, RecipientRequest } from '../../../ports/message-encryption.ts';
import type { OutboundReply, OutboundRequest } from '../../../ports/outbound.ts';
import { fromUtf8, utf8 } from '../../foundation/bytes.ts';
import { DomainError, isDomainError } from '../../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { contentEncryption, ENCRYPTION, encryptionKey } from '../../jose/encryption-algorithms.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import { createMessageKey, type MessageKey, publishedKey } from '../../keys/message-keys.ts';
import { isSuccess } from '../protocol-client.ts';
import type { AccessGrant, DpopCalls } from './dpop-calls.ts';
import { type CredentialRequestParts, createCredentialRequest, type DeferredAnswer, isV1 } from './openid4vci.ts';

/** A request to send, with the access token for it. */
type AuthorizedRequest = CredentialRequestParts & AccessGrant;

/** A request for credentials that are delivered later, with the access token for it. */
type DeferredRequest = Pick<CredentialRequestParts, 'metadata'> & DeferredAnswer & AccessGrant;

const EXPECTS = 'credential-response';
const JSON_TYPE = 'application/json';
/** OpenID4VCI 1.0 §10. */
const ENCRYPTED_TYPE = 'application/jwt';

/**
 * Sends credential requests. Where the metadata of an issuer says `encryption_required`, the request or the response is
 * encrypted (OpenID4VCI 1.0 §10, §12.2.4; draft 13 §7.2, which has encrypted responses only).
 */
export class CredentialRequests {
  constructor(
    private readonly parts: {
      dpop: DpopCalls;
      keys: Pick<KeyBackends, 'create'>;
      encryption: MessageEncryption;
    },
  ) {}

  /**
   * Returns the decrypted reply, of any status.
   * @throws DomainError `BadRequest` for an encryption that this wallet does not have, `UpstreamFailed`, `UpstreamTimeout`
   */
  send({ accessToken, dpop, ...parts }: AuthorizedRequest): Promise<OutboundReply> {
    const request = createCredentialRequest(parts);
    return this.#post({ ...parts, endpoint: 'credential_endpoint', request }, { accessToken, dpop });
  }

  /** Asks for credentials that are delivered later (1.0 §9.1, draft 13 §9.1; draft 11 §9, whose token says for which). */
  sendDeferred({ metadata, transactionId, isToken, ...grant }: DeferredRequest): Promise<OutboundReply> {
    const endpoint = 'deferred_credential_endpoint';
    if (isToken) return this.#post({ metadata, endpoint, request: {} }, { accessToken: transactionId });
    return this.#post({ metadata, endpoint, request: { transaction_id: transactionId } }, grant);
  }

  async #post(
    { metadata, endpoint, request: asked }: { metadata: JsonObject; endpoint: string; request: JsonObject },
    { accessToken, dpop }: AccessGrant,
  ): Promise<OutboundReply> {
    const url = metadata[endpoint];
    if (!isText(url)) throw new DomainError('BadRequest', `The issuer names no ${endpoint}`);
    const key = requires(metadata.credential_response_encryption) ? await createMessageKey(this.parts.keys) : undefined;
    const request = { ...asked, ...(key && wantedEncryption(metadata, key)) };
    const encrypted = await this.#encrypted(metadata, request);
    const sent: OutboundRequest = {
      method: 'POST',
      url,
      expects: EXPECTS,
      headers: {
        'content-type': encrypted === undefined ? JSON_TYPE : ENCRYPTED_TYPE,
        accept: key ? `${ENCRYPTED_TYPE}, ${JSON_TYPE}` : JSON_TYPE,
      },
      body: encrypted ?? JSON.stringify(request),
    };
    const reply = await this.parts.dpop.send(async () => sent, { accessToken, dpop });
    return key ? this.#decrypted(reply, key) : reply;
  }

  /** Undefined where the request may be plain: one that asks for an encrypted response may not, unless by draft 13. */
  async #encrypted(metadata: JsonObject, request: JsonObject): Promise<string | undefined> {
    const { credential_request_encryption: offered } = metadata;
    const asksForEncryption = request.credential_response_encryption !== undefined && isV1(metadata);
    if (!requires(offered) && !asksForEncryption) return undefined;
    const { jwks, enc_values_supported: listed } = isObject(offered) ? offered : {};
    const [jwk, enc] = [encryptionKey(jwks), contentEncryption(listed)];
    if (!jwk || enc === undefined) throw unsupported();
    const recipient: RecipientRequest = { jwk, enc, compresses: false };
    return (await this.parts.encryption.recipient(recipient))(utf8(JSON.stringify(request)));
  }

  /** Errors may be plain; credentials that were asked for encrypted may not (1.0 §10). */
  async #decrypted(reply: OutboundReply, key: MessageKey): Promise<OutboundReply> {
    if (!(reply.headers['content-type'] ?? '').startsWith(ENCRYPTED_TYPE)) {
      if (!isSuccess(reply)) return reply;
      throw new DomainError('UpstreamFailed', 'The issuer did not encrypt its credentials, although it requires that');
    }
    const keyOf = async (kid: string) => (kid === key.kid ? key : undefined);
    const { maxBytes } = DOCUMENTS[EXPECTS];
    try {
      const message = fromUtf8(reply.body).trim();
      return { ...reply, body: (await this.parts.encryption.decrypt(message, { keyOf, maxBytes })).plaintext };
    } catch (error) {
      if (!isDomainError(error, 'BadRequest')) throw error;
      throw new DomainError('UpstreamFailed', 'The issuer encrypted its credentials to another key', { cause: error });
    }
  }
}

const requires = (encryption: unknown): boolean => isObject(encryption) && encryption.encryption_required === true;

/** The member that asks for an encrypted response; draft 13 has `alg` beside the key too. */
function wantedEncryption(metadata: JsonObject, key: MessageKey): JsonObject {
  const { credential_response_encryption: offered } = metadata;
  const { alg_values_supported: algorithms, enc_values_supported: listed } = isObject(offered) ? offered : {};
  const enc = contentEncryption(listed);
  if (enc === undefined || !asList(algorithms).includes(ENCRYPTION.ALG)) throw unsupported();
  const alg = isV1(metadata) ? {} : { alg: ENCRYPTION.ALG };
  return { credential_response_encryption: { jwk: publishedKey(key), ...alg, enc } };
}

const unsupported = (): DomainError =>
  new DomainError('BadRequest', 'The issuer requires an encryption that this wallet does not have');
