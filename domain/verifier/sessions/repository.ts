import type { Metrics } from '../../../ports/metrics.ts';
import type { Collection, CollectionSpec, Store, Stored } from '../../../ports/store.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import { DomainError } from '../../foundation/errors.ts';
import { update } from '../../foundation/records.ts';
import type { Page } from '../../limits/pagination.ts';
import type { PresentationVerifier } from '../presentation-verifier.ts';
import type { SessionMove } from '../response-leases.ts';
import type { PresentationSession, WaitingSession } from './session.ts';

const SESSIONS: CollectionSpec<PresentationSession> = {
  name: 'presentation-sessions',
  listed: true,
  sealed: true,
  afterRestore: { change: overOnly },
};

/** What a session that waits for its response was answered since the backup is unknown. */
function overOnly(session: PresentationSession): PresentationSession | undefined {
  return session.state === 'successful' || session.state === 'failed' ? session : undefined;
}

/** The session of a request id, by the digest of that id. */
const REQUESTS: CollectionSpec<{ session: string }> = {
  name: 'presentation-requests',
  listed: false,
  sealed: true,
  afterRestore: 'void',
};

/** How many sessions are removed at once. */
const REMOVED_AT_ONCE = 100;

/** A session as it was read or written last. */
export type StoredSession = Stored<PresentationSession>;

/** Stores sessions of OpenID4VP 1.0, listed by the target of their verifier; wallets reach them by another id. */
export class PresentationSessionRepository {
  readonly #sessions: Collection<PresentationSession>;
  readonly #requests: Collection<{ session: string }>;
  readonly #metrics: Metrics;

  constructor({ store, metrics }: { store: Store; metrics: Metrics }) {
    this.#sessions = store.collection(SESSIONS);
    this.#requests = store.collection(REQUESTS);
    this.#metrics = metrics;
  }

  /** Stores a new session until its retention after its end is over. @throws DomainError `Conflict` when there is one with this id */
  async insert(verifier: PresentationVerifier, id: string, session: WaitingSession): Promise<StoredSession> {
    const { requestId, expiresAt: end } = session.request;
    const expiresAt = end + verifier.retention.ms;
    const stored = await this.#sessions.insert({ parent: verifier.target, id, value: session, expiresAt });
    await this.#requests.insert({ id: recordOf(verifier, requestId), value: { session: id }, expiresAt });
    this.#metrics.sessionMoved('verification', session.state);
    return stored;
  }

  /** The session of this verifier. @throws DomainError `NotFound` */
  async get({ id: verifierId, target }: PresentationVerifier, id: string): Promise<StoredSession> {
    const stored = await this.#sessions.get({ parent: target, id });
    if (stored?.value.request.verifierId === verifierId) return stored;
    throw notFound();
  }

  /**
   * The session whose request has this id. A session over the Digital Credentials API is also found by its own id: the
   * page that created it calls the endpoints, and no code is shown that others could photograph.
   * @throws DomainError `NotFound`
   */
  async requested(verifier: PresentationVerifier, requestId: string): Promise<StoredSession> {
    const known = await this.#requests.get({ id: recordOf(verifier, requestId) });
    const session = await this.get(verifier, known?.value.session ?? requestId);
    if (!known && session.value.request.walletUrl !== undefined) throw notFound();
    return session;
  }

  /** One page of the sessions of a verifier. */
  list({ target }: PresentationVerifier, page: Page): Promise<StoredSession[]> {
    return this.#sessions.list({ ...page, parent: target });
  }

  /** Removes the sessions of a verifier, page by page in the order of their ids; none that is created meanwhile is waited for. */
  async removeAll({ target: parent }: Pick<PresentationVerifier, 'target'>): Promise<void> {
    for (let after: string | undefined, isMore = true; isMore; ) {
      const ids = await this.#sessions.ids({ parent, order: 'id', offset: 0, limit: REMOVED_AT_ONCE, after });
      await Promise.all(ids.map((id) => this.#sessions.remove({ parent, id })));
      after = ids.at(-1);
      isMore = ids.length === REMOVED_AT_ONCE;
    }
  }

  /**
   * Moves a session from its present state: of concurrent moves the later ones see the results of the earlier ones.
   * @throws DomainError `NotFound` when the session is gone, and what `change` throws
   */
  async move<S extends PresentationSession>(
    from: StoredSession,
    { change, expiresAt }: SessionMove<PresentationSession, S>,
  ): Promise<Stored<S>> {
    const key = { parent: from.parent, id: from.id };
    const moved = await update<PresentationSession, S>({ collection: this.#sessions, key, from, change, expiresAt });
    if (!moved) throw notFound();
    const { state } = moved.value;
    if (state !== from.value.state) this.#metrics.sessionMoved('verification', state);
    return moved;
  }
}

const recordOf = ({ id }: PresentationVerifier, requestId: string): string => fingerprint(`${id}\n${requestId}`);

const notFound = (): DomainError =>
  new DomainError('NotFound', 'There is no such verification session, or it has expired');
