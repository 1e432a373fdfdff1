import type { Collection, Store } from '../../ports/store.ts';
import { DomainError, invalidField, isDomainError } from '../foundation/errors.ts';
import { isText, type JsonObject } from '../foundation/json.ts';
import { type PageLimits, type PageQuery, readPage } from '../limits/pagination.ts';

/** A published DID document, by its id below the registry. */
interface PublishedDid {
  did: string;
  document: JsonObject;
  /** The wallet of the DID. */
  owner: string;
}

const FOLDER = 'wallet-api/registry';
const ID = /^[A-Za-z0-9._~-]{1,128}$/;

/** Publishes the documents of those did:web DIDs of wallets that are on this server's own host. */
export class DidRegistry {
  readonly #published: Collection<PublishedDid>;
  /** The wallet that published an id first; stays when the DID is deleted. */
  readonly #firstOwners: Collection<{ owner: string }>;
  readonly #limits: PageLimits;
  /** The host of this server, with its port where the URL has one. */
  readonly domain: string;
  /** Where the documents are on this host. */
  readonly #folder: string;

  constructor({
    store,
    settings,
  }: {
    store: Store;
    settings: { publicUrl: string; pagination: PageLimits };
  }) {
    this.#published = store.collection({ name: 'did-registry', listed: true, sealed: false, afterRestore: 'kept' });
    this.#firstOwners = store.collection({ name: 'did-registry-owners', sealed: false, afterRestore: 'kept' });
    this.#limits = settings.pagination;
    const { host, pathname } = new URL(settings.publicUrl);
    this.domain = host;
    this.#folder = `${pathname.replace(/^\/|\/$/g, '')}/${FOLDER}`.replace(/^\//, '');
  }

  /**
   * The configuration of a did:web: by default on this host, and there below the registry.
   * @throws DomainError `BadRequest` naming `config.path` when this server would not publish the document
   */
  configFor({ domain, path, ...config }: JsonObject): JsonObject {
    const host = isText(domain) ? domain : this.domain;
    if (host.toLowerCase() !== this.domain) return { ...config, domain: host, path };
    const start = `${this.#folder}/`;
    const below = isText(path) ? path : `/${start}[random-uuid]`;
    const asked = below.replace(/^\//, '').replaceAll('[random-uuid]', 'id');
    if (!(asked.startsWith(start) && ID.test(asked.slice(start.length))))
      throw invalidField(['config', 'path'], `must be /${start} and one segment, since this server publishes no other`);
    return { ...config, domain: this.domain, path: below };
  }

  /**
   * Publishes the document of a DID on this host; of every other DID nothing. An id is never published for two wallets,
   * since credentials may name the first one's DID as their holder. @throws DomainError `Conflict`
   */
  async publish(owner: string, did: string, document: JsonObject): Promise<void> {
    const id = this.#idOf(did);
    if (id === undefined) return;
    try {
      await this.#claim(owner, id);
      await this.#published.insert({ parent: '', id, value: { did, document, owner } });
    } catch (error) {
      throw isDomainError(error, 'Conflict') ? new DomainError('Conflict', 'This DID exists already') : error;
    }
  }

  /** Makes a wallet the only one that may publish an id, for ever. @throws DomainError `Conflict` */
  async #claim(owner: string, id: string): Promise<void> {
    try {
      await this.#firstOwners.insert({ id, value: { owner } });
    } catch (error) {
      if ((await this.#firstOwners.get({ id }))?.value.owner !== owner) throw error;
    }
  }

  /** Ends the publication of a DID of this owner. */
  async withdraw(owner: string, did: string): Promise<void> {
    const id = this.#idOf(did);
    const record = id === undefined ? undefined : await this.#published.get({ parent: '', id });
    if (record?.value.owner === owner) await this.#published.remove({ parent: '', id: record.id });
  }

  /** The published DIDs of one page. @throws DomainError `BadRequest` naming the parameters that are wrong */
  readPage = (query: PageQuery) => readPage(query, { ...this.#limits, sortable: false });

  async list(page: ReturnType<typeof readPage>): Promise<string[]> {
    return (await this.#published.list({ parent: '', ...page })).map(({ value }) => value.did);
  }

  /** @throws DomainError `NotFound` */
  async document(id: string): Promise<JsonObject> {
    const record = await this.#published.get({ parent: '', id });
    if (!record) throw new DomainError('NotFound', 'No DID is published here');
    return record.value.document;
  }

  #idOf(did: string): string | undefined {
    const prefix = `did:web:${encodeURIComponent(this.domain)}:${this.#folder.replaceAll('/', ':')}:`;
    return did.startsWith(prefix) ? did.slice(prefix.length) : undefined;
  }
}
