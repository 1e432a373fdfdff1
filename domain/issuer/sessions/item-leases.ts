import type { FormatName } from '../../../ports/credential-formats.ts';
import type { Stored } from '../../../ports/store.ts';
import type { Clock, Ids, Timers } from '../../../ports/system.ts';
import { DomainError, isDomainError, oauthError } from '../../foundation/errors.ts';
import { busy, LEASE_MS, underLease } from '../../foundation/lease.ts';
import { MAX_ATTEMPTS, tooManyRequests } from '../../foundation/records.ts';
import type { PresentedGrant } from '../../oauth/access-tokens.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { NextNonce } from '../protocol.ts';
import { VERSIONS } from '../versions.ts';
import {
  type ActiveSession,
  type Attempt,
  countLeft,
  failed,
  type IssuanceSession,
  leased,
  released,
  renewed,
  rivalsOf,
} from './issuance-session.ts';
import type { NonceSources, RequestNonces } from './proof-nonces.ts';
import {
  type IssuanceSessionRepository,
  isActive,
  type LiveSession,
  type StoredSession,
} from './session-repository.ts';

/** What an access token gives access to, as it was read: the session first, then the nonces. */
export interface Access {
  issuer: CredentialIssuer;
  grant: PresentedGrant;
  session: Stored<LiveSession>;
  nonces: RequestNonces;
}

/** The items that a request makes credentials of, with the nonce of its verified proofs. */
type ItemClaim = Pick<Attempt, 'items' | 'nonce' | 'isDeferred'>;

/** The items as they are leased. */
export interface LeasedItems {
  session: ActiveSession;
  /** The id of this attempt. */
  owner: string;
  /** The ids of attempts before at some of the items, which ended without a credential. */
  earlier: readonly string[];
  /** Counts a credential that is made. */
  count(): void;
  /** Notes the format of an item whose credentials are all made. */
  finished(format: FormatName): void;
}

/** What is done under a lease. */
interface LeasedWork<T> {
  /** @throws ItemFailure naming the item at which it failed */
  make(leased: LeasedItems): Promise<T>;
  /** The session with the result. It may be called again, on a later state. */
  settle(session: ActiveSession, attempt: Attempt): IssuanceSession;
}

/** The result of leased work. */
interface FinishedWork<T> {
  made: T;
  /** The session with the result. */
  session: IssuanceSession;
  /** The nonce for the next proof, in versions whose responses carry it, while there are more items. */
  next?: NextNonce;
}

/** The failure of one item, with its cause. */
export class ItemFailure extends Error {
  readonly item: number;

  constructor(item: number, cause: unknown) {
    super('An item failed', { cause });
    this.item = item;
  }
}

/** A lease that this request has. */
interface HeldLease {
  issuer: CredentialIssuer;
  nonces: RequestNonces;
  attempt: Attempt;
  earlier: string[];
  /** As it was written last; renewals replace it. */
  session: StoredSession;
  /** How many credentials are made. */
  made: number;
  /** The formats of the items whose credentials are all made. */
  finished: FormatName[];
}

/**
 * Makes each credential once. One nonce is good for one request, and a failure that is not the request's leaves it good:
 * - A request leases its items for the nonce of its proofs. The lease has an id of its own (`owner`) and names the nonce.
 *   It is written onto the very revision of the session that was read before the nonce, so of concurrent requests with
 *   one nonce, or for one item, exactly one goes on.
 * - The nonce is void from the write on that marks the items as issued.
 * - A request that finds its item or its nonce taken by one that was being served when it began is answered `Busy`: when it
 *   comes again, it gets the delivery or a fresh nonce. Its access token stays good.
 * - A failure ends the lease, a killed process lets it expire. A lease that ended without credentials still names its
 *   nonce, so the same proofs are good again where nonces belong to a grant; others are restored.
 */
export class ItemLeases {
  constructor(
    private readonly parts: {
      sessions: IssuanceSessionRepository;
      nonces: NonceSources;
      clock: Clock;
      timers: Timers;
      ids: Ids;
    },
  ) {}

  /** Undefined when the session is over. */
  async access(issuer: CredentialIssuer, grant: PresentedGrant): Promise<Access | undefined> {
    const session = await this.parts.sessions.live(issuer, grant.sessionId);
    const { nonces } = VERSIONS[issuer.version];
    return session && { issuer, grant, session, nonces: this.parts.nonces[nonces].forRequest(grant, session) };
  }

