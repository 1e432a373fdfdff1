import { useRoute } from 'preact-iso/router';
import { Moment } from '../../parts/moment.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Summary } from '../../parts/summary.tsx';
import { Table } from '../../parts/table.tsx';
import { api, ask } from '../../shell/api.ts';
import { AskFirst } from '../../shell/ask-first.tsx';
import { PagedList, sortedHead, sortOf } from '../../shell/list.tsx';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { may, officePage, type Place, ServicePage, work } from '../../shell/office.tsx';
import { go, place } from '../../shell/place.ts';
import { lastName, Remove } from '../../shell/remove.tsx';
import { texts } from '../../texts/texts.ts';
import { type Key, kindOf, publicJwkOf } from './key.ts';

/** A page of the keys of the unit in the address; the key service in the address stays. */
export function keysPage(page = 'keys', query: Record<string, string | undefined> = {}): string {
  const unit = place.value.path.split('/')[2] ?? '';
  return officePage(decodeURIComponent(unit), page, { service: place.value.query.service, ...query });
}

/** The keys of a key service, page by page. */
export const KeysPage = () => (
  <ServicePage title={texts().keys.title} type="kms" actions={['list-keys', 'key-create']}>
    {(service) => (
      <>
        {may(service, 'list-keys') ? <KeyList key={service.target} service={service} /> : null}
        <div class="actions">
          {may(service, 'key-create') ? (
            <a class="button first" href={keysPage('new-key')}>
              {texts().keys.create}
            </a>
          ) : null}
          {may(service, 'resource-delete') ? (
            <Remove
              element={{ _id: service.target, type: 'kms', name: service.name }}
              done={() => go(keysPage('', { service: undefined }), { replace: true })}
            />
          ) : null}
        </div>
      </>
    )}
  </ServicePage>
);

const listKeys = (target: string) => (wanted: { limit: string; offset: string }) => {
  const params = { path: { target }, query: { ...wanted, sort: sortOf() } };
  return work(ask(api.GET('/v1/{target}/kms-service-api/keys/list', { params })));
};

const KeyList = ({ service: { target, name = lastName(target) } }: { service: Place }) => {
  const t = texts().keys;
  return (
    <PagedList read={listKeys(target)} of={`${target} ${sortOf()}`} empty={t.empty}>
      {(keys) => (
        <Table caption={t.listOf(name)} heads={[t.name, t.kind, t.backend, sortedHead(t.made, 'createdDateTime')]}>
          {keys.map((key) => (
            <tr key={key._id}>
              <th scope="row">
                <a href={keysPage(`keys/${encodeURIComponent(lastName(key._id))}`)} translate={false}>
                  {lastName(key._id)}
                </a>
              </th>
              <td translate={false}>{kindOf(key)}</td>
              <td>{t.backends[key.key.type] ?? key.key.type}</td>
              <td>
                <Moment at={key.createdDateTime} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </PagedList>
  );
};

/** One key: its public part, and its removal. */
export const KeyPage = () => {
  const { id = '' } = useRoute().params;
  return (
    <ServicePage title={texts().keys.one} type="kms" actions={['list-keys']}>
      {(service) => <OneKey key={id} service={service} id={decodeURIComponent(id)} />}
    </ServicePage>
  );
};

const OneKey = ({ service, id }: { service: Place; id: string }) => {
  const target = `${service.target}.${id}`;
  const loading = useLoad(() =>
    work(ask(api.GET('/v1/{target}/kms-service-api/keys', { params: { path: { target } } }))),
  );
  return <Loaded of={loading}>{(key) => <ShownKey service={service} shown={key} />}</Loaded>;
};

const ShownKey = ({ service, shown }: { service: Place; shown: Key }) => {
  const t = texts().keys;
  const name = lastName(shown._id);
  return (
    <>
      {place.value.query.made === undefined ? null : (
        <Notice kind="good" role="status">
          <p>{t.done(name)}</p>
        </Notice>
      )}
      <Summary
        rows={[
          [
            t.name,
            <span key="name" translate={false}>
              {name}
            </span>,
          ],
          [t.target, <code key="target">{shown._id}</code>],
          [
            t.kind,
            <span key="kind" translate={false}>
              {kindOf(shown)}
            </span>,
          ],
          [t.backend, t.backends[shown.key.type] ?? shown.key.type],
          [t.made, <Moment key="made" at={shown.createdDateTime} />],
        ]}
      />
      <h2>{t.publicPart}</h2>
      <pre translate={false}>{JSON.stringify(publicJwkOf(shown) ?? shown.key, null, 2)}</pre>
      {may(service, 'resource-delete') ? (
        <div class="actions">
          <AskFirst
            text={t.remove}
            title={t.removeAsk(name)}
            warning={t.removeText}
            call={() =>
              ask(api.DELETE('/v1/{target}/kms-service-api/keys', { params: { path: { target: shown._id } } }))
            }
            done={() => go(keysPage(), { replace: true })}
          />
        </div>
      ) : null}
    </>
  );
};
