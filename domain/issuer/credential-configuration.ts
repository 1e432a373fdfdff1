import type { DisclosureFrame, FormatName } from '../../ports/credential-formats.ts';
import type { FormatFacts } from '../credentials/formats/facts.ts';
import type { StatusListChoice } from '../credentials/status-entries.ts';
import type { JsonObject } from '../foundation/json.ts';

/** A claim of a credential as wallets are to show it (OpenID4VCI 1.0 appendix B.2). */
export interface ClaimDescription {
  /** Member names, list positions, and null for every element of a list (appendix C). */
  path: (string | number | null)[];
  mandatory?: boolean;
  /** A media type or the name of a type (draft 13 appendix A). */
  value_type?: string;
  display?: JsonObject[];
}

/** Data of a credential to try a configuration with, in the members of an issuance request. */
export interface CredentialExample {
  credentialData?: JsonObject;
  mdocData?: Record<string, JsonObject>;
  mapping?: JsonObject;
  selectiveDisclosure?: DisclosureFrame;
}

/** A credential that an issuer offers, without the wire shape of any protocol version. */
export interface CredentialConfiguration {
  id: string;
  format: FormatName;
  /** What is known of the format. */
  facts: FormatFacts;
  /** The types of a W3C credential; empty in other formats. */
  types: string[];
  /** The `vct` of an SD-JWT VC or the document type of an mdoc. */
  type?: string;
  /** The OAuth scope by which wallets ask for it. */
  scope: string;
  bindingMethods: string[];
  /** JOSE names, or COSE numbers as the operator wrote them. */
  algorithms: (string | number)[];
  proofTypes: JsonObject;
  display: JsonObject[];
  claims: ClaimDescription[];
  /** Claim paths in their order, separated by `~` (draft 13 appendix A). */
  order?: string[];
  /** Members of SD-JWT VC type metadata that stand instead of the derived ones. */
  typeMetadata?: JsonObject;
  /** To whom its credentials may be shown, as wallets read it (ETSI TS 119 472-3 §4.2.5); published by 1.0. */
  disclosurePolicy?: JsonObject;
  example?: CredentialExample;
  /** The status list that its credentials get an entry of. */
  statusList?: StatusListChoice;
}

/** Credential configurations by their id. */
export type CredentialConfigurations = ReadonlyMap<string, CredentialConfiguration>;
