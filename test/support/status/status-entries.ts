import { systemIds, systemRandom } from '../../../adapters/system/system.ts';
import type { StatusEntryRequest, StatusListChoice } from '../../../domain/credentials/status-entries.ts';
import { EntryAllocation, type EntryAllocationParts } from '../../../domain/status/entry-allocation.ts';
import { IssuedEntries } from '../../../domain/status/issued-entries.ts';
import { IssuedLists } from '../../../domain/status/issued-lists.ts';
import type { KeyReference } from '../../../ports/key-service.ts';
import type { Store } from '../../../ports/store.ts';

export const LISTS_URL = 'https://issuer.example.org';

/** A choice of a list of each kind. */
export const CHOICES = {
  bitstring: { kind: 'BitstringStatusList', purpose: 'revocation', bits: 1 },
  list2021: { kind: 'StatusList2021', purpose: 'revocation', bits: 1 },
  list2020: { kind: 'RevocationList2020', purpose: 'revocation', bits: 1 },
  jwt: { kind: 'TokenStatusListJwt', bits: 2 },
  cwt: { kind: 'TokenStatusListCwt', bits: 2 },
} as const satisfies Record<string, StatusListChoice>;

/** A request for entries of a Token Status List; `key` need not exist unless the list is published. */
export const entryRequest = (
  key: KeyReference = { id: 'key' } as KeyReference,
  choice: StatusListChoice = CHOICES.jwt,
): StatusEntryRequest => ({
  target: '',
  choice,
  signer: { issuer: 'did:example:issuer', kid: 'did:example:issuer#0', key },
});

/** The allocation of one instance on a store, with its lists. */
export function allocationOn(store: Store, changes: Partial<EntryAllocationParts> = {}) {
  const lists = new IssuedLists({ store });
  const issued = new IssuedEntries({ store });
  const parts = {
    lists,
    issued,
    store,
    ids: systemIds,
    random: systemRandom,
    publicUrl: LISTS_URL,
    listEntries: 131_072,
  };
  return { lists, issued, entries: new EntryAllocation({ ...parts, ...changes }) };
}

/** The list and the index of an entry of a Token Status List. */
export function placeOf(entry: Record<string, unknown>): { id: string; uri: string; idx: number } {
  const { uri, idx } = entry.status_list as { uri: string; idx: number };
  return { id: uri.split('/').at(-1) ?? '', uri, idx };
}
