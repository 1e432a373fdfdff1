import { oauthError, resourceError, type TokenScheme } from '../foundation/errors.ts';

/** The keys that a request proves, by their thumbprints: of its DPoP proof, and of the attested client instance. */
export interface ProvenKeys {
  dpopThumbprint?: string;
  instanceThumbprint?: string;
}

const NAMES: Record<keyof ProvenKeys, string> = {
  dpopThumbprint: 'DPoP proof',
  instanceThumbprint: 'client attestation',
};

/**
 * Checks that a token request proves the keys that a code or a refresh token is bound to (RFC 9449 §5 and §10,
 * attestation-based client authentication §10.3). @throws DomainError `invalid_grant`
 */
export function checkBoundKeys(bound: ProvenKeys, proven: ProvenKeys): void {
  for (const name of ['dpopThumbprint', 'instanceThumbprint'] as const)
    if (bound[name] !== undefined && bound[name] !== proven[name])
      throw oauthError(
        'invalid_grant',
        `The grant is bound to a key, and the ${NAMES[name]} is missing or of another key`,
      );
}

/** How an access token was presented. */
interface Presentation {
  scheme: TokenScheme;
  /** The thumbprint of the key of the DPoP proof. */
  dpopThumbprint?: string;
}

/** An access token as a client presented it. */
export interface PresentedToken extends Presentation {
  token: string;
}

/**
 * Checks that an access token was presented as it is bound: one that is bound to a key with the scheme DPoP and a proof of
 * that key, any other with the scheme Bearer (RFC 9449 §7.1, §7.2). @throws DomainError `invalid_token`
 */
export function checkPresentation(bound: string | undefined, { scheme, dpopThumbprint }: Presentation): void {
  if (bound === undefined && scheme === 'Bearer') return;
  if (bound === undefined)
    throw resourceError('invalid_token', 'The access token is not bound to a key: the scheme is Bearer');
  if (scheme !== 'DPoP') throw resourceError('invalid_token', 'The access token is bound to a key: the scheme is DPoP');
  if (dpopThumbprint !== bound)
    throw resourceError('invalid_token', 'The DPoP proof is of another key than the access token');
}
