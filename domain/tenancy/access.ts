import { DomainError } from '../foundation/errors.ts';
import { allows, canDelegate, canSee, type Rights } from './permissions.ts';
import type { Principals } from './principals.ts';
import { nothingAt, type Target } from './targets.ts';

/** Decides who may do what. What somebody may not see is answered as if it were not there. */
export class Access {
  readonly #principals: Principals;

  constructor(principals: Principals) {
    this.#principals = principals;
  }

  /**
   * Lets somebody pass who may do all of `actions` at a target, whether or not there is anything.
   * @throws DomainError `Forbidden`, or `NotFound` for a target that is not theirs to see
   */
  async require(caller: string, actions: readonly string[], target: Target): Promise<Rights> {
    const rights = await this.#principals.rightsOf(caller);
    for (const action of actions) requireAction(rights, action, target);
    return rights;
  }

  /** Lets those pass who may hand out rights over a subtree. @throws DomainError `Forbidden`, `NotFound` */
  async requireFullControl(caller: string, target: Target): Promise<Rights> {
    const rights = await this.#principals.rightsOf(caller);
    if (canDelegate(rights, target)) return rights;
    throw refusal(rights, target, 'Only who may do everything here can do this');
  }

  /** @throws DomainError `Forbidden` */
  async requireSuperadmin(caller: string): Promise<void> {
    const rights = await this.#principals.rightsOf(caller);
    if (!rights.everything) throw new DomainError('Forbidden', 'Only a superadmin can do this');
  }
}

/** @throws DomainError `Forbidden`, or `NotFound` for a target that is not theirs to see */
export function requireAction(rights: Rights, action: string, target: Target): void {
  if (!allows(rights, action, target)) throw refusal(rights, target, `The permission ${action} is missing here`);
}

const refusal = (rights: Rights, target: Target, message: string): DomainError =>
  canSee(rights, target) ? new DomainError('Forbidden', message) : nothingAt(target);
