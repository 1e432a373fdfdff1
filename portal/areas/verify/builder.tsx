import { useState } from 'preact/hooks';
import type { Schemas } from '../../../client/client.ts';
import { readJsonText } from '../../forms/json-text.ts';
import { type Path, valueAt, withValue } from '../../forms/pointers.ts';
import { claimsIn, isTechnical } from '../../parts/cards/claims.ts';
import { SelectField } from '../../parts/field.tsx';
import { useTwoViews, Views } from '../../parts/two-views.tsx';
import { cardsOf, type OfferedCard } from '../../queries/offered.ts';
import { type OfferedPolicy, PolicyFields } from '../../queries/policy-fields.tsx';
import { newCredential, withCredentials } from '../../queries/query.ts';
import { QueryFields } from '../../queries/query-fields.tsx';
import { useAction } from '../../shell/action.tsx';
import { api, ask, type Outcome } from '../../shell/api.ts';
import { open } from '../../shell/examples.ts';
import { Form } from '../../shell/form.tsx';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { Page } from '../../shell/page.tsx';
import { note, place } from '../../shell/place.ts';
import { texts } from '../../texts/texts.ts';
import { builderPage, createRequest, type Setup } from './request.ts';

const QUERY = ['core_flow', 'dcql_query'] as const;
const POLICIES = ['core_flow', 'policies', 'vc_policies'] as const;
const LIFETIME = ['core_flow', 'expiration_duration'] as const;

/** What can be asked for and checked here. */
interface Offers {
  cards: OfferedCard[];
  policies: Schemas['PolicyDescription'][];
}

/** Makes a request: what is asked for, what is checked, for how long. The address has all of it, and can be passed on. */
export const BuilderPage = () => {
  const t = texts().builder;
  const loading = useLoad(readOffers);
  const { request } = place.value.query;
  return (
    <Page title={t.title}>
      <p>{t.lead}</p>
      <Loaded of={loading}>{(offers) => <Builder key={request} offers={offers} written={request} />}</Loaded>
    </Page>
  );
};

/** The policies, and the credentials of the issuer of this server; where there is none, types are typed. */
async function readOffers(): Promise<Outcome<Offers>> {
  const [policies, metadata, profiles] = await Promise.all([
    ask(api.GET('/openid4vc/policies')),
    ask(api.GET('/.well-known/openid-credential-issuer/openid4vci')),
    ask(api.GET('/issuer2/profiles')),
  ]);
  if (!policies.ok) return policies;
  const known = profiles.ok ? profiles.data : [];
  const claimsOf = (configurationId: string) => {
    const profile = known.find((one) => one.credentialConfigurationId === configurationId);
    return claimsIn(profile?.credentialData ?? {})
      .filter((claim) => !isTechnical(claim))
      .map(({ path }) => path.map((part) => (typeof part === 'number' ? null : part)));
  };
  const cards = metadata.ok && typeof metadata.data !== 'string' ? cardsOf(metadata.data, claimsOf) : [];
  return { ok: true, data: { cards, policies: policies.data } };
}

/** What the builder begins with. */
const newRequest = ([first]: readonly OfferedCard[]): unknown => ({
  flow_type: 'cross_device',
  core_flow: {
    dcql_query: withCredentials({}, [newCredential([], first)]),
    policies: { vc_policies: ['expired', 'revoked-status-list'] },
  },
});

function requestIn(written: string | undefined): unknown {
  const read = written === undefined ? undefined : readJsonText(written);
  return read && 'value' in read ? read.value : undefined;
}

/** The policies that can be listed for credentials, as the form offers them. */
const offered = (policies: Offers['policies']): OfferedPolicy[] =>
  policies
    .filter(({ scopes }) => scopes.includes('vc'))
    .map(({ name, description, argument }) => ({
      name,
      label: texts().verify.policies[name] ?? name,
      text: description,
      language: 'en',
      ...(argument && {
        argument: {
          isRequired: argument.isRequired,
          example: (argument.schema.examples as unknown[] | undefined)?.[0],
        },
      }),
    }));

/** How long a request is good; the server decides where nothing is said. */
const LIFETIMES = ['', 'PT5M', 'PT1H', 'P1D', 'P7D'] as const;

const Builder = ({ offers: { cards, policies }, written }: { offers: Offers; written: string | undefined }) => {
  const t = texts().builder;
  const [value, setValue] = useState(() => requestIn(written) ?? newRequest(cards));
  const set = (changed: unknown): void => {
    setValue(changed);
    note(builderPage(changed));
  };
  const views = useTwoViews(value, set);
  const action = useAction(() => createRequest(value as Setup), open);
  const change = (path: Path, part: unknown): void => set(withValue(value, path, part));
  const listed = valueAt(value, POLICIES);
  const lifetime = valueAt(value, LIFETIME);
  return (
    <Form action={views.isBroken ? { isBusy: false, run: views.insist } : action} button={t.create}>
      <Views views={views}>
        <QueryFields query={valueAt(value, QUERY)} change={(query) => change(QUERY, query)} cards={cards} at={QUERY} />
        <PolicyFields
          policies={Array.isArray(listed) ? listed : []}
          change={(list) => change(POLICIES, list)}
          offered={offered(policies)}
          at={POLICIES}
        />
        <SelectField
          id="/core_flow/expiration_duration"
          label={t.lifetime}
          value={typeof lifetime === 'string' ? lifetime : ''}
          onValue={(chosen) => change(LIFETIME, chosen === '' ? undefined : chosen)}
          options={lifetimesWith(lifetime).map((one) => [one, t.lifetimes[one] ?? one] as const)}
        />
      </Views>
    </Form>
  );
};

const lifetimesWith = (lifetime: unknown): string[] => [
  ...new Set([...LIFETIMES, ...(typeof lifetime === 'string' ? [lifetime] : [])]),
];
