import type { Metrics } from '../../ports/metrics.ts';
import type { Collection, Store, Stored } from '../../ports/store.ts';
import type { Clock } from '../../ports/system.ts';
import { fingerprint } from '../foundation/bytes.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import { expireSession, type IssuanceSession, isOverdue } from './issuance-session.ts';

/** How long the record outlives the session, so that a late wallet is told that it expired. Milliseconds. */
const RETENTION_MS = 600_000;
/** A lost try is somebody else's success, so among fewer requests than this at once everybody gets through. */
const MAX_TRIES = 200;

/** What a one-time code or an access token stands for. */
interface Grant {
  sessionId: string;
}

/** A pure move of session.ts. */
export type Move = (session: IssuanceSession) => IssuanceSession;

/** Issuance sessions with the codes and access tokens that lead to them, both kept only by their SHA-256. */
export class IssuanceSessionRepository {
  readonly #sessions: Collection<IssuanceSession>;
  readonly #codes: Collection<Grant>;
  readonly #tokens: Collection<Grant>;
  readonly #clock: Clock;
  readonly #metrics: Metrics;
  /** The records of the sessions that were handed out, so that a move need not load again what its caller just did. */
  readonly #records = new WeakMap<IssuanceSession, Stored<IssuanceSession>>();

  constructor({ store, clock, metrics }: { store: Store; clock: Clock; metrics: Metrics }) {
    this.#sessions = store.collection({ name: 'issuance-sessions', listed: false, sealed: true });
    this.#codes = store.collection({ name: 'issuance-codes', listed: false, sealed: false });
    this.#tokens = store.collection({ name: 'issuance-tokens', listed: false, sealed: false });
    this.#clock = clock;
    this.#metrics = metrics;
  }

  async insert(session: IssuanceSession): Promise<void> {
    await this.#sessions.insert({ id: session.id, value: session, expiresAt: session.expiresAt + RETENTION_MS });
    await this.issueCode(session);
    this.#metrics.sessionMoved('issuance', session.state);
  }

  /** The session when it is active; a session whose time is over moves to EXPIRED here. */
  async active(id: string): Promise<IssuanceSession | undefined> {
    return (await this.#load(id))?.value;
  }

  /** Makes the code good for one redemption. */
  async issueCode({ id, code, expiresAt }: IssuanceSession): Promise<void> {
    await this.#codes.insert({ id: fingerprint(code), value: { sessionId: id }, expiresAt });
  }

  /** Spends a code: of two at once exactly one gets the session it leads to. */
  async redeemCode(code: string): Promise<IssuanceSession | undefined> {
    const taken = await this.#codes.take({ id: fingerprint(code) });
    if (!taken) return undefined;
    try {
      return await this.active(taken.value.sessionId);
    } catch (error) {
      await this.#codes.insert(taken).catch(() => undefined);
      throw error;
    }
  }

  async storeToken(token: string, { id, expiresAt }: IssuanceSession): Promise<void> {
    await this.#tokens.insert({ id: fingerprint(token), value: { sessionId: id }, expiresAt });
  }

  /** The active session an access token leads to. */
  async byAccessToken(token: string): Promise<IssuanceSession | undefined> {
    const grant = await this.#tokens.get({ id: fingerprint(token) });
    return grant && (await this.active(grant.value.sessionId));
  }

  /**
   * Applies a move to the session as it is now; of two moves at once the second sees the first one's result. A move
   * that gives back what it got writes nothing. It may be tried several times.
   * @throws DomainError `Conflict` when the move is not legal (any more), `Busy` when another request has the lease
   */
  async move(session: IssuanceSession, move: Move): Promise<IssuanceSession> {
    const moved = await this.#moveAsGiven(session, move);
    if (moved) return moved;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const stored = await this.#load(session.id);
      if (!stored) throw new DomainError('Conflict', 'The issuance session is over');
      const next = move(stored.value);
      const moved = next === stored.value ? next : await this.#replace(stored, next);
      if (moved) return moved;
    }
    throw new DomainError('StoreUnavailable', 'Too many requests for one issuance session at once; try again');
  }

  /** The move on the session as it was handed out; undefined when only its present state can tell what comes of it. */
  async #moveAsGiven(session: IssuanceSession, move: Move): Promise<IssuanceSession | undefined> {
    const stored = this.#records.get(session);
    if (!stored || isOverdue(session, this.#clock.now())) return undefined;
    const next = resultOf(move, session);
    return next && this.#replace(stored, next);
  }

  async #load(id: string): Promise<Stored<IssuanceSession> | undefined> {
    const stored = await this.#sessions.get({ id });
    if (stored?.value.state !== 'ACTIVE') return undefined;
    if (!isOverdue(stored.value, this.#clock.now())) return this.#handOut(stored);
    await this.#replace(stored, expireSession(stored.value));
    return undefined;
  }

  /** Undefined when somebody else was first. */
  async #replace(stored: Stored<IssuanceSession>, value: IssuanceSession): Promise<IssuanceSession | undefined> {
    try {
      this.#handOut(await this.#sessions.replace({ id: stored.id, value }, stored.revision), value);
    } catch (error) {
      if (isDomainError(error, 'Conflict')) return undefined;
      throw error;
    }
    if (value.state !== stored.value.state) this.#metrics.sessionMoved('issuance', value.state);
    return value;
  }

  #handOut(stored: Stored<IssuanceSession>, value = stored.value): Stored<IssuanceSession> {
    this.#records.set(value, stored);
    return stored;
  }
}

/** Undefined when the move is refused or changes nothing. */
function resultOf(move: Move, session: IssuanceSession): IssuanceSession | undefined {
  try {
    const next = move(session);
    return next === session ? undefined : next;
  } catch (error) {
    if (isDomainError(error, 'Conflict') || isDomainError(error, 'Busy')) return undefined;
    throw error;
  }
}
