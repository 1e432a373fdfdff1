import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

/** Read and write for the owner alone. */
const OWN = 0o600;
/** The files beside a database; SQLite gives a new one the mode of the database. */
const BESIDE = ['', '-wal', '-shm', '-journal'];

/**
 * Sees to it that only the owner reads a database and the files beside it, before SQLite opens them; a new database is
 * created so. Files of another owner stay as they are. @throws the error of the file system
 */
export function keepPrivate(file: string, { fileMustExist = false }: { fileMustExist?: boolean } = {}): void {
  if (!fileMustExist) closeSync(openSync(file, 'a', OWN));
  for (const path of BESIDE.map((ending) => `${file}${ending}`)) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isFile() && found.uid === process.geteuid?.() && (found.mode & 0o077) !== 0) chmodSync(path, OWN);
  }
}
