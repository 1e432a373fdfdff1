import type { Log } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Outbound } from '../../ports/outbound.ts';
import type { Collection, CollectionSpec, Store, Stored } from '../../ports/store.ts';
import type { Clock, Ids, Timers } from '../../ports/system.ts';
import { at, DomainError, invalidField, isDomainError } from '../foundation/errors.ts';
import { busy, LEASE_MS, underLease } from '../foundation/lease.ts';
import { checkDestination } from '../network/urls.ts';
import type { PresentationDefinition } from '../presentation/exchange/definition.ts';
import { destinations } from './destinations.ts';
import { replyTo, type WalletReply } from './direct-post-response.ts';
import type { RequestComposer, VerifyRequest } from './request-composer.ts';
import { requestUrl, sessionLinks } from './request-url.ts';
import { ResultCallback } from './result-callback.ts';
import { type SessionView, sessionView } from './session-view.ts';
import type { Submission, Verification } from './verification.ts';
import {
  type CredentialResult,
  checkFree,
  concluded,
  created,
  leased,
  released,
  renewed,
  type VerificationOutcome,
  type VerificationSession,
  type Verifying,
} from './verification-session.ts';

/** What the verification sessions work with. */
export interface VerificationSessionParts {
  composer: RequestComposer;
  verification: Verification;
  store: Store;
  clock: Clock;
  timers: Timers;
  ids: Ids;
  outbound: Outbound;
  metrics: Metrics;
  log: Log;
  /** Without a trailing slash. */
  publicUrl: string;
}

/** A wallet's answer: a presentation, or the error it has instead (OpenID4VP draft 20 §6). */
export interface WalletResponse {
  vp_token?: string;
  presentation_submission?: string;
  state?: string;
  error?: string;
  error_description?: string;
  error_uri?: string;
}

/** A session under a lease of ours, as it was written last. */
type Held = Stored<Verifying>;

const RETENTION_MS = 24 * 3600 * 1000;

const SESSIONS: CollectionSpec<VerificationSession> = { name: 'verification-sessions', listed: false, sealed: true };

/** Verification sessions from the request to the kept result. */
export class VerificationSessions {
  readonly #sessions: Collection<VerificationSession>;
  readonly #callback: ResultCallback;
  readonly #parts: VerificationSessionParts;

  constructor(parts: VerificationSessionParts) {
    this.#sessions = parts.store.collection(SESSIONS);
    this.#callback = new ResultCallback(parts.outbound, parts.log);
    this.#parts = parts;
  }

