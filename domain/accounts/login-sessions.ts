import type { Metrics } from '../../ports/metrics.ts';
import type { Signatures } from '../../ports/signatures.ts';
import type { Collection, Store } from '../../ports/store.ts';
import type { Clock, Ids } from '../../ports/system.ts';
import { isDomainError } from '../foundation/errors.ts';
import { isText } from '../foundation/json.ts';
import { LruCache } from '../foundation/lru-cache.ts';
import { readAll } from '../foundation/records.ts';
import { epochSeconds } from '../foundation/time.ts';
import { thumbprint } from '../jose/jwk.ts';
import { type ParsedJws, parseJws, signJws, verifyJws } from '../jose/jws.ts';
import { timeProblems } from '../jose/jwt-claims.ts';
import type { ServerKeys } from '../keys/server-keys.ts';

/** Issuer, audience and lifetime of bearer tokens. */
interface LoginSessionRules {
  /** The base URL of this installation. */
  publicUrl: string;
  lifetimeSeconds: number;
  /** The audience as a path below the base URL; a token is valid for one audience only. */
  audience?: '/wallet-api' | '/enterprise';
  /** Whether the sessions of an account can be ended together, for which they are listed. */
  endsTogether?: boolean;
}

interface LoginSession {
  accountId: string;
}

/** The claims of a verified, unexpired bearer token. */
interface Claims {
  jti: string;
  accountId: string;
}

/** Login sessions: a signed bearer token is valid while the record of its `jti` exists, so a logout ends it on every instance. */
export class LoginSessions {
  readonly #sessions: Collection<LoginSession>;
  /** The sessions of each account; written before, and removed after, the session. */
  readonly #ofAccounts: Collection<object>;
  /** Tokens whose signature was verified; claims and session are checked at each use. */
  readonly #signed = new LruCache<true>('login-tokens');

  constructor(
    private readonly parts: {
      store: Store;
      keys: ServerKeys;
      signatures: Signatures;
      clock: Clock;
      ids: Ids;
      metrics: Metrics;
    },
    private readonly rules: LoginSessionRules,
  ) {
    this.#sessions = parts.store.collection({ name: 'login-sessions', sealed: false, afterRestore: 'void' });
    this.#ofAccounts = parts.store.collection({
      name: 'account-sessions',
      listed: true,
      sealed: false,
      afterRestore: 'void',
    });
  }

  /** Starts a session and returns its bearer token (RFC 7519, EdDSA). */
  async start(accountId: string): Promise<string> {
    const { keys, clock, ids, metrics } = this.parts;
    const iat = epochSeconds(clock.now());
    const exp = iat + this.rules.lifetimeSeconds;
    const jti = ids.uuid();
    const signer = await keys.signer('login');
    const claims = { ...this.#addressees(), sub: accountId, iat, exp, jti };
    const token = await signJws({ typ: 'JWT', kid: thumbprint(signer.publicJwk) }, claims, signer);
    const expiresAt = exp * 1000;
    if (this.rules.endsTogether) await this.#ofAccounts.insert({ parent: accountId, id: jti, value: {}, expiresAt });
    await this.#sessions.insert({ id: jti, value: { accountId }, expiresAt });
    metrics.sessionMoved('login', 'active');
    return token;
  }

  /** Returns the account of a live session; undefined for every other text. */
  async authenticate(token: string): Promise<{ accountId: string } | undefined> {
    const claims = await this.#verify(token);
    const session = claims && (await this.#sessions.get({ id: claims.jti }))?.value;
    return session?.accountId === claims?.accountId ? session : undefined;
  }

  /** Ends the sessions of these tokens and returns their accounts; ignores every other text. */
  async end(tokens: readonly string[]): Promise<string[]> {
    const accounts: string[] = [];
    for (const token of new Set(tokens)) {
      const claims = await this.#verify(token);
      if (claims && (await this.#end(claims))) accounts.push(claims.accountId);
    }
    return accounts;
  }

  /** Ends the sessions of an account, except that of a token. */
  async endAll(accountId: string, except?: string): Promise<void> {
    const kept = except === undefined ? undefined : (await this.#verify(except))?.jti;
    const listed = await readAll({ collection: this.#ofAccounts, parent: accountId });
    for (const { id: jti } of listed) if (jti !== kept) await this.#end({ jti, accountId });
  }

  async #end({ jti, accountId }: Claims): Promise<boolean> {
    const wasLive = await this.#sessions.remove({ id: jti });
    if (wasLive) this.parts.metrics.sessionMoved('login', 'ended');
    if (this.rules.endsTogether) await this.#ofAccounts.remove({ parent: accountId, id: jti });
    return wasLive;
  }

  async #verify(token: string): Promise<Claims | undefined> {
    const jws = tryParse(token);
    const claims = jws && this.#readClaims(jws);
    if (!claims || jws.header.alg !== 'EdDSA') return undefined;
    return (await this.#isSigned(token, jws)) ? claims : undefined;
  }

  async #isSigned(token: string, jws: ParsedJws): Promise<boolean> {
    if (this.#signed.get(token)) return true;
    const { kid } = jws.header;
    if (!isText(kid)) return false;
    for (const jwk of await this.parts.keys.verifyingKeys('login', kid))
      if (await verifyJws(jws, jwk, this.parts.signatures)) return this.#signed.set(token, true);
    return false;
  }

  #readClaims({ payload }: ParsedJws): Claims | undefined {
    const { iss, aud } = this.#addressees();
    const { sub, jti } = payload;
    const { exp } = timeProblems(payload, { now: this.parts.clock.now(), required: ['exp'] });
    if (exp !== undefined || payload.iss !== iss || payload.aud !== aud || !isText(sub) || !isText(jti))
      return undefined;
    return { jti, accountId: sub };
  }

  #addressees(): { iss: string; aud: string } {
    const { publicUrl, audience = '/wallet-api' } = this.rules;
    return { iss: publicUrl, aud: `${publicUrl}${audience}` };
  }
}

function tryParse(token: string): ParsedJws | undefined {
  try {
    return parseJws(token);
  } catch (error) {
    if (isDomainError(error, 'BadRequest')) return undefined;
    throw error;
  }
}
