import type { ComponentChildren } from 'preact';

/** The head of a column; `sort` is the order in which its values are now, `href` leads to the other one. */
interface Head {
  name: string;
  sort?: 'ascending' | 'descending' | 'none';
  href?: string;
}

interface TableProps {
  caption: string;
  heads: readonly (string | Head)[];
  /** The rows, `tr` each. */
  children: ComponentChildren;
}

/** A table in a region of its own, which scrolls sideways where it is too wide. */
export const Table = ({ caption, heads, children }: TableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too
  <section class="table" aria-label={caption} tabIndex={0}>
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {heads.map((head) => {
            const { name, sort, href }: Head = typeof head === 'string' ? { name: head } : head;
            return (
              <th key={name} scope="col" aria-sort={sort}>
                {href === undefined ? name : <SortLink name={name} sort={sort} href={href} />}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </section>
);

const SIGNS = { ascending: ' ↑', descending: ' ↓', none: '' };

const SortLink = ({ name, sort = 'none', href }: Head) => (
  <a class="sort" href={href}>
    {name}
    <span aria-hidden="true">{SIGNS[sort]}</span>
  </a>
);
