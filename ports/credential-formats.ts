import type { DidKeys } from './did-keys.ts';
import type { PublicJwk, Signer } from './key-service.ts';
import type { PublishedKeys } from './published-keys.ts';

/** The name of a credential format in OpenID4VCI and OpenID4VP; the formats are rows of a table. */
export type FormatName = string;

type JsonObject = Record<string, unknown>;

/** The issuer of a credential: a DID, a URL, or the subject of a certificate chain (DER, leaf first). */
export type IssuerReference =
  | { readonly kind: 'did' | 'url'; readonly id: string }
  | { readonly kind: 'certificates'; readonly id: string; readonly chain: readonly Uint8Array[] };

/** What binds a credential to its holder: a DID, a key, or a key that was found by its DID. */
export interface HolderBinding {
  readonly did?: string;
  /** The DID URL of the only key of the DID that counts; absent when every key for authentication does. */
  readonly keyId?: string;
  readonly jwk?: PublicJwk;
}

/** One date that bounds the validity of a credential or presentation. */
export interface DateBound {
  /** The name of its member. */
  readonly key: string;
  /** Milliseconds since the epoch; undefined when the member is not a date. */
  readonly ms: number | undefined;
  /** By how many milliseconds our clock may be behind. */
  readonly toleranceMs: number;
}

/** Every date a token gives for the start and the end of its validity. */
export interface ValidityBounds {
  readonly starts: readonly DateBound[];
  readonly ends: readonly DateBound[];
}

/**
 * One member that says where the status of a credential is published; `value` is unread. One of an unknown kind is kept, so
 * that it is not taken for none.
 */
export interface StatusReference {
  readonly kind: 'credentialStatus' | 'status_list' | 'identifier_list' | 'unknown';
  readonly value: unknown;
}

/** What a credential says, in the same form for every format. */
export interface Credential {
  readonly format: FormatName;
  /** The id that the credential gives itself. */
  readonly id?: string;
  /** The most special of its types. */
  readonly type: string;
  readonly issuer: IssuerReference;
  /** The SHA-256 of what its issuer signed, in base64url: the same in every presentation, regardless of what it discloses. */
  readonly digest?: string;
  /** The id of its one subject. */
  readonly subject?: string;
  readonly holder?: HolderBinding;
  /** What paths of presentation definitions and policies see. */
  readonly claims: JsonObject;
  /** The credential as it is shown. */
  readonly document: JsonObject;
  /** The JOSE algorithm of the issuer's signature, as stated. */
  readonly alg: string;
  readonly validity: ValidityBounds;
  readonly status: readonly StatusReference[];
  /** Where the claims stand that a holder can withhold, as member names and list positions; absent when there is no choice. */
  readonly withholdable?: readonly (readonly (string | number)[])[];
}

/** Where the keys of issuers and holders are found. */
export interface KeySources {
  readonly dids: DidKeys;
  readonly issuers: PublishedKeys;
}

/**
 * Why a signature does not count: no signer with a key is named, the key id is of another DID, the signature is wrong, it
 * was made when the certificate of its signer was not valid, or a digest in it is not that of what is shown.
 */
export type SignatureRefusal = 'no-signer' | 'other-did' | 'signature' | 'certificate-period' | 'digest';

/**
 * Why the signature of a holder does not count, besides: the token is of another type, it was not signed now, the holder
 * signed nothing, or the response does not name the exchange that the holder signed.
 */
export type HolderRefusal = SignatureRefusal | 'type' | 'issued-at' | 'unsigned' | 'no-exchange';

/** A key that made a signature. */
export interface SigningKey {
  readonly jwk: PublicJwk;
  /** The DID, or the DID URL, that it was found by. */
  readonly keyId: string;
}

/** The result of a signature check; with the key where a DID names it. */
export type SignatureCheck<R = SignatureRefusal> =
  | { readonly valid: true; readonly key?: SigningKey }
  | { readonly valid: false; readonly refusal: R };

/** A credential that was parsed; its signature is unverified until `verifyIssuer` says otherwise. */
export interface ParsedCredential extends Credential {
  /** Checks that a key of the issuer signed the credential. @throws DomainError as `DidKeys.key` */
  verifyIssuer(keys: KeySources): Promise<SignatureCheck>;
}

