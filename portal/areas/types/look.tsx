import { valueAt } from '../../forms/pointers.ts';
import { CardFace } from '../../parts/cards/card-face.tsx';
import { contrastOf, LEAST_CONTRAST } from '../../parts/cards/colours.ts';
import { CheckField, Field } from '../../parts/field.tsx';
import { PictureField } from '../../parts/picture-field.tsx';
import { inLanguage, texts } from '../../texts/texts.ts';
import { type Editing, textAt, textsAt } from './type-value.ts';

/** Where a card with colours of its own begins. */
const COLOURS = { backgroundColor: '#0b4f8a', textColor: '#ffffff' };

const NAMES = ['backgroundColor', 'textColor'] as const;

/** The card of a type as wallets show it. */
export const TypeCard = ({ value, issuer }: { value: unknown; issuer: string }) => {
  const at = (name: string): string | undefined => textAt(value, ['card', name]) || undefined;
  return (
    <CardFace
      name={inLanguage(textsAt(value, ['display']))?.name ?? ''}
      issuer={issuer}
      logo={at('logo')}
      background={at('background')}
      ground={at('backgroundColor')}
      text={at('textColor')}
    />
  );
};

/** How the cards of a type look, with the card as it becomes. */
export const CardFields = ({ value, change, issuer }: Editing & { issuer: string }) => {
  const t = texts().types;
  const hasColours = valueAt(value, ['card', 'backgroundColor']) !== undefined;
  const colour = (isOn: boolean): void => {
    const {
      backgroundColor: _,
      textColor: __,
      ...images
    } = (valueAt(value, ['card']) ?? {}) as Record<string, unknown>;
    const card = isOn ? { ...images, ...COLOURS } : images;
    change(['card'], Object.keys(card).length === 0 ? undefined : card);
  };
  return (
    <fieldset id="/card" tabIndex={-1}>
      <legend>{t.look}</legend>
      <div class="beside">
        <div>
          <CheckField id="colours" isChecked={hasColours} onCheck={colour}>
            {t.ownColours}
          </CheckField>
          {hasColours ? <Colours value={value} change={change} /> : null}
          {(['logo', 'background'] as const).map((name) => (
            <PictureField
              key={name}
              id={`/card/${name}`}
              label={t[name]}
              value={textAt(value, ['card', name]) || undefined}
              onValue={(url) => change(['card', name], url)}
            />
          ))}
        </div>
        <section aria-label={t.preview}>
          <p class="hint">{t.preview}</p>
          <TypeCard value={value} issuer={issuer} />
        </section>
      </div>
    </fieldset>
  );
};

const Colours = ({ value, change }: Editing) => {
  const t = texts().types;
  const [ground, text] = NAMES.map((name) => textAt(value, ['card', name]));
  const contrast = contrastOf(ground ?? '', text ?? '');
  const isGood = contrast !== undefined && contrast >= LEAST_CONTRAST;
  return (
    <>
      {NAMES.map((name) => (
        <Field
          key={name}
          id={`/card/${name}`}
          label={t[name]}
          type="color"
          value={textAt(value, ['card', name])}
          onValue={(colour) => change(['card', name], colour)}
        />
      ))}
      {contrast === undefined ? null : (
        <p role="status" class={isGood ? 'good-word' : 'bad-word'}>
          {isGood ? t.contrast(contrast) : t.lowContrast(contrast, LEAST_CONTRAST)}
        </p>
      )}
    </>
  );
};
