import type { Credential } from '../../ports/credential-formats.ts';
import type { Collection, RecordKey, Store, Stored } from '../../ports/store.ts';
import type { CredentialFormats } from '../credentials/formats/formats.ts';
import { fingerprint } from '../foundation/bytes.ts';
import { DomainError, ignoring } from '../foundation/errors.ts';
import { insertFirst, readAll, removeAll, update } from '../foundation/records.ts';
import type { WalletStores } from './places/wallet-stores.ts';
import { type CredentialRecord, WALLET_ARRIVALS, WALLET_CREDENTIALS } from './records.ts';

type StoredRecord = Stored<CredentialRecord>;

/** How credentials get into wallets. */
export class CredentialIntake {
  readonly #records: Collection<CredentialRecord>;
  readonly #arrivals: Collection<CredentialRecord[]>;
  readonly #formats: CredentialFormats;

  constructor({ store, stores, formats }: { store: Store; stores: WalletStores; formats: CredentialFormats }) {
    this.#records = stores.collection('credentials', WALLET_CREDENTIALS);
    this.#arrivals = store.collection(WALLET_ARRIVALS);
    this.#formats = formats;
  }

  /**
   * Stores credentials that were received together, all or none: one write decides, and what a failure or the end of the
   * process leaves undone is completed by `settleAll`.
   */
  async addAll(owner: string, arrived: CredentialRecord[]): Promise<StoredRecord[]> {
    const [only, ...others] = arrived;
    if (only && others.length === 0) return [(await this.#add(owner, only)).stored];
    const id = fingerprint(JSON.stringify(arrived));
    await insertFirst(this.#arrivals, { id, parent: owner, value: arrived });
    return this.#settle({ id, parent: owner }, arrived);
  }

  /** Stores a credential that the wallet does not have. @throws DomainError `Conflict` */
  async addNew(owner: string, credential: CredentialRecord): Promise<StoredRecord> {
    const { stored, isNew } = await this.#add(owner, credential, (before) => before);
    if (isNew) return stored;
    throw new DomainError('Conflict', 'This wallet has this credential already');
  }

  async settleAll(owner: string): Promise<void> {
    for (const { id, value } of await readAll({ collection: this.#arrivals, parent: owner }))
      await this.#settle({ id, parent: owner }, value);
  }

  async removeAll(owner: string): Promise<void> {
    await removeAll({ collection: this.#arrivals, parent: owner });
  }

  async #settle(key: Required<RecordKey>, arrived: CredentialRecord[]): Promise<StoredRecord[]> {
    const added: StoredRecord[] = [];
    for (const credential of arrived) added.push((await this.#add(key.parent, credential)).stored);
    await this.#arrivals.remove(key);
    return added;
  }

  /**
   * Stores a credential under its own id. The same one twice is one; another one with the id of a stored one is stored
   * under its digest, so that no issuer can overwrite the credential of another.
   */
  async #add(
    owner: string,
    credential: CredentialRecord,
    again = (before: CredentialRecord): CredentialRecord => receivedAgain(before, credential),
  ): Promise<{ stored: StoredRecord; isNew: boolean }> {
    const { document, format } = credential;
    const own = ownId(await this.#formats.supported(format)?.codec.parse(document));
    for (const id of [...(own === undefined ? [] : [own]), fingerprint(document)]) {
      const key = { id, parent: owner };
      const inserted = await this.#insert(key, credential);
      if (inserted) return { stored: inserted, isNew: true };
      const isSame = (await this.#records.get(key))?.value.document === document;
      const stored = isSame ? await update({ collection: this.#records, key, change: again }) : undefined;
      if (stored) return { stored, isNew: false };
    }
    throw new DomainError('Conflict', 'The credential was changed at the same time');
  }

  /** Undefined when there is a credential with this id. */
  #insert(key: RecordKey, value: CredentialRecord): Promise<StoredRecord | undefined> {
    return this.#records.insert({ ...key, value }).catch(ignoring('Conflict'));
  }
}

/** A credential that was received again is no longer marked as deleted, and stays accepted and in its categories. */
const receivedAgain = ({ pending, categoryIds }: CredentialRecord, credential: CredentialRecord): CredentialRecord => ({
  ...credential,
  categoryIds,
  pending: pending && credential.pending,
});

/** The id that a credential contains, when it can serve as one: printable ASCII, at most 512 characters. */
const ownId = (credential: Credential | undefined): string | undefined =>
  /^[\x21-\x7e]{1,512}$/.exec(credential?.id ?? '')?.[0];
