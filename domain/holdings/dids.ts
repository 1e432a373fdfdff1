import type { KeyReference, KeyType, Signer } from '../../ports/key-service.ts';
import type { Store, Stored } from '../../ports/store.ts';
import type { Origin } from '../../ports/turn.ts';
import type { CreatedDid, DidCreation } from '../dids/did-creation.ts';
import type { DidCreator } from '../dids/did-creator.ts';
import { methodIdOf } from '../dids/did-document.ts';
import { containsKey, didJwk, publicKeyOfDid, verificationMethod } from '../dids/did-methods.ts';
import { at, DomainError, ignoring, invalidField, replacing } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import { readAll, removeAll } from '../foundation/records.ts';
import { thumbprint } from '../jose/jwk.ts';
import type { ActivityRecorder } from './activity.ts';
import { Defaults } from './defaults.ts';
import type { DidRegistry } from './did-registry.ts';
import type { Keys } from './keys.ts';
import type { PlacedCollection } from './places/placed-collection.ts';
import type { WalletStores } from './places/wallet-stores.ts';
import { type DidRecord, WALLET_DIDS } from './records.ts';
import { requireRoom } from './room.ts';

/** A DID to create; without `keyId` a key is created for it. */
interface WantedDid {
  method: string;
  keyId?: string;
  alias?: string;
  /** Of the key that is created when none is named. */
  origin?: Origin;
  /** The options of the method. */
  config?: JsonObject;
}

/** A DID with its document and the id of its key. */
interface NewDid extends CreatedDid {
  keyId: string;
  alias?: string;
}

/** A DID as its wallet lists it. */
export interface DidSummary extends DidRecord {
  did: string;
  isDefault: boolean;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/** A DID with the function that signs as it. */
export interface SigningDid {
  did: string;
  /** The DID URL of the key. */
  kid: string;
  signer: Signer;
}

/** What a wallet signs with; the key comes before its DIDs. */
export interface HolderChoice {
  did?: string | null;
  /** The id of a key of the wallet. */
  keyId?: string;
  /** A private key of the caller. */
  key?: KeyReference;
}

/** The DIDs among which one of a key is found. */
interface KeyChoice extends Pick<HolderChoice, 'did'> {
  dids: readonly DidSummary[];
  preferred: readonly string[];
}

/** The DIDs of wallets, each in the wallet that owns it. */
export class Dids {
  readonly #dids: PlacedCollection<DidRecord>;
  readonly #defaults: Defaults;

  constructor(
    private readonly parts: {
      store: Store;
      stores: WalletStores;
      keys: Keys;
      didCreator: DidCreator;
      registry: DidRegistry;
      /** The key of a DID that is created without one. */
      defaultKey: { backend: string; keyType: KeyType };
      activity: ActivityRecorder;
    },
  ) {
    this.#dids = parts.stores.collection('dids', WALLET_DIDS);
    this.#defaults = new Defaults(parts.store);
  }

  /**
   * Creates a DID after its request was checked; a key that was created for it is removed when it fails.
   * @throws DomainError `NotFound` for the key, `Conflict` when it exists or for one too many, `BadRequest` naming `method`, `keyId` or the
   * member of `config`, `UpstreamFailed`, `UpstreamTimeout`
   */
  async create(owner: string, request: WantedDid): Promise<string> {
    const { keys, defaultKey, didCreator } = this.parts;
    const { keyId, method } = request;
    await requireRoom(this.#dids, { owner, kind: 'DIDs' });
    if (keyId) {
      const { keyType } = await keys.get({ owner, id: keyId });
      const createDid = at({ keyType: ['keyId'] }, () => this.#prepare(request, keyType));
      return this.#createWith(keyId, owner, { ...request, createDid });
    }
    const keyType = didCreator.keyTypeFor(method, defaultKey.keyType);
    const createDid = this.#prepare(request, keyType);
    const created = await keys.create(owner, { ...defaultKey, ...request.origin, keyType });
    try {
      return await this.#createWith(created, owner, { ...request, createDid });
    } catch (error) {
      await keys.remove({ owner, id: created });
      throw error;
    }
  }

  /** Adds a DID that was created elsewhere, for a key of the wallet. @throws DomainError `NotFound` for the key, `Conflict` */
  async add(owner: string, imported: NewDid): Promise<void> {
    await this.#insert(owner, imported);
    await this.#record(owner, 'Import', imported);
  }

  #prepare({ method, config = {} }: WantedDid, keyType: KeyType): DidCreation {
    const { didCreator, registry } = this.parts;
    return didCreator.prepare({ method, keyType, config: method === 'web' ? registry.configFor(config) : config });
  }

  async #createWith(
    keyId: string,
    owner: string,
    { createDid, alias }: WantedDid & { createDid: DidCreation },
  ): Promise<string> {
    const { keys, registry } = this.parts;
    const key = { owner, id: keyId };
    const { publicJwk } = await keys.get(key);
    const { did, document } = await createDid({ publicJwk, signer: () => keys.signer(key) });
    const publisher = await this.#publisher(owner);
    await registry.publish(publisher, did, document);
    try {
      await this.#insert(owner, { did, document, keyId, alias });
    } catch (error) {
      await registry.withdraw(publisher, did);
      throw error;
    }
    await this.#record(owner, 'Create', { did, document });
    return did;
  }

