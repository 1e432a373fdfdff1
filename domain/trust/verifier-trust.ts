import type { IssuedCredential } from './issuer-trust.ts';
import type { TrustAnchor } from './trust-anchors.ts';
import type { BelievedList } from './trust-lists.ts';

/** Whom one verifier believes, besides the authorities of the configuration. */
export interface VerifierTrust {
  /** Certificates of authorities and signers, each with the types that it is believed for. */
  anchors: readonly TrustAnchor[];
  /** Its own lists, whose authorities it believes too; absent when the lists of the configuration are its own. */
  lists?: readonly BelievedList[];
  /** The issuers without certificates, by DID or URL, that it believes; every one when none is named. */
  issuers: readonly { issuer: string; credentialTypes?: readonly string[] }[];
}

/** The trust of a verifier that believes what the configuration says, which has no list of its own. */
export const NO_OWN_TRUST: VerifierTrust = { anchors: [], lists: [], issuers: [] };

/** The trust of the verifier of the whole server, whose own lists are those of the configuration. */
export const SERVER_TRUST: VerifierTrust = { anchors: [], issuers: [] };

/** Whether a verifier that names issuers does not name that of a credential for its type; certificates are judged by anchors. */
export function isUnlisted({ issuer, type }: IssuedCredential, { issuers }: VerifierTrust): boolean {
  if (issuers.length === 0 || issuer.kind === 'certificates') return false;
  return !issuers.some(
    ({ issuer: id, credentialTypes: types }) => id === issuer.id && (types === undefined || types.includes(type)),
  );
}