/** A signed document of an issuer, credential or status list, of which only the issuer and the status are read. */
export interface SignedStatement extends Pick<ParsedCredential, 'claims' | 'status' | 'verifyIssuer'> {
  /** The id of the issuer; undefined when none is named. @throws DomainError `BadRequest` when the document contradicts itself */
  readIssuer(): string | undefined;
}

/**
 * How a presentation is bound to the request: it states nonce and audience, which are compared with those of the
 * request; its signature covers a transcript that is built from them; or not at all, when the holder signed nothing.
 */
type PresentationBinding =
  | { readonly kind: 'stated'; readonly nonce: unknown; readonly audience: readonly unknown[] }
  | { readonly kind: 'transcript' }
  | { readonly kind: 'none' };

/** The digests of transaction data that the holder signed, as stated (OpenID4VP 1.0 §8.4 and appendix B). */
export interface SignedTransactionData {
  readonly hashes: unknown;
  readonly algorithm: unknown;
  /** The type of each, in a format that signs by type; then their order means nothing. */
  readonly types?: readonly string[];
}

/**
 * The exchange that a session transcript of ISO 18013-5 is made for. `encryptionKey` is the SHA-256 thumbprint
 * (RFC 7638) of the key that the response is encrypted to; absent when it is not encrypted.
 */
export type Handover =
  /**
   * OpenID4VP drafts: ISO/IEC TS 18013-7 annex B.4.4. `mdocNonce` is the decoded `apu` of the encrypted response; absent
   * when the response is in the clear, which transports none.
   */
  | { kind: 'draft'; clientId: string; responseUri: string; nonce: string; mdocNonce?: string }
  /** OpenID4VP 1.0 §B.2.6.1. */
  | { kind: 'redirect'; clientId: string; responseUri: string; nonce: string; encryptionKey?: Uint8Array }
  /** OpenID4VP 1.0 §B.2.6.2: the Digital Credentials API. */
  | { kind: 'dc-api'; origin: string; nonce: string; encryptionKey?: Uint8Array }
  /** ISO/IEC TS 18013-7:2025 annex C.5; `encryptionInfo` is the text in base64url. */
  | { kind: 'iso-dc-api'; origin: string; encryptionInfo: string };

/** What a presentation says, in the same form for every format. */
export interface Presentation extends Pick<Credential, 'type' | 'claims' | 'document' | 'alg' | 'validity'> {
  /** The name of the presentation format, such as `jwt_vp_json`. */
  readonly format: FormatName;
  /** The DID or id of the holder, by the presentation's own account. */
  readonly holder?: string;
  readonly binding: PresentationBinding;
  /** What names the holder, whose key signs: the presentation itself, or the credentials in it. */
  readonly holderFrom: 'presentation' | 'credentials';
  readonly transactionData?: SignedTransactionData;
  readonly credentials: readonly ParsedCredential[];
}

/** What a presentation was requested with, and when it arrived. */
export interface PresentationChallenge extends KeySources {
  nonce: string;
  audience: string;
  /** Absent when the request can be answered in no format with a session transcript. */
  handover?: Handover;
  /** Milliseconds since the epoch. */
  now: number;
  /** How long ago it may have been signed, in milliseconds. */
  maxAgeMs: number;
}

/** A presentation that was parsed; its signature is unverified until `verifyHolder` says otherwise. */
export interface ParsedPresentation extends Presentation {
  /**
   * Checks that a key of the holder signed the presentation, and with the binding `transcript` that it was signed for
   * this exchange. @throws DomainError as `DidKeys.key`
   */
  verifyHolder(challenge: PresentationChallenge): Promise<SignatureCheck<HolderRefusal>>;
}

/**
 * Which members of a document the holder may withhold, and with how many decoy digests: `decoys` (`FIXED`), from 1 to
 * `decoys` (`RANDOM`), or none. `fields` are named by the members of an object, or by the positions in a list from `0`.
 */
export interface DisclosureFrame {
  fields: Record<string, { sd: boolean; children?: DisclosureFrame }>;
  decoyMode?: 'NONE' | 'FIXED' | 'RANDOM';
  decoys?: number;
}

/** How a text of an mdoc is written where its element is no text. */
export type ElementConversion =
  | 'stringToFullDate'
  | 'stringToTDate'
  | 'base64StringToByteString'
  | 'base64UrlStringToByteString';

