import type { KeyReference, KeyType } from '../../ports/key-service.ts';
import type { Collection, Store, Stored } from '../../ports/store.ts';
import { DomainError } from '../errors.ts';
import { thumbprint } from '../keys/jwk.ts';
import { backendOf } from '../keys/key-reference.ts';
import type { KeyRing } from '../keys/key-ring.ts';
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
  readonly #ring: KeyRing;
  readonly #configs: Record<string, Record<string, unknown>>;

  /** `configs`: what a backend is given when a request brings no `config` (key-generation-defaults.conf). */
  constructor(store: Store, ring: KeyRing, configs: Record<string, Record<string, unknown>>) {
    this.#keys = store.collection(WALLET_KEYS);
    this.#dids = store.collection(WALLET_DIDS);
    this.#ring = ring;
    this.#configs = configs;
  }

  /** Makes a key and gives its id. @throws DomainError `BadRequest` naming the field */
  async generate(walletId: string, { backend, keyType, name, config }: NewKey): Promise<string> {
    const request = { keyType, name, config: config ?? this.#configFor(backend) };
    const reference = await this.#ring.create(backend, request).catch((error: unknown) => {
      throw renamed(error);
    });
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

  /** @throws DomainError `NotFound` also for a key that is being deleted */
  async get(walletId: string, keyId: string): Promise<KeyReference> {
    const record = await this.#find(walletId, keyId);
    if (record.value.leaving) throw noKey(keyId);
    return record.value.reference;
  }

  /**
   * Deletes a key here and at its backend. The mark comes before the look at the DIDs, and a new DID looks at the mark
   * after it is written: whichever comes second sees the other. @throws DomainError `BadRequest` naming the DID that
   * uses the key, `NotFound`
   */
  async remove(walletId: string, keyId: string): Promise<void> {
    const { value, revision } = await this.#find(walletId, keyId);
    const key = { id: keyId, parent: walletId };
    const marked = await this.#keys.replace({ ...key, value: { ...value, leaving: true } }, revision);
    const user = (await readAll(this.#dids, walletId)).find((did) => did.value.keyId === keyId);
    if (user) {
      await this.#keys.replace({ ...key, value: { ...value, leaving: false } }, marked.revision);
      throw new DomainError('BadRequest', `The key is used by ${user.id}: delete that DID first`);
    }
    await this.#ring.remove(value.reference);
    await this.#keys.remove(key);
  }

  async #find(walletId: string, keyId: string): Promise<Stored<KeyRecord>> {
    const record = await this.#keys.get({ id: keyId, parent: walletId });
    if (!record) throw noKey(keyId);
    return record;
  }

  #configFor(backend: string): Record<string, unknown> | undefined {
    const names = [backend, backendOf(backend) ?? ''];
    return names.flatMap((name) => (Object.hasOwn(this.#configs, name) ? [this.#configs[name]] : []))[0];
  }
}

const noKey = (keyId: string): DomainError =>
  new DomainError('NotFound', `This wallet has no key ${keyId.slice(0, 64)}`);

/** The key ring names fields as onboarding has them, below `key`; here they are at the top of the body. */
function renamed(error: unknown): unknown {
  if (!(error instanceof DomainError) || !error.details) return error;
  const details = error.details.map(({ path, message }) => ({ path: path.replace('/body/key/', '/body/'), message }));
  return new DomainError(error.code, error.message.replaceAll('/body/key/', '/body/'), { cause: error, details });
}
