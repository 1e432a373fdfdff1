import { Field, SelectField } from '../../parts/field.tsx';
import { place } from '../../shell/place.ts';
import { daysOf, Search } from '../../shell/search.tsx';
import { texts } from '../../texts/texts.ts';

type Outcome = 'begun' | 'succeeded' | 'refused' | 'failed' | 'ended';

const OUTCOMES = ['ended', 'succeeded', 'refused', 'failed', 'begun'] as const satisfies Outcome[];

/** What the address asks for, as the operations take it; without an outcome every act is shown once, as it ended. */
export function filterOf() {
  const { action, account, outcome } = place.value.query;
  return {
    action,
    account,
    outcome: OUTCOMES.find((one) => one === outcome) ?? 'ended',
    ...daysOf(),
  };
}

/** What the list is searched by. */
export const Filter = () => {
  const t = texts().audit;
  return (
    <Search>
      {(bind) => (
        <>
          <SelectField {...bind('action')} label={t.what} options={[['', t.any], ...Object.entries(t.acts)]} />
          <SelectField
            {...bind('outcome')}
            label={t.outcome}
            options={OUTCOMES.map((one) => [one === 'ended' ? '' : one, t.outcomes[one]])}
          />
          <Field {...bind('account')} label={t.who} hint={t.whoHint} isOptional autocomplete="off" />
        </>
      )}
    </Search>
  );
};
