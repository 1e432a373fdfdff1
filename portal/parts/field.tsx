interface FieldProps {
  id: string;
  label: string;
  value: string;
  onValue(value: string): void;
  type?: 'text' | 'email' | 'password';
  autocomplete?: string;
  inputMode?: 'numeric' | 'text';
  hint?: string;
  /** What is wrong with the value. */
  wrong?: string;
}

/** One input with its label, a hint and what is wrong with it. */
export const Field = ({
  id,
  label,
  value,
  onValue,
  type = 'text',
  autocomplete,
  inputMode,
  hint,
  wrong,
}: FieldProps) => (
  <div class="field">
    <label for={id}>{label}</label>
    {hint === undefined ? null : (
      <span class="hint" id={`${id}-hint`}>
        {hint}
      </span>
    )}
    {wrong === undefined ? null : (
      <p class="wrong" id={`${id}-wrong`}>
        {wrong}
      </p>
    )}
    <input
      id={id}
      name={id}
      type={type as 'text'}
      value={value}
      required
      autocomplete={autocomplete}
      inputMode={inputMode}
      aria-invalid={wrong === undefined ? undefined : true}
      aria-describedby={[hint && `${id}-hint`, wrong && `${id}-wrong`].filter(Boolean).join(' ') || undefined}
      onInput={({ currentTarget }) => onValue(currentTarget.value)}
    />
  </div>
);
