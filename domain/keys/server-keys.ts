import type { KeyReference, Signer } from '../../ports/key-service.ts';
import type { Collection, Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';
import { isDomainError } from '../foundation/errors.ts';
import type { KeyBackends } from './key-backends.ts';

/** The types of the server's own keys, by their purpose. */
const SERVER_KEYS = { login: 'Ed25519', issuer: 'secp256r1', verifier: 'secp256r1' } as const;

export type ServerKeyName = keyof typeof SERVER_KEYS;

/** How long a key that was read is used before the store is read again, in milliseconds. */
const TRUSTED_MS = 30_000;

interface KnownKey {
  reference: KeyReference;
  signer: Signer;
  /** When to read the store again, in milliseconds since the epoch. */
  until: number;
}

/**
 * The server's own keys: created once, stored sealed, the same for all instances on one store and after a restart. When
 * the store has lost a key, the first instance that notices stores its own copy and the others read it.
 */
export class ServerKeys {
  readonly #records: Collection<KeyReference>;
  readonly #keys: KeyBackends;
  readonly #clock: Clock;
  readonly #known = new Map<ServerKeyName, KnownKey>();
  readonly #loading = new Map<ServerKeyName, Promise<Signer>>();

  constructor(store: Store, keys: KeyBackends, clock: Clock) {
    this.#records = store.collection({ name: 'server-keys', listed: false, sealed: true });
    this.#keys = keys;
    this.#clock = clock;
  }

  async signer(name: ServerKeyName): Promise<Signer> {
    const known = this.#known.get(name);
    if (known && this.#clock.now() < known.until) return known.signer;
    const loading = this.#loading.get(name) ?? this.#load(name, known).finally(() => this.#loading.delete(name));
    this.#loading.set(name, loading);
    return loading;
  }

  async #load(name: ServerKeyName, known: KnownKey | undefined): Promise<Signer> {
    try {
      const reference = await this.#agree(name, known?.reference);
      const signer = this.#keys.signer(reference);
      this.#known.set(name, { reference, signer, until: this.#clock.now() + TRUSTED_MS });
      return signer;
    } catch (error) {
      // A key that was read before can be used without the store.
      if (known) return known.signer;
      throw error;
    }
  }

  async #agree(name: ServerKeyName, mine: KeyReference | undefined): Promise<KeyReference> {
    const kept = await this.#records.get({ id: name });
    if (kept) return kept.value;
    const value = mine ?? (await this.#keys.create('jwk', { keyType: SERVER_KEYS[name] }));
    try {
      return (await this.#records.insert({ id: name, value })).value;
    } catch (error) {
      // Another instance was first: its key is used.
      const theirs = isDomainError(error, 'Conflict') ? await this.#records.get({ id: name }) : undefined;
      if (theirs) return theirs.value;
      throw error;
    }
  }
}
