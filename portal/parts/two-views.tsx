import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { jsonTextOf, readJsonText } from '../forms/json-text.ts';
import { texts } from '../texts/texts.ts';
import { ErrorSummary } from './error-summary.tsx';

/** A value that is edited in a form and as JSON. */
interface TwoViews {
  /** Whether the text is no JSON: then it is kept, and is neither left nor sent. */
  isBroken: boolean;
  /** Says where the text is broken. */
  insist(): void;
  view: 'form' | 'json';
  text: string;
  insisted: number;
  setText(text: string): void;
  show(view: 'form' | 'json'): void;
}

/** Form and JSON, two views of one value. */
export function useTwoViews(value: unknown, setValue: (value: unknown) => void): TwoViews {
  const [view, show] = useState<TwoViews['view']>('form');
  const [typed, setTyped] = useState<string>();
  const [insisted, setInsisted] = useState(0);
  const isBroken = typed !== undefined && !('value' in readJsonText(typed));
  const insist = (): void => setInsisted((times) => times + 1);
  return {
    isBroken,
    insist,
    view,
    insisted,
    text: typed ?? jsonTextOf(value),
    setText: (text) => {
      setTyped(text);
      const read = readJsonText(text);
      if ('value' in read) setValue(read.value);
    },
    show: (next) => {
      if (isBroken) return insist();
      setTyped(undefined);
      setInsisted(0);
      show(next);
    },
  };
}

/** The id of the field with the text. */
export const JSON_FIELD = 'json';

/** The form, or its value as JSON; a broken text is named by line and column and is not left. */
export const Views = ({ views, children }: { views: TwoViews; children: ComponentChildren }) => {
  const t = texts().views;
  return (
    <>
      <fieldset class="views">
        <legend>{t.label}</legend>
        {(['form', 'json'] as const).map((name) => (
          <button key={name} type="button" aria-pressed={views.view === name} onClick={() => views.show(name)}>
            {t[name]}
          </button>
        ))}
      </fieldset>
      {views.view === 'form' ? children : <JsonView views={views} />}
    </>
  );
};

const JsonView = ({ views: { text, setText, insisted } }: { views: TwoViews }) => {
  const t = texts().views;
  const summary = useRef<HTMLDivElement>(null);
  const read = readJsonText(text);
  const wrong = 'value' in read ? undefined : t.broken(read.line, read.column);
  useEffect(() => {
    if (insisted > 0) summary.current?.focus();
  }, [insisted]);
  return (
    <div class="field wide">
      {wrong !== undefined && insisted > 0 ? (
        <ErrorSummary errors={[{ id: JSON_FIELD, message: wrong }]} summary={summary} />
      ) : null}
      <label for={JSON_FIELD}>{t.text}</label>
      <p class="wrong" id={`${JSON_FIELD}-wrong`} role="status">
        {wrong}
      </p>
      <textarea
        id={JSON_FIELD}
        class="code"
        rows={24}
        spellcheck={false}
        value={text}
        aria-invalid={wrong === undefined ? undefined : true}
        aria-describedby={`${JSON_FIELD}-wrong`}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </div>
  );
};
