import { isObject, type JsonObject } from '../../../domain/foundation/json.ts';
import type { Clock } from '../../../ports/system.ts';
import { KmsFailure } from '../remote/kms.ts';
import { SharedAttempt } from '../remote/shared-attempt.ts';

/** A token of a login is not used in its last seconds: the clocks of two machines differ. */
const MAX_SAFETY_MS = 30_000;
/** How soon a renewal that failed, or that gave almost no time, is tried again, in milliseconds. */
const MIN_RENEWAL_MS = 30_000;

/** How a configuration logs in. */
export type VaultAuth = { accessKey: string } | { roleId: string; secretId: string; approlePath?: string };

/** A call to Vault without a key in it; the body of its reply. @throws KmsFailure, DomainError of the network guard */
type LoginCall = (path: string, request: { token?: string; body: JsonObject }) => Promise<JsonObject>;

interface IssuedToken {
  token: string;
  /** Milliseconds since the epoch: since when, and before when it is used. */
  from: number;
  until: number;
  /** When to renew it, in milliseconds since the epoch. */
  renewAt: number;
}

/**
 * The token of one set of credentials: a caller's own one, or that of a login with AppRole. Both are renewed in half of
 * their time, while they are used; what cannot be renewed is used until Vault refuses it, or replaced by a login.
 */
export class VaultToken {
  #issued: IssuedToken | undefined;
  #isRenewing = false;
  readonly #login = new SharedAttempt<IssuedToken>();

  constructor(private readonly parts: { auth: VaultAuth; call: LoginCall; clock: Clock }) {}

  /** @throws KmsFailure, DomainError of the network guard */
  async get(): Promise<string> {
    const now = this.parts.clock.now();
    const known = this.#issued;
    // A token from the future is not used: the clock was set back.
    if (!known || now < known.from || now >= known.until) return (await this.#obtain()).token;
    if (now >= known.renewAt) void this.#renew(known);
    return known.token;
  }

  /** Another token instead of one that Vault refused; undefined where there is no other. */
  async replace(refused: string): Promise<string | undefined> {
    if ('accessKey' in this.parts.auth) return undefined;
    if (this.#issued?.token === refused) this.#issued = undefined;
    const token = await this.get();
    return token === refused ? undefined : token;
  }

  async #obtain(): Promise<IssuedToken> {
    const { auth, call, clock } = this.parts;
    if ('accessKey' in auth) {
      const from = clock.now();
      const own = { token: auth.accessKey, from, until: Number.POSITIVE_INFINITY, renewAt: from };
      this.#issued = own;
      void this.#renew(own);
      return own;
    }
    const { roleId: role_id, secretId: secret_id, approlePath = 'approle' } = auth;
    return this.#login.run(async () => {
      const issued = readAuth(await call(`auth/${approlePath}/login`, { body: { role_id, secret_id } }), clock.now());
      this.#issued = issued;
      return issued;
    });
  }

  /** Renews a token while it is used: no caller waits, and a failure leaves the token as it is. */
  async #renew({ token, until }: IssuedToken): Promise<void> {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    const changed = await this.#renewed(token, until);
    this.#isRenewing = false;
    if (this.#issued?.token === token) this.#issued = { ...this.#issued, ...changed };
  }

  async #renewed(token: string, until: number): Promise<Partial<IssuedToken>> {
    const { call, clock, auth } = this.parts;
    try {
      const renewed = readAuth(await call('auth/token/renew-self', { token, body: {} }), clock.now());
      return { ...renewed, token, ...('accessKey' in auth && { until }) };
    } catch (error) {
      // A token that cannot be renewed is not tried again; after an outage it is.
      return { renewAt: isRefusal(error) ? Number.POSITIVE_INFINITY : clock.now() + MIN_RENEWAL_MS };
    }
  }
}

const isRefusal = (error: unknown): boolean => error instanceof KmsFailure && error.fault === 'credentials';

/** Reads the object `auth` of a login or a renewal; a lease of 0 seconds has no end. @throws KmsFailure for any other reply */
function readAuth({ auth }: JsonObject, from: number): IssuedToken {
  const { client_token: token, lease_duration: seconds, renewable } = isObject(auth) ? auth : {};
  const isToken = typeof token === 'string' && /^[\x21-\x7e]{1,8192}$/.test(token);
  if (!isToken || typeof seconds !== 'number' || !(seconds >= 0))
    throw new KmsFailure('unavailable', 'the login returned no token');
  const never = Number.POSITIVE_INFINITY;
  if (seconds === 0) return { token, from, until: never, renewAt: never };
  const ms = seconds * 1000;
  const until = from + ms - Math.min(MAX_SAFETY_MS, ms / 10);
  const renewAt = renewable === true ? from + Math.max(ms / 2, Math.min(MIN_RENEWAL_MS, ms)) : never;
  return { token, from, until, renewAt };
}
