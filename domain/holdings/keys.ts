import type { KeyReference, KeyType, Signer } from '../../ports/key-service.ts';
import type { Collection, Store } from '../../ports/store.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import { readAll } from '../foundation/records.ts';
import { isKept, removeUnused } from '../foundation/removal.ts';
import { thumbprint } from '../jose/jwk.ts';
import type { KeyBackends } from '../keys/key-backends.ts';
import { type DefaultConfigs, defaultConfig } from '../keys/key-request.ts';
import type { ActivityRecorder } from './activity.ts';
import { type DidRecord, type KeyRecord, WALLET_DIDS, WALLET_KEYS } from './records.ts';

/** A key to create. */
export interface WantedKey {
  backend: string;
  keyType: KeyType;
  name?: string;
  config?: Record<string, unknown>;
}

/** A key of an owner: of a wallet, by its id, or of a key management service, by its target. */
export interface OwnedKey {
  owner: string;
  id: string;
}

/** A created key; `backend` is spelled as in the request. */
export interface CreatedKey extends OwnedKey {
  reference: KeyReference;
  backend: string;
  name?: string;
}

/** Where keys are stored by their owner. */
export interface KeyStorage<R> {
  /** @throws DomainError `Conflict`, `NotFound` when the key is surely not stored */
  insert(key: CreatedKey): Promise<R>;
  /** @throws DomainError `NotFound` */
  get(key: OwnedKey): Promise<KeyReference>;
}

/** The keys in a storage: what creating and using them has in common for all owners. */
export class StoredKeys<R> {
  readonly #backends: KeyBackends;
  readonly #storage: KeyStorage<R>;

  constructor(backends: KeyBackends, storage: KeyStorage<R>) {
    this.#backends = backends;
    this.#storage = storage;
  }

  /**
   * Creates a key at its backend and stores it, under the thumbprint of its public key unless `id` is given. A key that
   * was surely not stored is removed from its backend again. @throws DomainError `BadRequest` naming the field, `Conflict`
   */
  async create({ owner, id, backend, ...wanted }: WantedKey & { owner: string; id?: string }): Promise<R> {
    const reference = await this.#backends.create(backend, wanted);
    const key = { owner, id: id ?? thumbprint(reference.publicJwk) };
    try {
      return await this.#storage.insert({ ...key, reference, backend, name: wanted.name });
    } catch (error) {
      // After a failure of the store the key may have been written; then it must stay at its backend.
      const isLost = isDomainError(error, 'Conflict') || isDomainError(error, 'NotFound');
      if (isLost || (await this.#isMissing(key))) await this.#backends.remove(reference).catch(() => undefined);
      throw error;
    }
  }

  /** @throws DomainError `NotFound` */
  get(key: OwnedKey): Promise<KeyReference> {
    return this.#storage.get(key);
  }

  /** Returns the function that signs with a key. @throws DomainError `NotFound` */
  async signer(key: OwnedKey): Promise<Signer> {
    return this.#backends.signer(await this.get(key));
  }

  #isMissing(key: OwnedKey): Promise<boolean> {
    return this.get(key).then(
      () => false,
      (error: unknown) => isDomainError(error, 'NotFound'),
    );
  }
}

/** A key as its wallet lists it: without its reference, which may contain secrets. */
export interface KeySummary {
  id: string;
  keyType: KeyType;
  backend: string;
  name?: string;
}

/** What `Keys` works with. */
export interface KeyParts {
  store: Store;
  keys: KeyBackends;
  /** The `config` of a backend when a request has none (key-generation-defaults.conf). */
  configs: DefaultConfigs;
  activity: ActivityRecorder;
}

/** The keys of wallets, each in the wallet that owns it. */
export class Keys {
  readonly #records: Collection<KeyRecord>;
  readonly #dids: Collection<DidRecord>;
  readonly #keys: StoredKeys<string>;
  readonly #parts: KeyParts;

  constructor(parts: KeyParts) {
    this.#parts = parts;
    this.#records = parts.store.collection(WALLET_KEYS);
    this.#dids = parts.store.collection(WALLET_DIDS);
    this.#keys = new StoredKeys(parts.keys, storageOf(this.#records));
  }

  /** Creates a key and returns its id. @throws DomainError `BadRequest` naming the field */
  create(owner: string, { config, ...wanted }: WantedKey): Promise<string> {
    return this.#keys.create({
      owner,
      ...wanted,
      config: config ?? defaultConfig(this.#parts.configs, wanted.backend),
    });
  }

  async list(owner: string): Promise<KeySummary[]> {
    const records = await readAll({ collection: this.#records, parent: owner });
    return records.map(({ id, value: { reference, name } }) => {
      const { keyType, backend } = reference;
      return { id, keyType, backend, ...(name && { name }) };
    });
  }

  /** @throws DomainError `NotFound` */
  get(key: OwnedKey): Promise<KeyReference> {
    return this.#keys.get(key);
  }

  /** Returns the function that signs with a key. @throws DomainError `NotFound` */
  signer(key: OwnedKey): Promise<Signer> {
    return this.#keys.signer(key);
  }

  /**
   * Deletes a key here and at its backend; of concurrent deletions one finds it.
   * @throws DomainError `BadRequest` naming the DID that uses the key, `NotFound`
   */
  async remove(key: OwnedKey): Promise<void> {
    const found = await removeUnused({
      collection: this.#records,
      key: { id: key.id, parent: key.owner },
      requireUnused: () => this.#requireUnused(key),
      clear: ({ reference }) => this.#parts.keys.remove(reference),
      isWithdrawable: true,
    });
    if (!found) throw noKey(key);
  }

  /** Confirms that a key, for which a DID was stored, is not being removed. @throws DomainError `NotFound` */
  async confirm(key: OwnedKey): Promise<void> {
    if (!(await isKept(this.#records, { id: key.id, parent: key.owner }))) throw noKey(key);
  }

  async #requireUnused(key: OwnedKey): Promise<void> {
    const dids = await readAll({ collection: this.#dids, parent: key.owner });
    const user = dids.find(({ value }) => value.keyId === key.id);
    if (user) throw new DomainError('BadRequest', `The key is used by ${user.id}: delete that DID first`);
  }
}

const storageOf = (records: Collection<KeyRecord>): KeyStorage<string> => ({
  insert: async ({ owner, id, reference, name }) => {
    await records.insert({ id, parent: owner, value: { reference, ...(name && { name }) } });
    return id;
  },
  get: async (key) => {
    const record = await records.get({ id: key.id, parent: key.owner });
    if (!record) throw noKey(key);
    return record.value.reference;
  },
});

const noKey = ({ id }: OwnedKey): DomainError =>
  new DomainError('NotFound', `This wallet has no key ${id.slice(0, 64)}`);
