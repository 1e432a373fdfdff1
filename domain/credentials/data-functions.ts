import { DomainError } from '../foundation/errors.ts';
import { asList, isObject, isText, type JsonObject } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';
import { epochSeconds, isoSeconds } from '../foundation/time.ts';
import { isCallableUrl } from '../network/urls.ts';
import { parseDuration } from './durations.ts';

/** Names of values that data functions can look up. */
const CONTEXT_NAMES = ['subjectDid', 'issuerDid', 'issuerId', 'display'] as const;

export type ContextName = (typeof CONTEXT_NAMES)[number];

/** The values and services that data functions use when a credential is issued. */
export interface DataContext {
  /** Milliseconds since the epoch. */
  now: number;
  uuid(): string;
  /** Returns the value of a name; undefined when this credential has none. */
  lookup(name: ContextName): unknown;
  /** Fetches the body of a URL. @throws DomainError `UpstreamFailed`, `UpstreamTimeout`, `AddressRefused` */
  fetchText(url: string): Promise<string>;
}

type Primitive = string | number | boolean;

/** The last primitive result of each function, which `<last:NAME>` repeats. */
export type History = Map<string, Primitive>;

/** A string of the form `<name>` or `<name:argument>`. */
export interface Template {
  name: string;
  argument?: string;
}

interface Call {
  argument: string;
  context: DataContext;
  history: History;
}

interface DataFunction {
  /** Says why an argument is invalid; a function without this member takes no argument. */
  problem?: (argument: string) => string | undefined;
  run(call: Call): unknown;
}

const durationProblem = (text: string): string | undefined =>
  parseDuration(text) === undefined
    ? `"${text.slice(0, 64)}" is not a duration such as 365d, 1d12h or P1DT2H`
    : undefined;

const urlProblem = (text: string): string | undefined =>
  isCallableUrl(text) ? undefined : 'the argument must be an http or https URL without credentials';

const nameProblem = (known: readonly string[]) => (text: string) =>
  known.includes(text) ? undefined : `"${text.slice(0, 64)}" is not one of ${known.join(', ')}`;

const moment = (write: (ms: number) => unknown): DataFunction => ({ run: ({ context }) => write(context.now) });

const shifted = (write: (ms: number) => unknown, sign: 1 | -1): DataFunction => ({
  problem: durationProblem,
  run: ({ argument, context }) => write(context.now + sign * (parseDuration(argument) ?? 0)),
});

const contextual = (name: ContextName): DataFunction => ({ run: ({ context }) => lookUp(context, name) });

function lookUp(context: DataContext, name: ContextName): unknown {
  const value = context.lookup(name);
  if (name === 'display') return asList(value).filter(isObject).map(reshapeDisplay);
  if (value === undefined) throw new DomainError('BadRequest', `There is no ${name} for this credential`);
  return value;
}

const FUNCTIONS: Record<string, DataFunction> = {
  uuid: { run: ({ context }) => `urn:uuid:${context.uuid()}` },
  subjectDid: contextual('subjectDid'),
  issuerDid: contextual('issuerDid'),
  issuerId: contextual('issuerId'),
  display: contextual('display'),
  context: {
    problem: nameProblem(CONTEXT_NAMES),
    run: ({ argument, context }) => lookUp(context, argument as ContextName),
  },
  // Whole seconds, so that a date names the same instant as a NumericDate claim of the same credential (RFC 7519 §2).
  timestamp: moment(isoSeconds),
  'timestamp-seconds': moment(epochSeconds),
  'timestamp-in': shifted(isoSeconds, 1),
  'timestamp-in-seconds': shifted(epochSeconds, 1),
  'timestamp-before': shifted(isoSeconds, -1),
  'timestamp-before-seconds': shifted(epochSeconds, -1),
  'timestamp-ebsi': moment(isoSeconds),
  'timestamp-ebsi-in': shifted(isoSeconds, 1),
  webhook: { problem: urlProblem, run: ({ argument, context }) => context.fetchText(argument) },
  'webhook-json': {
    problem: urlProblem,
    run: async ({ argument, context }) => parseJson(await context.fetchText(argument)),
  },
  last: {
    problem: (name) =>
      Object.hasOwn(FUNCTIONS, name) ? undefined : `Unknown dynamic data function "${name.slice(0, 64)}"`,
    run: ({ argument, history }) => {
      const last = history.get(argument);
      if (last === undefined) throw new DomainError('BadRequest', `There is no earlier result of "${argument}"`);
      return last;
    },
  },
};

/** The names of all data functions. */
export const DATA_FUNCTION_NAMES: readonly string[] = Object.keys(FUNCTIONS);

/** Parses a template; undefined for any other value. A string with a space is not a template. */
export function readTemplate(value: unknown): Template | undefined {
  if (!isText(value) || value.length < 3 || !value.startsWith('<') || !value.endsWith('>') || value.includes(' '))
    return undefined;
  const [name = '', ...rest] = value.slice(1, -1).split(':');
  return rest.length === 0 ? { name } : { name, argument: rest.join(':') };
}

/** Says why a template cannot be evaluated; undefined when it can. */
export function templateProblem({ name, argument }: Template): string | undefined {
  const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (!known) return `Unknown dynamic data function "${name.slice(0, 64)}"`;
  if (!known.problem) return argument === undefined ? undefined : `The function "${name}" takes no argument`;
  return argument ? known.problem(argument) : `The function "${name}" needs an argument`;
}

/** Evaluates a template and adds a primitive result to the history. @throws DomainError `BadRequest` */
export async function evaluate(template: Template, context: DataContext, history: History): Promise<unknown> {
  const problem = templateProblem(template);
  if (problem !== undefined) throw new DomainError('BadRequest', problem);
  const result = await FUNCTIONS[template.name]?.run({ argument: template.argument ?? '', context, history });
  if (typeof result === 'string' || typeof result === 'number' || typeof result === 'boolean')
    history.set(template.name, result);
  return result;
}

/** Converts display metadata of OpenID4VCI to the form in credentials: camel case, images with `url` and `altText`. */
function reshapeDisplay(entry: JsonObject): JsonObject {
  const shaped = {
    name: entry.name,
    description: entry.description,
    locale: entry.locale,
    logo: reshapeImage(entry.logo),
    backgroundColor: entry.background_color,
    textColor: entry.text_color,
    backgroundImage: reshapeImage(entry.background_image),
    secondaryImage: reshapeImage(entry.secondary_image),
  };
  return Object.fromEntries(Object.entries(shaped).filter(([, value]) => value !== undefined));
}

function reshapeImage(image: unknown): JsonObject | undefined {
  if (!isObject(image)) return undefined;
  const { url = image.uri, alt_text: altText } = image;
  return { ...(url === undefined ? {} : { url }), ...(altText === undefined ? {} : { altText }) };
}
