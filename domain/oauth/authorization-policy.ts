import { oauthError } from '../foundation/errors.ts';
import type { ProvenKeys } from './sender-constraints.ts';

/** What an issuer demands of clients. */
export interface AuthorizationPolicy {
  /** Authorization requests are pushed (RFC 9126). */
  requiresPar: boolean;
  /** Codes have a proof key (RFC 7636). */
  requiresPkce: boolean;
  /** Clients authenticate with an attestation where they push a request and where they ask for tokens. */
  requiresAttestation: boolean;
  /** Pre-authorized codes, and the refresh tokens that come of them, need no attestation in any case. */
  acceptsAnonymousPreAuthorized?: boolean;
  /** Tokens are bound to a key (RFC 9449). */
  requiresDpop: boolean;
  /** DPoP proofs carry a nonce of the server (RFC 9449 §8). */
  requiresDpopNonce: boolean;
  /** Refresh tokens are replaced with each use. */
  rotatesRefreshTokens: boolean;
}

/** OpenID4VC High Assurance Interoperability Profile 1.0 §4, with the FAPI 2.0 security profile. */
export const HAIP_POLICY: AuthorizationPolicy = {
  requiresPar: true,
  requiresPkce: true,
  requiresAttestation: true,
  requiresDpop: true,
  requiresDpopNonce: true,
  rotatesRefreshTokens: false,
};

/** What the protocols themselves demand: wallets that are known to no issuer can ask (OpenID4VCI 1.0 §6.1). */
export const OPEN_POLICY: AuthorizationPolicy = {
  requiresPar: false,
  requiresPkce: false,
  requiresAttestation: false,
  requiresDpop: false,
  requiresDpopNonce: false,
  rotatesRefreshTokens: true,
};

/** The policies by the names that operators give them. */
export const POLICIES = {
  OPEN: { ...OPEN_POLICY, requiresPkce: true },
  HAIP: HAIP_POLICY,
} as const satisfies Record<string, AuthorizationPolicy>;

/** The name of a policy. */
export type SecurityProfile = keyof typeof POLICIES;

/**
 * Checks that a token request proves what the policy demands.
 * @throws DomainError `invalid_client` without an attestation, `invalid_request` without a DPoP proof
 */
export function checkTokenClient(policy: AuthorizationPolicy, proven: ProvenKeys): void {
  checkPushingClient(policy, proven);
  if (policy.requiresDpop && proven.dpopThumbprint === undefined)
    throw oauthError('invalid_request', 'A DPoP proof is required');
}

/** Checks that the client of a pushed request has authenticated as the policy demands. @throws DomainError `invalid_client` */
export function checkPushingClient(policy: AuthorizationPolicy, { instanceThumbprint }: ProvenKeys): void {
  if (policy.requiresAttestation && instanceThumbprint === undefined)
    throw oauthError('invalid_client', 'The client must authenticate with an attestation');
}
