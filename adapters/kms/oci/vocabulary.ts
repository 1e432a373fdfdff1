import type { models } from 'oci-keymanagement';
import type { KeyType } from '../../../ports/key-service.ts';

/** The shape of a key type at OCI, whose `length` is in bytes, and how it signs. */
interface Algorithm {
  shape: models.KeyShape;
  signing: models.SignDataDetails.SigningAlgorithm;
}

const algorithm = (shape: { algorithm: string; length: number; curveId?: string }, signing: string): Algorithm => ({
  shape: shape as models.KeyShape,
  signing: signing as models.SignDataDetails.SigningAlgorithm,
});

/** The key types of this backend (interface: Wallet key creation request). */
export const ALGORITHMS: Partial<Record<KeyType, Algorithm>> = {
  secp256r1: algorithm({ algorithm: 'ECDSA', length: 32, curveId: 'NIST_P256' }, 'ECDSA_SHA_256'),
  RSA: algorithm({ algorithm: 'RSA', length: 256 }, 'SHA_256_RSA_PKCS1_V1_5'),
};

/** States of a key that can sign. */
export const USABLE: ReadonlySet<string> = new Set(['ENABLED', 'UPDATING', 'BACKUP_IN_PROGRESS']);

/** States of a key that will sign soon. */
export const STARTING: ReadonlySet<string> = new Set(['CREATING', 'ENABLING']);

/** States of a key whose deletion is certain. */
export const GONE: ReadonlySet<string> = new Set(['SCHEDULING_DELETION', 'PENDING_DELETION', 'DELETING', 'DELETED']);
