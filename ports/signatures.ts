import type { PublicJwk } from './key-service.ts';

/** Verifies signatures with public keys; imported keys are cached by thumbprint. */
export interface Signatures {
  /**
   * Whether `signature` is a valid JOSE signature (ECDSA as r‖s) of `data` under `alg`, and `alg` fits the key.
   * Returns false for a key that cannot be used.
   */
  verify(check: { alg: string; jwk: PublicJwk; data: Uint8Array; signature: Uint8Array }): Promise<boolean>;
}
