import { type DescriptorMatches, descriptorsOf } from '../presentation/exchange/descriptor-matches.ts';
import type { PolicyRequest } from './policies/policy.ts';
import type { VerificationRequest } from './verification-session.ts';

/**
 * The policies of one presented credential: the union of the lists of every element it is presented for or satisfies,
 * where an element without a list of its own has the global one. Lists that no descriptor is bound to run on every
 * credential. So neither type, place nor order of what is presented leaves a policy out.
 */
export function applicablePolicies(
  request: VerificationRequest,
  coverage: DescriptorMatches,
  index: number,
): PolicyRequest[] {
  const { definition, ownPolicies, vcPolicies } = request;
  const known = new Set(definition.input_descriptors.map(({ id }) => id));
  const unbound = ownPolicies.filter(({ descriptorId }) => !known.has(descriptorId)).map(({ policies }) => policies);
  const listOf = (id: string): PolicyRequest[] => {
    const own = ownPolicies.filter(({ descriptorId }) => descriptorId === id);
    return own.length === 0 ? vcPolicies : own.flatMap(({ policies }) => policies);
  };
  const bound = ownPolicies.length === 0 ? [] : descriptorsOf(coverage, index).map(listOf);
  const united = [...(bound.length > 0 ? bound : [vcPolicies]), ...unbound].flat();
  return [...new Map(united.map((policy) => [JSON.stringify(policy), policy])).values()];
}
