import { setImmediate as nextTurn } from 'node:timers/promises';
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { DomainError } from '../../domain/foundation/errors.ts';
import { countValues, isObject } from '../../domain/foundation/json.ts';
import { LruCache } from '../../domain/foundation/lru-cache.ts';
import type { JsonSchemas, SchemaCheck, SchemaViolation } from '../../ports/json-schema.ts';
import { SchemaPatterns } from './schema-patterns.ts';
import { type SchemaDraft, surveySchema } from './schema-survey.ts';

const MAX_CHARACTERS = 65_536;
/** Checks that one validation may execute: about 0.1 s at the slowest. */
const MAX_CHECKS = 80_000;
const LIGHT_COST = 32;
const MAX_VIOLATIONS = 50;
/** Memory of a compiled schema (estimate): a fixed part in bytes, and a multiple of its text. */
const COMPILED_BYTES = 8 * 1024;
const COMPILED_FACTOR = 6;

const LENIENT = { strict: false, logger: false } as const;

/** What a schema is compiled with. */
interface CompileParts {
  draft: SchemaDraft;
  patterns: SchemaPatterns;
}

interface Compiled {
  cost: number;
  check: SchemaCheck;
}

/**
 * JSON Schema, draft-07 and 2020-12, for schemas of callers. They are surveyed before they are compiled, and patterns take linear
 * time. Compiling a schema, or using an expensive one, waits for its own turn of the event loop.
 */
export class CallerSchemas implements JsonSchemas {
  /** Validate schemas of callers against the schemas of the drafts; they are never added to them. */
  readonly #drafts = { 'draft-07': new Ajv(LENIENT), '2020-12': new Ajv2020(LENIENT) };
  readonly #cache = new LruCache<Compiled>('json-schemas');
  #turn: Promise<unknown> = Promise.resolve();

  async compile(schema: unknown): Promise<SchemaCheck> {
    const text = JSON.stringify(schema) ?? '';
    const known = this.#cache.get(text);
    const { cost, check } = known ?? (await this.#build(schema, text));
    if (known && cost > LIGHT_COST) await this.#ownTurn();
    return check;
  }

  check(schema: unknown): void {
    const { draft, patterns } = surveyOf(schema, JSON.stringify(schema) ?? '');
    const compiled = new SchemaPatterns();
    for (const pattern of patterns) compiled.add(pattern);
    this.#compileNow(schema, { draft, patterns: compiled });
  }

  async #build(schema: unknown, text: string): Promise<Compiled> {
    const { draft, patterns, cost } = surveyOf(schema, text);
    const compiled = new SchemaPatterns();
    for (const pattern of patterns) {
      await this.#ownTurn();
      compiled.add(pattern);
    }
    await this.#ownTurn();
    const validate = this.#compileNow(schema, { draft, patterns: compiled });
    const check = (value: unknown): SchemaViolation[] => violations(value, { cost, validate, patterns: compiled });
    const bytes = COMPILED_BYTES + COMPILED_FACTOR * text.length + compiled.bytes;
    return this.#cache.set(text, { cost, check }, { bytes });
  }

  #ownTurn(): Promise<unknown> {
    this.#turn = this.#turn.then(() => nextTurn());
    return this.#turn;
  }

  /** Each schema has its own validator: Ajv keeps everything that it compiled, and finds parts by their `$id`. */
  #compileNow(schema: unknown, { draft, patterns }: CompileParts): ValidateFunction {
    const { $id: _id, id: _oldId, $schema: _draft, ...rest } = isObject(schema) ? schema : {};
    const subject = isObject(schema) ? rest : schema === true;
    const ofDraft = this.#drafts[draft];
    if (ofDraft.validateSchema(subject) !== true)
      throw refused(`is not valid: ${ofDraft.errorsText(ofDraft.errors, { dataVar: 'schema' }).slice(0, 200)}`);
    try {
      return callerAjv({ draft, patterns }).compile(subject);
    } catch (cause) {
      throw refused(`is not valid: ${messageOf(cause)}`, cause);
    }
  }
}

function surveyOf(schema: unknown, text: string) {
  if (text.length > MAX_CHARACTERS) throw refused(`may have at most ${MAX_CHARACTERS} characters`);
  return surveySchema(schema);
}

const refused = (why: string, cause?: unknown): DomainError =>
  new DomainError('BadRequest', `the JSON Schema ${why}`, { cause });

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message.slice(0, 200) : 'unknown reason');

interface Check {
  cost: number;
  validate: ValidateFunction;
  patterns: SchemaPatterns;
}

function violations(value: unknown, { cost, validate, patterns }: Check): SchemaViolation[] {
  if (cost * countValues(value) > MAX_CHECKS) return [TOO_LARGE];
  patterns.start();
  const isValid = validate(value) === true;
  if (patterns.isExhausted) return [TOO_LARGE];
  if (isValid) return [];
  const errors = validate.errors?.length ? validate.errors : [{}];
  return errors.slice(0, MAX_VIOLATIONS).map(toViolation);
}

const TOO_LARGE = { path: '', schemaPath: '', message: 'is too large to be checked against this schema' };

const toViolation = ({ instancePath, schemaPath, message }: Partial<ErrorObject>): SchemaViolation => ({
  path: instancePath ?? '',
  schemaPath: schemaPath ?? '',
  message: message ?? 'is not valid',
});

function callerAjv({ draft, patterns }: CompileParts): Ajv | Ajv2020 {
  const regExp = Object.assign((pattern: string) => patterns.get(pattern), { code: 'patternOf' });
  const options: Options = {
    ...LENIENT,
    allErrors: true,
    ownProperties: true,
    inlineRefs: false,
    addUsedSchema: false,
    meta: false,
    validateSchema: false,
    code: { regExp },
  };
  const ajv = draft === '2020-12' ? new Ajv2020(options) : new Ajv(options);
  addFormats.default(ajv, { keywords: false });
  // The expression for URLs in ajv-formats backtracks.
  ajv.addFormat('url', /^(?:https?|ftp):\/\/\S+$/i);
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (wanted: boolean, items: unknown[]) => !wanted || new Set(items.map(canonical)).size === items.length,
    error: { message: 'must not have equal items' },
  });
  return ajv;
}

/** Canonical text of a JSON value: comparing items by it takes linear time. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`;
}
