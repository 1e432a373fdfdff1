import { useState } from 'preact/hooks';
import { shortNameOf } from '../../parts/cards/short-name.ts';
import { Field } from '../../parts/field.tsx';
import { texts } from '../../texts/texts.ts';

/** A name for people, and the short name that stands in addresses. */
export interface Named {
  name: string;
  id: string;
}

/** A name with its short name, which follows the name until it is typed. */
export function useNamed() {
  const [name, setName] = useState('');
  const [typed, setTyped] = useState<string>();
  return { named: { name, id: typed ?? shortNameOf(name) }, setName, setId: setTyped };
}

interface NameFieldsProps extends ReturnType<typeof useNamed> {
  label: string;
  hint?: string;
  /** How the server calls the short name. */
  idField: string;
}

export const NameFields = ({ named, setName, setId, label, hint, idField }: NameFieldsProps) => {
  const t = texts().office.organization;
  return (
    <>
      <Field id="name" label={label} hint={hint} value={named.name} onValue={setName} autocomplete="organization" />
      <Field id={idField} label={t.id} hint={t.idHint} value={named.id} onValue={setId} autocomplete="off" />
    </>
  );
};
