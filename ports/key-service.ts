import type { Turn } from './turn.ts';

/** The key types of the contract (interface: Key creation request). */
export type KeyType = 'Ed25519' | 'secp256k1' | 'secp256r1' | 'secp384r1' | 'secp521r1' | 'RSA' | 'RSA3072' | 'RSA4096';

/** The key backends (decisions §1). */
export type Backend = 'jwk' | 'kmsa-rest-api' | 'kmsb-rest-api' | 'kmsc-rest-api' | 'tse' | 'pkcs11';

/** A public JSON Web Key (RFC 7517) of one of our key types. */
export interface PublicJwk {
  kty: 'EC' | 'OKP' | 'RSA';
  crv?: string;
  kid?: string;
  /** The only algorithm that it is for; every one of its type when absent. */
  alg?: string;
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
  /** As the backend's row of `BACKENDS` reads it; the private members of the JWK for `jwk`. */
  config: Record<string, unknown>;
}

/** A key to create; `config` is what the backend's row of `BACKENDS` read. */
export interface NewKey {
  keyType: KeyType;
  config: Record<string, unknown>;
  name?: string;
  /** Absent for keys of the server itself. */
  turn?: Turn;
}

/** A key that exists at its backend. */
export interface ExistingKey {
  id: string;
  config: Record<string, unknown>;
  /** The public key that the reference states. */
  publicJwk?: PublicJwk;
}

/** A key that can sign; the private key stays in its backend. */
export interface Signer {
  keyType: KeyType;
  publicJwk: PublicJwk;
  /**
   * A raw JOSE signature over `data` (ECDSA as r‖s).
   * @throws DomainError `BadRequest` when the backend refuses the credentials or the key, `UpstreamFailed`, `UpstreamTimeout`
   */
  sign(data: Uint8Array): Promise<Uint8Array>;
}

/** The keys of one backend. Errors about `config` and `id` name their members below these names. */
export interface KeyService {
  readonly backend: Backend;
  /** @throws DomainError `BadRequest` before anything is created when the configuration does not fit; also as `Signer.sign` */
  create(request: NewKey): Promise<KeyReference>;
  /**
   * Returns the public key of an existing key: the stated one without a call to the backend, else the fetched one.
   * @throws DomainError `BadRequest` when the configuration does not fit, or a local key is not a pair; also as `Signer.sign`
   */
  publicKey(key: ExistingKey): Promise<PublicJwk>;
  signer(reference: KeyReference): Signer;
  /** Deletes the key in its backend, or schedules its deletion; a key that is already being deleted is no error. */
  remove(reference: KeyReference): Promise<void>;
  /** Ends what the backend holds open. */
  close(): Promise<void>;
}

/** All backends of this installation. */
export type KeyServices = Partial<Record<Backend, KeyService>>;
