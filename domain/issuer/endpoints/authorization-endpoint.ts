import type { CredentialFormats } from '../../credentials/formats/formats.ts';
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
import type { UserClaims } from '../../oauth/external-login.ts';
import type { PushedRequest, PushedRequests, RequestReference } from '../../oauth/pushed-requests.ts';
import { oneValueOf, type Parameters } from '../../oauth/request-parameters.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { AuthorizationCodeGrant } from '../issuance-grant.ts';
import { type RequestedAccess, requestedAccess } from '../offers/authorized-items.ts';
import type { CredentialOffers } from '../offers/offers.ts';
import type { ProfileOffers } from '../profiles/profile-offers.ts';
import type { ProvenClient } from '../protocol.ts';
import type { IssuanceEventName } from '../sessions/issuance-event-names.ts';
import { loginValues } from '../sessions/login-claims.ts';
import type { IssuanceSessionRepository, StoredSession } from '../sessions/session-repository.ts';
import { VERSIONS } from '../versions.ts';
import type { HolderAnswer, HolderAuthentication, HolderLogin } from './holder-authentication.ts';
import { policyFor } from './session-policy.ts';

export interface AuthorizationEndpointParts {
  offers: Pick<CredentialOffers, 'sessionOf'>;
  /** What wallets of 1.0 get without an offer. */
  profiles: Pick<ProfileOffers, 'requested' | 'begin'>;
  sessions: IssuanceSessionRepository;
  pushed: PushedRequests;
  authorizations: Authorizations;
  holders: HolderAuthentication;
  formats: CredentialFormats;
}

/** A request whose holder is authenticated, and how the claims about the user are read. */
interface AcceptedRequest {
  request: AuthorizationRequest;
  reference: RequestReference | undefined;
  claims?: UserClaims;
}

/** What a request leads to. */
interface OpenedOffer {
  grant: Pick<AuthorizationCodeGrant, 'kind' | 'method'>;
  wanted: RequestedAccess;
  /** The session of its offer; without an offer a new one, which is stored. */
  session(): Promise<StoredSession>;
}

/** The authorization endpoint of issuers (OpenID4VCI 1.0 §5). The offer of the issuer is its consent. */
export class AuthorizationEndpoint {
  constructor(private readonly parts: AuthorizationEndpointParts) {}

  /** Stores a pushed request of a client (RFC 9126). @throws DomainError with a code of RFC 6749 §4.1.2.1 */
  async push(issuer: CredentialIssuer, parameters: Parameters, client: ProvenClient = {}): Promise<PushedRequest> {
    const read = readRequest(issuer, parameters, { isPushed: true, proven: client });
    if ('refusal' in read) throw read.refusal;
    const step = 'pushed_authorization_request';
    try {
      await this.#open(issuer, read.request, true);
      const pushed = await this.parts.pushed.push(issuer.id, read.request);
      await this.#report(issuer, read.request, `${step}_succeeded`);
      return pushed;
    } catch (error) {
      await this.#report(issuer, read.request, `${step}_failed`, error);
      throw error;
    }
  }

