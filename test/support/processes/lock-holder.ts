/** Runs as a process: locks a SQLite file until its standard input ends. Arguments: file, locking mode. */
import { openSqlite } from '../../../adapters/sqlite/driver.ts';

const [file = '', mode = 'NORMAL'] = process.argv.slice(2);
const database = openSqlite(file);
database.pragma('journal_mode = WAL');
database.pragma(`locking_mode = ${mode}`);
database.exec('BEGIN EXCLUSIVE');
process.stdout.write('locked\n');
process.stdin.resume().once('end', () => {
  database.exec('COMMIT');
  database.close();
});
