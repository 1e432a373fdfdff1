import type { Credential } from '../../ports/credential-formats.ts';
import type { Collection, RecordKey, Store, Stored } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';
import type { CredentialFormats } from '../credentials/formats.ts';
import { fingerprint } from '../foundation/bytes.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import { readAll, removeAll, update } from '../foundation/records.ts';
import type { ActivityRecorder } from './activity.ts';
import { type CredentialRecord, WALLET_ARRIVALS, WALLET_CREDENTIALS } from './records.ts';

/** A stored credential. */
export interface StoredCredential extends CredentialRecord {
  id: string;
  /** Milliseconds since the epoch. */
  addedAt: number;
  /** What it says, when its format is supported and it can be parsed. */
  parsed?: Credential;
}

/** Which credentials a list shows, in the order they were added unless `descending`. */
export interface CredentialFilter {
  showDeleted: boolean;
  showPending: boolean;
  descending: boolean;
}

/** What `Credentials` works with. */
export interface CredentialParts {
  store: Store;
  formats: CredentialFormats;
  clock: Clock;
  activity: ActivityRecorder;
}

/** The credentials of wallets, each in the wallet that owns it. */
export class Credentials {
  readonly #records: Collection<CredentialRecord>;
  readonly #arrivals: Collection<CredentialRecord[]>;
  readonly #formats: CredentialFormats;
  readonly #clock: Clock;

  constructor({ store, formats, clock }: CredentialParts) {
    this.#records = store.collection(WALLET_CREDENTIALS);
    this.#arrivals = store.collection(WALLET_ARRIVALS);
    this.#formats = formats;
    this.#clock = clock;
  }

  async list(owner: string, filter: CredentialFilter): Promise<StoredCredential[]> {
    await this.#settleAll(owner);
    const records = await readAll({
      collection: this.#records,
      parent: owner,
      order: filter.descending ? 'created-' : 'created+',
    });
    const shown = records.filter(
      ({ value }) => (filter.showDeleted || value.deletedAt === undefined) && (filter.showPending || !value.pending),
    );
    return shown.map((record) => this.#toCredential(record));
  }

  /** Returns what can be presented: credentials that are neither pending nor marked as deleted. */
  usable(owner: string): Promise<StoredCredential[]> {
    return this.list(owner, { showDeleted: false, showPending: false, descending: false });
  }

  /** @throws DomainError `NotFound` */
  async get(owner: string, id: string): Promise<StoredCredential> {
    await this.#settleAll(owner);
    const record = await this.#records.get({ id, parent: owner });
    if (!record) throw noCredential(id);
    return this.#toCredential(record);
  }

  /**
   * Stores credentials that were received together, all or none: one write decides, and what a failure or the end of the
   * process leaves undone is completed when the wallet is read next.
   */
  async addAll(owner: string, arrived: CredentialRecord[]): Promise<StoredCredential[]> {
    const [only, ...others] = arrived;
    if (only && others.length === 0) return [await this.add(owner, only)];
    const id = fingerprint(JSON.stringify(arrived));
    try {
      await this.#arrivals.insert({ id, parent: owner, value: arrived });
    } catch (error) {
      if (!isDomainError(error, 'Conflict')) throw error;
    }
    return this.#settle({ id, parent: owner }, arrived);
  }

  async #settle(key: Required<RecordKey>, arrived: CredentialRecord[]): Promise<StoredCredential[]> {
    const stored: StoredCredential[] = [];
    for (const credential of arrived) stored.push(await this.add(key.parent, credential));
    await this.#arrivals.remove(key);
    return stored;
  }

  async #settleAll(owner: string): Promise<void> {
    for (const { id, value } of await readAll({ collection: this.#arrivals, parent: owner }))
      await this.#settle({ id, parent: owner }, value);
  }

  /**
   * Stores a credential. The same one twice is one; another one with the id of a stored one is stored under its digest,
   * so that no issuer can overwrite the credential of another.
   */
  async add(owner: string, credential: CredentialRecord): Promise<StoredCredential> {
    const { document } = credential;
    const own = ownId(this.#formats.supported(credential.format)?.codec.parse(document));
    const ids = [...(own === undefined ? [] : [own]), fingerprint(document)];
    for (const id of ids) {
      const stored = await this.#store({ id, parent: owner }, credential);
      if (stored) return this.#toCredential(stored);
    }
    throw new DomainError('Conflict', 'The credential was changed at the same time');
  }

  /** Undefined when another credential has this id. */
  async #store(key: RecordKey, value: CredentialRecord): Promise<Stored<CredentialRecord> | undefined> {
    try {
      return await this.#records.insert({ ...key, value });
    } catch (error) {
      if (!isDomainError(error, 'Conflict')) throw error;
    }
    const before = await this.#records.get(key);
    if (before?.value.document !== value.document) return undefined;
    const change = ({ pending }: CredentialRecord) => ({ ...value, pending: pending && value.pending });
    return update({ collection: this.#records, key, change });
  }

  /** Accepts a pending credential. @throws DomainError `NotFound` */
  async accept(owner: string, id: string): Promise<void> {
    const key = { id, parent: owner };
    const change = (value: CredentialRecord) => ({ ...value, pending: false });
    if (!(await update({ collection: this.#records, key, change }))) throw noCredential(id);
  }

  /** Marks a credential as deleted, or removes it permanently. @throws DomainError `NotFound` */
  async remove(owner: string, id: string, permanent: boolean): Promise<void> {
    const key = { id, parent: owner };
    const deletedAt = this.#clock.now();
    const found = permanent
      ? await this.#records.remove(key)
      : await update({ collection: this.#records, key, change: (value) => ({ ...value, deletedAt }) });
    if (!found) throw noCredential(id);
  }

  async removeAll(owner: string): Promise<void> {
    await removeAll({ collection: this.#arrivals, parent: owner });
    await removeAll({ collection: this.#records, parent: owner });
  }

  #toCredential({ id, createdAt, value }: Stored<CredentialRecord>): StoredCredential {
    return { id, addedAt: createdAt, ...value, parsed: this.#parse(value) };
  }

  /** A credential that cannot be parsed (any more) stays in the list, as it was issued, but matches no request. */
  #parse({ format, document }: CredentialRecord): Credential | undefined {
    try {
      return this.#formats.supported(format)?.codec.parse(document);
    } catch (error) {
      if (!isDomainError(error, 'BadRequest')) throw error;
      return undefined;
    }
  }
}

const noCredential = (id: string): DomainError =>
  new DomainError('NotFound', `This wallet has no credential ${id.slice(0, 80)}`);

/** The id that a credential contains, when it can serve as one: printable ASCII, at most 512 characters. */
const ownId = (credential: Credential | undefined): string | undefined =>
  /^[\x21-\x7e]{1,512}$/.exec(credential?.id ?? '')?.[0];
