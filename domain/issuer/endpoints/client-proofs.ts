import { oauthError, resourceError } from '../../foundation/errors.ts';
import type { AccessTokens } from '../../oauth/access-tokens.ts';
import { OPEN_POLICY } from '../../oauth/authorization-policy.ts';
import type { ClientAttestations } from '../../oauth/client-attestations.ts';
import { DPOP } from '../../oauth/dpop-proof.ts';
import type { DpopProofs } from '../../oauth/dpop-proofs.ts';
import type { PresentedToken } from '../../oauth/sender-constraints.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { ProvenClient } from '../protocol.ts';

/** What a client sends beside a request to prove who it is and which keys it has. */
interface SentProofs {
  /** The header `DPoP`. */
  dpop?: string;
  /** The header `OAuth-Client-Attestation`. */
  attestation?: string;
  /** The header `OAuth-Client-Attestation-PoP`. */
  attestationPop?: string;
}

/** A request to the authorization server of an issuer. */
interface ClientRequest extends SentProofs {
  /** The last part of the endpoint's URL. */
  endpoint: 'par' | 'token';
  /** The parameter `client_id`. */
  clientId: string | undefined;
}

/** A request to a protected resource of an issuer. */
export interface ResourceRequest {
  /** The last part of the resource's URL. */
  endpoint: string;
  /** The header `Authorization`. */
  authorization: string | undefined;
  /** The header `DPoP`. */
  dpop: string | undefined;
}

export interface ClientProofParts {
  dpopProofs: DpopProofs;
  attestations: ClientAttestations;
  tokens: Pick<AccessTokens, 'keyOf'>;
}

/** Verifies what the clients of an issuer prove beside their requests, and uses it up. */
export class ClientProofs {
  constructor(private readonly parts: ClientProofParts) {}

  /**
   * The client of a request to the authorization server. An issuer without attesters does not read attestations.
   * @throws DomainError `invalid_dpop_proof`, `use_dpop_nonce`, `invalid_client`, `use_attestation_challenge`
   */
  async client(issuer: CredentialIssuer, { clientId, ...request }: ClientRequest): Promise<ProvenClient> {
    const { policy = OPEN_POLICY, identifier, attesters: trusted } = issuer;
    const { dpop, attestation, attestationPop: pop } = request;
    const url = `${identifier}/${request.endpoint}`;
    const expected = { issuerId: issuer.id, method: 'POST', url, requiresNonce: policy.requiresDpopNonce };
    const dpopThumbprint = dpop === undefined ? undefined : await this.parts.dpopProofs.verify(dpop, expected);
    if (!trusted || (attestation === undefined && pop === undefined)) return { clientId, dpopThumbprint };
    if (attestation === undefined) throw oauthError('invalid_client', 'The client attestation is missing');
    const stated = { attestation, pop, dpopThumbprint, clientId, trusted, requiresChallenge: false };
    const attested = await this.parts.attestations.authenticate({
      ...stated,
      issuerId: issuer.id,
      audience: identifier,
    });
    return { clientId: attested.clientId, dpopThumbprint, instanceThumbprint: attested.instanceThumbprint };
  }

  /**
   * The access token of a request to a protected resource; whether it is good is not checked. Only proofs of
   * the key of the token are used up, or a stranger could have proofs recorded.
   * @throws DomainError `invalid_dpop_proof`, `use_dpop_nonce`, `LoginRequired` without a token
   */
  async token(
    issuer: CredentialIssuer,
    { endpoint, authorization = '', dpop }: ResourceRequest,
  ): Promise<PresentedToken> {
    const { policy = OPEN_POLICY, identifier } = issuer;
    const [, scheme = '', token] = /^(Bearer|DPoP) +([A-Za-z0-9._~+/=-]+)$/i.exec(authorization) ?? [];
    if (token === undefined) throw resourceError(undefined, 'Send the access token in the header Authorization');
    if (scheme.toLowerCase() === 'bearer') return { scheme: 'Bearer', token };
    if (dpop === undefined)
      throw resourceError('invalid_dpop_proof', 'The header DPoP is required with the scheme DPoP');
    const boundTo = await this.parts.tokens.keyOf(issuer.id, token);
    if (boundTo === undefined) return { scheme: DPOP.SCHEME, token };
    const url = `${identifier}/${endpoint}`;
    const expected = { issuerId: issuer.id, method: 'POST', url, requiresNonce: policy.requiresDpopNonce };
    const dpopThumbprint = await this.parts.dpopProofs.verify(dpop, { ...expected, boundTo, accessToken: token });
    return { scheme: DPOP.SCHEME, token, dpopThumbprint };
  }

  /** A nonce for the next DPoP proof, where the issuer demands one. */
  async nextNonce({ id, policy = OPEN_POLICY }: CredentialIssuer): Promise<string | undefined> {
    return policy.requiresDpopNonce ? this.parts.dpopProofs.createNonce(id) : undefined;
  }
}
