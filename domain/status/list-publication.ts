import type { Clock } from '../../ports/system.ts';
import { DomainError } from '../foundation/errors.ts';
import { LruCache } from '../foundation/lru-cache.ts';
import { type Loaded, TimedCache } from '../foundation/timed-cache.ts';
import type { KeyBackends } from '../keys/key-backends.ts';
import { signerForOthers } from '../keys/others-signer.ts';
import type { IssuedList, IssuedLists } from './issued-lists.ts';
import { type ListTokenParts, signList } from './list-tokens.ts';
import { type PublishedListLocation, statusListUrl, tenantListsUrl } from './status-list-urls.ts';

/** How long a failure to sign is cached: any reader can ask for a list, and the key service may charge for each call. */
const FAILURE_KEPT_MS = 5000;

/** How long lists are good for. */
interface PublicationTimes {
  /** How long a reader may keep a list; as long a signed list is used again. */
  ttlSeconds: number;
  /** The validity of a signed list. */
  lifetimeSeconds: number;
}

export interface ListPublicationParts extends ListTokenParts {
  lists: IssuedLists;
  keys: KeyBackends;
  clock: Clock;
  publicUrl: string;
  times: PublicationTimes;
}

/** A signed list. */
export interface PublishedList {
  mediaType: string;
  /** A JWT, or the bytes of a CWT. */
  body: string | Uint8Array;
  revision: number;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** Publishes status lists: signed when they are asked for, and again when they changed or their time to live is over. */
export class ListPublication {
  readonly #signed: TimedCache<PublishedList>;
  /** The last one of each list, used when the key cannot sign. */
  readonly #last = new LruCache<PublishedList>('published-lists');

  constructor(private readonly parts: ListPublicationParts) {
    this.#signed = new TimedCache({
      name: 'published-lists',
      load: (key) => this.#sign(key),
      failureTtlMs: FAILURE_KEPT_MS,
      clock: parts.clock,
    });
  }

  /**
   * Returns the list, at most `ttlSeconds` old. When its key cannot sign, the last one is returned while it is valid and
   * unchanged. @throws DomainError `NotFound`, `UpstreamFailed` or `UpstreamTimeout` when the key cannot sign
   */
  async get(place: PublishedListLocation): Promise<PublishedList> {
    const { id } = place;
    const stored = await this.parts.lists.get(id);
    if (!stored || !isAt(place, stored.value)) throw notFound();
    try {
      return await this.#signed.get(`${id} ${stored.revision}`);
    } catch (error) {
      const last = this.#last.get(id);
      if (last?.revision === stored.revision && this.parts.clock.now() < last.expiresAt) return last;
      throw error;
    }
  }

  async #sign(key: string): Promise<Loaded<PublishedList>> {
    const { lists, keys, clock, times } = this.parts;
    const [id = ''] = key.split(' ');
    const stored = await lists.get(id);
    if (!stored) throw notFound();
    const { value, revision } = stored;
    const { key: reference, ...signer } = value.signer;
    const issuedAt = clock.now();
    const statuses = await lists.statuses(id);
    const url = statusListUrl(value.baseUrl ?? this.parts.publicUrl, id);
    const content = { ...value, ...signer, ...times, url, statuses, issuedAt };
    const token = await signList(content, signerForOthers(keys.signer(reference), CANNOT_SIGN), this.parts);
    const list = { ...token, revision, expiresAt: issuedAt + times.lifetimeSeconds * 1000 };
    const bytes = 2 * token.body.length;
    this.#last.set(id, list, { bytes });
    return { value: list, ttlMs: Math.min(times.ttlSeconds, times.lifetimeSeconds / 2) * 1000, bytes };
  }
}

/** A list has one URL, and is published at no other. */
const isAt = ({ baseUrl, target }: PublishedListLocation, list: IssuedList): boolean =>
  baseUrl === undefined && target === undefined
    ? list.baseUrl === undefined
    : list.baseUrl !== undefined &&
      list.baseUrl === (baseUrl ?? list.baseUrl) &&
      (target === undefined || list.baseUrl.endsWith(tenantListsUrl('', target)));

const CANNOT_SIGN = { message: 'The list cannot be signed now; try again' };

const notFound = (): DomainError => new DomainError('NotFound', 'There is no status list with this id');
