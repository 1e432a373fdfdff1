import { useState } from 'preact/hooks';
import { jsonTextOf, readJsonText } from '../forms/json-text.ts';
import { type Path, pointerOf } from '../forms/pointers.ts';
import { CheckField, Field } from '../parts/field.tsx';
import { texts } from '../texts/texts.ts';

/** A policy that can be chosen. */
export interface OfferedPolicy {
  name: string;
  label: string;
  text: string;
  /** The language of the text where it is not the reader's. */
  language?: string;
  /** What its argument is; absent when it takes none. */
  argument?: { example?: unknown; isRequired: boolean };
}

interface PolicyFieldsProps {
  /** The list as it is sent: names, and objects with a name and an argument. */
  policies: readonly unknown[];
  change(policies: unknown[]): void;
  offered: readonly OfferedPolicy[];
  /** Where the list is in what is sent. */
  at: Path;
}

/** The name of an entry of the list. */
export const policyName = (entry: unknown): unknown =>
  typeof entry === 'object' && entry !== null ? (entry as { policy?: unknown }).policy : entry;

const argumentOf = (entry: unknown): unknown =>
  typeof entry === 'object' && entry !== null ? (entry as { args?: unknown }).args : undefined;

/** What is checked of each credential; entries that no row is for stay. */
export const PolicyFields = ({ policies, change, offered, at }: PolicyFieldsProps) => {
  const t = texts().queries;
  return (
    <fieldset id={pointerOf(at)} tabIndex={-1}>
      <legend>{t.policies}</legend>
      <p>{t.always}</p>
      {offered.map((policy) => {
        const index = policies.findIndex((entry) => policyName(entry) === policy.name);
        const put = (entry: unknown): void =>
          change(index < 0 ? [...policies, entry] : [...policies.slice(0, index), entry, ...policies.slice(index + 1)]);
        const id = pointerOf([...at, index < 0 ? policy.name : index]);
        return (
          <div key={policy.name} class="policy">
            <CheckField
              id={id}
              isChecked={index >= 0}
              onCheck={(isOn) => (isOn ? put(policy.name) : change(policies.filter((_, place) => place !== index)))}
            >
              <span translate={policy.language === undefined}>{policy.label}</span>
              <span class="hint check-text" lang={policy.language}>
                {policy.text}
              </span>
            </CheckField>
            {policy.argument && index >= 0 ? (
              <Argument
                id={`${id}/args`}
                policy={policy}
                value={argumentOf(policies[index])}
                onValue={(args) => put(args === undefined ? policy.name : { policy: policy.name, args })}
              />
            ) : null}
          </div>
        );
      })}
    </fieldset>
  );
};

interface ArgumentProps {
  id: string;
  policy: OfferedPolicy;
  value: unknown;
  onValue(value: unknown): void;
}

/** An argument: JSON, or a text as it is. */
const Argument = ({ id, policy: { label, argument }, value, onValue }: ArgumentProps) => {
  const t = texts().queries;
  const [typed, setTyped] = useState<string>();
  const shown = value === undefined ? '' : typeof value === 'string' ? value : jsonTextOf(value);
  const isTyped = typed !== undefined && JSON.stringify(valueIn(typed)) === JSON.stringify(value);
  return (
    <Field
      id={id}
      label={t.argument(label)}
      hint={argument?.example === undefined ? undefined : t.example(exampleText(argument.example))}
      value={isTyped ? typed : shown}
      isOptional={!argument?.isRequired}
      autocomplete="off"
      onValue={(text) => {
        setTyped(text);
        onValue(valueIn(text));
      }}
    />
  );
};

const exampleText = (example: unknown): string => (typeof example === 'string' ? example : JSON.stringify(example));

/** What is typed: nothing, an object or a list as JSON, or else a text. */
function valueIn(text: string): unknown {
  if (text.trim() === '') return undefined;
  const read = readJsonText(text);
  return 'value' in read ? read.value : text;
}
