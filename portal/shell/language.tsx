import { CHOICES, chooseLanguage, languageTag, texts } from '../texts/texts.ts';

/** The choice of the language, whose names are in their own language. */
export const LanguageChoice = () => (
  <label>
    {texts().language}
    <select value={languageTag()} onChange={({ currentTarget: { value } }) => void chooseLanguage(value)}>
      {Object.entries(CHOICES).map(([tag, name]) => (
        <option key={tag} value={tag} lang={tag} translate={false}>
          {name}
        </option>
      ))}
    </select>
  </label>
);
