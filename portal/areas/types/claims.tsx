import type { DescribedClaim, FieldKind } from '../../forms/fields.ts';
import { pointerOf } from '../../forms/pointers.ts';
import { shortNameOf } from '../../parts/cards/short-name.ts';
import { CheckField, Field, SelectField } from '../../parts/field.tsx';
import { ValueField } from '../../parts/value-field.tsx';
import { texts } from '../../texts/texts.ts';
import { added, type Claims, depthOf, hasInside, isFirst, movedUp, removed, renamed, withKind } from './claim-list.ts';
import { Translated } from './naming.tsx';
import { claimsOf, type Editing, languagesOf, textAt, textsAt, withText } from './type-value.ts';

const KINDS = ['text', 'date', 'number', 'boolean', 'picture', 'list', 'object'] as const;

/** What a list consists of. */
const ITEMS = ['text', 'date', 'number', 'boolean', 'object'] as const;

/** What the cards of a type say. */
export const ClaimFields = (editing: Editing) => {
  const t = texts().types;
  const claims = claimsOf(editing.value);
  const put = (changed: Claims): void => editing.change(['claims'], changed);
  return (
    <fieldset id="/claims" tabIndex={-1}>
      <legend>{t.claims}</legend>
      <p>{t.claimsText}</p>
      {claims.map((claim, index) => (
        <Claim key={index} {...editing} claims={claims} claim={claim} index={index} put={put} />
      ))}
      <button type="button" onClick={() => put(added(claims))}>
        {t.addClaim}
      </button>
    </fieldset>
  );
};

interface ClaimProps extends Editing {
  claims: Claims;
  claim: DescribedClaim;
  index: number;
  put: (claims: Claims) => void;
}

const Claim = (props: ClaimProps) => {
  const t = texts().types;
  const { value, change, claims, claim, index, put } = props;
  const here = ['claims', index] as const;
  const id = (...rest: string[]): string => pointerOf([...here, ...rest]);
  const [first = ''] = languagesOf(value);
  const name =
    textsAt(value, [...here, 'label']).find(({ locale }) => locale === first)?.name ?? String(claim.path.at(-1));
  return (
    <fieldset class="claim" data-depth={depthOf(claim)} id={id()} tabIndex={-1}>
      <legend>{t.claim(index + 1, name)}</legend>
      <Translated
        {...props}
        path={[...here, 'label']}
        label={t.labelIn}
        onText={(locale, text) => put(labelled(props, locale, text))}
      />
      <KindFields {...props} />
      {claim.path.includes(null) ? null : (
        <CheckField
          id={id('disclosure')}
          isChecked={textAt(value, [...here, 'disclosure']) === 'always'}
          onCheck={(isAlways) => change([...here, 'disclosure'], isAlways ? 'always' : undefined)}
        >
          {t.always}
        </CheckField>
      )}
      <CheckField
        id={id('mandatory')}
        isChecked={claim.mandatory ?? false}
        onCheck={(isMandatory) => change([...here, 'mandatory'], isMandatory ? true : undefined)}
      >
        {t.mandatory}
      </CheckField>
      <Example {...props} />
      <details>
        <summary>{texts().technical}</summary>
        <Field
          id={id('path')}
          label={t.path}
          hint={t.pathHint}
          value={String(claim.path.at(-1) ?? '')}
          onValue={(text) => put(renamed(claims, index, text))}
          autocomplete="off"
        />
      </details>
      <Acts {...props} name={name} />
    </fieldset>
  );
};

/** What can be done with an entry; it is named, since there are many. */
const Acts = ({ claims, claim, index, put, name }: ClaimProps & { name: string }) => {
  const t = texts().types;
  return (
    <div class="actions">
      {hasInside(claim) ? (
        <button type="button" onClick={() => put(added(claims, index))}>
          {t.addInside(name)}
        </button>
      ) : null}
      {isFirst(claims, index) ? null : (
        <button type="button" onClick={() => put(movedUp(claims, index))}>
          {t.moveUp(name)}
        </button>
      )}
      {claims.length > 1 ? (
        <button type="button" onClick={() => put(removed(claims, index))}>
          {t.removeClaim(name)}
        </button>
      ) : null}
    </div>
  );
};

/**
 * The claims with another label; the name for programs follows the label of the first language until it is typed or
 * published.
 */
function labelled(
  { value, before: published, claims, claim, index }: ClaimProps,
  locale: string,
  text: string,
): Claims {
  const labels = textsAt(claim, ['label']);
  const label = withText(labels, locale, text);
  const { label: _, ...rest } = claim;
  const written = claims.with(index, label ? { ...rest, label } : rest);
  const before = labels.find((one) => one.locale === locale)?.name ?? '';
  const isOwn = locale === languagesOf(value)[0] && claim.path.at(-1) === shortNameOf(before, '_');
  const isPublished = claimsOf(published).some(({ path }) => JSON.stringify(path) === JSON.stringify(claim.path));
  return isOwn && !isPublished ? renamed(written, index, shortNameOf(text, '_')) : written;
}

const KindFields = ({ claims, claim: { type, items = 'text' }, index, put }: ClaimProps) => {
  const t = texts().types;
  const options = <K extends keyof typeof t.kinds>(kinds: readonly K[]) =>
    kinds.map((kind) => [kind, t.kinds[kind]] as const);
  const write = (kind: string, of?: string): void =>
    put(
      withKind(claims, index, {
        type: kind as FieldKind,
        ...(kind === 'list' && { items: (of ?? 'text') as FieldKind }),
      }),
    );
  return (
    <>
      <SelectField
        id={pointerOf(['claims', index, 'type'])}
        label={t.kind}
        value={type}
        onValue={(kind) => write(kind)}
        options={options(KINDS)}
      />
      {type === 'list' ? (
        <SelectField
          id={pointerOf(['claims', index, 'items'])}
          label={t.items}
          value={items}
          onValue={(of) => write('list', of)}
          options={options(ITEMS)}
        />
      ) : null}
    </>
  );
};

/** A value to try the type with, of the kinds that one field is for. */
const Example = ({ change, claim, index }: ClaimProps) => {
  const t = texts().types;
  if (claim.type === 'object' || claim.type === 'list' || claim.path.includes(null)) return null;
  const path = ['claims', index, 'example'] as const;
  const { example } = claim as { example?: unknown };
  return (
    <ValueField
      id={pointerOf(path)}
      label={t.example}
      kind={claim.type}
      value={example}
      onValue={(part) => change(path, part)}
      isOptional
    />
  );
};
