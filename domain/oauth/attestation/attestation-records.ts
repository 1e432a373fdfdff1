import type { PublicJwk } from '../../../ports/key-service.ts';
import type { Collection, PageQuery, RecordKey, Store, Stored } from '../../../ports/store.ts';
import { DomainError } from '../../foundation/errors.ts';
import { update, upsert } from '../../foundation/records.ts';
import { thumbprint } from '../../jose/jwk.ts';

/** A client attestation that was made here; it is not kept itself. */
export interface AttestationRecord {
  clientId: string;
  /** The thumbprint of the key of the client instance. */
  instanceThumbprint: string;
  /** The key that signed it. */
  signedBy: PublicJwk;
  /** When it ends, in milliseconds since the epoch. */
  endsAt: number;
  /** When it was revoked, in milliseconds since the epoch. */
  revokedAt?: number;
}

/** A key that attestations are signed with. */
interface SigningRecord {
  jwk: PublicJwk;
  /** When everything that it signed has ended, in milliseconds since the epoch. */
  endsAt: number;
}

/** How long after the end of an attestation its record stays: the most that the clock of an issuer may be behind. */
const KEPT_MS = 300_000;
/** How much longer a key is kept than its latest attestation, so that few attestations write it. */
const KEY_STEP_MS = 3_600_000;
/** The most attestations of one attester that have not ended. */
const MOST_LIVING = 100_000;
/** The most earlier keys that are published. */
const MOST_KEYS = 100;
const PAGE = 200;

/** The client attestations that attesters made and that have not ended, by their `jti`, below their attester. */
export class AttestationRecords {
  readonly #records: Collection<AttestationRecord>;
  readonly #keys: Collection<SigningRecord>;

  constructor(
    store: Store,
    private readonly most = MOST_LIVING,
  ) {
    // A backup does not know what was revoked after it.
    this.#records = store.collection({ name: 'client-attestations', listed: true, afterRestore: 'void' });
    this.#keys = store.collection({ name: 'client-attester-keys', listed: true, sealed: false, afterRestore: 'kept' });
  }

  /** Records an attestation before it is given away, and its key. @throws DomainError `Conflict` for one too many */
  async add({ parent, id }: Required<RecordKey>, value: AttestationRecord): Promise<void> {
    const { signedBy: jwk, endsAt } = value;
    const until = endsAt + KEY_STEP_MS;
    await upsert<SigningRecord>({
      collection: this.#keys,
      key: { parent, id: thumbprint(jwk) },
      change: (present) => (present && present.endsAt >= endsAt ? present : { jwk, endsAt: until }),
      expiresAt: () => until,
    });
    await this.#records.insert({ parent, id, value, expiresAt: endsAt + KEPT_MS });
    const [oneMore] = await this.#records.ids({ parent, order: 'id', offset: this.most, limit: 1 });
    if (oneMore === undefined) return;
    await this.#records.remove({ parent, id });
    throw new DomainError('Conflict', `The attester has ${this.most} attestations that have not ended`);
  }

  get(key: Required<RecordKey>): Promise<Stored<AttestationRecord> | undefined> {
    return this.#records.get(key);
  }

  list(query: PageQuery): Promise<Stored<AttestationRecord>[]> {
    return this.#records.list(query);
  }

  /** Revokes an attestation for good; returns its record, undefined when there is none. */
  revoke(key: Required<RecordKey>, now: number): Promise<Stored<AttestationRecord> | undefined> {
    const change = (value: AttestationRecord): AttestationRecord =>
      value.revokedAt === undefined ? { ...value, revokedAt: now } : value;
    return update({ collection: this.#records, key, change });
  }

  /** The keys of an attester that may have signed what has not ended. */
  async keys(parent: string): Promise<PublicJwk[]> {
    const found = await this.#keys.list({ parent, order: 'id', offset: 0, limit: MOST_KEYS });
    return found.map(({ value }) => value.jwk);
  }

  /** Removes everything of an attester. */
  async removeAll(parent: string): Promise<void> {
    for (const collection of [this.#records, this.#keys])
      for (let isMore = true; isMore; ) {
        const ids = await collection.ids({ parent, order: 'id', offset: 0, limit: PAGE });
        for (const id of ids) await collection.remove({ parent, id });
        isMore = ids.length === PAGE;
      }
  }
}