  async #insert(owner: string, { did, document, keyId, alias }: NewDid): Promise<void> {
    const value: DidRecord = { alias: alias || 'n/a', keyId, document };
    await this.#dids.insert({ id: did, parent: owner, value }).catch(replacing('Conflict', known));
    try {
      await this.parts.keys.confirm({ owner, id: keyId });
    } catch (error) {
      await this.#dids.remove({ id: did, parent: owner });
      throw error;
    }
  }

  #record(owner: string, action: 'Create' | 'Import' | 'Delete', { did, document }: CreatedDid): Promise<void> {
    return this.parts.activity.record(owner, { event: 'Did', action, data: { did, document } });
  }

  async list(owner: string): Promise<DidSummary[]> {
    const [dids, { did: preferred }] = await Promise.all([
      readAll({ collection: this.#dids, parent: owner }),
      this.#defaults.of(owner),
    ]);
    return dids.map(({ id, value, createdAt }) => {
      return { did: id, ...value, isDefault: id === preferred, createdAt };
    });
  }

  async has(owner: string, did: string): Promise<boolean> {
    return (await this.#dids.get({ id: did, parent: owner })) !== undefined;
  }

  /** @throws DomainError `Conflict` when the wallet has a DID, or may have no further one */
  async requireNew(owner: string, did: string): Promise<void> {
    if (await this.has(owner, did)) throw known();
    await requireRoom(this.#dids, { owner, kind: 'DIDs' });
  }

  /** The DID document. @throws DomainError `NotFound` */
  async document(owner: string, did: string): Promise<Record<string, unknown>> {
    return (await this.#find(owner, did)).value.document;
  }

  /** The key of a DID, or of the DID URL that names it. @throws DomainError `NotFound` */
  async keyOf(owner: string, didUrl: string): Promise<{ keyId: string; kid: string }> {
    const [did = '', fragment] = didUrl.split('#');
    const { keyId, document } = (await this.#find(owner, did)).value;
    const { publicJwk } = await this.parts.keys.get({ owner, id: keyId });
    const kid = kidOf(did, { document, publicJwk });
    if (fragment !== undefined && didUrl !== kid) throw noDid(didUrl);
    return { keyId, kid };
  }

  /** @throws DomainError `NotFound` */
  async makeDefault(owner: string, did: string): Promise<void> {
    await this.#find(owner, did);
    await this.#defaults.choose(owner, { did });
  }

  /** Removes a DID but not its key. @throws DomainError `NotFound` */
  async remove(owner: string, did: string): Promise<void> {
    const { document } = (await this.#find(owner, did)).value;
    if (!(await this.#dids.remove({ id: did, parent: owner }))) throw noDid(did);
    await this.parts.registry.withdraw(await this.#publisher(owner), did);
    await this.#defaults.clear(owner, { did });
    await this.#record(owner, 'Delete', { did, document });
  }

  /**
   * Returns the DID to sign as: that of the choice, else the first of `preferred` that the wallet has, else the default one,
   * else the oldest, else that of the wallet itself, else that of the default key. A key without a stored DID signs as its
   * did:jwk, or as the did:key that is asked for.
   * @throws DomainError `BadRequest` when the wallet has no such DID, naming `keyId` for no such key and `did` for one of another key
   */
  async signingDid(owner: string, choice: HolderChoice = {}, preferred: string[] = []): Promise<SigningDid> {
    const { did, keyId, key } = choice;
    const dids = await this.list(owner);
    const signer = key
      ? this.parts.keys.signerOf(key)
      : keyId === undefined
        ? undefined
        : await this.#signer(owner, keyId);
    if (signer) return ofKey(signer, { dids, did, preferred });
    const found = did ? await this.#known(owner, did, dids) : await this.#firstOf(owner, { dids, preferred });
    if (found) return found;
    throw new DomainError('BadRequest', did ? `This wallet has no ${did.slice(0, 80)}` : 'This wallet has no DID');
  }

  /** A DID of the wallet, or one that contains a key of it. */
  async #known(owner: string, did: string, dids: readonly DidSummary[]): Promise<SigningDid | undefined> {
    const stored = dids.find((entry) => entry.did === did);
    const own = stored ? undefined : await this.#static(owner);
    if (own?.did === did) return own;
    const id = stored?.keyId ?? containedKey(did);
    const signer =
      id === undefined ? undefined : await this.parts.keys.signer({ owner, id }).catch(ignoring('NotFound'));
    return signer && { did, kid: kidOf(did, { document: stored?.document, ...signer }), signer };
  }

  async #firstOf(owner: string, { dids, preferred }: Pick<KeyChoice, 'dids' | 'preferred'>) {
    for (const did of preferred) {
      const found = await this.#known(owner, did, dids);
      if (found) return found;
    }
    const chosen = dids.find(({ isDefault }) => isDefault) ?? dids[0];
    if (chosen) return this.#known(owner, chosen.did, dids);
    return (await this.#static(owner)) ?? this.#ofDefaultKey(owner);
  }

  /** The did:jwk of the key that a wallet without DIDs uses. */
  async #ofDefaultKey(owner: string): Promise<SigningDid | undefined> {
    const { keys } = this.parts;
    const id = await keys.defaultKey(owner);
    if (id === undefined) return undefined;
    return ofKey(await keys.signer({ owner, id }), { dids: [], preferred: [] });
  }

  /** The DID that a wallet was created with. */
  async #static(owner: string): Promise<SigningDid | undefined> {
    const { staticDid, staticKey } = await this.parts.stores.of(owner);
    return staticDid && staticKey && { ...staticDid, signer: this.parts.keys.signerOf(staticKey) };
  }

  #signer(owner: string, id: string): Promise<Signer> {
    const none = () => invalidField(['keyId'], `this wallet has no key ${id.slice(0, 64)}`);
    return this.parts.keys.signer({ owner, id }).catch(replacing('NotFound', none));
  }

  async removeAll(owner: string): Promise<void> {
    for (const { id } of await readAll({ collection: this.#dids, parent: owner }))
      await this.parts.registry.withdraw(owner, id);
    await removeAll({ collection: this.#dids, parent: owner });
    await this.#defaults.forget(owner);
  }

  /** Who publishes the DIDs of a wallet: their store, so that each wallet with this store can end it. */
  async #publisher(owner: string): Promise<string> {
    const [store] = (await this.parts.stores.of(owner)).stores.dids;
    return store?.place ?? owner;
  }

  async #find(owner: string, did: string): Promise<Stored<DidRecord>> {
    const record = await this.#dids.get({ id: did, parent: owner });
    if (!record) throw noDid(did);
    return record;
  }
}

/** The DID URL of the key of a DID: as its document names it; a DID that contains its key needs none. */
const kidOf = (
  did: string,
  { document, publicJwk }: Partial<Pick<DidRecord, 'document'>> & Pick<Signer, 'publicJwk'>,
): string => (document && methodIdOf(document, did, publicJwk)) ?? verificationMethod(did, publicJwk);

/** The thumbprint of the key that a DID contains. */
export const containedKey = (did: string): string | undefined =>
  containsKey(did) ? thumbprint(publicKeyOfDid(did)) : undefined;

/** The DID of a key: the one asked for, else one that is preferred, stored or a did:jwk. @throws DomainError `BadRequest` naming `did` */
function ofKey(signer: Signer, { dids, did, preferred }: KeyChoice): SigningDid {
  const id = thumbprint(signer.publicJwk);
  const stored = dids.filter(({ keyId }) => keyId === id);
  const isOwn = (one: string): boolean => stored.some((entry) => entry.did === one) || containedKey(one) === id;
  if (did && !isOwn(did)) throw invalidField(['did'], 'is a DID of another key');
  const first = stored.find(({ isDefault }) => isDefault) ?? stored[0];
  const chosen = did || (preferred.find(isOwn) ?? first?.did ?? didJwk(signer.publicJwk));
  const document = stored.find((entry) => entry.did === chosen)?.document;
  return { did: chosen, kid: kidOf(chosen, { document, ...signer }), signer };
}

const known = (): DomainError => new DomainError('Conflict', 'This wallet has this DID already');

const noDid = (did: string): DomainError => new DomainError('NotFound', `This wallet has no DID ${did.slice(0, 80)}`);
