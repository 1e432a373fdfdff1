import { texts } from '../texts/texts.ts';

interface EventListProps {
  events: readonly { sequence: number; value: { event: string } }[];
  state: 'connecting' | 'live' | 'retrying' | 'ended';
  /** What events are in words. */
  words: Readonly<Record<string, string>>;
}

/** The steps of a session in their order, each once. */
export const EventList = ({ events, state, words }: EventListProps) => {
  const t = texts().exchange;
  return (
    <section>
      <h2>{t.steps}</h2>
      <div role="log" aria-label={t.steps}>
        <ol class="log">
          {events.map(({ sequence, value }) => (
            <li key={sequence}>{words[value.event] ?? value.event}</li>
          ))}
        </ol>
      </div>
      {events.length === 0 && state === 'live' ? <p class="quiet">{t.noSteps}</p> : null}
      {state === 'connecting' ? <p class="quiet">{t.connecting}</p> : null}
      {state === 'retrying' ? (
        <p class="quiet" role="status">
          {t.retrying}
        </p>
      ) : null}
    </section>
  );
};
