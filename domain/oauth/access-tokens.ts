import type { Collection, Store } from '../../ports/store.ts';
import type { Random } from '../../ports/system.ts';
import type { Grant } from './authorization-codes.ts';
import { newSecret, secretId } from './secrets.ts';

/** What a new access token is bound to. */
export interface NewAccessToken extends Grant {
  issuerId: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** An access token that was just created. */
export interface AccessToken {
  /** The id of its grant, which is no secret. */
  grantId: string;
  token: string;
}

/** The grant of a presented access token. */
export interface PresentedGrant extends Grant {
  grantId: string;
}

/** Opaque access tokens (RFC 6750). */
export class AccessTokens {
  readonly #tokens: Collection<Grant>;
  readonly #random: Random;

  constructor({ store, random }: { store: Store; random: Random }) {
    this.#tokens = store.collection({ name: 'access-tokens', listed: false, sealed: false });
    this.#random = random;
  }

  async create({ issuerId, sessionId, expiresAt }: NewAccessToken): Promise<AccessToken> {
    const token = newSecret(this.#random);
    const grantId = secretId(issuerId, token);
    await this.#tokens.insert({ id: grantId, value: { sessionId }, expiresAt });
    return { grantId, token };
  }

  /** The grant of a live token; a token of another issuer is unknown. */
  async grantOf(issuerId: string, token: string): Promise<PresentedGrant | undefined> {
    const grantId = secretId(issuerId, token);
    const stored = await this.#tokens.get({ id: grantId });
    return stored && { grantId, sessionId: stored.value.sessionId };
  }
}
