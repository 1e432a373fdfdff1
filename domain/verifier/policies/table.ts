import { at, invalidField, isDomainError } from '../../foundation/errors.ts';
import { isObject } from '../../foundation/json.ts';
import {
  allowedIssuer,
  holderBinding,
  maximumCredentials,
  minimumCredentials,
  presentationDefinition,
} from './credentials.ts';
import type {
  Policy,
  PolicyContext,
  PolicyOutcome,
  PolicyPorts,
  PolicyRequest,
  PolicyResult,
  PolicyScope,
  Subject,
} from './policy.ts';
import { schema } from './schema.ts';
import { signature } from './signature.ts';
import { expired, notBefore } from './validity.ts';
import { webhook } from './webhook.ts';

/** The table of policies; add a row to add one (interface: Policy). */
const POLICIES: ReadonlyMap<string, Policy> = new Map(
  Object.entries({
    signature,
    expired,
    'not-before': notBefore,
    schema,
    'presentation-definition': presentationDefinition,
    webhook,
    'holder-binding': holderBinding,
    'minimum-credentials': minimumCredentials,
    'maximum-credentials': maximumCredentials,
    'allowed-issuer': allowedIssuer,
  }),
);

/** Every policy with its description. */
export const policyList = (): Record<string, string> =>
  Object.fromEntries([...POLICIES].map(([name, { description }]) => [name, description]));

/** A list of policies as a caller wrote it. */
export interface PolicyListRequest {
  list: readonly unknown[];
  scope: PolicyScope;
  ports: PolicyPorts;
}

/** Reads a list of policies. @throws DomainError `BadRequest` naming the element that is unknown or has a bad argument */
export const readPolicies = ({ list, ...given }: PolicyListRequest): Promise<PolicyRequest[]> =>
  Promise.all(list.map((item, index) => at([index], () => readPolicy(item, given))));

async function readPolicy(item: unknown, { scope, ports }: Omit<PolicyListRequest, 'list'>): Promise<PolicyRequest> {
  const { policy: name, args: given } = isObject(item) ? item : { policy: item, args: undefined };
  const args = given ?? undefined;
  const policy = typeof name === 'string' ? POLICIES.get(name) : undefined;
  if (!policy || typeof name !== 'string') throw invalidField([], `there is no policy ${shown(name)}`);
  if (!policy.scopes.includes(scope)) throw invalidField([], `the policy ${name} is only for vp_policies`);
  if (args !== undefined && !policy.readArgs) throw invalidField(['args'], `the policy ${name} takes no args`);
  const read = await at(['args'], async () => policy.readArgs?.(args, ports));
  return read === undefined ? { policy: name } : { policy: name, args: read };
}

const shown = (name: unknown): string => (typeof name === 'string' ? `"${name.slice(0, 64)}"` : 'of that kind');

/** Runs one policy. A policy that throws has failed; a `DomainError` gives the reason. */
export async function runPolicy(
  request: PolicyRequest,
  subject: Subject,
  context: PolicyContext,
): Promise<PolicyResult> {
  const policy = POLICIES.get(request.policy);
  const outcome = await attempt(policy, { request, subject, context });
  return { ...request, description: policy?.description ?? '', is_success: 'result' in outcome, ...outcome };
}

interface Run {
  request: PolicyRequest;
  subject: Subject;
  context: PolicyContext;
}

async function attempt(policy: Policy | undefined, { request, subject, context }: Run): Promise<PolicyOutcome> {
  if (!policy) return { error: 'There is no such policy' };
  try {
    return await policy.run(subject, { ...context, args: request.args });
  } catch (error) {
    if (isDomainError(error)) return { error: error.message };
    context.log.error('A policy failed unexpectedly', { policy: request.policy, error: String(error) });
    return { error: 'The policy could not be run' };
  }
}
