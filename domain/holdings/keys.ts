import type { KeyReference, KeyType, Signer } from '../../ports/key-service.ts';
import type { PemKeys } from '../../ports/pem-keys.ts';
import type { Collection, Store, Stored } from '../../ports/store.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import { isText, type JsonObject } from '../foundation/json.ts';
import { readAll } from '../foundation/records.ts';
import { isKept, removeUnused } from '../foundation/removal.ts';
import { thumbprint } from '../jose/jwk.ts';
import type { KeyBackends } from '../keys/key-backends.ts';
import { backendOf } from '../keys/key-reference.ts';
import { type DefaultConfigs, defaultConfig } from '../keys/key-request.ts';
import { readKeyText } from '../keys/key-text.ts';
import type { Activity, ActivityRecorder } from './activity.ts';
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
  readonly #records: Collection<KeyRecord>;
  readonly #dids: Collection<DidRecord>;
  readonly #keys: StoredKeys<string>;

  constructor(
    private readonly parts: {
      store: Store;
      keys: KeyBackends;
      pems: PemKeys;
      /** The `config` of a backend when a request has none (key-generation-defaults.conf). */
      configs: DefaultConfigs;
      activity: ActivityRecorder;
    },
  ) {
    this.#records = parts.store.collection(WALLET_KEYS);
    this.#dids = parts.store.collection(WALLET_DIDS);
    this.#keys = new StoredKeys(parts.keys, storageOf(this.#records));
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
    if (!(await this.#records.get({ id, parent: owner }))) await requireRoom(this.#records, { owner, kind: 'keys' });
    try {
      await this.#keys.add({ owner, id, reference, backend: reference.backend, name });
    } catch (error) {
      throw isDomainError(error, 'Conflict') ? new DomainError('Conflict', 'This wallet has this key already') : error;
    }
    await this.record({ action: 'Import', owner, id, reference });
    return id;
  }

  async list(owner: string): Promise<KeySummary[]> {
    return (await readAll({ collection: this.#records, parent: owner })).map(summaryOf);
  }

  /** @throws DomainError `NotFound` */
  async describe(key: OwnedKey): Promise<KeySummary> {
    const record = await this.#records.get({ id: key.id, parent: key.owner });
    if (!record) throw noKey(key);
    return summaryOf(record);
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
   * @throws DomainError `BadRequest` naming the DID that uses the key, `NotFound`
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

  /** Confirms that a key, for which a DID was stored, is not being removed. @throws DomainError `NotFound` */
  async confirm(key: OwnedKey): Promise<void> {
    if (!(await isKept(this.#records, { id: key.id, parent: key.owner }))) throw noKey(key);
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
    if (!found) throw noKey(key);
    return reference;
  }

  async #requireUnused(key: OwnedKey): Promise<void> {
    const dids = await readAll({ collection: this.#dids, parent: key.owner });
    const user = dids.find(({ value }) => value.keyId === key.id);
    if (user) throw new DomainError('BadRequest', `The key is used by ${user.id}: delete that DID first`);
  }
}

const summaryOf = ({ id, value: { reference, name }, createdAt }: Stored<KeyRecord>): KeySummary => {
  const { keyType, backend } = reference;
  return { id, keyType, backend, ...(name && { name }), createdAt };
};

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
