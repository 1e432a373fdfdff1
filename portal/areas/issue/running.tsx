import { useEffect, useRef, useState } from 'preact/hooks';
import { csvLine } from '../../parts/csv.ts';
import { SelectField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { OfferSheet } from '../../parts/offer-sheet.tsx';
import { save } from '../../parts/save.ts';
import { Table } from '../../parts/table.tsx';
import type { Failure } from '../../shell/api.ts';
import { FailureNotice } from '../../shell/states.tsx';
import { texts } from '../../texts/texts.ts';
import { offerAll, type Wanted } from './bulk.ts';
import { sendTo } from './send.ts';

interface RunningProps {
  target: string;
  /** What the card is called. */
  name: string;
  organization: string;
  wanted: readonly Wanted[];
}

/** How many refused rows are named here; the file has all. */
const NAMED = 50;

/** The offers as they are made, then what can be done with them. */
export const Running = ({ target, name, organization, wanted }: RunningProps) => {
  const t = texts().many;
  const { failure, isBusy, goOn } = useOffers(target, wanted);
  const made = wanted.filter(({ offer }) => offer).length;
  const refused = wanted.filter((one) => one.refused !== undefined);
  const isDone = made + refused.length === wanted.length;
  useAskBeforeLeaving(!isDone);
  return (
    <>
      <p>
        <label>
          {t.progress(made, wanted.length)} <progress value={made + refused.length} max={wanted.length} />
        </label>
      </p>
      {failure ? (
        <>
          <FailureNotice failure={failure} />
          <p>{t.stopped}</p>
          <div class="actions">
            <button type="button" class="first" aria-disabled={isBusy} onClick={goOn}>
              {t.goOn}
            </button>
          </div>
        </>
      ) : null}
      {isDone ? (
        <Notice kind={refused.length === 0 ? 'good' : 'warning'} role="status">
          <p>{t.done(made, refused.length)}</p>
        </Notice>
      ) : null}
      {refused.length === 0 ? null : <RefusedRows refused={refused} />}
      {isDone && made > 0 ? <Results {...{ target, name, organization, wanted }} /> : null}
    </>
  );
};

const RefusedRows = ({ refused }: { refused: readonly Wanted[] }) => {
  const t = texts().many;
  return (
    <Table caption={t.refusedRows} heads={[t.row, t.wrong]}>
      {refused.slice(0, NAMED).map(({ line, refused: why }) => (
        <tr key={line}>
          <th scope="row">{line}</th>
          <td lang="en">{why}</td>
        </tr>
      ))}
    </Table>
  );
};

/** Makes the offers from the start, and goes on after a break: what was made is not made again. */
function useOffers(target: string, wanted: readonly Wanted[]) {
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const [, changed] = useState(0);
  const leaving = useRef(new AbortController());
  const goOn = (): void => {
    if (isBusy) return;
    setBusy(true);
    setFailure(undefined);
    const { signal } = leaving.current;
    void offerAll(wanted, sendTo(target), { changed: () => changed((count) => count + 1), signal }).then((stopped) => {
      setBusy(false);
      if (!signal.aborted) setFailure(stopped);
    });
  };
  useEffect(() => {
    goOn();
    return () => leaving.current.abort();
  }, []);
  return { failure, isBusy, goOn };
}

/** The browser asks before it leaves a page whose work is not done. */
function useAskBeforeLeaving(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isNeeded]);
}

/** All rows with what came of each. */
const csvOf = (wanted: readonly Wanted[]): Blob =>
  new Blob(
    [
      csvLine(['row', 'reference', 'recipient', 'session', 'offer', 'transactionCode', 'validUntil', 'refused']),
      ...wanted.map(({ line, request, offer, refused }) =>
        csvLine([
          line,
          request.reference,
          request.recipient,
          request.sessionId,
          offer?.credentialOffer,
          request.txCodeValue,
          offer && new Date(offer.expiresAt).toISOString(),
          refused,
        ]),
      ),
    ],
    { type: 'text/csv' },
  );

/** How many letters are printed at once. */
const LETTERS = 250;

/** How many letters are drawn before other work has its turn. */
const DRAWN_AT_ONCE = 5;

/** Draws letters piece by piece, so that the page goes on answering, and prints them. */
function useLetters(count: number) {
  const [drawn, setDrawn] = useState<number>();
  useEffect(() => {
    if (drawn === undefined) return;
    if (drawn >= count) return void print();
    const timer = setTimeout(() => setDrawn(drawn + DRAWN_AT_ONCE));
    return () => clearTimeout(timer);
  }, [drawn]);
  return { drawn: drawn ?? 0, isDrawing: drawn !== undefined && drawn < count, draw: setDrawn };
}

const Results = ({ target, name, organization, wanted }: RunningProps) => {
  const t = texts().many;
  const made = wanted.filter(({ offer }) => offer);
  const starts = Array.from({ length: Math.ceil(made.length / LETTERS) }, (_, at) => at * LETTERS);
  const [start, setStart] = useState(0);
  const letters = made.slice(start, start + LETTERS);
  const { drawn, isDrawing, draw } = useLetters(letters.length);
  return (
    <>
      <div class="actions">
        <button type="button" class="first" onClick={() => save(csvOf(wanted), `${target}-offers.csv`)}>
          {t.csv}
        </button>
      </div>
      {starts.length > 1 ? (
        <SelectField
          id="letters"
          label={t.letters}
          value={String(start)}
          onValue={(chosen) => {
            draw(undefined);
            setStart(Number(chosen));
          }}
          options={starts.map((from) => [String(from), t.fromTo(from + 1, Math.min(from + LETTERS, made.length))])}
        />
      ) : null}
      <div class="actions">
        <button type="button" onClick={() => draw(0)}>
          {t.print}
        </button>
      </div>
      <p role="status">{isDrawing ? t.drawing(drawn, letters.length) : null}</p>
      <div class="sheets">
        {letters.slice(0, drawn).map((one) => (
          <Letter key={one.line} wanted={one} name={name} organization={organization} />
        ))}
      </div>
    </>
  );
};

const Letter = ({ wanted, name, organization }: { wanted: Wanted; name: string; organization: string }) => {
  const { request, offer } = wanted;
  if (!offer) return null;
  return (
    <OfferSheet
      organization={organization}
      name={[name, request.recipient].filter(Boolean).join(' · ')}
      reference={request.reference}
      link={offer.credentialOffer}
      until={offer.expiresAt}
      code={request.txCodeValue}
    />
  );
};
