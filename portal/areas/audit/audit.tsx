import { useState } from 'preact/hooks';
import type { Schemas } from '../../../client/client.ts';
import { Moment } from '../../parts/moment.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';
import { api, ask } from '../../shell/api.ts';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { may, OfficePage, work } from '../../shell/office.tsx';
import { Page } from '../../shell/page.tsx';
import { place, to } from '../../shell/place.ts';
import { texts } from '../../texts/texts.ts';
import { Exports } from './exports.tsx';
import { Filter, filterOf } from './filter.tsx';

type Event = Schemas['AuditEvent'];

/** How many events a page shows. */
const SHOWN = '50';

/** Who did what at an organization or a tenant and below, the latest first. */
export const AuditPage = () => (
  <OfficePage title={texts().audit.title}>
    {({ here }) => (may(here, 'audit-view') ? <Trail target={here.target} /> : <p>{texts().office.home.nothing}</p>)}
  </OfficePage>
);

/** What happened in the whole installation, for superadmins: logins, accounts, organizations. */
export const InstallationAuditPage = () => (
  <Page title={texts().audit.installation}>
    <p>
      <a href={to('/office', { choose: 'yes' })}>{texts().audit.toOffice}</a>
    </p>
    <Trail />
  </Page>
);

/** Reads a page of the events of a target, or of the installation. */
function readEvents(target: string | undefined) {
  const { after } = place.value.query;
  const query = { ...filterOf(), after, limit: SHOWN };
  return work(
    ask(
      target === undefined
        ? api.GET('/v1/admin/audit/events', { params: { query } })
        : api.GET('/v1/{target}/audit-api/events', { params: { path: { target }, query } }),
    ),
  );
}

const Trail = ({ target }: { target?: string }) => {
  const t = texts().audit;
  const { path, query } = place.value;
  const { after, ...filter } = query;
  const loading = useLoad(() => readEvents(target), JSON.stringify(query));
  return (
    <>
      <Filter key={JSON.stringify(filter)} />
      <Loaded of={loading}>
        {({ events, next }) => (
          <>
            {events.length === 0 ? (
              <Notice kind="information">
                <p>{next === undefined ? t.empty : t.emptyPage}</p>
              </Notice>
            ) : (
              <Events events={events} />
            )}
            <nav class="actions" aria-label={texts().list.pages}>
              {after === undefined ? null : (
                <a class="button" href={to(path, filter)}>
                  {t.latest}
                </a>
              )}
              {next === undefined ? null : (
                <a class="button" href={to(path, { ...filter, after: String(next) })}>
                  {t.older}
                </a>
              )}
            </nav>
            <Exports target={target} />
          </>
        )}
      </Loaded>
    </>
  );
};

const Events = ({ events }: { events: readonly Event[] }) => {
  const t = texts().audit;
  const [chosen, setChosen] = useState<number>();
  return (
    <Table caption={t.caption} heads={[t.when, t.what, t.where, t.who, t.outcome, t.more]}>
      {events.map((event) => (
        <tr key={event.sequence}>
          <td>
            <Moment at={event.time} />
          </td>
          <th scope="row">{t.acts[event.action] ?? <code>{event.action}</code>}</th>
          <td>
            <code>{event.resource ?? event.target}</code>
          </td>
          <td>
            <Who account={event.account} />
          </td>
          <td>
            {t.outcomes[event.outcome]} {event.status === undefined ? null : t.status(event.status)}
          </td>
          <td>
            <button
              type="button"
              aria-expanded={chosen === event.sequence}
              aria-label={t.moreOf(event.sequence)}
              onClick={() => setChosen(chosen === event.sequence ? undefined : event.sequence)}
            >
              {event.sequence}
            </button>
            {chosen === event.sequence ? <pre translate={false}>{JSON.stringify(event, null, 2)}</pre> : null}
          </td>
        </tr>
      ))}
    </Table>
  );
};

/** An account or API key, with a link to what else it did. */
const Who = ({ account }: { account: string }) => {
  const { path, query } = place.value;
  if (account === '') return null;
  return (
    <a href={to(path, { ...query, account, after: undefined })} translate={false}>
      {account.slice(0, 8)}
    </a>
  );
};
