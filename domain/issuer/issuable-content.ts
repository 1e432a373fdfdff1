import type { FormatName } from '../../ports/credential-formats.ts';
import type { KeyReference } from '../../ports/key-service.ts';
import type { StatusListChoice } from '../../ports/status-entries.ts';
import type { JsonObject } from '../foundation/json.ts';

/** Everything that one credential is made of, except its holder. */
export interface IssuableContent {
  configurationId: string;
  format: FormatName;
  /** The types a wallet asks for: the configuration's and the credential's own. */
  types: string[][];
  issuerKey: KeyReference;
  issuerDid: string;
  credentialData: JsonObject;
  mapping: JsonObject;
  credentialStatus?: unknown;
  /** The list that the credential gets an entry of when it is made, and the target that the list belongs to. */
  statusList?: { target: string; choice: StatusListChoice };
  display?: unknown;
  /** The certificate chain, base64 DER (RFC 7515 §4.1.6). */
  x5c?: string[];
}
