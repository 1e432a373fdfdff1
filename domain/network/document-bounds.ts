import type { DocumentKind } from '../../ports/outbound.ts';
import { utf8Length } from '../foundation/bytes.ts';
import { DomainError, invalidField } from '../foundation/errors.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** The largest accepted document of each kind, in bytes before and after decompression (decisions §12). */
export const DOCUMENT_BYTES: Record<DocumentKind, number> = {
  'credential-offer': 64 * KIB,
  'issuer-metadata': 64 * KIB,
  'presentation-definition': 64 * KIB,
  'request-object': 64 * KIB,
  'did-document': 64 * KIB,
  // The largest encodedList, encoded once more in base64url within its JWT, and the other claims.
  'status-list': 2 * MIB,
  'protocol-reply': 64 * KIB,
  'credential-response': 1 * MIB,
  'mapping-data': 1 * MIB,
  'webhook-reply': 64 * KIB,
  'callback-reply': 1 * MIB,
  'type-metadata': 64 * KIB,
  logo: 128 * KIB,
  'did-registration': 64 * KIB,
  'did-resolution': 64 * KIB,
  'issuer-keys': 64 * KIB,
  'kms-reply': 64 * KIB,
  'vault-reply': 64 * KIB,
  'kms-token': 64 * KIB,
  'instance-metadata': 64 * KIB,
};

/** The longest DID or DID URL, in characters. */
const MAX_DID_LENGTH = 8 * KIB;
/** The most keys of one DID document that may be used for one purpose. */
export const MAX_DID_KEYS = 32;
/** The longest `encodedList` of a status list, in characters. */
export const MAX_ENCODED_LIST_LENGTH = 1 * MIB;

/** Rejects a document in a request or a link that is larger than it may be behind a URL. @throws DomainError `BadRequest` */
export function checkDocumentSize(kind: DocumentKind, text: string): void {
  if (utf8Length(text) > DOCUMENT_BYTES[kind])
    throw invalidField([], `the ${kind.replaceAll('-', ' ')} may have at most ${DOCUMENT_BYTES[kind]} bytes`);
}

/** Rejects a DID or DID URL over 8,192 characters. @throws DomainError `BadRequest` */
export function checkDidLength(did: string): void {
  if (did.length > MAX_DID_LENGTH)
    throw new DomainError('BadRequest', `a DID may have at most ${MAX_DID_LENGTH} characters`);
}
