import { at, invalidField } from '../../foundation/errors.ts';
import { isObject, type JsonObject } from '../../foundation/json.ts';
import type { PolicyRequest } from '../protocol.ts';
import type { Policy, PolicyPorts, PolicyScope } from './policy.ts';
import { findPolicy } from './table.ts';

/** A list of policies as a caller wrote it. */
interface PolicyListRequest {
  list: readonly unknown[];
  scope: PolicyScope;
  ports: PolicyPorts;
}

/**
 * Reads a list of policies: names, `{policy, args}`, or, as requests of OpenID4VP 1.0 write them, `{policy}` with the
 * argument in the other members. @throws DomainError `BadRequest` naming the element that is unknown or has a bad argument
 */
export const readPolicies = ({ list, ...given }: PolicyListRequest): Promise<PolicyRequest[]> =>
  Promise.all(list.map((item, index) => at([index], () => readPolicy(item, given))));

async function readPolicy(item: unknown, { scope, ports }: Omit<PolicyListRequest, 'list'>): Promise<PolicyRequest> {
  const { policy: name, ...members } = isObject(item) ? item : { policy: item };
  const policy = typeof name === 'string' ? findPolicy(name) : undefined;
  if (!policy || typeof name !== 'string') throw invalidField([], `there is no policy ${shown(name)}`);
  if (!policy.scopes.includes(scope)) throw invalidField([], `the policy ${name} is only for ${LISTS[scope]}`);
  const { place, args } = argumentOf(policy, members);
  const read = await at(place, () => policy.readArgs(args ?? undefined, ports));
  return read === undefined ? { policy: name } : { policy: name, args: read };
}

/** The list that a policy that is not for a scope belongs to. */
const LISTS: Record<PolicyScope, string> = { vp: 'vc_policies', vc: 'vp_policies' };

function argumentOf({ argument }: Policy, { args, ...inline }: JsonObject): { place: string[]; args: unknown } {
  const [first] = Object.keys(inline);
  if (first === undefined) return { place: ['args'], args };
  if (args !== undefined) throw invalidField([first.slice(0, 64)], 'does not go with args');
  const { member } = argument ?? {};
  if (argument && member === undefined) return { place: [], args: inline };
  const other = Object.keys(inline).find((name) => name !== member);
  if (member === undefined || other !== undefined)
    throw invalidField([(other ?? first).slice(0, 64)], 'is not taken by this policy');
  return { place: [member], args: inline[member] };
}

const shown = (name: unknown): string => (typeof name === 'string' ? `"${name.slice(0, 64)}"` : 'of that kind');
