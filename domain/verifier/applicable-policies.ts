import type { CompiledQuery, Match, QueriedPresentation } from '../presentation/compiled-query.ts';
import type { PolicyRequest } from './policies/policy.ts';
import type { VerificationRequest } from './verification-session.ts';

/** A presentation that was matched with a query. */
export interface MatchedPresentation {
  query: CompiledQuery;
  presentation: QueriedPresentation;
  matches: readonly Match[];
}

/**
 * The policies of the presented credential at `index`: the union of the lists of every query that it is presented for or
 * satisfies, where a query without a list of its own has the global one. Lists of unknown queries run on every
 * credential. So neither type, place nor order of the credentials leaves a policy out.
 */
export function applicablePolicies(
  { ownPolicies, vcPolicies }: Pick<VerificationRequest, 'ownPolicies' | 'vcPolicies'>,
  { query, presentation, matches }: MatchedPresentation,
  index: number,
): PolicyRequest[] {
  const unbound = ownPolicies
    .filter(({ queryId }) => !query.queryIds.includes(queryId))
    .map(({ policies }) => policies);
  const listOf = (id: string): PolicyRequest[] => {
    const own = ownPolicies.filter(({ queryId }) => queryId === id);
    return own.length === 0 ? vcPolicies : own.flatMap(({ policies }) => policies);
  };
  const isBound = ({ queryId, credentials }: Match): boolean =>
    credentials.includes(index) || query.accepts(queryId, presentation.credentials[index]);
  const bound = ownPolicies.length === 0 ? [] : matches.filter(isBound).map(({ queryId }) => listOf(queryId));
  const united = [...(bound.length > 0 ? bound : [vcPolicies]), ...unbound].flat();
  return [...new Map(united.map((policy) => [JSON.stringify(policy), policy])).values()];
}
