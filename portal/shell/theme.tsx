import { signal } from '@preact/signals';
import { texts } from '../texts/texts.ts';

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** The name under which the browser keeps the choice, which is all that it keeps besides the language. */
const KEPT = 'theme';

const isTheme = (text: string | null): text is Theme => THEMES.some((name) => name === text);

const kept = localStorage.getItem(KEPT);
const theme = signal<Theme>(isTheme(kept) ? kept : 'system');
apply(theme.value);

function apply(name: Theme): void {
  document.documentElement.dataset.theme = name;
}

/** The choice between light and dark. */
export const ThemeChoice = () => {
  const t = texts().theme;
  return (
    <label>
      {t.label}
      <select
        value={theme.value}
        onChange={({ currentTarget: { value } }) => {
          if (!isTheme(value)) return;
          theme.value = value;
          localStorage.setItem(KEPT, value);
          apply(value);
        }}
      >
        {THEMES.map((name) => (
          <option key={name} value={name}>
            {t[name]}
          </option>
        ))}
      </select>
    </label>
  );
};
