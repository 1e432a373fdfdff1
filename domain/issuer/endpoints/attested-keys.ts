import { DomainError, oauthError } from '../../foundation/errors.ts';
import type { AttesterParts, TrustedAttesters } from '../../oauth/attesters.ts';
import { type KeyAttestation, protectionViolation, verifyKeyAttestation } from '../../oauth/key-attestations.ts';
import { type ProofRule, type ProofType, proofRule } from '../configurations/proof-types.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import { VERSIONS } from '../versions.ts';

/** What an issuer demands of the proofs for one of its configurations. */
export interface ProofDemands {
  attesters?: TrustedAttesters;
  /** @throws DomainError `BadRequest` when proofs of this type are not taken */
  rule(type: ProofType): ProofRule;
}

/**
 * What is demanded for a configuration; undefined in versions without attestations.
 * @throws DomainError `unknown_credential_configuration` when there is no such configuration any more
 */
export function proofDemands(issuer: CredentialIssuer, configurationId: string): ProofDemands | undefined {
  if (!VERSIONS[issuer.version].attestations) return undefined;
  const configuration = issuer.configurations.get(configurationId);
  if (!configuration)
    throw oauthError('unknown_credential_configuration', 'The issuer does not issue this credential any more');
  return {
    attesters: issuer.keyAttesters,
    rule: (type) => {
      const rule = proofRule(configuration, type);
      if (rule) return rule;
      throw new DomainError('BadRequest', `proofs: proofs of the type ${type} are not taken for this credential`);
    },
  };
}

/**
 * Verifies the key attestation of a proof (OpenID4VCI 1.0 appendix D.1): who made it, when, with which algorithm, and how
 * well the keys are protected. @throws DomainError `BadRequest`
 */
export async function verifyAttestedKeys(
  text: string,
  { type, demands }: { type: ProofType; demands: ProofDemands },
  parts: AttesterParts,
): Promise<KeyAttestation> {
  const { attesters: trusted = { keys: [], anchors: [] } } = demands;
  const { algorithms, protection = {} } = demands.rule(type);
  const attestation = await verifyKeyAttestation(text, { trusted, requiresEnd: type === 'jwt' }, parts);
  const violation = algorithms.includes(attestation.alg)
    ? protectionViolation(attestation, protection)
    : `must be signed with one of: ${algorithms.join(', ')}`;
  if (violation === undefined) return attestation;
  throw new DomainError('BadRequest', `The key attestation ${violation}`);
}
