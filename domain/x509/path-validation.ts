import type { ParsedCertificate } from '../../ports/certificates.ts';
import { authorityViolation, certificateViolation } from './certificate-rules.ts';
import {
  isSameName,
  isSelfIssued,
  type NameRules,
  NO_NAME_RULES,
  nameViolation,
  withConstraintsOf,
} from './name-constraints.ts';

/** The longest chain that is validated (decisions §3). */
export const MAX_CHAIN_LENGTH = 10;

const NOT_SIGNED = 'is not signed by the key of its issuer';

/** The chain as it was presented, leaf first, and what it is validated against. */
interface PathValidationInput {
  chain: readonly ParsedCertificate[];
  anchors: readonly ParsedCertificate[];
  /** Milliseconds since the epoch. */
  now: number;
  signedBy(certificate: ParsedCertificate, issuer: ParsedCertificate): boolean;
}

/** `reason` is safe for callers and names a certificate by its position in the chain, the leaf being 1. */
export type PathValidationResult = { valid: true } | { valid: false; reason: string };

/** The anchor that a path ends at and the certificates below it, leaf first; or why there is none. */
type FoundPath =
  | { anchor: ParsedCertificate; path: readonly ParsedCertificate[] }
  | { reason: string; reachesAnchor: boolean };

/**
 * Validates a path (RFC 5280 §6.1) from the anchor down to the leaf in exactly the given order. The anchor's own
 * validity and constraints apply too (RFC 5937): it makes no difference whether the chain contains the anchor.
 */
export function validatePath(input: PathValidationInput): PathValidationResult {
  const found = findPath(input);
  return 'anchor' in found ? { valid: true } : { valid: false, reason: found.reason };
}

/** Finds the anchor of a path, by the same rules; `reachesAnchor` says that an anchor signed it and another rule is violated. */
export function findPath(input: PathValidationInput): FoundPath {
  const reason = listViolation(input.chain);
  return reason === undefined ? pathBelowAnchor(input) : { reason, reachesAnchor: false };
}

/** Returns why `certificate` may not be trusted as an anchor at `now`, or undefined. */
export const checkAnchor = (certificate: ParsedCertificate, now: number): string | undefined =>
  certificateViolation(certificate, now) ?? authorityViolation(certificate);

function listViolation(chain: readonly ParsedCertificate[]): string | undefined {
  if (chain.length === 0 || chain.length > MAX_CHAIN_LENGTH)
    return `the chain must have 1 to ${MAX_CHAIN_LENGTH} certificates`;
  const seen = new Set<string>();
  for (const [index, { fingerprint }] of chain.entries()) {
    if (seen.has(fingerprint)) return `certificate ${index + 1} is in the chain twice`;
    seen.add(fingerprint);
  }
  return undefined;
}

/** Tries each anchor that may have issued the last certificate: there are several while an anchor is renewed. */
function pathBelowAnchor(input: PathValidationInput): FoundPath {
  const { anchors, signedBy } = input;
  const path = withoutAnchor(input.chain, anchors);
  const top = path.at(-1);
  const named = anchors.filter(({ subject }) => top !== undefined && isSameName(top.issuer, subject));
  const issuers = named.filter((anchor) => top !== undefined && signedBy(top, anchor));
  let reason = `certificate ${path.length} ${named.length === 0 ? 'was not issued by a trusted certificate authority' : NOT_SIGNED}`;
  for (const anchor of issuers) {
    const violation = validateDownwards({ ...input, chain: path }, anchor);
    if (violation === undefined) return { anchor, path };
    reason = violation;
  }
  return { reason, reachesAnchor: issuers.length > 0 };
}

/** An anchor at the end of the chain is not part of the path (RFC 5280 §6.1), unless the chain is the anchor alone. */
function withoutAnchor(
  chain: readonly ParsedCertificate[],
  anchors: readonly ParsedCertificate[],
): readonly ParsedCertificate[] {
  const last = chain.at(-1);
  return chain.length > 1 && anchors.some(({ fingerprint }) => fingerprint === last?.fingerprint)
    ? chain.slice(0, -1)
    : chain;
}

/** The working state of RFC 5280 §6.1.2. */
interface State {
  issuer: ParsedCertificate;
  /** How many more certificates that are not self-issued may come before the leaf. */
  maxPathLength: number;
  names: NameRules;
}

function validateDownwards(
  { chain, now, signedBy }: PathValidationInput,
  anchor: ParsedCertificate,
): string | undefined {
  const anchorViolation = checkAnchor(anchor, now);
  if (anchorViolation !== undefined) return `the trust anchor ${anchorViolation}`;
  let state = below(anchor, { issuer: anchor, maxPathLength: Number.POSITIVE_INFINITY, names: NO_NAME_RULES });
  for (const [index, certificate] of [...chain.entries()].reverse()) {
    const isLeaf = index === 0;
    const violation =
      certificateViolation(certificate, now) ??
      chainingViolation(certificate, state, signedBy) ??
      (isLeaf || !isSelfIssued(certificate) ? nameViolation(state.names, certificate) : undefined) ??
      (isLeaf ? undefined : (authorityViolation(certificate) ?? lengthViolation(certificate, state)));
    if (violation !== undefined) return `certificate ${index + 1} ${violation}`;
    state = below(certificate, { ...state, maxPathLength: remaining(certificate, state) });
  }
  return undefined;
}

function chainingViolation(
  certificate: ParsedCertificate,
  { issuer }: State,
  signedBy: PathValidationInput['signedBy'],
): string | undefined {
  if (certificate.issuer.rdns.length === 0) return 'names no issuer';
  if (!isSameName(certificate.issuer, issuer.subject)) return 'names another issuer than the certificate after it';
  return signedBy(certificate, issuer) ? undefined : NOT_SIGNED;
}

const lengthViolation = (certificate: ParsedCertificate, { maxPathLength }: State): string | undefined =>
  maxPathLength === 0 && !isSelfIssued(certificate) ? 'makes the path longer than its issuer allows' : undefined;

/** Self-issued certificates do not count (RFC 5280 §6.1.4 (l)). */
const remaining = (certificate: ParsedCertificate, { maxPathLength }: State): number =>
  isSelfIssued(certificate) ? maxPathLength : maxPathLength - 1;

const below = (issuer: ParsedCertificate, state: State): State => ({
  issuer,
  maxPathLength: Math.min(state.maxPathLength, issuer.basicConstraints?.pathLength ?? Number.POSITIVE_INFINITY),
  names: withConstraintsOf(state.names, issuer),
});
