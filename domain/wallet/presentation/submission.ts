import type { Turns } from '../../../ports/system.ts';
import { mapInTurns } from '../../foundation/concurrency.ts';
import { at, type DomainError, invalidField } from '../../foundation/errors.ts';
import { countValues } from '../../foundation/json.ts';
import type { StoredCredential } from '../../holdings/credentials.ts';
import {
  type CompiledQuery,
  type Hint,
  MAX_MATCHING_WORK,
  type Match,
  type QueriedCredential,
  type QueryPorts,
} from '../../presentation/matching/compiled-query.ts';
import { compileQuery, type PresentationQuery } from '../../presentation/query.ts';

/**
 * Paths are evaluated on the whole payload. The algorithms of `format` are left to the verifier: existing verifiers list
 * one in each definition they generate and accept others.
 */
const asQueried = ({ format, parsed }: StoredCredential): QueriedCredential | undefined =>
  parsed && { ...parsed, format, alg: undefined };

/** Compiles a query to match these credentials. @throws DomainError as `compileQuery` */
export const compileFor = (
  query: PresentationQuery,
  { matching: ports, credentials }: { matching: QueryPorts; credentials: readonly StoredCredential[] },
): Promise<CompiledQuery> => compileQuery(query, ports, credentials.map(asQueried));

const valuesIn = ({ parsed }: StoredCredential): number => countValues(parsed?.claims);

/**
 * Returns the credentials of a whole wallet that satisfy each query; other work has its turn meanwhile.
 * @throws DomainError `BadRequest` when the work is too much
 */
export async function candidates(
  query: CompiledQuery,
  credentials: StoredCredential[],
  turns: Turns,
): Promise<Match[]> {
  requireAffordable(query, await mapInTurns(turns, credentials, valuesIn));
  const each = await mapInTurns(turns, credentials, (one) => query.match([{ credentials: [asQueried(one)] }], []));
  return query.queryIds.map((queryId, place) => {
    const found = [...each.keys()].filter((index) => each[index]?.[place]?.met === true);
    return { queryId, credentials: found, met: found.length > 0 };
  });
}

function requireAffordable({ cost }: CompiledQuery, values: number[]): void {
  if (cost * values.reduce((sum, count) => sum + count, 0) > MAX_MATCHING_WORK)
    throw invalidField([], 'the definition is too costly to match against this many credentials');
}

/** Returns the credentials that satisfy at least one query, in their order. @throws DomainError `BadRequest` */
export async function matching(
  query: CompiledQuery,
  credentials: StoredCredential[],
  turns: Turns,
): Promise<StoredCredential[]> {
  const found = new Set((await candidates(query, credentials, turns)).flatMap((match) => match.credentials));
  return credentials.filter((_, index) => found.has(index));
}

/**
 * Assigns the selected credentials to the queries they satisfy: each query gets a credential, one of its own where
 * possible, and each credential a query, so that nothing is disclosed that was not requested.
 * @throws DomainError `BadRequest` naming the query without a credential, or the credential without a query
 */
export function assign(query: CompiledQuery, selected: StoredCredential[]): Hint[] {
  at(['selectedCredentials'], () => requireAffordable(query, selected.map(valuesIn)));
  const matches = query.match([{ credentials: selected.map(asQueried) }], []);
  if (!query.isSatisfied(matches)) throw unanswered(matches.find(({ met }) => !met)?.queryId ?? '');
  const own = distinctCredentials(matches);
  const assigned = matches.flatMap(({ queryId, credentials }, place): Hint[] => {
    const index = own[place] ?? credentials[0];
    return index === undefined ? [] : [{ queryId, index }];
  });
  const used = new Set(assigned.map(({ index }) => index));
  const spare = [...selected.keys()].filter((index) => !used.has(index));
  return [
    ...assigned,
    ...spare.map((index) => {
      const asking = matches.filter(({ credentials }) => credentials.includes(index));
      const match = asking.find(({ queryId }) => !query.singleIds.has(queryId));
      if (match) return { queryId: match.queryId, index };
      const why = asking.length === 0 ? 'was not asked for' : 'is one more than was asked for';
      throw invalidField(['selectedCredentials'], `${selected[index]?.id.slice(0, 80)} ${why}`);
    }),
  ];
}

/** Gives as many queries as possible a credential that no other query gets (augmenting paths); by the place of the query. */
function distinctCredentials(matches: readonly Match[]): (number | undefined)[] {
  const takenBy = new Map<number, number>();
  const take = (place: number, tried: Set<number>): boolean => {
    for (const index of matches[place]?.credentials ?? []) {
      if (tried.has(index)) continue;
      tried.add(index);
      const other = takenBy.get(index);
      if (other !== undefined && !take(other, tried)) continue;
      takenBy.set(index, place);
      return true;
    }
    return false;
  };
  for (const place of matches.keys()) take(place, new Set());
  const own: (number | undefined)[] = matches.map(() => undefined);
  for (const [index, place] of takenBy) own[place] = index;
  return own;
}

const unanswered = (id: string): DomainError =>
  invalidField(['selectedCredentials'], `none answers the descriptor "${id.slice(0, 64)}"`);
