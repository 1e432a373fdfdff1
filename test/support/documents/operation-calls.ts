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
  const { operationId, parameters, requestBody } = operation;
  const valuesOf = (place: Parameter['in']): Record<string, string> =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place && (place === 'path' || parameter.required))
        .map((parameter) => [parameter.name, path[parameter.name] ?? acceptedValue(operationId, parameter)]),
    );
  const query = valuesOf('query');
  return {
    path: valuesOf('path'),
    headers: valuesOf('header'),
    ...(Object.keys(query).length > 0 && { query }),
    ...(requestBody && bodyOf(operation)),
  };
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
