import { LISTS, type Lists } from '../../../../domain/tenancy/services/lists.ts';
import type { TenantVerifiers } from '../../../../domain/tenancy/services/tenant-verifiers.ts';
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

/** Verification sessions of tenants. */
export const tenantVerifierHandlers = ({ verification, verifiers, lists }: TenantVerifierServices) => ({
  ...mountedHandlers(verifier2Handlers(verification), async ({ path: { target } }) => ({
    verifier: await verifiers.at(target),
  })),
  listVerificationSessions: listPages(lists, LISTS.listVerificationSessions),
});
