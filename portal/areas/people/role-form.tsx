import { useState } from 'preact/hooks';
import type { Schemas } from '../../../client/client.ts';
import { shortNameOf } from '../../parts/cards/short-name.ts';
import { Field } from '../../parts/field.tsx';
import { useAction } from '../../shell/action.tsx';
import { api, ask } from '../../shell/api.ts';
import { Form, refusalOf } from '../../shell/form.tsx';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { OfficePage, work } from '../../shell/office.tsx';
import { go, place } from '../../shell/place.ts';
import { texts } from '../../texts/texts.ts';
import { type Ability, abilitiesAt, permissionsFor } from './abilities.ts';
import { readRole } from './role.tsx';
import { AbilityFields, lastName, peoplePage } from './words.tsx';

type Role = Schemas['Role'];

/** Makes a role, or changes the one that the address names. */
export const NewRolePage = () => {
  const t = texts().people;
  const { role } = place.value.query;
  return (
    <OfficePage title={role === undefined ? t.newRole : t.changeRole}>
      {({ here: { target } }) =>
        role === undefined ? <RoleForm at={target} /> : <ChangedRole at={target} target={`${target}.${role}`} />
      }
    </OfficePage>
  );
};

const ChangedRole = ({ at, target }: { at: string; target: string }) => {
  const loading = useLoad(() => readRole(target));
  return <Loaded of={loading}>{(role) => <RoleForm at={at} role={role} />}</Loaded>;
};

const save = (at: string, role: Role | undefined, body: Pick<Role, 'name' | 'permissions'>) => {
  const path = { target: role?._id ?? `${at}.${shortNameOf(body.name)}` };
  return work(
    ask(
      role
        ? api.PUT('/v1/{target}/roles-api/roles', { params: { path }, body })
        : api.POST('/v1/{target}/roles-api/roles/create', { params: { path }, body }),
    ),
  );
};

const RoleForm = ({ at, role }: { at: string; role?: Role }) => {
  const t = texts().people;
  const [name, setName] = useState(role?.name ?? '');
  const [chosen, setChosen] = useState<readonly Ability[]>(abilitiesAt(role?.permissions ?? [], at));
  const action = useAction(
    () => save(at, role, { name, permissions: permissionsFor(at, chosen, role?.permissions) }),
    ({ _id }) => go(peoplePage(`people/${encodeURIComponent(lastName(_id))}`), { replace: true }),
  );
  const errors = name.trim() === '' && action.failure ? [{ id: 'name', message: t.nameMissing }] : [];
  return (
    <Form
      action={action}
      button={role ? t.saveRole : t.makeRole}
      errors={errors}
      said={refusalOf(action.failure) === 'Conflict' ? <p>{t.roleTaken}</p> : null}
    >
      <Field id="name" label={t.roleName} hint={t.roleNameHint} value={name} onValue={setName} autocomplete="off" />
      <AbilityFields chosen={chosen} onChosen={setChosen} />
    </Form>
  );
};
