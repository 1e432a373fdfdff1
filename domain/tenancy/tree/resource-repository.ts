import type { Collection, PageQuery, Store, Stored } from '../../../ports/store.ts';
import type { Ids } from '../../../ports/system.ts';
import { DomainError, ignoring, isDomainError } from '../../foundation/errors.ts';
import { retried } from '../../foundation/records.ts';
import { isKept, type Removable, removeUnused } from '../../foundation/removal.ts';
import { isoMillis } from '../../foundation/time.ts';
import type { Hidden } from '../access/permissions.ts';
import { childOf, nameOf, recordKeyOf, type Target } from '../access/targets.ts';
import { type DependencyLink, DependencyLinks } from './dependency-links.ts';
import { RESOURCE_KINDS, type ResourceKind } from './resource-kinds.ts';
import { visiblePage } from './visible-page.ts';

/** What every shown resource has besides its content. */
export interface ResourceMetadata {
  /** The full path. */
  _id: string;
  /** The path above; '' for an organization. */
  parent: string;
  createdDateTime: string;
  updatedDateTime: string;
}

/** A resource of the tree, as callers see it. */
export type TreeResource<C extends object> = C & ResourceMetadata;

/** A page of the children of one parent, without the hidden ones. */
export interface ResourceQuery extends PageQuery {
  hidden: Hidden;
}

interface ResourceRecord<C> extends Removable {
  content: C;
  /** The id of the secret. */
  secretId?: string;
  /** The services that it depends on, with their entries in the index. */
  links?: readonly DependencyLink[];
  /** Another one for a resource that is created later at the same target; absent without a secret. */
  uid?: string;
}

/** What a resource is stored with. */
export interface ResourceParts<C, S> {
  content: C;
  secret?: S;
  links?: readonly DependencyLink[];
}

/** A resource as it was read, and how its secret is read. */
export interface ReadResource<C extends object, S> {
  resource: TreeResource<C>;
  /** Another one for a resource that is created later at the same target. */
  uid: string;
  /** Grows with each change. */
  revision: number;
  links: readonly DependencyLink[];
  record: Stored<ResourceRecord<C>>;
  /** Undefined too when the secret was replaced meanwhile. */
  secret(): Promise<S | undefined>;
}

/** A resource with its secret, as both were at one time. */
export type ResourceState<C extends object, S> = Omit<ReadResource<C, S>, 'secret'> & { secret: S | undefined };

/** What the removal of a resource checks and clears. */
interface ResourceRemoval<S> {
  /** @throws DomainError `Conflict` when the resource has children */
  requireUnused(): Promise<void>;
  /** Removes what belongs to the resource; its secret is missing when an earlier removal got so far. */
  clear(secret: S | undefined, links: readonly DependencyLink[]): Promise<void>;
  /** Whether a failure to clear leaves everything as it was. */
  isWithdrawable: boolean;
}

/**
 * The resources of every kind. A resource exists exactly while its public record does: the secret is written before and
 * removed after it, so that no partly written resource is ever visible.
 */
export class ResourceRepository {
  /** Which services depend on which. */
  readonly links: DependencyLinks;

  constructor(
    private readonly store: Store,
    private readonly ids: Ids,
  ) {
    this.links = new DependencyLinks(store, ids);
  }

