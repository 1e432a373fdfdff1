import type { Collection, Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';
import { oauthError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { ServerSecret } from '../keys/server-secret.ts';
import type { Authorizations, Grant } from './authorizations.ts';
import { secretId } from './secrets.ts';
import { checkPresentation, type PresentedToken } from './sender-constraints.ts';

/** What an access token gives access to, and what binds it. */
export interface TokenGrant extends Grant {
  /** The authorization that the token was made from; the token is void when that is revoked. */
  authorizationId?: string;
  clientId?: string;
  /** The thumbprint of the key that the token must be presented with (RFC 9449 §6). */
  dpopThumbprint?: string;
  /** The scopes of its authorization. */
  scopes?: string[];
  /** The authorization details that were granted (RFC 9396 §7): those of its authorization. */
  details?: JsonObject[];
}

/** What a token says to the server. */
type SealedGrant = Omit<TokenGrant, 'scopes' | 'details'> & {
  /** Milliseconds since the epoch. */
  expiresAt: number;
};

/** What a new access token is bound to. */
interface NewAccessToken extends SealedGrant {
  issuerId: string;
}

/** An access token that was just created. */
interface AccessToken {
  /** The id of its grant, which is no secret. */
  grantId: string;
  token: string;
}

/** The grant of a presented access token. */
export interface PresentedGrant extends TokenGrant {
  grantId: string;
}

/**
 * Opaque access tokens (RFC 6750, RFC 9449). A token is its grant, sealed by the server, so that it has no record. It ends
 * with its session, or with the authorization that it was made from.
 */
export class AccessTokens {
  /** The tokens of versions before 0.10.0, by their digests. */
  readonly #earlier: Collection<TokenGrant>;

  constructor(
    private readonly parts: {
      store: Store;
      authorizations: Pick<Authorizations, 'get'>;
      secret: ServerSecret;
      clock: Clock;
    },
  ) {
    const { store } = parts;
    this.#earlier = store.collection({ name: 'access-tokens', sealed: false, afterRestore: 'void' });
  }

  async create({ issuerId, ...grant }: NewAccessToken): Promise<AccessToken> {
    const token = await this.parts.secret.seal({ text: JSON.stringify(grant), context: contextOf(issuerId) });
    return { grantId: secretId(issuerId, token), token };
  }

  /** The thumbprint of the key that a token is bound to, revoked or not; undefined for any other token. */
  async keyOf(issuerId: string, token: string): Promise<string | undefined> {
    return (await this.#read(issuerId, token))?.dpopThumbprint;
  }

  /**
   * The grant of a live token; one of another issuer is unknown, and so is one whose authorization was revoked.
   * @throws DomainError `invalid_token` for one that was presented in another way than it is bound
   */
  async grantOf(issuerId: string, { token, ...presentation }: PresentedToken): Promise<PresentedGrant | undefined> {
    const grant = await this.#read(issuerId, token);
    if (!grant) return undefined;
    const { authorizationId: id } = grant;
    const authorization = id === undefined ? undefined : await this.parts.authorizations.get(id);
    if (id !== undefined && !authorization) return undefined;
    checkPresentation(grant.dpopThumbprint, presentation);
    const allowed = authorization && { scopes: authorization.scopes, details: authorization.details };
    return { grantId: secretId(issuerId, token), ...grant, ...allowed };
  }

  /** As `grantOf`. @throws DomainError `invalid_token` also for a token that is not live */
  async liveGrant(issuerId: string, token: PresentedToken): Promise<PresentedGrant> {
    const grant = await this.grantOf(issuerId, token);
    if (grant) return grant;
    throw oauthError('invalid_token', 'The access token is unknown or expired');
  }

  /** Whether the authorization of a grant, if it has one, was not revoked. */
  async isAuthorized({ authorizationId: id }: Pick<TokenGrant, 'authorizationId'>): Promise<boolean> {
    return id === undefined || (await this.parts.authorizations.get(id)) !== undefined;
  }

  async #read(issuerId: string, token: string): Promise<TokenGrant | undefined> {
    const text = await this.parts.secret.unseal({ text: token, context: contextOf(issuerId) });
    if (text === undefined) return (await this.#earlier.get({ id: secretId(issuerId, token) }))?.value;
    const { expiresAt, ...grant }: SealedGrant = JSON.parse(text);
    return this.parts.clock.now() < expiresAt ? grant : undefined;
  }
}

const contextOf = (issuerId: string): string => `access token\n${issuerId}`;
