import { Context } from '@pushcorn/hocon-parser/lib/core/Context.js';
import { Tokenizer } from '@pushcorn/hocon-parser/lib/core/Tokenizer.js';
import { isObject, type JsonObject } from '../../domain/foundation/json.ts';
import { HoconError } from './errors.ts';
import { guardHocon } from './hocon-guard.ts';
import { type Environment, referenced, SecretFileError } from './variables.ts';

/** The largest configuration file, in bytes. */
export const MAX_HOCON_BYTES = 1024 * 1024;

/** Longer strings cost the parser time that grows with the square of their length. */
const LONG_STRING = /"(?:[^"\\\r\n]|\\.){16001}/;

/**
 * Parses HOCON, of which JSON is a subset. `${NAME}` must be in `environment`, `${?NAME}` may be. Nothing else is looked
 * up, included, fetched or executed. @throws HoconError
 */
export async function parseHocon(text: string, environment: Environment): Promise<JsonObject> {
  if (Buffer.byteLength(text) > MAX_HOCON_BYTES) throw new HoconError('is larger than 1 MiB');
  const long = LONG_STRING.exec(text);
  if (long) throw new HoconError('a string is longer than 16,000 characters', lineOf(text, long.index));
  const value = await translated(() => {
    guardHocon(new Tokenizer().tokenize(text));
    // The parser's main function loads plugins from package.json; its Context does not.
    return new Context({ text, env: false, scope: variables(text, environment), builder: 'config' }).resolve();
  });
  if (!isObject(value)) throw new HoconError('must be an object, not a list or a single value');
  return value;
}

const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length;

/** The variables that a text refers to. */
function variables(text: string, environment: Environment): Record<string, string> {
  const names = new Set(Array.from(text.matchAll(/\$\{\??([A-Za-z0-9_]+)\}/g), ([, name = '']) => name));
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const value = referenced(environment, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

async function translated(parse: () => Promise<unknown>): Promise<unknown> {
  try {
    return await parse();
  } catch (cause) {
    if (cause instanceof SecretFileError) throw new HoconError(`${cause.field} ${cause.message}`);
    throw cause instanceof HoconError ? cause : safeError(cause);
  }
}

const REASONS: [RegExp, string][] = [
  [/escape/i, 'a string holds an unescaped control character or a wrong escape'],
  [/not closed/, 'a string is not closed'],
  [/should be quoted|unquoted string/, 'a character here is only allowed inside double quotes'],
];

/** The parser's messages quote the text; only the kind of the error and its line are passed on. */
function safeError(cause: unknown): HoconError {
  const message = cause instanceof Error ? cause.message : '';
  const line = [...message.matchAll(/line: (\d+)/g)].at(-1)?.[1];
  const variable = /^Unable to resolve '([A-Za-z0-9_]+)'/.exec(message)?.[1];
  const reason = REASONS.find(([pattern]) => pattern.test(message))?.[1] ?? 'this is not valid HOCON';
  return new HoconError(
    variable === undefined ? reason : `the environment variable ${variable} is not set`,
    line === undefined ? undefined : Number(line),
  );
}
