import { OPENID4VCI } from '../../credentials/openid4vci.ts';
import { isDomainError, oauthError } from '../../foundation/errors.ts';
import { OPEN_POLICY } from '../../oauth/authorization-policy.ts';
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
import type { IssuanceSessionRepository, StoredSession } from '../sessions/session-repository.ts';
import { permittedIds } from './authorized-items.ts';

/** What authorizing needs. */
export interface AuthorizationEndpointParts {
  offers: Pick<CredentialOffers, 'sessionOf'>;
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

  /** Stores a pushed request (RFC 9126). @throws DomainError with a code of RFC 6749 §4.1.2.1 */
  async push(issuer: CredentialIssuer, parameters: Parameters): Promise<PushedRequest> {
    const read = readRequest(issuer, parameters, true);
    if ('refusal' in read) throw read.refusal;
    await this.#session(issuer, read.request);
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
      : readRequest(issuer, parameters, false);
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
    const { id: sessionId } = await this.#session(issuer, request);
    if (reference) await this.#parts.pushed.complete(reference);
    const { state: _, issuerState: __, resources: ___, ...bound } = request;
    return this.#parts.authorizations.create(issuer.id, { ...bound, sessionId });
  }

  /** The session of the offer that the request names, when the request fits it. @throws DomainError with a code of RFC 6749 §4.1.2.1 */
  async #session(issuer: CredentialIssuer, request: AuthorizationRequest): Promise<StoredSession> {
    const { issuerState } = request;
    if (issuerState === undefined) throw invalid('issuer_state: is required: credentials are issued by an offer');
    const id = await this.#parts.offers.sessionOf(issuer, issuerState);
    const session = id === undefined ? undefined : await this.#parts.sessions.active(issuer, id);
    const grant = session?.value.grant;
    if (!session || grant?.kind !== 'authorization-code' || grant.issuerState !== issuerState)
      throw invalid('issuer_state: is of no offer that is open');
    if (grant.method !== 'NONE')
      throw oauthError('access_denied', 'The holder cannot be authenticated as the offer demands');
    checkOffered(issuer, request, session.value.configurationIds);
    return session;
  }
}

const invalid = (text: string) => oauthError('invalid_request', text);

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
  isPushed: boolean,
): ReadRequest =>
  readAuthorizationRequest(parameters, {
    policy,
    isPushed,
    detailTypes: [OPENID4VCI.AUTHORIZATION_DETAIL],
    redirectUrisOf: () => undefined,
    acceptsUnknownClients: true,
    proven: {},
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
