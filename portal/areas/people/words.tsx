import type { Schemas } from '../../../client/client.ts';
import { CheckField } from '../../parts/field.tsx';
import { officePage } from '../../shell/office.tsx';
import { place } from '../../shell/place.ts';
import { texts } from '../../texts/texts.ts';
import { type Ability, ALL_ABILITIES, allowedBy } from './abilities.ts';

type Permission = Schemas['Permission'];

/** A page of the people of the place in the address. */
export const peoplePage = (page = 'people', query: Record<string, string | undefined> = {}): string =>
  officePage(decodeURIComponent(place.value.path.split('/')[2] ?? ''), page, query);

/** The last part of a target. */
export const lastName = (target: string): string => target.slice(target.lastIndexOf('.') + 1);

/** A name for an account: as its profile says, else its address, else its id. */
export function nameOf({ _id, profile }: { _id: string; profile?: Record<string, unknown> }): string {
  const said = [profile?.name, profile?.email].find((one) => typeof one === 'string' && one !== '');
  return typeof said === 'string' ? said : _id;
}

/** What permissions allow, in words; targets other than this one are named. */
export const Words = ({ permissions, at }: { permissions: readonly Permission[]; at: string }) => {
  const t = texts().people;
  if (permissions.length === 0) return <p class="quiet">{t.nothing}</p>;
  return (
    <ul class="words">
      {allowedBy(permissions).map(({ target, abilities, others }) => (
        <li key={target}>
          {[...abilities.map((name) => t.abilities[name]), ...(others > 0 ? [t.others(others)] : [])].join(', ')}
          {target === at ? null : (
            <>
              {' '}
              <code>{target}</code>
            </>
          )}
        </li>
      ))}
    </ul>
  );
};

interface AbilityFieldsProps {
  chosen: readonly Ability[];
  onChosen(chosen: Ability[]): void;
}

/** The choice of what a role or a key may do. */
export const AbilityFields = ({ chosen, onChosen }: AbilityFieldsProps) => {
  const t = texts().people;
  return (
    <fieldset id="permissions" tabIndex={-1}>
      <legend>{t.may}</legend>
      {ALL_ABILITIES.map((name) => (
        <CheckField
          key={name}
          id={`may-${name}`}
          isChecked={chosen.includes(name)}
          onCheck={(isChecked) =>
            onChosen(ALL_ABILITIES.filter((one) => (one === name ? isChecked : chosen.includes(one))))
          }
        >
          {t.abilities[name]}
        </CheckField>
      ))}
    </fieldset>
  );
};
