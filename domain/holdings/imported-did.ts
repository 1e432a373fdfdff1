import { didDocument, publicKeyOfDid } from '../dids/did-methods.ts';
import { invalidField } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';

/** A DID that was created elsewhere, with its document; the document is optional for did:key and did:jwk. */
export interface ImportedDid {
  did: string;
  document?: JsonObject;
}

/** Completes and checks an imported DID. @throws DomainError `BadRequest` naming `did` or `document` */
export function importedDid({ did, document = embeddedDocument(did) }: ImportedDid): Required<ImportedDid> {
  if (document.id !== did) throw invalidField(['document', 'id'], 'must be the DID');
  return { did, document };
}

function embeddedDocument(did: string): JsonObject {
  if (!/^did:(jwk|key):/.test(did)) throw invalidField(['document'], 'is required for a DID of this method');
  try {
    return didDocument(did, publicKeyOfDid(did));
  } catch {
    throw invalidField(['did'], 'holds no readable key');
  }
}
