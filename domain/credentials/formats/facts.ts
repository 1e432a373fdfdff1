import type { FormatName } from '../../../ports/credential-formats.ts';
import { base64url, fromBase64url, fromHex, hex } from '../../foundation/bytes.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { AlwaysDisclosed } from '../always-disclosed.ts';
import type { StatusListKind } from '../status-entries.ts';

/** The member of a request that names the type of a credential (interface: Requested credential specification). */
export type TypeSelector = 'type' | 'vct' | 'doc_type';

/** A format that requests may name. */
export interface NamedFormat {
  name: FormatName;
  /** Other names of the same format. */
  aliases?: readonly string[];
  selector: TypeSelector;
}

/** What is signed: a credential by its issuer, or its presentation by the holder. */
export type SignedPart = 'credential' | 'presentation';

/** What is checked of a presentation in OpenID4VP 1.0. */
export type PresentationCheck =
  | ('audience' | 'nonce' | 'holder-binding' | 'transaction-data' | 'expiry' | 'not-before' | 'validity')
  | ('holder-signature' | 'holder-digest' | 'holder-time' | 'holder-key' | 'issuer-signature' | 'issuer-digest');

/** What OpenID4VP 1.0 knows of the presentations of a format (annex B). */
export interface V1Presentation {
  /** The members of the format's metadata that list the algorithms of each part. */
  algorithmMembers: Readonly<Record<SignedPart, string>>;
  /** What is always checked, by the names in results, which a session may list too. */
  checks: Readonly<Record<string, PresentationCheck>>;
  /** Other names that a session may list. */
  checkAliases?: readonly string[];
  /** Whether HAIP 1.0 has profiles of it (§6). */
  isOfHaip: boolean;
}

/** What is known of the presentations of a format, without their codec. */
export interface PresentationFacts {
  /** The canonical name first. */
  names: readonly string[];
  /** The name in our submissions. */
  submitted: string;
  /** JSONPaths of the list of credentials, that of our submissions first; none when a presentation is the credential. */
  credentialsAt: readonly string[];
  /** Whether the holder can sign transaction data with it (OpenID4VP 1.0 appendix B). */
  signsTransactions: boolean;
  /** Whether responses are encrypted where the caller of a draft names no mode. */
  isEncrypted: boolean;
  /** What verifiers of drafts say of it in `vp_formats`: few algorithms, since the link becomes a QR code. */
  draftMetadata: JsonObject;
  /** Absent when only the drafts can ask for it. */
  v1?: V1Presentation;
}

/** How events report an issued credential. */
interface IssuedEvents {
  /** Callbacks (interface: Issuance callbacks). */
  single: string;
  /** The event within a batch. */
  batch: string;
  /** The member of its data. */
  member: string;
  /** How the member writes the bytes of a credential in base64url; as the wallet gets them when absent. */
  encoding?: 'hex';
  /** Its name within the events of OpenID4VCI 1.0. */
  kind: string;
}

/** A credential as the event of its format writes it. */
export const eventText = ({ encoding }: IssuedEvents, credential: string): string =>
  encoding === 'hex' ? hex(fromBase64url(credential) ?? new Uint8Array()) : credential;

/** The credential that an event wrote so. */
export const reportedCredential = ({ encoding }: IssuedEvents, text: string): string =>
  encoding === 'hex' ? base64url(fromHex(text) ?? new Uint8Array()) : text;

/** Everything that is known of a format without its codec. */
export interface FormatFacts extends NamedFormat {
  /** The type of a parsed credential in wallet API 2, by what it says; the name of the format when absent. */
  parsedType?(document: JsonObject): string;
  /** The member of configurations, and of requests of wallets, that names the type (OpenID4VCI appendix A). */
  typeMember: 'credential_definition' | 'vct' | 'doctype';
  /** JSONPaths of the type, in order of preference. */
  typePaths: readonly string[];
  /** What follows the name of a credential in the id of its configuration. */
  configurationSuffix: string;
  /** The versions whose name of the format it is; of all when absent. */
  generation?: 'drafts' | 'v1';
  /** What signatures are encoded in, whose names of algorithms 1.0 uses. */
  signatures: 'JOSE' | 'COSE';
  /** The rules for certificates of its issuers. */
  chainPurpose: 'sd-jwt-vc' | 'mdoc';
  /** The claim that is the country of the issuer's certificate, by its path; absent where none has to be. */
  issuingCountry?: readonly [nameSpace: string, element: string];
  /** The kinds of status lists that have entries of its credentials; the first is the default. */
  statusLists: readonly StatusListKind[];
  events: IssuedEvents;
  presentation?: PresentationFacts;
  /** Whether the id of an input descriptor is the type of its credential (ISO/IEC TS 18013-7 B.3.1.2.2). */
  isTypeDescriptorId: boolean;
  /** What claims paths of DCQL consist of where they are names alone (OpenID4VP 1.0 §7.2). */
  claimNames?: readonly string[];
  /** Claims of the document that cannot be withheld; absent in a format without selective disclosure. */
  alwaysDisclosed?: AlwaysDisclosed;
  /** Whether the certificates of an issuer's key are published without the trust anchor (HAIP 1.0 §6.1.1). */
  omitsAnchor: boolean;
}
