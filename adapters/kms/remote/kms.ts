import type { Backend, KeyType, PublicJwk } from '../../../ports/key-service.ts';

/** A key to create in a key management service. */
export interface WantedKmsKey {
  keyType: KeyType;
  /** The owner's name for the key, which others may have too. */
  name?: string;
  /** The name at the service that the configuration demands. */
  uniqueName?: string;
  tags: Readonly<Record<string, string>>;
  /** The request that the key is for; services whose keys have no tags may have it in the key's name. */
  requestId?: string;
}

/** What is signed: a digest of the key type's algorithm, or the data of one that hashes by itself (Ed25519). */
export interface DigestToSign {
  id: string;
  keyType: KeyType;
  digest: Uint8Array;
}

/**
 * A connection to a key management service with one set of credentials. Each method makes one attempt, without retries.
 * @throws KmsFailure, DomainError of the network guard
 */
export interface KmsConnection {
  /**
   * Creates a key for signing; returns the public key too, when the service returns it at once. The reply is awaited
   * `LATE_CREATION_MS` longer than others.
   */
  create(wanted: WantedKmsKey): Promise<{ id: string; publicJwk?: PublicJwk }>;
  publicKey(id: string): Promise<PublicJwk>;
  /** A raw JOSE signature of a digest (ECDSA as r‖s, sized by the curve). */
  sign(wanted: DigestToSign): Promise<Uint8Array>;
  /** Deletes the key or schedules its deletion. */
  remove(id: string): Promise<void>;
}

/** A key management service of one vendor. */
export interface Kms {
  readonly backend: Exclude<Backend, 'jwk'>;
  /**
   * Checks a configuration without a call: keys that cannot be parsed, endpoints that may not be called.
   * @throws DomainError `BadRequest`, `AddressRefused` naming the member below `config`
   */
  check(config: Record<string, unknown>): void;
  /** An id of the right form that no key has. */
  absentKey(config: Record<string, unknown>): string;
  /** Returns a connection with the credentials of a configuration; loads the vendor's library at the first call. */
  connect(config: Record<string, unknown>): Promise<KmsConnection>;
  /** Ends what connections share. */
  close?(): void;
}

/** Why a key management service did not do what it was asked. */
export type KmsFault =
  /** The credentials are refused, or do not permit the operation. */
  | 'credentials'
  /** There is no such key. */
  | 'unknown-key'
  /** The key is disabled, is being deleted, or cannot sign. */
  | 'unusable-key'
  /** Another part of the request is refused. */
  | 'request'
  /** Too many requests; the operation did not take place. */
  | 'throttled'
  /** The service failed; the operation may have taken place. */
  | 'unavailable';

/** A refusal or a failure of a key management service. `reason` is the service's own text and may quote the request. */
export class KmsFailure extends Error {
  readonly fault: KmsFault;
  readonly reason: string;

  constructor(fault: KmsFault, reason: string, cause?: unknown) {
    super(`${fault}: ${reason}`, { cause });
    this.name = 'KmsFailure';
    this.fault = fault;
    this.reason = reason;
  }
}
