import { useState } from 'preact/hooks';
import { CheckField, SelectField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';
import type { Office, Place } from '../../shell/office.tsx';
import { texts } from '../../texts/texts.ts';
import type { Wanted } from './bulk.ts';
import type { Card } from './cards.ts';
import type { Checked, CheckedRow } from './checked.ts';
import { cardName } from './choice.tsx';
import { Running } from './running.tsx';

/** How many rows with faults are named. */
const NAMED = 50;

/** For how long offers on paper can be taken, in seconds. */
const LIFETIMES = [86_400, 604_800, 2_592_000] as const;

/** As many digits as wallets of phones ask for at once. */
const CODE_LENGTH = 6;

/** How the cards of all rows are offered. */
interface Terms {
  /** Whether rows that are wrong are left out. */
  isLeavingOut: boolean;
  /** In seconds. */
  lifetime: number;
  hasCode: boolean;
}

interface CheckedRowsProps {
  service: Place;
  office: Office;
  card: Card;
  labels: Readonly<Record<string, string>>;
  checked: Checked;
}

/** What the check found, and the start of the work. */
export const CheckedRows = ({ service, office, card, labels, checked }: CheckedRowsProps) => {
  const t = texts().many;
  const { good, bad } = checked;
  const [terms, setTerms] = useState<Terms>({ isLeavingOut: false, lifetime: 2_592_000, hasCode: false });
  const { isLeavingOut } = terms;
  const [wanted, setWanted] = useState<Wanted[]>();
  if (wanted) {
    const organization = office.here.name ?? service.name ?? service.target;
    return (
      <Running target={service.target} name={cardName(card.profile)} organization={organization} wanted={wanted} />
    );
  }
  const mayBegin = good.length > 0 && (bad.length === 0 || isLeavingOut);
  return (
    <>
      <Notice kind={bad.length === 0 ? 'good' : 'warning'} role="status">
        <p>{t.checked(good.length, bad.length)}</p>
      </Notice>
      {bad.length === 0 ? null : (
        <WrongRows
          checked={checked}
          labels={labels}
          isLeavingOut={isLeavingOut}
          leaveOut={(isOut) => setTerms({ ...terms, isLeavingOut: isOut })}
        />
      )}
      <Options {...terms} change={setTerms} />
      {mayBegin ? (
        <div class="actions">
          <button type="button" class="first" onClick={() => setWanted(good.map((row) => wantedOf(row, card, terms)))}>
            {t.begin(good.length)}
          </button>
        </div>
      ) : null}
    </>
  );
};

interface WrongRowsProps extends Pick<CheckedRowsProps, 'checked' | 'labels'> {
  isLeavingOut: boolean;
  leaveOut(isOut: boolean): void;
}

/** The rows that are wrong, each with what is wrong with it; the clerk says whether the others go on. */
const WrongRows = ({ checked: { good, bad }, labels, isLeavingOut, leaveOut }: WrongRowsProps) => {
  const t = texts().many;
  return (
    <>
      <Table caption={t.wrongRows} heads={[t.row, t.wrong]}>
        {bad.slice(0, NAMED).map((row) => (
          <tr key={row.number}>
            <th scope="row">{row.number}</th>
            <td>{row.faults.map(({ column, fault }) => t.fault[fault](labels[column] ?? column)).join(', ')}</td>
          </tr>
        ))}
      </Table>
      {bad.length > NAMED ? <p>{t.moreWrong(bad.length - NAMED)}</p> : null}
      {good.length === 0 ? null : (
        <CheckField id="leave-out" isChecked={isLeavingOut} onCheck={leaveOut}>
          {t.leaveOut(bad.length)}
        </CheckField>
      )}
    </>
  );
};

const Options = ({ change, ...terms }: Terms & { change(terms: Terms): void }) => {
  const t = texts().issuing;
  return (
    <fieldset>
      <legend>{t.options}</legend>
      <SelectField
        id="lifetime"
        label={t.lifetime}
        value={String(terms.lifetime)}
        onValue={(seconds) => change({ ...terms, lifetime: Number(seconds) })}
        options={LIFETIMES.map((seconds) => [String(seconds), t.lifetimes[seconds]] as const)}
      />
      <CheckField id="code" isChecked={terms.hasCode} onCheck={(hasCode) => change({ ...terms, hasCode })}>
        {t.code}
      </CheckField>
    </fieldset>
  );
};

/** A transaction code, made here: an offer that is sent again has the same one. */
function newCode(): string {
  const most = 10 ** CODE_LENGTH;
  // Numbers above the last whole multiple would make some codes likelier than others.
  const limit = 2 ** 32 - (2 ** 32 % most);
  for (;;) {
    const [number = limit] = crypto.getRandomValues(new Uint32Array(1));
    if (number < limit) return String(number % most).padStart(CODE_LENGTH, '0');
  }
}

const wantedOf = (
  { number, data, reference, recipient }: CheckedRow,
  { profile }: Card,
  { lifetime, hasCode }: Terms,
): Wanted => ({
  line: number,
  request: {
    profileId: profile.profileId,
    authMethod: 'PRE_AUTHORIZED',
    sessionId: crypto.randomUUID(),
    expiresInSeconds: lifetime,
    ...(reference !== undefined && { reference }),
    ...(recipient !== undefined && { recipient }),
    ...(hasCode && { txCode: { input_mode: 'numeric', length: CODE_LENGTH }, txCodeValue: newCode() }),
    runtimeOverrides: { credentialData: data },
  },
});
