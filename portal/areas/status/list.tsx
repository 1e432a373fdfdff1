import { useRoute } from 'preact-iso/router';
import { SelectField } from '../../parts/field.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Summary } from '../../parts/summary.tsx';
import { isState, STATES } from '../../shell/change-state.tsx';
import { PagedList } from '../../shell/list.tsx';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { ServicePage } from '../../shell/office.tsx';
import { Page } from '../../shell/page.tsx';
import { place } from '../../shell/place.ts';
import { Search } from '../../shell/search.tsx';
import { texts } from '../../texts/texts.ts';
import { Entries } from './entries.tsx';
import { kindOf, type List, listsOf, openLists, purposeOf, type StatusLists } from './lists.ts';

/** One status list of a unit with its entries. */
export const StatusListPage = () => (
  <ServicePage title={texts().status.one} type="credential-status" actions={['status-credential-list']}>
    {(service) => <OneList lists={listsOf(service)} />}
  </ServicePage>
);

/** One status list of the open issuers with its entries. */
export const OpenStatusListPage = () => (
  <Page title={texts().status.one}>
    <OneList lists={openLists} />
  </Page>
);

const OneList = ({ lists }: { lists: StatusLists }) => {
  const { list: id = '' } = useRoute().params;
  const loading = useLoad(() => lists.list(id), `${lists.of} ${id}`);
  return (
    <Loaded of={loading}>
      {(list) => (
        <>
          <Facts list={list} />
          {lists.maySeeEntries ? <EntriesOf lists={lists} listId={id} /> : null}
          <p>
            <a href={lists.page()}>{texts().status.toLists}</a>
          </p>
        </>
      )}
    </Loaded>
  );
};

const Facts = ({ list }: { list: List }) => {
  const t = texts().status;
  const { url, issuer, size, used = 0, createdDateTime, changedDateTime } = list;
  return (
    <Summary
      rows={[
        [
          t.kind,
          <span key="kind" translate={false}>
            {kindOf(list)}
          </span>,
        ],
        [t.purpose, t.purposes[purposeOf(list)]],
        [t.used, t.usedOf(used, size)],
        [t.signer, <code key="signer">{issuer}</code>],
        [t.opened, <Moment key="opened" at={createdDateTime} />],
        [t.changed, changedDateTime === undefined ? t.unchanged : <Moment key="changed" at={changedDateTime} />],
        [
          t.address,
          <a key="address" href={url}>
            <code>{url}</code>
          </a>,
        ],
      ]}
    />
  );
};

const EntriesOf = ({ lists, listId }: { lists: StatusLists; listId: string }) => {
  const t = texts();
  const { service, state } = place.value.query;
  const status = isState(state) ? state : undefined;
  const states = Object.entries(STATES).map(([one, word]) => [one, t.office.states[word]] as const);
  return (
    <>
      <Search key={state ?? ''} kept={{ service }} isDated={false}>
        {(bind) => (
          <SelectField {...bind('state')} label={t.status.state} options={[['', t.status.anyState], ...states]} />
        )}
      </Search>
      <PagedList
        read={(wanted) => lists.entries(listId, { ...wanted, status })}
        of={`${lists.of} ${listId} ${status}`}
        empty={status === undefined ? t.status.noEntries : t.status.nothing}
      >
        {(entries) => <Entries entries={entries} lists={lists} />}
      </PagedList>
    </>
  );
};
