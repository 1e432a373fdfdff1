import { invalidField } from '../../foundation/errors.ts';
import type { Access } from './access.ts';
import { ACTIONS, type Action, canSee, decide, type Grant } from './permissions.ts';
import type { Principals } from './principals.ts';
import type { Target } from './targets.ts';

/** Whether something is allowed, and what decides it. */
interface PermissionAnswer {
  allowed: boolean;
  /** Absent when nothing is granted. `role` is absent when the caller may not see it. */
  decidedBy?: { superadmin: true } | { role?: Target; permission: Grant };
}

/** Who asks whether which account may do what at which target. */
interface PermissionQuestion {
  caller: string;
  target: Target;
  /** The caller itself when absent. */
  account?: string;
  action: string;
}

/** Answers what accounts may do, and which grant decides. */
export class PermissionInquiry {
  constructor(
    private readonly access: Access,
    private readonly principals: Principals,
  ) {}

  /** Any caller may ask about itself. @throws DomainError `BadRequest`, and about others `Forbidden`, `NotFound` */
  async answer({ caller, target, account = caller, action }: PermissionQuestion): Promise<PermissionAnswer> {
    const isOwn = account === caller;
    const own = isOwn ? undefined : await this.access.require(caller, ['permission-view'], target);
    if (!isAction(action)) throw invalidField(['action'], 'is not an action; GET /v1/admin/actions lists them');
    const rights = await this.principals.roleRightsOf(account);
    if (rights.everything) return { allowed: true, decidedBy: { superadmin: true } };
    const { isAllowed: allowed, decidedBy } = decide(rights.grants, action, target);
    if (!decidedBy) return { allowed };
    const { role, ...permission } = decidedBy;
    const isShown = role !== undefined && (own === undefined || canSee(own, role));
    return { allowed, decidedBy: { ...(isShown && { role }), permission } };
  }
}

const isAction = (text: string): text is Action => Object.hasOwn(ACTIONS, text);
