import { useRoute } from 'preact-iso/router';
import { StateWord } from '../../parts/cards/state-word.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Summary } from '../../parts/summary.tsx';
import { ChangeHistory, ChangeState, STATES } from '../../shell/change-state.tsx';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { ServicePage } from '../../shell/office.tsx';
import { Page } from '../../shell/page.tsx';
import { texts } from '../../texts/texts.ts';
import { actionsOf, type Entry, type List, listsOf, openLists, type StatusLists } from './lists.ts';

/** One entry of a list of a unit: its state, its history, and what can become of it. */
export const StatusEntryPage = () => (
  <ServicePage title={texts().status.entry} type="credential-status" actions={['status-entry-list']}>
    {(service) => <OneEntry lists={listsOf(service)} />}
  </ServicePage>
);

/** One entry of a list of the open issuers. */
export const OpenStatusEntryPage = () => (
  <Page title={texts().status.entry}>
    <OneEntry lists={openLists} />
  </Page>
);

const OneEntry = ({ lists }: { lists: StatusLists }) => {
  const { list: listId = '', index = '' } = useRoute().params;
  const loading = useLoad(async () => {
    const [entry, list] = await Promise.all([
      lists.entry(listId, index),
      lists.mayList ? lists.list(listId) : undefined,
    ]);
    return entry.ok ? { ok: true, data: { entry: entry.data, list: list?.ok ? list.data : undefined } } : entry;
  }, `${lists.of} ${listId} ${index}`);
  return <Loaded of={loading}>{(data) => <Shown {...data} lists={lists} changed={loading.again} />}</Loaded>;
};

interface ShownProps {
  lists: StatusLists;
  entry: Entry;
  /** Its list, for who may see lists. */
  list: List | undefined;
  changed(): void;
}

const Shown = ({ lists, entry, list, changed }: ShownProps) => {
  const t = texts().status;
  const { listId, index, status, credentialId } = entry;
  return (
    <>
      <Facts entry={entry} />
      {lists.mayChange ? (
        <div class="actions">
          <ChangeState
            name={t.entryOf(index, credentialId)}
            state={status}
            among={list && actionsOf(list)}
            change={(body) => lists.change(listId, String(index), body)}
            done={changed}
          />
        </div>
      ) : null}
      <ChangeHistory changes={entry.history.toReversed()} />
      <p>
        <a href={lists.page(lists.mayList ? `/${listId}` : '')}>{lists.mayList ? t.toList : t.toLists}</a>
      </p>
    </>
  );
};

const Facts = ({ entry }: { entry: Entry }) => {
  const t = texts();
  const { index, status, session, credentialId, createdDateTime, updatedDateTime } = entry;
  return (
    <Summary
      rows={[
        [t.status.state, <StateWord key="state" state={STATES[status]} word={t.office.states[STATES[status]]} />],
        [t.status.index, String(index)],
        ...(credentialId === undefined ? [] : [[t.status.credential, <code key="id">{credentialId}</code>] as const]),
        ...(session === undefined ? [] : [[t.status.session, <code key="session">{session}</code>] as const]),
        [t.status.allocated, <Moment key="made" at={createdDateTime} />],
        [t.status.changed, <Moment key="changed" at={updatedDateTime} />],
      ]}
    />
  );
};
