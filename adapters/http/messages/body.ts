import type { IncomingMessage } from 'node:http';
import { fromUtf8 } from '../../../domain/foundation/bytes.ts';
import { DomainError, invalidField } from '../../../domain/foundation/errors.ts';
import { parseJson } from '../../../domain/foundation/strict-json.ts';
import type { Operation } from './document.ts';
import type { IncomingBody } from './incoming-body.ts';
import { partsOf } from './request.ts';

/** The largest request body that is read (decisions §2), unless the operation states another bound. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** The most values and names of members of the JSON of a body. */
export const MAX_BODY_VALUES = 50_000;

/** An operation that documents a request body. */
export type OperationWithBody = Operation & Required<Pick<Operation, 'requestBody'>>;

/**
 * The body: an object for JSON and forms, a text for every other type, undefined when it is empty.
 * @throws DomainError as `IncomingBody.whole`, `UnsupportedMediaType`
 */
export async function readBody(incoming: IncomingBody, operation: OperationWithBody): Promise<unknown> {
  const bytes = await incoming.whole();
  if (bytes.length === 0) return withoutBody(operation);
  if (operation.rawText) return fromUtf8(bytes);
  return decode(documentedType(incoming.request, operation), fromUtf8(bytes));
}

/** The media type that a request states, without parameters. */
export const mediaTypeOf = ({ headers }: IncomingMessage): string =>
  (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** Returns the media type of a body. @throws DomainError `UnsupportedMediaType` when it is not a documented one */
export function documentedType(request: IncomingMessage, { requestBody }: OperationWithBody): string {
  const mediaType = mediaTypeOf(request);
  if (Object.hasOwn(requestBody.content, mediaType) && isIdentity(request)) return mediaType;
  const known = Object.keys(requestBody.content).join(', ');
  throw new DomainError('UnsupportedMediaType', `Send the body as ${known}, without a content encoding`);
}

function withoutBody({ requestBody, rawText }: Operation): undefined {
  if (requestBody?.required === true || rawText) throw invalidField(['body'], 'is required');
}

const isIdentity = (request: IncomingMessage): boolean =>
  ['', 'identity'].includes((request.headers['content-encoding'] ?? '').trim().toLowerCase());

function decode(mediaType: string, text: string): unknown {
  if (mediaType === 'application/x-www-form-urlencoded') return readForm(text);
  if (mediaType !== 'application/json' && !mediaType.endsWith('+json')) return text;
  return readJson(text);
}

/** Reads the JSON of a body, or of a line of it. @throws DomainError `BadRequest` naming the body */
export function readJson(text: string): unknown {
  try {
    return parseJson(text, MAX_BODY_VALUES);
  } catch (error) {
    throw invalidField(['body'], error instanceof Error ? error.message : 'is not valid JSON');
  }
}

/** RFC 6749 §3.2: a parameter must not occur twice; one without a value counts as omitted. */
function readForm(text: string): Record<string, string> {
  const form: Record<string, string> = Object.create(null);
  partsOf(text, ['body']);
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in form) throw invalidField(['body', name.slice(0, 100)], 'appears more than once');
    if (value !== '') form[name] = value;
  }
  return { ...form };
}
