import { oauthError } from '../../foundation/errors.ts';
import { checkTokenClient } from '../../oauth/authorization-policy.ts';
import type { Authorizations, RedeemedAuthorization } from '../../oauth/authorizations.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { IssuanceEvents } from '../sessions/issuance-events.ts';
import type { IssuanceSessionRepository } from '../sessions/session-repository.ts';
import { identifiedBy } from './authorized-items.ts';
import type { ProofNonces } from './proof-nonces.ts';
import type { CodeRedemptionRequest, Redemption } from './protocol.ts';
import { policyFor } from './session-policy.ts';
import type { SessionTokens, TokenRecipient } from './session-tokens.ts';

/** What redeeming codes of the authorization endpoint needs. */
export interface AuthorizationRedemptionParts {
  sessions: IssuanceSessionRepository;
  authorizations: Authorizations;
  sessionTokens: SessionTokens;
  /** The nonces of each protocol version. */
  nonces: Readonly<Record<CredentialIssuer['version'], ProofNonces>>;
  events: IssuanceEvents;
}

/** The token endpoint of issuers for codes of their authorization endpoint. */
export class AuthorizationRedemption {
  readonly #parts: AuthorizationRedemptionParts;

  constructor(parts: AuthorizationRedemptionParts) {
    this.#parts = parts;
  }

  /**
   * Redeems a code, once: a second use makes the tokens of the first one void. When reporting the step fails, the code is
   * good again. @throws DomainError `invalid_grant`, `invalid_client`, `CallbackFailed`
   */
  async redeem(issuer: CredentialIssuer, { event, client, ...request }: CodeRedemptionRequest): Promise<Redemption> {
    const { sessions, authorizations } = this.#parts;
    const found = await authorizations.find(issuer.id, request.code);
    const session = found && (await sessions.active(issuer, found.sessionId));
    if (!session) throw oauthError('invalid_grant', 'The authorization code is unknown, used or expired');
    checkTokenClient(policyFor(issuer, session.value), client);
    const presented = { ...request, ...client, clientId: client.clientId };
    const tokensUntil = session.value.expiresAt;
    const redeemed = await authorizations.redeem({ ...presented, issuerId: issuer.id, tokensUntil });
    try {
      const step = `token ${redeemed.id}`;
      await this.#parts.events.send(session.value, { type: 'requested_token', data: event, step });
      return await this.#tokens(issuer, { session: session.value, client }, redeemed);
    } catch (error) {
      await authorizations.restore(redeemed).catch(() => undefined);
      throw error;
    }
  }

  async #tokens(
    issuer: CredentialIssuer,
    recipient: TokenRecipient,
    redeemed: RedeemedAuthorization,
  ): Promise<Redemption> {
    const { scopes, details } = redeemed.authorization;
    const { nonces, sessionTokens } = this.#parts;
    const created = await sessionTokens.authorized(issuer, recipient, { id: redeemed.id, scopes, details });
    const nonce = await nonces[issuer.version].first(created.grantId, recipient.session.expiresAt);
    return {
      ...created,
      nonce,
      credentials: identifiedBy(redeemed.authorization, { issuer, session: recipient.session }),
    };
  }
}
