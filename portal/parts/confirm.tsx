import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface ConfirmProps {
  title: string;
  text: string;
  /** What the button that goes on says, and the one that does not. */
  yes: string;
  no: string;
  /** Whether going on can be undone by what is done later. */
  isHarmless?: boolean;
  children?: ComponentChildren;
  onYes(): void;
  onNo(): void;
}

/** Asks before something is done that cannot be undone; Escape is no. */
export const Confirm = ({ title, text, yes, no, isHarmless = false, children, onYes, onNo }: ConfirmProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  // Closing gives the focus back to the button at once; the event of it comes late, when the question may be asked again.
  const answer = (then: () => void): void => {
    dialog.current?.close();
    then();
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby="confirm-title"
      onCancel={(event) => {
        event.preventDefault();
        answer(onNo);
      }}
    >
      <h2 id="confirm-title">{title}</h2>
      <p>{text}</p>
      {children}
      <div class="actions">
        <button type="button" onClick={() => answer(onNo)}>
          {no}
        </button>
        <button type="button" class={isHarmless ? 'first' : 'danger'} onClick={() => answer(onYes)}>
          {yes}
        </button>
      </div>
    </dialog>
  );
};
