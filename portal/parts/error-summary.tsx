import type { ComponentChildren, Ref } from 'preact';
import { texts } from '../texts/texts.ts';

/** Something that is wrong; `id` is that of the field, absent when there is none for it. */
export interface FormError {
  id?: string;
  message: string;
  /** What the field is called, where the message does not say it. */
  label?: string;
}

interface ErrorSummaryProps {
  errors: readonly FormError[];
  summary?: Ref<HTMLDivElement>;
  children?: ComponentChildren;
}

/** What is wrong with a form, with a link to each field. */
export const ErrorSummary = ({ errors, summary, children }: ErrorSummaryProps) => (
  <div class="notice bad" role="alert" tabIndex={-1} ref={summary}>
    <h2>{texts().problem}</h2>
    {children}
    {errors.length > 0 ? (
      <ul>
        {errors.map(({ id, message, label }, at) => (
          <li key={at}>
            {id === undefined ? message : <FieldLink id={id} message={label ? `${label}: ${message}` : message} />}
          </li>
        ))}
      </ul>
    ) : null}
  </div>
);

/** The fragment names a page, so the link moves the focus itself. */
const FieldLink = ({ id, message }: { id: string; message: string }) => (
  <a
    href={location.hash}
    onClick={(event) => {
      event.preventDefault();
      const field = document.getElementById(id);
      field?.closest('details')?.setAttribute('open', '');
      field?.focus();
    }}
  >
    {message}
  </a>
);
