import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { OpenAPIValidator, ValidationContext } from 'openapi-backend';
import { type ErrorDetail, fieldErrors, invalidField } from '../../../domain/foundation/errors.ts';
import { type FieldPath, jsonPointer, parsePointer } from '../../../domain/foundation/field-paths.ts';
import { isObject } from '../../../domain/foundation/json.ts';
import type { Contract, Operation } from '../messages/document.ts';
import { removeAbsent } from './absent-nulls.ts';
import { withoutOtherAlternatives } from './alternatives.ts';
import type { AliasedRequest } from './path-aliases.ts';
import { asWritten, hasOtherNames, type Renamed, underOwnNames } from './written-names.ts';

/** The parts of a request as the validators know them; integers among path and query are coerced in place. */
export interface RequestParts {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  header: Record<string, unknown>;
  requestBody?: unknown;
  /** Whether the body is not read yet, so that only the other parts are checked. */
  isBodyLate?: boolean;
  /** A name in the path that is a member of the body. */
  moved?: AliasedRequest['moved'];
  /** What of the body stood under other names; known once it is checked. */
  renamed?: Renamed[];
  /** Of the body; JSON unless it says else. */
  mediaType?: string;
}

/** Of a body with more values than this, only the first violation is reported: a search for all could take seconds. */
const MAX_SEARCHED_VALUES = 10_000;

/** Of texts that may be sent instead of JSON. */
const JWT_TYPE = 'application/jwt';

/** A contract and the validators of its requests. */
export interface CheckedContract {
  contract: Contract;
  validation: RequestValidation;
}

export const withValidators = (contract: Contract): CheckedContract => ({
  contract,
  validation: new RequestValidation(),
});

/** Checks requests against the operations of the contract. */
export class RequestValidation {
  readonly #first = new Validators({ allErrors: false });
  readonly #all = new Validators({ allErrors: true });

  readonly #withOtherNames = new Map<string, boolean>();

  /**
   * Gives members of the body their own names, and removes null members that mean absent.
   * @throws DomainError `BadRequest` with the violations, each naming its field
   */
  check(operation: Operation, parts: RequestParts): void {
    const schema = bodySchema(operation);
    if (parts.moved || this.#hasOtherNames(operation, schema)) readNames(schema, parts);
    removeAbsent(schema, parts.requestBody);
    const details = this.violations(operation, parts);
    if (details.length > 0) throw asWritten(fieldErrors(details), parts.renamed);
  }

  #hasOtherNames({ operationId }: Operation, schema: unknown): boolean {
    const known = this.#withOtherNames.get(operationId) ?? hasOtherNames(schema);
    this.#withOtherNames.set(operationId, known);
    return known;
  }

  violations(operation: Operation, parts: RequestParts): ErrorDetail[] {
    const first = this.#first.violations(operation, parts);
    if (first.length === 0) return [];
    const isSearched = isSmall(parts.requestBody, MAX_SEARCHED_VALUES);
    return toDetails(isSearched ? this.#all.violations(operation, parts) : first);
  }
}

/** Whether a JSON value contains at most `most` values. */
function isSmall(value: unknown, most: number): boolean {
  const left = [value];
  for (let seen = 0; left.length > 0; seen += 1) {
    const next = left.pop();
    if (typeof next === 'object' && next !== null) for (const member of Object.values(next)) left.push(member);
    if (seen + left.length > most) return false;
  }
  return true;
}

/** The validators of operations, compiled at first use. */
class Validators {
  #validator: OpenAPIValidator | undefined;
  readonly #compiled = new Map<string, ValidateFunction[]>();

  /** `allErrors`: whether to search for all violations, or for the first of each part. */
  constructor(private readonly options: { allErrors: boolean }) {}

  violations(operation: Operation, parts: RequestParts): ErrorObject[] {
    return this.#validatorsOf(operation, parts).flatMap((validate) => (validate(parts) ? [] : (validate.errors ?? [])));
  }

