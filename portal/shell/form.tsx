import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ErrorSummary } from '../parts/error-summary.tsx';
import type { Action } from './action.tsx';
import type { Failure } from './api.ts';
import { FailureNotice } from './states.tsx';

/** What the server says about each field, by the last part of its JSON Pointer. */
export function wrongFields(failure: Failure | undefined): Partial<Record<string, string>> {
  if (failure?.kind !== 'refused') return {};
  const details = failure.problem?.details ?? [];
  return Object.fromEntries(details.map(({ path, message }) => [path.split('/').at(-1) ?? '', message]));
}

/** The kind of a refusal, a name for programs. */
export const refusalOf = (failure: Failure | undefined): string | undefined =>
  failure?.kind === 'refused' ? failure.problem?.id : undefined;

interface FormProps {
  action: Action;
  button: string;
  /** What the failure means here, where that is known. */
  said?: ComponentChildren;
  /** What is wrong with fields, where the page knows that better than the server. */
  errors?: readonly { id: string; message: string }[];
  /** What stands beside the button. */
  beside?: ComponentChildren;
  children?: ComponentChildren;
}

/** Fields with the button that sends them; the ids of the fields are the names that the server uses. */
export const Form = ({ action, button, said, errors = [], beside, children }: FormProps) => (
  <form
    method="post"
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      action.run();
    }}
  >
    {action.failure || errors.length > 0 ? (
      <FormFailure failure={action.failure} said={said} errors={errors} again={action.run} />
    ) : null}
    {children}
    <div class="actions">
      <button type="submit" class="first" aria-disabled={action.isBusy}>
        {button}
      </button>
      {beside}
    </div>
  </form>
);

interface FormFailureProps extends Pick<FormProps, 'said'>, Required<Pick<FormProps, 'errors'>> {
  failure: Failure | undefined;
  again: () => void;
}

/** A summary that has the focus and leads to the fields; other failures as everywhere. */
const FormFailure = ({ failure, said, errors, again }: FormFailureProps) => {
  const summary = useRef<HTMLDivElement>(null);
  useEffect(() => summary.current?.focus(), [failure, JSON.stringify(errors)]);
  const refused = Object.entries(wrongFields(failure)).map(([id, message = '']) => ({ id, message }));
  const wrong = errors.length > 0 ? errors : refused;
  if (failure && !said && wrong.length === 0) return <FailureNotice failure={failure} again={again} />;
  return (
    <ErrorSummary errors={wrong} summary={summary}>
      {said}
    </ErrorSummary>
  );
};
