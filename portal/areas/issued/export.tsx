import { useState } from 'preact/hooks';
import { csvLine } from '../../parts/csv.ts';
import { save } from '../../parts/save.ts';
import type { OfferedCard } from '../../queries/offered.ts';
import { ActionButton, useAction } from '../../shell/action.tsx';
import type { Outcome } from '../../shell/api.ts';
import { FailureNotice } from '../../shell/states.tsx';
import { texts } from '../../texts/texts.ts';
import { cardName, type Issued, readIssued } from './reads.ts';

/** How many entries are read at once. */
const READ_AT_ONCE = 100;

const COLUMNS = [
  'issuedDateTime',
  'credentialConfigurationId',
  'format',
  'reference',
  'recipient',
  'state',
  'updatedDateTime',
  'credentials',
  'sessionId',
  'id',
] as const satisfies (keyof Issued)[];

/**
 * All that was found as CSV. What is issued meanwhile moves the rest of the list on, so that an entry can come twice: it is
 * written once.
 */
async function csvOf(target: string, cards: readonly OfferedCard[], read: (count: number) => void) {
  const lines = [csvLine(['card', ...COLUMNS])];
  const seen = new Set<string>();
  for (let offset = 0; ; offset += READ_AT_ONCE) {
    const outcome = await readIssued(target, { limit: String(READ_AT_ONCE), offset: String(offset) });
    if (!outcome.ok) return outcome;
    for (const one of outcome.data.filter(({ id }) => !seen.has(id))) {
      seen.add(one.id);
      lines.push(csvLine([cardName(one, cards), ...COLUMNS.map((name) => one[name])]));
    }
    read(seen.size);
    if (outcome.data.length < READ_AT_ONCE) break;
  }
  return { ok: true, data: new Blob(lines, { type: 'text/csv' }) } satisfies Outcome<Blob>;
}

/** What was found as a table for spreadsheets. */
export const Export = ({ target, cards }: { target: string; cards: readonly OfferedCard[] }) => {
  const t = texts().issued;
  const [count, setCount] = useState(0);
  const action = useAction<Blob>(
    () => csvOf(target, cards, setCount),
    (file) => save(file, `${target}-issued.csv`),
  );
  return (
    <>
      {action.failure ? <FailureNotice failure={action.failure} again={action.run} /> : null}
      <div class="actions">
        <ActionButton action={action} text={t.export} />
      </div>
      <p role="status">{count > 0 ? t.exported(count) : null}</p>
    </>
  );
};
