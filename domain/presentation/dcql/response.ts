import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import { parseParameter, refusedVpToken } from '../matching/response-parameters.ts';

/** A presentation and the query that it answers. */
interface QueryPresentation {
  queryId: string;
  presentation: string;
}

/** Creates the `vp_token` of a response: the presentations by the ids of their queries (OpenID4VP 1.0 §8.1). */
export function createVpToken(presented: readonly QueryPresentation[]): Record<string, string[]> {
  const token = new Map<string, string[]>();
  for (const { queryId, presentation } of presented) token.set(queryId, [...(token.get(queryId) ?? []), presentation]);
  return Object.fromEntries(token);
}

/** Parses a `vp_token` of at most `most` presentations, in its order. @throws DomainError `BadRequest` */
export function parseVpToken(text: string, most: number): { document: JsonObject; presented: QueryPresentation[] } {
  const document = parseParameter('vp_token', text);
  if (!isObject(document)) throw refusedVpToken('must be a JSON object');
  const presented = Object.entries(document).flatMap(([queryId, list]) => {
    if (!Array.isArray(list) || list.length === 0 || !list.every(isText))
      throw refusedVpToken('each of its members must be a list of presentations');
    return list.map((presentation) => ({ queryId, presentation }));
  });
  if (presented.length === 0 || presented.length > most) throw refusedVpToken(`must hold 1 to ${most} presentations`);
  return { document, presented };
}
