import { useState } from 'preact/hooks';
import type { Schemas } from '../../../client/client.ts';
import { Moment } from '../../parts/moment.tsx';
import { Table } from '../../parts/table.tsx';
import { api, ask } from '../../shell/api.ts';
import { AskFirst } from '../../shell/ask-first.tsx';
import { PagedList } from '../../shell/list.tsx';
import { may, type Office, type Place, ServicePage, work } from '../../shell/office.tsx';
import { texts } from '../../texts/texts.ts';
import { Believe } from './believe.tsx';
import { Why } from './why.tsx';

type Entry = Schemas['TrustedIssuerElement'];

/** Whom the verifiers of a unit believe. */
export const TrustPage = () => (
  <ServicePage
    title={texts().trust.title}
    type="trust-registry"
    actions={['trusted-issuer-list', 'trusted-issuer-create']}
  >
    {(service, office) => <Trust key={service.target} service={service} office={office} />}
  </ServicePage>
);

const Trust = ({ service, office }: { service: Place; office: Office }) => {
  const t = texts().trust;
  const [version, setVersion] = useState(0);
  const changed = () => setVersion(version + 1);
  const mayList = may(service, 'trusted-issuer-list');
  return (
    <>
      <p>{t.text}</p>
      {mayList ? <Entries service={service} version={version} changed={changed} /> : null}
      {may(service, 'trusted-issuer-create') ? <Believe target={service.target} changed={changed} /> : null}
      {mayList ? <Why service={service} office={office} version={version} /> : null}
    </>
  );
};

interface EntriesProps {
  service: Place;
  /** Counts the changes on this page. */
  version: number;
  changed(): void;
}

const Entries = ({ service, version, changed }: EntriesProps) => {
  const t = texts().trust;
  const path = { target: service.target };
  return (
    <PagedList
      of={String(version)}
      empty={t.empty}
      read={(query) => work(ask(api.GET('/v1/{target}/trust-registry-api/issuers/list', { params: { path, query } })))}
    >
      {(entries) => (
        <Table caption={t.believed} heads={[t.issuer, t.way, t.types, t.since, t.act]}>
          {entries.map((entry) => (
            <tr key={entry._id}>
              <th scope="row" translate={false}>
                {entry.name}
                {entry.type === 'certificate' && entry.name !== undefined ? null : <Identifier entry={entry} />}
              </th>
              <td>{t.ways[entry.type]}</td>
              <td translate={entry.credentialTypes === undefined}>{entry.credentialTypes?.join(', ') ?? t.anyType}</td>
              <td>
                <Moment at={entry.createdDateTime} />
              </td>
              <td>{may(service, 'resource-delete') ? <Remove entry={entry} done={changed} /> : null}</td>
            </tr>
          ))}
        </Table>
      )}
    </PagedList>
  );
};

/** How the issuer is named, short enough for a table: of a certificate its digest, which names the entry. */
const Identifier = ({ entry: { _id, type, issuer } }: { entry: Entry }) => (
  <span class="check-text">
    <code>{type === 'certificate' ? _id.slice(_id.lastIndexOf('.') + 1) : issuer}</code>
  </span>
);

const Remove = ({ entry: { _id: target, name, issuer }, done }: { entry: Entry; done(): void }) => {
  const t = texts().trust;
  return (
    <AskFirst
      text={t.remove}
      title={t.removeAsk(name ?? issuer.slice(0, 64))}
      warning={t.removeText}
      call={() => ask(api.DELETE('/v1/{target}/resource-api/resources', { params: { path: { target } } }))}
      done={done}
    />
  );
};