  /** @throws DomainError `Conflict` when the target has a resource */
  async insert<C extends object, S>(
    kind: ResourceKind<C, S>,
    target: Target,
    { content, secret, links }: ResourceParts<C, S>,
  ): Promise<TreeResource<C>> {
    const secretId = await this.#insertSecret(kind, target, secret);
    try {
      const ids = secretId === undefined ? {} : { secretId, uid: secretId };
      const value = { content, ...ids, ...(links?.length && { links }) };
      return toResource(kind, await this.#records(kind).insert({ ...recordKeyOf(target), value }));
    } catch (error) {
      if (secretId !== undefined && !(await this.#mayUse(kind, target, secretId)))
        await this.#secrets(kind).remove({ parent: target, id: secretId });
      throw isDomainError(error, 'Conflict') ? new DomainError('Conflict', `${target} exists already`) : error;
    }
  }

  async #insertSecret<C extends object, S>(
    kind: ResourceKind<C, S>,
    target: Target,
    secret: S | undefined,
  ): Promise<string | undefined> {
    if (secret === undefined) return undefined;
    const id = this.ids.uuid();
    await this.#secrets(kind).insert({ parent: target, id, value: secret });
    return id;
  }

  /** After a failure of the store the record may have been written; then its secret must stay. */
  async #mayUse<C extends object, S>(kind: ResourceKind<C, S>, target: Target, secretId: string): Promise<boolean> {
    try {
      return (await this.#records(kind).get(recordKeyOf(target)))?.value.secretId === secretId;
    } catch {
      return true;
    }
  }

  async get<C extends object, S>(kind: ResourceKind<C, S>, target: Target): Promise<TreeResource<C> | undefined> {
    const record = await this.#records(kind).get(recordKeyOf(target));
    return record && toResource(kind, record);
  }

  /** Reads a resource, and its secret only when that is asked for. */
  async read<C extends object, S>(kind: ResourceKind<C, S>, target: Target): Promise<ReadResource<C, S> | undefined> {
    const record = await this.#records(kind).get(recordKeyOf(target));
    if (!record) return undefined;
    const { secretId: id, links = [], uid = isoMillis(record.createdAt) } = record.value;
    const secret = async (): Promise<S | undefined> =>
      id === undefined ? undefined : (await this.#secrets(kind).get({ parent: target, id }))?.value;
    return { resource: toResource(kind, record), uid, revision: record.revision, links, record, secret };
  }

  /** Returns a resource with its secret, both of the same version. */
  async state<C extends object, S>(kind: ResourceKind<C, S>, target: Target): Promise<ResourceState<C, S> | undefined> {
    let lost: string | undefined;
    const found = await retried(async () => {
      const read = await this.read(kind, target);
      if (!read) return null;
      const { secretId } = read.record.value;
      const secret = await read.secret();
      // A secret that is gone was replaced meanwhile, together with the record.
      if (secret !== undefined || secretId === lost) return { ...read, secret };
      lost = secretId;
      return undefined;
    });
    return found ?? undefined;
  }

  /**
   * Writes new content, links and, if given, a new secret of a resource unless it was changed after `before`; undefined
   * then. The secret of `before` stays until `settle`. @throws DomainError `Conflict` while it is being removed
   */
  async rewrite<C extends object, S>(
    kind: ResourceKind<C, S>,
    before: ResourceState<C, S>,
    { content, secret, links = before.links }: ResourceParts<C, S>,
  ): Promise<ResourceState<C, S> | undefined> {
    const { resource, record } = before;
    const target = resource._id;
    if (record.value.removal === 'decided') throw beingRemoved(target);
    const secretId = await this.#insertSecret(kind, target, secret);
    const value = {
      ...record.value,
      content,
      ...(links.length > 0 || record.value.links ? { links } : {}),
      ...(secretId !== undefined && { secretId }),
    };
    try {
      const written = await this.#records(kind).replace({ ...recordKeyOf(target), value }, record.revision);
      const { revision } = written;
      return {
        ...before,
        resource: toResource(kind, written),
        revision,
        links,
        record: written,
        secret: secret ?? before.secret,
      };
    } catch (error) {
      if (secretId !== undefined && !(await this.#mayUse(kind, target, secretId)))
        await this.#secrets(kind).remove({ parent: target, id: secretId });
      if (isDomainError(error, 'Conflict')) return undefined;
      throw error;
    }
  }

  /** Takes `rewrite` back; returns whether nothing was changed after it. */
  async restore<C extends object, S>(
    kind: ResourceKind<C, S>,
    before: ResourceState<C, S>,
    after: ResourceState<C, S>,
  ): Promise<boolean> {
    const key = recordKeyOf(after.resource._id);
    const record = { ...key, value: before.record.value };
    const restored = await this.#records(kind).replace(record, after.record.revision).catch(ignoring('Conflict'));
    if (restored) await this.settle(kind, after, before);
    return restored !== undefined;
  }

  /** Removes the secret of a version that was replaced by another. */
  async settle<C extends object, S>(
    kind: ResourceKind<C, S>,
    { record: { value: old } }: ResourceState<C, S>,
    { resource, record: { value: kept } }: ResourceState<C, S>,
  ): Promise<void> {
    if (old.secretId !== undefined && old.secretId !== kept.secretId)
      await this.#secrets(kind).remove({ parent: resource._id, id: old.secretId });
  }

  /** Services that depend on this one: none, or at least one. */
  dependents(target: Target): Promise<Target[]> {
    return this.links.dependents(target, ({ id, dependent }) => this.hasLink(dependent, id));
  }

  /** Whether a service stores the link with this id. */
  async hasLink(dependent: Target, id: string): Promise<boolean> {
    const record = await this.#records(RESOURCE_KINDS.resources).get(recordKeyOf(dependent));
    return record?.value.links?.some((link) => link.id === id) ?? false;
  }

  /** Whether the target has more children of this kind than that. */
  async has<C extends object, S>(kind: ResourceKind<C, S>, parent: Target, than = 0): Promise<boolean> {
    return (await this.#records(kind).ids({ parent, order: 'id', offset: than, limit: 1 })).length > 0;
  }

  /** Whether a resource to which a child was added exists and is not being removed. */
  isKept<C extends object, S>(kind: ResourceKind<C, S>, target: Target): Promise<boolean> {
    return isKept(this.#records(kind), recordKeyOf(target));
  }

  /** Removes a resource with its secret; of concurrent removals one finds it. @throws DomainError of the removal */
  remove<C extends object, S>(
    kind: ResourceKind<C, S>,
    target: Target,
    { requireUnused, clear, isWithdrawable }: ResourceRemoval<S>,
  ): Promise<boolean> {
    const secrets = this.#secrets(kind);
    const clearAll = async ({ secretId, links = [] }: ResourceRecord<C>): Promise<void> => {
      const key = secretId === undefined ? undefined : { parent: target, id: secretId };
      await clear(key && (await secrets.get(key))?.value, links);
      if (key) await secrets.remove(key);
    };
    const collection = this.#records(kind);
    return removeUnused({ collection, key: recordKeyOf(target), requireUnused, clear: clearAll, isWithdrawable });
  }

  /** Removes a resource that was added but not confirmed. */
  async withdraw<C extends object, S>(kind: ResourceKind<C, S>, target: Target): Promise<void> {
    const secretId = (await this.#records(kind).take(recordKeyOf(target)))?.value.secretId;
    if (secretId !== undefined) await this.#secrets(kind).remove({ parent: target, id: secretId });
  }

  async page<C extends object, S>(
    kind: ResourceKind<C, S>,
    { hidden, ...query }: ResourceQuery,
  ): Promise<TreeResource<C>[]> {
    const collection = this.#records(kind);
    const rows = {
      read: (wanted: PageQuery) => collection.list(wanted),
      placeOf: (row: Stored<ResourceRecord<C>>) => row,
    };
    return (await visiblePage({ collection, rows }, query, hidden)).map((record) => toResource(kind, record));
  }

  /** Returns the targets of a page, in the order of their ids. */
  async targets<C extends object, S>(kind: ResourceKind<C, S>, { hidden, ...query }: ResourceQuery): Promise<Target[]> {
    const collection = this.#records(kind);
    const rows = {
      read: (wanted: PageQuery) => collection.ids(wanted),
      placeOf: (id: string) => ({ id, createdAt: 0, updatedAt: 0 }),
    };
    const ids = await visiblePage({ collection, rows }, { ...query, order: 'id' }, hidden);
    return ids.map((id) => childOf(query.parent, id));
  }

  #records<C extends object, S>({ name, sealed }: ResourceKind<C, S>): Collection<ResourceRecord<C>> {
    return this.store.collection({ name, listed: true, sealed, afterRestore: 'kept' });
  }

  #secrets<C extends object, S>({ name }: ResourceKind<C, S>): Collection<S> {
    return this.store.collection({ name: `${name}-secrets`, afterRestore: 'kept' });
  }
}

/** The error where a resource cannot be changed because its removal was decided. */
export const beingRemoved = (target: Target): DomainError =>
  new DomainError('Conflict', `${nameOf(target)} is being removed: remove it again to complete that`);

/** Assigned, not spread: that is ten times faster for content that comes from the store, and pages have many. */
function toResource<C extends object, S>(
  { shown }: ResourceKind<C, S>,
  record: Stored<ResourceRecord<C>>,
): TreeResource<C> {
  const { parent, id, value, createdAt, updatedAt } = record;
  const createdDateTime = isoMillis(createdAt);
  const updatedDateTime = updatedAt === createdAt ? createdDateTime : isoMillis(updatedAt);
  const content = shown ? shown(value.content) : value.content;
  return Object.assign({}, content, { _id: childOf(parent, id), parent, createdDateTime, updatedDateTime });
}
