import type { BrokenConstraint, QueriedCredential } from '../matching/compiled-query.ts';
import type { CompiledDescriptor } from './matching.ts';
import type { MatchedPresentations } from './relational-constraints.ts';

type Path = readonly (string | number)[];

/**
 * The first presented credential that discloses what no descriptor asks for, where one that it is presented for has
 * `limit_disclosure: required` and none of the others lets it disclose all (Presentation Exchange 2.0 §5). Only what the
 * holder could withhold counts: a credential without that choice is always shown whole.
 */
export function excessOf(
  descriptors: ReadonlyMap<string, CompiledDescriptor>,
  { presentations, matches }: MatchedPresentations,
): BrokenConstraint | undefined {
  const credentials = presentations.flatMap((presentation) => presentation.credentials);
  for (const [index, credential] of credentials.entries()) {
    const presentedFor = matches.filter((match) => match.credentials.includes(index));
    const asking = presentedFor.flatMap(({ queryId }) => descriptors.get(queryId) ?? []);
    if (!credential?.withholdable || asking.length === 0 || !asking.every(({ isLimited }) => isLimited)) continue;
    const excess = excessIn(credential, asking);
    if (excess) return broken(asking[0]?.id ?? '', excess);
  }
  return undefined;
}

/** Who asks for a part needs the whole around it; who asks for a whole is given its parts. */
function excessIn(
  { claims, withholdable = [] }: QueriedCredential,
  asking: readonly CompiledDescriptor[],
): Path | undefined {
  const [wholes, around] = [new Set<string>(), new Set<string>()];
  for (const { locate } of asking.flatMap(({ fields }) => fields))
    for (const { path: place } of locate.flatMap((find) => find(claims))) {
      wholes.add(keyOf(place));
      for (const part of beginningsOf(place)) around.add(part);
    }
  return withholdable.find(
    (shown) => !around.has(keyOf(shown)) && !beginningsOf(shown).some((part) => wholes.has(part)),
  );
}

const keyOf = (path: Path): string => JSON.stringify(path);

/** The beginnings of a path, and the path. */
const beginningsOf = (path: Path): string[] => [
  keyOf([]),
  ...path.map((_part, index) => keyOf(path.slice(0, index + 1))),
];

const broken = (id: string, excess: Path): BrokenConstraint => ({
  constraint: 'limit_disclosure',
  constraintFailureDescription: `${excess.join('.').slice(0, 200)} was disclosed, which ${id} does not ask for`,
});
