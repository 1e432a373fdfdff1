import type { Collection, Store, Stored } from '../../ports/store.ts';
import type { Random } from '../../ports/system.ts';
import { equalInConstantTime, fingerprint } from '../foundation/bytes.ts';
import { isDomainError, oauthError } from '../foundation/errors.ts';
import type { Authorization, Authorizations } from './authorizations.ts';
import { newSecret, secretId } from './secrets.ts';
import { checkBoundKeys, type ProvenKeys } from './sender-constraints.ts';

/** What a new refresh token is bound to. */
export interface NewRefreshToken extends ProvenKeys {
  issuerId: string;
  clientId?: string;
  authorizationId: string;
  /** The end of the token and of all that replace it, in milliseconds since the epoch. */
  expiresAt: number;
}

/** A token request with a refresh token. */
export interface RefreshRequest extends ProvenKeys {
  issuerId: string;
  refreshToken: string;
  clientId: string | undefined;
  /**
   * Whether the token is replaced and void after its use (RFC 9700 §4.14.2). FAPI 2.0 §5.3.2.1 wants tokens that are
   * bound to a key to stay, because a client that loses an answer loses its access too.
   */
  rotates: boolean;
}

/** What a refresh token gives. */
export interface Refreshed {
  authorizationId: string;
  authorization: Authorization;
  /** The token for the next time: the same one unless it rotates. */
  refreshToken: string;
  /** What it replaced, as that can be put back. */
  replaced?: ReplacedToken;
}

/** A token that was replaced. */
export interface ReplacedToken {
  family: Stored<unknown>;
  /** The revision of the record that has the token which replaced it. */
  revision: number;
}

const TOKEN = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

/** The tokens that replace one another: one record, which has the digest of the current one. */
interface Family extends ProvenKeys {
  clientId?: string;
  authorizationId: string;
  current: string;
}

/**
 * Refresh tokens (RFC 6749 §6), bound to their client and its keys. A token is the secret of its family and a secret of its
 * own. One that was replaced before, with the right secret of the family, is a reuse: the authorization is revoked, and
 * with it all tokens of either kind.
 */
export class RefreshTokens {
  readonly #families: Collection<Family>;
  readonly #authorizations: Authorizations;
  readonly #random: Random;

  constructor({ store, authorizations, random }: { store: Store; authorizations: Authorizations; random: Random }) {
    this.#families = store.collection({ name: 'refresh-tokens', listed: false, sealed: true });
    this.#authorizations = authorizations;
    this.#random = random;
  }

  async create({ issuerId, expiresAt, ...bound }: NewRefreshToken): Promise<string> {
    const [family, secret] = [newSecret(this.#random), newSecret(this.#random)];
    const value = { ...bound, current: fingerprint(secret) };
    await this.#families.insert({ id: secretId(issuerId, family), value, expiresAt });
    return `${family}.${secret}`;
  }

  /** What a token was created for, whether it is the current one or not. @throws DomainError `invalid_grant` */
  async find(request: Pick<RefreshRequest, 'issuerId' | 'refreshToken'>): Promise<Authorization> {
    return (await this.#find(request)).authorization;
  }

  /** Redeems a token; of two requests at once with one that rotates at most one succeeds. @throws DomainError `invalid_grant` */
  async redeem(request: RefreshRequest): Promise<Refreshed> {
    const { found, authorization, family, secret } = await this.#find(request);
    const { authorizationId, clientId, current } = found.value;
    if (clientId !== undefined && request.clientId !== clientId)
      throw oauthError('invalid_grant', 'The refresh token was issued to another client');
    checkBoundKeys(found.value, request);
    if (!equalInConstantTime(fingerprint(secret), current)) throw await this.#reused(found);
    if (!request.rotates) return { authorizationId, authorization, refreshToken: request.refreshToken };
    const next = newSecret(this.#random);
    const replaced = { family: found, revision: await this.#replace(found, next) };
    return { authorizationId, authorization, refreshToken: `${family}.${next}`, replaced };
  }

  /** Makes a token good again whose use failed; the one that replaced it is void. @throws DomainError `Conflict` when it was revoked */
  async restore({ replaced }: Refreshed): Promise<void> {
    if (!replaced) return;
    const { id, value } = replaced.family as Stored<Family>;
    await this.#families.replace({ id, value }, replaced.revision);
  }

  async #find({ issuerId, refreshToken }: Pick<RefreshRequest, 'issuerId' | 'refreshToken'>) {
    const [, family = '', secret = ''] = TOKEN.exec(refreshToken) ?? [];
    const found = await this.#families.get({ id: secretId(issuerId, family) });
    const authorization = found && (await this.#authorizations.get(found.value.authorizationId));
    if (!found || !authorization) throw unknownToken();
    return { found, authorization, family, secret };
  }

  /** Returns the revision of the record with the new token. */
  async #replace(found: Stored<Family>, secret: string): Promise<number> {
    const value = { ...found.value, current: fingerprint(secret) };
    try {
      return (await this.#families.replace({ id: found.id, value }, found.revision)).revision;
    } catch (error) {
      throw isDomainError(error, 'Conflict') ? await this.#reused(found) : error;
    }
  }

  async #reused({ id, value }: Stored<Family>): Promise<Error> {
    await this.#authorizations.revoke(value.authorizationId);
    await this.#families.remove({ id });
    return unknownToken();
  }
}

const unknownToken = () => oauthError('invalid_grant', 'The refresh token is unknown, used, revoked or expired');
