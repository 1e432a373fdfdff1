import { DOCUMENTS, type DocumentKind } from '../../ports/documents.ts';
import { utf8Length } from '../foundation/bytes.ts';
import { DomainError, invalidField } from '../foundation/errors.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** The longest DID or DID URL, in characters. */
const MAX_DID_LENGTH = 8 * KIB;
/** The most keys of one DID document that may be used for one purpose. */
export const MAX_DID_KEYS = 32;
/** The longest `encodedList` of a status list, in characters. */
export const MAX_ENCODED_LIST_LENGTH = 1 * MIB;
/** The most authorities of a VICAL that is read; one of 1,000 is published at most (`MAX_CHILDREN`). */
export const MAX_VICAL_ENTRIES = 2000;

/** Rejects a document in a request or a link that is larger than it may be behind a URL. @throws DomainError `BadRequest` */
export function checkDocumentSize(kind: DocumentKind, text: string): void {
  if (utf8Length(text) > DOCUMENTS[kind].maxBytes)
    throw invalidField([], `the ${kind.replaceAll('-', ' ')} may have at most ${DOCUMENTS[kind].maxBytes} bytes`);
}

/** Rejects a DID or DID URL over 8,192 characters. @throws DomainError `BadRequest` */
export function checkDidLength(did: string): void {
  if (did.length > MAX_DID_LENGTH)
    throw new DomainError('BadRequest', `a DID may have at most ${MAX_DID_LENGTH} characters`);
}
