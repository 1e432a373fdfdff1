import { fingerprint } from '../../foundation/bytes.ts';
import type { ItemKind } from '../protocol.ts';
import type { IssuableContent } from './issuable-content.ts';

/** Items in a row that are of one kind; their contents are one for all, or one for each, numbered in a row. */
interface ItemRun {
  /** The index of the kind. */
  kind: number;
  items: number;
  /** The number of the first item's content. */
  content: number;
  /** Set when other items have the same content. */
  isShared?: boolean;
}

/** Which items an offer has, without their contents: thousands of one kind are one run. Items are numbered from 0. */
export interface ItemPlan {
  kinds: ItemKind[];
  runs: ItemRun[];
}

/** One item of a plan. */
export interface PlannedItem {
  id: number;
  kind: ItemKind;
  /** The number of its content. */
  content: number;
  isShared: boolean;
}

/** Plans an item for each content; the contents that are returned are distinct, in the order of their numbers. */
export function planItems(all: readonly IssuableContent[]): { plan: ItemPlan; contents: IssuableContent[] } {
  const plan: ItemPlan = { kinds: [], runs: [] };
  const contents: IssuableContent[] = [];
  const digests = all.map((content) => fingerprint(JSON.stringify(content)));
  const [uses, numbers, kinds] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  for (const digest of digests) uses.set(digest, (uses.get(digest) ?? 0) + 1);
  for (const [index, content] of all.entries()) {
    const digest = digests[index] ?? '';
    const number = numbered(numbers, digest, () => void contents.push(content));
    const kind = kindOf(content);
    const kindIndex = numbered(kinds, JSON.stringify(kind), () => void plan.kinds.push(kind));
    const isShared = (uses.get(digest) ?? 0) > 1;
    append(plan.runs, { kind: kindIndex, items: 1, content: number, ...(isShared && { isShared }) });
  }
  return { plan, contents };
}

/** The number of a key; a new key has the next number, and `onNew` is called. */
function numbered(numbers: Map<string, number>, key: string, onNew: () => void): number {
  const known = numbers.get(key);
  if (known !== undefined) return known;
  numbers.set(key, numbers.size);
  onNew();
  return numbers.size - 1;
}

const kindOf = ({ configurationId, format, types, type }: IssuableContent): ItemKind => ({
  configurationId,
  format,
  types,
  type,
});

function append(runs: ItemRun[], next: ItemRun): void {
  const last = runs.at(-1);
  const expected = last && (last.isShared ? last.content : last.content + last.items);
  const fits = last?.kind === next.kind && last.isShared === next.isShared && expected === next.content;
  if (last && fits) last.items += 1;
  else runs.push(next);
}

/** The configurations of a plan, each once. */
export const configurationIdsOf = ({ kinds }: ItemPlan): string[] => [
  ...new Set(kinds.map(({ configurationId }) => configurationId)),
];

/** How many items a plan has. */
export const countItems = ({ runs }: ItemPlan): number => runs.reduce((count, { items }) => count + items, 0);

/** How many contents a plan has. */
export const countContents = ({ runs }: ItemPlan): number =>
  runs.reduce((most, { content, items, isShared }) => Math.max(most, content + (isShared ? 1 : items)), 0);

/** The items of a plan in their order; those of the given kinds when there are any. */
export function* itemsOf({ kinds, runs }: ItemPlan, wanted: readonly ItemKind[] = kinds): Generator<PlannedItem> {
  let first = 0;
  for (const run of runs) {
    const kind = kinds[run.kind];
    if (kind && wanted.includes(kind))
      for (let offset = 0; offset < run.items; offset += 1) yield itemOf(run, { kind, first, offset });
    first += run.items;
  }
}

/** The item with this id. */
export function itemAt({ kinds, runs }: ItemPlan, id: number): PlannedItem | undefined {
  let first = 0;
  for (const run of runs) {
    const kind = kinds[run.kind];
    if (kind && id >= first && id < first + run.items) return itemOf(run, { kind, first, offset: id - first });
    first += run.items;
  }
  return undefined;
}

const itemOf = (
  { content, isShared = false }: ItemRun,
  { kind, first, offset }: { kind: ItemKind; first: number; offset: number },
): PlannedItem => ({ id: first + offset, kind, content: isShared ? content : content + offset, isShared });

/** The name of one credential of an offer, for wallets that ask by it (OpenID4VCI draft 13 §6.2). */
export const identifierOf = ({ id, kind }: PlannedItem): string => `${kind.configurationId}-${id}`;

/** The item with this name. */
export function itemNamed(plan: ItemPlan, identifier: string): PlannedItem | undefined {
  const id = Number(/-(\d{1,9})$/.exec(identifier)?.[1] ?? Number.NaN);
  const item = itemAt(plan, id);
  return item && identifierOf(item) === identifier ? item : undefined;
}
