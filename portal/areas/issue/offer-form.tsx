import type { ComponentChildren } from 'preact';
import type { FieldNode } from '../../forms/fields.ts';
import { labelOf } from '../../forms/labels.ts';
import { type Path, valueAt, withValue } from '../../forms/pointers.ts';
import { pruned } from '../../forms/values.ts';
import { claimsIn } from '../../parts/cards/claims.ts';
import { DataFields } from '../../parts/data-fields.tsx';
import { CheckField, SelectField } from '../../parts/field.tsx';
import { useTwoViews, Views } from '../../parts/two-views.tsx';
import { useAction } from '../../shell/action.tsx';
import { useDraft } from '../../shell/draft.ts';
import { Form } from '../../shell/form.tsx';
import { place } from '../../shell/place.ts';
import { texts } from '../../texts/texts.ts';
import type { Issuer } from './issuer.ts';
import { offer } from './made.ts';
import type { Offer, OfferRequest, Profile } from './values.ts';

/** Where the data of the card is in a request. */
const DATA = ['runtimeOverrides', 'credentialData'];

/** For how long an offer can be taken, in seconds. */
const LIFETIMES = [300, 3600, 86_400, 604_800, 2_592_000] as const;

/** The longest lifetime that the open issuer may give without a login from another network. */
const OPEN_LIFETIME = 86_400;

/** What a new transaction code is. */
const CODE = { input_mode: 'numeric', length: 6 } as const;

/** A request while it is edited: any JSON, of which the form shows what it knows. */
interface Editing {
  value: unknown;
  change(path: Path, part: unknown): void;
}

interface OfferFormProps {
  issuer: Issuer;
  profile: Profile;
  /** The claims of the card as its type describes them. */
  nodes: readonly FieldNode[];
  initial: OfferRequest;
  /** Fields of this issuer besides. */
  children?(editing: Editing): ComponentChildren;
  done(offer: Offer): void;
}

/** What is on a card, and how its holder gets it: form and JSON are two views of the request. */
export const OfferForm = ({ issuer, profile, nodes, initial, children, done }: OfferFormProps) => {
  const t = texts().issuing;
  const draft = useDraft<unknown>(place.value.url, initial);
  const { value, set } = draft;
  const views = useTwoViews(value, set);
  const action = useAction(
    () => offer(issuer, pruned(value) as OfferRequest),
    (made) => {
      draft.forget();
      done(made);
    },
  );
  const change: Editing['change'] = (path, part) => set(withValue(value, path, part));
  return (
    <Form action={views.isBroken ? { isBusy: false, run: views.insist } : action} button={t.offer}>
      <Views views={views}>
        <DataFields
          nodes={nodes}
          value={valueAt(value, DATA) ?? {}}
          at={DATA}
          labels={labelsOf(profile)}
          change={(path, part) => change([...DATA, ...path], part)}
        />
        <Mapped profile={profile} />
        {children?.({ value, change })}
        <Options issuer={issuer} value={value} change={change} />
      </Views>
    </Form>
  );
};

/** What the issuer calls its claims. */
const labelsOf = ({ claims }: Profile) =>
  claims.map(({ path, display }) => ({ path, labels: display as { locale?: string; name?: string }[] }));

/** What the server fills in when a wallet takes the card. */
const Mapped = ({ profile }: { profile: Profile }) => {
  const t = texts().issuing;
  const mapped = claimsIn(profile.mapping ?? {}).filter(({ path }) => path.length > 0);
  if (mapped.length === 0) return null;
  return (
    <fieldset>
      <legend>{t.mapped}</legend>
      <ul>
        {mapped.map(({ path }) => (
          <li key={path.join('.')} translate={false}>
            {path.map((_, at) => labelOf(path.slice(0, at + 1), labelsOf(profile))).join(' › ')}
          </li>
        ))}
      </ul>
    </fieldset>
  );
};

const Options = ({ issuer, value, change }: Editing & { issuer: Issuer }) => {
  const t = texts().issuing;
  const lifetimes = LIFETIMES.filter((seconds) => issuer !== undefined || seconds <= OPEN_LIFETIME);
  return (
    <fieldset>
      <legend>{t.options}</legend>
      <SelectField
        id="/expiresInSeconds"
        label={t.lifetime}
        hint={t.lifetimeHint}
        value={String(valueAt(value, ['expiresInSeconds']) ?? LIFETIMES[0])}
        onValue={(seconds) => change(['expiresInSeconds'], Number(seconds))}
        options={lifetimes.map((seconds) => [String(seconds), t.lifetimes[seconds]] as const)}
      />
      <CheckField
        id="/txCode"
        isChecked={valueAt(value, ['txCode']) !== undefined}
        onCheck={(isOn) => change(['txCode'], isOn ? CODE : undefined)}
      >
        {t.code}
      </CheckField>
    </fieldset>
  );
};
