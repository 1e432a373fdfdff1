import { useState } from 'preact/hooks';
import type { Failure, Outcome } from './api.ts';

/** Work that a button or a form starts; a second start waits for the end of the first. */
export interface Action {
  isBusy: boolean;
  failure?: Failure;
  run(): void;
}

/** `done` gets what the call returned; a failure is kept until the next start. */
export function useAction<T>(call: () => Promise<Outcome<T>>, done: (data: T) => void): Action {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const run = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setFailure(undefined);
    const outcome = await call();
    setBusy(false);
    if (outcome.ok) done(outcome.data);
    else setFailure(outcome.failure);
  };
  return { isBusy, failure, run: () => void run() };
}

/** The button that starts an action. */
export const ActionButton = ({
  action,
  text,
  isFirst = false,
}: {
  action: Action;
  text: string;
  isFirst?: boolean;
}) => (
  <button type="button" class={isFirst ? 'first' : ''} aria-disabled={action.isBusy} onClick={action.run}>
    {text}
  </button>
);
