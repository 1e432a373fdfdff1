import type { StoredForm } from '../../foundation/stored-form.ts';
import type { ActiveSession, EndedSession, IssuanceSession } from './issuance-session.ts';
import { configurationIdsOf } from './item-plan.ts';

/** A session without what its record and its plan say, and without what is as in a new one. */
export type StoredSessionForm = Partial<ActiveSession | EndedSession> & Pick<IssuanceSession, 'plan' | 'state'>;

const NEW: Partial<ActiveSession> = { isBatch: false, issued: [], failed: [], redeliverable: [] };
const NEW_ACTIVE: Partial<ActiveSession> = { ...NEW, deferred: [], leases: [] };

const filled = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined);

/** Most sessions are offers that no wallet has fetched yet: what they have in common is not stored with each. */
export const SESSION_FORM: StoredForm<IssuanceSession, StoredSessionForm> = {
  // What is undefined is not stored.
  write: ({ id: _, configurationIds: __, ...session }) =>
    ({
      ...session,
      isBatch: session.isBatch || undefined,
      issued: filled(session.issued),
      failed: filled(session.failed),
      redeliverable: filled(session.redeliverable),
      ...(session.state === 'ACTIVE' && { deferred: filled(session.deferred), leases: filled(session.leases) }),
    }) as StoredSessionForm,
  // Assigns instead of spreading, which is far slower; every read does this.
  read: (stored, id) =>
    Object.assign({}, stored.state === 'ACTIVE' ? NEW_ACTIVE : NEW, stored, {
      id,
      configurationIds: configurationIdsOf(stored.plan),
    }) as IssuanceSession,
};
