import type { PublicJwk } from './key-service.ts';

/** A key of a JWK Set (RFC 7517 §5). */
export interface PublishedKey {
  readonly kid?: string;
  readonly jwk: PublicJwk;
}

/** Finds the keys that the issuer of a credential publishes at its URL. */
export interface PublishedKeys {
  /**
   * Returns the signature keys of an issuer (SD-JWT VC §4); other keys are left out.
   * @throws DomainError `BadRequest` when its metadata is not acceptable, `AddressRefused`, `UpstreamFailed` or
   * `UpstreamTimeout` when it cannot be fetched
   */
  keys(issuer: string): Promise<readonly PublishedKey[]>;
}
