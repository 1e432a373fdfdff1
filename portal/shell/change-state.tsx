import { useState } from 'preact/hooks';
import type { Schemas } from '../../client/client.ts';
import type { State as Look } from '../parts/cards/state-word.tsx';
import { Field } from '../parts/field.tsx';
import { Moment } from '../parts/moment.tsx';
import { Table } from '../parts/table.tsx';
import { texts } from '../texts/texts.ts';
import type { Outcome } from './api.ts';
import { AskFirst } from './ask-first.tsx';

type State = Schemas['EntryState'];
type Change = Schemas['StatusEntryChange'];

/** The states of what was issued, with what they are called here. */
export const STATES = { valid: 'good', revoked: 'revoked', suspended: 'suspended' } as const satisfies Record<
  State,
  Look
>;

export const isState = (text: string | undefined): text is State => text !== undefined && Object.hasOwn(STATES, text);

/** What can become of a card in each state; what is revoked stays so. */
const CHANGES = { valid: ['suspend', 'revoke'], suspended: ['lift', 'revoke'], revoked: [] } as const satisfies Record<
  State,
  Change['action'][]
>;

/** The longest reason, as the operations take it. */
const LONGEST_REASON = 500;

interface ChangeStateProps {
  /** What is changed, in the reader's words. */
  name: string;
  state: State;
  /** What its list has a value for; all, unless it is known to be less. */
  among?: readonly Change['action'][];
  change(body: Change): Promise<Outcome<unknown>>;
  done(): void;
}

/** The buttons that revoke, suspend or restore a card; each asks first, and for a reason. */
export const ChangeState = ({ name, state, among, change, done }: ChangeStateProps) => {
  const t = texts().office.changes;
  const [reason, setReason] = useState('');
  const because = reason.trim() === '' ? {} : { reason: reason.trim() };
  return (
    <>
      {CHANGES[state]
        .filter((action) => among?.includes(action) ?? true)
        .map((action) => (
          <AskFirst
            key={action}
            text={t[action]}
            title={t[`${action}Ask`](name)}
            warning={t[`${action}Text`]}
            isHarmless={action === 'lift'}
            call={() => change({ action, ...because })}
            done={() => {
              setReason('');
              done();
            }}
          >
            <Field
              id="reason"
              label={t.reason}
              hint={t.reasonHint}
              value={reason}
              onValue={setReason}
              maxLength={LONGEST_REASON}
              autocomplete="off"
              isOptional
            />
          </AskFirst>
        ))}
    </>
  );
};

interface ChangeHistoryProps {
  /** The latest first. */
  changes: readonly Schemas['EntryChange'][];
  /** One more column, by the place of the change. */
  more?: { head: string; at(index: number): string };
}

/** What became of a card, with the reasons. */
export const ChangeHistory = ({ changes, more }: ChangeHistoryProps) => {
  const { changes: t, states } = texts().office;
  if (changes.length === 0) return <p class="quiet">{t.none}</p>;
  return (
    <Table caption={t.history} heads={[t.at, t.event, ...(more ? [more.head] : []), t.reason, t.by]}>
      {changes.map(({ changedAt, from, to, reason, changedBy }, index) => (
        <tr key={changedAt}>
          <td>
            <Moment at={changedAt} />
          </td>
          <th scope="row">{`${states[STATES[from]]} → ${states[STATES[to]]}`}</th>
          {more ? <td>{more.at(index)}</td> : null}
          <td translate={false}>{reason}</td>
          <td translate={false}>{changedBy}</td>
        </tr>
      ))}
    </Table>
  );
};
