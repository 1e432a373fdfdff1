import type { ComponentChildren } from 'preact';
import { useWrong } from './wrong.ts';

interface FieldProps {
  id: string;
  label: string;
  value: string;
  onValue(value: string): void;
  type?: 'text' | 'email' | 'password' | 'date' | 'color';
  autocomplete?: string;
  inputMode?: 'numeric' | 'decimal' | 'text';
  maxLength?: number;
  isOptional?: boolean;
  hint?: string;
  /** What is wrong with the value; else what the form says. */
  wrong?: string;
}

type Labelled = Pick<FieldProps, 'id' | 'label' | 'hint' | 'wrong'>;

/** A label with what is wrong with its field, as its form says unless the page does. */
function useLabelled({ wrong, ...labelled }: Labelled): Labelled {
  const ofForm = useWrong(labelled.id);
  return { ...labelled, wrong: wrong ?? ofForm };
}

/** What a control says of its value to assistive technology. */
const describing = ({ id, hint, wrong }: Labelled) => ({
  'aria-invalid': wrong === undefined ? undefined : true,
  'aria-describedby': [hint && `${id}-hint`, wrong && `${id}-wrong`].filter(Boolean).join(' ') || undefined,
});

/** The label of a control, with a hint and what is wrong with its value. */
const Label = ({ id, label, hint, wrong }: Labelled) => (
  <>
    <label for={id}>{label}</label>
    {hint === undefined ? null : (
      <span class="hint" id={`${id}-hint`}>
        {hint}
      </span>
    )}
    {wrong === undefined ? null : (
      <p class="wrong" id={`${id}-wrong`} role="alert">
        {wrong}
      </p>
    )}
  </>
);

/** One input with its label, a hint and what is wrong with it. */
export const Field = ({ value, onValue, type = 'text', isOptional = false, ...more }: FieldProps) => {
  const { id, label, hint, wrong, ...rest } = more;
  const labelled = useLabelled({ id, label, hint, wrong });
  return (
    <div class="field">
      <Label {...labelled} />
      <input
        id={id}
        name={id}
        type={type as 'text'}
        value={value}
        required={!isOptional}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
        {...describing(labelled)}
        {...rest}
      />
    </div>
  );
};

interface FileFieldProps extends Labelled {
  /** The kinds of files, as the browser's chooser takes them. */
  accept: string;
  onFile(file: File | undefined): void;
}

/** The choice of a file, which is read in the browser. */
export const FileField = ({ accept, onFile, ...more }: FileFieldProps) => {
  const labelled = useLabelled(more);
  return (
    <div class="field">
      <Label {...labelled} />
      <input
        id={more.id}
        type="file"
        accept={accept}
        onChange={({ currentTarget }) => onFile(currentTarget.files?.[0])}
        {...describing(labelled)}
      />
    </div>
  );
};

interface TextFieldProps extends Labelled {
  value: string;
  onValue(value: string): void;
  /** Whether programs read the text: then every letter has the same width. */
  isCode?: boolean;
}

/** A text of several lines. */
export const TextField = ({ value, onValue, isCode = false, ...more }: TextFieldProps) => {
  const labelled = useLabelled(more);
  return (
    <div class="field wide">
      <Label {...labelled} />
      <textarea
        id={more.id}
        class={isCode ? 'code' : undefined}
        rows={3}
        spellcheck={!isCode}
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
        {...describing(labelled)}
      />
    </div>
  );
};

interface SelectFieldProps extends Labelled {
  value: string;
  onValue(value: string): void;
  /** The values with their names. */
  options: readonly (readonly [value: string, name: string])[];
  /** The language of the names, where it is not that of the page. */
  lang?: string;
  /** Whether the names are data, which no translator may change. */
  isData?: boolean;
}

/** The choice of one of several values. */
export const SelectField = ({ value, onValue, options, lang, isData = false, ...more }: SelectFieldProps) => {
  const labelled = useLabelled(more);
  return (
    <div class="field">
      <Label {...labelled} />
      <select
        id={more.id}
        value={value}
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
        {...describing(labelled)}
      >
        {options.map(([one, name]) => (
          <option key={one} value={one} lang={lang} translate={!isData}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
};

interface CheckFieldProps {
  id: string;
  isChecked: boolean;
  onCheck(isChecked: boolean): void;
  children: ComponentChildren;
}

/** Something that is so or not. */
export const CheckField = ({ id, isChecked, onCheck, children }: CheckFieldProps) => {
  const wrong = useWrong(id);
  return (
    <>
      {wrong === undefined ? null : (
        <p class="wrong" id={`${id}-wrong`}>
          {wrong}
        </p>
      )}
      <label class="choice">
        <input
          id={id}
          type="checkbox"
          checked={isChecked}
          onChange={({ currentTarget }) => onCheck(currentTarget.checked)}
          {...describing({ id, label: '', wrong })}
        />
        <span>{children}</span>
      </label>
    </>
  );
};
