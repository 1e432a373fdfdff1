import type { Clock } from '../../../ports/system.ts';
import { DomainError, isDomainError } from '../../foundation/errors.ts';
import type { Protocol } from '../protocol.ts';
import type { Verifier } from '../verifier.ts';
import { rulesOf } from './protocols.ts';
import type { SessionRepository, StoredSession } from './repository.ts';
import type { ConcludedSession, VerificationSession } from './session.ts';

/** Shows results to those who created their sessions, and deletes what was presented when they have read it. */
export class ResultPurge {
  constructor(
    private readonly parts: {
      sessions: SessionRepository;
      clock: Clock;
    },
  ) {}

  /**
   * What `show` makes of a session. A verifier that stores nothing of what was presented gets it once: it is deleted
   * before it is returned, so of two who ask at once one gets it.
   * @throws DomainError `NotFound` when the session is gone, and what `show` throws; then nothing was deleted
   */
  async read<P extends Protocol, T>(
    verifier: Verifier,
    session: StoredSession<P>,
    show: (session: StoredSession<P>) => T | Promise<T>,
  ): Promise<T> {
    const shown = await show(session);
    if (!isDue(verifier, session.value) || (await this.#purge(session))) return shown;
    const { api } = rulesOf(session.value.request);
    // Of the same API, so of the same protocols.
    return show((await this.parts.sessions.get(verifier, api, session.id)) as StoredSession<P>);
  }

  /** Deletes what was presented, after it was delivered to the verifier. */
  async delivered(verifier: Verifier, session: StoredSession | undefined): Promise<void> {
    if (session && isDue(verifier, session.value)) await this.#purge(session);
  }

  /** Whether it was there until now. */
  async #purge(session: StoredSession): Promise<boolean> {
    const { sessions, clock } = this.parts;
    try {
      const change = (current: VerificationSession) => purged(current, clock.now());
      await sessions.move(session, { change, events: ['data_retention_purge'] });
      return true;
    } catch (error) {
      if (isDomainError(error, 'Conflict')) return false;
      throw error;
    }
  }
}

const isDue = ({ retention }: Verifier, session: VerificationSession): boolean =>
  retention.presented === 'deleteOnHandover' &&
  session.state === 'concluded' &&
  session.outcome.purgedAt === undefined &&
  !rulesOf(session.request).isWithheld(session);

/** @throws DomainError `Conflict` when there is no result, or what was presented was deleted before */
function purged(session: VerificationSession, purgedAt: number): ConcludedSession {
  if (session.state !== 'concluded' || session.outcome.purgedAt !== undefined)
    throw new DomainError('Conflict', 'What was presented in the session was deleted already');
  const rules = rulesOf(session.request);
  const outcome = { ...rules.withoutPresented(session.outcome), purgedAt };
  return { ...session, request: rules.withoutValues(session.request), outcome };
}
