import type { KeyType, Signer } from '../../ports/key-service.ts';
import type { Collection, Store, Stored } from '../../ports/store.ts';
import { createDid, didDocument, verificationMethod } from '../dids/did-methods.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import { isoMillis } from '../foundation/time.ts';
import type { KeyBackends } from '../keys/key-backends.ts';
import { type DidRecord, readAll, update, WALLET_DEFAULTS, WALLET_DIDS } from './records.ts';
import type { WalletKeys } from './wallet-keys.ts';

/** A DID that is to be made; without `keyId` a key is made for it. */
export interface NewDid {
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

/** A DID of a wallet with all that is needed to sign as it. */
export interface Holder {
  did: string;
  /** The DID URL of the key. */
  kid: string;
  signer: Signer;
}

/** The DIDs of all wallets. */
export class WalletDids {
  readonly #dids: Collection<DidRecord>;
  readonly #defaults: Collection<{ did: string }>;
  readonly #keys: WalletKeys;
  readonly #ring: KeyBackends;
  readonly #defaultKey: { backend: string; keyType: KeyType };

  constructor(store: Store, keys: WalletKeys, ring: KeyBackends, defaultKey: { backend: string; keyType: KeyType }) {
    this.#dids = store.collection(WALLET_DIDS);
    this.#defaults = store.collection(WALLET_DEFAULTS);
    this.#keys = keys;
    this.#ring = ring;
    this.#defaultKey = defaultKey;
  }

  /** @throws DomainError `NotFound` for the key, `Conflict` when the wallet has this DID */
  async create(walletId: string, request: NewDid): Promise<string> {
    if (request.keyId) return this.#createWith(walletId, request.keyId, request);
    const keyId = await this.#keys.generate(walletId, this.#defaultKey);
    try {
      return await this.#createWith(walletId, keyId, request);
    } catch (error) {
      await this.#keys.remove(walletId, keyId);
      throw error;
    }
  }

  async #createWith(walletId: string, keyId: string, { method, alias, useJwkJcsPub }: NewDid): Promise<string> {
    const { publicJwk } = await this.#keys.get(walletId, keyId);
    const did = createDid({ method, jwk: publicJwk, config: { useJwkJcsPub } });
    const value: DidRecord = { alias: alias || 'n/a', keyId, document: didDocument(did, publicJwk) };
    await this.#dids.insert({ id: did, parent: walletId, value }).catch((error: unknown) => {
      throw isDomainError(error, 'Conflict') ? new DomainError('Conflict', 'This wallet has this DID already') : error;
    });
    try {
      await this.#keys.requireKept(walletId, keyId);
    } catch (error) {
      await this.#dids.remove({ id: did, parent: walletId });
      throw error;
    }
    return did;
  }

  async list(walletId: string): Promise<DidSummary[]> {
    const [dids, preferred] = await Promise.all([readAll(this.#dids, walletId), this.#defaults.get({ id: walletId })]);
    return dids.map(({ id, value, createdAt }) => {
      return { did: id, ...value, isDefault: id === preferred?.value.did, createdAt };
    });
  }

  /** The DID document. @throws DomainError `NotFound` */
  async document(walletId: string, did: string): Promise<Record<string, unknown>> {
    return (await this.#find(walletId, did)).value.document;
  }

  /** @throws DomainError `NotFound` */
  async makeDefault(walletId: string, did: string): Promise<void> {
    await this.#find(walletId, did);
    const change = () => update(this.#defaults, { id: walletId }, () => ({ did }));
    if (await change()) return;
    try {
      await this.#defaults.insert({ id: walletId, value: { did } });
    } catch (error) {
      if (!isDomainError(error, 'Conflict')) throw error;
      await change();
    }
  }

  /** The key stays. @throws DomainError `NotFound` */
  async remove(walletId: string, did: string): Promise<void> {
    if (!(await this.#dids.remove({ id: did, parent: walletId }))) throw noDid(did);
    const preferred = await this.#defaults.get({ id: walletId });
    if (preferred?.value.did === did) await this.#defaults.remove({ id: walletId });
  }

  /**
   * The DID to act as: the one asked for, else the first of `preferred` that the wallet has, else the default one, else
   * the oldest. @throws DomainError `BadRequest` when the wallet has no such DID
   */
  async holder(walletId: string, did?: string | null, preferred: string[] = []): Promise<Holder> {
    const dids = await this.list(walletId);
    const named = (wanted: string): DidSummary | undefined => dids.find((entry) => entry.did === wanted);
    const fallback = preferred.map(named).find(Boolean) ?? dids.find(({ isDefault }) => isDefault) ?? dids[0];
    const chosen = did ? named(did) : fallback;
    if (!chosen)
      throw new DomainError('BadRequest', did ? `This wallet has no ${did.slice(0, 80)}` : 'This wallet has no DID');
    const reference = await this.#keys.get(walletId, chosen.keyId);
    return {
      did: chosen.did,
      kid: verificationMethod(chosen.did, reference.publicJwk),
      signer: this.#ring.signer(reference),
    };
  }

  async #find(walletId: string, did: string): Promise<Stored<DidRecord>> {
    const record = await this.#dids.get({ id: did, parent: walletId });
    if (!record) throw noDid(did);
    return record;
  }
}

/** A DID as existing clients read it; its document is JSON text. */
export const didView = ({ did, alias, document, keyId, isDefault, createdAt }: DidSummary) => ({
  did,
  alias,
  document: JSON.stringify(document),
  keyId,
  default: isDefault,
  createdOn: isoMillis(createdAt),
});

const noDid = (did: string): DomainError => new DomainError('NotFound', `This wallet has no DID ${did.slice(0, 80)}`);
