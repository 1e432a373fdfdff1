import type { Collection, Store } from '../../ports/store.ts';
import type { Random } from '../../ports/system.ts';
import { oauthError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { Grant } from './authorization-codes.ts';
import { AUTHORIZATIONS } from './authorizations.ts';
import { newSecret, secretId } from './secrets.ts';
import { checkPresentation, type PresentedToken } from './sender-constraints.ts';

/** What an access token gives access to, and what binds it. */
export interface TokenGrant extends Grant {
  /** The authorization that the token was made from; the token is void when that is revoked. */
  authorizationId?: string;
  clientId?: string;
  /** The thumbprint of the key that the token must be presented with (RFC 9449 §6). */
  dpopThumbprint?: string;
  scopes?: string[];
  /** The authorization details that were granted (RFC 9396 §7). */
  details?: JsonObject[];
}

/** What a new access token is bound to. */
interface NewAccessToken extends TokenGrant {
  issuerId: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
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

/** Opaque access tokens (RFC 6750, RFC 9449). */
export class AccessTokens {
  readonly #tokens: Collection<TokenGrant>;
  readonly #authorizations: Collection<{ isRedeemed: boolean }>;
  readonly #random: Random;

  constructor({ store, random }: { store: Store; random: Random }) {
    this.#tokens = store.collection({ name: 'access-tokens', listed: false, sealed: false, afterRestore: 'void' });
    this.#authorizations = store.collection(AUTHORIZATIONS);
    this.#random = random;
  }

  async create({ issuerId, expiresAt, ...grant }: NewAccessToken): Promise<AccessToken> {
    const token = newSecret(this.#random);
    const grantId = secretId(issuerId, token);
    await this.#tokens.insert({ id: grantId, value: grant, expiresAt });
    return { grantId, token };
  }

  /** The thumbprint of the key that a token is bound to, revoked or not; undefined for any other token. */
  async keyOf(issuerId: string, token: string): Promise<string | undefined> {
    return (await this.#tokens.get({ id: secretId(issuerId, token) }))?.value.dpopThumbprint;
  }

  /**
   * The grant of a live token; one of another issuer is unknown, and so is one whose authorization was revoked.
   * @throws DomainError `invalid_token` for one that was presented in another way than it is bound
   */
  async grantOf(issuerId: string, { token, ...presentation }: PresentedToken): Promise<PresentedGrant | undefined> {
    const grantId = secretId(issuerId, token);
    const grant = (await this.#tokens.get({ id: grantId }))?.value;
    if (!grant || !(await this.isAuthorized(grant))) return undefined;
    checkPresentation(grant.dpopThumbprint, presentation);
    return { ...grant, grantId };
  }

  /** As `grantOf`. @throws DomainError `invalid_token` also for a token that is not live */
  async liveGrant(issuerId: string, token: PresentedToken): Promise<PresentedGrant> {
    const grant = await this.grantOf(issuerId, token);
    if (grant) return grant;
    throw oauthError('invalid_token', 'The access token is unknown or expired');
  }

  /** Whether the authorization of a grant, if it has one, was not revoked. */
  async isAuthorized({ authorizationId }: Pick<TokenGrant, 'authorizationId'>): Promise<boolean> {
    if (authorizationId === undefined) return true;
    return (await this.#authorizations.get({ id: authorizationId }))?.value.isRedeemed === true;
  }
}
