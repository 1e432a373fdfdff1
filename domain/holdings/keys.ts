import type { KeyReference, KeyType, Signer } from '../../ports/key-service.ts';
import type { PemKeys } from '../../ports/pem-keys.ts';
import type { Collection, Store, Stored } from '../../ports/store.ts';
import { DomainError, ignoring, invalidField, isDomainError } from '../foundation/errors.ts';
import { isText, type JsonObject } from '../foundation/json.ts';
import { readAll } from '../foundation/records.ts';
import { isKept, removeUnused } from '../foundation/removal.ts';
import { thumbprint } from '../jose/jwk.ts';
import type { KeyBackends } from '../keys/key-backends.ts';
import { backendOf } from '../keys/key-reference.ts';
import { type DefaultConfigs, defaultConfig } from '../keys/key-request.ts';
import { readKeyText } from '../keys/key-text.ts';
import type { Activity, ActivityRecorder } from './activity.ts';
import { Defaults } from './defaults.ts';
import type { PlacedCollection } from './places/placed-collection.ts';
import type { WalletStores } from './places/wallet-stores.ts';
import { type DidRecord, type KeyRecord, WALLET_DIDS, WALLET_KEYS } from './records.ts';
import { requireRoom } from './room.ts';
import { type KeyStorage, type OwnedKey, StoredKeys, type WantedKey } from './stored-keys.ts';

/** A key as its wallet lists it: without its reference, which may contain secrets. */
export interface KeySummary {
  id: string;
  keyType: KeyType;
  backend: string;
  name?: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/** What happened to a key, for the event log. */
interface KeyActivity extends OwnedKey {
  action: Extract<Activity, { event: 'Key' }>['action'];
  reference: { keyType: KeyType; backend: string };
}

/** The keys of wallets, each in the wallet that owns it. */
export class Keys {
  readonly #records: PlacedCollection<KeyRecord>;
  /** The same by the places of stores. */
  readonly #placed: Collection<KeyRecord>;
  readonly #dids: Collection<DidRecord>;
  readonly #keys: StoredKeys<string>;
  readonly #defaults: Defaults;

  constructor(
    private readonly parts: {
      store: Store;
      stores: WalletStores;
      keys: KeyBackends;
      pems: PemKeys;
      /** The `config` of a backend when a request has none (key-generation-defaults.conf). */
      configs: DefaultConfigs;
      activity: ActivityRecorder;
    },
  ) {
    this.#records = parts.stores.collection('keys', WALLET_KEYS);
    this.#placed = parts.store.collection(WALLET_KEYS);
    this.#dids = parts.stores.collection('dids', WALLET_DIDS);
    this.#keys = new StoredKeys(parts.keys, this.#storage());
    this.#defaults = new Defaults(parts.store);
  }

