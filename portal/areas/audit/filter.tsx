import { useState } from 'preact/hooks';
import { Field, SelectField } from '../../parts/field.tsx';
import { go, place, to } from '../../shell/place.ts';
import { texts } from '../../texts/texts.ts';

type Outcome = 'begun' | 'succeeded' | 'refused' | 'failed' | 'ended';

const OUTCOMES = ['ended', 'succeeded', 'refused', 'failed', 'begun'] as const satisfies Outcome[];

/** The first or the last moment of a day where the reader is. */
const momentOf = (day: string | undefined, time: string): string | undefined =>
  day === undefined || !/^\d{4}-\d\d-\d\d$/.test(day) ? undefined : new Date(`${day}T${time}`).toISOString();

/** What the address asks for, as the operations take it; without an outcome every act is shown once, as it ended. */
export function filterOf() {
  const { action, account, outcome, from, to: until } = place.value.query;
  return {
    action,
    account,
    outcome: OUTCOMES.find((one) => one === outcome) ?? 'ended',
    from: momentOf(from, '00:00:00.000'),
    to: momentOf(until, '23:59:59.999'),
  };
}

/** What the list is searched by; it stands in the address when it is used. */
export const Filter = () => {
  const t = texts().audit;
  const { path, query } = place.value;
  const [values, setValues] = useState<Record<string, string | undefined>>(query);
  const bind = (name: string) => ({
    id: name,
    value: values[name] ?? '',
    onValue: (value: string) => setValues({ ...values, [name]: value.trim() === '' ? undefined : value.trim() }),
  });
  return (
    <details open={Object.keys(query).length > 0}>
      <summary>{t.search}</summary>
      <form
        method="get"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          go(to(path, { ...values, after: undefined }));
        }}
      >
        <div class="beside">
          <SelectField {...bind('action')} label={t.what} options={[['', t.any], ...Object.entries(t.acts)]} />
          <SelectField
            {...bind('outcome')}
            label={t.outcome}
            options={OUTCOMES.map((one) => [one === 'ended' ? '' : one, t.outcomes[one]])}
          />
          <Field {...bind('account')} label={t.who} hint={t.whoHint} isOptional autocomplete="off" />
          <Field {...bind('from')} label={t.from} type="date" isOptional />
          <Field {...bind('to')} label={t.to} type="date" isOptional />
        </div>
        <div class="actions">
          <button type="submit" class="first">
            {t.find}
          </button>
          <a class="button" href={to(path)}>
            {t.clear}
          </a>
        </div>
      </form>
    </details>
  );
};
