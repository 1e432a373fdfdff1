import type { Collection, Store } from '../../ports/store.ts';
import type { Clock, Random } from '../../ports/system.ts';
import { base64url, decrypt, encrypt, fromBase64url, hmac } from '../foundation/bytes.ts';
import { shared } from '../foundation/concurrency.ts';
import { isDomainError } from '../foundation/errors.ts';

const SECRET_BYTES = 32;
/** How long a secret that was read is used before the store is read again, in milliseconds. */
const TRUSTED_MS = 30_000;

/** Where secrets are: those that a restored backup replaces, and those by which others know what they digest. */
const COLLECTIONS = {
  'until-restored': { name: 'server-secrets', afterRestore: 'void' },
  'for-ever': { name: 'lasting-secrets', afterRestore: 'kept' },
} as const;

interface StoredSecret {
  secret: string;
}

/** What is sealed, and what it is bound to. */
interface SealedText {
  text: string;
  context: string;
}

const NONCE_BYTES = 12;

/**
 * A secret of the server for keyed digests, or for sealing what only the server can read: created once, stored sealed,
 * the same for all instances on one store and after a restart. When the store has lost it, the first instance that
 * notices stores its own copy and the others read it.
 */
export class ServerSecret {
  readonly #secrets: Collection<StoredSecret>;
  #known: { secret: string; until: number } | undefined;
  readonly #read = shared(() => this.#load());

  constructor(
    private readonly parts: {
      store: Store;
      clock: Clock;
      random: Random;
    },
    private readonly name: string,
    lasts: 'until-restored' | 'for-ever' = 'until-restored',
  ) {
    this.#secrets = parts.store.collection(COLLECTIONS[lasts]);
  }

  /** The digest of some values under the secret; one that was read before can be used without the store. @throws DomainError `StoreUnavailable` */
  async digest(values: readonly (string | number)[]): Promise<Uint8Array> {
    return hmac(await this.#bytes(), JSON.stringify(values));
  }

  /** A text that only `unseal` reads, each time another one, as base64url. @throws as `digest` */
  async seal(sealed: SealedText): Promise<string> {
    return base64url(encrypt(await this.#bytes(), { nonce: this.parts.random.bytes(NONCE_BYTES), ...sealed }));
  }

  /** Undefined for a text that was sealed in another context, or not under this secret. @throws as `digest` */
  async unseal({ text, context }: SealedText): Promise<string | undefined> {
    const bytes = fromBase64url(text);
    return bytes && decrypt(await this.#bytes(), bytes, context);
  }

  async #bytes(): Promise<Uint8Array> {
    const known = this.#known;
    const isRecent = known !== undefined && this.parts.clock.now() < known.until;
    const secret = isRecent
      ? known.secret
      : await this.#read().catch((error) => known?.secret ?? Promise.reject(error));
    return fromBase64url(secret) ?? new Uint8Array();
  }

  async #load(): Promise<string> {
    const secret = await this.#agree(this.#known?.secret);
    this.#known = { secret, until: this.parts.clock.now() + TRUSTED_MS };
    return secret;
  }

  async #agree(mine: string | undefined): Promise<string> {
    const kept = await this.#secrets.get({ id: this.name });
    if (kept) return kept.value.secret;
    const secret = mine ?? base64url(this.parts.random.bytes(SECRET_BYTES));
    try {
      await this.#secrets.insert({ id: this.name, value: { secret } });
      return secret;
    } catch (error) {
      // Another instance was first: its secret is used.
      if (isDomainError(error, 'Conflict')) return this.#agree(secret);
      throw error;
    }
  }
}
