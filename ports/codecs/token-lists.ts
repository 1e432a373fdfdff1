import type { ParsedCertificate } from '../certificates.ts';
import type { KeySources, SignedStatement } from '../credential-formats.ts';

/** Who signed a Token Status List: the issuer that it names, whose key was looked up, or the holder of a certificate's key. */
export interface ListSignature {
  /** A DID or a URL. */
  issuer?: string;
  /** The certificate of the key and those above it, leaf first; not validated. */
  chain?: readonly ParsedCertificate[];
}

/** What a list has: statuses by index (draft-ietf-oauth-status-list-21), or identifiers of what is revoked (ISO 18013-5 second edition §12.3.6.4). */
export type TokenListKind = 'status_list' | 'identifier_list';

/** A Token Status List or an identifier list; its signature is unverified until `verify` says otherwise. */
export interface SignedTokenList {
  /** With the names of a JWT, also those of a CWT; `lst` and the list of `identifiers` in base64url. */
  readonly claims: SignedStatement['claims'];
  /** Who signed it; undefined when no signer that it names did. @throws DomainError as `DidKeys.key` */
  verify(keys: KeySources): Promise<ListSignature | undefined>;
}

/** Parses Token Status Lists (draft-ietf-oauth-status-list-21 §5) and identifier lists, which are CWTs. */
export interface TokenLists {
  /** A JWT, or the bytes of a CWT. @throws DomainError `BadRequest` when it is neither, or of another kind */
  parse(body: string | Uint8Array, kind: TokenListKind): Promise<SignedTokenList>;
}
