import { useEffect, useRef, useState } from 'preact/hooks';
import type { Schemas } from '../../../client/client.ts';
import { CheckField, SelectField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../shell/action.tsx';
import { api, ask, type Outcome } from '../../shell/api.ts';
import { Form } from '../../shell/form.tsx';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { may, type Office, work } from '../../shell/office.tsx';
import { texts } from '../../texts/texts.ts';
import { nameOf, peoplePage } from './words.tsx';

type Account = Schemas['RoleAccount'];
type Decision = Schemas['PermissionDecision'];

interface PersonProps {
  office: Office;
  account: Account;
  /** Called when roles of the person were changed. */
  changed(): void;
}

/** One person: the roles here, and what the person may do. */
export const Person = ({ office, account, changed }: PersonProps) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="panel">
      <h2 ref={heading} tabIndex={-1} translate={false}>
        {nameOf(account)}
      </h2>
      <PersonRoles office={office} account={account} changed={changed} />
      {may(office.here, 'audit-view') ? (
        <p>
          <a href={peoplePage('audit', { account: account._id })}>{texts().people.did}</a>
        </p>
      ) : null}
      <Question office={office} account={account} />
    </section>
  );
};

/** Gives and takes roles one after another; what was done before a failure stays. */
async function setRoles(account: Account, wanted: readonly string[], here: readonly string[]): Promise<Outcome<null>> {
  for (const role of here) {
    const isWanted = wanted.includes(role);
    if (isWanted === account.roles.includes(role)) continue;
    const path = { accountId: account._id, org: role.split('.')[0] ?? '', roleId: role };
    const outcome = await ask(
      isWanted
        ? api.POST('/v1/admin/account/{accountId}/roles/add/{org}/{roleId}', { params: { path } })
        : api.POST('/v1/admin/account/{accountId}/roles/remove/{org}/{roleId}', { params: { path } }),
    );
    if (!outcome.ok) return outcome;
  }
  return { ok: true, data: null };
}

const PersonRoles = ({ office, account, changed }: PersonProps) => {
  const path = { target: office.here.target };
  const query = { limit: '100' };
  const loading = useLoad(() => work(ask(api.GET('/v1/{target}/roles-api/roles/list', { params: { path, query } }))));
  return <Loaded of={loading}>{(roles) => <RoleChoice account={account} roles={roles} changed={changed} />}</Loaded>;
};

interface RoleChoiceProps extends Pick<PersonProps, 'account' | 'changed'> {
  roles: readonly Schemas['Role'][];
}

const RoleChoice = ({ account, roles, changed }: RoleChoiceProps) => {
  const t = texts().people;
  const [wanted, setWanted] = useState<readonly string[]>(account.roles);
  const [isDone, setDone] = useState(false);
  const all = roles.map(({ _id }) => _id);
  const action = useAction(
    () => work(setRoles(account, wanted, all)),
    () => {
      setDone(true);
      changed();
    },
  );
  return (
    <Form action={action} button={t.setRoles}>
      <fieldset>
        <legend>{t.rolesHere}</legend>
        {roles.map(({ _id, name }) => (
          <CheckField
            key={_id}
            id={`role-${_id}`}
            isChecked={wanted.includes(_id)}
            onCheck={(isChecked) => setWanted(isChecked ? [...wanted, _id] : wanted.filter((one) => one !== _id))}
          >
            <span translate={false}>{name}</span>
          </CheckField>
        ))}
      </fieldset>
      {isDone ? (
        <Notice kind="good" role="status">
          <p>{t.rolesSet}</p>
        </Notice>
      ) : null}
    </Form>
  );
};

/** Asks whether the person may do something, and shows what decides. */
const Question = ({ office, account }: Pick<PersonProps, 'office' | 'account'>) => {
  const loading = useLoad(() => ask(api.GET('/v1/admin/actions')));
  return (
    <Loaded of={loading}>{(actions) => <QuestionForm office={office} account={account} actions={actions} />}</Loaded>
  );
};

interface QuestionFormProps extends Pick<PersonProps, 'office' | 'account'> {
  actions: readonly Schemas['ActionMeaning'][];
}

const QuestionForm = ({ office: { here, below }, account, actions }: QuestionFormProps) => {
  const t = texts().people;
  const [action, setAction] = useState(actions[0]?.action ?? '');
  const [target, setTarget] = useState(here.target);
  const [decision, setDecision] = useState<Decision>();
  const asking = useAction(() => {
    setDecision(undefined);
    const query = { action, account: account._id };
    return work(ask(api.GET('/v1/{target}/permissions-api/decision', { params: { path: { target }, query } })));
  }, setDecision);
  return (
    <Form action={asking} button={t.askButton}>
      <h3>{t.ask(nameOf(account))}</h3>
      <SelectField
        id="action"
        label={t.askAction}
        value={action}
        onValue={setAction}
        options={actions.map((one) => [one.action, `${one.meaning} (${one.action})`])}
        lang="en"
      />
      <SelectField
        id="at"
        label={t.askAt}
        value={target}
        onValue={setTarget}
        options={[here, ...below].map((one) => [one.target, one.name ? `${one.name} (${one.target})` : one.target])}
        isData
      />
      {decision ? <Answer decision={decision} /> : null}
    </Form>
  );
};

const Answer = ({ decision: { allowed, decidedBy } }: { decision: Decision }) => {
  const t = texts().people;
  const { superadmin, role, permission } = decidedBy ?? {};
  return (
    <Notice kind="information" title={allowed ? t.yes : t.no} role="status">
      {permission ? (
        <p>
          {permission.operation === 'ADD' ? t.granted : t.denied}{' '}
          <code>{`${permission.action} · ${permission.target}`}</code>
          {role === undefined ? null : (
            <>
              {' '}
              {t.ofRole} <code>{role}</code>
            </>
          )}
        </p>
      ) : (
        <p>{superadmin ? t.superadmin : t.notGranted}</p>
      )}
    </Notice>
  );
};
