import type { Clock } from '../../../ports/system.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { AccessTokens } from '../../oauth/access-tokens.ts';
import type { Authorizations } from '../../oauth/authorizations.ts';
import type { RefreshTokens } from '../../oauth/refresh-tokens.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { ProvenClient, Redemption } from '../protocol.ts';
import type { LiveSession } from '../sessions/session-repository.ts';
import { VERSIONS } from '../versions.ts';

/** How long an access token is good that can be refreshed, at most, in seconds. */
const ACCESS_TOKEN_SECONDS = 3600;

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
  /** The refresh token that it has. */
  refreshToken?: string;
}

/** The tokens of a token response. */
interface CreatedTokens extends Pick<Redemption, 'accessToken' | 'seconds' | 'isBound' | 'refreshToken' | 'scopes'> {
  /** The id of the grant of the access token. */
  grantId: string;
}

/** Creates the tokens of issuance sessions; none outlives its session. */
export class SessionTokens {
  constructor(
    private readonly parts: {
      tokens: AccessTokens;
      authorizations: Authorizations;
      refreshTokens: RefreshTokens;
      clock: Clock;
    },
  ) {}

  /** The tokens for a pre-authorized code. A client without a name and a key gets no refresh token: any thief could use it. */
  async first(issuer: CredentialIssuer, recipient: TokenRecipient): Promise<CreatedTokens> {
    const { session, client } = recipient;
    const isUnknown = Object.values(client).every((fact) => fact === undefined);
    if (isUnknown || !VERSIONS[issuer.version].refreshTokens) return this.#access(recipient);
    const id = await this.parts.authorizations.start({ sessionId: session.id, ...client }, session.expiresAt);
    return this.authorized(issuer, recipient, { id });
  }

  /** The tokens of an authorization, where the version has refresh tokens with one: a new one unless the client has one. */
  async authorized(issuer: CredentialIssuer, recipient: TokenRecipient, allowed: Allowed): Promise<CreatedTokens> {
    if (!VERSIONS[issuer.version].refreshTokens) return this.#access(recipient, allowed);
    const { expiresAt } = recipient.session;
    const bound = { ...recipient.client, issuerId: issuer.id, authorizationId: allowed.id, expiresAt };
    const refreshToken = allowed.refreshToken ?? (await this.parts.refreshTokens.create(bound));
    const until = this.parts.clock.now() + ACCESS_TOKEN_SECONDS * 1000;
    return { ...(await this.#access(recipient, allowed, until)), refreshToken };
  }

  async #access(
    { session, client }: TokenRecipient,
    { id: authorizationId, scopes }: Partial<Allowed> = {},
    until = session.expiresAt,
  ): Promise<CreatedTokens> {
    const { tokens, clock } = this.parts;
    const { id: sessionId, issuerId } = session;
    const { clientId, dpopThumbprint } = client;
    const expiresAt = Math.min(session.expiresAt, until);
    const grant = { issuerId, sessionId, clientId, dpopThumbprint, authorizationId, expiresAt };
    const { grantId, token } = await tokens.create(grant);
    const seconds = Math.max(0, Math.floor((expiresAt - clock.now()) / 1000));
    return { grantId, accessToken: token, seconds, isBound: dpopThumbprint !== undefined, scopes };
  }
}
