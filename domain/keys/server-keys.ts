import type { KeyReference, Signer } from '../../ports/key-service.ts';
import type { Collection, Store } from '../../ports/store.ts';
import { isDomainError } from '../errors.ts';
import type { KeyRing } from './key-ring.ts';

/** What the server itself signs, and with which type of key. */
const SERVER_KEYS = { login: 'Ed25519', issuer: 'secp256r1', verifier: 'secp256r1' } as const;

export type ServerKeyName = keyof typeof SERVER_KEYS;

/** The server's own keys: made once, kept sealed, the same for every instance on one store and after a restart. */
export class ServerKeys {
  readonly #records: Collection<KeyReference>;
  readonly #keys: KeyRing;
  readonly #signers = new Map<ServerKeyName, Promise<Signer>>();

  constructor(store: Store, keys: KeyRing) {
    this.#records = store.collection({ name: 'server-keys', listed: false, sealed: true });
    this.#keys = keys;
  }

  signer(name: ServerKeyName): Promise<Signer> {
    const known = this.#signers.get(name);
    if (known) return known;
    const loading = this.#load(name).then((reference) => this.#keys.signer(reference));
    this.#signers.set(name, loading);
    loading.catch(() => this.#signers.delete(name));
    return loading;
  }

  async #load(name: ServerKeyName): Promise<KeyReference> {
    const kept = await this.#records.get({ id: name });
    if (kept) return kept.value;
    const value = await this.#keys.create('jwk', { keyType: SERVER_KEYS[name] });
    try {
      return (await this.#records.insert({ id: name, value })).value;
    } catch (error) {
      // Another instance was first: its key counts.
      const theirs = isDomainError(error, 'Conflict') ? await this.#records.get({ id: name }) : undefined;
      if (theirs) return theirs.value;
      throw error;
    }
  }
}
