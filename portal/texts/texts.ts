import { signal } from '@preact/signals';
import { shell } from './en/shell.ts';

/** The texts in parts, of which a page loads what it shows. */
interface Sections {
  shell: typeof shell;
  sessions: typeof import('./en/sessions.ts').sessions;
  wallet: typeof import('./en/wallet.ts').wallet;
  account: typeof import('./en/account.ts').account;
  office: typeof import('./en/office.ts').office;
  types: typeof import('./en/types.ts').types;
  forms: typeof import('./en/forms.ts').forms;
  queries: typeof import('./en/queries.ts').queries;
  checks: typeof import('./en/checks.ts').checks;
  admin: typeof import('./en/admin.ts').admin;
  people: typeof import('./en/people.ts').people;
  issued: typeof import('./en/issued.ts').issued;
  issuing: typeof import('./en/issuing.ts').issuing;
  status: typeof import('./en/status.ts').status;
}

export type SectionName = keyof Sections;

/** What a language says: all sections together. */
type Texts = Sections['shell'] &
  Sections['sessions'] &
  Sections['wallet'] &
  Sections['account'] &
  Sections['office'] &
  Sections['types'] &
  Sections['forms'] &
  Sections['queries'] &
  Sections['checks'] &
  Sections['admin'] &
  Sections['people'] &
  Sections['issued'] &
  Sections['issuing'] &
  Sections['status'];

/** The sections of a language, each read when it is first shown; a language without one of their texts does not compile. */
type Language = { [Name in SectionName]: () => Promise<Sections[Name]> };

const en: Language = {
  shell: async () => shell,
  sessions: async () => (await import('./en/sessions.ts')).sessions,
  wallet: async () => (await import('./en/wallet.ts')).wallet,
  account: async () => (await import('./en/account.ts')).account,
  office: async () => (await import('./en/office.ts')).office,
  types: async () => (await import('./en/types.ts')).types,
  forms: async () => (await import('./en/forms.ts')).forms,
  queries: async () => (await import('./en/queries.ts')).queries,
  checks: async () => (await import('./en/checks.ts')).checks,
  admin: async () => (await import('./en/admin.ts')).admin,
  people: async () => (await import('./en/people.ts')).people,
  issued: async () => (await import('./en/issued.ts')).issued,
  issuing: async () => (await import('./en/issuing.ts')).issuing,
  status: async () => (await import('./en/status.ts')).status,
};

const de: Language = {
  shell: async () => (await import('./de/shell.ts')).shell,
  sessions: async () => (await import('./de/sessions.ts')).sessions,
  wallet: async () => (await import('./de/wallet.ts')).wallet,
  account: async () => (await import('./de/account.ts')).account,
  office: async () => (await import('./de/office.ts')).office,
  types: async () => (await import('./de/types.ts')).types,
  forms: async () => (await import('./de/forms.ts')).forms,
  queries: async () => (await import('./de/queries.ts')).queries,
  checks: async () => (await import('./de/checks.ts')).checks,
  admin: async () => (await import('./de/admin.ts')).admin,
  people: async () => (await import('./de/people.ts')).people,
  issued: async () => (await import('./de/issued.ts')).issued,
  issuing: async () => (await import('./de/issuing.ts')).issuing,
  status: async () => (await import('./de/status.ts')).status,
};

/** English, marked: for who looks for words that are not translated. No choice offers it. */
const pseudo: Language = {
  shell: async () => marked(await en.shell()),
  sessions: async () => marked(await en.sessions()),
  wallet: async () => marked(await en.wallet()),
  account: async () => marked(await en.account()),
  office: async () => marked(await en.office()),
  types: async () => marked(await en.types()),
  forms: async () => marked(await en.forms()),
  queries: async () => marked(await en.queries()),
  checks: async () => marked(await en.checks()),
  admin: async () => marked(await en.admin()),
  people: async () => marked(await en.people()),
  issued: async () => marked(await en.issued()),
  issuing: async () => marked(await en.issuing()),
  status: async () => marked(await en.status()),
};

const marked = async <T>(texts: T): Promise<T> => (await import('./pseudo.ts')).marked(texts);