  /**
   * Works on items under a lease and records the result; returns the next nonce while there are more items.
   * @throws DomainError `Busy`, and what `make` throws
   */
  async run<T>(access: Access, claim: ItemClaim, work: LeasedWork<T>): Promise<FinishedWork<T>> {
    let held: HeldLease;
    try {
      held = await this.#lease(access, claim);
    } catch (error) {
      await restored(access.nonces);
      throw error;
    }
    const { attempt, earlier, session } = held;
    const complete = async () => {
      const count = () => {
        held.made += 1;
      };
      const finished = (format: FormatName) => void held.finished.push(format);
      const made = await work.make({ session: session.value, owner: attempt.owner, earlier, count, finished });
      return { made, ...(await this.#settle(held, work)) };
    };
    try {
      return await underLease(this.parts.timers, () => this.#renew(held), complete);
    } catch (error) {
      throw await this.#undo(held, error);
    }
  }

  async #lease(first: Access, claim: ItemClaim): Promise<HeldLease> {
    const { sessions, clock, ids } = this.parts;
    let access = first;
    for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
      const { session: seen, nonces } = access;
      if (!isActive(seen)) throw busy();
      const { nonce } = claim;
      if (nonce !== undefined && !(await nonces.accept(nonce)))
        throw tries > 0 ? busy() : await nonces.refused(nonceUsed());
      const now = clock.now();
      const attempt = { owner: ids.uuid(), until: now + LEASE_MS, ...claim };
      const earlier = rivalsOf(seen.value, claim).map(({ owner }) => owner);
      try {
        const session = await sessions.moveUnchanged(seen, (current) => leased(current, attempt, now));
        if (session) return { attempt, earlier, session, nonces, issuer: access.issuer, made: 0, finished: [] };
      } catch (error) {
        throw isDomainError(error, 'Conflict') ? busy() : error;
      }
      access = await this.#again(access);
    }
    throw tooManyRequests();
  }

  async #again({ issuer, grant, nonces }: Access): Promise<Access> {
    const session = await this.parts.sessions.live(issuer, grant.sessionId);
    if (!session) throw sessionOver();
    return { issuer, grant, session, nonces: nonces.again(session) };
  }

  async #renew(held: HeldLease): Promise<void> {
    const until = this.parts.clock.now() + LEASE_MS;
    const { attempt, made } = held;
    held.session = await this.parts.sessions.move(held.session, (current) =>
      renewed(current, attempt, { until, made }),
    );
  }

  async #settle<T>(held: HeldLease, { settle }: LeasedWork<T>): Promise<Omit<FinishedWork<T>, 'made'>> {
    const { attempt, nonces } = held;
    const hasNonce = attempt.nonce !== undefined;
    const isLast = countLeft(held.session.value) === attempt.items.length;
    const move = (current: ActiveSession) => {
      const settled = settle(current, attempt);
      return hasNonce ? nonces.spent(settled) : settled;
    };
    const { value: session } = await this.parts.sessions.move(
      held.session,
      move,
      held.finished.length > 0 ? { issued: held.finished } : undefined,
    );
    const hasNext = hasNonce && !isLast && session.state === 'ACTIVE';
    return { session, next: hasNext ? await nonces.next(session) : undefined };
  }

  /** Ends the lease, or fails the item that no other attempt can issue; returns the error to answer with. */
  async #undo({ session, attempt, nonces, issuer }: HeldLease, error: unknown): Promise<unknown> {
    const { sessions } = this.parts;
    const cause = error instanceof ItemFailure ? error.cause : error;
    const { message } = isDomainError(cause) ? cause : { message: '' };
    const isFinal = error instanceof ItemFailure && isOfferAtFault(cause);
    // When a move fails too, the lease expires by itself.
    const move = (current: ActiveSession) =>
      isFinal ? failed(current, attempt, { item: error.item, reason: message }) : released(current, attempt);
    await sessions.move(session, move, isFinal ? {} : undefined).catch(() => undefined);
    await restored(nonces);
    if (isFinal) return oauthError('credential_request_denied', message, { cause });
    if (!isDomainError(cause, 'Conflict')) return cause;
    const live = await sessions.live(issuer, session.id).catch(() => undefined);
    // Another request issued the last item.
    return live && !isActive(live) ? busy() : sessionOver(cause);
  }
}

/** A nonce that cannot be restored is lost, never used twice. */
const restored = (nonces: RequestNonces): Promise<void> => nonces.restore().catch(() => undefined);

const nonceUsed = (): DomainError => new DomainError('Conflict', 'The nonce was used already');

const sessionOver = (cause?: unknown): DomainError =>
  oauthError('invalid_token', 'The issuance session is over', { cause });

/** The offer itself is at fault: its mapping, its webhook's address, its key. */
const isOfferAtFault = (error: unknown): boolean =>
  (isDomainError(error, 'BadRequest') || isDomainError(error, 'AddressRefused')) && error.oauthError === undefined;
