interface FieldProps {
  id: string;
  label: string;
  value: string;
  onValue(value: string): void;
  type?: 'text' | 'email' | 'password';
  autocomplete?: string;
  inputMode?: 'numeric' | 'text';
  maxLength?: number;
  isOptional?: boolean;
  hint?: string;
  /** What is wrong with the value. */
  wrong?: string;
}

/** The names of what describes a control: its hint, and what is wrong with its value. */
const describedBy = ({ id, hint, wrong }: Pick<FieldProps, 'id' | 'hint' | 'wrong'>): string | undefined =>
  [hint && `${id}-hint`, wrong && `${id}-wrong`].filter(Boolean).join(' ') || undefined;

/** The label of a control, with a hint and what is wrong with its value. */
const Label = ({ id, label, hint, wrong }: Pick<FieldProps, 'id' | 'label' | 'hint' | 'wrong'>) => (
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
  return (
    <div class="field">
      <Label {...{ id, label, hint, wrong }} />
      <input
        id={id}
        name={id}
        type={type as 'text'}
        value={value}
        required={!isOptional}
        aria-invalid={wrong === undefined ? undefined : true}
        aria-describedby={describedBy(more)}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
        {...rest}
      />
    </div>
  );
};

interface FileFieldProps extends Pick<FieldProps, 'id' | 'label' | 'hint' | 'wrong'> {
  /** The kinds of files, as the browser's chooser takes them. */
  accept: string;
  onFile(file: File | undefined): void;
}

/** The choice of a file, which is read in the browser. */
export const FileField = ({ accept, onFile, ...more }: FileFieldProps) => (
  <div class="field">
    <Label {...more} />
    <input
      id={more.id}
      type="file"
      accept={accept}
      aria-invalid={more.wrong === undefined ? undefined : true}
      aria-describedby={describedBy(more)}
      onChange={({ currentTarget }) => onFile(currentTarget.files?.[0])}
    />
  </div>
);
