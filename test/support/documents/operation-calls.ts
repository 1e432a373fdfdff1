import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Operation, Parameter } from '../../../adapters/http/messages/document.ts';
import type { Call } from '../servers/server.ts';

const ajv = new Ajv2020({ strict: false, validateSchema: false });
addFormats.default(ajv);

/** Values of parameters that accept only some of the texts that their schema does. */
const NAMED: Record<string, string> = { action: 'resource-view' };

/** Values that some parameter accepts; the first that fits is taken. */
const VALUES = ['00000000-0000-4000-8000-000000000000', 'none', '1', 'none.example.org', 'did:example:none'];

/** A request of an operation as the document describes it, with the longest example as its body. @throws Error naming what has no example */
export function documentedCall(operation: Operation, path: Record<string, string>): Call {
  const query = acceptedValues(operation, 'query');
  return {
    path: acceptedValues(operation, 'path', path),
    headers: acceptedValues(operation, 'header'),
    ...(Object.keys(query).length > 0 && { query }),
    ...(operation.requestBody && bodyOf(operation)),
  };
}

/** The path of an operation with its parameters, and the query that it demands. @throws Error naming what has no example */
export function documentedPath(operation: Operation, path: Record<string, string>): string {
  const values = acceptedValues(operation, 'path', path);
  const named = operation.path.replaceAll(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ''));
  return `${named}?${new URLSearchParams(acceptedValues(operation, 'query'))}`;
}

/** Values that the parameters in a place accept: those given, and those of the other ones that are required. */
function acceptedValues(
  { operationId, parameters }: Operation,
  place: Parameter['in'],
  given: Record<string, string> = {},
): Record<string, string> {
  const wanted = parameters.filter((one) => one.in === place && (place === 'path' || one.required));
  return Object.fromEntries(wanted.map((one) => [one.name, given[one.name] ?? acceptedValue(operationId, one)]));
}

function acceptedValue(operationId: string, { name, schema = {}, ...more }: Parameter): string {
  const named = NAMED[name];
  if (named !== undefined) return named;
  const { example } = { ...schema, ...more } as { example?: unknown };
  const fits = ajv.compile(schema);
  const known = (schema as { enum?: string[] }).enum ?? [];
  const value = [...(example === undefined ? [] : [String(example)]), ...known, ...VALUES].find((one) => fits(one));
  if (value === undefined) throw new Error(`${operationId}: the parameter ${name} needs an example`);
  return value;
}

interface Media {
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

/** How a body of each media type is sent. */
const SENT_AS: Record<string, (value: unknown) => Call> = {
  'application/json': (json) => ({ json }),
  'application/x-ndjson': (lines) => ({ lines: lines as unknown[] }),
  'application/x-www-form-urlencoded': (form) => ({ form: form as Record<string, string> }),
};

function bodyOf({ operationId, requestBody }: Operation): Call {
  for (const [type, media] of Object.entries(requestBody?.content ?? {}) as [string, Media][]) {
    const examples = [media.example, ...Object.values(media.examples ?? {}).map(({ value }) => value)];
    const [longest] = examples
      .filter((one) => one !== undefined)
      .sort((one, other) => JSON.stringify(other).length - JSON.stringify(one).length);
    if (longest === undefined) continue;
    return SENT_AS[type]?.(longest) ?? { text: String(longest), contentType: type };
  }
  throw new Error(`${operationId}: the body needs an example`);
}
