import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';

const KEY_BYTES = 32;

/**
 * The ring of master keys, the current one first, each 32 bytes as hex or base64: those of the environment, or else the
 * lines of a file of mode 0600 in the data directory, which the first start writes with one key. When several processes
 * start first at once, exactly one writes it and all use that key.
 * @throws Error that names the file and says what to do
 */
export async function loadMasterKeys(
  dataDir: string,
  fromEnvironment: readonly string[] | undefined,
): Promise<Buffer[]> {
  const known = await readMasterKeys(dataDir, fromEnvironment);
  if (known) return known;
  const file = keyFileIn(dataDir);
  const text = await naming(file, async () => {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    return createKeyFile(dataDir, file);
  });
  return keysIn(text, file);
}

/** The same ring where there is one; undefined where a start would write a key. @throws Error as `loadMasterKeys` */
export async function readMasterKeys(
  dataDir: string,
  fromEnvironment: readonly string[] | undefined,
): Promise<Buffer[] | undefined> {
  if (fromEnvironment !== undefined) return fromEnvironment.map((text) => decodeMasterKey(text, 'the environment'));
  const file = keyFileIn(dataDir);
  const text = await naming(file, () => readIfThere(file));
  return text === undefined ? undefined : keysIn(text, file);
}

/** The file of the master keys in a data directory. */
export const keyFileIn = (dataDir: string): string => join(dataDir, 'master.key');

/** @throws Error that names the file when the system refuses the work on it */
const naming = <R>(file: string, work: () => Promise<R>): Promise<R> =>
  work().catch((cause: Error) => {
    throw new Error(`The master key file ${file} cannot be used: ${cause.message}`, { cause });
  });

function keysIn(text: string, file: string): Buffer[] {
  const lines = linesOf(text);
  if (lines.length > 0) return lines.map((line) => decodeMasterKey(line, file));
  throw new Error(
    `The master key file ${file} is empty. Put the key back from your backup; ` +
      'only if the store holds no data yet, delete the file and start again',
  );
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/**
 * Writes a new key under a temporary name and links it to the final name once it is on disk: no process reads a partial
 * file, and a link never replaces the key of another process.
 */
async function createKeyFile(dataDir: string, file: string): Promise<string> {
  const temporary = `${file}.${randomUUID()}`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(`${randomBytes(KEY_BYTES).toString('hex')}\n`);
    await handle.sync();
    await link(temporary, file).catch(unless('EEXIST'));
  } finally {
    await handle.close();
    await unlink(temporary);
  }
  await syncDirectory(dataDir);
  return readFile(file, 'utf8');
}

/** Makes the new directory entry durable; Windows has no such call. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  await handle.sync().finally(() => handle.close());
}

const readIfThere = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(unless('ENOENT'));

const unless =
  (code: string) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== code) throw error;
  };

/** @throws Error that names `source` when the text is not 32 bytes as hex or base64 */
function decodeMasterKey(text: string, source: string): Buffer {
  const key = /^[0-9a-fA-F]{64}$/.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (key.length !== KEY_BYTES)
    throw new Error(`The master key in ${source} must be 32 bytes, as 64 hex digits or as base64`);
  return key;
}
