import { useRoute } from 'preact-iso/router';
import type { Schemas } from '../../../client/client.ts';
import { Table } from '../../parts/table.tsx';
import { api, ask } from '../../shell/api.ts';
import { AskFirst } from '../../shell/ask-first.tsx';
import { PagedList } from '../../shell/list.tsx';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { may, type Office, OfficePage, work } from '../../shell/office.tsx';
import { go, place } from '../../shell/place.ts';
import { texts } from '../../texts/texts.ts';
import { Person } from './person.tsx';
import { lastName, nameOf, peoplePage, Words } from './words.tsx';

type Role = Schemas['Role'];

/** Reads the role that the address names, of this place. */
export const readRole = (target: string) =>
  work(ask(api.GET('/v1/{target}/roles-api/roles', { params: { path: { target } } })));

/** One role: what it allows, who has it, and what can be done with it. */
export const RolePage = () => {
  const { id = '' } = useRoute().params;
  return (
    <OfficePage title={texts().people.role}>
      {(office) => <OneRole key={id} office={office} target={`${office.here.target}.${decodeURIComponent(id)}`} />}
    </OfficePage>
  );
};

const OneRole = ({ office, target }: { office: Office; target: string }) => {
  const loading = useLoad(() => readRole(target));
  return <Loaded of={loading}>{(role) => <ShownRole office={office} role={role} />}</Loaded>;
};

const ShownRole = ({ office, role }: { office: Office; role: Role }) => (
  <>
    <h2 translate={false}>{role.name}</h2>
    <Words permissions={role.permissions} at={office.here.target} />
    {may(office.here, 'all') ? (
      <>
        <Members office={office} role={role} />
        <RoleActs role={role} />
      </>
    ) : null}
  </>
);

const Members = ({ office, role }: { office: Office; role: Role }) => {
  const t = texts().people;
  const { person } = place.value.query;
  const path = { target: role._id };
  return (
    <PagedList
      empty={t.noPeople}
      read={(query) => work(ask(api.GET('/v1/{target}/roles-api/roles/accounts', { params: { path, query } })))}
    >
      {(accounts, again) => {
        const chosen = accounts.find(({ _id }) => _id === person);
        return (
          <>
            <Table caption={t.whoHas} heads={[t.name, t.email, t.roles]}>
              {accounts.map((account) => (
                <tr key={account._id}>
                  <th scope="row">
                    <a
                      href={peoplePage(`people/${encodeURIComponent(lastName(role._id))}`, {
                        page: place.value.query.page,
                        person: account._id,
                      })}
                      aria-current={account === chosen ? 'true' : undefined}
                      translate={false}
                    >
                      {nameOf(account)}
                    </a>
                  </th>
                  <td translate={false}>{String(account.profile?.email ?? '')}</td>
                  <td translate={false}>{account.roles.map(lastName).join(', ')}</td>
                </tr>
              ))}
            </Table>
            {chosen ? <Person key={chosen._id} office={office} account={chosen} changed={again} /> : null}
          </>
        );
      }}
    </PagedList>
  );
};

const RoleActs = ({ role: { _id: target, name } }: { role: Role }) => {
  const t = texts().people;
  const id = encodeURIComponent(lastName(target));
  return (
    <div class="actions">
      <a class="button first" href={peoplePage('invite', { role: target })}>
        {t.inviteTo}
      </a>
      <a class="button" href={peoplePage('new-role', { role: id })}>
        {t.changeRole}
      </a>
      <AskFirst
        text={t.removeRole}
        title={t.removeAsk(name)}
        warning={t.removeRoleText}
        call={() => ask(api.DELETE('/v1/{target}/roles-api/roles', { params: { path: { target } } }))}
        done={() => go(peoplePage(), { replace: true })}
      />
    </div>
  );
};
