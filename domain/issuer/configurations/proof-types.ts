import { isObject, type JsonObject } from '../../foundation/json.ts';
import { ALGORITHMS } from '../../jose/key-types.ts';
import type { KeyProtection } from '../../oauth/key-attestations.ts';
import type { CredentialConfiguration } from '../credential-configuration.ts';

/** The proof types of OpenID4VCI 1.0 that are verified here (appendix F). */
export const PROOF_TYPES = ['jwt', 'attestation'] as const;

export type ProofType = (typeof PROOF_TYPES)[number];

/** What a configuration demands of the proofs of one type (§12.2.4). */
export interface ProofRule {
  /** The algorithms of proofs and key attestations. */
  algorithms: readonly string[];
  /** How well the keys must be protected; absent when no key attestation is demanded. */
  protection?: KeyProtection;
}

/** The proof types as 1.0 publishes them: those of the drafts are left out, and `jwt` stands when no other is left. */
export function v1ProofTypes({ proofTypes }: Pick<CredentialConfiguration, 'proofTypes'>): JsonObject {
  const known = PROOF_TYPES.filter((type) => isObject(proofTypes[type]));
  if (known.length === 0) return { jwt: { proof_signing_alg_values_supported: ALGORITHMS } };
  return Object.fromEntries(known.map((type) => [type, proofTypes[type]]));
}

/** The rule for the proofs of one type; undefined when the configuration does not take them. */
export function proofRule(
  configuration: Pick<CredentialConfiguration, 'proofTypes'>,
  type: ProofType,
): ProofRule | undefined {
  const written = v1ProofTypes(configuration)[type];
  if (!isObject(written)) return undefined;
  const { proof_signing_alg_values_supported: algorithms, key_attestations_required: required } = written;
  const rule = { algorithms: (algorithms as unknown[]).map(String) };
  if (!isObject(required)) return rule;
  const { key_storage: keyStorage, user_authentication: userAuthentication } = required as Record<string, string[]>;
  return { ...rule, protection: { keyStorage, userAuthentication } };
}

/** Whether a configuration can be had only with key attestations, or reads them: not for the drafts, which have none. */
export const readsAttestations = ({ proofTypes }: Pick<CredentialConfiguration, 'proofTypes'>): boolean =>
  Object.values(proofTypes).some((one) => isObject(one) && one.key_attestations_required !== undefined) ||
  proofTypes.attestation !== undefined;
