import type { Stored } from '../../../ports/store.ts';
import { oauthError } from '../../foundation/errors.ts';
import { checkTokenClient } from '../../oauth/authorization-policy.ts';
import type { Refreshed, RefreshTokens } from '../../oauth/refresh-tokens.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import { identifiedBy } from '../offers/authorized-items.ts';
import type { Redemption, RefreshRedemptionRequest } from '../protocol.ts';
import { tokenRequestEvent } from '../sessions/issuance-event-names.ts';
import type { IssuanceSessionRepository, LiveSession } from '../sessions/session-repository.ts';
import { policyFor } from './session-policy.ts';
import type { SessionTokens, TokenRecipient } from './session-tokens.ts';

export interface RefreshRedemptionParts {
  sessions: IssuanceSessionRepository;
  refreshTokens: RefreshTokens;
  sessionTokens: SessionTokens;
}

/** The token endpoint of issuers for refresh tokens (RFC 6749 §6). */
export class RefreshRedemption {
  constructor(private readonly parts: RefreshRedemptionParts) {}

  /**
   * Creates an access token of a session that lives. A refresh token that was replaced before makes all tokens of its
   * authorization void. @throws DomainError `invalid_grant`, `invalid_client`
   */
  async redeem(
    issuer: CredentialIssuer,
    { refreshToken, client, event }: RefreshRedemptionRequest,
  ): Promise<Redemption> {
    const { refreshTokens, sessions } = this.parts;
    const found = await refreshTokens.find({ issuerId: issuer.id, refreshToken });
    const session = await sessions.live(issuer, found.sessionId);
    if (!session) throw oauthError('invalid_grant', 'The issuance session of the refresh token is over');
    try {
      return await this.#redeem(issuer, session, { refreshToken, client, event });
    } catch (error) {
      await sessions.tokenFailed(session, event, error);
      throw error;
    }
  }

  async #redeem(
    issuer: CredentialIssuer,
    stored: Stored<LiveSession>,
    request: RefreshRedemptionRequest,
  ): Promise<Redemption> {
    const { refreshTokens, sessions } = this.parts;
    const { value: session } = stored;
    const { refreshToken, client, event } = request;
    const policy = policyFor(issuer, session);
    checkTokenClient(policy, client);
    const presented = { issuerId: issuer.id, refreshToken, ...client, clientId: client.clientId };
    const refreshed = await refreshTokens.redeem({ ...presented, rotates: policy.rotatesRefreshTokens });
    try {
      await sessions.report(stored, tokenRequestEvent(String(event.grant_type), 'succeeded'));
      return await this.#tokens(issuer, { session, client }, refreshed);
    } catch (error) {
      await refreshTokens.restore(refreshed).catch(() => undefined);
      throw error;
    }
  }

  async #tokens(
    issuer: CredentialIssuer,
    recipient: TokenRecipient,
    { authorizationId: id, authorization, refreshToken }: Refreshed,
  ): Promise<Redemption> {
    const { scopes, details } = authorization;
    const created = await this.parts.sessionTokens.authorized(issuer, recipient, {
      id,
      scopes,
      details,
      refreshToken,
    });
    return { ...created, credentials: identifiedBy(authorization, { issuer, session: recipient.session }) };
  }
}
