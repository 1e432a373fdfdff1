import { readFileSync, statSync } from 'node:fs';
import { reasonOf } from './errors.ts';

/** The variables of the process, and the options of its command. */
export type Environment = Record<string, string | undefined>;

/** A setting outside of files, and the name that the operator wrote it under. */
interface Written {
  name: string;
  text: string;
}

/** The largest file with a secret, in bytes. */
const MAX_SECRET_BYTES = 65_536;

/** How `PORT` may be written, the first choice first: as option of the command, with the prefix, and alone. */
const spellingsOf = (name: string): string[] => [`--${name.toLowerCase()}`, `CREDENZA_${name}`, name];

/** The setting of this name; undefined when it is not written, or empty. */
export function writtenIn(environment: Environment, name: string): Written | undefined {
  const spellings = spellingsOf(name).map((spelling) => ({
    name: spelling,
    text: environment[spelling]?.trim() ?? '',
  }));
  return spellings.find(({ text }) => text !== '');
}

/** The same for a secret, which may stand in the file that `<name>_FILE` names. @throws SecretFileError */
export function secretIn(environment: Environment, name: string): Written | undefined {
  const [found] = spellingsOf(name).flatMap((spelling) => {
    const text = environment[spelling]?.trim() ?? '';
    const file = secretFileOf(environment, spelling);
    if (text !== '' && file !== undefined) throw new SecretFileError(file.name, `must not be set beside ${spelling}`);
    if (file !== undefined) return [{ name: file.name, text: readSecret(file) }];
    return text === '' ? [] : [{ name: spelling, text }];
  });
  return found;
}

/** What a `${NAME}` of a file stands for: the variable, else the content of the file that `NAME_FILE` names. @throws SecretFileError */
export function referenced(environment: Environment, name: string): string | undefined {
  const file = environment[name] === undefined ? secretFileOf(environment, name) : undefined;
  return file === undefined ? environment[name] : readSecret(file);
}

/** A file with a secret that cannot be used. */
export class SecretFileError extends Error {
  /** The variable that names it. */
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.name = 'SecretFileError';
    this.field = field;
  }
}

interface SecretFile {
  /** The variable that names it. */
  name: string;
  path: string;
}

function secretFileOf(environment: Environment, variable: string): SecretFile | undefined {
  const name = `${variable}_FILE`;
  const path = environment[name]?.trim();
  return path ? { name, path } : undefined;
}

function readSecret({ name, path }: SecretFile): string {
  try {
    if (statSync(path).size <= MAX_SECRET_BYTES) return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new SecretFileError(name, `names a file that cannot be read (${reasonOf(error)})`);
  }
  throw new SecretFileError(name, 'names a file of more than 64 KiB');
}
