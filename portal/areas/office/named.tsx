import { useState } from 'preact/hooks';
import { Field } from '../../parts/field.tsx';
import { texts } from '../../texts/texts.ts';

/** A name for people, and the short name that stands in addresses. */
export interface Named {
  name: string;
  id: string;
}

/** A short name made of a name: letters without marks, digits and dashes. */
const idOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** A name with its short name, which follows the name until it is typed. */
export function useNamed() {
  const [name, setName] = useState('');
  const [typed, setTyped] = useState<string>();
  return { named: { name, id: typed ?? idOf(name) }, setName, setId: setTyped };
}

interface NameFieldsProps extends ReturnType<typeof useNamed> {
  label: string;
  hint?: string;
  /** How the server calls the short name. */
  idField: string;
  wrong: Partial<Record<string, string>>;
}

export const NameFields = ({ named, setName, setId, label, hint, idField, wrong }: NameFieldsProps) => {
  const t = texts().office.organization;
  return (
    <>
      <Field id="name" label={label} hint={hint} value={named.name} onValue={setName} autocomplete="organization" />
      <Field
        id={idField}
        label={t.id}
        hint={t.idHint}
        value={named.id}
        onValue={setId}
        autocomplete="off"
        wrong={wrong[idField]}
      />
    </>
  );
};