/** By language tag (RFC 5646), for dates and numbers too. */
const LANGUAGES = { en, de, 'en-XA': pseudo };

type LanguageTag = keyof typeof LANGUAGES;

/** The languages that readers choose from, by their own names. */
export const CHOICES = { en: 'English', de: 'Deutsch' } as const satisfies Partial<Record<LanguageTag, string>>;

const isLanguage = (tag: string | null): tag is LanguageTag => tag !== null && Object.hasOwn(LANGUAGES, tag);

/** The language of the page, and those of its sections that were loaded. */
const shown = signal<{ tag: LanguageTag; texts: Partial<Texts> }>({ tag: 'en', texts: shell });

/** What is shown needs these, in any language. */
const needed = new Set<SectionName>(['shell']);

/**
 * The texts of the reader's language, of which a page has the sections that its route names; what reads them while it renders is
 * rendered again when the language changes.
 */
export const texts = (): Texts => shown.value.texts as Texts;

export const languageTag = (): LanguageTag => shown.value.tag;

/** Loads a section for a page that is about to be shown. */
export async function need(name: SectionName): Promise<void> {
  needed.add(name);
  const { tag } = shown.value;
  const section = await LANGUAGES[tag][name]();
  // Another language may have come meanwhile, with all that is needed.
  if (shown.value.tag === tag) shown.value = { tag, texts: { ...shown.value.texts, ...section } };
}

/** The name under which the browser keeps the choice, which is all that it keeps besides the colours. */
const KEPT = 'language';

/** Shows the pages in the language that the reader chose before, else in one of the browser, else in the operator's. */
export function showFirstLanguage(operators: LanguageTag): Promise<void> {
  const kept = localStorage.getItem(KEPT);
  const ofBrowser = navigator.languages.map((tag) => tag.split('-')[0] ?? '').find(isLanguage);
  return show(isLanguage(kept) ? kept : (ofBrowser ?? operators));
}

/** Shows the pages in a language from now on. */
export function chooseLanguage(tag: string): Promise<void> {
  if (!isLanguage(tag)) return Promise.resolve();
  localStorage.setItem(KEPT, tag);
  // Texts that are gone are those of an older version of these pages.
  return show(tag).catch(() => location.reload());
}

async function show(tag: LanguageTag): Promise<void> {
  const sections = await Promise.all([...needed].map((name) => LANGUAGES[tag][name]()));
  shown.value = { tag, texts: Object.assign({}, ...sections) };
  document.documentElement.lang = tag;
}

/** The language as it is written in the region of the reader's browser, which decides on hours and orders of dates. */
const localeOf = (tag: string): Intl.Locale =>
  new Intl.Locale(navigator.languages.find((one) => one.split('-')[0] === tag) ?? tag, {
    region: new Intl.Locale(navigator.language).region,
  });

const format = (options: Intl.DateTimeFormatOptions, at: string | number): string =>
  new Intl.DateTimeFormat(localeOf(shown.value.tag), options).format(new Date(at));

export const timeOfDay = (at: string | number): string => format({ timeStyle: 'medium' }, at);

/** A day of the calendar is the same one everywhere; an instant has the day of the reader's place. */
export const day = (at: string | number): string =>
  format({ dateStyle: 'long', ...(isCalendarDay(at) && { timeZone: 'UTC' }) }, at);

/** Whether a value is a day that exists (RFC 3339 full-date). */
export const isCalendarDay = (value: unknown): value is string =>
  /^\d{4}-\d{2}-\d{2}$/.test(String(value)) && !Number.isNaN(Date.parse(String(value)));

export const moment = (at: string | number): string => format({ dateStyle: 'medium', timeStyle: 'short' }, at);

/** The entry of a list with languages that suits the reader: the own language, else English, else the first. */
export function inLanguage<T extends { locale?: string }>(entries: readonly T[]): T | undefined {
  const ofTag = (tag: string): T | undefined =>
    entries.find(({ locale = '' }) => locale.toLowerCase().split('-')[0] === tag.split('-')[0]);
  return ofTag(shown.value.tag) ?? ofTag('en') ?? entries[0];
}
