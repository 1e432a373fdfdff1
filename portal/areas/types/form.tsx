import type { ComponentChildren } from 'preact';
import { withValue } from '../../forms/pointers.ts';
import type { FormError } from '../../parts/error-summary.tsx';
import { useTwoViews, Views } from '../../parts/two-views.tsx';
import type { Action } from '../../shell/action.tsx';
import type { useDraft } from '../../shell/draft.ts';
import { Form } from '../../shell/form.tsx';
import type { Place } from '../../shell/office.tsx';
import { ClaimFields } from './claims.tsx';
import { FormatFields } from './formats.tsx';
import { CardFields } from './look.tsx';
import { NameFields } from './naming.tsx';
import type { Editing } from './type-value.ts';

interface TypeFormProps {
  service: Place;
  draft: ReturnType<typeof useDraft<unknown>>;
  action: Action;
  button: string;
  /** The version that is changed. */
  before?: unknown;
  /** What is known of a failure, and what can be done. */
  errors?: readonly FormError[];
  said?: ComponentChildren;
  /** What stands before the button. */
  children?: ComponentChildren;
}

/** A type in a form and as JSON. */
export const TypeForm = ({ service, draft: { value, set }, action, before, children, ...form }: TypeFormProps) => {
  const views = useTwoViews(value, set);
  const editing: Editing = { value, before, change: (path, part) => set(withValue(value, path, part)) };
  return (
    <Form action={views.isBroken ? { isBusy: false, run: views.insist } : action} {...form}>
      <Views views={views}>
        <NameFields {...editing} />
        <ClaimFields {...editing} />
        <CardFields {...editing} issuer={service.name ?? service.target} />
        <FormatFields {...editing} />
      </Views>
      {children}
    </Form>
  );
};
