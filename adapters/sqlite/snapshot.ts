import { attempt, openDatabase } from './sqlite-store.ts';

/**
 * Writes what a SQLite file holds at one moment into a file that does not exist, while servers read and write: without
 * free pages, so nothing that was deleted is in it. @throws DomainError `StoreUnavailable`
 */
export function snapshotOf(file: string, to: string): void {
  const database = attempt(() => openDatabase(file, { fileMustExist: true }), file);
  try {
    attempt(() => database.prepare('VACUUM INTO ?').run(to), file);
  } finally {
    database.close();
  }
}

/** What is wrong with the pages and indexes of a SQLite file; undefined when it is whole. */
export function damageOf(file: string): string | undefined {
  try {
    const database = openDatabase(file, { fileMustExist: true });
    try {
      const found = database.pragma('integrity_check(1)', { simple: true });
      return found === 'ok' ? undefined : String(found);
    } finally {
      database.close();
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
