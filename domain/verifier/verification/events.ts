import type { Clock } from '../../../ports/system.ts';
import type { EventDelivery, StoredEvent } from '../../events/delivery.ts';
import { NO_HISTORY } from '../../events/event-log.ts';
import { historyName } from '../../events/event-logs.ts';
import type { Protocol } from '../protocol.ts';
import { sessionView } from './draft20-view.ts';
import type { SessionEvent } from './outcome.ts';
import { rulesOf } from './protocols.ts';
import type { EventRecording, SessionRepository, StepRecorder, StoredSession } from './repository.ts';
import type { ProtocolOf } from './rules.ts';
import { reportedSession } from './v1-view.ts';

/** Sessions whose steps are reported. */
type Reported = StoredSession<ProtocolOf<'v1'>>;

/** How long the event of a result is stored at most, in milliseconds. */
const RESULT_MS = 24 * 3600 * 1000;

/**
 * Reports sessions to those who created them. The steps of a session are its history: each is stored with the session for
 * those who follow it and sent to its webhook, without a wait and without an effect on the verification. What was
 * presented is not part of it. Sessions of the drafts have one event with their result (interface: Verification callback).
 */
export class SessionEvents implements EventRecording {
  constructor(
    private readonly parts: {
      delivery: EventDelivery;
      clock: Clock;
    },
  ) {}

  /**
   * The last event of a step shows the session as it is then, those that led to it the session as it was: a reader that
   * stops at a final status has received every step.
   */
  recording<R>(
    from: StoredSession,
    events: readonly SessionEvent[],
    write: (record: StepRecorder) => Promise<R>,
  ): Promise<R> {
    if (!hasSteps(from) || events.length === 0) return write(({ value }) => value.history);
    const { expiresAt = from.value.request.expiresAt } = from;
    const source = { session: historyName(from), destination: receiverOf(from), expiresAt };
    return this.parts.delivery.recording(source, (record) =>
      write((before, after) => record(before.value.history ?? NO_HISTORY, this.#reports(events, before, after))),
    );
  }

  #reports(events: readonly SessionEvent[], ...sessions: [before: StoredSession, after: StoredSession]) {
    const now = this.parts.clock.now();
    const [earlier, last] = sessions.map((one) => hasSteps(one) && reportedSession(one, now));
    return events.map((event, index) => ({
      step: event,
      isOnce: true,
      type: event,
      body: JSON.stringify({ target: sessions[0].id, event, session: index < events.length - 1 ? earlier : last }),
    }));
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
