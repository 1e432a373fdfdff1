import { LISTS, type Lists } from '../../../../domain/tenancy/services/lists.ts';
import type { TenantVerifiers } from '../../../../domain/tenancy/services/tenant-verifiers.ts';
import type { Handlers } from '../../messages/operations.ts';
import { type Verifier2Services, verifier2Handlers } from '../verifier2.ts';
import { listPages } from './list-pages.ts';
import { mountedHandlers } from './mounted.ts';

/** What the handlers of the document `tenant-verifier` need. */
export interface TenantVerifierServices {
  /** The services of the open endpoints, which serve any verifier. */
  verification: Verifier2Services;
  verifiers: TenantVerifiers;
  lists: Lists;
}

const MOUNTS = {
  createVerificationSession: 'verification-create',
  getVerificationSession: 'verifier-session-view',
  redeemResponseCode: 'verifier-session-view',
  streamVerificationSessionEvents: 'verifier-session-view',
  getVerifierEntity: undefined,
  getAuthorizationRequest: undefined,
  postAuthorizationRequest: undefined,
  submitAuthorizationResponse: undefined,
} as const;

/** Verification sessions of tenants. */
export const tenantVerifierHandlers = (services: TenantVerifierServices) => ({
  ...sessionHandlers(services),
  ...listHandlers(services),
});

const sessionHandlers = ({ verification, verifiers }: TenantVerifierServices) =>
  mountedHandlers(MOUNTS, async ({ target, path, caller, action }) => {
    const request = { caller: caller.accountId, target, session: path.sessionId };
    const verifier = await (action === undefined ? verifiers.at(target) : verifiers.managed(request, action));
    return verifier2Handlers({ ...verification, verifier });
  });

const listHandlers = ({ lists }: TenantVerifierServices) =>
  ({ listVerificationSessions: listPages(lists, LISTS.listVerificationSessions) }) satisfies Partial<
    Handlers<'tenant-verifier'>
  >;
