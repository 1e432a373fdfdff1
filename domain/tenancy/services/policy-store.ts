import { at, invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { compilePolicy, type HolderPolicy } from '../../holdings/policies/holder-policies.ts';
import type { PolicyPorts } from '../../verifier/policies/policy.ts';
import { readPolicies } from '../../verifier/policies/read.ts';
import { findPolicy, shownPolicy } from '../../verifier/policies/table.ts';
import type { PolicyRequest } from '../../verifier/protocol.ts';
import { childOf, nameOf, type Target } from '../access/targets.ts';
import { type PolicyContent, RESOURCE_KINDS, type StoredPolicy } from '../tree/resource-kinds.ts';
import { SERVICE_TYPES } from '../tree/service-types.ts';
import { type ChildRequest, ChildStore, type ServiceParts } from './child-creation.ts';

/** A policy to store, as its caller writes it; that of a holder has an `action`. */
interface WrittenPolicy {
  name?: string;
  description?: string;
  policy: JsonObject;
}

/**
 * Policy stores: services of the type `policy-store`. Verifiers run policies of theirs by name, and wallets all those of
 * holders. A policy of a verifier must be one that the verifier knows, with an argument that it takes, and the checks of
 * one of a holder must be readable: errors name either.
 */
export class PolicyStores extends ChildStore<WrittenPolicy, PolicyContent, StoredPolicy | HolderPolicy> {
  constructor(private readonly parts: ServiceParts & { ports: PolicyPorts }) {
    super(parts, SERVICE_TYPES['policy-store'].children);
  }

  /** The policy of a verifier at a target as it is run, with its secrets. @throws DomainError `NotFound`, `BadRequest` */
  async policy(target: Target): Promise<PolicyRequest> {
    const stored = await this.parts.tree.secret(RESOURCE_KINDS.policies, target);
    if (isOfHolder(stored)) throw invalidField([], `${target} is a policy of holders, which verifiers do not run`);
    return stored;
  }

  /** Adds a policy under the name or the target that its caller writes. @throws DomainError `BadRequest` naming `_id`, and as `add` */
  addNamed({ target, ...request }: ChildRequest, { _id: id, ...written }: WrittenPolicy & { _id: string }) {
    const isThere = id === target || id === nameOf(target);
    const isBelow = !id.includes('.') || id.startsWith(`${target}.`);
    if (!isThere && !isBelow) throw invalidField(['_id'], 'must be the entry at the target, or one below it');
    return this.add({ ...request, target: isThere ? target : childOf(target, nameOf(id)) }, written);
  }

  protected async read({ name, description, policy }: WrittenPolicy) {
    const shown = { ...(name !== undefined && { name }), ...(description !== undefined && { description }) };
    if (isOfHolder(policy)) {
      await at(['policy'], () => compilePolicy(policy, this.parts.ports));
      return { content: { ...shown, policy }, secret: policy };
    }
    const known = findPolicy(String(policy.policy));
    const scope = known?.scopes.includes('vc') === false ? 'vp' : 'vc';
    const list = { list: [policy], scope, ports: this.parts.ports } as const;
    const [secret] = await at({ 0: ['policy'] }, () => readPolicies(list));
    if (!secret) throw invalidField(['policy'], 'is not a policy');
    return { content: { ...shown, policy: shownPolicy(secret) }, secret };
  }
}

/** Whether a policy is one of a holder. */
export const isOfHolder = (policy: object): policy is HolderPolicy => 'action' in policy;
