import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Field } from '../parts/field.tsx';
import { texts } from '../texts/texts.ts';
import { go, place, to } from './place.ts';

/** What a field of a search needs besides its label. */
interface Bound {
  id: string;
  value: string;
  onValue(value: string): void;
}

/** Parameters of the address that are of the page, not of the search in it. */
type Kept = Record<string, string | undefined>;

interface SearchProps {
  /** What stays in the address with another search, or none. */
  kept?: Kept;
  /** Whether it is shown before it was used. */
  isOpen?: boolean;
  /** Whether it is searched by days too. */
  isDated?: boolean;
  /** Binds a field to the parameter of a name. */
  children(bind: (name: string) => Bound): ComponentChildren;
}

/** What a list is searched by; it stands in the address when it is used. */
export const Search = ({ kept = {}, isOpen = false, isDated = true, children }: SearchProps) => {
  const t = texts().office.search;
  const { path, query } = place.value;
  const [values, setValues] = useState<Kept>(query);
  const bind = (name: string): Bound => ({
    id: name,
    value: values[name] ?? '',
    onValue: (value) => setValues({ ...values, [name]: value }),
  });
  return (
    <details open={isOpen || Object.keys(query).some((name) => !(name in kept))}>
      <summary>{t.title}</summary>
      <form
        method="get"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          go(to(path, { ...stated(values), ...kept, page: undefined, after: undefined }));
        }}
      >
        <div class="beside">
          {children(bind)}
          {isDated ? (
            <>
              <Field {...bind('from')} label={t.from} type="date" isOptional />
              <Field {...bind('to')} label={t.to} type="date" isOptional />
            </>
          ) : null}
        </div>
        <div class="actions">
          <button type="submit" class="first">
            {t.find}
          </button>
          <a class="button" href={to(path, kept)}>
            {t.clear}
          </a>
        </div>
      </form>
    </details>
  );
};

/** What was typed, without what is empty. */
const stated = (values: Kept): Kept =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value = '']) => (value.trim() === '' ? [] : [[name, value.trim()]])),
  );

/** The first or the last moment of a day where the reader is. */
const momentOf = (day: string | undefined, time: string): string | undefined =>
  day === undefined || !/^\d{4}-\d\d-\d\d$/.test(day) ? undefined : new Date(`${day}T${time}`).toISOString();

/** The days of the search, as the operations take them. */
export const daysOf = () => ({
  from: momentOf(place.value.query.from, '00:00:00.000'),
  to: momentOf(place.value.query.to, '23:59:59.999'),
});