  /** Creates a key and returns its id. @throws DomainError `BadRequest` naming the field, `Conflict` for one too many */
  async create(owner: string, { config, ...wanted }: WantedKey): Promise<string> {
    const { keyType, backend } = wanted;
    await requireRoom(this.#records, { owner, kind: 'keys' });
    const used = config ?? defaultConfig(this.parts.configs, backend);
    const id = await this.#keys.create({ owner, ...wanted, config: used });
    await this.record({ action: 'Create', owner, id, reference: { keyType, backend: backendOf(backend) ?? backend } });
    return id;
  }

  /**
   * Reads a private key that a caller sends: a JWK, or a text that is a JWK or a PEM. Nothing is stored.
   * @throws DomainError `BadRequest` naming `jwk`, `UnsupportedMediaType` for a text of another form
   */
  async read(key: unknown): Promise<KeyReference> {
    const jwk = isText(key) ? readKeyText(key, this.parts.pems) : key;
    return this.parts.keys.read({ type: 'jwk', jwk });
  }

  /** Stores a key that `read` returned, and returns its id. @throws DomainError `Conflict` when the wallet has it, or for one too many */
  async adopt(owner: string, { reference, name }: { reference: KeyReference; name?: string }): Promise<string> {
    const id = thumbprint(reference.publicJwk);
    if (!(await this.#find({ owner, id }))) await requireRoom(this.#records, { owner, kind: 'keys' });
    try {
      await this.#keys.add({ owner, id, reference, backend: reference.backend, name });
    } catch (error) {
      throw isDomainError(error, 'Conflict') ? new DomainError('Conflict', 'This wallet has this key already') : error;
    }
    await this.record({ action: 'Import', owner, id, reference });
    return id;
  }

  /** The oldest first, and the key that the wallet was created with last. */
  async list(owner: string): Promise<KeySummary[]> {
    const stored = (await readAll({ collection: this.#records, parent: owner })).map(summaryOf);
    const own = await this.#static(owner);
    return own && stored.every(({ id }) => id !== own.id) ? [...stored, own] : stored;
  }

  /** @throws DomainError `NotFound` */
  async describe(key: OwnedKey): Promise<KeySummary> {
    const record = await this.#records.get({ id: key.id, parent: key.owner });
    const found = record ? summaryOf(record) : await this.#static(key.owner);
    if (found?.id !== key.id) throw noKey(key);
    return found;
  }

  /** The id of the key that is used when none is named: the chosen one, else the oldest, else that of the wallet itself. */
  async defaultKey(owner: string): Promise<string | undefined> {
    const { keyId } = await this.#defaults.of(owner);
    if (keyId !== undefined && (await this.#find({ owner, id: keyId }))) return keyId;
    return (await this.#records.oldest(owner))?.id ?? (await this.#static(owner))?.id;
  }

  /** @throws DomainError `BadRequest` naming `keyId` when the wallet has no such key */
  async makeDefault({ owner, id }: OwnedKey): Promise<void> {
    if (!(await this.#find({ owner, id }))) throw invalidField(['keyId'], 'is no key of this wallet');
    await this.#defaults.choose(owner, { keyId: id });
  }

  /** @throws DomainError `NotFound` */
  get(key: OwnedKey): Promise<KeyReference> {
    return this.#keys.get(key);
  }

  /** Returns the function that signs with a key. @throws DomainError `NotFound` */
  signer(key: OwnedKey): Promise<Signer> {
    return this.#keys.signer(key);
  }

  /** Returns the function that signs with a key that `read` returned. */
  signerOf(reference: KeyReference): Signer {
    return this.parts.keys.signer(reference);
  }

  /**
   * Deletes a key here and at its backend; of concurrent deletions one finds it.
   * @throws DomainError `BadRequest` naming the DID of the wallet that uses the key, `NotFound`, `Conflict` for the key that the
   * wallet was created with, and naming the DID of another wallet that has its store
   */
  async remove(key: OwnedKey): Promise<void> {
    const reference = await this.#removeUnused(key, (found) => this.parts.keys.remove(found));
    await this.record({ ...key, action: 'Delete', reference });
  }

  /** Deletes a key here only: it stays at its backend. @throws DomainError as `remove` */
  async forget(key: OwnedKey): Promise<void> {
    const reference = await this.#removeUnused(key, async () => {});
    await this.record({ ...key, action: 'Remove', reference });
  }

  /** Deletes all keys that are in stores of a wallet, here and at their backends. @throws DomainError as `remove` */
  async removeAll(owner: string): Promise<void> {
    for (const { id } of await readAll({ collection: this.#records, parent: owner }))
      await this.remove({ owner, id }).catch(ignoring('NotFound'));
  }

  /** Confirms that a key, for which a DID was stored, is not being removed. @throws DomainError `NotFound` */
  async confirm(key: OwnedKey): Promise<void> {
    if (await isKept(this.#records, { id: key.id, parent: key.owner })) return;
    if ((await this.#static(key.owner))?.id !== key.id) throw noKey(key);
  }

  /** Notes in the event log what happened to a key, without key material. */
  async record({ owner, id, action, reference: { keyType, backend } }: KeyActivity): Promise<void> {
    const data: JsonObject = { id, algorithm: keyType, keyManagementService: backend };
    await this.parts.activity.record(owner, { event: 'Key', action, data });
  }

  async #removeUnused(key: OwnedKey, clear: (reference: KeyReference) => Promise<void>): Promise<KeyReference> {
    const reference = await this.get(key);
    const found = await removeUnused({
      collection: this.#records,
      key: { id: key.id, parent: key.owner },
      requireUnused: () => this.#requireUnused(key),
      clear: (record) => clear(record.reference),
      isWithdrawable: true,
    });
    if (!found) throw (await this.#find(key)) ? partOfWallet() : noKey(key);
    await this.#defaults.clear(key.owner, { keyId: key.id });
    return reference;
  }

  async #find({ owner, id }: OwnedKey): Promise<KeyReference | undefined> {
    const record = await this.#records.get({ id, parent: owner });
    if (record) return record.value.reference;
    const { staticKey } = await this.parts.stores.of(owner);
    return staticKey && thumbprint(staticKey.publicJwk) === id ? staticKey : undefined;
  }

  async #static(owner: string): Promise<KeySummary | undefined> {
    const { staticKey: reference, createdAt = 0 } = await this.parts.stores.of(owner);
    return reference && summaryOf({ id: thumbprint(reference.publicJwk), value: { reference }, createdAt });
  }

  #storage(): KeyStorage<string> {
    return {
      insert: async ({ owner, id, reference, name }) => {
        if ((await this.#static(owner))?.id === id)
          throw new DomainError('Conflict', 'This wallet has this key already');
        await this.#records.insert({ id, parent: owner, value: { reference, ...(name && { name }) } });
        return id;
      },
      get: async (key) => (await this.#find(key)) ?? missing(key),
    };
  }

  /** A DID of another wallet counts where that has the store of the key, as it has at each time. */
  async #requireUnused(key: OwnedKey): Promise<void> {
    const own = await this.#didOf(key);
    if (own !== undefined) throw new DomainError('BadRequest', `The key is used by ${own}: delete that DID first`);
    for (const owner of await this.#sharers(key)) {
      const did = await this.#didOf({ ...key, owner });
      const message = `The key is used by ${did} of the wallet ${owner}: delete that DID first`;
      if (did !== undefined) throw new DomainError('Conflict', message);
    }
  }

  async #didOf({ owner, id }: OwnedKey): Promise<string | undefined> {
    const dids = await readAll({ collection: this.#dids, parent: owner });
    return dids.find(({ value }) => value.keyId === id)?.id;
  }

  /** The other wallets that have the store in which a key of a wallet is. */
  async #sharers({ owner, id }: OwnedKey): Promise<string[]> {
    const { stores } = this.parts;
    for (const store of (await stores.of(owner)).stores.keys)
      if (await this.#placed.get({ id, parent: store.place })) return stores.othersWith('keys', store, owner);
    return [];
  }
}

type SummedUp = Pick<Stored<KeyRecord>, 'id' | 'value' | 'createdAt'>;

const summaryOf = ({ id, value: { reference, name }, createdAt }: SummedUp): KeySummary => {
  const { keyType, backend } = reference;
  return { id, keyType, backend, ...(name && { name }), createdAt };
};

function missing(key: OwnedKey): never {
  throw noKey(key);
}

const partOfWallet = (): DomainError =>
  new DomainError('Conflict', 'The wallet was created with this key, and has it as long as it exists');

const noKey = ({ id }: OwnedKey): DomainError =>
  new DomainError('NotFound', `This wallet has no key ${id.slice(0, 64)}`);
