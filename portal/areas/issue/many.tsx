import { useEffect, useState } from 'preact/hooks';
import type { Column } from '../../forms/rows.ts';
import { columnsOf, placesOf, unreachable } from '../../forms/rows.ts';
import { FileField, SelectField, TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { type Office, type Place, ServicePage } from '../../shell/office.tsx';
import { place } from '../../shell/place.ts';
import { inLanguage, texts } from '../../texts/texts.ts';
import { type Card, readCards } from './cards.ts';
import { type Checked, checkRows } from './checked.ts';
import { CheckedRows } from './checked-rows.tsx';
import { Choice, cardName } from './choice.tsx';
import { ISSUING, issuePage } from './office-pages.ts';
import { readTable, type TableFault, type TableText } from './table-text.ts';

/** Issues many cards from a table: which card, which columns, what is wrong with the rows, then the offers. */
export const ManyPage = () => (
  <ServicePage title={texts().many.title} type="issuer2" actions={ISSUING}>
    {(service, office) => <Many key={service.target} service={service} office={office} />}
  </ServicePage>
);

interface ManyProps {
  service: Place;
  office: Office;
}

const Many = (props: ManyProps) => {
  const loading = useLoad(() => readCards(props.service));
  const { type } = place.value.query;
  return (
    <Loaded of={loading}>
      {(all) => {
        // The cards of types: of others it is not known what is on them.
        const cards = all.filter(({ claims }) => claims.length > 0);
        const card = cards.find(({ profile }) => profile.profileId === type);
        if (card) return <OfCard key={type} {...props} card={card} />;
        return (
          <Choice
            profiles={cards.map(({ profile }) => profile)}
            pageOf={({ profileId }) => issuePage('issue-many', { type: profileId })}
          />
        );
      }}
    </Loaded>
  );
};

/** What the office notes of a card, which can stand in columns too. */
const NOTES = ['reference', 'recipient'] as const;

/** What a column is called: the label of the claim with those around it, or what the office calls its notes. */
function labelsOf({ claims }: Card, columns: readonly Column[]): Record<string, string> {
  const t = texts().issuing;
  const nameAt = (path: readonly string[]): string =>
    inLanguage(claims.find((one) => one.path.join('.') === path.join('.'))?.label ?? [])?.name ?? path.at(-1) ?? '';
  const ofClaims = columns.map(({ id, path }) => [id, path.map((_, at) => nameAt(path.slice(0, at + 1))).join(' › ')]);
  return { ...Object.fromEntries(ofClaims), ...Object.fromEntries(NOTES.map((name) => [noteId(name), t[name]])) };
}

/** The id of the column of a note; no claim has a space in its path. */
const noteId = (name: (typeof NOTES)[number]): string => ` ${name}`;

/** The names by which the head of a table may call each column: in every language, and the one for programs. */
function namesOf({ claims }: Card, columns: readonly Column[], labels: Record<string, string>) {
  const names = columns.map(({ id, path }) => {
    const label = claims.find((one) => one.path.join('.') === id)?.label ?? [];
    return [id, [labels[id] ?? '', ...label.map(({ name = '' }) => name), id, path.at(-1) ?? '']] as const;
  });
  const notes = NOTES.map((name) => [noteId(name), [labels[noteId(name)] ?? '', name]] as const);
  return Object.fromEntries([...names, ...notes]);
}

const OfCard = ({ service, office, card }: ManyProps & { card: Card }) => {
  const t = texts().many;
  const columns = columnsOf(card.claims);
  const labels = labelsOf(card, columns);
  const [table, setTable] = useState<TableText>();
  const [places, setPlaces] = useState<Record<string, number | undefined>>({});
  const take = (read: TableText): void => {
    setTable(read);
    setPlaces(placesOf(read.heads, namesOf(card, columns, labels)));
  };
  const missing = unreachable(card.claims);
  return (
    <>
      <h2 translate={false}>{cardName(card.profile)}</h2>
      <p>
        <a href={issuePage('issue-many')}>{texts().issuing.otherCard}</a>
      </p>
      {missing.length > 0 ? (
        <Notice kind="bad">
          <p>{t.unreachable(missing.map(({ path }) => path.join('.')).join(', '))}</p>
        </Notice>
      ) : (
        <TableInput take={take} heads={Object.values(labels)} />
      )}
      {table === undefined ? null : (
        <>
          <Columns heads={table.heads} labels={labels} places={places} setPlaces={setPlaces} columns={columns} />
          <Check key={JSON.stringify(places)} {...{ service, office, card, columns, labels, table, places }} />
        </>
      )}
    </>
  );
};

const TableInput = ({ take, heads }: { take(table: TableText): void; heads: readonly string[] }) => {
  const t = texts().many;
  const [text, setText] = useState('');
  const [fault, setFault] = useState<TableFault>();
  const read = async (file: Blob): Promise<void> => {
    const table = await readTable(file);
    setFault(typeof table === 'string' ? table : undefined);
    if (typeof table !== 'string') take(table);
  };
  return (
    <fieldset>
      <legend>{t.table}</legend>
      <p>{t.tableText}</p>
      <p class="hint" translate={false}>
        {heads.join('; ')}
      </p>
      <FileField
        id="file"
        label={t.file}
        hint={t.fileHint}
        accept=".csv,.tsv,.txt"
        wrong={fault === undefined ? undefined : t.faults[fault]}
        onFile={(file) => void (file && read(file))}
      />
      <TextField id="pasted" label={t.paste} value={text} onValue={setText} isCode />
      <div class="actions">
        <button type="button" onClick={() => void read(new Blob([text]))}>
          {t.read}
        </button>
      </div>
    </fieldset>
  );
};

interface ColumnsProps {
  heads: readonly string[];
  columns: readonly Column[];
  labels: Readonly<Record<string, string>>;
  places: Readonly<Record<string, number | undefined>>;
  setPlaces(places: Record<string, number | undefined>): void;
}

/** Which column of the table is which entry of the card. */
const Columns = ({ heads, columns, labels, places, setPlaces }: ColumnsProps) => {
  const t = texts().many;
  const needed = new Set(columns.filter((one) => one.isMandatory).map(({ id }) => id));
  return (
    <fieldset>
      <legend>{t.columns}</legend>
      <div class="beside" translate={false}>
        {Object.entries(labels).map(([id, label]) => (
          <SelectField
            key={id}
            id={`column-${id}`}
            label={label}
            hint={needed.has(id) ? t.needed : undefined}
            value={String(places[id] ?? '')}
            onValue={(chosen) => setPlaces({ ...places, [id]: chosen === '' ? undefined : Number(chosen) })}
            options={[['', t.noColumn], ...heads.map((head, at) => [String(at), head] as const)]}
          />
        ))}
      </div>
    </fieldset>
  );
};

interface CheckProps extends ManyProps {
  card: Card;
  columns: readonly Column[];
  labels: Readonly<Record<string, string>>;
  table: TableText;
  places: Readonly<Record<string, number | undefined>>;
}

const Check = ({ service, office, card, columns, labels, table, places }: CheckProps) => {
  const t = texts().many;
  const [checked, setChecked] = useState<Checked>();
  useEffect(() => {
    const leaving = new AbortController();
    const notes = { reference: places[noteId('reference')], recipient: places[noteId('recipient')] };
    void checkRows({ rows: table.rows, columns, places, notes }, leaving.signal).then(
      (done) => done && setChecked(done),
    );
    return () => leaving.abort();
  }, [table]);
  if (checked === undefined) return <p role="status">{t.checking}</p>;
  return <CheckedRows {...{ service, office, card, labels, checked, table }} />;
};
