import type { IssuedCredential } from './issuer-trust.ts';
import type { TrustAnchor } from './trust-anchors.ts';

/** Whom one verifier believes, besides the authorities of the configuration. */
export interface VerifierTrust {
  /** Certificates of authorities and signers, each with the types that it is believed for. */
  anchors: readonly TrustAnchor[];
  /** Why lists that anchors should come from could not be read, as sentences. */
  missing: readonly string[];
  /** The issuers without certificates, by DID or URL, that it believes; every one when none is named. */
  issuers: readonly { issuer: string; credentialTypes?: readonly string[] }[];
}

/** The trust of a verifier that believes what the configuration says. */
export const NO_OWN_TRUST: VerifierTrust = { anchors: [], missing: [], issuers: [] };

/** Whether a verifier that names issuers does not name that of a credential for its type; certificates are judged by anchors. */
export function isUnlisted({ issuer, type }: IssuedCredential, { issuers }: VerifierTrust): boolean {
  if (issuers.length === 0 || issuer.kind === 'certificates') return false;
  return !issuers.some(
    ({ issuer: id, credentialTypes: types }) => id === issuer.id && (types === undefined || types.includes(type)),
  );
}
