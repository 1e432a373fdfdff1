import { useState } from 'preact/hooks';
import type { Schemas } from '../../../client/client.ts';
import { Field } from '../../parts/field.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';
import { useAction } from '../../shell/action.tsx';
import { api, ask } from '../../shell/api.ts';
import { AskFirst } from '../../shell/ask-first.tsx';
import { Form, refusalOf } from '../../shell/form.tsx';
import { PagedList } from '../../shell/list.tsx';
import { may, type Office, OfficePage, work } from '../../shell/office.tsx';
import { texts } from '../../texts/texts.ts';

type Domain = Schemas['HostAlias'];

/** The domains of an organization or a tenant, under which its services are published. */
export const DomainsPage = () => (
  <OfficePage title={texts().domains.title}>{({ here }) => <Domains here={here} />}</OfficePage>
);

const Domains = ({ here }: { here: Office['here'] }) => {
  const t = texts().domains;
  const [version, setVersion] = useState(0);
  const changed = () => setVersion(version + 1);
  const path = { target: here.target };
  return (
    <>
      <p>{t.text}</p>
      {may(here, 'host-alias-list') ? (
        <PagedList
          of={String(version)}
          empty={t.empty}
          read={(query) =>
            work(ask(api.GET('/v1/{target}/host-alias-api/host-aliases/list', { params: { path, query } })))
          }
        >
          {(domains) => (
            <Table caption={t.title} heads={[t.domain, t.address, t.since, t.act]}>
              {domains.map((domain) => (
                <Row key={domain.domain} {...domain} here={here} changed={changed} />
              ))}
            </Table>
          )}
        </PagedList>
      ) : null}
      {may(here, 'host-alias-create') ? <NewDomain key={version} target={here.target} changed={changed} /> : null}
    </>
  );
};

interface RowProps extends Domain {
  here: Office['here'];
  changed(): void;
}

const Row = ({ domain, baseUrl, createdDateTime, here, changed }: RowProps) => {
  const t = texts().domains;
  const path = { target: here.target, domain };
  return (
    <tr>
      <th scope="row" translate={false}>
        {domain}
      </th>
      <td>
        <code>{baseUrl}</code>
      </td>
      <td>
        <Moment at={createdDateTime} />
      </td>
      <td>
        {may(here, 'host-alias-delete') ? (
          <AskFirst
            text={t.remove}
            title={t.removeAsk(domain)}
            warning={t.removeText}
            call={() => ask(api.DELETE('/v1/{target}/host-alias-api/host-aliases/{domain}', { params: { path } }))}
            done={changed}
          />
        ) : null}
      </td>
    </tr>
  );
};

const NewDomain = ({ target, changed }: { target: string; changed(): void }) => {
  const t = texts().domains;
  const [domain, setDomain] = useState('');
  const action = useAction(
    () =>
      work(
        ask(
          api.POST('/v1/{target}/host-alias-api/host-aliases/create', {
            params: { path: { target } },
            body: { domain },
          }),
        ),
      ),
    changed,
  );
  return (
    <section>
      <h2>{t.create}</h2>
      <Notice kind="information">
        <p>{t.proxy}</p>
      </Notice>
      <Form action={action} button={t.create} said={refusalOf(action.failure) === 'Conflict' ? <p>{t.taken}</p> : null}>
        <Field id="domain" label={t.domain} hint={t.hint} value={domain} onValue={setDomain} autocomplete="off" />
      </Form>
    </section>
  );
};
