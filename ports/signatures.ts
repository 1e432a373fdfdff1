import type { PublicJwk } from './key-service.ts';

/** Checks signatures with public keys; imported keys are kept by thumbprint. */
export interface Signatures {
  /**
   * Whether `signature` is a valid JOSE signature (ECDSA as r‖s) of `data` under `alg`, and `alg` fits the key.
   * A key that cannot be used gives false.
   */
  verify(check: { alg: string; jwk: PublicJwk; data: Uint8Array; signature: Uint8Array }): Promise<boolean>;
}
