import { oauthError } from '../../foundation/errors.ts';
import { checkTokenClient } from '../../oauth/authorization-policy.ts';
import type { Authorizations, RedeemedAuthorization } from '../../oauth/authorizations.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import { identifiedBy } from '../offers/authorized-items.ts';
import type { CodeRedemptionRequest, Redemption } from '../protocol.ts';
import { tokenRequestEvent } from '../sessions/issuance-event-names.ts';
import type { IssuanceEvents } from '../sessions/issuance-events.ts';
import type { NonceSources } from '../sessions/proof-nonces.ts';
import type { IssuanceSessionRepository, StoredSession } from '../sessions/session-repository.ts';
import { VERSIONS } from '../versions.ts';
import { policyFor } from './session-policy.ts';
import type { SessionTokens, TokenRecipient } from './session-tokens.ts';

export interface AuthorizationRedemptionParts {
  sessions: IssuanceSessionRepository;
  authorizations: Authorizations;
  sessionTokens: SessionTokens;
  nonces: NonceSources;
  events: IssuanceEvents;
}

/** The token endpoint of issuers for codes of their authorization endpoint. */
export class AuthorizationRedemption {
  constructor(private readonly parts: AuthorizationRedemptionParts) {}

  /**
   * Redeems a code, once: a second use makes the tokens of the first one void. When reporting the step fails, the code is
   * good again. @throws DomainError `invalid_grant`, `invalid_client`, `CallbackFailed`, `Busy` while another request redeems it
   */
  async redeem(issuer: CredentialIssuer, { event, client, ...request }: CodeRedemptionRequest): Promise<Redemption> {
    const { sessions, authorizations } = this.parts;
    const found = await authorizations.find(issuer.id, request.code);
    const session = found && (await sessions.active(issuer, found.sessionId));
    if (!session) throw oauthError('invalid_grant', 'The authorization code is unknown, used or expired');
    try {
      return await this.#redeem(issuer, session, { event, client, ...request });
    } catch (error) {
      await sessions.tokenFailed(session, event, error);
      throw error;
    }
  }

  async #redeem(issuer: CredentialIssuer, stored: StoredSession, request: CodeRedemptionRequest): Promise<Redemption> {
    const { authorizations, sessions, events } = this.parts;
    const { value: session } = stored;
    const { event, client, ...presented } = request;
    checkTokenClient(policyFor(issuer, session), client);
    const bound = { ...presented, ...client, clientId: client.clientId };
    const tokensUntil = session.expiresAt;
    return authorizations.redeem({ ...bound, issuerId: issuer.id, tokensUntil }, async (redeemed) => {
      await sessions.report(stored, tokenRequestEvent(String(event.grant_type), 'succeeded'));
      await events.send(session, { type: 'requested_token', data: event, step: `token ${redeemed.id}` });
      return this.#tokens(issuer, { session, client }, redeemed);
    });
  }

  async #tokens(
    issuer: CredentialIssuer,
    recipient: TokenRecipient,
    redeemed: RedeemedAuthorization,
  ): Promise<Redemption> {
    const { scopes, details } = redeemed.authorization;
    const { nonces, sessionTokens } = this.parts;
    const created = await sessionTokens.authorized(issuer, recipient, { id: redeemed.id, scopes, details });
    const nonce = await nonces[VERSIONS[issuer.version].nonces].first(created.grantId, recipient.session);
    return {
      ...created,
      nonce,
      credentials: identifiedBy(redeemed.authorization, { issuer, session: recipient.session }),
    };
  }
}
