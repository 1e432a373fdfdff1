import { Field, SelectField } from '../../parts/field.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Table } from '../../parts/table.tsx';
import { PagedList, sortedHead, sortOf } from '../../shell/list.tsx';
import { ServicePage } from '../../shell/office.tsx';
import { Page } from '../../shell/page.tsx';
import { place } from '../../shell/place.ts';
import { Search } from '../../shell/search.tsx';
import { texts } from '../../texts/texts.ts';
import { Entries } from './entries.tsx';
import { FOUND_BY, kindOf, type List, listsOf, openLists, purposeOf, type StatusLists } from './lists.ts';

/** The status lists of a unit. */
export const StatusPage = () => (
  <ServicePage
    title={texts().status.title}
    type="credential-status"
    actions={['status-credential-list', 'status-entry-list']}
  >
    {(service) => <Lists key={service.target} lists={listsOf(service)} />}
  </ServicePage>
);

/** The status lists of the open issuers. */
export const OpenStatusPage = () => (
  <Page title={texts().status.title}>
    <Lists lists={openLists} />
  </Page>
);

/** The lists, or the entries of the credentials that are searched for. */
const Lists = ({ lists }: { lists: StatusLists }) => {
  const { service, value } = place.value.query;
  return (
    <>
      {lists.maySeeEntries ? <EntrySearch kept={{ service }} /> : null}
      {value === undefined || !lists.maySeeEntries ? <AllLists lists={lists} /> : <Found lists={lists} value={value} />}
    </>
  );
};

const isNamed = (text: string | undefined): text is (typeof FOUND_BY)[number] => FOUND_BY.some((one) => one === text);

const EntrySearch = ({ kept }: { kept: { service?: string } }) => {
  const t = texts().status;
  return (
    <Search key={place.value.url} kept={kept} isOpen isDated={false}>
      {(bind) => (
        <>
          <SelectField
            {...bind('by')}
            label={t.by}
            options={FOUND_BY.map((name) => [name, t.foundBy[name]] as const)}
          />
          <Field {...bind('value')} label={t.value} isOptional autocomplete="off" />
        </>
      )}
    </Search>
  );
};

const Found = ({ lists, value }: { lists: StatusLists; value: string }) => {
  const t = texts().status;
  const { by } = place.value.query;
  const name = isNamed(by) ? by : FOUND_BY[0];
  return (
    <PagedList
      read={(wanted) => lists.find({ ...wanted, [name]: value })}
      of={JSON.stringify([lists.of, name, value])}
      empty={t.notFound}
    >
      {(entries) => <Entries entries={entries} lists={lists} />}
    </PagedList>
  );
};

const AllLists = ({ lists }: { lists: StatusLists }) => {
  const t = texts().status;
  if (!lists.mayList) return null;
  return (
    <PagedList
      read={(wanted) => lists.lists({ ...wanted, sort: sortOf() })}
      of={`${lists.of} ${sortOf()}`}
      empty={t.empty}
    >
      {(found) => (
        <Table
          caption={t.caption}
          heads={[t.kind, t.purpose, t.signer, t.size, sortedHead(t.opened, 'createdDateTime')]}
        >
          {found.map((list) => (
            <Row key={list.listId} list={list} href={lists.page(`/${list.listId}`)} />
          ))}
        </Table>
      )}
    </PagedList>
  );
};

/** How much of the issuer of a list a row shows: a DID can be as long as a key. */
const SHOWN_LENGTH = 48;

const shortened = (text: string): string => (text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text);

const Row = ({ list, href }: { list: List; href: string }) => {
  const t = texts().status;
  return (
    <tr>
      <th scope="row">
        <a href={href} translate={false}>
          {kindOf(list)}
        </a>
      </th>
      <td>{t.purposes[purposeOf(list)]}</td>
      <td translate={false}>{shortened(list.issuer)}</td>
      <td>{t.places(list.size)}</td>
      <td>
        <Moment at={list.createdDateTime} />
      </td>
    </tr>
  );
};
