import { useRoute } from 'preact-iso/router';
import type { Schemas } from '../../../client/client.ts';
import { type Path, pointerOf, valueAt, withValue } from '../../forms/pointers.ts';
import { shortNameOf } from '../../parts/cards/short-name.ts';
import { Field } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useTwoViews, Views } from '../../parts/two-views.tsx';
import { cardsIn, type OfferedCard } from '../../queries/offered.ts';
import { type OfferedPolicy, PolicyFields } from '../../queries/policy-fields.tsx';
import { newCredential, withCredentials } from '../../queries/query.ts';
import { QueryFields } from '../../queries/query-fields.tsx';
import { useAction } from '../../shell/action.tsx';
import { api, ask, type Outcome } from '../../shell/api.ts';
import { useDraft } from '../../shell/draft.ts';
import { Form, refusalOf } from '../../shell/form.tsx';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { type Office, type Place, ServicePage, work } from '../../shell/office.tsx';
import { go, place } from '../../shell/place.ts';
import { CHOICES, texts } from '../../texts/texts.ts';
import { type Check, checkPage, readCheck } from './checks.tsx';

type WrittenCheck = Omit<Schemas['SavedCheckElement'], keyof Schemas['AnyElement']>;

const QUERY = ['setup', 'core_flow', 'dcql_query'] as const;
const POLICIES = ['setup', 'core_flow', 'policies', 'vc_policies'] as const;

/** The policies that a form offers by name: those that need no argument. */
const OFFERED = ['expiration', 'not-before', 'revoked-status-list'] as const;

/** Makes a check. */
export const NewCheckPage = () => (
  <ServicePage title={texts().checks.new} type="verifier2" actions={['check-create']}>
    {(service, office) => (
      <WithCards key={service.target} office={office} read={async (cards) => ({ ok: true, data: newCheck(cards) })}>
        {(cards, initial) => <Editor service={service} cards={cards} initial={initial} />}
      </WithCards>
    )}
  </ServicePage>
);

/** Changes a check; sessions of it stay what they are. */
export const ChangeCheckPage = () => {
  const { id = '' } = useRoute().params;
  return (
    <ServicePage title={texts().checks.changeTitle} type="verifier2" actions={['check-list']}>
      {(service, office) => {
        const target = `${service.target}.${decodeURIComponent(id)}`;
        return (
          <WithCards key={target} office={office} read={() => readCheck(target).then(written)}>
            {(cards, initial) => <Editor service={service} cards={cards} initial={initial} changed={target} />}
          </WithCards>
        );
      }}
    </ServicePage>
  );
};

interface WithCardsProps {
  office: Office;
  read(cards: readonly OfferedCard[]): Promise<Outcome<unknown>>;
  children: (cards: OfferedCard[], initial: unknown) => ReturnType<typeof Editor>;
}

/** Waits for the check, and for what the issuers of the unit offer. */
const WithCards = ({ office, read, children }: WithCardsProps) => {
  const loading = useLoad(async () => {
    const cards = await cardsIn(office);
    const initial = await read(cards);
    return initial.ok ? { ok: true as const, data: { cards, initial: initial.data } } : initial;
  });
  return <Loaded of={loading}>{({ cards, initial }) => children(cards, initial)}</Loaded>;
};

/** What a new check begins with. */
const newCheck = ([first]: readonly OfferedCard[]): unknown => ({
  name: '',
  setup: {
    flow_type: 'cross_device',
    core_flow: {
      dcql_query: withCredentials({}, [newCredential([], first)]),
      policies: { vc_policies: ['expiration', 'revoked-status-list'] },
    },
  },
});

/** A check as it is sent, without what the server says of it. */
function written(read: Outcome<Check>): Outcome<unknown> {
  if (!read.ok) return read;
  const { name, description, purpose, setup } = read.data;
  return { ok: true, data: JSON.parse(JSON.stringify({ name, description, purpose, setup })) };
}

