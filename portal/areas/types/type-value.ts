import { type Path, valueAt, withValue } from '../../forms/pointers.ts';
import { shortNameOf } from '../../parts/cards/short-name.ts';
import type { Claims } from './claim-list.ts';

/** A type while it is edited: any JSON, of which the form shows what it knows. */
export interface Editing {
  value: unknown;
  /** The version that is changed; what it has in credentials stays. */
  before?: unknown;
  change(path: Path, part: unknown): void;
}

/** A text in one language. */
interface LocalText {
  locale: string;
  name: string;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const listAt = (value: unknown, path: Path): unknown[] => {
  const list = valueAt(value, path);
  return Array.isArray(list) ? list : [];
};

export const textAt = (value: unknown, path: Path): string => {
  const text = valueAt(value, path);
  return typeof text === 'string' ? text : '';
};

/** The texts of a list with languages. */
export const textsAt = (value: unknown, path: Path): LocalText[] =>
  listAt(value, path).filter((one): one is LocalText => isRecord(one) && typeof one.locale === 'string');

/** The claims of a type that can be shown as such. */
export const claimsOf = (value: unknown): Claims =>
  (listAt(value, ['claims']) as Claims).filter((one) => isRecord(one) && Array.isArray(one.path));

/** The version that a change replaces. */
export const versionIn = (value: unknown): number => Number(valueAt(value, ['version']));

export const formatsOf = (value: unknown): string[] => listAt(value, ['formats']).map(String);

/** The languages of a type: those of its name. */
export const languagesOf = (value: unknown): string[] => textsAt(value, ['display']).map(({ locale }) => locale);

/** The place of a text in a list with languages, which is the end of the list for a language without one. */
export function placeOf(texts: readonly LocalText[], locale: string): number {
  const found = texts.findIndex((one) => one.locale === locale);
  return found < 0 ? texts.length : found;
}

/** A list with languages, with another text in one of them; an empty one is left out. */
export function withText(texts: readonly LocalText[], locale: string, name: string): LocalText[] | undefined {
  const others = texts.filter((one) => one.locale !== locale);
  const changed = name === '' ? others : texts.toSpliced(placeOf(texts, locale), 1, { locale, name });
  return changed.length === 0 ? undefined : changed;
}

/** A type without one of its languages. */
export function withoutLanguage(value: unknown, locale: string): unknown {
  const paths: Path[] = [['display'], ...claimsOf(value).map((_, index) => ['claims', index, 'label'])];
  return paths.reduce((type, path) => {
    const texts = textsAt(type, path);
    return texts.some((one) => one.locale === locale) ? withValue(type, path, withText(texts, locale, '')) : type;
  }, value);
}

/** The short name of a type: what was typed, else made of its name. */
export const idOf = (value: unknown): string => {
  const typed = valueAt(value, ['id']);
  return typeof typed === 'string' ? typed : shortNameOf(textsAt(value, ['display'])[0]?.name ?? '');
};

/** What a new type begins with. */
export const newType = (locale: string): unknown => ({
  display: [{ locale, name: '' }],
  claims: [{ path: [''], type: 'text', mandatory: true }],
  formats: ['dc+sd-jwt'],
  revocable: true,
});
