import type { Collection, PageQuery, Store, Stored } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import { DomainError, replacing } from '../../foundation/errors.ts';
import { insertFirst, readAll } from '../../foundation/records.ts';
import { type Loaded, TimedCache } from '../../foundation/timed-cache.ts';
import { domainName } from '../../network/domain-names.ts';
import { isAtOrBelow, lineOf, type Target } from '../access/targets.ts';
import type { TenantUrls } from '../services/tenant-services.ts';

/** A domain of a tenant, as callers see it. */
export interface HostAlias {
  domain: string;
  /** What is reached under the domain: this target and everything below it. */
  target: Target;
  /** The URL of what is below the target while this is its oldest domain. */
  baseUrl: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/** How long an instance may work with what it read; a change is seen everywhere after this time. */
const TTL_MS = 2000;
const ENTRY_BYTES = 256;

const kept = <T>(value: T): Loaded<T> => ({ value, ttlMs: TTL_MS, bytes: ENTRY_BYTES });

/**
 * The domains of tenants. The record of a domain decides to which target it belongs and is written before, and removed
 * after, the record by which the target lists it.
 */
export class HostAliases implements TenantUrls {
  readonly #listed: Collection<object>;
  readonly #domains: Collection<{ target: Target }>;
  readonly #publicUrl: URL;
  /** The oldest domain of a target. */
  readonly #oldest: TimedCache<string | undefined>;
  /** The target of a domain. */
  readonly #targets: TimedCache<Target | undefined>;

  constructor({
    store,
    clock,
    publicUrl,
  }: {
    store: Store;
    clock: Clock;
    /** The base URL of this installation. */
    publicUrl: string;
  }) {
    this.#listed = store.collection({ name: 'host-aliases', listed: true, sealed: false, afterRestore: 'kept' });
    this.#domains = store.collection({ name: 'host-alias-domains', sealed: false, afterRestore: 'kept' });
    this.#publicUrl = new URL(publicUrl);
    const cache = { name: 'host-aliases', failureTtlMs: 0, clock } as const;
    const first = { order: 'created+', offset: 0, limit: 1 } as const;
    this.#oldest = new TimedCache({
      ...cache,
      load: async (parent) => kept((await this.#listed.ids({ parent, ...first }))[0]),
    });
    this.#targets = new TimedCache({
      ...cache,
      load: async (id) => kept((await this.#domains.get({ id }))?.value.target),
    });
  }

  /**
   * The URL of the oldest domain of the target, or of the nearest target above it that has one; else the public URL.
   * Scheme and port are those of the public URL, since the same server answers; only that URL has a path.
   */
  async baseUrlOf(target: Target): Promise<string> {
    const domains = await Promise.all(lineOf(target).map((one) => this.#oldest.get(one)));
    const domain = domains.find((one) => one !== undefined);
    return domain === undefined ? this.#publicUrl.href.replace(/\/$/, '') : this.#urlOf(domain);
  }

  /** Whether a request for a host is answered for a target: a domain of a tenant answers only at and below its target. */
  async answers(host: string, target: Target): Promise<boolean> {
    const domain = domainName(host.replace(/:\d{1,5}$/, ''));
    if (domain === undefined || domain === this.#publicUrl.hostname) return true;
    const at = await this.#targets.get(domain);
    return at === undefined || isAtOrBelow(target, at);
  }

  /** The host of this installation, with its port where the URL has one. */
  get publicAuthority(): string {
    return this.#publicUrl.host;
  }

  /** The segments of the path of the public URL. */
  get publicSegments(): string[] {
    return this.#publicUrl.pathname.split('/').filter((segment) => segment !== '');
  }

  /** The target of a domain that a request is for, and how its URLs name it; undefined for a host that is no domain of a tenant. */
  async domainOf(host: string): Promise<{ target: Target; authority: string } | undefined> {
    const domain = domainName(host.replace(/:\d{1,5}$/, ''));
    if (domain === undefined || domain === this.#publicUrl.hostname) return undefined;
    const target = await this.#targets.get(domain);
    return target === undefined ? undefined : { target, authority: new URL(this.#urlOf(domain)).host };
  }

  /** Gives a domain to a target. @throws DomainError `Conflict` when it belongs to a target already, or to this installation */
  async add(target: Target, domain: string): Promise<HostAlias> {
    if (domain === this.#publicUrl.hostname) throw taken(domain);
    if (!(await this.#claim(target, domain))) throw taken(domain);
    const asTaken = replacing('Conflict', () => taken(domain));
    const record = await this.#listed.insert({ parent: target, id: domain, value: {} }).catch(asTaken);
    this.#forget(target, domain);
    return this.#view(record);
  }

  /** Whether the domain is now that of the target; it may be since an addition that was interrupted. */
  async #claim(target: Target, domain: string): Promise<boolean> {
    if (await insertFirst(this.#domains, { id: domain, value: { target } })) return true;
    return (await this.#domains.get({ id: domain }))?.value.target === target;
  }

  /** Returns whether the target had the domain. */
  async remove(target: Target, domain: string): Promise<boolean> {
    const found = await this.#listed.remove({ parent: target, id: domain });
    if (found) await this.#domains.remove({ id: domain });
    this.#forget(target, domain);
    return found;
  }

  /** Removes all domains of a target. */
  async removeAll(target: Target): Promise<void> {
    for (const { id } of await readAll({ collection: this.#listed, parent: target })) await this.remove(target, id);
  }

  /** The domains of one target. */
  async page(query: PageQuery): Promise<HostAlias[]> {
    return (await this.#listed.list(query)).map((record) => this.#view(record));
  }

  #forget(target: Target, domain: string): void {
    this.#oldest.forget(target);
    this.#targets.forget(domain);
  }

  #urlOf(domain: string): string {
    const { protocol, port } = this.#publicUrl;
    return `${protocol}//${domain}${port === '' ? '' : `:${port}`}`;
  }

  #view({ parent, id, createdAt }: Stored<object>): HostAlias {
    return { domain: id, target: parent, baseUrl: this.#urlOf(id), createdAt };
  }
}

const taken = (domain: string): DomainError => new DomainError('Conflict', `The domain ${domain} is in use`);
