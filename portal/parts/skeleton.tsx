import { useEffect, useState } from 'preact/hooks';
import { texts } from '../texts/texts.ts';

/** Before this nothing is shown, since most answers are faster; after that the text says that it takes long. */
const SHOWN_MS = 150;
const LONG_MS = 5000;

/** Stands where something is loading. What follows beside it is seen when that is there, so that nothing moves it then. */
export const Skeleton = () => {
  const [stage, setStage] = useState<'none' | 'shown' | 'long'>('none');
  useEffect(() => {
    const timers = [setTimeout(() => setStage('shown'), SHOWN_MS), setTimeout(() => setStage('long'), LONG_MS)];
    return () => timers.forEach(clearTimeout);
  }, []);
  const t = texts();
  if (stage === 'none') return <div class="waits" />;
  return (
    <div class="waits skeleton" aria-busy="true" role="status">
      {stage === 'long' ? t.stillWaiting : t.loading}
    </div>
  );
};
