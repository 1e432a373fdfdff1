import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../../domain/foundation/json.ts';
import { ALWAYS_SERVED, FEATURES } from './choices.ts';
import { HoconError, reasonOf } from './errors.ts';
import { MAX_HOCON_BYTES, parseHocon } from './hocon.ts';
import { type Fate, REFERENCE_FEATURES, REFERENCE_FILES, type ReferenceFile, type Verdict } from './reference-files.ts';
import { FileSchemas } from './schemas.ts';
import type { Environment } from './variables.ts';

/** What becomes of one thing in a configuration of the reference implementation; never a value of it. */
interface ReferenceLine {
  file: string;
  /** The member, feature or variable; '' for the whole file. */
  name: string;
  verdict: Verdict;
  text: string;
}

/** What becomes of a folder. */
export interface ReferenceReport {
  folder: string;
  lines: ReferenceLine[];
  /** Whether every file could be read. */
  isWhole: boolean;
}

const MAX_FILES = 100;
const MAX_NAMES = 200;
const MAX_VARIABLES = 50;
const MAX_TEXT = 300;

const AS_IT_IS: Fate = ['understood', 'works as it is'];
const UNKNOWN: Fate = ['missing', 'is not known here'];

/** Names of more than letters may be secrets that stand in the wrong place. */
const SHOWN_NAME = /^[A-Za-z][A-Za-z_.-]{0,63}$/;

/**
 * Reads the configuration folder of the reference implementation, and says of each member what becomes of it here.
 * @throws Error for a folder that cannot be read
 */
export async function readReferenceFolder(folder: string, environment: Environment): Promise<ReferenceReport> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new Error(`The folder ${folder} cannot be read (${reasonOf(error)})`, { cause: error });
  });
  const files = names.filter((name) => name.endsWith('.conf')).sort();
  const read = await Promise.all(
    files.slice(0, MAX_FILES).map((file) => readOne(join(folder, file), file, environment)),
  );
  const lines = read.flatMap((one) => one.lines);
  if (files.length > MAX_FILES) lines.push(lineOf('', '', ['ignored', `only the first ${MAX_FILES} files are read`]));
  if (files.length === 0) lines.push(lineOf('', '', ['missing', 'there is no file whose name ends with .conf']));
  return { folder, lines, isWhole: read.every(({ isRead }) => isRead) && files.length > 0 };
}

const lineOf = (file: string, name: string, [verdict, text]: Fate): ReferenceLine => ({
  file,
  name,
  verdict,
  text: text.slice(0, MAX_TEXT),
});

async function readOne(path: string, file: string, environment: Environment) {
  const known = Object.entries(REFERENCE_FILES).find(([name]) => `${name}.conf` === file)?.[1];
  if (!known) return { isRead: true, lines: [lineOf(file, '', ['ignored', 'is no file that is known here'])] };
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new HoconError('is not a file');
    if (found.size > MAX_HOCON_BYTES) throw new HoconError('is larger than 1 MiB');
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
    const { content, unset } = await parseLeniently(text, environment);
    const variables = unset.map((name) => lineOf(file, `\${${name}}`, ['missing', 'the variable is not set here']));
    return {
      isRead: true,
      lines: [...variables, ...linesOf(file, known, { content, isComplete: unset.length === 0 })],
    };
  } catch (error) {
    const reason = error instanceof HoconError ? error.message : `cannot be read (${reasonOf(error)})`;
    return { isRead: false, lines: [lineOf(file, '', ['missing', reason])] };
  }
}

const UNSET = /the environment variable ([A-Za-z0-9_]{1,64}) is not set$/;

/** The content, with any text in the place of variables that are not set. @throws HoconError */
async function parseLeniently(text: string, environment: Environment) {
  const unset: string[] = [];
  for (;;)
    try {
      const content = await parseHocon(text, {
        ...environment,
        ...Object.fromEntries(unset.map((name) => [name, 'x'])),
      });
      return { content, unset };
    } catch (error) {
      const name = error instanceof HoconError ? UNSET.exec(error.message)?.[1] : undefined;
      if (name === undefined || unset.includes(name) || unset.length === MAX_VARIABLES) throw error;
      unset.push(name);
    }
}

