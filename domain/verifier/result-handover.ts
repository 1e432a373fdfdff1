import type { Clock } from '../../ports/system.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import type { PresentationDefinition } from '../presentation/exchange/definition.ts';
import { POLICY_CODES } from './policies/codes.ts';
import type { PolicyRequest, PolicyResult } from './policies/policy.ts';
import type { StoredSession, VerificationSessionRepository } from './session-repository.ts';
import type {
  ConcludedSession,
  VerificationOutcome,
  VerificationRequest,
  VerificationSession,
} from './verification-session.ts';
import type { VerifierProfile } from './verifier-profile.ts';

/** What handing results over needs. */
export interface ResultHandoverParts {
  sessions: VerificationSessionRepository;
  clock: Clock;
}

/** Hands the results of sessions of the OpenID4VP drafts over to those who created them. */
export class ResultHandover {
  readonly #parts: ResultHandoverParts;

  constructor(parts: ResultHandoverParts) {
    this.#parts = parts;
  }

  /**
   * What `show` makes of a session. A verifier that stores nothing of what was presented gets it once: it is deleted before
   * it is returned. @throws DomainError `NotFound`, and what `show` throws; then nothing was handed over
   */
  async read<T>(profile: VerifierProfile, state: string, show: (session: StoredSession) => T | Promise<T>): Promise<T> {
    const { sessions } = this.#parts;
    const session = await sessions.get(profile, state);
    const shown = await show(session);
    if (!isDue(profile, session.value) || (await this.#delete(session))) return shown;
    return show(await sessions.get(profile, state));
  }

  /** Deletes what was presented, after a callback was delivered with it. */
  async delivered(profile: VerifierProfile, state: string): Promise<void> {
    const session = await this.#parts.sessions.find(profile.target, state);
    if (session && isDue(profile, session.value)) await this.#delete(session);
  }

  /** Whether it was there until now. */
  async #delete(session: StoredSession): Promise<boolean> {
    const { sessions, clock } = this.#parts;
    try {
      await sessions.move(session, { change: (current) => handedOver(current, clock.now()) });
      return true;
    } catch (error) {
      if (isDomainError(error, 'Conflict')) return false;
      throw error;
    }
  }
}

const isDue = ({ retention }: VerifierProfile, session: VerificationSession): boolean =>
  retention.presented === 'deleteOnHandover' && 'outcome' in session && session.outcome.handedOverAt === undefined;

/** @throws DomainError `Conflict` when there is no result, or it was handed over before */
function handedOver(session: VerificationSession, at: number): ConcludedSession {
  if (!('outcome' in session) || session.outcome.handedOverAt !== undefined)
    throw new DomainError('Conflict', 'The result of the session was handed over already');
  return { ...session, request: withoutValues(session.request), outcome: withoutPresented(session.outcome, at) };
}

const withoutPresented = (
  { tokenResponse: { state, error }, results, ...rest }: VerificationOutcome,
  handedOverAt: number,
): VerificationOutcome => ({
  ...rest,
  tokenResponse: { ...(state !== undefined && { state }), ...(error !== undefined && { error }) },
  ...(results && {
    results: results.map(({ credential, policies }) => ({ credential, policies: policies.map(shortLine) })),
  }),
  handedOverAt,
});

/** Texts of policies may quote claims; those of their codes do not. */
const shortLine = ({ policy, description, is_success, code }: PolicyResult): PolicyResult => ({
  policy,
  description,
  is_success,
  code,
  reason: POLICY_CODES[code],
});

/** A request without the values that it asked for, and without the arguments of policies: they reveal what was presented. */
function withoutValues({ transactionData: _, ...request }: VerificationRequest): VerificationRequest {
  const names = (list: readonly PolicyRequest[]): PolicyRequest[] => list.map(({ policy }) => ({ policy }));
  const { query, vpPolicies, vcPolicies, ownPolicies } = request;
  return {
    ...request,
    query: { ...query, definition: withoutFilters(query.definition) },
    vpPolicies: names(vpPolicies),
    vcPolicies: names(vcPolicies),
    ownPolicies: ownPolicies.map((own) => ({ ...own, policies: names(own.policies) })),
  };
}

const withoutFilters = (definition: PresentationDefinition): PresentationDefinition => ({
  ...definition,
  input_descriptors: definition.input_descriptors.map(({ constraints, ...descriptor }) => ({
    ...descriptor,
    constraints: { ...constraints, fields: constraints.fields.map(({ filter: _, ...field }) => field) },
  })),
});