/** The CBOR type of a value of an mdoc: of a text, of the members of an object, or of the items of a list by their places. */
export interface ElementType {
  conversion?: ElementConversion;
  members?: ElementTypes;
  items?: ElementType[];
}

/** Types by names: of namespaces, or of the members in one. */
export type ElementTypes = Readonly<Record<string, ElementType>>;

/** What is to be issued; only the format's own encoding is left to do. */
export interface CredentialContent {
  /** The `vct` or document type; absent in a format whose document names its types. */
  type?: string;
  /** After mapping: a W3C credential, the claims of an SD-JWT VC, or element values of an mdoc by namespace. */
  document: JsonObject;
  /** The DID or the URL of the issuer. */
  issuer: string;
  holder: HolderBinding;
  /** Claims of the token that the mapping set (`jwt:` entries). */
  claims: JsonObject;
  selectiveDisclosure?: DisclosureFrame;
  /** Milliseconds since the epoch. */
  issuedAt: number;
  /** Where the status will be published, as the caller wrote it. */
  status?: unknown;
  /** For how many days from `issuedAt` an mdoc is valid; 365 when absent. */
  validityDays?: number;
  /** The types of transaction data that the holder's key of an mdoc may sign (OpenID4VP 1.0 annex B.2). */
  transactionDataTypes?: string[];
  /** The types of elements of an mdoc by namespace, where they are not those that the namespace has. */
  elementTypes?: ElementTypes;
  /** The key id of the issuer's key: a DID URL, or for a URL the id in its key set. */
  kid: string;
  /** The certificate chain, base64 DER, leaf first (RFC 7515 §4.1.6). */
  x5c?: string[];
}

/** A credential to present. */
export interface CredentialToPresent {
  /** As it was issued. */
  document: string;
  /** The withholdable claims to show, by member names and list positions, with everything below them; all when absent. */
  disclosed?: readonly (readonly (string | number)[])[];
}

/** What is to be presented. */
export interface PresentationContent {
  /** A fresh id for the presentation. */
  id: string;
  credentials: readonly CredentialToPresent[];
  holder: { did: string; kid: string };
  nonce: string | undefined;
  audience: string | undefined;
  /** What a session transcript is made for; needed by formats that have one. */
  handover?: Handover;
  /** Digests of transaction data to sign, the type of each, and the name of their algorithm when the request named one. */
  transactionData?: { hashes: string[]; types: string[]; algorithm?: string };
  /** Milliseconds since the epoch. */
  now: number;
}

/** One credential format; signing is by callback, so every format works on every key backend. */
export interface CredentialFormat {
  /** Signs a credential. @throws DomainError `BadRequest` when `parse` would reject the result */
  issue(content: CredentialContent, signer: Signer): Promise<string>;
  /** @throws DomainError `BadRequest` when the text is not of this format or contradicts itself */
  parse(text: string): Promise<ParsedCredential>;
}

/** Parses credentials and status lists as documents of an issuer; `name` begins the messages. */
export interface StatementFormat {
  /** @throws DomainError `BadRequest` when the text is not of this format */
  parseStatement(text: string, name: string): SignedStatement;
}

/** How much of a presentation is shown: what it says, or also its encoding, signatures and digests. */
export type ViewMode = 'simple' | 'verbose';

/** A presentation as it is shown, with the name of its form. */
export type PresentationView = JsonObject & { type: string };

/** The presentations of one credential format. */
export interface PresentationFormat {
  /** Whether a text has the outer form of these presentations. */
  isPresentation(text: string): boolean;
  /**
   * A credential that is presented without a signature of its holder; absent in a format that always has one.
   * @throws DomainError `BadRequest` when it cannot be read
   */
  standAlone?(credential: CredentialToPresent): string;
  /** Signs a presentation of credentials of this format. @throws DomainError `BadRequest` when they cannot be presented so */
  present(content: PresentationContent, signer: Signer): Promise<string>;
  /** Parses one presentation of a `vp_token`. @throws DomainError `BadRequest` naming the part that is wrong */
  parsePresentation(text: string): Promise<ParsedPresentation>;
  /**
   * One presentation of a `vp_token` as it is shown to the verifier; nothing of it is verified. Absent in a format
   * whose presentations cannot be shown. @throws DomainError `BadRequest` as `parsePresentation`
   */
  view?(text: string, mode: ViewMode): Promise<PresentationView>;
}
