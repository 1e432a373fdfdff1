import { signal } from '@preact/signals';
import { en } from './en.ts';

/** What a language says; one without a text does not compile. */
type Texts = typeof en;

interface Language {
  /** A language tag (RFC 5646), for dates and numbers too. */
  tag: 'en';
  texts: Texts;
}

const language = signal<Language>({ tag: 'en', texts: en });

/** The texts of the reader's language; what reads them while it renders is rendered again when the language changes. */
export const texts = (): Texts => language.value.texts;

/** The texts of an area in each language; they come with the script of the area. */
export const ofLanguage =
  <T>(languages: { en: T }) =>
  (): T =>
    languages[language.value.tag];

/** The language as the reader's browser has it, with its region: en-GB has 24 hours a day. */
const localeOf = (tag: string): string => navigator.languages.find((one) => one.split('-')[0] === tag) ?? tag;

const format = (options: Intl.DateTimeFormatOptions, at: string | number): string =>
  new Intl.DateTimeFormat(localeOf(language.value.tag), options).format(new Date(at));

export const timeOfDay = (at: string | number): string => format({ timeStyle: 'medium' }, at);

export const day = (at: string | number): string => format({ dateStyle: 'long' }, at);

/** The entry of a list with languages that suits the reader: the own language, else English, else the first. */
export function inLanguage<T extends { locale?: string }>(entries: readonly T[]): T | undefined {
  const ofTag = (tag: string): T | undefined =>
    entries.find(({ locale = '' }) => locale.toLowerCase().split('-')[0] === tag.split('-')[0]);
  return ofTag(language.value.tag) ?? ofTag('en') ?? entries[0];
}
