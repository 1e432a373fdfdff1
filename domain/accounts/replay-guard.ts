import type { Collection, Store } from '../../ports/store.ts';
import type { Clock, Random } from '../../ports/system.ts';
import { base64url, fingerprint } from '../foundation/bytes.ts';
import { isDomainError } from '../foundation/errors.ts';
import type { ParsedJws } from '../jose/jws.ts';
import { rejected, type X5cClaims } from './x5c-token.ts';

/** `compatible`: as the claims of the token demand; `once`: each token once; `challenge`: only with a nonce issued here. */
export type ReplayMode = 'compatible' | 'once' | 'challenge';

/** A nonce for one login. */
interface LoginNonce {
  nonce: string;
  expiresIn: number;
}

/** One use of a token that is valid in every other respect. */
interface TokenUse {
  identity: string;
  jws: ParsedJws;
  claims: X5cClaims;
  /** Milliseconds since the epoch after which the token is rejected in any case. */
  acceptableUntil: number;
}

const NONCE_BYTES = 24;
const NONCE_SECONDS = 300;

/** Rejects the second use of nonces and tokens, across all instances on one store. */
export class ReplayGuard {
  readonly #nonces: Collection<object>;
  readonly #used: Collection<object>;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly mode: ReplayMode;

  constructor({ store, clock, random }: { store: Store; clock: Clock; random: Random }, mode: ReplayMode) {
    this.#nonces = store.collection({ name: 'login-nonces', sealed: false, afterRestore: 'void' });
    this.#used = store.collection({ name: 'used-login-tokens', sealed: false, afterRestore: 'kept' });
    this.#clock = clock;
    this.#random = random;
    this.mode = mode;
  }

  async nonce(): Promise<LoginNonce> {
    const nonce = base64url(this.#random.bytes(NONCE_BYTES));
    const expiresAt = this.#clock.now() + NONCE_SECONDS * 1000;
    await this.#nonces.insert({ id: fingerprint(nonce), value: {}, expiresAt });
    return { nonce, expiresIn: NONCE_SECONDS };
  }

  /** Records a use. @throws DomainError `TokenRejected` when the token, its `jti` or its `nonce` cannot be used (again) */
  async consume({ identity, jws, claims: { nonce, jti }, acceptableUntil }: TokenUse): Promise<void> {
    if (nonce !== undefined) await this.#takeNonce(nonce);
    else if (this.mode === 'challenge')
      throw rejected('the claim nonce is required; GET /wallet-api/auth/x5c/nonce gives one');
    const once = [
      ...(jti === undefined ? [] : [`jti:${fingerprint(`${identity}\n${jti}`)}`]),
      ...(this.mode === 'once' ? [`token:${tokenDigest(jws)}`] : []),
    ];
    for (const id of once) await this.#markUsed(id, acceptableUntil);
  }

  async #takeNonce(nonce: string): Promise<void> {
    if (!(await this.#nonces.take({ id: fingerprint(nonce) })))
      throw rejected('the claim nonce is unknown, expired or used already');
  }

  async #markUsed(id: string, expiresAt: number): Promise<void> {
    try {
      await this.#used.insert({ id, value: {}, expiresAt });
    } catch (error) {
      throw isDomainError(error, 'Conflict') ? rejected('the token was used already') : error;
    }
  }
}

/** Of the decoded header and payload, not of the text: two encodings of one token are one token. */
const tokenDigest = ({ header, payload }: ParsedJws): string => fingerprint(JSON.stringify([header, payload]));
