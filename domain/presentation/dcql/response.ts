import { DomainError } from '../../foundation/errors.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { parseJson } from '../../foundation/strict-json.ts';
import type { Hint } from '../compiled-query.ts';

/** A presentation and the query that it answers. */
export interface QueryPresentation {
  queryId: string;
  presentation: string;
}

const MAX_PRESENTATIONS = 64;

/** Creates the `vp_token` of a response: the presentations by the ids of their queries (OpenID4VP 1.0 §8.1). */
export function createVpToken(presented: readonly QueryPresentation[]): string {
  const token = new Map<string, string[]>();
  for (const { queryId, presentation } of presented) token.set(queryId, [...(token.get(queryId) ?? []), presentation]);
  return JSON.stringify(Object.fromEntries(token));
}

/** Parses a `vp_token`, in its order. @throws DomainError `BadRequest` */
export function parseVpToken(text: string): { document: JsonObject; presented: QueryPresentation[] } {
  const document = parseJson(text);
  if (!isObject(document)) throw refused('must be a JSON object');
  const presented = Object.entries(document).flatMap(([queryId, list]) => {
    if (!Array.isArray(list) || list.length === 0 || !list.every(isText))
      throw refused('each of its members must be a list of presentations');
    return list.map((presentation) => ({ queryId, presentation }));
  });
  if (presented.length === 0 || presented.length > MAX_PRESENTATIONS)
    throw refused(`must hold 1 to ${MAX_PRESENTATIONS} presentations`);
  return { document, presented };
}

/** Reads as hints which query each presentation answers, each of one credential. @throws DomainError `BadRequest` */
export function hintsOfVpToken(text: string, count: number): { document: JsonObject; hints: Hint[] } {
  const { document, presented } = parseVpToken(text);
  if (presented.length !== count) throw refused('each presentation must hold one credential');
  return { document, hints: presented.map(({ queryId }, index) => ({ queryId, index })) };
}

const refused = (why: string): DomainError => new DomainError('BadRequest', `vp_token: ${why}`);
