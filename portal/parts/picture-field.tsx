import { useState } from 'preact/hooks';
import { texts } from '../texts/texts.ts';
import { FileField } from './field.tsx';

/** The most bytes of an image (the server has the same bound). */
const MOST_BYTES = 65_536;

const KINDS = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Why a file is no picture that can be used. */
function faultOf({ type, size }: File): string | undefined {
  const t = texts().picture;
  if (!KINDS.includes(type)) return t.kind;
  return size > MOST_BYTES ? t.large(Math.ceil(size / 1024)) : undefined;
}

interface PictureFieldProps {
  id: string;
  label: string;
  /** A data URL. */
  value: string | undefined;
  onValue(value: string | undefined): void;
}

/** A picture, which is read in the browser and becomes part of the form. */
export const PictureField = ({ id, label, value, onValue }: PictureFieldProps) => {
  const t = texts().picture;
  const [wrong, setWrong] = useState<string>();
  const read = (file: File | undefined): void => {
    if (!file) return;
    const fault = faultOf(file);
    setWrong(fault);
    if (fault !== undefined) return;
    const reader = new FileReader();
    reader.onload = () => onValue(String(reader.result));
    reader.readAsDataURL(file);
  };
  return (
    <div class="picture-field">
      <FileField id={id} label={label} hint={t.hint} accept={KINDS.join(',')} onFile={read} wrong={wrong} />
      {value === undefined ? null : (
        <div class="actions">
          <img src={value} alt={t.alt(label)} />
          <button type="button" onClick={() => onValue(undefined)}>
            {t.remove(label)}
          </button>
        </div>
      )}
    </div>
  );
};
