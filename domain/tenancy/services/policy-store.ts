import { at, invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { PolicyPorts } from '../../verifier/policies/policy.ts';
import { readPolicies } from '../../verifier/policies/read.ts';
import { findPolicy, shownPolicy } from '../../verifier/policies/table.ts';
import type { PolicyRequest } from '../../verifier/protocol.ts';
import type { Target } from '../access/targets.ts';
import type { PolicyContent, StoredPolicy } from '../tree/resource-kinds.ts';
import type { TreeResource } from '../tree/resource-repository.ts';
import { SERVICE_TYPES } from '../tree/service-types.ts';
import { type ChildRequest, createChild, replaceChild, type ServiceParts } from './child-creation.ts';

/** A policy to store, as its caller writes it. */
interface WrittenPolicy {
  name: string;
  description?: string;
  policy: JsonObject;
}

const { children } = SERVICE_TYPES['policy-store'];

/** Policy stores: services of the type `policy-store`, whose policies verifiers run by name. */
export class PolicyStores {
  constructor(private readonly parts: ServiceParts & { ports: PolicyPorts }) {}

  /**
   * Stores a policy that the verifier knows, with an argument that it takes.
   * @throws DomainError `BadRequest` naming the policy or its argument, `Forbidden`, `NotFound`, `Conflict`
   */
  addPolicy(request: ChildRequest, written: WrittenPolicy): Promise<TreeResource<PolicyContent>> {
    const create = async (target: Target) => this.parts.tree.add(children.kind, target, await this.#read(written));
    return createChild(this.parts, { ...request, children, create });
  }

  /** Replaces a policy. @throws DomainError `BadRequest`, `Forbidden`, `NotFound` */
  replacePolicy(request: ChildRequest, written: WrittenPolicy): Promise<TreeResource<PolicyContent>> {
    return replaceChild(this.parts, request, { children, read: () => this.#read(written) });
  }

  /** The policy at a target as it is run, with its secrets. @throws DomainError `NotFound` */
  policy(target: Target): Promise<PolicyRequest> {
    return this.parts.tree.secret(children.kind, target);
  }

  async #read({ name, description, policy }: WrittenPolicy): Promise<{ content: PolicyContent; secret: StoredPolicy }> {
    const known = findPolicy(String(policy.policy));
    const scope = known?.scopes.includes('vc') === false ? 'vp' : 'vc';
    const list = { list: [policy], scope, ports: this.parts.ports } as const;
    const [secret] = await at({ 0: ['policy'] }, () => readPolicies(list));
    if (!secret) throw invalidField(['policy'], 'is not a policy');
    return { content: { name, description, policy: shownPolicy(secret) }, secret };
  }
}
