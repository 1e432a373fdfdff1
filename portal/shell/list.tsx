import type { ComponentChildren } from 'preact';
import { Notice } from '../parts/notice.tsx';
import { texts } from '../texts/texts.ts';
import type { Outcome } from './api.ts';
import { Loaded, useLoad } from './load.tsx';
import { place, to } from './place.ts';
import { FailureNotice } from './states.tsx';

/** How many elements a page of a list shows, unless it says otherwise. */
const SHOWN = 20;

/** What of a list is asked for. */
interface Wanted {
  limit: string;
  offset: string;
}

/** This page with other parameters; one that is `undefined` goes. */
const here = (query: Record<string, string | undefined>): string =>
  to(place.value.path, { ...place.value.query, ...query });

/** The number of the page of a list that the address names, from 1. */
const pageNumber = (): number => {
  const number = Number(place.value.query.page ?? '1');
  return Number.isSafeInteger(number) && number > 0 ? number : 1;
};

interface ListProps<T> {
  /** Reads a page of the list. */
  read(wanted: Wanted): Promise<Outcome<T[]>>;
  /** What else of the list changes what is read. */
  of?: string;
  /** How many elements a page shows. */
  shown?: number;
  /** What the first page says when it has nothing. */
  empty: string;
  /** What a refusal of what is asked for means here. */
  refused?: string;
  children(elements: T[], again: () => void): ComponentChildren;
}

/**
 * A list page by page, with the number of the page in the address. Each page is one request, for one element more than is shown:
 * lists have no totals, and that one shows whether there is a next page.
 */
export function PagedList<T>({ read, of = '', shown = SHOWN, empty, refused, children }: ListProps<T>) {
  const page = pageNumber();
  const loading = useLoad(
    () => read({ limit: String(shown + 1), offset: String((page - 1) * shown) }),
    `${of} ${page}`,
  );
  const { failure } = loading;
  if (refused !== undefined && failure?.kind === 'refused' && failure.status === 400)
    return <FailureNotice failure={failure} title={refused} />;
  return (
    <Loaded of={loading}>
      {(elements) => (
        <>
          {elements.length === 0 ? (
            <Notice kind="information">
              <p>{page === 1 ? empty : texts().list.nothing}</p>
            </Notice>
          ) : (
            children(elements.slice(0, shown), loading.again)
          )}
          <Pager
            previous={page > 1 ? here({ page: page === 2 ? undefined : String(page - 1) }) : undefined}
            next={elements.length > shown ? here({ page: String(page + 1) }) : undefined}
          />
        </>
      )}
    </Loaded>
  );
}

/** The links to the pages beside this one. */
const Pager = ({ previous, next }: { previous: string | undefined; next: string | undefined }) => {
  const t = texts().list;
  if (previous === undefined && next === undefined) return null;
  return (
    <nav class="actions" aria-label={t.pages}>
      {previous === undefined ? null : (
        <a class="button" href={previous}>
          {t.previous}
        </a>
      )}
      {next === undefined ? null : (
        <a class="button" href={next}>
          {t.next}
        </a>
      )}
    </nav>
  );
};

/** A column by which a list is sorted: its field, and the order of the first click. */
type SortField = 'createdDateTime' | 'updatedDateTime';
type Sort = `${SortField}${'-' | '+'}`;

const isSort = (text: string | undefined): text is Sort => /^(created|updated)DateTime[-+]$/.test(text ?? '');

/** The order of the list that the address names, as the operations take it. */
export const sortOf = (): Sort | undefined => {
  const { sort } = place.value.query;
  return isSort(sort) ? sort : undefined;
};

/** The head of a column by which a list can be sorted: latest first, then oldest first, then latest first. */
export function sortedHead(name: string, field: SortField) {
  const now = sortOf();
  const sort = now === `${field}-` ? 'descending' : now === `${field}+` ? 'ascending' : 'none';
  const next: Sort = sort === 'descending' ? `${field}+` : `${field}-`;
  return { name, sort, href: here({ sort: next, page: undefined }) } as const;
}
