import type { DisclosureFrame, ElementTypes } from '../../../ports/credential-formats.ts';
import type { KeyReference } from '../../../ports/key-service.ts';
import type { ListOwner, StatusListChoice } from '../../credentials/status-entries.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { ItemKind } from '../protocol.ts';

/**
 * A key that the issuer has the reference of, by its name, or the one for profiles without a key. It is read again when it
 * signs: of the reference only what is public is stored with an offer.
 */
export interface OwnKey {
  name?: string;
  /** The DID that was created for it, which need not be resolved. */
  did?: string;
}

/** Everything that one credential is made of, except its holder. */
export interface IssuableContent extends ItemKind {
  issuerKey: KeyReference;
  ownKey?: OwnKey;
  /** The DID or the URL of the issuer. */
  issuer: string;
  /** The credential's data, or the element values of an mdoc by namespace. */
  credentialData: JsonObject;
  mapping: JsonObject;
  /** Claims beside the data, which the mapping does not see. */
  claims?: JsonObject;
  selectiveDisclosure?: DisclosureFrame;
  credentialStatus?: unknown;
  /** For how many days an mdoc is valid. */
  validityDays?: number;
  /** The types of transaction data that the holder's key of an mdoc may sign. */
  transactionDataTypes?: string[];
  /** The types of elements of an mdoc by namespace, where they are not those that the namespace has. */
  elementTypes?: ElementTypes;
  /**
   * The list that the credential gets an entry of when it is made, and the target that the list belongs to. The entry is
   * found by its session: by the path of that below `service`, of the issuer with this id, since several services may use
   * the lists of one target.
   */
  statusList?: ListOwner & { choice: StatusListChoice; service?: string; issuer?: string };
  /** Absent when the mapping does not use it. */
  display?: unknown;
  /** The certificate chain, base64 DER (RFC 7515 §4.1.6). */
  x5c?: string[];
}
