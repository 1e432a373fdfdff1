import type { Collection, Store } from '../../../ports/store.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import { mapBounded } from '../../foundation/concurrency.ts';
import { keepUntil } from '../../foundation/records.ts';
import type { IssuableContent } from './issuable-content.ts';

/** How many contents are written or removed at the same time. */
const AT_ONCE = 8;
/** How much longer than needed the terms of a content are kept, so that few offers write them anew. */
const KEPT_MS = 600_000;

/** Where a content is: the name of its session's contents and its number in the session's plan. */
export interface ContentKey {
  contentsId: string;
  content: number;
}

/** What a content has for itself. */
type Own = Pick<IssuableContent, 'credentialData' | 'claims' | 'credentialStatus' | 'display'>;

/** What it has in common with others of the same issuer: key, certificates, mapping, types. */
type Terms = Omit<IssuableContent, keyof Own>;

/** `terms` is the id of their record; version 0.5.0 wrote whole contents. */
type StoredContent = (Own & { terms: string }) | (IssuableContent & { terms?: undefined });

/**
 * The contents of offered credentials, each written once; their sessions keep only their numbers. The terms are written
 * once for all contents that have them, of any session, under their digest.
 */
export class IssuanceContents {
  readonly #contents: Collection<StoredContent>;
  readonly #terms: Collection<Terms>;

  constructor({ store }: { store: Store }) {
    this.#contents = store.collection({ name: 'issuance-contents', listed: false, sealed: true });
    this.#terms = store.collection({ name: 'issuance-terms', listed: false, sealed: true });
  }

  /** Writes the contents of a session before it; those of a session that is not written then expire. */
  async insert(
    contentsId: string,
    { contents, expiresAt }: { contents: readonly IssuableContent[]; expiresAt: number },
  ): Promise<void> {
    const parts = contents.map(divided);
    const terms = [...new Map(parts.map((part) => [part.own.terms, part.terms]))];
    await mapBounded(terms, AT_ONCE, ([id, value]) =>
      keepUntil(this.#terms, { id, value, expiresAt: expiresAt + KEPT_MS }, expiresAt),
    );
    await mapBounded(parts, AT_ONCE, ({ own: value }, content) =>
      this.#contents.insert({ id: idOf({ contentsId, content }), value, expiresAt }),
    );
  }

  /** Undefined when the session is over. */
  async get(key: ContentKey): Promise<IssuableContent | undefined> {
    const content = (await this.#contents.get({ id: idOf(key) }))?.value;
    if (content?.terms === undefined) return content;
    const { terms, ...own } = content;
    const common = await this.#terms.get({ id: terms });
    return common && { ...common.value, ...own };
  }

  /** Removes contents that are not needed any more; what cannot be removed now expires, as terms do. */
  async remove(contentsId: string, contents: readonly number[]): Promise<void> {
    await mapBounded(contents, AT_ONCE, (content) =>
      this.#contents.remove({ id: idOf({ contentsId, content }) }).catch(() => false),
    );
  }
}

const idOf = ({ contentsId, content }: ContentKey): string => `${contentsId}.${content}`;

function divided({ credentialData, claims, credentialStatus, display, ...terms }: IssuableContent) {
  const id = fingerprint(JSON.stringify(terms));
  return { own: { credentialData, claims, credentialStatus, display, terms: id }, terms };
}
