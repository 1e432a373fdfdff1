import type { IncomingMessage } from 'node:http';
import { at, type ErrorDetail, fieldErrors, invalidField, isDomainError } from '../../../domain/foundation/errors.ts';
import { type FieldPath, jsonPointer } from '../../../domain/foundation/field-paths.ts';
import type { Operation } from './document.ts';
import type { LateQuery, QueryTexts } from './operations.ts';

/** The query as texts; the values of a repeated parameter become an array, which only a documented array accepts. @throws DomainError `BadRequest` */
export function readQuery(querystring: string, { parameters, ignoreUnknown }: Operation): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const part of partsOf(querystring, ['query'])) {
    if (part === '') continue;
    const at = part.indexOf('=');
    const name = decodeComponent(at < 0 ? part : part.slice(0, at));
    const value = at < 0 ? '' : decodeComponent(part.slice(at + 1));
    if (ignoreUnknown && !parameters.some((known) => known.in === 'query' && known.name === name)) continue;
    if (name === '__proto__') throw invalidField(['query', '__proto__'], 'is not a known field');
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  for (const { name, in: place, schema } of parameters)
    if (place === 'query' && schema?.type === 'array' && query[name] !== undefined) query[name] = [query[name]].flat();
  return query;
}

/** The most parameters of a query or a form. */
export const MAX_PARAMETERS = 256;

/** The parameters of a query or a form, each as its text. @throws DomainError `BadRequest` naming `place` for too many */
export function partsOf(text: string, place: FieldPath): string[] {
  const parts = text.split('&', MAX_PARAMETERS + 1);
  if (parts.length > MAX_PARAMETERS) throw invalidField(place, `may have at most ${MAX_PARAMETERS} parameters`);
  return parts;
}

function decodeComponent(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidField(['query'], 'is not properly percent-encoded');
  }
}

/** The documented headers, by their names in lower case. */
export function readHeaders(request: IncomingMessage, { parameters }: Operation): Record<string, unknown> {
  const headers: Record<string, unknown> = {};
  for (const { name, in: place } of parameters) {
    const value = place === 'header' ? request.headers[name.toLowerCase()] : undefined;
    if (value !== undefined) headers[name.toLowerCase()] = value;
  }
  return headers;
}

/**
 * A query that the handler asks for once the caller is authorized. `violations` are those of the document. The error
 * names what the document or the handler's own reader refuses; a field that both refuse is named in the reader's words.
 */
export function lateQuery(query: Record<string, unknown>, violations: () => ErrorDetail[]): LateQuery<unknown> {
  const texts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return async <T>(read?: (texts: QueryTexts) => T) => {
    const result = attempt(() => at(['query'], () => read?.(texts)));
    const named = new Set(result.details.map(({ path }) => jsonPointer(path)));
    const details = [...result.details, ...violations().filter(({ path }) => !named.has(jsonPointer(path)))];
    if (details.length > 0) throw fieldErrors(details);
    return read ? result.value : query;
  };
}

function attempt<T>(read: () => T): { value?: T; details: ErrorDetail[] } {
  try {
    return { value: read(), details: [] };
  } catch (error) {
    if (!isDomainError(error, 'BadRequest') || !error.details) throw error;
    return { details: error.details };
  }
}
