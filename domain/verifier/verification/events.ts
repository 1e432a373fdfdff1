import type { Log } from '../../../ports/log.ts';
import type { Clock } from '../../../ports/system.ts';
import type { EventDelivery, StoredEvent } from '../../events/delivery.ts';
import { reasonOf } from '../../foundation/errors.ts';
import type { Protocol } from '../protocol.ts';
import { sessionView } from './draft20-view.ts';
import type { SessionEvent } from './outcome.ts';
import { rulesOf } from './protocols.ts';
import type { SessionRepository, StoredSession } from './repository.ts';
import type { ProtocolOf } from './rules.ts';
import { reportedSession } from './v1-view.ts';

/** Sessions whose steps are reported. */
type Reported = StoredSession<ProtocolOf<'v1'>>;

/** How long the event of a result is stored at most, in milliseconds. */
const RESULT_MS = 24 * 3600 * 1000;

/**
 * Reports sessions to those who created them. The steps of a session are its history: each is stored for those who follow
 * the session and sent to its webhook, without a wait and without an effect on the verification. What was presented is
 * not part of it. Sessions of the drafts have one event with their result (interface: Verification callback).
 */
export class SessionEvents {
  constructor(
    private readonly parts: {
      delivery: EventDelivery;
      log: Log;
      clock: Clock;
    },
  ) {}

  /**
   * Reports steps in their order; what cannot be stored is logged. The last one shows the session as it is, those that
   * led to it the session as it was `before`: a reader that stops at a final status has received every step.
   */
  async record(session: StoredSession, events: readonly SessionEvent[], before = session): Promise<void> {
    if (!hasSteps(session) || !hasSteps(before)) return;
    const { delivery, log, clock } = this.parts;
    const { id, value, expiresAt = value.request.expiresAt } = session;
    const [shown, earlier] = [session, before].map((one) => reportedSession(one, clock.now()));
    const source = { session: logOf(session), destination: receiverOf(session), isHistory: true, expiresAt };
    const reports = events.map((event, index) => ({
      step: event,
      isOnce: true,
      type: event,
      body: JSON.stringify({ target: id, event, session: index < events.length - 1 ? earlier : shown }),
    }));
    try {
      await delivery.record(source, reports);
    } catch (error) {
      log.warn('verification event could not be stored', { session: id, reason: reasonOf(error) });
    }
  }

  /**
   * Concludes a session and sends its result to its receiver, if the result alone is reported. The event is stored first,
   * so a process that is killed after the conclusion leaves it to another one. A failed delivery changes nothing for the
   * wallet; it is tried again later.
   */
  async around<T>(session: StoredSession, conclude: () => Promise<T>): Promise<T> {
    const { delivery } = this.parts;
    const event = await this.#append(session);
    if (!event) return conclude();
    const concluded = await conclude().catch(async (error) => {
      await delivery.withdraw(event).catch(() => undefined);
      throw error;
    });
    await delivery.deliver(event, 'retry').catch(() => undefined);
    return concluded;
  }

  async #append(session: StoredSession): Promise<StoredEvent | undefined> {
    const { delivery, clock } = this.parts;
    const destination = receiverOf(session);
    if (hasSteps(session) || !destination) return undefined;
    return delivery.append({
      session: resultLogOf(session),
      destination,
      step: 'result',
      isOnce: false,
      type: 'result',
      expiresAt: clock.now() + RESULT_MS,
    });
  }
}

const hasSteps = (session: StoredSession): session is Reported => rulesOf(session.value.request).reports === 'steps';

const receiverOf = <P extends Protocol>({ id, value: { request } }: StoredSession<P>) =>
  rulesOf(request).receiver({ id, request });

/** The log of a session's events: its target, which has no slash, and its id. */
export const logOf = ({ parent, id }: Pick<StoredSession, 'parent' | 'id'>): string => `${parent}//${id}`;

const resultLogOf = ({ parent, id }: Pick<StoredSession, 'parent' | 'id'>): string => `${parent}/${id}`;

/** The session whose result is reported in a log. */
export function sessionOf(
  sessions: Pick<SessionRepository, 'find'>,
  log: string,
): Promise<StoredSession<'draft20'> | undefined> {
  const end = log.indexOf('/');
  return sessions.find(log.slice(0, end), 'draft20', log.slice(end + 1));
}

/** Composes the body of a result's event; undefined while the session is not concluded. */
export async function resultBody(sessions: Pick<SessionRepository, 'find'>, log: string): Promise<string | undefined> {
  const session = await sessionOf(sessions, log);
  return session?.value.state === 'concluded' ? JSON.stringify(sessionView(session.id, session.value)) : undefined;
}
