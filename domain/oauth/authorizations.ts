import type { Collection, CollectionSpec, Store, Stored } from '../../ports/store.ts';
import type { Clock, Random } from '../../ports/system.ts';
import { fingerprint } from '../foundation/bytes.ts';
import { isDomainError, oauthError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { Grant } from './authorization-codes.ts';
import { checkCodeVerifier } from './pkce.ts';
import { newSecret, secretId } from './secrets.ts';
import { checkBoundKeys, type ProvenKeys } from './sender-constraints.ts';

/** How long a code can be redeemed, in seconds (FAPI 2.0 security profile §5.3.2.1). */
export const CODE_SECONDS = 60;

/** What a client was allowed, and what its code is bound to. */
export interface Authorization extends Grant, ProvenKeys {
  /** Absent for a client without a name of its own (OpenID4VCI 1.0 §6.1). */
  clientId?: string;
  /** As the authorization request had it. */
  redirectUri?: string;
  /** Of the method S256. */
  codeChallenge?: string;
  scopes?: string[];
  details?: JsonObject[];
}

/** A token request with a code. */
export interface CodeRedemption extends ProvenKeys {
  issuerId: string;
  code: string;
  clientId: string | undefined;
  redirectUri: string | undefined;
  verifier: string | undefined;
  /** When the last token that is made from the authorization ends, in milliseconds since the epoch. */
  tokensUntil: number;
}

interface StoredAuthorization {
  authorization: Authorization;
  /** When the code ends, in milliseconds since the epoch. */
  codeUntil: number;
  isRedeemed: boolean;
}

/** An authorization whose code was just redeemed. */
export interface RedeemedAuthorization {
  /** The id that its tokens name; no secret. */
  id: string;
  authorization: Authorization;
  /** The record as it was written. */
  record: Stored<unknown>;
}

/** Where authorizations are stored; a token that names one is good only while it is there. */
export const AUTHORIZATIONS: CollectionSpec<StoredAuthorization> = {
  name: 'authorizations',
  listed: false,
  sealed: true,
  afterRestore: 'void',
};

/**
 * Authorizations of clients and their codes (RFC 6749 §4.1.2). The record of a code lives on as the authorization of the
 * tokens that are made from it: a second use of the code removes it, and all its tokens are void at once.
 */
export class Authorizations {
  readonly #authorizations: Collection<StoredAuthorization>;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor({ store, clock, random }: { store: Store; clock: Clock; random: Random }) {
    this.#authorizations = store.collection(AUTHORIZATIONS);
    this.#clock = clock;
    this.#random = random;
  }

  /** Stores what a client was allowed and returns the code for it. */
  async create(issuerId: string, authorization: Authorization): Promise<string> {
    const code = newSecret(this.#random);
    const codeUntil = this.#clock.now() + CODE_SECONDS * 1000;
    const value = { authorization, codeUntil, isRedeemed: false };
    await this.#authorizations.insert({ id: secretId(issuerId, code), value, expiresAt: codeUntil });
    return code;
  }

  /** Stores what a client was allowed without such a code, until `until` (ms since the epoch); returns the id for its tokens. */
  async start(authorization: Authorization, until: number): Promise<string> {
    const id = fingerprint(newSecret(this.#random));
    await this.#authorizations.insert({
      id,
      value: { authorization, codeUntil: 0, isRedeemed: true },
      expiresAt: until,
    });
    return id;
  }

  /** What a code that can be presented was created for. */
  async find(issuerId: string, code: string): Promise<Authorization | undefined> {
    return (await this.#authorizations.get({ id: secretId(issuerId, code) }))?.value.authorization;
  }

  /**
   * Redeems a code; of two requests at once exactly one succeeds. A request that does not fit the code changes nothing;
   * one that fits a redeemed code revokes what was made from it. @throws DomainError `invalid_grant`
   */
  async redeem(request: CodeRedemption): Promise<RedeemedAuthorization> {
    const id = secretId(request.issuerId, request.code);
    const found = await this.#authorizations.get({ id });
    if (!found) throw unknownCode();
    const { authorization, isRedeemed } = found.value;
    checkFit(authorization, request);
    const record = isRedeemed ? undefined : await this.#markRedeemed(found, request.tokensUntil);
    if (record) return { id, authorization, record };
    await this.revoke(id);
    throw unknownCode();
  }

  /** Makes a code good again, until its own end, whose redemption failed. @throws DomainError `Conflict` when it was revoked */
  async restore({ id, record }: RedeemedAuthorization): Promise<void> {
    const value = { ...(record.value as StoredAuthorization), isRedeemed: false };
    await this.#authorizations.replace({ id, value, expiresAt: value.codeUntil }, record.revision);
  }

  /** The authorization that tokens were made from; undefined when it is over or revoked. */
  async get(id: string): Promise<Authorization | undefined> {
    const found = await this.#authorizations.get({ id });
    return found?.value.isRedeemed ? found.value.authorization : undefined;
  }

  /** Makes all tokens of an authorization void. */
  async revoke(id: string): Promise<void> {
    await this.#authorizations.remove({ id });
  }

  /** Undefined when another request redeemed the code first. */
  async #markRedeemed(
    found: Stored<StoredAuthorization>,
    tokensUntil: number,
  ): Promise<Stored<StoredAuthorization> | undefined> {
    const value = { ...found.value, isRedeemed: true };
    try {
      return await this.#authorizations.replace({ id: found.id, value, expiresAt: tokensUntil }, found.revision);
    } catch (error) {
      if (isDomainError(error, 'Conflict')) return undefined;
      throw error;
    }
  }
}

const unknownCode = () => oauthError('invalid_grant', 'The authorization code is unknown, used or expired');

function checkFit(authorization: Authorization, request: CodeRedemption): void {
  if (request.clientId !== authorization.clientId)
    throw oauthError('invalid_grant', 'The authorization code was issued to another client');
  if (request.redirectUri !== authorization.redirectUri)
    throw oauthError('invalid_grant', 'The redirect_uri must be that of the authorization request');
  checkCodeVerifier(request.verifier, authorization.codeChallenge);
  checkBoundKeys(authorization, request);
}
