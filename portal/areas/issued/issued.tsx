import { StateWord } from '../../parts/cards/state-word.tsx';
import { Field, SelectField } from '../../parts/field.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Table } from '../../parts/table.tsx';
import { nameOf, type OfferedCard, offeredBy } from '../../queries/offered.ts';
import { STATES } from '../../shell/change-state.tsx';
import { PagedList } from '../../shell/list.tsx';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { type Place, ServicePage } from '../../shell/office.tsx';
import { place } from '../../shell/place.ts';
import { Search } from '../../shell/search.tsx';
import { texts } from '../../texts/texts.ts';
import { Export } from './export.tsx';
import { cardName, type Issued, issuedPage, readIssued } from './reads.ts';

/** What an issuer issued, found by file number, recipient, card, state and day. */
export const IssuedPage = () => (
  <ServicePage title={texts().issued.title} type="issuer2" actions={['issued-credential-list']}>
    {(service) => <IssuedBy key={service.target} service={service} />}
  </ServicePage>
);

const IssuedBy = ({ service: { target } }: { service: Place }) => {
  const loading = useLoad(async () => ({ ok: true, data: await offeredBy(target) }), target);
  return <Loaded of={loading}>{(cards) => <Found target={target} cards={cards} />}</Loaded>;
};

interface FoundProps {
  target: string;
  cards: readonly OfferedCard[];
}

const Found = ({ target, cards }: FoundProps) => {
  const t = texts().issued;
  const { page, service, ...search } = place.value.query;
  const isSearched = Object.keys(search).length > 0;
  const of = JSON.stringify([target, search]);
  return (
    <>
      <IssuedSearch key={of} cards={cards} kept={{ service }} />
      <PagedList
        read={(wanted) => readIssued(target, wanted)}
        of={of}
        empty={isSearched ? t.nothing : t.empty}
        refused={t.tooMany}
      >
        {(found) => (
          <>
            <Rows found={found} cards={cards} />
            <Export key={of} target={target} cards={cards} />
          </>
        )}
      </PagedList>
    </>
  );
};

const IssuedSearch = ({ cards, kept }: { cards: readonly OfferedCard[]; kept: { service?: string } }) => {
  const t = texts();
  const named = cards.map((card) => [card.id, t.queries.cardIn(nameOf(card), t.queries.formats[card.format])] as const);
  return (
    <Search kept={kept} isOpen>
      {(bind) => (
        <>
          <Field {...bind('reference')} label={t.issued.reference} isOptional autocomplete="off" />
          <Field {...bind('recipient')} label={t.issued.recipient} isOptional autocomplete="off" />
          <SelectField {...bind('type')} label={t.issued.card} options={[['', t.issued.anyCard], ...named]} />
          <SelectField
            {...bind('state')}
            label={t.issued.state}
            options={[
              ['', t.issued.anyState],
              ...Object.entries(STATES).map(([state, word]) => [state, t.office.states[word]] as const),
            ]}
          />
        </>
      )}
    </Search>
  );
};

const Rows = ({ found, cards }: { found: readonly Issued[]; cards: readonly OfferedCard[] }) => {
  const t = texts().issued;
  return (
    <Table caption={t.caption} heads={[t.card, t.reference, t.recipient, t.when, t.state]}>
      {found.map((one) => (
        <tr key={one.id}>
          <th scope="row">
            <a href={issuedPage(`issued/${one.id}`)} translate={false}>
              {cardName(one, cards)}
            </a>
          </th>
          <td translate={false}>{one.reference}</td>
          <td translate={false}>{one.recipient}</td>
          <td>
            <Moment at={one.issuedDateTime} />
          </td>
          <td>
            <StateWord state={STATES[one.state]} word={texts().office.states[STATES[one.state]]} />
          </td>
        </tr>
      ))}
    </Table>
  );
};
