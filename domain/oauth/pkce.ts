import { equalInConstantTime, fingerprint, fromBase64url } from '../foundation/bytes.ts';
import { oauthError } from '../foundation/errors.ts';

/** The one method of proof keys that is accepted; `plain` shows the verifier to all who see the request (RFC 9700 §2.1.1). */
export const CODE_CHALLENGE_METHOD = 'S256';

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
const CHALLENGE_BYTES = 32;

/** The parameters of an authorization request that are its proof key (RFC 7636 §4.3). */
interface ProofKey {
  challenge: string | undefined;
  method: string | undefined;
}

/** Reads the code challenge of an authorization request. @throws DomainError `invalid_request` (RFC 7636 §4.4.1) */
export function readCodeChallenge({ challenge, method }: ProofKey): string | undefined {
  if (challenge === undefined && method === undefined) return undefined;
  // Without a method the challenge would be of the method plain (RFC 7636 §4.3).
  if (method !== CODE_CHALLENGE_METHOD)
    throw oauthError('invalid_request', `The code_challenge_method must be ${CODE_CHALLENGE_METHOD}`);
  if (challenge === undefined || fromBase64url(challenge)?.length !== CHALLENGE_BYTES)
    throw oauthError('invalid_request', 'The code_challenge must be a SHA-256 digest as base64url');
  return challenge;
}

/** The challenge of a verifier (RFC 7636 §4.2). */
export const codeChallenge = (verifier: string): string => fingerprint(verifier);

/**
 * Checks the verifier of a token request; one without a challenge is refused too, since an attacker may have removed the
 * challenge (RFC 9700 §4.8.2). @throws DomainError `invalid_grant` (RFC 7636 §4.6)
 */
export function checkCodeVerifier(verifier: string | undefined, challenge: string | undefined): void {
  if (verifier === undefined && challenge === undefined) return;
  if (challenge === undefined) throw oauthError('invalid_grant', 'The authorization request had no code_challenge');
  if (verifier === undefined || !VERIFIER.test(verifier))
    throw oauthError('invalid_grant', 'A code_verifier of 43 to 128 unreserved characters is required');
  if (!equalInConstantTime(codeChallenge(verifier), challenge))
    throw oauthError('invalid_grant', 'The code_verifier does not fit the code_challenge');
}
