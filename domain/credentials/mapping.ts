import { DomainError, invalidField, isDomainError } from '../foundation/errors.ts';
import { type FieldPath, readablePath } from '../foundation/field-paths.ts';
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

/** The beginning of top-level members that become claims of the JWT instead of members of the credential. */
const CLAIM_PREFIX = 'jwt:';

/** A mapping and the data that it will be applied to. */
interface MappingDraft {
  mapping: JsonObject;
  data: JsonObject;
}

/** What one check has counted so far. */
interface Counts {
  members: number;
  webhooks: number;
}

/**
 * Rejects what would fail when the credential is issued, as far as that can be known before.
 * @throws DomainError `BadRequest` naming the member of the mapping
 */
export function checkMapping({ mapping, data }: MappingDraft): void {
  const counts: Counts = { members: 0, webhooks: 0 };
  const checkLevel = (level: JsonObject, base: unknown, path: FieldPath): void => {
    if (path.length >= MAX_DEPTH) throw invalidField(path, `may not be nested deeper than ${MAX_DEPTH}`);
    for (const [name, value] of Object.entries(level)) {
      const here = [...path, name];
      const template = readTemplate(value);
      count(counts, template, here);
      if (path.length === 0 && name.startsWith(CLAIM_PREFIX)) checkClaim(name, template, here);
      else if (isObject(value)) checkLevel(value, objectAt(base, name, here), here);
    }
  };
  checkLevel(mapping, data, []);
}

/** Counts one member, and checks its template. */
function count(counts: Counts, template: Template | undefined, path: FieldPath): void {
  counts.members += 1;
  if (counts.members > MAX_MEMBERS) throw invalidField([], `may have at most ${MAX_MEMBERS} members`);
  const problem = template && templateProblem(template);
  if (problem !== undefined) throw invalidField(path, problem);
  if (template?.name.startsWith('webhook')) counts.webhooks += 1;
  if (counts.webhooks > MAX_WEBHOOKS) throw invalidField(path, `at most ${MAX_WEBHOOKS} webhook functions are allowed`);
}

function checkClaim(name: string, template: Template | undefined, path: FieldPath): void {
  if (name === CLAIM_PREFIX) throw invalidField(path, 'names no claim');
  if (!template) throw invalidField(path, 'the value of a claim must be a data function such as <uuid>');
}

/** Whether a mapping has a data function that puts the display data into the credential. */
export const usesDisplay = (mapping: JsonObject): boolean =>
  Object.values(mapping).some((value) => {
    if (isObject(value)) return usesDisplay(value);
    const { name, argument } = readTemplate(value) ?? {};
    return name === 'display' || argument === 'display';
  });

const memberOf = (data: unknown, name: string): unknown =>
  isObject(data) && Object.hasOwn(data, name) ? data[name] : undefined;

/** The object that an object of the mapping is merged into: a new one where the data has none. */
function objectAt(data: unknown, name: string, path: FieldPath): JsonObject {
  const value = memberOf(data, name) ?? {};
  if (isObject(value)) return value;
  throw invalidField(path, 'the credential data has a value here that is not an object');
}

/** A credential document and the JWT claims that its mapping asked for. */
interface MappedCredential {
  document: JsonObject;
  claims: JsonObject;
}

/** A mapping, what it is applied to, and the values of its data functions. */
interface MappingRun {
  data: JsonObject;
  mapping: JsonObject;
  context: DataContext;
}

/**
 * Applies a mapping to credential data: templates are evaluated in their order, other primitives are set, objects are
 * merged, arrays are appended. Neither input is changed.
 * @throws DomainError `BadRequest` naming the member, or the error of a webhook
 */
export async function applyMapping({ data, mapping, context }: MappingRun): Promise<MappedCredential> {
  return separateClaims(await merge({ base: data, over: mapping, path: [] }, { context, history: new Map() }), mapping);
}

function separateClaims(merged: JsonObject, mapping: JsonObject): MappedCredential {
  const isClaim = ([name]: [string, unknown]): boolean => name.startsWith(CLAIM_PREFIX) && Object.hasOwn(mapping, name);
  const entries = Object.entries(merged);
  const claims = entries.filter(isClaim).map(([name, value]) => [name.slice(CLAIM_PREFIX.length), value]);
  return {
    document: Object.fromEntries(entries.filter((entry) => !isClaim(entry))),
    claims: Object.fromEntries(claims),
  };
}

/** Returns what a mapping will make of credential data, with templates in place of their values. Neither input is changed. */
export const mappedShape = ({ data, mapping }: MappingDraft): MappedCredential =>
  separateClaims(overlay(data, mapping), mapping);

function overlay(base: JsonObject, over: JsonObject): JsonObject {
  const merged = new Map(Object.entries(base));
  for (const [name, value] of Object.entries(over)) {
    const before = merged.get(name);
    if (isObject(value)) merged.set(name, overlay(isObject(before) ? before : {}, value));
    else merged.set(name, Array.isArray(value) && Array.isArray(before) ? [...before, ...value] : value);
  }
  return Object.fromEntries(merged);
}

interface Layers {
  base: JsonObject;
  over: JsonObject;
  path: FieldPath;
}

interface Evaluation {
  context: DataContext;
  history: History;
}

/** Built from entries, so that no member name can reach a prototype. */
async function merge({ base, over, path }: Layers, evaluation: Evaluation): Promise<JsonObject> {
  const merged = new Map(Object.entries(base));
  for (const [name, value] of Object.entries(over)) {
    const here = [...path, name];
    const before = merged.get(name);
    const template = readTemplate(value);
    if (template) merged.set(name, await evaluateAt(here, template, evaluation));
    else if (isObject(value))
      merged.set(name, await merge({ base: objectAt(base, name, here), over: value, path: here }, evaluation));
    else merged.set(name, Array.isArray(value) && Array.isArray(before) ? [...before, ...value] : value);
  }
  return Object.fromEntries(merged);
}

async function evaluateAt(path: FieldPath, template: Template, { context, history }: Evaluation): Promise<unknown> {
  try {
    return await evaluate(template, context, history);
  } catch (error) {
    if (!isDomainError(error, 'BadRequest') || error.oauthError !== undefined) throw error;
    throw new DomainError('BadRequest', `The mapping could not be applied at ${readablePath(path)}: ${error.message}`, {
      cause: error,
    });
  }
}
