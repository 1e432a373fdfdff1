import type { PublishedKey } from '../../../ports/published-keys.ts';
import { badRequest } from '../../foundation/errors.ts';
import { isText, type JsonObject } from '../../foundation/json.ts';

/** The kinds of client identifiers (OpenID4VP 1.0 §5.9.3); a registered client has no prefix. */
export const CLIENT_ID_PREFIXES = [
  'redirect_uri',
  'x509_san_dns',
  'x509_hash',
  'decentralized_identifier',
  'verifier_attestation',
  'openid_federation',
  'pre-registered',
] as const;

/** One of them. */
export type ClientIdPrefix = (typeof CLIENT_ID_PREFIXES)[number];

/** A verifier that the operator of the wallet knows (`trusted-verifiers.conf`). */
export interface RegisteredClient {
  clientId: string;
  name: string;
  /** Where its responses may go. */
  responseUris: readonly string[];
  /** With any, its requests must be signed with one of them. */
  keys: readonly PublishedKey[];
}

/** How a verifier is identified (OpenID4VP 1.0 §5.9; `client_id_scheme` in the drafts before 22). */
export interface ClientId {
  /** Absent for an identifier that says nothing about a signature. */
  prefix?: ClientIdPrefix;
  /** What follows the prefix. */
  id: string;
  /** Whether the identifier itself has the prefix. */
  isPrefixed: boolean;
  registered?: RegisteredClient;
}

/** Kinds of the drafts that this wallet has no means to verify. */
const UNKNOWN_SCHEMES: readonly unknown[] = ['entity_id'];

/** Identifiers of the drafts that are addresses or DIDs themselves. */
const UNPREFIXED = ['http', 'https', 'did'];

/**
 * Reads how a verifier is identified. An identifier of the configuration is that client, with or without a prefix.
 * @throws DomainError `BadRequest` for a kind that this wallet does not know, and where clients are registered for a name
 * that is none of them
 */
export function readClientId(request: JsonObject, clients: readonly RegisteredClient[]): ClientId {
  const { client_id: stated, client_id_scheme: scheme } = request;
  const text = isText(stated) ? stated : '';
  const registered = clients.find(({ clientId }) => clientId === text);
  if (registered) return { prefix: 'pre-registered', id: text, isPrefixed: false, registered };
  const [, word, rest = ''] = /^([^:/?#]*):(.*)$/s.exec(text) ?? [];
  const prefix = CLIENT_ID_PREFIXES.find((one) => one === word && one !== 'pre-registered');
  if (prefix) return { prefix, id: rest, isPrefixed: true };
  if (UNKNOWN_SCHEMES.includes(scheme) || (word !== undefined && !UNPREFIXED.includes(word.toLowerCase())))
    throw badRequest(`This wallet does not know a client_id of the kind ${String(word ?? scheme).slice(0, 32)}`);
  if (text.startsWith('did:')) return { prefix: 'decentralized_identifier', id: text, isPrefixed: false };
  if (word === undefined && scheme === undefined && text !== '' && clients.length > 0)
    throw badRequest('The client_id is not registered with this wallet');
  // The drafts name kinds as the prefixes do, but for one.
  const named = scheme === 'did' ? 'decentralized_identifier' : scheme;
  return { prefix: CLIENT_ID_PREFIXES.find((one) => one === named), id: text, isPrefixed: false };
}
