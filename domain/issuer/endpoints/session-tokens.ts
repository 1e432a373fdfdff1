import type { Clock } from '../../../ports/system.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { AccessTokens } from '../../oauth/access-tokens.ts';
import type { Authorizations } from '../../oauth/authorizations.ts';
import type { RefreshTokens } from '../../oauth/refresh-tokens.ts';
import type { LiveSession } from '../sessions/session-repository.ts';
import type { ProvenClient } from './client-proofs.ts';
import type { Redemption } from './protocol.ts';

/** How long an access token is good that can be refreshed, at most, in seconds. */
export const ACCESS_TOKEN_SECONDS = 3600;

/** What tokens are created for. */
export interface TokenRecipient {
  session: LiveSession;
  client: ProvenClient;
}

/** What a client was allowed. */
interface Allowed {
  id: string;
  scopes?: string[];
  details?: JsonObject[];
}

/** The tokens of a token response. */
export interface CreatedTokens
  extends Pick<Redemption, 'accessToken' | 'seconds' | 'isBound' | 'refreshToken' | 'scopes'> {
  /** The id of the grant of the access token. */
  grantId: string;
}

/** What creating tokens needs. */
export interface SessionTokenParts {
  tokens: AccessTokens;
  authorizations: Authorizations;
  refreshTokens: RefreshTokens;
  clock: Clock;
}

/** Creates the tokens of issuance sessions; none outlives its session. */
export class SessionTokens {
  readonly #parts: SessionTokenParts;

  constructor(parts: SessionTokenParts) {
    this.#parts = parts;
  }

  /** The tokens for a pre-authorized code. A client without a name and a key gets no refresh token: any thief could use it. */
  async first({ session, client }: TokenRecipient): Promise<CreatedTokens> {
    if (Object.values(client).every((fact) => fact === undefined)) return this.#access({ session, client });
    const authorization = { sessionId: session.id, ...client };
    const id = await this.#parts.authorizations.start(authorization, session.expiresAt);
    return this.authorized({ session, client }, { id });
  }

  /** The tokens of an authorization, with a refresh token unless the client has one. */
  async authorized(recipient: TokenRecipient, allowed: Allowed, refreshToken?: string): Promise<CreatedTokens> {
    const { issuerId, expiresAt } = recipient.session;
    const fresh = { ...recipient.client, issuerId, authorizationId: allowed.id, expiresAt };
    const next = refreshToken ?? (await this.#parts.refreshTokens.create(fresh));
    return { ...(await this.#access(recipient, allowed)), refreshToken: next };
  }

  async #access({ session, client }: TokenRecipient, allowed?: Allowed): Promise<CreatedTokens> {
    const { tokens, clock } = this.#parts;
    const { id: sessionId, issuerId } = session;
    const now = clock.now();
    const expiresAt = Math.min(session.expiresAt, allowed ? now + ACCESS_TOKEN_SECONDS * 1000 : session.expiresAt);
    const { clientId, dpopThumbprint } = client;
    const { id: authorizationId, scopes, details } = allowed ?? {};
    const grant = { issuerId, sessionId, clientId, dpopThumbprint, authorizationId, scopes, details };
    const { grantId, token } = await tokens.create({ ...grant, expiresAt });
    const seconds = Math.max(0, Math.floor((expiresAt - now) / 1000));
    return { grantId, accessToken: token, seconds, isBound: dpopThumbprint !== undefined, scopes };
  }
}
