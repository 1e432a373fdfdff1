/** The key types of the contract (interface: Key creation request). */
export type KeyType = 'Ed25519' | 'secp256k1' | 'secp256r1' | 'secp384r1' | 'secp521r1' | 'RSA' | 'RSA3072' | 'RSA4096';

/** The key backends (decisions §1). */
export type Backend = 'jwk' | 'kmsa-rest-api' | 'kmsb-rest-api' | 'kmsc-rest-api';

/** A public JSON Web Key (RFC 7517) of one of our key types. */
export interface PublicJwk {
  kty: 'EC' | 'OKP' | 'RSA';
  crv?: string;
  kid?: string;
  x?: string;
  y?: string;
  n?: string;
  e?: string;
}

/** A reference to a key of a backend. `config` may contain secrets: it is never listed, logged or part of an error. */
export interface KeyReference {
  backend: Backend;
  /** The key's identifier at the backend; the RFC 7638 thumbprint for `jwk`. */
  id: string;
  keyType: KeyType;
  publicJwk: PublicJwk;
  config: Record<string, unknown>;
}

/** A key that can sign; the private key stays in its backend. */
export interface Signer {
  keyType: KeyType;
  publicJwk: PublicJwk;
  /** A raw JOSE signature over `data` (ECDSA as r‖s). */
  sign(data: Uint8Array): Promise<Uint8Array>;
}

/** The keys of one backend. */
export interface KeyService {
  readonly backend: Backend;
  /** @throws DomainError `BadRequest` before anything is created when the type or the config does not fit. */
  create(request: { keyType: KeyType; config?: Record<string, unknown>; name?: string }): Promise<KeyReference>;
  /** Reads a key reference of the wire (`type` already resolved), fetching what was left out. */
  read(reference: Record<string, unknown>): Promise<KeyReference>;
  /** The key reference in the contract's shape for this backend. */
  write(reference: KeyReference): Record<string, unknown>;
  signer(reference: KeyReference): Signer;
  /** Deletes the key in its backend, or schedules its deletion. */
  remove(reference: KeyReference): Promise<void>;
}

/** All backends of this installation. */
export type KeyServices = Partial<Record<Backend, KeyService>>;
