import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { VERSION } from '../../../composition/root.ts';
import { DATA_VERSION } from '../../../domain/migration/data-version.ts';
import type { Members } from './form-notes.ts';

/** A form in which values of a collection are stored. */
interface StoredForm {
  /** The program that wrote it first. */
  since: string;
  /** The version of the data that a program must read for it. */
  data: number;
  members: Members;
}

const FILE = 'test/support/releases/stored-forms.json';

/** The forms of each collection, the oldest first. */
export const storedForms = (): Record<string, StoredForm[]> => JSON.parse(readFileSync(FILE, 'utf8'));

/**
 * Compares what was written with the last form of each collection, or with STORED_FORMS=write adds it to the table: to the
 * row of this version, or to a new one.
 */
export function checkForms(written: Record<string, Members>): void {
  if (process.env.STORED_FORMS === 'write') writeForms(written);
  const table = storedForms();
  const unknown = Object.entries(written).flatMap(([name, members]) => {
    const known = table[name]?.at(-1)?.members;
    if (!known) return [name];
    return Object.keys(members)
      .filter((path) => !isWithin(members[path], known[path]))
      .map((path) => `${name} ${path}`);
  });
  expect(unknown, 'Stored in another form: see "A change of a stored form" in CONTRIBUTING.md').to.deep.equal([]);
}

const typesIn = (types = ''): string[] => types.split(' ').filter(Boolean);

/** Whether all types of a member are among others. */
export const isWithin = (types: string | undefined, others: string | undefined): boolean =>
  typesIn(types).every((type) => typesIn(others).includes(type));

function writeForms(written: Record<string, Members>): void {
  const table = storedForms();
  for (const [name, members] of Object.entries(written)) {
    const rows = table[name] ?? [];
    const { members: known = {}, since } = rows.at(-1) ?? {};
    const all = { ...known, ...members };
    for (const path of Object.keys(all))
      all[path] = [...new Set([...typesIn(known[path]), ...typesIn(members[path])])].toSorted().join(' ');
    if (rows.length > 0 && Object.keys(all).every((path) => isWithin(all[path], known[path]))) continue;
    const row = { since: VERSION, data: DATA_VERSION, members: ordered(all) };
    table[name] = since === VERSION ? [...rows.slice(0, -1), row] : [...rows, row];
  }
  writeFileSync(FILE, `${JSON.stringify(ordered(table), undefined, 2)}\n`);
}

const ordered = <T>(object: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)));
