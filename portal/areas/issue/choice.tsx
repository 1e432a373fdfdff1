import { useState } from 'preact/hooks';
import { Field } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { inLanguage, texts } from '../../texts/texts.ts';
import type { Profile } from './values.ts';

/** The name of a profile's card in the reader's language. */
export const cardName = ({ display, name }: Profile): string =>
  (inLanguage(display as { locale?: string; name?: string }[])?.name ?? name).trim() || name;

/** With this many cards and more, one is looked for by a part of its name. */
const MANY = 6;

interface ChoiceProps {
  profiles: readonly Profile[];
  /** The page of a profile's form. */
  pageOf(profile: Profile): string;
}

/** The cards that can be offered; part of a name finds one. */
export const Choice = ({ profiles, pageOf }: ChoiceProps) => {
  const t = texts().issuing;
  const [part, setPart] = useState('');
  const wanted = part.trim().toLowerCase();
  const found = profiles
    .filter((profile) => `${cardName(profile)} ${profile.name}`.toLowerCase().includes(wanted))
    .toSorted((one, other) => cardName(one).localeCompare(cardName(other)));
  return (
    <>
      {profiles.length < MANY ? null : (
        <Field id="part" label={t.find} value={part} onValue={setPart} autocomplete="off" isOptional />
      )}
      {found.length === 0 ? (
        <Notice kind="information">
          <p>{profiles.length === 0 ? t.none : t.noMatch(part)}</p>
        </Notice>
      ) : (
        <ul class="tasks">
          {found.map((profile) => (
            <li key={profile.profileId}>
              <a href={pageOf(profile)} translate={false}>
                {cardName(profile)}
              </a>
              <span class="check-text quiet">{texts().queries.formats[profile.format] ?? profile.format}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};
