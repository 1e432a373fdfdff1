import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Confirm } from '../parts/confirm.tsx';
import { texts } from '../texts/texts.ts';
import { useAction } from './action.tsx';
import type { Failure, Outcome } from './api.ts';
import { work } from './office.tsx';
import { FailureNotice } from './states.tsx';

interface AskFirstProps {
  /** What the button says, and the one that goes on. */
  text: string;
  /** The question, which names what it is about, and what follows. */
  title: string;
  warning: string;
  /** What is asked beside. */
  children?: ComponentChildren;
  /** Whether it can be undone by what is done later. */
  isHarmless?: boolean;
  call(): Promise<Outcome<unknown>>;
  done(): void;
  /** What a failure means here, where that is known. */
  said?(failure: Failure): ComponentChildren;
}

/** A button for what cannot be undone: it asks first, and says why it could not be done. */
export const AskFirst = ({ text, title, warning, isHarmless = false, call, done, said, children }: AskFirstProps) => {
  const [isAsking, setAsking] = useState(false);
  const action = useAction(() => work(call()), done);
  const { failure } = action;
  return (
    <>
      {failure ? (said?.(failure) ?? <FailureNotice failure={failure} again={action.run} />) : null}
      <button
        type="button"
        class={isHarmless ? '' : 'danger'}
        aria-disabled={action.isBusy}
        onClick={() => setAsking(true)}
      >
        {text}
      </button>
      {isAsking ? (
        <Confirm
          title={title}
          text={warning}
          yes={text}
          isHarmless={isHarmless}
          no={texts().cancel}
          onYes={() => {
            setAsking(false);
            action.run();
          }}
          onNo={() => setAsking(false)}
        >
          {children}
        </Confirm>
      ) : null}
    </>
  );
};
