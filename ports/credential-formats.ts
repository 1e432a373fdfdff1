import type { PublicJwk, Signer } from './key-service.ts';

/** Verifiable credential formats by their OpenID4VCI/OpenID4VP names. */
export type FormatName = 'jwt_vc_json';

/** A signed credential, opened but not yet verified; it names each of its parties once (see `readCredentialFacts`). */
export interface OpenedCredential {
  format: FormatName;
  header: Record<string, unknown>;
  /** The JWT claims set. */
  claims: Record<string, unknown>;
  /** The credential itself: `claims.vc` for VC 1.1, the claims for VC 2.0. */
  document: Record<string, unknown>;
  /** The last of the credential's types. */
  type: string;
  issuer: string;
  subject?: string;
  /** Whether the issuer's signature is valid under `jwk`. */
  verify(jwk: PublicJwk): Promise<boolean>;
}

/** What is to be issued: everything decided, only the format's own encoding left. */
export interface CredentialContent {
  /** The credential document after mapping. */
  document: Record<string, unknown>;
  issuer: string;
  /** The id of the one subject, or '' when there is none: several subjects, or a holder who is known by a key alone. */
  subject: string;
  /** Claims that the mapping set (`jwt:` entries). */
  claims: Record<string, unknown>;
  /** The `kid` of the protected header. */
  kid: string;
  x5c?: string[];
}

/** One credential format; signing is by callback, so every format works on every key backend. */
export interface CredentialFormat {
  readonly name: FormatName;
  issue(content: CredentialContent, signer: Signer): Promise<string>;
  /** @throws DomainError `BadRequest` when the text is not of this format or disagrees with itself. */
  open(text: string): OpenedCredential;
}

export type CredentialFormats = Partial<Record<string, CredentialFormat>>;
