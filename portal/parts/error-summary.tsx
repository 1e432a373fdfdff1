import type { ComponentChildren, Ref } from 'preact';
import { texts } from '../texts/texts.ts';

interface ErrorSummaryProps {
  /** The id of each field that is wrong, and what is wrong with it. */
  errors: readonly { id: string; message: string }[];
  summary?: Ref<HTMLDivElement>;
  children?: ComponentChildren;
}

/** What is wrong with a form, with a link to each field. */
export const ErrorSummary = ({ errors, summary, children }: ErrorSummaryProps) => (
  <div class="notice bad" role="alert" tabIndex={-1} ref={summary}>
    <h2>{texts().problem}</h2>
    {children}
    <ul>
      {errors.map(({ id, message }) => (
        <li key={id}>
          {/* The fragment names a page, so the link moves the focus itself. */}
          <a
            href={location.hash}
            onClick={(event) => {
              event.preventDefault();
              document.getElementById(id)?.focus();
            }}
          >
            {message}
          </a>
        </li>
      ))}
    </ul>
  </div>
);
