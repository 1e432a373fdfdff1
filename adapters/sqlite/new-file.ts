import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, rmSync } from 'node:fs';
import { DATA_STATES } from '../../domain/migration/data-version.ts';
import type { SqliteDatabase } from './driver.ts';
import { makeTable } from './tables.ts';

/**
 * Makes a file that does not exist, with a first table, under another name and links it to its own: no process ever finds
 * an empty one, so an empty file is one that was emptied. @throws the error of the file system or the database
 */
export function makeWhole(file: string, open: (file: string) => SqliteDatabase): void {
  if (existsSync(file)) return;
  const temporary = `${file}.${randomUUID()}`;
  try {
    const database = open(temporary);
    makeTable(database, DATA_STATES.name, DATA_STATES.listed);
    database.close();
    link(temporary, file);
  } finally {
    for (const ending of ['', '-wal', '-shm']) rmSync(`${temporary}${ending}`, { force: true });
  }
}

/** A file that another process made meanwhile stays. */
function link(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
