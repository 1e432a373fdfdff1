import type { KeyType, Signer } from '../../ports/key-service.ts';
import type { Collection, Store, Stored } from '../../ports/store.ts';
import { methodIdOf } from '../dids/did-document.ts';
import { createDid, didDocument, publicKeyOfDid, verificationMethod } from '../dids/did-methods.ts';
import { DomainError, invalidField, isDomainError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import { readAll, removeAll, update } from '../foundation/records.ts';
import type { ActivityRecorder } from './activity.ts';
import type { Keys } from './keys.ts';
import { type DidRecord, WALLET_DEFAULTS, WALLET_DIDS } from './records.ts';

/** A DID to create; without `keyId` a key is created for it. */
export interface WantedDid {
  method: string;
  keyId?: string;
  alias?: string;
  useJwkJcsPub?: boolean;
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

/** What `Dids` works with. */
export interface DidParts {
  store: Store;
  keys: Keys;
  /** The key of a DID that is created without one. */
  defaultKey: { backend: string; keyType: KeyType };
  activity: ActivityRecorder;
}

/** The DIDs of wallets, each in the wallet that owns it. */
export class Dids {
  readonly #dids: Collection<DidRecord>;
  readonly #defaults: Collection<{ did: string }>;
  readonly #parts: DidParts;

  constructor(parts: DidParts) {
    this.#parts = parts;
    this.#dids = parts.store.collection(WALLET_DIDS);
    this.#defaults = parts.store.collection(WALLET_DEFAULTS);
  }

  /** @throws DomainError `NotFound` for the key, `Conflict` when the wallet has this DID */
  async create(owner: string, request: WantedDid): Promise<string> {
    if (request.keyId) return this.#createWith(request.keyId, owner, request);
    const { keys, defaultKey } = this.#parts;
    const keyId = await keys.create(owner, defaultKey);
    try {
      return await this.#createWith(keyId, owner, request);
    } catch (error) {
      await keys.remove({ owner, id: keyId });
      throw error;
    }
  }

  async #createWith(keyId: string, owner: string, { method, alias, useJwkJcsPub }: WantedDid): Promise<string> {
    const key = { owner, id: keyId };
    const { publicJwk } = await this.#parts.keys.get(key);
    const did = createDid({ method, jwk: publicJwk, config: { useJwkJcsPub } });
    const value: DidRecord = { alias: alias || 'n/a', keyId, document: didDocument(did, publicJwk) };
    await this.#dids.insert({ id: did, parent: owner, value }).catch((error: unknown) => {
      throw isDomainError(error, 'Conflict') ? new DomainError('Conflict', 'This wallet has this DID already') : error;
    });
    try {
      await this.#parts.keys.confirm(key);
    } catch (error) {
      await this.#dids.remove({ id: did, parent: owner });
      throw error;
    }
    return did;
  }

  async list(owner: string): Promise<DidSummary[]> {
    const [dids, preferred] = await Promise.all([
      readAll({ collection: this.#dids, parent: owner }),
      this.#defaults.get({ id: owner }),
    ]);
    return dids.map(({ id, value, createdAt }) => {
      return { did: id, ...value, isDefault: id === preferred?.value.did, createdAt };
    });
  }

  /** The DID document. @throws DomainError `NotFound` */
  async document(owner: string, did: string): Promise<Record<string, unknown>> {
    return (await this.#find(owner, did)).value.document;
  }

  /** The key of a DID, or of the DID URL that names it. @throws DomainError `NotFound` */
  async keyOf(owner: string, didUrl: string): Promise<{ keyId: string; kid: string }> {
    const [did = '', fragment] = didUrl.split('#');
    const { keyId, document } = (await this.#find(owner, did)).value;
    const { publicJwk } = await this.#parts.keys.get({ owner, id: keyId });
    const kid = kidOf(did, { document, publicJwk });
    if (fragment !== undefined && didUrl !== kid) throw noDid(didUrl);
    return { keyId, kid };
  }

  /** @throws DomainError `NotFound` */
  async makeDefault(owner: string, did: string): Promise<void> {
    await this.#find(owner, did);
    const change = () => update({ collection: this.#defaults, key: { id: owner }, change: () => ({ did }) });
    if (await change()) return;
    try {
      await this.#defaults.insert({ id: owner, value: { did } });
    } catch (error) {
      if (!isDomainError(error, 'Conflict')) throw error;
      await change();
    }
  }

  /** Removes a DID but not its key. @throws DomainError `NotFound` */
  async remove(owner: string, did: string): Promise<void> {
    if (!(await this.#dids.remove({ id: did, parent: owner }))) throw noDid(did);
    const preferred = await this.#defaults.get({ id: owner });
    if (preferred?.value.did === did) await this.#defaults.remove({ id: owner });
  }

  /**
   * Returns the DID to sign as: the requested one, else the first of `preferred` that the wallet has, else the default
   * one, else the oldest. @throws DomainError `BadRequest` when the wallet has no such DID
   */
  async signingDid(owner: string, did?: string | null, preferred: string[] = []): Promise<SigningDid> {
    const dids = await this.list(owner);
    const named = (wanted: string): DidSummary | undefined => dids.find((entry) => entry.did === wanted);
    const fallback = preferred.map(named).find(Boolean) ?? dids.find(({ isDefault }) => isDefault) ?? dids[0];
    const chosen = did ? named(did) : fallback;
    if (!chosen)
      throw new DomainError('BadRequest', did ? `This wallet has no ${did.slice(0, 80)}` : 'This wallet has no DID');
    const signer = await this.#parts.keys.signer({ owner, id: chosen.keyId });
    return { did: chosen.did, kid: kidOf(chosen.did, { ...chosen, ...signer }), signer };
  }

  async removeAll(owner: string): Promise<void> {
    await removeAll({ collection: this.#dids, parent: owner });
    await this.#defaults.remove({ id: owner });
  }

  async #find(owner: string, did: string): Promise<Stored<DidRecord>> {
    const record = await this.#dids.get({ id: did, parent: owner });
    if (!record) throw noDid(did);
    return record;
  }
}

/** The DID URL of the key of a DID: as its document names it. */
const kidOf = (did: string, { document, publicJwk }: Pick<DidRecord, 'document'> & Pick<Signer, 'publicJwk'>): string =>
  methodIdOf(document, did, publicJwk) ?? verificationMethod(did, publicJwk);

const noDid = (did: string): DomainError => new DomainError('NotFound', `This wallet has no DID ${did.slice(0, 80)}`);

/** A DID that was created elsewhere, with its document; the document is optional for did:key and did:jwk. */
export interface ImportedDid {
  did: string;
  document?: JsonObject;
}

/** Completes and checks an imported DID. @throws DomainError `BadRequest` naming `did` or `document` */
export function importedDid({ did, document = embeddedDocument(did) }: ImportedDid): Required<ImportedDid> {
  if (document.id !== did) throw invalidField(['document', 'id'], 'must be the DID');
  return { did, document };
}

function embeddedDocument(did: string): JsonObject {
  if (!/^did:(jwk|key):/.test(did)) throw invalidField(['document'], 'is required for a DID of this method');
  try {
    return didDocument(did, publicKeyOfDid(did));
  } catch {
    throw invalidField(['did'], 'holds no readable key');
  }
}
