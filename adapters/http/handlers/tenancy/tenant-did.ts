import type { DidRegistries } from '../../../../domain/tenancy/services/dids/did-registries.ts';
import type { DidServices } from '../../../../domain/tenancy/services/dids/did-services.ts';
import { type Handlers, hostOf, reply, replyToBody } from '../../messages/operations.ts';

/** What the handlers of the document `tenant-did` need. */
export interface TenantDidServices {
  dids: DidServices;
  didRegistries: DidRegistries;
}

/** Keys are replaced rarely, and those that were stolen at once. */
const DOCUMENT_HEADERS = { 'cache-control': 'public, max-age=60' };

/** The DID services and DID registries of tenants. */
export const tenantDidHandlers = ({ dids, didRegistries }: TenantDidServices): Handlers<'tenant-did'> => ({
  createServiceDid: replyToBody(201, ({ path, body }) => dids.create(path.target, path.method, body)),
  rotateServiceDid: replyToBody(200, ({ path, body, rights }) => dids.rotate({ rights, ...path }, body)),
  deactivateServiceDid: replyToBody(200, ({ path, body }) => dids.deactivate(path.target, body.did)),
  getRegistryDid: reply(
    200,
    ({ path, caller }) => didRegistries.atPath(path.target, { id: path.did, host: hostOf(caller) }),
    DOCUMENT_HEADERS,
  ),
  getDomainDid: reply(200, ({ caller }) => didRegistries.onDomain(hostOf(caller), []), DOCUMENT_HEADERS),
  getDomainPathDid: reply(
    200,
    ({ path, caller }) => didRegistries.onDomain(hostOf(caller), path.didPath.split('/')),
    DOCUMENT_HEADERS,
  ),
});
