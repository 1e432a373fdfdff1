import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { Schemas } from '../../../client/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Summary } from '../../parts/summary.tsx';
import { cardFor, cardsIn, claimLabel, nameOf, type OfferedCard } from '../../queries/offered.ts';
import { policyName } from '../../queries/policy-fields.tsx';
import { claimsOf, credentialsOf, isAnyOf, typeOf } from '../../queries/query.ts';
import { useAction } from '../../shell/action.tsx';
import { api, ask } from '../../shell/api.ts';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { may, type Office, officePage, type Place, ServicePage, work } from '../../shell/office.tsx';
import { go, place } from '../../shell/place.ts';
import { FailureNotice } from '../../shell/states.tsx';
import { inLanguage, texts } from '../../texts/texts.ts';

export type Check = Schemas['SavedCheckElement'];

const ACTIONS = ['check-list', 'check-create'];

/** How many more checks are shown at once. */
const STEP = 50;

/** Reads one check. */
export const readCheck = (target: string) =>
  work(ask(api.GET('/v1/{target}/verifier2-service-api/checks', { params: { path: { target } } })));

/** A page of the checks of the unit in the address; the verifier in the address stays. */
function checksPage(page = 'checks', query: Record<string, string | undefined> = {}): string {
  const unit = place.value.path.split('/')[2] ?? '';
  return officePage(decodeURIComponent(unit), page, { service: place.value.query.service, ...query });
}

/** The page of a check, or one below it. */
export const checkPage = ({ _id: target }: Pick<Check, '_id'>, page = '', query = {}): string =>
  checksPage(`checks/${encodeURIComponent(target.slice(target.lastIndexOf('.') + 1))}${page}`, query);

/** The counter of a check. */
const counterPage = ({ _id: target }: Check): string => checksPage(`counter/${encodeURIComponent(target)}`);

/** Whether the account may run checks of a verifier and see what came of them. */
const mayRun = (service: Place): boolean => may(service, 'check-run') && may(service, 'verifier-session-view');

/** The query of a check, and the policies for all its credentials. */
const queryOf = ({ setup }: Check): unknown => setup.core_flow.dcql_query;
function policiesOf({ setup }: Check): unknown[] {
  const { vc_policies: listed = [] } = (setup.core_flow.policies ?? {}) as { vc_policies?: unknown[] };
  return listed;
}

/** The saved checks of a verifier. */
export const ChecksPage = () => (
  <ServicePage title={texts().checks.title} type="verifier2" actions={ACTIONS}>
    {(service) => (
      <>
        {may(service, 'check-list') ? <CheckList key={service.target} service={service} /> : null}
        {may(service, 'check-create') ? (
          <div class="actions">
            <a class="button first" href={checksPage('new-check')}>
              {texts().checks.new}
            </a>
          </div>
        ) : null}
      </>
    )}
  </ServicePage>
);

const CheckList = ({ service }: { service: Place }) => {
  const t = texts().checks;
  const [most, setMost] = useState(STEP);
  const params = { path: { target: service.target }, query: { limit: String(most + 1) } };
  const loading = useLoad(
    () => work(ask(api.GET('/v1/{target}/verifier2-service-api/checks/list', { params }))),
    String(most),
  );
  return (
    <Loaded of={loading}>
      {(checks) =>
        checks.length === 0 ? (
          <Notice kind="information">
            <p>{t.empty}</p>
          </Notice>
        ) : (
          <>
            <ul class="tasks">
              {checks.slice(0, most).map((check) => (
                <li key={check._id}>
                  <a href={checkPage(check)} translate={false}>
                    {check.name}
                  </a>
                  <span class="check-text quiet" translate={false}>
                    {check.description}
                  </span>
                  {mayRun(service) ? (
                    <a class="button" href={counterPage(check)}>
                      {t.openCounter(check.name)}
                    </a>
                  ) : null}
                </li>
              ))}
            </ul>
            {checks.length > most ? (
              <button type="button" onClick={() => setMost(most + STEP)}>
                {t.more}
              </button>
            ) : null}
          </>
        )
      }
    </Loaded>
  );
};

