import type { Log } from '../../../ports/log.ts';
import type { Metrics } from '../../../ports/metrics.ts';
import type { Collection, CollectionSpec, Store, Stored } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import { type EventLog, historyOf, NO_HISTORY } from '../../events/event-log.ts';
import { EventLogs, historyName, readLog } from '../../events/event-logs.ts';
import { mapBounded } from '../../foundation/concurrency.ts';
import { DomainError, ignoring, isDomainError, reasonOf } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { update } from '../../foundation/records.ts';
import { withStoredForm } from '../../foundation/stored-form.ts';
import type { Page } from '../../limits/pagination.ts';
import { type CredentialIssuer, ownLogOf } from '../credential-issuer.ts';
import { VERSIONS } from '../versions.ts';
import { type IssuanceEventName, tokenRequestEvent } from './issuance-event-names.ts';
import {
  destinationOf,
  type IssuanceHistories,
  type MoveSteps,
  RETENTION_MS,
  type StepRecorder,
} from './issuance-history.ts';
import {
  type ActiveSession,
  type CompletedSession,
  expired,
  type IssuanceSession,
  isOverdue,
  withoutRecipient,
} from './issuance-session.ts';
import { SESSION_FORM, type StoredSessionForm } from './stored-session.ts';

/** How many sessions of an issuer are removed at the same time. */
const REMOVED_AT_ONCE = 50;

/** The reason of sessions that a backup brought back. */
const RESTORED = 'The server was restored from a backup';

const SESSIONS: CollectionSpec<StoredSessionForm> = {
  name: 'issuance-sessions',
  listed: true,
  afterRestore: { change: ended },
};

/** What was redeemed and issued since the backup is unknown: an active session is over. */
function ended(stored: StoredSessionForm): StoredSessionForm {
  const session = SESSION_FORM.read(stored, '');
  return session.state === 'ACTIVE' ? SESSION_FORM.write(expired(session, RESTORED)) : stored;
}

/** Whose sessions they are. */
type SessionOwner = Pick<CredentialIssuer, 'id' | 'target' | 'version'>;

/** An active session as it was read or written last. */
export type StoredSession = Stored<ActiveSession>;

/** A session whose access tokens are good: it has credentials to issue, or issued them all a short time ago. */
export type LiveSession = ActiveSession | CompletedSession;

/** The records of issuance sessions, and the logs of their events. */
interface IssuanceRecords {
  sessions: Collection<IssuanceSession>;
  logs: EventLogs;
}

/** Where issuance sessions are stored. Version 0.9.0 stored their histories beside them. */
export function issuanceRecords(store: Store): IssuanceRecords {
  const sessions = withStoredForm(store.collection(SESSIONS), SESSION_FORM, async (stored) => {
    const { value } = stored;
    if (!value.managed || value.history) return stored;
    return { ...stored, value: { ...value, history: await logs.earlier(ownLogOf(value.issuerId, value.id)) } };
  });
  const place = {
    collection: sessions,
    read: ({ managed, history = NO_HISTORY }: IssuanceSession): EventLog => ({
      ...history,
      destination: managed?.webhook && destinationOf(managed.webhook),
      isHistory: managed !== undefined,
    }),
    write: (session: IssuanceSession, log: EventLog) => ({ ...session, history: historyOf(log) }),
  };
  const logs = new EventLogs({ store, name: 'issuance' }, (key) => readLog(place, key));
  return { sessions, logs };
}

/** Stores issuance sessions, listed by the target of their issuer, with their histories. */
export class IssuanceSessionRepository {
  readonly #sessions: Collection<IssuanceSession>;
  readonly #clock: Clock;
  readonly #metrics: Metrics;

  constructor(
    private readonly parts: {
      records: Pick<IssuanceRecords, 'sessions'>;
      histories: IssuanceHistories;
      clock: Clock;
      metrics: Metrics;
      log: Log;
    },
  ) {
    this.#sessions = parts.records.sessions;
    this.#clock = parts.clock;
    this.#metrics = parts.metrics;
  }

