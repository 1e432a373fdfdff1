import type { DocumentElements, RequestedElement } from '../../presentation/exchange/definition.ts';
import type { ClaimDescription, CredentialConfigurations } from '../credential-configuration.ts';

/**
 * What verifiers ask of each configured document: the elements that every one has (`mandatory`), or all described ones
 * as far as it has them. Of configurations of one type the first that describes elements counts.
 */
export function documentElements(configurations: CredentialConfigurations): DocumentElements {
  const documents = new Map<string, RequestedElement[]>();
  for (const { facts, type, claims } of configurations.values())
    if (type !== undefined && facts.selector === 'doc_type' && !documents.get(type)?.length)
      documents.set(type, elementsOf(claims));
  return documents;
}

function elementsOf(claims: readonly ClaimDescription[]): RequestedElement[] {
  const all = claims.flatMap(({ path: [nameSpace, element, ...parts], mandatory }) =>
    typeof nameSpace === 'string' && typeof element === 'string' && parts.length === 0
      ? [{ path: [nameSpace, element] as const, mandatory }]
      : [],
  );
  const mandatory = all.filter((element) => element.mandatory);
  return mandatory.length > 0
    ? mandatory.map(({ path }) => ({ path }))
    : all.map(({ path }) => ({ path, optional: true }));
}
