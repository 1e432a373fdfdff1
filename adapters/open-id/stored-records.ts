import type { AdapterPayload } from 'oidc-provider';
import type { Collection, Store } from '../../ports/store.ts';

/** What the library keeps, by its kinds: sessions, requests of clients, codes and tokens. */
export type ProtocolRecords = Collection<AdapterPayload>;

/** Where the records of all providers are, sealed, with their secrets as digests. */
export const protocolRecords = (store: Store): ProtocolRecords =>
  store.collection({ name: 'sign-in-protocol', hidden: 'id', afterRestore: 'void' });
