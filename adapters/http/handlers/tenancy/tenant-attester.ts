import { at } from '../../../../domain/foundation/errors.ts';
import type { ClientAttesters } from '../../../../domain/tenancy/services/attesters/client-attesters.ts';
import { LISTS, type Lists } from '../../../../domain/tenancy/services/lists.ts';
import { type Handlers, reply, replyUncached } from '../../messages/operations.ts';
import { listPages } from './list-pages.ts';

/** What the handlers of the document `tenant-attester` need. */
export interface TenantAttesterServices {
  attesters: ClientAttesters;
  lists: Lists;
}

/** A key may be replaced at any time: those who read the set may keep it for a minute. */
const KEY_SET_HEADERS = { 'cache-control': 'public, max-age=60' };

/** The client attesters of tenants. */
export const tenantAttesterHandlers = ({ attesters, lists }: TenantAttesterServices): Handlers<'tenant-attester'> => ({
  createClientAttestation: replyUncached(200, ({ path, body }) =>
    at(['body'], () => attesters.attestProven(path.target, body)),
  ),
  listClientAttestations: listPages(lists, LISTS.listClientAttestations),
  getClientAttestation: reply(200, ({ path }) => attesters.get(path.target, path.attestationId)),
  revokeClientAttestation: reply(200, ({ path }) => attesters.revoke(path.target, path.attestationId)),
  listClientAttesterKeys: reply(200, ({ path }) => attesters.keySet(path.target), KEY_SET_HEADERS),
});
