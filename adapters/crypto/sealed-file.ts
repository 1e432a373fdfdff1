import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm, stat, writeFile } from 'node:fs/promises';
import { isObject, isText } from '../../domain/foundation/json.ts';
import { parseJson } from '../../domain/foundation/strict-json.ts';
import { masterKeyId } from './sealing.ts';

/** What the first line of a backup says in the clear. */
export interface BackupFacts {
  /** When it was made, RFC 3339. */
  createdAt: string;
  /** The version of the program that made it. */
  program: string;
  /** The store that it was made of, without its login. */
  store: string;
  /** The id of the master key that it is sealed under. */
  keyId: string;
  /** Of the content, in bytes. */
  size: number;
}

interface Header extends BackupFacts {
  format: typeof FORMAT;
  version: number;
  /** Base64url. */
  salt: string;
}

const FORMAT = 'credenza-backup';
/** Of this form of the file. */
const VERSION = 1;
const SALT_BYTES = 32;
const KEY_BYTES = 32;
const TAG_BYTES = 16;
const SUM_BYTES = 32;
/** The first line is shorter. */
const HEADER_BYTES = 4096;
/** What AES-GCM encrypts under one key and nonce (NIST SP 800-38D §5.2.1.1), in bytes. */
const MOST_BYTES = 2 ** 36 - 32;
/** A key is derived for one file alone, so it needs no nonce of its own. */
const NONCE = Buffer.alloc(12);

/**
 * Seals a file under the first of the master keys: a line of JSON that says what it is, the content under AES-256-GCM, which
 * covers that line too, its tag, and the SHA-256 of all before, which needs no key to be checked.
 * @throws Error when `to` exists, or the content is over 64 GiB
 */
export async function sealFile(from: string, to: string, about: SealingFacts): Promise<BackupFacts> {
  const { keys, ...facts } = about;
  const [key] = keys;
  if (!key) throw new Error('A ring of master keys has at least one');
  const { size } = await stat(from);
  if (size > MOST_BYTES) throw new Error(`The content of a backup has at most 64 GiB; this one has ${size} bytes`);
  const salt = randomBytes(SALT_BYTES);
  const shown = { ...facts, keyId: masterKeyId(key), size };
  const header: Header = { format: FORMAT, version: VERSION, ...shown, salt: salt.toString('base64url') };
  const line = Buffer.from(`${JSON.stringify(header)}\n`);
  const cipher = createCipheriv('aes-256-gcm', fileKey(key, salt), NONCE).setAAD(line);
  const parts = async function* (): AsyncGenerator<Buffer> {
    yield line;
    for await (const chunk of createReadStream(from)) yield cipher.update(chunk);
    yield cipher.final();
    yield cipher.getAuthTag();
  };
  await writeWhole(to, summed(parts()));
  return shown;
}

/** What `sealFile` is given beside the files. */
interface SealingFacts extends Pick<BackupFacts, 'createdAt' | 'program' | 'store'> {
  /** The first seals. */
  keys: readonly Buffer[];
}

/**
 * Writes the content of a backup to a file that does not exist, after its checksum was compared; nothing stays of a content
 * that was altered. @throws Error that says what is wrong with the backup
 */
export async function unsealFile(from: string, to: string, keys: readonly Buffer[]): Promise<BackupFacts> {
  const { facts, line, salt } = await readWhole(from);
  const key = keys.find((one) => masterKeyId(one) === facts.keyId);
  if (!key) {
    const ring = keys.map(masterKeyId).join(', ');
    throw new Error(`The backup was sealed under the master key ${facts.keyId}, and the ring has ${ring || 'no key'}`);
  }
  const end = line.length + facts.size;
  const decipher = createDecipheriv('aes-256-gcm', fileKey(key, salt), NONCE).setAAD(line);
  decipher.setAuthTag(await readPart(from, end, TAG_BYTES));
  const parts = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(from, { start: line.length, end: end - 1 }))
      yield decipher.update(chunk);
    yield decipher.final();
  };
  await writeWhole(to, parts()).catch(async (cause) => {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') throw cause;
    await rm(to, { force: true });
    throw new Error('The backup was altered, or made under another master key', { cause });
  });
  return facts;
}

async function readWhole(file: string): Promise<{ facts: BackupFacts; line: Buffer; salt: Buffer }> {
  const start = await readPart(file, 0, HEADER_BYTES);
  const line = start.subarray(0, start.indexOf('\n') + 1);
  const { salt, format: _, version: __, ...facts } = readHeader(line);
  const { size } = await stat(file);
  const whole = line.length + facts.size + TAG_BYTES + SUM_BYTES;
  if (size !== whole) throw new Error(`The backup is not whole: it has ${size} of ${whole} bytes`);
  const sum = createHash('sha256');
  for await (const chunk of createReadStream(file, { end: size - SUM_BYTES - 1 })) sum.update(chunk);
  if (!sum.digest().equals(await readPart(file, size - SUM_BYTES, SUM_BYTES)))
    throw new Error('The backup was altered: its checksum is another');
  return { facts, line, salt: Buffer.from(salt, 'base64url') };
}

function readHeader(line: Buffer): Header {
  const value = parsed(line.toString());
  if (!isObject(value) || value.format !== FORMAT) throw new Error('The file is no backup of Credenza');
  if (value.version !== VERSION)
    throw new Error(`The backup has form ${value.version}, and this version of Credenza reads form ${VERSION}`);
  const { createdAt, program, store, keyId, size, salt } = value;
  const texts = { createdAt, program, store, keyId, salt };
  if (!Object.values(texts).every(isText) || !Number.isSafeInteger(size) || Number(size) < 1)
    throw new Error('The backup was altered: its first line is not complete');
  return value as unknown as Header;
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

const fileKey = (masterKey: Buffer, salt: Uint8Array): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, salt, 'credenza backup', KEY_BYTES));

async function* summed(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const sum = createHash('sha256');
  for await (const part of parts) {
    sum.update(part);
    yield part;
  }
  yield sum.digest();
}

/** Writes a new file for its owner alone; it is on the disk when this resolves. */
async function writeWhole(file: string, parts: AsyncIterable<Buffer>): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await writeFile(handle, parts);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function readPart(file: string, position: number, length: number): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
