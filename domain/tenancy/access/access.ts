import { DomainError } from '../../foundation/errors.ts';
import { type Action, allows, canDelegate, canSee, type Rights } from './permissions.ts';
import type { Principals } from './principals.ts';
import { nothingAt, type Target } from './targets.ts';

/** Authorizes callers. What a caller may not see is answered as if it did not exist. */
export class Access {
  constructor(private readonly principals: Principals) {}

  /**
   * Requires all of `actions` at a target, whether or not a resource is there.
   * @throws DomainError `Forbidden`, or `NotFound` for a target that the caller may not see
   */
  async require(caller: string, actions: readonly Action[], target: Target): Promise<Rights> {
    const rights = await this.principals.rightsOf(caller);
    for (const action of actions) requireAction(rights, action, target);
    return rights;
  }

  /** Whether a caller may do this at a target. */
  async allows(caller: string, action: Action, target: Target): Promise<boolean> {
    return allows(await this.principals.rightsOf(caller), action, target);
  }

  /** Requires the right to grant rights in a subtree. @throws DomainError `Forbidden`, `NotFound` */
  async requireFullControl(caller: string, target: Target): Promise<Rights> {
    const rights = await this.principals.rightsOf(caller);
    if (canDelegate(rights, target)) return rights;
    throw refusal(
      rights,
      target,
      'Full control of this target is required: the permission all here and on everything below',
    );
  }

  /** @throws DomainError `Forbidden` */
  async requireSuperadmin(caller: string): Promise<void> {
    const rights = await this.principals.rightsOf(caller);
    if (!rights.everything) throw new DomainError('Forbidden', 'Only a superadmin can do this');
  }
}

/** @throws DomainError `Forbidden`, or `NotFound` for a target that the caller may not see */
export function requireAction(rights: Rights, action: Action, target: Target): void {
  if (!allows(rights, action, target)) throw refusal(rights, target, `The permission ${action} is missing here`);
}

const refusal = (rights: Rights, target: Target, message: string): DomainError =>
  canSee(rights, target) ? new DomainError('Forbidden', message) : nothingAt(target);
