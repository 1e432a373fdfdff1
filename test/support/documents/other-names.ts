import type { Operation } from '../../../adapters/http/messages/document.ts';
import { isObject, type JsonObject } from '../../../domain/foundation/json.ts';

/** Where in a body a value is; 0 for the first element of a list. */
export type Place = readonly (string | number)[];

/** A member of a body that has another name. */
export interface OtherName {
  place: Place;
  name: string;
  other: string;
  /** What conditions around it demand, and where. */
  demands: { place: Place; members: JsonObject }[];
}

/** The schema of the body of an operation. */
export const bodySchemaOf = ({ resolved }: Pick<Operation, 'resolved'>): unknown =>
  Object(Object(Object(resolved.requestBody).content)['application/json']).schema;

/** The members of the body of an operation that have other names. */
export const otherNames = (operation: Operation): OtherName[] => [...namesIn(bodySchemaOf(operation), [], [])];

/** What a condition demands of the members of a value. */
const demanded = ({ properties = {} }: { properties?: object }): JsonObject =>
  Object.fromEntries(Object.entries(properties).map(([name, { const: value }]) => [name, value]));

function* namesIn(schema: unknown, place: Place, demands: OtherName['demands']): Generator<OtherName> {
  if (!isObject(schema)) return;
  for (const keyword of ['allOf', 'oneOf', 'anyOf'])
    for (const part of (schema[keyword] as JsonObject[] | undefined) ?? []) {
      const members = demanded(Object(part.if));
      yield* namesIn(part.then ?? part, place, [...demands, { place, members }]);
    }
  for (const [name, member] of Object.entries(Object(schema.properties)) as [string, JsonObject][]) {
    for (const other of (member['x-aliases'] as string[] | undefined) ?? []) yield { place, name, other, demands };
    yield* namesIn(member, [...place, name], demands);
  }
  yield* namesIn(schema.items, [...place, 0], demands);
  yield* namesIn(schema.additionalProperties, [...place, 'any'], demands);
}
