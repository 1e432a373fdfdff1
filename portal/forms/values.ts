import type { FieldNode } from './fields.ts';

/** The object that a form begins with: groups and lists are there, and empty. */
export const emptyOf = (nodes: readonly FieldNode[]): Record<string, unknown> =>
  Object.fromEntries(
    nodes.flatMap((node) => {
      if (node.kind !== 'object' && node.kind !== 'list') return [];
      return [[node.name, node.kind === 'list' ? [] : emptyOf(node.members)]];
    }),
  );

/** What a new element of a list is: '' is a field that is still empty. */
export const newElement = ({ element }: FieldNode): unknown => {
  if (element?.kind === 'object') return emptyOf(element.members);
  return element?.kind === 'list' ? [] : '';
};

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

/** A value without what is empty: texts, lists and objects, at every depth. */
export function pruned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pruned).filter((one) => !isEmpty(one));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, part]) => [name, pruned(part)] as const);
  return Object.fromEntries(entries.filter(([, part]) => !isEmpty(part)));
}
