import { computed, signal } from '@preact/signals';

/** The page that the fragment names: `#/wallet/receive?offer=…`. Other fragments name the start. */
const fragment = signal(read());

function read(): string {
  const text = location.hash.slice(1);
  return text.startsWith('/') ? text : '/';
}

addEventListener('hashchange', () => {
  fragment.value = read();
});

/** The path and the parameters of the current page. */
export const place = computed(() => {
  const { pathname, searchParams } = new URL(fragment.value, 'http://page');
  return { url: fragment.value, path: pathname, query: Object.fromEntries(searchParams) };
});

/** The fragment of a page. */
export function to(path: string, parameters: Record<string, string | undefined> = {}): string {
  const query = new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return query.size === 0 ? `#${path}` : `#${path}?${query}`;
}

/** Writes the current page, with what was typed on it, into the address and opens nothing. */
export const note = (target: string): void => history.replaceState(null, '', target);

/** Opens a page; with `replace`, Back does not come back to the current one. */
export function go(target: string, { replace = false } = {}): void {
  if (!replace) {
    location.hash = target;
    return;
  }
  history.replaceState(null, '', target);
  fragment.value = read();
}