/** One check: what it asks for and checks, and what can be done with it. */
export const CheckPage = () => {
  const { id = '' } = useRoute().params;
  return (
    <ServicePage title={texts().checks.check} type="verifier2" actions={['check-list']}>
      {(service, office) => <OneCheck key={id} service={service} office={office} id={decodeURIComponent(id)} />}
    </ServicePage>
  );
};

const OneCheck = ({ service, office, id }: { service: Place; office: Office; id: string }) => {
  const loading = useLoad(() => readCheck(`${service.target}.${id}`));
  const cards = useLoad(async () => ({ ok: true as const, data: await cardsIn(office) }));
  return (
    <Loaded of={loading}>
      {(check) => (
        <Loaded of={cards}>{(offered) => <ShownCheck service={service} check={check} cards={offered} />}</Loaded>
      )}
    </Loaded>
  );
};

interface ShownCheckProps {
  service: Place;
  check: Check;
  cards: readonly OfferedCard[];
}

const ShownCheck = ({ service, check, cards }: ShownCheckProps) => {
  const t = texts().checks;
  const { name, description, purpose = [] } = check;
  const query = queryOf(check);
  return (
    <>
      {place.value.query.made === undefined ? null : (
        <Notice kind="good" role="status">
          <p>{t.made(name)}</p>
        </Notice>
      )}
      <Summary
        rows={[
          [t.name, <Data key="name" text={name} />],
          ...(description === undefined ? [] : [[t.description, <Data key="text" text={description} />] as const]),
          ...credentialsOf(query).map((asked) => {
            const card = cardFor(asked, cards);
            const labels = claimsOf(asked).map((path) => claimLabel(path, card?.claims ?? []));
            return [
              isAnyOf(query) ? t.asksAny : t.asks,
              <Data key={asked.id} text={`${card ? nameOf(card) : typeOf(asked)}: ${labels.join(', ') || '–'}`} />,
            ] as const;
          }),
          [t.policies, policiesOf(check).map(policyLabel).join(', ') || t.onlyAlways],
          ...(purpose.length === 0
            ? []
            : [[t.purpose, <Data key="purpose" text={inLanguage(purpose)?.text ?? ''} />] as const]),
        ]}
      />
      <Acts service={service} check={check} />
    </>
  );
};

const Data = ({ text }: { text: string }) => <span translate={false}>{text}</span>;

const policyLabel = (entry: unknown): string => {
  const name = String(policyName(entry));
  return texts().verify.policies[name] ?? name;
};

/** What the account may do with a check. */
const Acts = ({ service, check }: { service: Place; check: Check }) => {
  const t = texts().checks;
  const [isAsking, setAsking] = useState(false);
  const params = { path: { target: check._id } };
  const removing = useAction(
    () => work(ask(api.DELETE('/v1/{target}/verifier2-service-api/checks', { params }))),
    () => go(checksPage(), { replace: true }),
  );
  return (
    <>
      {removing.failure ? <FailureNotice failure={removing.failure} again={removing.run} /> : null}
      <div class="actions">
        {mayRun(service) ? (
          <a class="button first" href={counterPage(check)}>
            {t.counterOpen}
          </a>
        ) : null}
        {may(service, 'resource-update') ? (
          <a class="button" href={checkPage(check, '/change')}>
            {t.change}
          </a>
        ) : null}
        {may(service, 'resource-delete') ? (
          <button type="button" onClick={() => setAsking(true)}>
            {t.remove}
          </button>
        ) : null}
      </div>
      {isAsking ? (
        <Confirm
          title={t.removeAsk(check.name)}
          text={t.removeText}
          yes={t.remove}
          no={texts().cancel}
          onYes={() => {
            setAsking(false);
            removing.run();
          }}
          onNo={() => setAsking(false)}
        />
      ) : null}
    </>
  );
};
