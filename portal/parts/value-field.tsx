import { useState } from 'preact/hooks';
import type { FieldKind } from '../forms/fields.ts';
import { texts } from '../texts/texts.ts';
import { Field, SelectField } from './field.tsx';
import { PictureField } from './picture-field.tsx';

interface ValueFieldProps {
  id: string;
  label: string;
  kind: FieldKind;
  value: unknown;
  onValue(value: unknown): void;
  isOptional?: boolean;
  hint?: string;
}

/** One value by its kind; an empty field has none. */
export const ValueField = ({ kind, value, onValue, ...more }: ValueFieldProps) => {
  const text = typeof value === 'string' ? value : '';
  if (kind === 'boolean') return <YesNoField {...more} value={value} onValue={onValue} />;
  if (kind === 'number') return <NumberField {...more} value={value} onValue={onValue} />;
  if (kind === 'picture')
    return <PictureField id={more.id} label={more.label} value={text === '' ? undefined : text} onValue={onValue} />;
  if (kind === 'json') return <JsonValue label={more.label} value={value} />;
  return (
    <Field
      {...more}
      type={kind === 'date' ? 'date' : 'text'}
      value={text}
      onValue={(typed) => onValue(typed === '' ? undefined : typed)}
    />
  );
};

type PartProps = Omit<ValueFieldProps, 'kind'>;

const YesNoField = ({ value, onValue, isOptional: _, ...more }: PartProps) => {
  const t = texts().values;
  return (
    <SelectField
      {...more}
      value={value === undefined ? '' : String(value)}
      onValue={(chosen) => onValue(chosen === '' ? undefined : chosen === 'true')}
      options={[
        ['', t.none],
        ['true', t.yes],
        ['false', t.no],
      ]}
    />
  );
};

/** What was typed stays while it is no number yet; the server says what is wrong with it. */
const NumberField = ({ value, onValue, ...more }: PartProps) => {
  const [typed, setTyped] = useState('');
  const isTyped = typed !== '' && valueIn(typed) === value;
  return (
    <Field
      {...more}
      inputMode="decimal"
      value={isTyped ? typed : value === undefined ? '' : String(value)}
      onValue={(text) => {
        setTyped(text);
        onValue(valueIn(text));
      }}
    />
  );
};

function valueIn(text: string): unknown {
  if (text.trim() === '') return undefined;
  const number = Number(text.replace(',', '.'));
  return Number.isFinite(number) ? number : text;
}

/** A value that only the JSON view changes. */
const JsonValue = ({ label, value }: { label: string; value: unknown }) => (
  <p>
    {label} <code>{JSON.stringify(value)}</code> <span class="hint">{texts().values.json}</span>
  </p>
);
