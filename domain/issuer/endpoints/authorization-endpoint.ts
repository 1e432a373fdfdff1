import { OPENID4VCI } from '../../credentials/openid4vci.ts';
import { isDomainError, oauthError } from '../../foundation/errors.ts';
import { type AuthorizationPolicy, checkPushingClient, OPEN_POLICY } from '../../oauth/authorization-policy.ts';
import {
  type AuthorizationRequest,
  type ReadRequest,
  readAuthorizationRequest,
} from '../../oauth/authorization-requests.ts';
import { authorizationRedirect } from '../../oauth/authorization-responses.ts';
import type { Authorizations } from '../../oauth/authorizations.ts';
import type { PushedRequest, PushedRequests, RequestReference } from '../../oauth/pushed-requests.ts';
import { oneValueOf, type Parameters } from '../../oauth/request-parameters.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { CredentialOffers } from '../offers/offers.ts';
import type { IssuanceProfile } from '../profiles/issuance-profile.ts';
import type { ProfileOffers } from '../profiles/profile-offers.ts';
import type { ActiveSession } from '../sessions/issuance-session.ts';
import type { IssuanceSessionRepository, StoredSession } from '../sessions/session-repository.ts';
import { permittedIds } from './authorized-items.ts';
import type { ProvenClient } from './client-proofs.ts';
import { policyFor } from './session-policy.ts';

/** What authorizing needs. */
export interface AuthorizationEndpointParts {
  offers: Pick<CredentialOffers, 'sessionOf'>;
  /** What wallets get without an offer. */
  profiles: Pick<ProfileOffers, 'requested' | 'begin'>;
  sessions: IssuanceSessionRepository;
  pushed: PushedRequests;
  authorizations: Authorizations;
}

/** The authorization endpoint of issuers (OpenID4VCI 1.0 §5). The offer of the issuer is its consent. */
export class AuthorizationEndpoint {
  readonly #parts: AuthorizationEndpointParts;

  constructor(parts: AuthorizationEndpointParts) {
    this.#parts = parts;
  }

  /** Stores a pushed request of a client (RFC 9126). @throws DomainError with a code of RFC 6749 §4.1.2.1 */
  async push(issuer: CredentialIssuer, parameters: Parameters, client: ProvenClient): Promise<PushedRequest> {
    const read = readRequest(issuer, parameters, { isPushed: true, proven: client });
    if ('refusal' in read) throw read.refusal;
    await this.#find(issuer, read.request, true);
    return this.#parts.pushed.push(issuer.id, read.request);
  }

  /**
   * Returns the URL that the user is sent back to, with a code or an error.
   * @throws DomainError when the client or its redirect URI is not acceptable, so that there is no such URL
   */
  async authorize(issuer: CredentialIssuer, parameters: Parameters): Promise<string> {
    const reference = referenceOf(issuer, parameters);
    const read = reference
      ? { request: await this.#parts.pushed.open(reference) }
      : readRequest(issuer, parameters, { isPushed: false, proven: {} });
    if ('request' in read) return this.#answer(issuer, read.request, reference);
    if (!read.returnTo) throw read.refusal;
    return authorizationRedirect(read.returnTo, { error: read.refusal }, issuer.identifier);
  }

  async #answer(issuer: CredentialIssuer, request: AuthorizationRequest, reference: RequestReference | undefined) {
    const { redirectUri, state } = request;
    try {
      const code = await this.#code(issuer, request, reference);
      return authorizationRedirect({ redirectUri, state }, { code }, issuer.identifier);
    } catch (error) {
      if (!isDomainError(error, 'BadRequest') || error.oauthError === 'invalid_request_uri') throw error;
      return authorizationRedirect({ redirectUri, state }, { error }, issuer.identifier);
    }
  }

