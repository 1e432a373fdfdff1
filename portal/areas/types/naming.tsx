import { useState } from 'preact/hooks';
import { type Path, pointerOf } from '../../forms/pointers.ts';
import { Field, SelectField } from '../../parts/field.tsx';
import { texts } from '../../texts/texts.ts';
import { type Editing, idOf, languagesOf, placeOf, textsAt, withoutLanguage, withText } from './type-value.ts';

/** The official languages of the European Union, and some more of its people. */
const LANGUAGES = 'bg cs da de el en es et fi fr ga hr hu it lt lv mt nl pl pt ro sk sl sv ar ru tr uk'.split(' ');

/** The name of a language in the reader's. */
function languageName(locale: string): string {
  try {
    return new Intl.DisplayNames(document.documentElement.lang, { type: 'language' }).of(locale) ?? locale;
  } catch {
    return locale;
  }
}

interface TranslatedProps extends Editing {
  /** The list of texts with their languages. */
  path: Path;
  label: (language: string) => string;
  hint?: string;
  /** Called with a new text, before which the list had another one. */
  onText?: (locale: string, name: string) => void;
  isOptional?: boolean;
}

/** A text in each language of the type. */
export const Translated = ({ value, change, path, label, hint, onText, isOptional }: TranslatedProps) => {
  const known = textsAt(value, path);
  const write = (locale: string, name: string): void => change(path, withText(known, locale, name));
  return (
    <>
      {languagesOf(value).map((locale) => {
        const at = placeOf(known, locale);
        return (
          <Field
            key={locale}
            id={pointerOf([...path, at < known.length ? at : locale, 'name'])}
            label={label(languageName(locale))}
            hint={hint}
            value={known[at]?.name ?? ''}
            isOptional={isOptional}
            onValue={(name) => (onText ?? write)(locale, name)}
          />
        );
      })}
    </>
  );
};

/** The name of the type in its languages, and which these are. */
export const NameFields = (editing: Editing) => {
  const t = texts().types;
  const { value, before, change } = editing;
  const names = textsAt(value, ['display']);
  const write = (locale: string, name: string): void => change(['display', placeOf(names, locale), 'name'], name);
  return (
    <fieldset id="/display" tabIndex={-1}>
      <legend>{t.naming}</legend>
      <Translated {...editing} path={['display']} label={t.nameIn} onText={write} />
      <Languages {...editing} />
      {before === undefined ? (
        <details>
          <summary>{texts().technical}</summary>
          <Field
            id="/id"
            label={t.id}
            hint={t.idHint}
            value={idOf(value)}
            onValue={(id) => change(['id'], id)}
            autocomplete="off"
          />
        </details>
      ) : null}
    </fieldset>
  );
};

const Languages = ({ value, change }: Editing) => {
  const t = texts().types;
  const used = languagesOf(value);
  const free = LANGUAGES.filter((locale) => !used.includes(locale));
  const [chosen, setChosen] = useState('');
  const next = free.includes(chosen) ? chosen : (free[0] ?? '');
  return (
    <>
      <SelectField
        id="language"
        label={t.language}
        value={next}
        onValue={setChosen}
        options={free.map((locale) => [locale, languageName(locale)] as const)}
      />
      <div class="actions">
        <button type="button" onClick={() => change(['display', used.length], { locale: next, name: '' })}>
          {t.addLanguage}
        </button>
        {used.length > 1
          ? used.map((locale) => (
              <button key={locale} type="button" onClick={() => change([], withoutLanguage(value, locale))}>
                {t.removeLanguage(languageName(locale))}
              </button>
            ))
          : null}
      </div>
    </>
  );
};
