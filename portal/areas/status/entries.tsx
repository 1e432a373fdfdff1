import { StateWord } from '../../parts/cards/state-word.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Table } from '../../parts/table.tsx';
import { STATES } from '../../shell/change-state.tsx';
import { texts } from '../../texts/texts.ts';
import type { Entry, StatusLists } from './lists.ts';

/** Entries of lists, each with a link to its page. */
export const Entries = ({ entries, lists }: { entries: readonly Entry[]; lists: StatusLists }) => {
  const t = texts();
  return (
    <Table
      caption={t.status.entries}
      heads={[t.status.index, t.status.credential, t.status.session, t.status.state, t.status.changed]}
    >
      {entries.map(({ listId, index, status, session, credentialId, updatedDateTime }) => (
        <tr key={`${listId} ${index}`}>
          <th scope="row">
            <a href={lists.page(`/${listId}/${index}`)}>{index}</a>
          </th>
          <td translate={false}>{credentialId}</td>
          <td translate={false}>{session}</td>
          <td>
            <StateWord state={STATES[status]} word={t.office.states[STATES[status]]} />
          </td>
          <td>
            <Moment at={updatedDateTime} />
          </td>
        </tr>
      ))}
    </Table>
  );
};
