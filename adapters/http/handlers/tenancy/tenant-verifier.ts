import { at } from '../../../../domain/foundation/errors.ts';
import { LISTS, type Lists } from '../../../../domain/tenancy/services/lists.ts';
import type { SavedChecks } from '../../../../domain/tenancy/services/saved-checks.ts';
import type { TenantVerifiers } from '../../../../domain/tenancy/services/tenant-verifiers.ts';
import { RESOURCE_KINDS } from '../../../../domain/tenancy/tree/resource-kinds.ts';
import type { Resources } from '../../../../domain/tenancy/tree/resources.ts';
import { SERVICE_TYPES } from '../../../../domain/tenancy/tree/service-types.ts';
import type { Handlers } from '../../messages/operations.ts';
import { createdSession, type Verifier2Services, verifier2Handlers } from '../verifier2.ts';
import { listPages } from './list-pages.ts';
import { mountedHandlers } from './mounted.ts';

/** What the handlers of the document `tenant-verifier` need. */
export interface TenantVerifierServices {
  /** The services of the open endpoints, which serve any verifier. */
  verification: Verifier2Services;
  verifiers: TenantVerifiers;
  savedChecks: SavedChecks;
  resources: Resources;
  lists: Lists;
}

/** Verification sessions of tenants, and checks that are saved for them. */
export const tenantVerifierHandlers = (services: TenantVerifierServices) => ({
  ...mountedHandlers(verifier2Handlers(services.verification), async ({ path: { target } }) => ({
    verifier: await services.verifiers.at(target),
  })),
  ...checkHandlers(services),
  listVerificationSessions: listPages(services.lists, LISTS.listVerificationSessions),
});

const checkHandlers = ({ savedChecks, resources, lists, verification }: TenantVerifierServices) =>
  ({
    createSavedCheck: async ({ body, path, rights }) => ({
      status: 201,
      body: await at(['body'], () => savedChecks.add({ rights, target: path.target }, body)),
    }),
    getSavedCheck: async ({ path }) => ({
      status: 200,
      body: await resources.child(path.target, SERVICE_TYPES.verifier2.children),
    }),
    replaceSavedCheck: async ({ body, path, rights }) => ({
      status: 200,
      body: await at(['body'], () => savedChecks.replace({ rights, target: path.target }, body)),
    }),
    deleteSavedCheck: async ({ path, rights }) => {
      await resources.remove(rights, path.target, RESOURCE_KINDS.checks);
      return { status: 204 };
    },
    listSavedChecks: listPages(lists, LISTS.listSavedChecks),
    createSessionOfCheck: async ({ body, path }) => {
      const created = await at(['body'], () => savedChecks.createSession(path.target, body));
      return createdSession(verification.requestEndpoint, created);
    },
  }) satisfies Partial<Handlers<'tenant-verifier'>>;
