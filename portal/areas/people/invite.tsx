import { useState } from 'preact/hooks';
import type { Schemas } from '../../../client/client.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Field, SelectField } from '../../parts/field.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';
import { ActionButton, useAction } from '../../shell/action.tsx';
import { api, ask } from '../../shell/api.ts';
import { Form } from '../../shell/form.tsx';
import { PagedList } from '../../shell/list.tsx';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { may, type Office, OfficePage, work } from '../../shell/office.tsx';
import { place, to } from '../../shell/place.ts';
import { FailureNotice } from '../../shell/states.tsx';
import { texts } from '../../texts/texts.ts';
import { lastName, peoplePage } from './words.tsx';

type Role = Schemas['Role'];
type Made = Schemas['CreatedInvitation'];

/** Invites a person to a role; below, the invitations that wait. */
export const InvitePage = () => (
  <OfficePage title={texts().people.invite}>{(office) => <Invite office={office} />}</OfficePage>
);

const Invite = ({ office: { here } }: { office: Office }) => {
  const path = { target: here.target };
  const query = { limit: '100' };
  const [made, setMade] = useState<Made>();
  const loading = useLoad(() => work(ask(api.GET('/v1/{target}/roles-api/roles/list', { params: { path, query } }))));
  return (
    <>
      {made ? <Link made={made} /> : null}
      <Loaded of={loading}>
        {(roles) => <InviteForm key={made?._id} target={here.target} roles={roles} done={setMade} />}
      </Loaded>
      {may(here, 'invitation-list') ? <Waiting key={made?._id} office={here} /> : null}
    </>
  );
};

/** What the invited person gets: the server sends no mail. */
const Link = ({ made: { email, token, expiresDateTime } }: { made: Made }) => {
  const t = texts().people;
  const link = new URL(to('/account/invitation', { token }), document.baseURI).href;
  return (
    <Notice kind="good" title={t.invited(email)} role="status">
      <p>{t.invitedText}</p>
      <code class="link" translate={false}>
        {link}
      </code>
      <div class="actions">
        <CopyButton text={link} />
      </div>
      <p>
        {t.until} <Moment at={expiresDateTime} />
      </p>
    </Notice>
  );
};

interface InviteFormProps {
  target: string;
  roles: readonly Role[];
  done(made: Made): void;
}

const InviteForm = ({ target, roles, done }: InviteFormProps) => {
  const t = texts().people;
  const [email, setEmail] = useState('');
  const [role, setRole] = useState(place.value.query.role ?? roles[0]?._id ?? '');
  const action = useAction(
    () =>
      work(
        ask(
          api.POST('/v1/{target}/invitations-api/invitations', { params: { path: { target } }, body: { email, role } }),
        ),
      ),
    done,
  );
  if (roles.length === 0)
    return (
      <Notice kind="information">
        <p>{t.noRole}</p>
        <p>
          <a href={peoplePage('new-role')}>{t.newRole}</a>
        </p>
      </Notice>
    );
  return (
    <Form action={action} button={t.makeInvitation}>
      <Field id="email" label={t.email} type="email" value={email} onValue={setEmail} autocomplete="off" />
      <SelectField
        id="role"
        label={t.role}
        value={role}
        onValue={setRole}
        options={roles.map(({ _id, name }) => [_id, name])}
        isData
      />
    </Form>
  );
};

const Waiting = ({ office: { target, ...place } }: { office: Office['here'] }) => {
  const t = texts().people;
  const path = { target };
  return (
    <section>
      <h2>{t.waiting}</h2>
      <PagedList
        empty={t.noneWaiting}
        read={(query) => work(ask(api.GET('/v1/{target}/invitations-api/invitations', { params: { path, query } })))}
      >
        {(invitations, again) => (
          <Table caption={t.waiting} heads={[t.email, t.role, t.until, t.act]}>
            {invitations.map(({ _id, email, role, expiresDateTime }) => (
              <tr key={_id}>
                <th scope="row" translate={false}>
                  {email}
                </th>
                <td translate={false}>{lastName(role)}</td>
                <td>
                  <Moment at={expiresDateTime} />
                </td>
                <td>
                  {may({ target, ...place }, 'invitation-delete') ? (
                    <TakeBack target={target} id={_id} done={again} />
                  ) : null}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </PagedList>
    </section>
  );
};

const TakeBack = ({ target, id, done }: { target: string; id: string; done(): void }) => {
  const path = { target, invitationId: id };
  const action = useAction(
    () => work(ask(api.DELETE('/v1/{target}/invitations-api/invitations/{invitationId}', { params: { path } }))),
    done,
  );
  return (
    <>
      {action.failure ? <FailureNotice failure={action.failure} again={action.run} /> : null}
      <ActionButton action={action} text={texts().people.takeBack} />
    </>
  );
};
