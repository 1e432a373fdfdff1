import { DomainError } from '../../foundation/errors.ts';
import { thumbprint } from '../../jose/jwk.ts';
import type { Holder } from '../protocol.ts';
import type { Proven } from './holder-proofs.ts';

/** The holders of the proofs for one credential, each key once: several proofs may carry one key attestation. */
export function holdersOf(proven: readonly Proven[]): Holder[] {
  const byKey = new Map<string, Holder>();
  for (const holder of proven.flatMap(({ holders }) => holders)) {
    const key = thumbprint(holder.jwk);
    // The proof of a key says how its holder is named, and an attestation does not.
    if (!byKey.has(key) || holder.did !== undefined) byKey.set(key, holder);
  }
  return [...byKey.values()];
}

/** What the proofs for one credential must be together. */
interface SetRules {
  /** Without one their number is bounded elsewhere. */
  batchSize?: number;
  /** The thumbprint of the only key that gets the credential; any key when absent. */
  holderKey?: string;
}

/** What is wrong with the proofs for one credential together. */
export function setViolation(
  proven: readonly Proven[],
  { batchSize = Number.POSITIVE_INFINITY, holderKey }: SetRules,
): DomainError | undefined {
  const signers = proven.flatMap(({ signer }) => (signer ? [thumbprint(signer)] : []));
  if (new Set(signers).size < signers.length)
    return new DomainError('BadRequest', 'proof: each proof must be of another key');
  if (holderKey !== undefined && holdersOf(proven).some(({ jwk }) => thumbprint(jwk) !== holderKey))
    return new DomainError('BadRequest', 'proof: the credential is offered to another key');
  if (holdersOf(proven).length <= batchSize) return undefined;
  return new DomainError('BadRequest', `proofs: at most ${batchSize} keys are taken at once`);
}