  /** Opens a session. Gives the request as a link for a wallet. @throws DomainError `BadRequest`, `Conflict` */
  async start(wanted: VerifyRequest): Promise<string> {
    const { composer, clock, ids, metrics, publicUrl } = this.#parts;
    const { options, asked } = await composer.compose(wanted);
    for (const { place, ...call } of destinations({ ...asked, ...options.replies }))
      at(place, () => checkDestination(this.#parts.outbound, call));
    const state = options.stateId ?? ids.uuid();
    const links = sessionLinks(publicUrl, state);
    const nonce = ids.uuid();
    const value = created({ ...asked, ...options.replies, nonce, responseUri: links.responseUri });
    try {
      await this.#sessions.insert({ id: state, value, expiresAt: clock.now() + options.ttlSeconds * 1000 });
    } catch (error) {
      if (!isDomainError(error, 'Conflict')) throw error;
      throw new DomainError('Conflict', '/header/stateId: a session with this state exists', { cause: error });
    }
    metrics.sessionMoved('verification', 'created');
    return requestUrl({ authorizeBaseUrl: options.authorizeBaseUrl, state, nonce, links });
  }

  /** The presentation definition of a session. @throws DomainError `NotFound` */
  async definition(state: string): Promise<PresentationDefinition> {
    return (await this.#find(state)).value.request.query.definition;
  }

  /** The session with its result, once there is one. @throws DomainError `NotFound` */
  async result(state: string): Promise<SessionView> {
    return sessionView(state, (await this.#find(state)).value);
  }

  /**
   * Takes a wallet's answer. The session is leased before the policies run, so that of two answers at once one is
   * put off and no webhook is called twice; the lease of a process that died ends by itself.
   * @throws DomainError `NotFound`, `BadRequest` when the answer cannot be read (the session stays usable), `Conflict`
   * after another answer, `Busy` while another one is verified
   */
  async submit(state: string, response: WalletResponse): Promise<WalletReply> {
    const record = await this.#find(state);
    checkFree(record.value, this.#parts.clock.now());
    if (response.state !== undefined && response.state !== state)
      throw invalidField('/body/state', 'is that of another session');
    if (response.error !== undefined) return this.#refuse(record, response, response.error);
    const { vp_token: vpToken, presentation_submission: submission } = response;
    if (vpToken === undefined) throw invalidField('/body/vp_token', 'is required');
    if (submission === undefined) throw invalidField('/body/presentation_submission', 'is required');
    const submitted = await this.#parts.verification.read(record.value.request, { vpToken, submission });
    const { held, ...judged } = await this.#evaluate(await this.#lease(record), submitted);
    const tokenResponse = { vp_token: vpToken, presentation_submission: submitted.submission, state };
    return this.#conclude(held, { tokenResponse, ...judged });
  }

  async #find(state: string): Promise<Stored<VerificationSession>> {
    const record = await this.#sessions.get({ id: state });
    if (record) return record;
    throw new DomainError('NotFound', 'There is no such verification session, or it has expired');
  }

  /** An error of the wallet is its one answer. */
  #refuse(record: Stored<VerificationSession>, response: WalletResponse, error: string): Promise<WalletReply> {
    const { error_description: description, error_uri: uri } = response;
    const told = {
      error,
      ...(description !== undefined && { error_description: description }),
      ...(uri !== undefined && { error_uri: uri }),
    };
    return this.#conclude(record, { tokenResponse: { ...told, state: record.id }, tookMs: 0 });
  }

  async #lease(record: Stored<VerificationSession>): Promise<Held> {
    const { clock, ids } = this.#parts;
    const now = clock.now();
    const value = leased(record.value, { owner: ids.uuid(), until: now + LEASE_MS }, now);
    try {
      return await this.#keep({ ...record, value });
    } catch (error) {
      if (!isDomainError(error, 'Conflict')) throw error;
      checkFree((await this.#find(record.id)).value, now);
      throw busy({ until: now }, now);
    }
  }

  /** Writes the session for at least as long as its lease. */
  #keep(record: Held): Promise<Held> {
    return this.#replace({ ...record, expiresAt: Math.max(record.expiresAt ?? 0, record.value.lease.until) });
  }

  /** Runs the policies. Whatever keeps them from running gives the session back to the wallet. */
  async #evaluate(
    first: Held,
    submitted: Submission,
  ): Promise<{ held: Held; results: CredentialResult[]; tookMs: number }> {
    const { clock, timers, verification } = this.#parts;
    const startedAt = clock.now();
    let held = first;
    const renew = async (): Promise<void> => {
      held = await this.#keep({ ...held, value: renewed(held.value, clock.now() + LEASE_MS) });
    };
    try {
      const judge = () => verification.evaluatePolicies(first.value.request, submitted, startedAt);
      const results = await underLease(timers, renew, judge);
      return { held, results, tookMs: clock.now() - startedAt };
    } catch (error) {
      await this.#replace({ ...held, value: released(held.value) }).catch(() => undefined);
      throw error;
    }
  }

  async #conclude(record: Stored<VerificationSession>, outcome: VerificationOutcome): Promise<WalletReply> {
    const value = concluded(record.value, outcome);
    await this.#replace({ ...record, value, expiresAt: this.#parts.clock.now() + RETENTION_MS });
    this.#parts.metrics.sessionMoved('verification', value.state);
    await this.#callback.send(record.id, value);
    return replyTo(record.id, value);
  }

  async #replace<T extends VerificationSession>({ id, value, expiresAt, revision }: Stored<T>): Promise<Stored<T>> {
    try {
      return { ...(await this.#sessions.replace({ id, value, expiresAt }, revision)), value };
    } catch (error) {
      if (!isDomainError(error, 'Conflict')) throw error;
      throw new DomainError('Conflict', 'Another presentation for this session came first', { cause: error });
    }
  }
}
