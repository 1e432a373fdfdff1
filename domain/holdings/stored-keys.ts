import type { KeyReference, KeyType, Signer } from '../../ports/key-service.ts';
import type { Origin } from '../../ports/turn.ts';
import { isDomainError } from '../foundation/errors.ts';
import { thumbprint } from '../jose/jwk.ts';
import type { KeyBackends } from '../keys/key-backends.ts';

/** A key to create. */
export interface WantedKey extends Origin {
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
interface CreatedKey extends OwnedKey {
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
  constructor(
    private readonly backends: KeyBackends,
    private readonly storage: KeyStorage<R>,
  ) {}

  /**
   * Creates a key at its backend and stores it, under the thumbprint of its public key unless `id` is given. A key that
   * was surely not stored is removed from its backend again. @throws DomainError `BadRequest` naming the field, `Conflict`
   */
  async create({
    owner,
    id,
    backend,
    left,
    requestId,
    ...wanted
  }: WantedKey & { owner: string; id?: string }): Promise<R> {
    const reference = await this.backends.create(backend, { ...wanted, turn: { source: owner, left, requestId } });
    const key = { owner, id: id ?? thumbprint(reference.publicJwk) };
    try {
      return await this.storage.insert({ ...key, reference, backend, name: wanted.name });
    } catch (error) {
      // After a failure of the store the key may have been written; then it must stay at its backend.
      const isLost = isDomainError(error, 'Conflict') || isDomainError(error, 'NotFound');
      if (isLost || (await this.#isMissing(key))) await this.backends.remove(reference).catch(() => undefined);
      throw error;
    }
  }

  /** Stores a key that exists already. @throws DomainError `Conflict` when its owner has it */
  add(key: CreatedKey): Promise<R> {
    return this.storage.insert(key);
  }

  /** @throws DomainError `NotFound` */
  get(key: OwnedKey): Promise<KeyReference> {
    return this.storage.get(key);
  }

  /** Returns the function that signs with a key. @throws DomainError `NotFound` */
  async signer(key: OwnedKey): Promise<Signer> {
    return this.backends.signer(await this.get(key));
  }

  #isMissing(key: OwnedKey): Promise<boolean> {
    return this.get(key).then(
      () => false,
      (error: unknown) => isDomainError(error, 'NotFound'),
    );
  }
}
