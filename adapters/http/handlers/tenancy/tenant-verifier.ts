import { at } from '../../../../domain/foundation/errors.ts';
import { LISTS, type Lists } from '../../../../domain/tenancy/services/lists.ts';
import type { SavedChecks } from '../../../../domain/tenancy/services/saved-checks.ts';
import type { TenantVerifiers } from '../../../../domain/tenancy/services/tenant-verifiers.ts';
import { RESOURCE_KINDS } from '../../../../domain/tenancy/tree/resource-kinds.ts';
import type { Resources } from '../../../../domain/tenancy/tree/resources.ts';
import { SERVICE_TYPES } from '../../../../domain/tenancy/tree/service-types.ts';
import { done, type Handlers, reply, replyToBody } from '../../messages/operations.ts';
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
    createSavedCheck: replyToBody(201, ({ body, path, rights }) =>
      savedChecks.add({ rights, target: path.target }, body),
    ),
    getSavedCheck: reply(200, ({ path }) => resources.child(path.target, SERVICE_TYPES.verifier2.children)),
    replaceSavedCheck: replyToBody(200, ({ path, body }) => savedChecks.replace(path.target, body)),
    deleteSavedCheck: done(204, ({ path, rights }) => resources.remove(rights, path.target, RESOURCE_KINDS.checks)),
    listSavedChecks: listPages(lists, LISTS.listSavedChecks),
    createSessionOfCheck: async ({ body, path }) => {
      const created = await at(['body'], () => savedChecks.createSession(path.target, body));
      return createdSession(verification.requestEndpoint, created);
    },
  }) satisfies Partial<Handlers<'tenant-verifier'>>;
