import type { PublicJwk } from '../key-service.ts';

/** A proof of possession in CWT form; its signature is unverified. */
export interface CwtProof {
  /** The content type of the protected header (RFC 9052 §3.1). */
  readonly contentType: unknown;
  /** The key of the header `COSE_Key`; the credential is bound to it. */
  readonly jwk: PublicJwk;
  /** The JOSE name of the algorithm. */
  readonly alg: string;
  /** The registered claims and the nonce (RFC 8392 §3.1) by their JWT names. */
  readonly claims: Record<string, unknown>;
  readonly signingInput: Uint8Array;
  readonly signature: Uint8Array;
}

/** Parses proofs of possession in CWT form (OpenID4VCI draft 13 §7.2.1.3). */
export interface CwtProofs {
  /** @throws DomainError `BadRequest` when the text is not a signed CWT in base64url with the header `COSE_Key` */
  parse(text: string): Promise<CwtProof>;
}
