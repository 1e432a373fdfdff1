import type { Clock, Ids, Random, Timers } from '../../ports/system.ts';
import { DomainError, isDomainError, oauthError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import { LEASE_MS, underLease } from '../foundation/lease.ts';
import type { CredentialBuilder } from './credential-builder.ts';
import { findItem } from './credential-request.ts';
import type { IssuanceEvents } from './events.ts';
import type { Holder, HolderProofs, Proven } from './holder-proofs.ts';
import {
  type Attempt,
  completeItem,
  failSession,
  type IssuanceItem,
  type IssuanceSession,
  leaseItem,
  noncesOf,
  releaseItem,
  renewLease,
  renewNonce,
} from './issuance-session.ts';
import type { IssuanceSessionRepository } from './session-repository.ts';
import { newSecret, secondsLeft } from './token-endpoint.ts';

/** OpenID4VCI draft 13 §7.3; a session with nothing left to issue has no more nonces. */
export interface CredentialResponse {
  format: string;
  credential: string;
  c_nonce?: string;
  c_nonce_expires_in?: number;
}

/** What issuing needs. */
export interface CredentialEndpointParts {
  /** The credential issuer identifier. */
  issuer: string;
  sessions: IssuanceSessionRepository;
  proofs: HolderProofs;
  maker: CredentialBuilder;
  events: IssuanceEvents;
  clock: Clock;
  timers: Timers;
  ids: Ids;
  random: Random;
}

/** The credential endpoint of the issuer. */
export class CredentialEndpoint {
  readonly #parts: CredentialEndpointParts;

  constructor(parts: CredentialEndpointParts) {
    this.#parts = parts;
  }

  /**
   * Issues the credential that the request asks for, once. A failure that is not the request's leaves everything as
   * it was, nonce included; one that no other try can mend ends the session. When the process dies, the same proof is
   * good again after `LEASE_MS`.
   * @throws DomainError with a code of OpenID4VCI draft 13 §7.3.1.2, `Busy` while another request has the credential
   */
  async issue(accessToken: string, request: JsonObject): Promise<CredentialResponse> {
    const session = await this.#parts.sessions.byAccessToken(accessToken);
    if (!session) throw oauthError('invalid_token', 'The access token is unknown, expired or has done its work');
    const { clock, timers } = this.#parts;
    const item = findItem(session, request, clock.now());
    const { holder, nonce } = await this.#prove(session, request.proof);
    const held = await this.#lease(session, item, nonce);
    try {
      const renew = () => this.#renew(held);
      return await underLease(timers, renew, () => this.#deliver(held, item, holder));
    } catch (error) {
      throw await this.#undo(held, error);
    }
  }

  async #prove(session: IssuanceSession, proof: unknown): Promise<Proven> {
    try {
      return await this.#parts.proofs.verify(proof, { audience: this.#parts.issuer, nonces: noncesOf(session) });
    } catch (error) {
      // A key that cannot be fetched leaves the proof unproven: the wallet's matter, not a gateway's.
      if (error instanceof DomainError && error.code !== 'StoreUnavailable')
        throw await this.#withNonce(session, error);
      throw error;
    }
  }

  async #lease(session: IssuanceSession, { id: itemId }: IssuanceItem, nonce: string): Promise<LeasedSession> {
    const { sessions, clock, ids } = this.#parts;
    const now = clock.now();
    const attempt = { itemId, nonce, owner: ids.uuid(), until: now + LEASE_MS };
    try {
      return { attempt, session: await sessions.move(session, (current) => leaseItem(current, attempt, now)) };
    } catch (error) {
      throw isDomainError(error, 'Conflict') ? await this.#withNonce(session, error) : error;
    }
  }

  async #renew(held: LeasedSession): Promise<void> {
    const until = this.#parts.clock.now() + LEASE_MS;
    held.session = await this.#parts.sessions.move(held.session, (current) => renewLease(current, held.attempt, until));
  }

  async #deliver(held: LeasedSession, { content }: IssuanceItem, holder: Holder): Promise<CredentialResponse> {
    const { sessions, maker, events, clock, random } = this.#parts;
    const { format } = content;
    const credential = await maker.build(content, holder);
    await events.issued(held.session, format, credential);
    const nonce = newSecret(random);
    const after = await sessions.move(held.session, (current) => completeItem(current, held.attempt, nonce));
    if (after.state !== 'ACTIVE') return { format, credential };
    return { format, credential, c_nonce: nonce, c_nonce_expires_in: secondsLeft(after, clock.now()) };
  }

  /** What to answer the wallet, after the session was put right. */
  async #undo({ session, attempt }: LeasedSession, error: unknown): Promise<unknown> {
    const { sessions } = this.#parts;
    if (cannotBeMended(error)) {
      await sessions.move(session, (current) => failSession(current, attempt, error.message)).catch(() => undefined);
      return oauthError('credential_request_denied', error.message, { cause: error });
    }
    // When this fails too, the lease runs out by itself and the proof is good again.
    await sessions.move(session, (current) => releaseItem(current, attempt)).catch(() => undefined);
    return isDomainError(error, 'Conflict') ? oauthError('invalid_token', 'The issuance session is over') : error;
  }

  /** `invalid_proof` with the nonce to try again with: a fresh one, or the one a request beside this one made. */
  async #withNonce(session: IssuanceSession, cause: DomainError): Promise<DomainError> {
    const { sessions, clock, random } = this.#parts;
    try {
      const isFresh = ({ cNonce }: IssuanceSession) => cNonce !== undefined && cNonce !== session.cNonce;
      const renewed = await sessions.move(session, (current) =>
        isFresh(current) ? current : renewNonce(current, newSecret(random)),
      );
      const extra = { c_nonce: renewed.cNonce, c_nonce_expires_in: secondsLeft(renewed, clock.now()) };
      return oauthError('invalid_proof', cause.message, { cause, extra });
    } catch (error) {
      if (!isDomainError(error, 'Conflict')) throw error;
      return oauthError('invalid_token', 'The issuance session is over', { cause: error });
    }
  }
}

interface LeasedSession {
  /** As it is with the lease, which renewals prolong. */
  session: IssuanceSession;
  attempt: Attempt;
}

/** The offer itself is at fault: its mapping, its webhook's address, its key. */
const cannotBeMended = (error: unknown): error is DomainError =>
  (isDomainError(error, 'BadRequest') || isDomainError(error, 'AddressRefused')) && error.oauthError === undefined;
