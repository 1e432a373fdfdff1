import type { FormatName } from '../../../ports/credential-formats.ts';
import type { Metrics } from '../../../ports/metrics.ts';
import type { Collection, CollectionSpec, Store, Stored } from '../../../ports/store.ts';
import type { Clock } from '../../../ports/system.ts';
import { mapBounded } from '../../foundation/concurrency.ts';
import { DomainError, ignoring } from '../../foundation/errors.ts';
import { update } from '../../foundation/records.ts';
import { withStoredForm } from '../../foundation/stored-form.ts';
import type { Page } from '../../limits/pagination.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import { VERSIONS } from '../versions.ts';
import {
  type ActiveSession,
  type CompletedSession,
  expired,
  type IssuanceSession,
  isOverdue,
} from './issuance-session.ts';
import { SESSION_FORM, type StoredSessionForm } from './stored-session.ts';

/** How long the record outlives the session, in milliseconds. */
export const RETENTION_MS = 600_000;

/** How many sessions of an issuer are removed at the same time. */
const REMOVED_AT_ONCE = 50;

/** The reason of sessions that a backup brought back. */
const RESTORED = 'The server was restored from a backup';

const SESSIONS: CollectionSpec<StoredSessionForm> = {
  name: 'issuance-sessions',
  listed: true,
  sealed: true,
  afterRestore: { change: ended },
};

/** What was redeemed and issued since the backup is unknown: an active session is over. */
function ended(stored: StoredSessionForm): StoredSessionForm {
  const session = SESSION_FORM.read(stored, '');
  return session.state === 'ACTIVE' ? SESSION_FORM.write(expired(session, RESTORED)) : stored;
}

/** An active session as it was read or written last. */
export type StoredSession = Stored<ActiveSession>;

/** A session whose access tokens are good: it has credentials to issue, or issued them all a short time ago. */
export type LiveSession = ActiveSession | CompletedSession;

interface SessionRepositoryParts {
  store: Store;
  clock: Clock;
  metrics: Metrics;
  /** Is given a session before and after a move, and the formats of the items that it issued. */
  moved?(from: ActiveSession, to: IssuanceSession, issued: readonly FormatName[]): Promise<void>;
}

/** Stores issuance sessions, listed by the target of their issuer. */
export class IssuanceSessionRepository {
  readonly #sessions: Collection<IssuanceSession>;
  readonly #clock: Clock;
  readonly #metrics: Metrics;

  readonly #moved: SessionRepositoryParts['moved'];

  constructor({ store, clock, metrics, moved }: SessionRepositoryParts) {
    this.#sessions = withStoredForm(store.collection(SESSIONS), SESSION_FORM);
    this.#clock = clock;
    this.#metrics = metrics;
    this.#moved = moved;
  }

  /** @throws DomainError `Conflict` when there is a session with the id */
  async insert(issuer: CredentialIssuer, session: ActiveSession): Promise<void> {
    const expiresAt = session.expiresAt + RETENTION_MS;
    await this.#sessions.insert({ parent: parentOf(issuer), id: session.id, value: session, expiresAt });
    this.#metrics.sessionMoved('issuance', session.state);
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
    if (isActive(stored)) await this.#update(stored, expired).catch(ignoring('Conflict'));
    return undefined;
  }

  /** The session of this issuer in any state. The record has the times at which it was created and changed last. */
  async get(issuer: CredentialIssuer, id: string): Promise<Stored<IssuanceSession> | undefined> {
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
   * `issued`: the formats of the items that the move issues, one for each.
   * @throws DomainError `Conflict` when the session is over, and what `move` throws
   */
  move<S extends IssuanceSession>(
    session: StoredSession,
    move: (session: ActiveSession) => S,
    issued: readonly FormatName[] = [],
  ): Promise<Stored<S>> {
    const moveLive = (current: ActiveSession): S => {
      if (isOverdue(current, this.#clock.now())) throw sessionOver();
      return move(current);
    };
    return this.#update(session, moveLive, issued);
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

  async #read(issuer: CredentialIssuer, id: string): Promise<Stored<IssuanceSession> | undefined> {
    const stored = await this.#sessions.get({ parent: parentOf(issuer), id });
    return stored?.value.issuerId === issuer.id ? stored : undefined;
  }

  async #update<S extends IssuanceSession>(
    from: StoredSession,
    move: (session: ActiveSession) => S,
    issued: readonly FormatName[] = [],
  ): Promise<Stored<S>> {
    const next = await update<IssuanceSession, S>({
      collection: this.#sessions,
      key: { parent: from.parent, id: from.id },
      from,
      change: (current) => {
        if (current.state !== 'ACTIVE') throw sessionOver();
        return move(current);
      },
    });
    if (!next) throw sessionOver();
    if (next.value.state !== 'ACTIVE') this.#metrics.sessionMoved('issuance', next.value.state);
    await this.#moved?.(from.value, next.value, issued);
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
