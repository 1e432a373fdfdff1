import type { Clock } from '../../../ports/system.ts';
import { oauthError } from '../../foundation/errors.ts';
import type { AccessTokens } from '../../oauth/access-tokens.ts';
import type { Authorizations, RedeemedAuthorization } from '../../oauth/authorizations.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { IssuanceEvents } from '../sessions/issuance-events.ts';
import { secondsLeft } from '../sessions/issuance-session.ts';
import type { IssuanceSessionRepository, StoredSession } from '../sessions/session-repository.ts';
import { permittedIds } from './authorized-items.ts';
import type { ProofNonces } from './proof-nonces.ts';
import type { CodeRedemptionRequest, Redemption } from './protocol.ts';
import { identified } from './token-endpoint.ts';

/** What redeeming codes of the authorization endpoint needs. */
export interface AuthorizationRedemptionParts {
  sessions: IssuanceSessionRepository;
  authorizations: Authorizations;
  tokens: AccessTokens;
  /** The nonces of each protocol version. */
  nonces: Readonly<Record<CredentialIssuer['version'], ProofNonces>>;
  events: IssuanceEvents;
  clock: Clock;
}

/** The token endpoint of issuers for codes of their authorization endpoint. */
export class AuthorizationRedemption {
  readonly #parts: AuthorizationRedemptionParts;

  constructor(parts: AuthorizationRedemptionParts) {
    this.#parts = parts;
  }

  /**
   * Redeems a code, once: a second use makes the tokens of the first one void. When reporting the step fails, the code is
   * good again. @throws DomainError `invalid_grant`, `CallbackFailed`
   */
  async redeem(issuer: CredentialIssuer, { event, ...request }: CodeRedemptionRequest): Promise<Redemption> {
    const { sessions, authorizations } = this.#parts;
    const found = await authorizations.find(issuer.id, request.code);
    const session = found && (await sessions.active(issuer, found.sessionId));
    if (!session) throw oauthError('invalid_grant', 'The authorization code is unknown, used or expired');
    const tokensUntil = session.value.expiresAt;
    const redeemed = await authorizations.redeem({ ...request, issuerId: issuer.id, tokensUntil });
    try {
      const step = `token ${redeemed.id}`;
      await this.#parts.events.send(session.value, { type: 'requested_token', data: event, step });
      return await this.#token(issuer, session, redeemed);
    } catch (error) {
      await authorizations.restore(redeemed).catch(() => undefined);
      throw error;
    }
  }

  async #token(issuer: CredentialIssuer, stored: StoredSession, redeemed: RedeemedAuthorization): Promise<Redemption> {
    const { tokens, nonces, clock } = this.#parts;
    const { id: sessionId, issuerId, expiresAt, configurationIds: offered } = stored.value;
    const { clientId, scopes, details } = redeemed.authorization;
    const grant = { issuerId, sessionId, expiresAt, authorizationId: redeemed.id, clientId, scopes, details };
    const { grantId, token } = await tokens.create(grant);
    const named = details ? permittedIds({ details }, { ...issuer, offered }) : [];
    return {
      accessToken: token,
      nonce: await nonces[issuer.version].first(grantId, expiresAt),
      seconds: secondsLeft(stored.value, clock.now()),
      credentials: identified(stored, named),
    };
  }
}
