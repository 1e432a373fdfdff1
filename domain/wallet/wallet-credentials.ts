import type { Credential } from '../../ports/credential-formats.ts';
import type { Collection, RecordKey, Store, Stored } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';
import type { CredentialFormats } from '../credentials/formats.ts';
import { fingerprint } from '../foundation/bytes.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import { isoMillis } from '../foundation/time.ts';
import { type CredentialRecord, readAll, update, WALLET_ARRIVALS, WALLET_CREDENTIALS } from './records.ts';

/** A held credential, opened when its format is known here and it can be read. */
export interface HeldCredential extends CredentialRecord {
  id: string;
  /** Milliseconds since the epoch. */
  addedAt: number;
  opened?: Credential;
}

/** Which credentials a list shows, in the order they were added unless `descending`. */
export interface CredentialFilter {
  showDeleted: boolean;
  showPending: boolean;
  descending: boolean;
}

/** The credentials of all wallets. */
export class WalletCredentials {
  readonly #records: Collection<CredentialRecord>;
  readonly #arrivals: Collection<CredentialRecord[]>;
  readonly #formats: CredentialFormats;
  readonly #clock: Clock;

  constructor(store: Store, formats: CredentialFormats, clock: Clock) {
    this.#records = store.collection(WALLET_CREDENTIALS);
    this.#arrivals = store.collection(WALLET_ARRIVALS);
    this.#formats = formats;
    this.#clock = clock;
  }

  async list(walletId: string, filter: CredentialFilter): Promise<HeldCredential[]> {
    await this.#settleAll(walletId);
    const records = await readAll(this.#records, walletId, filter.descending ? 'created-' : 'created+');
    const shown = records.filter(
      ({ value }) => (filter.showDeleted || value.deletedAt === undefined) && (filter.showPending || !value.pending),
    );
    return shown.map((record) => this.#open(record));
  }

  /** What can be presented: neither pending nor put aside. */
  usable(walletId: string): Promise<HeldCredential[]> {
    return this.list(walletId, { showDeleted: false, showPending: false, descending: false });
  }

  /** @throws DomainError `NotFound` */
  async get(walletId: string, id: string): Promise<HeldCredential> {
    await this.#settleAll(walletId);
    const record = await this.#records.get({ id, parent: walletId });
    if (!record) throw noCredential(id);
    return this.#open(record);
  }

  /**
   * Keeps credentials that arrived together, all or none: one write decides, and what a failure or the end of the
   * process leaves undone is done when the wallet is read next.
   */
  async addAll(walletId: string, arrived: CredentialRecord[]): Promise<HeldCredential[]> {
    const [only, ...others] = arrived;
    if (only && others.length === 0) return [await this.add(walletId, only)];
    const id = fingerprint(JSON.stringify(arrived));
    try {
      await this.#arrivals.insert({ id, parent: walletId, value: arrived });
    } catch (error) {
      if (!isDomainError(error, 'Conflict')) throw error;
    }
    return this.#settle({ id, parent: walletId }, arrived);
  }

  async #settle(key: Required<RecordKey>, arrived: CredentialRecord[]): Promise<HeldCredential[]> {
    const kept: HeldCredential[] = [];
    for (const credential of arrived) kept.push(await this.add(key.parent, credential));
    await this.#arrivals.remove(key);
    return kept;
  }

  async #settleAll(walletId: string): Promise<void> {
    for (const { id, value } of await readAll(this.#arrivals, walletId))
      await this.#settle({ id, parent: walletId }, value);
  }

  /**
   * Keeps a credential. The same one twice is one; another one that claims a taken id is kept under its digest, so
   * that no issuer can overwrite what another gave.
   */
  async add(walletId: string, credential: CredentialRecord): Promise<HeldCredential> {
    const { document } = credential;
    const own = ownId(this.#formats.supported(credential.format)?.codec.parse(document));
    const ids = [...(own === undefined ? [] : [own]), fingerprint(document)];
    for (const id of ids) {
      const kept = await this.#keep(walletId, id, credential);
      if (kept) return this.#open(kept);
    }
    throw new DomainError('Conflict', 'The credential was changed at the same time');
  }

  async #keep(walletId: string, id: string, value: CredentialRecord): Promise<Stored<CredentialRecord> | undefined> {
    const key = { id, parent: walletId };
    try {
      return await this.#records.insert({ ...key, value });
    } catch (error) {
      if (!isDomainError(error, 'Conflict')) throw error;
    }
    const before = await this.#records.get(key);
    if (before?.value.document !== value.document) return undefined;
    return update(this.#records, key, ({ pending }) => ({ ...value, pending: pending && value.pending }));
  }

  /** The user takes a pending credential. @throws DomainError `NotFound` */
  async accept(walletId: string, id: string): Promise<void> {
    if (!(await update(this.#records, { id, parent: walletId }, (value) => ({ ...value, pending: false }))))
      throw noCredential(id);
  }

  /** Puts a credential aside, or removes it for good. @throws DomainError `NotFound` */
  async remove(walletId: string, id: string, permanent: boolean): Promise<void> {
    const key = { id, parent: walletId };
    const deletedAt = this.#clock.now();
    const found = permanent
      ? await this.#records.remove(key)
      : await update(this.#records, key, (value) => ({ ...value, deletedAt }));
    if (!found) throw noCredential(id);
  }

  #open({ id, createdAt, value }: Stored<CredentialRecord>): HeldCredential {
    return { id, addedAt: createdAt, ...value, opened: this.#opened(value) };
  }

  /** One that cannot be opened (any more) stays in the list, as it was issued, but answers no request. */
  #opened({ format, document }: CredentialRecord): Credential | undefined {
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

/** The id a credential gives itself, when it can serve as one: printable ASCII, at most 512 characters. */
const ownId = (credential: Credential | undefined): string | undefined =>
  /^[\x21-\x7e]{1,512}$/.exec(credential?.id ?? '')?.[0];

/** A credential as existing clients read it (`document` is the text as issued, `parsedDocument` what it says). */
export function credentialView(walletId: string, held: HeldCredential) {
  const { id, document, addedAt, deletedAt, pending, format, opened } = held;
  return {
    wallet: walletId,
    id,
    document,
    addedOn: isoMillis(addedAt),
    ...(deletedAt !== undefined && { deletedOn: isoMillis(deletedAt) }),
    pending,
    format,
    ...(opened && { parsedDocument: opened.document }),
  };
}
