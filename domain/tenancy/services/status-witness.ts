import type { ChangedEntry } from '../../status/entry-changes.ts';
import type { EntryAction } from '../../status/entry-states.ts';
import type { AuditEntries } from '../audit/audit-entries.ts';

/** What becomes of a credential by each change of its status. */
const EVENTS: Readonly<Record<EntryAction, string>> = { revoke: 'REVOKED', suspend: 'SUSPENDED', lift: 'UNSUSPENDED' };

/** Records the changes of entries of the lists of tenants. */
export const statusWitness =
  (entries: Pick<AuditEntries, 'add'>) =>
  async ({ owner, place: { list, index }, action, session }: ChangedEntry): Promise<void> => {
    const [service = ''] = owner.split('#');
    const facts = { event: EVENTS[action], statusListId: list, index: String(index) };
    await entries.add(service, 'credentialStatusChanged', { ...facts, ...(session !== undefined && { session }) });
  };
