import { DomainError, fieldErrors } from '../foundation/errors.ts';

/** The categories of a wallet. Credentials refer to them by ids that are never used again, so a new name is one write. */
export interface CategoryList {
  categories: { id: string; name: string }[];
  /** How many categories the wallet has had. */
  added: number;
}

/** The most categories of a wallet. */
export const MAX_CATEGORIES = 100;

export const NO_CATEGORIES: CategoryList = { categories: [], added: 0 };

/** @throws DomainError `Conflict` for a name in use, `BadRequest` for one category too many */
export function addCategory({ categories, added }: CategoryList, name: string): CategoryList {
  requireFree(categories, name);
  if (categories.length >= MAX_CATEGORIES)
    throw new DomainError('BadRequest', `A wallet has at most ${MAX_CATEGORIES} categories`);
  return { categories: [...categories, { id: String(added), name }], added: added + 1 };
}

/** @throws DomainError `NotFound` */
export function removeCategory({ categories, added }: CategoryList, name: string): { list: CategoryList; id: string } {
  const { id } = find(categories, name);
  return { list: { categories: categories.filter((category) => category.id !== id), added }, id };
}

/** @throws DomainError `NotFound` for the old name, `Conflict` for a new one in use */
export function renameCategory(list: CategoryList, { from, to }: { from: string; to: string }): CategoryList {
  const { id } = find(list.categories, from);
  if (from === to) return list;
  requireFree(list.categories, to);
  const categories = list.categories.map((category) => (category.id === id ? { id, name: to } : category));
  return { ...list, categories };
}

/** The ids of categories. @throws DomainError `BadRequest` naming each position without a category */
export function categoryIds({ categories }: CategoryList, names: readonly string[]): string[] {
  const ids = names.map((name) => categories.find((category) => category.name === name)?.id);
  const unknown = [...ids.keys()].filter((index) => ids[index] === undefined);
  if (unknown.length > 0)
    throw fieldErrors(unknown.map((index) => ({ path: [index], message: 'is no category of this wallet' })));
  return ids.filter((id) => id !== undefined);
}

/** Of some ids, those of categories that exist, each once. */
export const existingIds = ({ categories }: CategoryList, ids: readonly string[]): string[] =>
  categories.map(({ id }) => id).filter((id) => ids.includes(id));

/** The names of those categories that exist, in the order in which they were added. */
export const categoryNames = ({ categories }: CategoryList, ids: readonly string[] = []): string[] =>
  categories.filter(({ id }) => ids.includes(id)).map(({ name }) => name);

function find(categories: CategoryList['categories'], name: string): { id: string; name: string } {
  const found = categories.find((category) => category.name === name);
  if (!found) throw new DomainError('NotFound', 'This wallet has no such category');
  return found;
}

function requireFree(categories: CategoryList['categories'], name: string): void {
  if (categories.some((category) => category.name === name))
    throw new DomainError('Conflict', 'This wallet has a category of this name');
}
