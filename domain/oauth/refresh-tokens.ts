import type { Collection, Store, Stored } from '../../ports/store.ts';
import type { Clock, Random } from '../../ports/system.ts';
import { equalInConstantTime, fingerprint } from '../foundation/bytes.ts';
import { oauthError } from '../foundation/errors.ts';
import { update } from '../foundation/records.ts';
import type { Authorization, Authorizations } from './authorizations.ts';
import { newSecret, secretId } from './secrets.ts';
import { checkBoundKeys, type ProvenKeys } from './sender-constraints.ts';

/** What a new refresh token is bound to. */
interface NewRefreshToken extends ProvenKeys {
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
interface ReplacedToken {
  family: Stored<unknown>;
  /** The revision of the record that has the token which replaced it. */
  revision: number;
}

const TOKEN = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

/** For how long the answer to a token can be asked for again, in milliseconds: it may be lost with its process. */
export const ANSWERED_AGAIN_MS = 60_000;

/** The tokens that replace one another: one record, which has the digest of the current one. */
interface Family extends ProvenKeys {
  clientId?: string;
  authorizationId: string;
  current: string;
  /** The latest use, whose answer can be asked for again: its token's digest, and the secret that was given for it. */
  latest?: { used: string; given: string; until: number };
}

/**
 * Refresh tokens (RFC 6749 §6), bound to their client and its keys. A token is the secret of its family and a secret of its
 * own. The latest use of a token with a client or a key can be repeated for a short time and gives the same next token.
 * Every other use of one that was replaced, with the right secret of the family, is a reuse: the authorization is
 * revoked, and with it all tokens of either kind.
 */
export class RefreshTokens {
  readonly #families: Collection<Family>;

  constructor(
    private readonly parts: {
      store: Store;
      authorizations: Authorizations;
      clock: Clock;
      random: Random;
    },
  ) {
    this.#families = parts.store.collection({ name: 'refresh-tokens', afterRestore: 'void' });
  }

  async create({ issuerId, expiresAt, ...bound }: NewRefreshToken): Promise<string> {
    const [family, secret] = [newSecret(this.parts.random), newSecret(this.parts.random)];
    const value = { ...bound, current: fingerprint(secret) };
    await this.#families.insert({ id: secretId(issuerId, family), value, expiresAt });
    return `${family}.${secret}`;
  }

  /** What a token was created for, whether it is the current one or not. @throws DomainError `invalid_grant` */
  async find(request: Pick<RefreshRequest, 'issuerId' | 'refreshToken'>): Promise<Authorization> {
    return (await this.#find(request)).authorization;
  }

  /**
   * Redeems a token. Uses at once of one that rotates give the same next token, or at most one of them succeeds where
   * nothing binds the token. @throws DomainError `invalid_grant`
   */
  async redeem(request: RefreshRequest): Promise<Refreshed> {
    const { found, authorization, family, secret } = await this.#find(request);
    const { authorizationId, clientId } = found.value;
    if (clientId !== undefined && request.clientId !== clientId)
      throw oauthError('invalid_grant', 'The refresh token was issued to another client');
    checkBoundKeys(found.value, request);
    const used = fingerprint(secret);
    const isCurrent = equalInConstantTime(used, found.value.current);
    if (isCurrent && !request.rotates) return { authorizationId, authorization, refreshToken: request.refreshToken };
    const { given, replaced } = await this.#replace(found, used);
    return { authorizationId, authorization, refreshToken: `${family}.${given}`, replaced };
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
    const authorization = found && (await this.parts.authorizations.get(found.value.authorizationId));
    if (!found || !authorization) throw unknownToken();
    return { found, authorization, family, secret };
  }

  /** The secret that is given for a used one. A repeated use is written too, so that the first cannot be taken back. */
  async #replace(found: Stored<Family>, used: string): Promise<{ given: string; replaced?: ReplacedToken }> {
    const { clock, random } = this.parts;
    const [next, now] = [newSecret(random), clock.now()];
    let outcome: { given: string; before?: Family } | undefined;
    // The last call is for the value that was written.
    const change = (family: Family): Family => {
      outcome = undefined;
      if (equalInConstantTime(used, family.current)) {
        outcome = { given: next, before: family };
        const latest = { used, given: next, until: now + ANSWERED_AGAIN_MS };
        return { ...family, current: fingerprint(next), ...(isBound(family) && { latest }) };
      }
      if (!family.latest || !equalInConstantTime(used, family.latest.used) || now >= family.latest.until) return family;
      outcome = { given: family.latest.given };
      return { ...family };
    };
    const written = await update({ collection: this.#families, key: { id: found.id }, from: found, change });
    if (!written || !outcome) throw await this.#reused(found);
    const { given, before } = outcome;
    return { given, ...(before && { replaced: { family: { ...found, value: before }, revision: written.revision } }) };
  }

  async #reused({ id, value }: Stored<Family>): Promise<Error> {
    await this.parts.authorizations.revoke(value.authorizationId);
    await this.#families.remove({ id });
    return unknownToken();
  }
}

/** Whether only its client, or the holder of its key, can repeat a use. */
const isBound = ({ clientId, dpopThumbprint, instanceThumbprint }: Family): boolean =>
  (clientId ?? dpopThumbprint ?? instanceThumbprint) !== undefined;

const unknownToken = () => oauthError('invalid_grant', 'The refresh token is unknown, used, revoked or expired');
