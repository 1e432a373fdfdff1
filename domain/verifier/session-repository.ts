import type { Metrics } from '../../ports/metrics.ts';
import type { Collection, CollectionSpec, NewRecord, Store, Stored } from '../../ports/store.ts';
import { DomainError } from '../foundation/errors.ts';
import { update } from '../foundation/records.ts';
import type { SessionMove } from './response-leases.ts';
import type { CreatedSession, VerificationSession } from './verification-session.ts';
import type { VerifierProfile } from './verifier-profile.ts';

const SESSIONS: CollectionSpec<VerificationSession> = {
  name: 'verifier-sessions',
  listed: true,
  sealed: true,
  afterRestore: { change: overOnly },
};

/** What a session that waits for its response was answered since the backup is unknown. */
function overOnly(session: VerificationSession): VerificationSession | undefined {
  return session.state === 'verified' || session.state === 'failed' ? session : undefined;
}

/** A session as it was read or written last. */
export type StoredSession = Stored<VerificationSession>;

/** Stores verification sessions, listed by the target of their verifier. */
export class VerificationSessionRepository {
  readonly #sessions: Collection<VerificationSession>;
  readonly #metrics: Metrics;

  constructor({ store, metrics }: { store: Store; metrics: Metrics }) {
    this.#sessions = store.collection(SESSIONS);
    this.#metrics = metrics;
  }

  /** @throws DomainError `Conflict` when a session of the same target has this id */
  async insert({ target }: VerifierProfile, session: NewRecord<CreatedSession>): Promise<void> {
    await this.#sessions.insert({ ...session, parent: target });
    this.#metrics.sessionMoved('verification', session.value.state);
  }

  /** Returns the session of this verifier. @throws DomainError `NotFound` */
  async get({ id: verifierId, target }: VerifierProfile, state: string): Promise<StoredSession> {
    const stored = await this.find(target, state);
    if (stored?.value.request.verifierId === verifierId) return stored;
    throw notFound();
  }

  /** Returns the session of any verifier of a target. */
  find(target: string, state: string): Promise<StoredSession | undefined> {
    return this.#sessions.get({ parent: target, id: state });
  }

  /**
   * Moves a session from its present state: of concurrent moves the later ones see the results of the earlier ones.
   * @throws DomainError `NotFound` when the session is gone, and what `change` throws
   */
  async move<S extends VerificationSession>(
    from: StoredSession,
    { change, expiresAt }: SessionMove<VerificationSession, S>,
  ): Promise<Stored<S>> {
    const key = { parent: from.parent, id: from.id };
    const moved = await update<VerificationSession, S>({ collection: this.#sessions, key, from, change, expiresAt });
    if (!moved) throw notFound();
    const { state } = moved.value;
    if (state === 'verified' || state === 'failed') this.#metrics.sessionMoved('verification', state);
    return moved;
  }
}

const notFound = (): DomainError =>
  new DomainError('NotFound', 'There is no such verification session, or it has expired');