  /** `first` begins the history of a session that has one. @throws DomainError `Conflict` when there is a session with the id */
  async insert(issuer: CredentialIssuer, session: ActiveSession, first?: IssuanceEventName): Promise<void> {
    const expiresAt = session.expiresAt + RETENTION_MS;
    const parent = parentOf(issuer);
    const insert = (record: StepRecorder) =>
      this.#sessions.insert({
        parent,
        id: session.id,
        value: record(session, first ? [{ session, event: first }] : []),
        expiresAt,
      });
    await (first ? this.parts.histories.recording(parent, session, insert) : insert((same) => same));
    this.#metrics.sessionMoved('issuance', session.state);
  }

  /** The name of the history of a session. */
  historyOf(issuer: CredentialIssuer, id: string): string {
    return historyName({ parent: parentOf(issuer), id });
  }

  /** The active session of this issuer; one past its expiry moves to EXPIRED. */
  async active(issuer: CredentialIssuer, id: string): Promise<StoredSession | undefined> {
    const live = await this.live(issuer, id);
    return live && isActive(live) ? live : undefined;
  }

  /** The session of this issuer unless it expired or failed as a whole; one past its expiry moves to EXPIRED. */
  async live(issuer: CredentialIssuer, id: string): Promise<Stored<LiveSession> | undefined> {
    const stored = await this.#read(issuer, id);
    if (!stored || !isLive(stored)) return undefined;
    if (!isOverdue(stored.value, this.#clock.now())) return stored;
    if (isActive(stored)) await this.#update(stored, (session) => expired(session), {}).catch(ignoring('Conflict'));
    return undefined;
  }

  /** The session of this issuer in any state. The record has the times at which it was created and changed last. */
  async get(issuer: SessionOwner, id: string): Promise<Stored<IssuanceSession> | undefined> {
    const stored = await this.#read(issuer, id);
    return stored && this.#seen(stored);
  }

  /** One page of the sessions of an issuer. */
  async list(issuer: CredentialIssuer, page: Page): Promise<Stored<IssuanceSession>[]> {
    return (await this.#sessions.list({ ...page, parent: parentOf(issuer) })).map((stored) => this.#seen(stored));
  }

  /** Removes all sessions of an issuer; `clear` removes before what belongs to one. */
  async removeAll(
    issuer: Pick<CredentialIssuer, 'target' | 'version'>,
    clear: (session: IssuanceSession) => Promise<void>,
  ): Promise<void> {
    const parent = parentOf(issuer);
    const first = { parent, order: 'id', offset: 0, limit: REMOVED_AT_ONCE } as const;
    for (let isMore = true; isMore; ) {
      const page = await this.#sessions.list(first);
      await mapBounded(page, REMOVED_AT_ONCE, async ({ id, value }) => {
        await clear(value);
        await this.#sessions.remove({ parent, id });
      });
      isMore = page.length === REMOVED_AT_ONCE;
    }
  }

  /**
   * Moves a session from its present state: of concurrent moves the later ones see the results of the earlier ones.
   * `steps`: what it adds to the history; nothing when absent.
   * @throws DomainError `Conflict` when the session is over, and what `move` throws
   */
  move<S extends IssuanceSession>(
    session: StoredSession,
    move: (session: ActiveSession) => S,
    steps?: MoveSteps,
  ): Promise<Stored<S>> {
    const moveLive = (current: ActiveSession): S => {
      if (isOverdue(current, this.#clock.now())) throw sessionOver();
      return move(current);
    };
    return this.#update(session, moveLive, steps);
  }

  /** Moves a session from exactly the revision that was read; undefined when it was changed meanwhile. */
  async moveUnchanged(
    { parent, id, value, revision }: StoredSession,
    move: (session: ActiveSession) => ActiveSession,
  ): Promise<StoredSession | undefined> {
    const next = move(value);
    const replaced = await this.#sessions.replace({ parent, id, value: next }, revision).catch(ignoring('Conflict'));
    return replaced && { ...replaced, value: next };
  }

  /** Changes what does not belong to one state, and returns the session; one that is gone is no error. */
  async amend(
    { parent, id, value }: Stored<IssuanceSession>,
    change: (session: IssuanceSession) => IssuanceSession,
  ): Promise<IssuanceSession> {
    const changed = await update<IssuanceSession, IssuanceSession>({
      collection: this.#sessions,
      key: { parent, id },
      change,
    });
    return changed?.value ?? value;
  }

  /** Forgets for whom a session is; returns the session. @throws DomainError `NotFound`, as `withoutRecipient` */
  async removeRecipient(issuer: SessionOwner, id: string): Promise<IssuanceSession> {
    const session = await this.#read(issuer, id);
    if (!session) throw new DomainError('NotFound', 'There is no such session');
    const now = this.#clock.now();
    return this.amend(session, (current) => withoutRecipient(current, now));
  }

  /** Reports that a token request failed; one that is to come again did not. */
  async tokenFailed(from: Stored<IssuanceSession>, { grant_type: grant }: JsonObject, cause: unknown): Promise<void> {
    if (isDomainError(cause, 'Busy')) return;
    await this.report(from, tokenRequestEvent(String(grant), 'failed'), cause);
  }

  /** Writes a step into the history of a session, and why it failed; never fails: a step that cannot be stored is logged. */
  async report(from: Stored<IssuanceSession>, event: IssuanceEventName, cause?: unknown): Promise<void> {
    const { parent, id, value } = from;
    if (!value.managed) return;
    try {
      await this.parts.histories.recording(parent, value, (record) =>
        update<IssuanceSession, IssuanceSession>({
          collection: this.#sessions,
          key: { parent, id },
          from,
          change: (session) => record(session, [{ session, event, cause }]),
        }),
      );
    } catch (error) {
      this.parts.log.warn('issuance events could not be stored', {
        session: id,
        types: [event],
        reason: reasonOf(error),
      });
    }
  }

  async #read(issuer: SessionOwner, id: string): Promise<Stored<IssuanceSession> | undefined> {
    const stored = await this.#sessions.get({ parent: parentOf(issuer), id });
    return stored?.value.issuerId === issuer.id ? stored : undefined;
  }

  async #update<S extends IssuanceSession>(
    from: StoredSession,
    move: (session: ActiveSession) => S,
    steps?: MoveSteps,
  ): Promise<Stored<S>> {
    const { histories } = this.parts;
    const write = (record: StepRecorder) =>
      update<IssuanceSession, S>({
        collection: this.#sessions,
        key: { parent: from.parent, id: from.id },
        from,
        change: (current) => {
          if (current.state !== 'ACTIVE') throw sessionOver();
          const next = move(current);
          return record(next, steps ? histories.stepsOf(current, next, steps) : []);
        },
      });
    const next = await (steps ? histories.recording(from.parent, from.value, write) : write((same) => same));
    if (!next) throw sessionOver();
    if (next.value.state !== 'ACTIVE') this.#metrics.sessionMoved('issuance', next.value.state);
    return next;
  }

  /** Nothing moves a session when it expires, so readers see it as expired from then on. */
  #seen(stored: Stored<IssuanceSession>): Stored<IssuanceSession> {
    const { value } = stored;
    return value.state === 'ACTIVE' && isOverdue(value, this.#clock.now())
      ? { ...stored, value: expired(value) }
      : stored;
  }
}

/** What the sessions of an issuer are listed below. */
const parentOf = ({ target, version }: Pick<CredentialIssuer, 'target' | 'version'>): string =>
  `${target}${VERSIONS[version].listedBelow}`;

/** Whether a live session has credentials to issue. */
export const isActive = (stored: Stored<IssuanceSession>): stored is StoredSession => stored.value.state === 'ACTIVE';

const isLive = (stored: Stored<IssuanceSession>): stored is Stored<LiveSession> => stored.value.state !== 'EXPIRED';

const sessionOver = (): DomainError => new DomainError('Conflict', 'The issuance session is over');
