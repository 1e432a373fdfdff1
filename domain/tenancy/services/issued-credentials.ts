import type { Stored } from '../../../ports/store.ts';
import { DomainError } from '../../foundation/errors.ts';
import { isoMillis } from '../../foundation/time.ts';
import type { IssuedRecord } from '../../issuer/issued/issued-record.ts';
import type { IssuedRecords } from '../../issuer/issued/issued-records.ts';
import type { IssuedFilter } from '../../issuer/issued/issued-search.ts';
import type { Recipients } from '../../issuer/issued/recipients.ts';
import { issuedAt } from '../../issuer/sessions/record-id.ts';
import type { EntryChanges, EntryWithState, WantedChange } from '../../status/entry-changes.ts';
import type { EntryPosition } from '../../status/issued-entries.ts';
import { childOf, nothingAt, type Target } from '../access/targets.ts';
import type { ListQuery } from '../tree/list-requests.ts';
import { visiblePage } from '../tree/visible-page.ts';
import { ownerOf, type TenantServices } from './tenant-services.ts';

/** The most entries of a record that are shown; all of them are changed. */
const MAX_SHOWN = 100;

/** What was issued by a session, as callers see it. */
interface IssuedElement extends Omit<IssuedRecord, 'statusLists' | 'configurationId'> {
  _id: string;
  parent: Target;
  id: string;
  credentialConfigurationId: string;
  issuedDateTime: string;
  updatedDateTime: string;
}

/** The same with what its state is of. */
interface IssuedDetails {
  issued: IssuedElement;
  /** The service or the issuer that the status lists of its entries belong to; absent when the credentials have none. */
  statusTarget?: Target;
  entries: EntryWithState[];
}

/** What the issuers of tenants issued. */
export class IssuedCredentials {
  constructor(
    private readonly parts: {
      services: TenantServices;
      records: IssuedRecords;
      recipients: Pick<Recipients, 'ofRecord'>;
      changes: Pick<EntryChanges, 'placesOf' | 'allWithState' | 'changeAll'>;
    },
  ) {}

  /** What the service at `query.parent` issued, the latest first. @throws DomainError `BadRequest` naming `from`, `NotFound` */
  async page({ hidden, parent: target, ...page }: ListQuery, filter: IssuedFilter = {}): Promise<IssuedElement[]> {
    const { records } = this.parts;
    const parent = await this.#owner(target);
    const rows = {
      read: (query: { offset: number; limit: number }) => records.page({ ...query, parent }, filter),
      placeOf: (row: Stored<IssuedRecord>) => row,
    };
    const collection = { get: ({ id }: { id: string }) => records.wanted({ parent, id }, filter) };
    const found = await visiblePage({ collection, rows }, { ...page, parent: target }, hidden);
    return found.map((record) => elementOf(target, record));
  }

  /** @throws DomainError `NotFound` */
  async get(target: Target, id: string): Promise<IssuedDetails> {
    const record = await this.#record(target, id);
    const { statusLists = '' } = record.value;
    const places = (await this.#places(record)).slice(0, MAX_SHOWN);
    const entries = await this.parts.changes.allWithState(statusLists, places);
    return { issued: elementOf(target, record), statusTarget: statusLists.replace(/#.*/, '') || undefined, entries };
  }

  /**
   * Revokes, suspends or restores the credentials of a record, as far as each can be; returns its state.
   * @throws DomainError `NotFound`, `Conflict` when none can be or has an entry, `BadRequest` naming `action`
   */
  async change(target: Target, id: string, wanted: WantedChange) {
    const record = await this.#record(target, id);
    const places = await this.#places(record);
    if (places.length === 0) throw new DomainError('Conflict', 'The credential has no entry of a status list');
    await this.parts.changes.changeAll(record.value.statusLists ?? '', places, () => wanted);
    return { id, state: (await this.#record(target, id)).value.state };
  }

  /** Forgets for whom it was; its credentials stay what they are. @throws DomainError `NotFound`, `Busy` */
  async removeRecipient(target: Target, id: string): Promise<void> {
    await this.#record(target, id);
    const owner = await this.#owner(target);
    await this.parts.recipients.ofRecord({ id: owner, target: owner, version: 'v1' }, id);
  }

  async #places({ id, parent: issuer = '', value }: Stored<IssuedRecord>): Promise<EntryPosition[]> {
    const { statusLists } = value;
    return statusLists === undefined ? [] : this.parts.changes.placesOf(statusLists, { issuer, record: id });
  }

  async #record(target: Target, id: string): Promise<Stored<IssuedRecord>> {
    const record = await this.parts.records.get({ parent: await this.#owner(target), id });
    if (record) return record;
    throw nothingAt(childOf(target, id));
  }

  async #owner(target: Target): Promise<string> {
    const { uid } = await this.parts.services.found(target, 'issuer2');
    return ownerOf({ target, uid });
  }
}

function elementOf(parent: Target, { id, value, updatedAt }: Stored<IssuedRecord>): IssuedElement {
  const { configurationId, statusLists: _, ...record } = value;
  return {
    _id: childOf(parent, id),
    parent,
    id,
    ...record,
    credentialConfigurationId: configurationId,
    issuedDateTime: isoMillis(issuedAt(id)),
    updatedDateTime: isoMillis(updatedAt),
  };
}
