import { useEffect, useState } from 'preact/hooks';
import type { Schemas } from '../../../client/client.ts';
import { Notice } from '../../parts/notice.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Summary } from '../../parts/summary.tsx';
import { Table } from '../../parts/table.tsx';
import { api, ask } from '../../shell/api.ts';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { work } from '../../shell/office.tsx';
import { Page } from '../../shell/page.tsx';
import { to } from '../../shell/place.ts';
import { texts } from '../../texts/texts.ts';

type Check = Schemas['HealthChecks'][number];
type Overview = Schemas['Overview'];

/** How often the server is asked. */
const EVERY_MS = 2000;

/** Whether the server works, and within which limits: for superadmins. */
export const HealthPage = () => {
  const loading = useLoad(() => work(ask(api.GET('/v1/admin/overview'))));
  const checks = useChecks();
  const isReady = checks?.every(({ status }) => status === 'Healthy');
  // What could not be read while the store was gone is read when it is back.
  useEffect(() => {
    if (isReady && loading.failure) loading.again();
  }, [isReady]);
  return (
    <Page title={texts().health.title}>
      <p>
        <a href={to('/office', { choose: 'yes' })}>{texts().health.toOffice}</a>
      </p>
      {checks === undefined ? <Skeleton /> : <State checks={checks} />}
      {isReady || (checks !== undefined && loading.data) ? (
        <Loaded of={loading}>{(overview) => <Facts overview={overview} />}</Loaded>
      ) : null}
    </Page>
  );
};

/** What the server says of itself, again and again while the page is open; null while it does not answer. */
function useChecks(): Check[] | null | undefined {
  const [checks, setChecks] = useState<Check[] | null>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOpen = true;
    const look = async (): Promise<void> => {
      const answer = await api.GET('/readyz').catch(() => undefined);
      if (!isOpen) return;
      const found = answer?.data ?? answer?.error;
      setChecks(Array.isArray(found) ? found : null);
      timer = setTimeout(look, EVERY_MS);
    };
    void look();
    return () => {
      isOpen = false;
      clearTimeout(timer);
    };
  }, []);
  return checks;
}

const State = ({ checks }: { checks: Check[] | null }) => {
  const t = texts().health;
  const isReady = checks?.every(({ status }) => status === 'Healthy') ?? false;
  const title = checks === null ? t.silent : isReady ? t.ready : t.notReady;
  return (
    <div role="status">
      <Notice kind={isReady ? 'good' : 'bad'} title={title}>
        <ul>
          {checks?.map(({ name, status, reason }) => (
            <li key={name}>
              {t.check(t.checks[name] ?? name, t.states[status])}{' '}
              {reason === undefined ? null : <span lang="en">{reason}</span>}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
};

const Facts = ({ overview }: { overview: Overview }) => {
  const t = texts().health;
  const { version, publicUrl, services, store, limits, pagination } = overview;
  return (
    <>
      <Summary
        rows={[
          [t.version, version],
          [t.address, <code key="address">{publicUrl}</code>],
          [
            t.services,
            <span key="services" translate={false}>
              {services.join(', ')}
            </span>,
          ],
          [
            t.store,
            <span key="store" translate={false}>
              {store.type}
            </span>,
          ],
          [t.pages, t.pagesText(pagination.defaultLimit, pagination.maxLimit)],
        ]}
      />
      <Table caption={t.limits} heads={[t.section, t.meaning, t.perMinute, t.failures]}>
        {limits.map(({ section, requestsPerMinute, failureThreshold, failureWindowSeconds, failureBlockSeconds }) => (
          <tr key={section}>
            <th scope="row">
              <code>{section}</code>
            </th>
            <td>{t.sections[section]}</td>
            <td>{requestsPerMinute}</td>
            <td>
              {failureThreshold === undefined
                ? null
                : t.blocked(failureThreshold, failureWindowSeconds ?? 0, failureBlockSeconds ?? 0)}
            </td>
          </tr>
        ))}
      </Table>
      <p>
        <a href="metrics">{t.metrics}</a> {t.metricsText}
      </p>
    </>
  );
};
