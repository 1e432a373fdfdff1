import { onboard } from '../../../demo/actors/issuer.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import type { OfficeWorld } from './office.ts';
import { STATUS } from './residents.ts';

/** The page of a status list, and the place in it of a credential that can be changed. */
export interface ListPage {
  /** What follows `#` in the address. */
  page: string;
  index: number;
}

/** The list of the unit, in which there are the cards of its residents. */
export async function listOf({ server, root }: OfficeWorld): Promise<ListPage> {
  const call = { path: { target: STATUS }, token: root };
  const [{ listId }] = await ok(server.call('tenantListStatusLists', call));
  const entries = { ...call, path: { target: STATUS, listId }, query: { status: 'valid' } };
  const [{ index }] = await ok(server.call('tenantListStatusEntries', entries));
  return { page: `/office/acme.t1/status/${listId}`, index };
}

/** Makes a list of an open issuer with a credential. */
export async function openListOf({ server }: OfficeWorld): Promise<ListPage> {
  const issuer = await onboard(server, { key: { keyType: 'secp256r1' } });
  const { listId } = await ok(server.call('createStatusList', { json: issuer }), 201);
  const entry = { path: { listId }, json: { credentialId: 'urn:example:1' } };
  const made = await ok(server.call('allocateStatusEntry', entry), 201);
  return { page: `/status/${listId}`, index: made.entry.index };
}
