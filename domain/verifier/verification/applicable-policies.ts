import type { CompiledQuery, Match, QueriedCredential } from '../../presentation/matching/compiled-query.ts';
import type { PolicyRequest, VerificationTask } from '../protocol.ts';

/** The credentials of a response, matched with its query. */
interface MatchedCredentials {
  query: CompiledQuery;
  credentials: readonly QueriedCredential[];
  matches: readonly Match[];
}

/**
 * The policies of the presented credential at `index`: the union of the lists of every query that it is presented for or
 * satisfies, where a query without a list of its own has the global one. Lists of unknown queries run on every
 * credential. So neither type, place nor order of the credentials leaves a policy out.
 */
export function applicablePolicies(
  { ownPolicies, vcPolicies }: Pick<VerificationTask, 'ownPolicies' | 'vcPolicies'>,
  { query, credentials: presented, matches }: MatchedCredentials,
  index: number,
): PolicyRequest[] {
  const unbound = ownPolicies
    .filter(({ queryId }) => !query.queryIds.includes(queryId))
    .map(({ policies }) => policies);
  const listOf = (id: string): readonly PolicyRequest[] => {
    const own = ownPolicies.filter(({ queryId }) => queryId === id);
    return own.length === 0 ? vcPolicies : own.flatMap(({ policies }) => policies);
  };
  const isBound = ({ queryId, credentials }: Match): boolean =>
    credentials.includes(index) || query.accepts(queryId, presented[index]);
  const bound = ownPolicies.length === 0 ? [] : matches.filter(isBound).map(({ queryId }) => listOf(queryId));
  const united = [...(bound.length > 0 ? bound : [vcPolicies]), ...unbound].flat();
  return withoutDoubles(united);
}

/** One of those that check the same: the first that is in a list, where any is. */
function withoutDoubles(requests: readonly PolicyRequest[]): PolicyRequest[] {
  const found = new Map<string, PolicyRequest>();
  for (const request of requests) {
    const key = JSON.stringify([request.policy, request.args]);
    if (!found.get(key)?.list) found.set(key, request);
  }
  return [...found.values()];
}