  #validatorsOf(operation: Operation, { mediaType, isBodyLate = false }: RequestParts): ValidateFunction[] {
    // The schema is that of the JSON body, and says nothing of a text that may be sent instead.
    const isWithoutJson = isBodyLate || mediaType === JWT_TYPE;
    const key = isWithoutJson ? `${operation.operationId} without JSON` : operation.operationId;
    const known = this.#compiled.get(key);
    if (known) return known;
    const { requestBody: body, ...others } = operation.resolved;
    const checked = isWithoutJson ? others : { ...others, requestBody: body };
    this.#validator ??= createValidator(this.options);
    const compiled = this.#validator.buildRequestValidatorsForOperation(checked as never) ?? [];
    this.#compiled.set(key, compiled as ValidateFunction[]);
    return compiled as ValidateFunction[];
  }
}

/** A validator without operations, which it is given one by one. */
function createValidator(options: { allErrors: boolean }): OpenAPIValidator {
  const forParameters = createAjv({ ...options, coerceTypes: true });
  const forOthers = createAjv({ ...options, coerceTypes: false });
  return new OpenAPIValidator({
    definition: { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} },
    lazyCompileValidators: true,
    customizeAjv: (_ajv, _options, context) =>
      (context === ValidationContext.Params ? forParameters : forOthers) as never,
  });
}

/** @throws DomainError `BadRequest` naming a member that is given twice */
function readNames(schema: unknown, parts: RequestParts): void {
  const { body, renamed } = underOwnNames(schema, parts.requestBody, parts.path);
  parts.requestBody = body;
  parts.renamed = renamed;
  const { moved } = parts;
  if (!moved || (body !== undefined && !isObject(body))) return;
  const { name, value } = moved;
  if (body && Object.hasOwn(body, name)) throw invalidField(['body', name], 'is in the path already');
  parts.requestBody = { ...body, [name]: value };
  renamed.push({ own: ['body', name], written: ['path', name] });
}

function bodySchema({ requestBody }: Operation): unknown {
  const json = requestBody?.content['application/json'];
  return isObject(json) ? json.schema : undefined;
}

function createAjv(options: { allErrors: boolean; coerceTypes: boolean }): Ajv2020 {
  // A test checks the schemas: here it would take as long as compiling twenty of them. The search for all violations
  // runs for refused requests only, too seldom to be worth the optimisation of its code.
  const code = { optimize: !options.allErrors };
  const ajv = new Ajv2020({ strict: false, ownProperties: true, validateSchema: false, code, ...options });
  addFormats.default(ajv);
  return ajv;
}

const MOST_DETAILS = 20;

/** The violations as they are reported to callers. */
function toDetails(errors: ErrorObject[]): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>();
  for (const error of withoutOtherAlternatives(errors)) {
    if (error.keyword === 'if') continue;
    if (details.size === MOST_DETAILS) break;
    const detail = { path: fieldOf(error), message: messageOf(error) };
    details.set(`${jsonPointer(detail.path)} ${detail.message}`, detail);
  }
  return [...details.values()];
}

const PLACES: Record<string, string> = { requestBody: 'body' };

function fieldOf({ instancePath, keyword, params }: ErrorObject): FieldPath {
  const [place = '', ...rest] = parsePointer(instancePath).map(String);
  const named =
    keyword === 'required'
      ? params.missingProperty
      : keyword === 'additionalProperties'
        ? params.additionalProperty
        : undefined;
  const first = place === '' ? String(named) : place;
  const last = place === '' || named === undefined ? [] : [String(named).slice(0, 100)];
  return [PLACES[first] ?? first, ...rest, ...last];
}

function messageOf({ keyword, message = 'is not valid', params }: ErrorObject): string {
  if (keyword === 'additionalProperties') return 'is not a known field';
  if (keyword === 'required') return 'is required';
  if (keyword === 'type') return `must be ${[params.type].flat().join(' or ')}`;
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
  return message;
}
