import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { OpenAPIValidator, ValidationContext } from 'openapi-backend';
import { DomainError, type ErrorDetail } from '../../domain/errors.ts';
import { isObject } from '../../domain/json.ts';
import { removeAbsent } from './absent-nulls.ts';
import type { Contract, Operation } from './document.ts';

/** The parts of a request as the validators know them; integers among path and query are coerced in place. */
export interface RequestParts {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  header: Record<string, unknown>;
  requestBody?: unknown;
}

/** Checks requests against the contract. Validators are compiled when an operation is first used, then kept. */
export class RequestValidation {
  readonly #validator: OpenAPIValidator;
  readonly #compiled = new Map<string, ValidateFunction[]>();

  constructor({ published }: Contract) {
    const { openapi, info } = published as { openapi: '3.1.0'; info: { title: string; version: string } };
    this.#validator = new OpenAPIValidator({
      definition: { openapi, info, paths: {} },
      lazyCompileValidators: true,
      customizeAjv: (_ajv, _options, context) => ajvFor(context === ValidationContext.Params) as never,
    });
  }

  /** Null members that mean absent are taken out first. @throws DomainError `BadRequest` naming every wrong field */
  check(operation: Operation, parts: RequestParts): void {
    removeAbsent(bodySchema(operation), parts.requestBody);
    const errors: ErrorObject[] = [];
    for (const validate of this.#validatorsOf(operation)) if (!validate(parts)) errors.push(...(validate.errors ?? []));
    if (errors.length === 0) return;
    const details = toDetails(errors);
    const summary = details
      .map(({ path, message }) => `${path}: ${message}`)
      .slice(0, 3)
      .join('; ');
    throw new DomainError('BadRequest', summary, { details });
  }

  #validatorsOf(operation: Operation): ValidateFunction[] {
    const known = this.#compiled.get(operation.operationId);
    if (known) return known;
    const compiled = this.#validator.buildRequestValidatorsForOperation(operation.resolved as never) ?? [];
    this.#compiled.set(operation.operationId, compiled as ValidateFunction[]);
    return compiled as ValidateFunction[];
  }
}

function bodySchema({ requestBody }: Operation): unknown {
  const json = requestBody?.content['application/json'];
  return isObject(json) ? json.schema : undefined;
}

const ajvs = new Map<boolean, Ajv2020>();

function ajvFor(coerceTypes: boolean): Ajv2020 {
  const known = ajvs.get(coerceTypes);
  if (known) return known;
  const ajv = new Ajv2020({ strict: false, allErrors: true, ownProperties: true, coerceTypes });
  addFormats.default(ajv);
  ajvs.set(coerceTypes, ajv);
  return ajv;
}

const MOST_DETAILS = 20;

/** Violations in the caller's terms; those of alternatives that were not meant are left out when others say more. */
function toDetails(errors: ErrorObject[]): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>();
  for (const error of errors) {
    if (error.keyword === 'if') continue;
    const detail = { path: fieldOf(error), message: messageOf(error) };
    details.set(`${detail.path} ${detail.message}`, detail);
  }
  return [...details.values()].slice(0, MOST_DETAILS);
}

const PLACES: Record<string, string> = { requestBody: 'body' };

function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
  const [, place = '', ...rest] = instancePath.split('/');
  const named =
    keyword === 'required'
      ? params.missingProperty
      : keyword === 'additionalProperties'
        ? params.additionalProperty
        : undefined;
  const first = place === '' ? String(named) : place;
  const last =
    place === '' || named === undefined
      ? []
      : [String(named).slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')];
  return ['', PLACES[first] ?? first, ...rest, ...last].join('/');
}

function messageOf({ keyword, message = 'is not valid', params }: ErrorObject): string {
  if (keyword === 'additionalProperties') return 'is not a known field';
  if (keyword === 'required') return 'is required';
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
  return message;
}