  /**
   * Returns the URL that the user is sent to: back to the wallet with a code or an error, or to the login that the offer
   * demands. @throws DomainError when the client or its redirect URI is not acceptable, so that there is no such URL
   */
  async authorize(issuer: CredentialIssuer, parameters: Parameters): Promise<string> {
    const reference = referenceOf(issuer, parameters);
    const read = reference
      ? { request: await this.parts.pushed.open(reference) }
      : readRequest(issuer, parameters, { isPushed: false, proven: {} });
    if ('request' in read) {
      const { request } = read;
      return this.#answer(issuer, request, async () => {
        const offer = await this.#open(issuer, request, reference !== undefined);
        if (offer.grant.method === 'NONE') return this.#withCode(issuer, { request, reference });
        return this.parts.holders.begin(issuer, { grant: offer.grant, request, reference });
      });
    }
    if (!read.returnTo) throw read.refusal;
    return authorizationRedirect(read.returnTo, { error: read.refusal }, issuer.identifier);
  }

  /**
   * Ends the login that an answer names, of one of the issuers, and returns the URL that the user is sent back to: with a
   * code when the answer is acceptable, else with the error. @throws DomainError `invalid_request` when there is no such login (any more)
   */
  async finish(issuers: readonly CredentialIssuer[], answer: HolderAnswer): Promise<string> {
    for (const issuer of issuers) {
      const login = await this.parts.holders.take(issuer, answer);
      if (login) return this.#conclude(issuer, login, answer);
    }
    throw invalid('state: is of no login that is under way');
  }

  async #conclude(issuer: CredentialIssuer, login: HolderLogin, answer: HolderAnswer): Promise<string> {
    const { holders, pushed } = this.parts;
    const { request, reference } = login;
    return this.#answer(issuer, request, async () => {
      let claims: UserClaims;
      try {
        claims = await holders.check(issuer, login, answer);
      } catch (error) {
        if (reference) await pushed.complete(reference).catch(() => undefined);
        throw error;
      }
      return this.#withCode(issuer, { request, reference, claims });
    });
  }

  /** The redirect that `work` gives, or one with its error. */
  async #answer(issuer: CredentialIssuer, request: AuthorizationRequest, work: () => Promise<string>): Promise<string> {
    const { redirectUri, state } = request;
    try {
      return await work();
    } catch (error) {
      await this.#report(issuer, request, 'authorization_request_failed', error);
      if (!isDomainError(error, 'BadRequest') || error.oauthError === 'invalid_request_uri') throw error;
      return authorizationRedirect({ redirectUri, state }, { error }, issuer.identifier);
    }
  }

  async #withCode(issuer: CredentialIssuer, { request, reference, claims }: AcceptedRequest) {
    const { authorizations, pushed, sessions } = this.parts;
    const { session, wanted } = await this.#open(issuer, request, reference !== undefined);
    if (reference) await pushed.complete(reference);
    const found = await session();
    const { id: sessionId } = found;
    if (claims) await this.#keepClaims(found, claims);
    const { state, issuerState: _, resources: __, walletUrl: ___, ...bound } = request;
    const code = await authorizations.create(issuer.id, { ...bound, ...wanted, sessionId });
    await sessions.report(found, 'authorization_request_succeeded');
    return authorizationRedirect({ redirectUri: request.redirectUri, state }, { code }, issuer.identifier);
  }

  /**
   * Keeps the claims about the user that become members of the credential. They are those of one user: another one who
   * logs in for the same offer is refused, or one could get a credential about the other.
   */
  async #keepClaims(stored: StoredSession, claims: UserClaims): Promise<void> {
    const { managed } = stored.value;
    if (!managed?.loginClaims) return;
    const values = loginValues(managed.loginClaims, claims());
    await this.parts.sessions.amend(stored, (session) => {
      if (session.state !== 'ACTIVE') throw noOffer();
      const { loginValues: known = values } = session;
      if (JSON.stringify(known) === JSON.stringify(values)) return { ...session, loginValues: values };
      throw oauthError('access_denied', 'The offer is of another user');
    });
  }

  /** Reports a step to the session of the offer that the request names, if there is one. */
  async #report(
    issuer: CredentialIssuer,
    { issuerState }: AuthorizationRequest,
    event: IssuanceEventName,
    cause?: unknown,
  ): Promise<void> {
    const session =
      issuerState === undefined ? undefined : await this.#found(issuer, issuerState).catch(() => undefined);
    if (session) await this.parts.sessions.report(session, event, cause);
  }

  /**
   * The offer that the request names, or the profile that it asks for, when the request fits.
   * @throws DomainError with a code of RFC 6749 §4.1.2.1
   */
  async #open(issuer: CredentialIssuer, request: AuthorizationRequest, isPushed: boolean): Promise<OpenedOffer> {
    const { issuerState } = request;
    if (issuerState === undefined) return this.#profile(issuer, request, isPushed);
    const stored = await this.#session(issuer, issuerState);
    const { value: session } = stored;
    const { grant } = session;
    if (grant.kind !== 'authorization-code') throw noOffer();
    checkClient(policyFor(issuer, session), request, isPushed);
    if (!VERSIONS[issuer.version].holderLogins.includes(grant.method))
      throw oauthError('access_denied', 'The holder cannot be authenticated as the offer demands');
    return {
      grant,
      wanted: requestedAccess({ ...issuer, formats: this.parts.formats }, request, session),
      session: async () => stored,
    };
  }

  #profile(issuer: CredentialIssuer, request: AuthorizationRequest, isPushed: boolean): OpenedOffer {
    if (!VERSIONS[issuer.version].walletInitiated)
      throw invalid('issuer_state: is required: credentials are issued by an offer');
    const { profiles } = this.parts;
    const profile = profiles.requested(issuer, request);
    checkClient(policyFor(issuer, { managed: profile.access }), request, isPushed);
    const offered = { configurationIds: [profile.configuration.id], plan: { kinds: [], runs: [] } };
    const wanted = requestedAccess({ ...issuer, formats: this.parts.formats }, request, offered);
    const grant = { kind: 'authorization-code', method: profile.access.authenticationMethod ?? 'NONE' } as const;
    const session = async () => {
      const { id } = await profiles.begin(issuer, profile);
      const begun = await this.parts.sessions.active(issuer, id);
      if (!begun) throw noOffer();
      return begun;
    };
    return { grant, wanted, session };
  }

  /** The session of the offer with this issuer state. @throws DomainError `invalid_request` */
  async #session(issuer: CredentialIssuer, issuerState: string): Promise<StoredSession> {
    const session = await this.#found(issuer, issuerState);
    if (session) return session;
    throw noOffer();
  }

  async #found(issuer: CredentialIssuer, issuerState: string): Promise<StoredSession | undefined> {
    const id = await this.parts.offers.sessionOf(issuer, issuerState);
    const session = id === undefined ? undefined : await this.parts.sessions.active(issuer, id);
    const grant = session?.value.grant;
    return grant?.kind === 'authorization-code' && grant.issuerState === issuerState ? session : undefined;
  }
}

const invalid = (text: string) => oauthError('invalid_request', text);
const noOffer = () => invalid('issuer_state: is of no offer that is open');

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

/** Token endpoints that bind no token to a key ignore what asks for it. */
const withoutDpop = ({ dpop_jkt: _, ...parameters }: Parameters): Parameters => parameters;

/** Clients are wallets that the issuer does not know, each with a redirect URI of its own (OpenID4VCI 1.0 §6.1). */
function readRequest(
  { policy = OPEN_POLICY, version }: CredentialIssuer,
  parameters: Parameters,
  { isPushed, proven }: { isPushed: boolean; proven: ProvenClient },
): ReadRequest {
  const { bindsTokens, holderLogins } = VERSIONS[version];
  return readAuthorizationRequest(bindsTokens ? parameters : withoutDpop(parameters), {
    policy,
    isPushed,
    detailTypes: [OPENID4VCI.AUTHORIZATION_DETAIL],
    redirectUrisOf: () => undefined,
    acceptsUnknownClients: true,
    asksClients: holderLogins.includes('ID_TOKEN'),
    // Without an attestation the client only states its name.
    proven: proven.instanceThumbprint === undefined ? { dpopThumbprint: proven.dpopThumbprint } : proven,
  });
}
