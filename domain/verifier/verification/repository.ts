import type { Metrics } from '../../../ports/metrics.ts';
import type { Collection, CollectionSpec, NewRecord, Store, Stored } from '../../../ports/store.ts';
import { type EventLog, type History, historyOf, NO_HISTORY } from '../../events/event-log.ts';
import { EventLogs, readLog } from '../../events/event-logs.ts';
import { update } from '../../foundation/records.ts';
import { withStoredForm } from '../../foundation/stored-form.ts';
import type { Page } from '../../limits/pagination.ts';
import type { Protocol } from '../protocol.ts';
import type { Verifier } from '../verifier.ts';
import type { SessionEvent } from './outcome.ts';
import { rulesOf } from './protocols.ts';
import type { Api, ProtocolOf } from './rules.ts';
import { noSession, type VerificationSession, type WaitingSession } from './session.ts';
import { overOnly, type StoredSessionForm, sessionForm, stateName } from './stored-session.ts';

const DRAFT_SESSIONS: CollectionSpec<StoredSessionForm> = {
  name: 'verifier-sessions',
  listed: true,
  afterRestore: { change: overOnly },
};

const SESSIONS: CollectionSpec<StoredSessionForm> = {
  name: 'presentation-sessions',
  listed: true,
  afterRestore: { change: overOnly },
};

/** How many sessions are removed at once. */
const REMOVED_AT_ONCE = 100;

/** A session as it was read or written last. */
export type StoredSession<P extends Protocol = Protocol> = Stored<VerificationSession<P>>;

/** A change of a session, and how long its result is stored at least, in milliseconds since the epoch. */
interface SessionMove<T extends VerificationSession> {
  change(session: VerificationSession): T;
  expiresAt?(session: T, before: StoredSession): number | undefined;
  /** The events of the change, in their order. */
  events?: readonly SessionEvent[];
}

/** Returns the history of a session after a step, which it is given as it was before the step and as it is then. */
export type StepRecorder = (before: StoredSession, after: StoredSession) => History | undefined;

/** Records the events of sessions in their histories. */
export interface EventRecording {
  /** Has a step written with its events: `write` writes the session with the history that `record` returns. */
  recording<R>(
    from: StoredSession,
    events: readonly SessionEvent[],
    write: (record: StepRecorder) => Promise<R>,
  ): Promise<R>;
}

/** The records of verification sessions, and the logs of their events. */
interface VerificationRecords {
  sessions: { readonly [A in Api]: Collection<VerificationSession<ProtocolOf<A>>> };
  logs: EventLogs;
}

/** Where verification sessions are stored. Versions up to 0.10.0 stored their histories beside them. */
export function verificationRecords(store: Store): VerificationRecords {
  const v1 = withStoredForm(store.collection(SESSIONS), sessionForm('v1'), async (stored) => {
    const { parent, id, value } = stored;
    return value.history ? stored : { ...stored, value: { ...value, history: await logs.earlier(`${parent}//${id}`) } };
  });
  const place = {
    collection: v1,
    read: ({ request, history = NO_HISTORY }: VerificationSession<ProtocolOf<'v1'>>): EventLog => ({
      ...history,
      destination: request.webhook,
      isHistory: true,
    }),
    write: (session: VerificationSession<ProtocolOf<'v1'>>, log: EventLog) => ({ ...session, history: historyOf(log) }),
  };
  const logs = new EventLogs({ store, name: 'verification' }, (key) => readLog(place, key));
  const draft20 = withStoredForm(store.collection(DRAFT_SESSIONS), sessionForm('draft20'));
  return { sessions: { draft20, v1 }, logs };
}

/** Stores verification sessions with their histories, listed by the target of their verifier; each API has ids of its own. */
export class SessionRepository {
  readonly #sessions: VerificationRecords['sessions'];
  readonly #events: EventRecording;
  readonly #metrics: Metrics;

  constructor(parts: {
    records: Pick<VerificationRecords, 'sessions'>;
    events: EventRecording;
    metrics: Metrics;
  }) {
    this.#sessions = parts.records.sessions;
    this.#events = parts.events;
    this.#metrics = parts.metrics;
  }

  /** Stores a new session. @throws DomainError `Conflict` when a session of the same target and API has this id */
  async insert<P extends Protocol>(
    verifier: Pick<Verifier, 'id' | 'target'>,
    session: NewRecord<WaitingSession<P>>,
  ): Promise<StoredSession<P>> {
    const { request } = session.value;
    const { api, reports } = rulesOf(request);
    const collection: Collection<VerificationSession> = this.#sessions[api];
    const value: WaitingSession<P> = { ...session.value, history: reports === 'steps' ? NO_HISTORY : undefined };
    const stored = await collection.insert({ ...session, value, parent: verifier.target });
    this.#metrics.sessionMoved('verification', stateName(value));
    return { ...stored, value };
  }

  /** The session of this verifier. @throws DomainError `NotFound` */
  async get<A extends Api>(
    { id: verifierId, target }: Pick<Verifier, 'id' | 'target'>,
    api: A,
    id: string,
  ): Promise<StoredSession<ProtocolOf<A>>> {
    const stored = await this.find(target, api, id);
    if (stored?.value.request.verifierId === verifierId) return stored;
    throw noSession();
  }

  /** The session of any verifier of a target. */
  find<A extends Api>(target: string, api: A, id: string): Promise<StoredSession<ProtocolOf<A>> | undefined> {
    return this.#sessions[api].get({ parent: target, id });
  }

  /** One page of the sessions of a verifier, without those of the drafts. */
  list({ target }: Verifier, page: Page): Promise<StoredSession<ProtocolOf<'v1'>>[]> {
    return this.#sessions.v1.list({ ...page, parent: target });
  }

  /** Removes the sessions of a verifier, page by page in the order of their ids; none that is created meanwhile is waited for. */
  async removeAll({ target: parent }: Pick<Verifier, 'target'>): Promise<void> {
    for (const sessions of Object.values(this.#sessions))
      for (let after: string | undefined, isMore = true; isMore; ) {
        const ids = await sessions.ids({ parent, order: 'id', offset: 0, limit: REMOVED_AT_ONCE, after });
        await Promise.all(ids.map((id) => sessions.remove({ parent, id })));
        after = ids.at(-1);
        isMore = ids.length === REMOVED_AT_ONCE;
      }
  }

  /**
   * Moves a session from its present state, with its events: of concurrent moves the later ones see the results of the
   * earlier ones. A move that changes nothing has no event. @throws DomainError `NotFound` when the session is gone, and what `change` throws
   */
  async move<T extends VerificationSession>(
    from: StoredSession,
    { change, expiresAt, events = [] }: SessionMove<T>,
  ): Promise<Stored<T>> {
    const key = { parent: from.parent, id: from.id };
    const collection: Collection<VerificationSession> = this.#sessions[rulesOf(from.value.request).api];
    const moved = await this.#events.recording(from, events, (record) =>
      update<VerificationSession, T>({
        collection,
        key,
        from,
        change: (current) => {
          const value = change(current);
          if (value === current) return value;
          const before = { ...from, value: current };
          const end = expiresAt?.(value, before) ?? from.expiresAt;
          return { ...value, history: record(before, { ...before, value, expiresAt: end }) };
        },
        expiresAt,
      }),
    );
    if (!moved) throw noSession();
    const name = stateName(moved.value);
    if (name !== stateName(from.value)) this.#metrics.sessionMoved('verification', name);
    return moved;
  }
}
