import { DomainError } from '../../domain/foundation/errors.ts';
import { unescapeSegment } from '../../domain/foundation/field-paths.ts';
import { countValues, isObject, type JsonObject } from '../../domain/foundation/json.ts';

const MAX_SUBSCHEMAS = 250;
const MAX_COST = 2000;
/** Keywords that are in none of the drafts but change what Ajv does, and references that depend on the evaluation. */
const FOREIGN = ['$async', '$data', '$vocabulary', '$recursiveRef', '$dynamicRef', 'nullable', 'discriminator'];

/** The drafts that a schema may name; one that names none is of the first. */
const DRAFTS = {
  'draft-07': /^https?:\/\/json-schema\.org\/(draft-07\/)?schema#?$/,
  '2020-12': /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/,
} as const;

/** A draft of JSON Schema. */
export type SchemaDraft = keyof typeof DRAFTS;

const SINGLE = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'items', 'prefixItems'];
const MAPS = ['properties', 'patternProperties', 'dependencies', 'dependentSchemas', 'definitions', '$defs'];
const DEFINITIONS = ['definitions', '$defs'];

/** The facts of a schema that are known before it is compiled. */
interface SchemaSurvey {
  draft: SchemaDraft;
  patterns: Set<string>;
  /** Upper bound of the checks that one value causes, with every reference followed. */
  cost: number;
}

/**
 * Surveys a schema of draft-07 or 2020-12. Refuses references that leave it or are recursive, and schemas that are too large.
 * @throws DomainError `BadRequest`
 */
export function surveySchema(root: unknown): SchemaSurvey {
  const draft = draftOf(root);
  const walk = new Walk(root);
  const cost = walk.cost(root);
  if (cost > MAX_COST) throw refused('is too large once its references are followed');
  return { draft, patterns: walk.patterns, cost };
}

function draftOf(root: unknown): SchemaDraft {
  const { $schema: named } = isObject(root) ? root : {};
  if (named === undefined) return 'draft-07';
  if (typeof named === 'string' && DRAFTS['draft-07'].test(named)) return 'draft-07';
  if (typeof named === 'string' && DRAFTS['2020-12'].test(named)) return '2020-12';
  throw refused('must be of JSON Schema draft-07 or 2020-12');
}

const refused = (why: string): DomainError => new DomainError('BadRequest', `the JSON Schema ${why}`);

class Walk {
  readonly patterns = new Set<string>();
  readonly #costs = new Map<object, number | 'open'>();

  constructor(private readonly root: unknown) {}

  cost(schema: unknown): number {
    if (typeof schema === 'boolean') return 1;
    if (!isObject(schema)) throw refused('holds something that is not a schema');
    const known = this.#costs.get(schema);
    if (known === 'open') throw refused('may not be recursive');
    if (known !== undefined) return known;
    if (this.#costs.size >= MAX_SUBSCHEMAS) throw refused(`may hold at most ${MAX_SUBSCHEMAS} subschemas`);
    this.#costs.set(schema, 'open');
    const total = this.#own(schema) + this.#children(schema) + this.#reference(schema);
    this.#costs.set(schema, total);
    return total;
  }

  /** Counts the keywords of this schema alone and collects its patterns. */
  #own(schema: JsonObject): number {
    if (schema !== this.root && (schema.$id !== undefined || schema.id !== undefined))
      throw refused('may not name parts by $id');
    const foreign = FOREIGN.find((name) => Object.hasOwn(schema, name));
    if (foreign !== undefined) throw refused(`may not hold ${foreign}, which is not supported`);
    const pattern = typeof schema.pattern === 'string' ? schema.pattern : undefined;
    if (pattern !== undefined) this.patterns.add(pattern);
    if (isObject(schema.patternProperties))
      for (const name of Object.keys(schema.patternProperties)) this.patterns.add(name);
    const values = ['enum', 'const', 'required'].map((name) => (name in schema ? countValues(schema[name]) : 0));
    return values.reduce(
      (sum, count) => sum + count,
      Object.keys(schema).length + 1 + Math.floor((pattern?.length ?? 0) / 16),
    );
  }

  #children(schema: JsonObject): number {
    let total = 0;
    for (const name of SINGLE) if (name in schema && !Array.isArray(schema[name])) total += this.cost(schema[name]);
    for (const name of LISTS)
      if (Array.isArray(schema[name])) for (const part of schema[name]) total += this.cost(part);
    for (const name of MAPS) if (isObject(schema[name])) total += this.#map(name, schema[name]);
    return total;
  }

  /** Definitions have no cost until they are referenced, but are surveyed like every other part. */
  #map(name: string, parts: JsonObject): number {
    const costs = Object.values(parts).map((part) => (Array.isArray(part) ? part.length : this.cost(part)));
    return DEFINITIONS.includes(name) ? 0 : costs.reduce((sum, cost) => sum + cost, 0);
  }

  #reference({ $ref }: JsonObject): number {
    if ($ref === undefined) return 0;
    if (typeof $ref !== 'string' || !/^#(\/|$)/.test($ref)) throw refused('may refer only to its own parts');
    return this.cost(this.#resolve($ref));
  }

  #resolve(reference: string): unknown {
    let target = this.root;
    for (const part of reference.split('/').slice(1)) {
      const name = unescapeSegment(decode(part));
      const holder = target;
      if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name))
        throw refused(`has no part ${reference.slice(0, 80)}`);
      target = Reflect.get(holder, name);
    }
    return target;
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw refused('holds a malformed reference');
  }
}
