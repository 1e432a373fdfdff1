import type { Clock, Ids, Timers } from '../../ports/system.ts';
import { DomainError, isDomainError, oauthError } from '../foundation/errors.ts';
import { LEASE_MS, underLease } from '../foundation/lease.ts';
import { MAX_ATTEMPTS, tooManyRequests } from '../foundation/records.ts';
import type { PresentedGrant } from '../oauth/access-tokens.ts';
import type { CurrentNonce, Nonces } from '../oauth/nonces.ts';
import type { CredentialIssuer } from './credential-issuer.ts';
import {
  type ActiveSession,
  type Attempt,
  failed,
  issued,
  leased,
  leaseNonces,
  released,
  renewed,
  secondsLeft,
} from './issuance-session.ts';
import { nonceMembers } from './openid4vci/draft13.ts';
import type { IssuedCredential } from './protocol.ts';
import type { IssuanceSessionRepository, StoredSession } from './session-repository.ts';

/** What an access token gives access to, as it was read: the session first, then the nonce. */
export interface Access {
  issuer: CredentialIssuer;
  grant: PresentedGrant;
  session: StoredSession;
  nonce: CurrentNonce;
}

/** The nonces that a proof may carry: the current one, and those whose lease ended without a credential. */
export const nonceChoices = ({ session, nonce }: Access): string[] => [
  nonce.value.nonce,
  ...leaseNonces(session.value),
];

/** What the leases need. */
export interface ItemLeaseParts {
  sessions: IssuanceSessionRepository;
  nonces: Nonces;
  clock: Clock;
  timers: Timers;
  ids: Ids;
}

/** A lease that this request has. */
interface LeasedItem extends Pick<Access, 'nonce'> {
  attempt: Attempt;
  /** As it was written last; renewals replace it. */
  session: StoredSession;
}

/** A proof that was verified, and the item it is for. */
export type ProvenItem = Pick<Attempt, 'itemId' | 'nonce'>;

/**
 * Makes each credential once. One proof is good for one credential, and a failure that is not the request's leaves it
 * good:
 * - A request leases an item for the nonce of its proof. The lease has an id of its own (`owner`) and names the nonce.
 *   It is written onto the very revision of the session that was read before the nonce, so of concurrent requests with
 *   one nonce, or for one item, exactly one goes on.
 * - The nonce is consumed when the credential is ready: its record is renewed first, the item is removed then.
 * - A failure ends the lease, a killed process lets it expire. A lease that ended without a credential still names its
 *   nonce, so the same proof is good again.
 */
export class ItemLeases {
  readonly #parts: ItemLeaseParts;

  constructor(parts: ItemLeaseParts) {
    this.#parts = parts;
  }

  /** Undefined when the session is over. */
  async access(issuer: CredentialIssuer, grant: PresentedGrant): Promise<Access | undefined> {
    const session = await this.#parts.sessions.active(issuer, grant.sessionId);
    const nonce = session && (await this.#parts.nonces.get(grant.grantId));
    return nonce && { issuer, grant, session, nonce };
  }

  /** Makes the credential of an item under a lease and removes the item. @throws DomainError `Busy`, and what `make` throws */
  async issue(
    access: Access,
    proven: ProvenItem,
    make: (session: ActiveSession) => Promise<string>,
  ): Promise<Omit<IssuedCredential, 'format'>> {
    const lease = await this.#lease(access, proven);
    const complete = async () => this.#complete(lease, await make(lease.session.value));
    try {
      return await underLease(this.#parts.timers, () => this.#renew(lease), complete);
    } catch (error) {
      throw await this.#undo(lease, error);
    }
  }

  /** Creates the error `invalid_proof` with the nonce to try again with. */
  async invalidProof({ nonce: seen, session }: Access, cause: DomainError): Promise<DomainError> {
    const nonce = await this.#parts.nonces.renew(seen);
    const seconds = secondsLeft(session.value, this.#parts.clock.now());
    return oauthError('invalid_proof', cause.message, { cause, extra: nonceMembers({ nonce, seconds }) });
  }

  async #lease(first: Access, { itemId, nonce }: ProvenItem): Promise<LeasedItem> {
    const { sessions, clock, ids } = this.#parts;
    let access = first;
    for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
      if (!nonceChoices(access).includes(nonce)) throw await this.invalidProof(access, nonceUsed());
      const now = clock.now();
      const attempt = { itemId, nonce, owner: ids.uuid(), until: now + LEASE_MS };
      try {
        const session = await sessions.moveUnchanged(access.session, (current) => leased(current, attempt, now));
        if (session) return { attempt, session, nonce: access.nonce };
      } catch (error) {
        throw isDomainError(error, 'Conflict') ? await this.invalidProof(access, error) : error;
      }
      access = await this.#again(access);
    }
    throw tooManyRequests();
  }

  async #again({ issuer, grant }: Access): Promise<Access> {
    const access = await this.access(issuer, grant);
    if (!access) throw sessionOver();
    return access;
  }

  async #renew(lease: LeasedItem): Promise<void> {
    const until = this.#parts.clock.now() + LEASE_MS;
    lease.session = await this.#parts.sessions.move(lease.session, (current) => renewed(current, lease.attempt, until));
  }

  async #complete(lease: LeasedItem, credential: string): Promise<Omit<IssuedCredential, 'format'>> {
    const { sessions, nonces, clock } = this.#parts;
    const isLast = lease.session.value.items.length === 1;
    const nonce = isLast ? undefined : await nonces.renew(lease.nonce);
    const { value: after } = await sessions.move(lease.session, (current) => issued(current, lease.attempt));
    if (after.state !== 'ACTIVE' || nonce === undefined) return { credential };
    return { credential, next: { nonce, seconds: secondsLeft(after, clock.now()) } };
  }

  /** Ends the lease, or the session when no other attempt can succeed; returns the error to answer with. */
  async #undo({ session, attempt }: LeasedItem, error: unknown): Promise<unknown> {
    const { sessions } = this.#parts;
    if (isFinal(error)) {
      await sessions.move(session, (current) => failed(current, attempt, error.message)).catch(() => undefined);
      return oauthError('credential_request_denied', error.message, { cause: error });
    }
    // When this fails too, the lease expires by itself.
    await sessions.move(session, (current) => released(current, attempt)).catch(() => undefined);
    return isDomainError(error, 'Conflict') ? sessionOver(error) : error;
  }
}

const nonceUsed = (): DomainError => new DomainError('Conflict', 'The nonce was used already');

const sessionOver = (cause?: unknown): DomainError =>
  oauthError('invalid_token', 'The issuance session is over', { cause });

/** The offer itself is at fault: its mapping, its webhook's address, its key. */
const isFinal = (error: unknown): error is DomainError =>
  (isDomainError(error, 'BadRequest') || isDomainError(error, 'AddressRefused')) && error.oauthError === undefined;
