import { useState } from 'preact/hooks';
import type { Schemas } from '../../client/client.ts';
import { Field } from '../parts/field.tsx';
import { texts } from '../texts/texts.ts';
import type { Outcome } from './api.ts';
import { AskFirst } from './ask-first.tsx';

type State = Schemas['EntryState'];
type Change = Schemas['StatusEntryChange'];

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
  change(body: Change): Promise<Outcome<unknown>>;
  done(): void;
}

/** The buttons that revoke, suspend or restore a card; each asks first, and for a reason. */
export const ChangeState = ({ name, state, change, done }: ChangeStateProps) => {
  const t = texts().office.changes;
  const [reason, setReason] = useState('');
  const because = reason.trim() === '' ? {} : { reason: reason.trim() };
  return (
    <>
      {CHANGES[state].map((action) => (
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