interface Parsed {
  content: JsonObject;
  /** Whether every variable has its value. */
  isComplete: boolean;
}

function linesOf(file: string, known: ReferenceFile, { content, isComplete }: Parsed): ReferenceLine[] {
  if (known.same === '_features') return featureLines(file, content);
  const names = Object.keys(content);
  const checked = checkedBySchema(known, content);
  const lines = names.slice(0, MAX_NAMES).flatMap((name) => {
    const fate = ownFate(known, name);
    if (fate) return [lineOf(file, Object.hasOwn(known.members, name) ? name : shown(name, names), fate)];
    const problems = checked?.problemsOf(name) ?? [];
    if (!checked?.isKnown(name)) return [lineOf(file, shown(name, names), UNKNOWN)];
    if (problems.length === 0 || !isComplete) return [lineOf(file, name, AS_IT_IS)];
    return problems.map(({ field, message }) => lineOf(file, shownField(field), ['missing', message]));
  });
  if (names.length > MAX_NAMES)
    lines.push(lineOf(file, '', ['ignored', `only the first ${MAX_NAMES} members are read`]));
  return lines;
}

const ownFate = ({ members, all }: ReferenceFile, name: string): Fate | undefined =>
  Object.hasOwn(members, name) ? members[name] : all;

const shown = (name: string, names: readonly string[]): string =>
  SHOWN_NAME.test(name) ? name : `member ${names.indexOf(name) + 1}`;

/** A field, with a name in it that may be a secret left out. */
const shownField = (field: string): string =>
  field
    .split('.')
    .map((part, place) => (place === 0 || SHOWN_NAME.test(part.replaceAll(/\[\d+\]/g, '')) ? part : '…'))
    .join('.');

/** What our schema says of the members that are ours. */
function checkedBySchema({ same, members }: ReferenceFile, content: JsonObject) {
  if (same === undefined) return undefined;
  const schemas = new FileSchemas();
  const known = schemas.members(same);
  const ours = Object.fromEntries(
    Object.entries(content).filter(([name]) => known.includes(name) && !Object.hasOwn(members, name)),
  );
  const checked = schemas.check(same, ours);
  const problems = 'problems' in checked ? checked.problems : [];
  return {
    isKnown: (name: string) => known.includes(name),
    problemsOf: (name: string) =>
      problems.filter(({ field }) => field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`)),
  };
}

function featureLines(file: string, content: JsonObject): ReferenceLine[] {
  return ['enabledFeatures', 'disabledFeatures'].flatMap((member) => {
    const { [member]: listed = [] } = content;
    if (!Array.isArray(listed)) return [lineOf(file, member, ['missing', 'must be a list'])];
    const names = listed.map(String);
    const fateOf = member === 'enabledFeatures' ? enabledFate : disabledFate;
    return names.slice(0, MAX_NAMES).map((name) => {
      const fate = fateOf(name);
      return lineOf(file, fate === UNKNOWN ? shown(name, names) : name, fate);
    });
  });
}

function enabledFate(name: string): Fate {
  if (Object.hasOwn(FEATURES, name)) return AS_IT_IS;
  if (ALWAYS_SERVED.has(name)) return ['understood', 'is always on'];
  return Object.hasOwn(REFERENCE_FEATURES, name) ? (REFERENCE_FEATURES[name] ?? UNKNOWN) : UNKNOWN;
}

function disabledFate(name: string): Fate {
  if (Object.hasOwn(FEATURES, name)) return AS_IT_IS;
  if (ALWAYS_SERVED.has(name)) return ['missing', 'is always on'];
  return Object.hasOwn(REFERENCE_FEATURES, name) ? ['ignored', 'is not here'] : UNKNOWN;
}
