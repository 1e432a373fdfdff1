import type { Collection, Store } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';
import { fingerprint } from '../foundation/bytes.ts';
import { upsert } from '../foundation/records.ts';

/** The sources from which an identity logged in, by their digests, the latest last; `at` is milliseconds since the epoch. */
interface Sources {
  sources: { id: string; at: number }[];
}

/** How many sources of one identity are remembered. */
const MAX_SOURCES = 8;
/** How long a source is remembered after its last login, in milliseconds. */
const REMEMBERED_MS = 90 * 24 * 60 * 60 * 1000;
/** How old the remembered time of a login may be, so that not each login is written, in milliseconds. */
const RENEWED_AFTER_MS = 24 * 60 * 60 * 1000;

/** The sources from which the owners of identities logged in before. */
export class KnownSources {
  readonly #sources: Collection<Sources>;
  readonly #clock: Clock;

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.#clock = clock;
    this.#sources = store.collection({ name: 'login-sources', afterRestore: 'kept', hidden: 'id' });
  }

  /** The digests of the sources of an identity. */
  async of(identity: string): Promise<string[]> {
    return this.#recent((await this.#sources.get({ id: identity }))?.value).map(({ id }) => id);
  }

  /** Remembers a source from which its owner logged in; the one that was not used for the longest time makes room. */
  async add(identity: string, source: string): Promise<void> {
    const now = this.#clock.now();
    const own = { id: sourceId(source), at: now };
    const change = (value: Sources | undefined): Sources => {
      const recent = this.#recent(value);
      if (value && recent.some(({ id, at }) => id === own.id && at > now - RENEWED_AFTER_MS)) return value;
      return { sources: [...recent.filter(({ id }) => id !== own.id), own].slice(-MAX_SOURCES) };
    };
    const expiresAt = () => now + REMEMBERED_MS;
    await upsert({ collection: this.#sources, key: { id: identity }, change, expiresAt });
  }

  async forget(identity: string): Promise<void> {
    await this.#sources.remove({ id: identity });
  }

  #recent({ sources }: Sources = { sources: [] }): Sources['sources'] {
    return sources.filter(({ at }) => at > this.#clock.now() - REMEMBERED_MS);
  }
}

/** The digest by which a source is remembered. */
export const sourceId = (source: string): string => fingerprint(source);
