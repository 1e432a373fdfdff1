import { at, invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { PolicyPorts } from '../../verifier/policies/policy.ts';
import { readPolicies } from '../../verifier/policies/read.ts';
import { findPolicy, shownPolicy } from '../../verifier/policies/table.ts';
import type { PolicyRequest } from '../../verifier/protocol.ts';
import type { Target } from '../access/targets.ts';
import { type PolicyContent, RESOURCE_KINDS, type StoredPolicy } from '../tree/resource-kinds.ts';
import { SERVICE_TYPES } from '../tree/service-types.ts';
import { ChildStore, type ServiceParts } from './child-creation.ts';

/** A policy to store, as its caller writes it. */
interface WrittenPolicy {
  name: string;
  description?: string;
  policy: JsonObject;
}

/**
 * Policy stores: services of the type `policy-store`, whose policies verifiers run by name. A policy must be one that the verifier
 * knows, with an argument that it takes: errors name either.
 */
export class PolicyStores extends ChildStore<WrittenPolicy, PolicyContent, StoredPolicy> {
  constructor(private readonly parts: ServiceParts & { ports: PolicyPorts }) {
    super(parts, SERVICE_TYPES['policy-store'].children);
  }

  /** The policy at a target as it is run, with its secrets. @throws DomainError `NotFound` */
  policy(target: Target): Promise<PolicyRequest> {
    return this.parts.tree.secret(RESOURCE_KINDS.policies, target);
  }

  protected async read({ name, description, policy }: WrittenPolicy) {
    const known = findPolicy(String(policy.policy));
    const scope = known?.scopes.includes('vc') === false ? 'vp' : 'vc';
    const list = { list: [policy], scope, ports: this.parts.ports } as const;
    const [secret] = await at({ 0: ['policy'] }, () => readPolicies(list));
    if (!secret) throw invalidField(['policy'], 'is not a policy');
    return { content: { name, description, policy: shownPolicy(secret) }, secret };
  }
}
