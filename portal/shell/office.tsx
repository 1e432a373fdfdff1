import type { ComponentChildren } from 'preact';
import { useRoute } from 'preact-iso/router';
import type { Schemas } from '../../client/client.ts';
import { SelectField } from '../parts/field.tsx';
import { Navigation } from '../parts/navigation.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { texts } from '../texts/texts.ts';
import { ActionButton, useAction } from './action.tsx';
import { api, ask, type Outcome, wasLoggedIn } from './api.ts';
import { Loaded, useLoad } from './load.tsx';
import { Page } from './page.tsx';
import { go, place, to } from './place.ts';
import { FailureNotice } from './states.tsx';

export type Place = Schemas['Place'];

/** Where an account works: an organization or a tenant with what is below it, and what the account may do at each. */
export type Office = Schemas['Workplace'];

/**
 * What the office has pages for: where it is, and what an account needs at a service of this type to see it; without a type, at
 * the organization or the tenant itself.
 */
const AREAS = [
  { page: 'types', type: 'issuer2', actions: ['credential-type-list', 'credential-type-create'] },
  { page: 'issue', type: 'issuer2', actions: ['issuer-credential-issue'] },
  { page: 'issued', type: 'issuer2', actions: ['issued-credential-list'] },
  { page: 'status', type: 'credential-status', actions: ['status-credential-list', 'status-entry-list'] },
  { page: 'checks', type: 'verifier2', actions: ['check-list', 'check-create'] },
  { page: 'trust', type: 'trust-registry', actions: ['trusted-issuer-list', 'trusted-issuer-create'] },
  { page: 'people', actions: ['role-list'] },
  { page: 'audit', actions: ['audit-view'] },
  { page: 'domains', actions: ['host-alias-list', 'host-alias-create'] },
  { page: 'keys', type: 'kms', actions: ['list-keys', 'key-create'] },
  { page: 'contents', actions: ['resource-list'] },
] as const satisfies readonly {
  page: keyof ReturnType<typeof texts>['office']['areas'];
  type?: string;
  actions: string[];
}[];

/** The places of a type, or this one, at which the account may do one of the actions. */
const placesFor = ({ here, below }: Office, type: string | undefined, actions: readonly string[]): Place[] =>
  (type === undefined ? [here] : [here, ...below].filter((one) => one.type === type)).filter((one) =>
    actions.some((action) => one.actions.includes(action)),
  );

/** Whether the account may do this at a target. */
export const may = (place: Place | undefined, action: string): boolean => place?.actions.includes(action) ?? false;

/** The areas that the account may use. */
export const areasOf = (office: Office) =>
  AREAS.filter(({ actions, ...area }) => placesFor(office, 'type' in area ? area.type : undefined, actions).length > 0);

/** The first page for services of a type, if there is one. */
export const pageOfType = (type: string): string | undefined =>
  AREAS.find((area) => 'type' in area && area.type === type)?.page;

/** A page of the office at a target. */
export const officePage = (target: string, page = '', query: Record<string, string | undefined> = {}): string =>
  to(`/office/${encodeURIComponent(target)}${page === '' ? '' : `/${page}`}`, query);

/** A call of the office; that it was answered shows that an account is logged in. */
export async function work<T>(call: Promise<Outcome<T>>): Promise<Outcome<T>> {
  const outcome = await call;
  if (outcome.ok) wasLoggedIn.account.value = true;
  return outcome;
}

/** What the account may do at a target. */
export const readOffice = (target: string) =>
  work(ask(api.GET('/v1/{target}/permissions-api/workplace', { params: { path: { target } } })));

/** What was read last; its menu stays while the next page of the same place is loaded. */
let last: Office | undefined;

interface OfficePageProps {
  title: string;
  step?: string | undefined;
  children: (office: Office) => ComponentChildren;
}

/** A page of the office at the target of its path, with the areas that the account may use there. */
export const OfficePage = ({ title, step, children }: OfficePageProps) => {
  const { target = '' } = useRoute().params;
  const loading = useLoad(() => readOffice(decodeURIComponent(target)), target);
  if (loading.data || loading.failure) last = loading.data;
  const isHere = last?.here.target === decodeURIComponent(target);
  // The menu stands above the heading: shown after it, it would push it away.
  if (!isHere && !loading.failure) return <Skeleton />;
  return (
    <>
      {isHere && last ? <OfficeMenu office={last} /> : null}
      <Page title={title} step={step}>
        <Loaded of={loading}>{children}</Loaded>
      </Page>
    </>
  );
};

interface ServicePageProps {
  title: string;
  step?: string | undefined;
  /** The type of the service, and what the account needs at it, one of these. */
  type: string;
  actions: readonly string[];
  children: (service: Place, office: Office) => ComponentChildren;
}

/** A page for a service of a type: the one that the address names, else the first that the account may use. */
export const ServicePage = ({ title, step, type, actions, children }: ServicePageProps) => (
  <OfficePage title={title} step={step}>
    {(office) => {
      const services = placesFor(office, type, actions);
      const service = services.find(({ target }) => target === place.value.query.service) ?? services[0];
      if (!service) return <p>{texts().office.home.nothing}</p>;
      return (
        <>
          {services.length > 1 ? <ServiceChoice services={services} chosen={service.target} /> : null}
          {children(service, office)}
        </>
      );
    }}
  </OfficePage>
);

const ServiceChoice = ({ services, chosen }: { services: readonly Place[]; chosen: string }) => (
  <SelectField
    id="service"
    label={texts().office.service}
    value={chosen}
    onValue={(service) => go(to(place.value.path, { ...place.value.query, service }))}
    options={services.map(({ target, name = target }) => [target, name] as const)}
  />
);

const OfficeMenu = ({ office }: { office: Office }) => {
  const t = texts().office;
  const { target, name = target } = office.here;
  const links = [
    { href: officePage(target), text: t.overview },
    ...areasOf(office).map(({ page }) => ({ href: officePage(target, page), text: t.areas[page].name })),
  ];
  const ways = links.map((link) => ({ ...link, isHere: link.href === `#${place.value.path}` }));
  return (
    <div class="office">
      <p>
        <strong>{name}</strong> <a href={to('/office', { choose: 'yes' })}>{t.elsewhere}</a>
      </p>
      <Navigation key={place.value.path} label={t.label} ways={ways} menu={t.menu} />
      <LogOut />
    </div>
  );
};

/** Ends the login on the server. */
export const LogOut = () => {
  const ending = useAction(
    () => ask(api.DELETE('/auth/account/session')),
    () => {
      wasLoggedIn.account.value = false;
      last = undefined;
      go(to('/account/login'));
    },
  );
  return (
    <>
      {ending.failure ? <FailureNotice failure={ending.failure} again={ending.run} /> : null}
      <ActionButton action={ending} text={texts().office.logOut} />
    </>
  );
};
