import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { fieldFor } from '../forms/pointers.ts';
import { ErrorSummary, type FormError } from '../parts/error-summary.tsx';
import { JSON_FIELD } from '../parts/two-views.tsx';
import { WrongFields } from '../parts/wrong.ts';
import type { Action } from './action.tsx';
import type { Failure } from './api.ts';
import { FailureNotice } from './states.tsx';

/** The kind of a refusal, a name for programs. */
export const refusalOf = (failure: Failure | undefined): string | undefined =>
  failure?.kind === 'refused' ? failure.problem?.id : undefined;

interface FormProps {
  action: Action;
  button: string;
  /** What the failure means here, where that is known. */
  said?: ComponentChildren;
  /** What is wrong with fields, where the page knows that better than the server. */
  errors?: readonly FormError[];
  /** What stands beside the button. */
  beside?: ComponentChildren;
  children?: ComponentChildren;
}

const hasField = (id: string): boolean => document.getElementById(id) !== null;

/** The field for a place in a body: ids of fields are pointers, or in short forms the last names of them. */
function fieldOf(path: string): string | undefined {
  const pointer = path.replace(/^\/[^/]*/, '');
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  return fieldFor(pointer, hasField) ?? (hasField(name) ? name : undefined);
}

/** What the field or the group of an id is called on the page. */
function labelOf(id: string): string | undefined {
  const field = document.getElementById(id) as HTMLInputElement | null;
  return (field?.labels?.[0] ?? field?.querySelector(':scope > legend'))?.textContent ?? undefined;
}

/** What is wrong with fields that are shown, or with the whole. */
const errorsOf = (failure: Failure | undefined): FormError[] =>
  (failure?.kind === 'refused' && failure.problem?.details ? failure.problem.details : []).map(({ path, message }) => {
    const id = fieldOf(path);
    if (id !== undefined) return { id, message, label: labelOf(id) };
    // Where the value is shown as JSON, all of it is in one field.
    return { id: hasField(JSON_FIELD) ? JSON_FIELD : undefined, message: `${path}: ${message}` };
  });

/** Fields with the button that sends them. What the server says about a field stands at it, and in a summary that has the focus. */
export const Form = ({ action, button, said, errors: known = [], beside, children }: FormProps) => {
  const refused = useMemo(() => errorsOf(action.failure), [action.failure]);
  const errors = known.length > 0 ? known : refused;
  const wrong = Object.fromEntries(errors.flatMap(({ id, message }) => (id === undefined ? [] : [[id, message]])));
  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        action.run();
      }}
    >
      {action.failure || known.length > 0 ? (
        <FormFailure failure={action.failure} errors={errors} said={said} again={action.run} />
      ) : null}
      <WrongFields.Provider value={wrong}>{children}</WrongFields.Provider>
      <div class="actions">
        <button type="submit" class="first" aria-disabled={action.isBusy}>
          {button}
        </button>
        {beside}
      </div>
    </form>
  );
};

interface FormFailureProps {
  failure: Failure | undefined;
  errors: readonly FormError[];
  said: ComponentChildren;
  again: () => void;
}

const FormFailure = ({ failure, errors, said, again }: FormFailureProps) => {
  const summary = useRef<HTMLDivElement>(null);
  useEffect(() => summary.current?.focus(), [failure, JSON.stringify(errors)]);
  if (failure && !said && errors.length === 0) return <FailureNotice failure={failure} again={again} />;
  return (
    <ErrorSummary errors={errors} summary={summary}>
      {said}
    </ErrorSummary>
  );
};
