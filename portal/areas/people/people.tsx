import type { Schemas } from '../../../client/client.ts';
import { api, ask } from '../../shell/api.ts';
import { PagedList } from '../../shell/list.tsx';
import { useLoad } from '../../shell/load.tsx';
import { may, type Office, OfficePage, work } from '../../shell/office.tsx';
import { texts } from '../../texts/texts.ts';
import { lastName, nameOf, peoplePage, Words } from './words.tsx';

type Role = Schemas['Role'];

/** How many people of a role are named before a link leads to all of them. */
const NAMED = 5;
/** How many roles a page shows: each asks for its people. */
const ROLES = 10;

/** Who works here: the roles of an organization or a tenant in words, and who has them. */
export const PeoplePage = () => (
  <OfficePage title={texts().people.title}>{(office) => <People office={office} />}</OfficePage>
);

const People = ({ office: { here } }: { office: Office }) => {
  const t = texts().people;
  const isFull = may(here, 'all');
  const path = { target: here.target };
  return (
    <>
      {may(here, 'role-list') ? (
        <PagedList
          shown={ROLES}
          empty={t.empty}
          read={(query) => work(ask(api.GET('/v1/{target}/roles-api/roles/list', { params: { path, query } })))}
        >
          {(roles) => roles.map((role) => <RolePanel key={role._id} role={role} at={here.target} isFull={isFull} />)}
        </PagedList>
      ) : null}
      <div class="actions">
        {isFull ? (
          <>
            <a class="button first" href={peoplePage('invite')}>
              {t.invite}
            </a>
            <a class="button" href={peoplePage('new-role')}>
              {t.newRole}
            </a>
          </>
        ) : null}
        {isFull || may(here, 'api-key-list') ? (
          <a class="button" href={peoplePage('api-keys')}>
            {t.apiKeys}
          </a>
        ) : null}
      </div>
    </>
  );
};

const RolePanel = ({ role, at, isFull }: { role: Role; at: string; isFull: boolean }) => (
  <section class="panel">
    <h2>
      <a href={peoplePage(`people/${encodeURIComponent(lastName(role._id))}`)} translate={false}>
        {role.name}
      </a>
    </h2>
    <Words permissions={role.permissions} at={at} />
    {isFull ? <RolePeople target={role._id} /> : null}
  </section>
);

/** The first people of a role by name; nothing for who may not see them. */
const RolePeople = ({ target }: { target: string }) => {
  const t = texts().people;
  const params = { path: { target }, query: { limit: String(NAMED + 1) } };
  const { data, failure } = useLoad(() => work(ask(api.GET('/v1/{target}/roles-api/roles/accounts', { params }))));
  const page = `people/${encodeURIComponent(lastName(target))}`;
  if (data === undefined) return failure ? null : <div class="waits" />;
  if (data.length === 0) return <p class="quiet">{t.noPeople}</p>;
  return (
    <ul class="plain">
      {data.slice(0, NAMED).map((account) => (
        <li key={account._id}>
          <a href={peoplePage(page, { person: account._id })} translate={false}>
            {nameOf(account)}
          </a>
        </li>
      ))}
      {data.length > NAMED ? (
        <li>
          <a href={peoplePage(page)}>{t.allPeople}</a>
        </li>
      ) : null}
    </ul>
  );
};
