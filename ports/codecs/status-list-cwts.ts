import type { Signer } from '../key-service.ts';

/** The content of a Token Status List as a CWT; times in seconds. */
export interface StatusListClaims {
  /** The URL of the list. */
  sub: string;
  iss: string;
  iat: number;
  exp: number;
  ttl: number;
  /** Bits of one status. */
  bits: number;
  /** The compressed statuses. */
  lst: Uint8Array;
  kid: string;
  /** The certificate chain, base64 DER, leaf first. */
  x5c?: string[];
}

/** Creates Token Status Lists as CWTs (draft-ietf-oauth-status-list-21 §5.2). */
export interface StatusListCwts {
  /** @throws DomainError as `Signer.sign` */
  sign(claims: StatusListClaims, signer: Signer): Promise<Uint8Array>;
}
