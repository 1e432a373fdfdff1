import type { Collection, Store } from '../../../ports/store.ts';
import { mapBounded } from '../../foundation/concurrency.ts';
import type { IssuableContent } from './issuable-content.ts';

/** How many contents are written or removed at the same time. */
const AT_ONCE = 8;

/** Where a content is: the name of its session's contents and its number in the session's plan. */
export interface ContentKey {
  contentsId: string;
  content: number;
}

/** The contents of offered credentials, each written once; their sessions keep only their numbers. */
export class IssuanceContents {
  readonly #contents: Collection<IssuableContent>;

  constructor({ store }: { store: Store }) {
    this.#contents = store.collection({ name: 'issuance-contents', listed: false, sealed: true });
  }

  /** Writes the contents of a session before it; those of a session that is not written then expire. */
  async insert(
    contentsId: string,
    { contents, expiresAt }: { contents: readonly IssuableContent[]; expiresAt: number },
  ): Promise<void> {
    await mapBounded(contents, AT_ONCE, (value, content) =>
      this.#contents.insert({ id: idOf({ contentsId, content }), value, expiresAt }),
    );
  }

  /** Undefined when the session is over. */
  async get(key: ContentKey): Promise<IssuableContent | undefined> {
    return (await this.#contents.get({ id: idOf(key) }))?.value;
  }

  /** Removes contents that are not needed any more; what cannot be removed now expires. */
  async remove(contentsId: string, contents: readonly number[]): Promise<void> {
    await mapBounded(contents, AT_ONCE, (content) =>
      this.#contents.remove({ id: idOf({ contentsId, content }) }).catch(() => false),
    );
  }
}

const idOf = ({ contentsId, content }: ContentKey): string => `${contentsId}.${content}`;
