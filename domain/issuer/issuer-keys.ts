import type { PublicJwk } from '../../ports/key-service.ts';
import type { Collection, Store } from '../../ports/store.ts';
import { isDomainError } from '../errors.ts';
import { thumbprint } from '../keys/jwk.ts';
import { KEY_TYPES, keyTypeOf } from '../keys/key-types.ts';
import type { ServerKeys } from '../keys/server-keys.ts';

const MAX_PUBLISHED = 1000;
const MAX_REMEMBERED = 10_000;

/** A public key as it is published (RFC 7517 §4). */
export type PublishedJwk = PublicJwk & { kid: string; use: 'sig'; alg: string };

/** The public keys that credentials are signed with here; they outlive sessions and restarts. */
export class IssuerKeys {
  readonly #keys: Collection<PublicJwk>;
  readonly #serverKeys: ServerKeys;
  readonly #remembered = new Set<string>();

  constructor(store: Store, serverKeys: ServerKeys) {
    this.#keys = store.collection({ name: 'issuer-keys', listed: true, sealed: false });
    this.#serverKeys = serverKeys;
  }

  /** Publishes a key from now on. */
  async remember(jwk: PublicJwk): Promise<void> {
    const id = thumbprint(jwk);
    if (this.#remembered.has(id)) return;
    try {
      await this.#keys.insert({ id, value: jwk });
    } catch (error) {
      if (!isDomainError(error, 'Conflict')) throw error;
    }
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    this.#remembered.add(id);
  }

  /** The server's own key, then the keys used for issuing, newest first, at most 1,000. */
  async published(): Promise<PublishedJwk[]> {
    const own = await this.#serverKeys.signer('issuer');
    const used = await this.#keys.list({ parent: '', order: 'created-', offset: 0, limit: MAX_PUBLISHED });
    return [own.publicJwk, ...used.map(({ value }) => value)].map((jwk) => ({
      ...jwk,
      kid: thumbprint(jwk),
      use: 'sig',
      alg: KEY_TYPES[keyTypeOf(jwk)].alg,
    }));
  }
}
