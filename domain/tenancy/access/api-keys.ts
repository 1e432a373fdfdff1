import type { Collection, PageQuery, Store, Stored } from '../../../ports/store.ts';
import type { Ids, Random } from '../../../ports/system.ts';
import { base64url, equalInConstantTime, fingerprint } from '../../foundation/bytes.ts';
import { LruCache } from '../../foundation/lru-cache.ts';
import { readAll } from '../../foundation/records.ts';
import { isoMillis } from '../../foundation/time.ts';
import type { Grant, RoleReference } from './permissions.ts';
import type { Target } from './targets.ts';

/** What an API key may do: what a role grants, or permissions of its own. */
export interface ApiKeyRights {
  role?: RoleReference;
  permissions?: Grant[];
}

/** An API key, as callers see it. */
export interface ApiKeyView {
  _id: string;
  name: string;
  /** The start of the key, by which people recognise it. */
  prefix: string;
  role?: Target;
  permissions?: Grant[];
  createdDateTime: string;
  expiresDateTime?: string;
}

/** An API key to create. `expiresAt` is milliseconds since the epoch. */
interface NewApiKey extends ApiKeyRights {
  target: Target;
  name: string;
  expiresAt?: number;
}

interface KeyRecord extends ApiKeyRights {
  /** Of the whole text of the key. */
  digest: string;
}

interface ListedKey extends ApiKeyRights {
  name: string;
  prefix: string;
}

const TEXT = /^cza_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_[A-Za-z0-9_-]{43}$/;
const SECRET_BYTES = 32;
const PREFIX_LENGTH = 12;

/** Whether a token has the form of an API key. */
export const isApiKey = (token: string): boolean => TEXT.test(token);

/**
 * API keys. A key is `cza_<id>_<secret>`; only its digest is stored. It is valid while its own record exists, so a
 * removal ends it on every instance at once; the record by which its target lists it is written before and removed after.
 */
export class ApiKeys {
  readonly #keys: Collection<KeyRecord>;
  readonly #listed: Collection<ListedKey>;
  /**
   * The rights that the latest authentication of each key read. A request reads them after its own authentication, so
   * they are never older than that.
   */
  readonly #authenticated = new LruCache<ApiKeyRights>('api-keys');

  constructor(
    private readonly parts: {
      store: Store;
      ids: Ids;
      random: Random;
    },
  ) {
    this.#keys = parts.store.collection({ name: 'api-keys', afterRestore: 'kept' });
    this.#listed = parts.store.collection({ name: 'api-key-list', listed: true, afterRestore: 'kept' });
  }

  /** Creates a key and returns its text, which is shown once. */
  async create({ target, name, expiresAt, ...rights }: NewApiKey): Promise<{ key: string; view: ApiKeyView }> {
    const { ids, random } = this.parts;
    const id = ids.uuid();
    const key = `cza_${id.replaceAll('-', '')}_${base64url(random.bytes(SECRET_BYTES))}`;
    const value = { name, prefix: key.slice(0, PREFIX_LENGTH), ...rights };
    const listed = await this.#listed.insert({ parent: target, id, value, expiresAt });
    await this.#keys.insert({ id, value: { digest: fingerprint(key), ...rights }, expiresAt });
    return { key, view: viewOf(listed) };
  }

  /** Returns the id of a valid key; undefined for every other text. */
  async authenticate(text: string): Promise<{ accountId: string } | undefined> {
    const id = TEXT.exec(text)?.slice(1).join('-') ?? '';
    const record = (await this.#keys.get({ id }))?.value;
    if (record === undefined) this.#authenticated.delete(id);
    if (record === undefined || !equalInConstantTime(record.digest, fingerprint(text))) return undefined;
    const { digest: _, ...rights } = record;
    this.#authenticated.set(id, rights, { bytes: 2 * JSON.stringify(rights).length });
    return { accountId: id };
  }

  /** The rights of a key that was authenticated, as they were read then; undefined when that is no longer known. */
  authenticatedRights(id: string): ApiKeyRights | undefined {
    return this.#authenticated.get(id);
  }

  /** The rights of a key; undefined when it does not exist. */
  async rightsOf(id: string): Promise<ApiKeyRights | undefined> {
    return (await this.#keys.get({ id }))?.value;
  }

  /** The keys of one target. */
  async page(query: PageQuery): Promise<ApiKeyView[]> {
    return (await this.#listed.list(query)).map(viewOf);
  }

  /** Ends a key of a target; returns whether there was one. */
  async remove(target: Target, id: string): Promise<boolean> {
    if (!(await this.#listed.get({ parent: target, id }))) return false;
    await this.#keys.remove({ id });
    return this.#listed.remove({ parent: target, id });
  }

  /** Ends all keys of a target. */
  async removeAll(target: Target): Promise<void> {
    for (const { id } of await readAll({ collection: this.#listed, parent: target })) await this.remove(target, id);
  }
}

const viewOf = ({ id, value, createdAt, expiresAt }: Stored<ListedKey>): ApiKeyView => ({
  _id: id,
  name: value.name,
  prefix: value.prefix,
  ...(value.role && { role: value.role.target }),
  ...(value.permissions && { permissions: value.permissions }),
  createdDateTime: isoMillis(createdAt),
  ...(expiresAt !== undefined && { expiresDateTime: isoMillis(expiresAt) }),
});
