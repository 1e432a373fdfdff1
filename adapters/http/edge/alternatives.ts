import type { ErrorObject } from 'ajv';

/**
 * Keeps one message per wrong value: of the alternatives of a schema (`oneOf`, `anyOf`) the violations of the one whose
 * type the value has, or one that names all types when the value has none of them.
 */
export function withoutOtherAlternatives(errors: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword !== 'oneOf' && error.keyword !== 'anyOf') {
      kept.push(error);
      continue;
    }
    // Ajv reports the violations of all alternatives, in their order, just before the one of the choice.
    const own: ErrorObject[] = [];
    for (let last = kept.at(-1); last && isWithin(last, error); last = kept.at(-1)) {
      own.push(last);
      kept.pop();
    }
    for (const meant of meantBy(error, own.reverse())) kept.push(meant);
  }
  return kept;
}

const isWithin = (error: ErrorObject, choice: ErrorObject): boolean =>
  error.schemaPath.startsWith(`${choice.schemaPath}/`) &&
  (error.instancePath === choice.instancePath || error.instancePath.startsWith(`${choice.instancePath}/`));

function meantBy(choice: ErrorObject, own: readonly ErrorObject[]): ErrorObject[] {
  const alternativeOf = ({ schemaPath }: ErrorObject): string =>
    schemaPath.slice(choice.schemaPath.length + 1).split('/', 1)[0] ?? '';
  const mistyped = own.filter(
    ({ keyword, instancePath }) => keyword === 'type' && instancePath === choice.instancePath,
  );
  const excluded = new Set(mistyped.map(alternativeOf));
  const [meant] = own.map(alternativeOf).filter((alternative) => !excluded.has(alternative));
  if (meant !== undefined) return own.filter((error) => alternativeOf(error) === meant);
  const types = mistyped.flatMap(({ params }) => params.type);
  return [types.length === 0 ? choice : { ...choice, keyword: 'type', params: { type: types } }];
}
