import { DomainError, invalidField, isDomainError } from '../foundation/errors.ts';
import { isObject, type JsonObject } from '../foundation/json.ts';
import {
  type DataContext,
  evaluate,
  type History,
  readTemplate,
  type Template,
  templateProblem,
} from './data-functions.ts';

const MAX_DEPTH = 32;
const MAX_MEMBERS = 2000;
const MAX_WEBHOOKS = 10;

/** Top-level members of a mapping that become claims of the JWT instead of members of the credential. */
const CLAIM_PREFIX = 'jwt:';

/** A mapping before it is kept, with the data it will be laid over. */
export interface MappingDraft {
  mapping: JsonObject;
  data: JsonObject;
  /** JSON Pointer of the mapping in the request. */
  path: string;
}

/**
 * Finds what would fail when the credential is claimed, as far as that can be known before.
 * @throws DomainError `BadRequest` with the JSON Pointer of what is wrong
 */
export function checkMapping(draft: MappingDraft): void {
  const seen = { members: 0, webhooks: 0 };
  const check = (mapping: JsonObject, data: unknown, path: string, depth: number): void => {
    if (depth > MAX_DEPTH) throw invalidField(path, `may not be nested deeper than ${MAX_DEPTH}`);
    for (const [name, value] of Object.entries(mapping)) {
      const here = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      seen.members += 1;
      if (seen.members > MAX_MEMBERS) throw invalidField(draft.path, `may have at most ${MAX_MEMBERS} members`);
      const template = readTemplate(value);
      const problem = template && templateProblem(template);
      if (problem !== undefined) throw invalidField(here, problem);
      if (template?.name.startsWith('webhook')) seen.webhooks += 1;
      if (seen.webhooks > MAX_WEBHOOKS)
        throw invalidField(here, `at most ${MAX_WEBHOOKS} webhook functions are allowed`);
      if (depth === 1 && name.startsWith(CLAIM_PREFIX)) checkClaim(name, template, here);
      else if (isObject(value)) check(value, objectAt(data, name, here), here, depth + 1);
    }
  };
  check(draft.mapping, draft.data, draft.path, 1);
}

function checkClaim(name: string, template: Template | undefined, path: string): void {
  if (name === CLAIM_PREFIX) throw invalidField(path, 'names no claim');
  if (!template) throw invalidField(path, 'the value of a claim must be a data function such as <uuid>');
}

const memberOf = (data: unknown, name: string): unknown =>
  isObject(data) && Object.hasOwn(data, name) ? data[name] : undefined;

/** An object can only be laid over an object; where there is none it makes one. */
function objectAt(data: unknown, name: string, path: string): JsonObject {
  const value = memberOf(data, name) ?? {};
  if (isObject(value)) return value;
  throw invalidField(path, 'the credential data has a value here that is not an object');
}

/** A credential document and the JWT claims that its mapping asked for. */
export interface MappedCredential {
  document: JsonObject;
  claims: JsonObject;
}

/** What is laid over what, and with which values. */
export interface MappingRun {
  data: JsonObject;
  mapping: JsonObject;
  context: DataContext;
}

/**
 * Lays a mapping over credential data: templates are evaluated in the order they stand, other primitives are set,
 * objects are merged, arrays are appended. Neither input is changed.
 * @throws DomainError `BadRequest` naming the member, or what the webhook failed with
 */
export async function applyMapping({ data, mapping, context }: MappingRun): Promise<MappedCredential> {
  const merged = await merge({ base: data, over: mapping, path: '' }, { context, history: new Map() });
  const isClaim = ([name]: [string, unknown]): boolean => name.startsWith(CLAIM_PREFIX) && Object.hasOwn(mapping, name);
  const entries = Object.entries(merged);
  const claims = entries.filter(isClaim).map(([name, value]) => [name.slice(CLAIM_PREFIX.length), value]);
  return {
    document: Object.fromEntries(entries.filter((entry) => !isClaim(entry))),
    claims: Object.fromEntries(claims),
  };
}

interface Layers {
  base: JsonObject;
  over: JsonObject;
  path: string;
}

interface Evaluation {
  context: DataContext;
  history: History;
}

/** Built from entries, so that no member name can reach a prototype. */
async function merge({ base, over, path }: Layers, evaluation: Evaluation): Promise<JsonObject> {
  const merged = new Map(Object.entries(base));
  for (const [name, value] of Object.entries(over)) {
    const here = `${path}/${name}`;
    const before = merged.get(name);
    const template = readTemplate(value);
    if (template) merged.set(name, await evaluateAt(here, template, evaluation));
    else if (isObject(value))
      merged.set(name, await merge({ base: objectAt(base, name, here), over: value, path: here }, evaluation));
    else merged.set(name, Array.isArray(value) && Array.isArray(before) ? [...before, ...value] : value);
  }
  return Object.fromEntries(merged);
}

async function evaluateAt(path: string, template: Template, { context, history }: Evaluation): Promise<unknown> {
  try {
    return await evaluate(template, context, history);
  } catch (error) {
    if (!isDomainError(error, 'BadRequest') || error.oauthError !== undefined) throw error;
    throw new DomainError('BadRequest', `The mapping could not be applied at ${path}: ${error.message}`, {
      cause: error,
    });
  }
}
