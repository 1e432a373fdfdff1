import type { Collection, CollectionSpec, Store } from '../../ports/store.ts';
import type { Random } from '../../ports/system.ts';
import { fingerprint } from '../foundation/bytes.ts';
import { oauthError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import { type CodeLeaseParts, CodeLeases, type Redeemable } from './code-leases.ts';
import { checkCodeVerifier } from './pkce.ts';
import { newSecret, secretId } from './secrets.ts';
import { checkBoundKeys, type ProvenKeys } from './sender-constraints.ts';

/** How long a code can be redeemed, in seconds (FAPI 2.0 security profile §5.3.2.1). */
const CODE_SECONDS = 60;

/** What a code or an access token gives access to: one session of one issuer. */
export interface Grant {
  sessionId: string;
}

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

interface StoredAuthorization extends Redeemable {
  authorization: Authorization;
  /** When the code ends, in milliseconds since the epoch. */
  codeUntil: number;
  isRedeemed: boolean;
}

/** An authorization whose code is being redeemed. */
export interface RedeemedAuthorization {
  /** The id that its tokens name; no secret. */
  id: string;
  authorization: Authorization;
}

/** A token that names an authorization is good only while it is there. */
const AUTHORIZATIONS: CollectionSpec<StoredAuthorization> = { name: 'authorizations', afterRestore: 'void' };

/**
 * Authorizations of clients and their codes (RFC 6749 §4.1.2). The record of a code lives on as the authorization of the
 * tokens that are made from it: a second use of the code removes it, and all its tokens are void at once.
 */
export class Authorizations {
  readonly #authorizations: Collection<StoredAuthorization>;
  readonly #leases: CodeLeases<StoredAuthorization>;

  constructor(
    private readonly parts: CodeLeaseParts & {
      store: Store;
      random: Random;
    },
  ) {
    this.#authorizations = parts.store.collection(AUTHORIZATIONS);
    this.#leases = new CodeLeases(this.#authorizations, parts);
  }

  /** Stores what a client was allowed and returns the code for it. */
  async create(issuerId: string, authorization: Authorization): Promise<string> {
    const code = newSecret(this.parts.random);
    const codeUntil = this.parts.clock.now() + CODE_SECONDS * 1000;
    const value = { authorization, codeUntil, isRedeemed: false };
    await this.#authorizations.insert({ id: secretId(issuerId, code), value, expiresAt: codeUntil });
    return code;
  }

  /** Stores what a client was allowed without such a code, until `until` (ms since the epoch); returns the id for its tokens. */
  async start(authorization: Authorization, until: number): Promise<string> {
    const id = fingerprint(newSecret(this.parts.random));
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
   * Redeems a code with the work that makes tokens, which are good from its end on; of two requests at once one works. A
   * request that does not fit the code changes nothing; one that fits a redeemed code revokes what was made from it. When
   * the work fails, the code is good again until its own end. @throws DomainError `invalid_grant`, `Busy`
   */
  async redeem<R>(request: CodeRedemption, work: (redeemed: RedeemedAuthorization) => Promise<R>): Promise<R> {
    const id = secretId(request.issuerId, request.code);
    const found = await this.#authorizations.get({ id });
    if (!found) throw unknownCode();
    const { authorization, codeUntil, isRedeemed } = found.value;
    checkFit(authorization, request);
    if (isRedeemed) {
      await this.revoke(id);
      throw unknownCode();
    }
    const value = { authorization, codeUntil, isRedeemed };
    return this.#leases.run(found, {
      work: () => work({ id, authorization }),
      redeemed: () => ({ value: { ...value, isRedeemed: true }, expiresAt: request.tokensUntil }),
      failed: () => ({ value, expiresAt: codeUntil }),
    });
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
