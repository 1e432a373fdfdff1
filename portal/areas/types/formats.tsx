import { valueAt } from '../../forms/pointers.ts';
import { CheckField } from '../../parts/field.tsx';
import { ValueField } from '../../parts/value-field.tsx';
import { texts } from '../../texts/texts.ts';
import { type Editing, formatsOf } from './type-value.ts';

const FORMATS = ['dc+sd-jwt', 'mso_mdoc', 'jwt_vc_json'] as const;

/** In which formats a type is issued, for how long, and whether it can be revoked. */
export const FormatFields = ({ value, change }: Editing) => {
  const t = texts().types;
  const chosen = formatsOf(value);
  const pick = (format: string, isOn: boolean): void =>
    change(['formats'], isOn ? [...chosen, format] : chosen.filter((one) => one !== format));
  return (
    <>
      <fieldset id="/formats" tabIndex={-1}>
        <legend>{t.formats}</legend>
        {FORMATS.map((format) => (
          <CheckField
            key={format}
            id={chosen.includes(format) ? `/formats/${chosen.indexOf(format)}` : format}
            isChecked={chosen.includes(format)}
            onCheck={(isOn) => pick(format, isOn)}
          >
            {t.formatNames[format]}
          </CheckField>
        ))}
      </fieldset>
      <fieldset>
        <legend>{t.validity}</legend>
        <ValueField
          id="/validityDays"
          label={t.days}
          hint={t.daysHint}
          kind="number"
          value={valueAt(value, ['validityDays'])}
          onValue={(days) => change(['validityDays'], days)}
          isOptional
        />
        <CheckField
          id="/revocable"
          isChecked={valueAt(value, ['revocable']) === true}
          onCheck={(isRevocable) => change(['revocable'], isRevocable ? true : undefined)}
        >
          {t.revocable}
        </CheckField>
      </fieldset>
    </>
  );
};
