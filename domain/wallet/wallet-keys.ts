import type { KeyReference, KeyType } from '../../ports/key-service.ts';
import type { Collection, Store } from '../../ports/store.ts';
import { DomainError } from '../foundation/errors.ts';
import { isKept, removeUnused } from '../foundation/removal.ts';
import { thumbprint } from '../jose/jwk.ts';
import type { KeyBackends } from '../keys/key-backends.ts';
import { backendOf } from '../keys/key-reference.ts';
import { type DidRecord, type KeyRecord, readAll, WALLET_DIDS, WALLET_KEYS } from './records.ts';

/** What a wallet is asked to make. */
export interface NewKey {
  backend: string;
  keyType: KeyType;
  name?: string;
  config?: Record<string, unknown>;
}

/** A key as `listWalletKeys` shows it: never its reference, which may hold secrets. */
export interface KeySummary {
  id: string;
  keyType: KeyType;
  backend: string;
  name?: string;
}

/** The keys of all wallets. */
export class WalletKeys {
  readonly #keys: Collection<KeyRecord>;
  readonly #dids: Collection<DidRecord>;
  readonly #ring: KeyBackends;
  readonly #configs: Record<string, Record<string, unknown>>;

  /** `configs`: what a backend is given when a request brings no `config` (key-generation-defaults.conf). */
  constructor(store: Store, ring: KeyBackends, configs: Record<string, Record<string, unknown>>) {
    this.#keys = store.collection(WALLET_KEYS);
    this.#dids = store.collection(WALLET_DIDS);
    this.#ring = ring;
    this.#configs = configs;
  }

  /** Makes a key and gives its id. @throws DomainError `BadRequest` naming the field */
  async generate(walletId: string, { backend, keyType, name, config }: NewKey): Promise<string> {
    const given = config ?? this.#configFor(backend);
    const reference = await this.#ring.create(backend, { keyType, name, config: given });
    const id = thumbprint(reference.publicJwk);
    try {
      await this.#keys.insert({ id, parent: walletId, value: { reference, ...(name && { name }) } });
    } catch (error) {
      await this.#ring.remove(reference);
      throw error;
    }
    return id;
  }

  async list(walletId: string): Promise<KeySummary[]> {
    return (await readAll(this.#keys, walletId)).map(({ id, value: { reference, name } }) => {
      const { keyType, backend } = reference;
      return { id, keyType, backend, ...(name && { name }) };
    });
  }

  /** @throws DomainError `NotFound` */
  async get(walletId: string, keyId: string): Promise<KeyReference> {
    const record = await this.#keys.get({ id: keyId, parent: walletId });
    if (!record) throw noKey(keyId);
    return record.value.reference;
  }

  /**
   * Deletes a key here and at its backend; of two at once one finds nothing.
   * @throws DomainError `BadRequest` naming the DID that uses the key, `NotFound`
   */
  async remove(walletId: string, keyId: string): Promise<void> {
    const found = await removeUnused({
      collection: this.#keys,
      key: { id: keyId, parent: walletId },
      requireUnused: () => this.#requireUnused(walletId, keyId),
      clear: ({ reference }) => this.#ring.remove(reference),
      isWithdrawable: true,
    });
    if (!found) throw noKey(keyId);
  }

  /** Makes sure that a key, for which a DID was made, is there to stay. @throws DomainError `NotFound` */
  async requireKept(walletId: string, keyId: string): Promise<void> {
    if (!(await isKept(this.#keys, { id: keyId, parent: walletId }))) throw noKey(keyId);
  }

  async #requireUnused(walletId: string, keyId: string): Promise<void> {
    const user = (await readAll(this.#dids, walletId)).find((did) => did.value.keyId === keyId);
    if (user) throw new DomainError('BadRequest', `The key is used by ${user.id}: delete that DID first`);
  }

  #configFor(backend: string): Record<string, unknown> | undefined {
    const names = [backend, backendOf(backend) ?? ''];
    return names.flatMap((name) => (Object.hasOwn(this.#configs, name) ? [this.#configs[name]] : []))[0];
  }
}

/** A key as existing clients read it; there is never anything in its pair. */
export const keyView = ({ id, keyType, backend, name }: KeySummary) => ({
  algorithm: keyType,
  cryptoProvider: backend,
  keyId: { id },
  keyPair: {},
  keysetHandle: null,
  ...(name && { name }),
});

const noKey = (keyId: string): DomainError =>
  new DomainError('NotFound', `This wallet has no key ${keyId.slice(0, 64)}`);