  async #code(issuer: CredentialIssuer, request: AuthorizationRequest, reference: RequestReference | undefined) {
    const found = await this.#find(issuer, request, reference !== undefined);
    if (reference) await this.#parts.pushed.complete(reference);
    const { id: sessionId } = 'profile' in found ? await this.#parts.profiles.begin(issuer, found.profile) : found;
    const { state: _, issuerState: __, resources: ___, ...bound } = request;
    return this.#parts.authorizations.create(issuer.id, { ...bound, sessionId });
  }

  /**
   * The session of the offer that the request names, or the profile that it asks for, when the request fits.
   * @throws DomainError with a code of RFC 6749 §4.1.2.1
   */
  async #find(
    issuer: CredentialIssuer,
    request: AuthorizationRequest,
    isPushed: boolean,
  ): Promise<ActiveSession | { profile: IssuanceProfile }> {
    const { issuerState } = request;
    if (issuerState !== undefined) {
      const { value: session } = await this.#session(issuer, issuerState);
      checkClient(policyFor(issuer, session), request, isPushed);
      checkOffered(issuer, request, session.configurationIds);
      return session;
    }
    const profile = this.#parts.profiles.requested(issuer, request);
    checkClient(policyFor(issuer, { managed: profile.access }), request, isPushed);
    checkOffered(issuer, request, [profile.configuration.id]);
    return { profile };
  }

  /** The session of the offer with this issuer state. @throws DomainError `invalid_request`, `access_denied` */
  async #session(issuer: CredentialIssuer, issuerState: string): Promise<StoredSession> {
    const id = await this.#parts.offers.sessionOf(issuer, issuerState);
    const session = id === undefined ? undefined : await this.#parts.sessions.active(issuer, id);
    const grant = session?.value.grant;
    if (!session || grant?.kind !== 'authorization-code' || grant.issuerState !== issuerState)
      throw invalid('issuer_state: is of no offer that is open');
    if (grant.method !== 'NONE')
      throw oauthError('access_denied', 'The holder cannot be authenticated as the offer demands');
    return session;
  }
}

const invalid = (text: string) => oauthError('invalid_request', text);

/** Checks what the session demands beyond its issuer. @throws DomainError `invalid_request`, `invalid_client` */
function checkClient(policy: AuthorizationPolicy, request: AuthorizationRequest, isPushed: boolean): void {
  if (policy.requiresPar && !isPushed) throw invalid('The request must be pushed first (RFC 9126)');
  checkPushingClient(policy, request);
}

/** A reference to a pushed request; undefined when the parameters are the request. */
function referenceOf({ id }: CredentialIssuer, parameters: Parameters): RequestReference | undefined {
  const requestUri = oneValueOf(parameters, 'request_uri');
  return requestUri === undefined
    ? undefined
    : { issuerId: id, requestUri, clientId: oneValueOf(parameters, 'client_id') };
}

/** Clients are wallets that the issuer does not know, each with a redirect URI of its own (OpenID4VCI 1.0 §6.1). */
const readRequest = (
  { policy = OPEN_POLICY }: CredentialIssuer,
  parameters: Parameters,
  { isPushed, proven }: { isPushed: boolean; proven: ProvenClient },
): ReadRequest =>
  readAuthorizationRequest(parameters, {
    policy,
    isPushed,
    detailTypes: [OPENID4VCI.AUTHORIZATION_DETAIL],
    redirectUrisOf: () => undefined,
    acceptsUnknownClients: true,
    // Without an attestation the client only states its name.
    proven: proven.instanceThumbprint === undefined ? { dpopThumbprint: proven.dpopThumbprint } : proven,
  });

function checkOffered(
  { configurations }: CredentialIssuer,
  { scopes = [], details = [] }: AuthorizationRequest,
  offered: readonly string[],
): void {
  const isOffered = (id: unknown) => offered.some((one) => one === id);
  if (!details.every(({ credential_configuration_id: id }) => isOffered(id)))
    throw oauthError('invalid_authorization_details', 'authorization_details: must name configurations of the offer');
  const known = permittedIds({ scopes }, { configurations, offered });
  const found = scopes.filter((scope) => known.some((id) => configurations.get(id)?.scope === scope));
  if (found.length < scopes.length) throw oauthError('invalid_scope', 'scope: must name configurations of the offer');
}
