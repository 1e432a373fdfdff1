import { DOCUMENTS } from '../../../ports/documents.ts';
import type { MessageEncryption } from '../../../ports/message-encryption.ts';
import type { Outbound } from '../../../ports/outbound.ts';
import type { Ids } from '../../../ports/system.ts';
import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { fromUtf8 } from '../../foundation/bytes.ts';
import { ENCRYPTION } from '../../jose/encryption-algorithms.ts';
import { ALGORITHMS } from '../../jose/key-types.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import { createMessageKey, type MessageKey, onlyKey, publishedKey } from '../../keys/message-keys.ts';
import { LOGIN_REQUEST } from '../../presentation/login-requests.ts';
import { REQUEST_OBJECT } from '../../presentation/request-parameters.ts';
import { supportedFormats } from '../../presentation/vp-formats.ts';
import { ProtocolClient } from '../protocol-client.ts';

/** How responses reach verifiers that no page stands for. */
export const RESPONSE_MODES: readonly string[] = ['direct_post', 'direct_post.jwt', 'fragment'];

export interface RequestObjectParts {
  outbound: Outbound;
  keys: Pick<KeyBackends, 'create'>;
  encryption: MessageEncryption;
  ids: Ids;
  formats: CredentialFormats;
  /** The prefixes of client identifiers that this wallet verifies. */
  prefixes: readonly string[];
}

/** A request object as its verifier sent it: a compact JWS, or JSON without a signature. */
interface FetchedObject {
  text: string;
  /** What its verifier was asked to repeat. */
  nonce?: string;
}

const EXPECTS = 'request-object';

/** Fetches request objects. */
export class RequestObjects {
  readonly #client: ProtocolClient;

  constructor(private readonly parts: RequestObjectParts) {
    this.#client = new ProtocolClient(parts.outbound, 'verifier');
  }

  /** @throws DomainError as `ProtocolClient.text` */
  async get(url: string): Promise<FetchedObject> {
    return { text: await this.#client.text({ method: 'GET', url, expects: EXPECTS, headers: ACCEPT }) };
  }

  /**
   * Fetches with a nonce and what the wallet can do, so that the verifier can encrypt the object to a key that is made for it
   * (OpenID4VP 1.0 §5.10). @throws DomainError as `ProtocolClient.text`, `BadRequest` for a JWE to another key
   */
  async post(url: string): Promise<FetchedObject> {
    const { ids, keys } = this.parts;
    const [nonce, key] = [ids.uuid(), await createMessageKey(keys)];
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...ACCEPT };
    const form = { wallet_nonce: nonce, wallet_metadata: JSON.stringify(walletMetadata(key, this.parts)) };
    const body = new URLSearchParams(form).toString();
    const text = await this.#client.text({ method: 'POST', url, expects: EXPECTS, headers, body });
    return { text: isEncrypted(text) ? await this.#decrypted(text, key) : text, nonce };
  }

  async #decrypted(message: string, key: MessageKey): Promise<string> {
    const { maxBytes } = DOCUMENTS[EXPECTS];
    return fromUtf8((await this.parts.encryption.decrypt(message, { keyOf: onlyKey(key), maxBytes })).plaintext);
  }
}

/** Verifiers of the reference answer with JSON when a request is not signed. */
const ACCEPT = { accept: `${REQUEST_OBJECT.MEDIA_TYPE}, application/json;q=0.5` };

/** A compact JWE has five parts (RFC 7516 §7.1). */
const isEncrypted = (text: string): boolean => text.split('.', 6).length === 5;

/** What this wallet can do (OpenID4VP 1.0 §10, RFC 9101 §9). */
const walletMetadata = (key: MessageKey, { formats, prefixes }: RequestObjectParts) => ({
  vp_formats_supported: supportedFormats(formats.requestable),
  client_id_prefixes_supported: prefixes,
  response_types_supported: ['vp_token', LOGIN_REQUEST.RESPONSE_TYPE],
  id_token_signing_alg_values_supported: ALGORITHMS,
  response_modes_supported: RESPONSE_MODES,
  request_object_signing_alg_values_supported: ALGORITHMS,
  request_object_encryption_alg_values_supported: [ENCRYPTION.ALG],
  request_object_encryption_enc_values_supported: ENCRYPTION.ENC,
  jwks: { keys: [publishedKey(key)] },
});
