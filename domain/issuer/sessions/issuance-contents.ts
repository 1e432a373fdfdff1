import type { Collection, Store } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import { mapBounded } from '../../foundation/concurrency.ts';
import { LruCache } from '../../foundation/lru-cache.ts';
import { keepUntil } from '../../foundation/records.ts';
import type { IssuableContent } from './issuable-content.ts';

/** How many contents are written or removed at the same time. */
const AT_ONCE = 8;
/** How much longer than needed the terms of a content are kept, so that few offers write them anew. */
const KEPT_MS = 600_000;
/** How long terms that were seen in the store are taken to be there: it may be emptied. */
const TRUSTED_MS = 30_000;
/** The largest content that its session holds, in characters of JSON: a session is written at each step and read in lists. */
const MAX_HELD_CHARACTERS = 4096;

/** Where a content is: the name of its session's contents and its number in the session's plan. */
interface ContentKey {
  contentsId: string;
  content: number;
}

/** What a content has for itself. */
type Own = Pick<IssuableContent, 'credentialData' | 'claims' | 'credentialStatus' | 'display'>;

/** What it has in common with others of the same issuer: key, certificates, mapping, types. */
type Terms = Omit<IssuableContent, keyof Own>;

/** A content without its terms; `terms` is the id of their record. */
export type OwnContent = Own & { terms: string };

/** Terms as they were seen in the store. */
interface KnownTerms {
  value: Terms;
  /** When they expire there, in milliseconds since the epoch. */
  end: number;
  trustedUntil: number;
}

/** Contents as they are written. */
interface NewContents {
  contents: readonly IssuableContent[];
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/**
 * The contents of offered credentials, each written once; their sessions keep only their numbers, or a single small
 * content itself. The terms are written once for all contents that have them, of any session, under their digest.
 */
export class IssuanceContents {
  readonly #contents: Collection<OwnContent>;
  readonly #terms: Collection<Terms>;
  readonly #known = new LruCache<KnownTerms>('issuance-terms');
  readonly #clock: Clock;

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.#contents = store.collection({ name: 'issuance-contents', afterRestore: 'void' });
    this.#terms = store.collection({ name: 'issuance-terms', afterRestore: 'kept' });
    this.#clock = clock;
  }

  /**
   * Writes the contents of a session before it; those of a session that is not written then expire. Returns the content
   * that the session has to hold, which has no record then.
   */
  async insert(contentsId: string, { contents, expiresAt }: NewContents): Promise<OwnContent | undefined> {
    const parts = contents.map(divided);
    const terms = [...new Map(parts.map((part) => [part.own.terms, part.terms]))];
    await mapBounded(terms, AT_ONCE, ([id, value]) => this.#keepTerms({ id, value }, expiresAt));
    const [first, ...others] = parts;
    if (first && others.length === 0 && JSON.stringify(first.own).length <= MAX_HELD_CHARACTERS) return first.own;
    await mapBounded(parts, AT_ONCE, ({ own: value }, content) =>
      this.#contents.insert({ id: idOf({ contentsId, content }), value, expiresAt }),
    );
    return undefined;
  }

  /** Undefined when the session is over. */
  async get(key: ContentKey): Promise<IssuableContent | undefined> {
    const stored = await this.#contents.get({ id: idOf(key) });
    return stored && this.whole(stored.value);
  }

  /** A content with its terms; undefined when the session is over. */
  async whole({ terms: id, ...own }: OwnContent): Promise<IssuableContent | undefined> {
    const terms = this.#known.get(id)?.value ?? (await this.#readTerms(id));
    return terms && Object.assign({}, terms, own);
  }

  /** Removes contents that are not needed any more; what cannot be removed now expires, as terms do. */
  async remove(contentsId: string, contents: readonly number[]): Promise<void> {
    await mapBounded(contents, AT_ONCE, (content) =>
      this.#contents.remove({ id: idOf({ contentsId, content }) }).catch(() => false),
    );
  }

  async #keepTerms({ id, value }: { id: string; value: Terms }, needed: number): Promise<void> {
    const known = this.#known.get(id);
    if (known && needed <= known.end && this.#clock.now() < known.trustedUntil) return;
    this.#note(id, value, await keepUntil(this.#terms, { id, value, expiresAt: needed + KEPT_MS }, needed));
  }

  async #readTerms(id: string): Promise<Terms | undefined> {
    const found = await this.#terms.get({ id });
    if (found) this.#note(id, found.value, found.expiresAt ?? 0);
    return found?.value;
  }

  #note(id: string, value: Terms, end: number): void {
    const trustedUntil = this.#clock.now() + TRUSTED_MS;
    this.#known.set(id, { value, end, trustedUntil }, { bytes: 2 * JSON.stringify(value).length });
  }
}

const idOf = ({ contentsId, content }: ContentKey): string => `${contentsId}.${content}`;

function divided({ credentialData, claims, credentialStatus, display, ...terms }: IssuableContent) {
  const id = fingerprint(JSON.stringify(terms));
  return { own: { credentialData, claims, credentialStatus, display, terms: id }, terms };
}
