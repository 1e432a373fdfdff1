import type { Clock } from '../../ports/system.ts';
import { oauthError } from '../foundation/errors.ts';
import type { AccessTokens } from '../oauth/access-tokens.ts';
import type { AuthorizationCodes } from '../oauth/authorization-codes.ts';
import type { Nonces } from '../oauth/nonces.ts';
import type { CredentialIssuer } from './credential-issuer.ts';
import type { IssuanceEvents } from './issuance-events.ts';
import { isOverdue, secondsLeft } from './issuance-session.ts';
import type { Redemption, RedemptionRequest } from './protocol.ts';
import type { IssuanceSessionRepository, StoredSession } from './session-repository.ts';

/** What redeeming codes needs. */
export interface TokenEndpointParts {
  sessions: IssuanceSessionRepository;
  codes: AuthorizationCodes;
  tokens: AccessTokens;
  nonces: Nonces;
  events: IssuanceEvents;
  clock: Clock;
}

/** The token endpoint of issuers. */
export class TokenEndpoint {
  readonly #parts: TokenEndpointParts;

  constructor(parts: TokenEndpointParts) {
    this.#parts = parts;
  }

  /**
   * Redeems a pre-authorized code. The code is consumed first, so of concurrent redemptions exactly one goes on; when
   * that one fails, the code is good again.
   * @throws DomainError `BadRequest` with a code of RFC 6749 §5.2, `CallbackFailed`
   */
  async redeem(issuer: CredentialIssuer, request: RedemptionRequest): Promise<Redemption> {
    const { codes, sessions } = this.#parts;
    const redeemed = await codes.redeem(issuer.id, request.code);
    if (!redeemed) throw unknownCode();
    try {
      const session = await sessions.active(issuer, redeemed.value.sessionId);
      if (!session) throw unknownCode();
      return await this.#grant(session, request);
    } catch (error) {
      // Its own failure must not hide the first one; the offer is then lost, never doubled.
      await codes.restore(redeemed).catch(() => undefined);
      throw error;
    }
  }

  async #grant({ value: session }: StoredSession, request: RedemptionRequest): Promise<Redemption> {
    const { tokens, nonces, events, clock } = this.#parts;
    const { id: sessionId, issuerId, expiresAt, items } = session;
    const step = `token ${JSON.stringify(request.event)}`;
    await events.send(session, { type: 'requested_token', data: request.event, step });
    if (isOverdue(session, clock.now())) throw oauthError('invalid_grant', 'The issuance session is over');
    const { grantId, token } = await tokens.create({ issuerId, sessionId, expiresAt });
    return {
      accessToken: token,
      nonce: await nonces.create(grantId, expiresAt),
      seconds: secondsLeft(session, clock.now()),
      items: items.filter(({ content }) => request.configurationIds.includes(content.configurationId)),
    };
  }
}

const unknownCode = () => oauthError('invalid_grant', 'The pre-authorized code is unknown, used or expired');
