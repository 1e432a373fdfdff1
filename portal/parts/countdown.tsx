import { useEffect, useState } from 'preact/hooks';
import { moment, texts, timeOfDay } from '../texts/texts.ts';

/** At these many seconds before the end the rest is read out. */
const ANNOUNCED = [60, 10];

/** What is valid for longer shows the day instead of what is left. */
const MINUTES_SHOWN = 60;

const format = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** Until when something is valid, and how long that still is; calls `over` when it ends. */
export const Countdown = ({ until, over }: { until: number; over: () => void }) => {
  const t = texts().exchange;
  const [now, setNow] = useState(Date.now());
  const left = Math.max(0, Math.ceil((until - now) / 1000));
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (left === 0) over();
  }, [left === 0]);
  return (
    <p class="quiet">
      {t.validUntil(left > MINUTES_SHOWN * 60 ? moment(until) : timeOfDay(until))}{' '}
      <span role="timer">{left > MINUTES_SHOWN * 60 ? null : t.left(format(left))}</span>
      <span role="status">{ANNOUNCED.includes(left) ? t.left(format(left)) : null}</span>
    </p>
  );
};