/** Saves a check, under a short name made of its name where that is new. */
function save(service: string, value: unknown, changed: string | undefined): Promise<Outcome<Check>> {
  const body = value as WrittenCheck & { setup: Schemas['VerificationSessionSetup'] };
  const path = '/v1/{target}/verifier2-service-api/checks';
  if (changed !== undefined) return work(ask(api.PUT(path, { params: { path: { target: changed } }, body })));
  const name = shortNameOf(textAt(value, ['name']));
  const target = name === '' ? service : `${service}.${name}`;
  return work(ask(api.POST(path, { params: { path: { target } }, body })));
}

function textAt(value: unknown, path: Path): string {
  const text = valueAt(value, path);
  return typeof text === 'string' ? text : '';
}

const offeredPolicies = (): OfferedPolicy[] =>
  OFFERED.map((name) => ({
    name,
    label: texts().verify.policies[name] ?? name,
    text: texts().checks.policyTexts[name],
  }));

interface EditorProps {
  service: Place;
  cards: readonly OfferedCard[];
  initial: unknown;
  /** The check that is changed. */
  changed?: string;
}

const Editor = ({ service, cards, initial, changed }: EditorProps) => {
  const t = texts().checks;
  const draft = useDraft(place.value.url, initial);
  const { value, set } = draft;
  const views = useTwoViews(value, set);
  const action = useAction(
    () => save(service.target, value, changed),
    (check) => {
      draft.forget();
      go(checkPage(check, '', { made: 'yes' }));
    },
  );
  const change = (path: Path, part: unknown): void => set(withValue(value, path, part));
  const policies = valueAt(value, POLICIES);
  const isTaken = changed === undefined && refusalOf(action.failure) === 'Conflict';
  return (
    <Form
      action={views.isBroken ? { isBusy: false, run: views.insist } : action}
      button={changed === undefined ? t.create : t.save}
      errors={isTaken ? [{ id: '/name', message: t.taken }] : []}
    >
      {valueAt(value, ['setup', 'core_flow', 'notifications']) === undefined || changed === undefined ? null : (
        <Notice kind="warning">
          <p>{t.secrets}</p>
        </Notice>
      )}
      <Views views={views}>
        <NameFields value={value} change={change} />
        <QueryFields query={valueAt(value, QUERY)} change={(query) => change(QUERY, query)} cards={cards} at={QUERY} />
        <PolicyFields
          policies={Array.isArray(policies) ? policies : []}
          change={(list) => change(POLICIES, list)}
          offered={offeredPolicies()}
          at={POLICIES}
        />
      </Views>
    </Form>
  );
};

interface Editing {
  value: unknown;
  change(path: Path, part: unknown): void;
}

/** The name of a check, what it is for, and the text for the holder. */
const NameFields = ({ value, change }: Editing) => {
  const t = texts().checks;
  return (
    <fieldset>
      <legend>{t.naming}</legend>
      <Field
        id="/name"
        label={t.name}
        hint={t.nameHint}
        value={textAt(value, ['name'])}
        onValue={(name) => change(['name'], name)}
        autocomplete="off"
      />
      <Field
        id="/description"
        label={t.description}
        value={textAt(value, ['description'])}
        onValue={(text) => change(['description'], text === '' ? undefined : text)}
        isOptional
      />
      <fieldset id="/purpose" tabIndex={-1}>
        <legend>{t.purpose}</legend>
        <p class="hint">{t.purposeHint}</p>
        {Object.entries(CHOICES).map(([locale, language]) => (
          <PurposeField key={locale} value={value} change={change} locale={locale} language={language} />
        ))}
      </fieldset>
    </fieldset>
  );
};

const PurposeField = ({ value, change, locale, language }: Editing & { locale: string; language: string }) => {
  const all = valueAt(value, ['purpose']);
  const known = Array.isArray(all) ? (all as { locale: string; text: string }[]) : [];
  const place = known.findIndex((one) => one.locale === locale);
  const write = (text: string): void => {
    const others = known.filter((one) => one.locale !== locale);
    const changed = text === '' ? others : known.toSpliced(place < 0 ? known.length : place, 1, { locale, text });
    change(['purpose'], changed.length === 0 ? undefined : changed);
  };
  return (
    <Field
      id={pointerOf(['purpose', place < 0 ? locale : place, 'text'])}
      label={texts().checks.purposeIn(language)}
      value={known[place]?.text ?? ''}
      onValue={write}
      isOptional
    />
  );
};
