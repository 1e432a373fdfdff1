import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Field } from '../../parts/field.tsx';
import { type Action, useAction } from '../../shell/action.tsx';
import { api, ask } from '../../shell/api.ts';
import { Form, refusalOf } from '../../shell/form.tsx';
import { Page } from '../../shell/page.tsx';
import { place, to } from '../../shell/place.ts';
import { texts } from '../../texts/texts.ts';

/** What is typed on the pages for those who were given a token. */
interface Values {
  token: string;
  name: string;
  password: string;
  code: string;
}

/** The fields of these pages; the link of an invitation brings the token. */
function useValues() {
  const [values, setValues] = useState<Values>({
    token: place.value.query.token ?? '',
    name: '',
    password: '',
    code: '',
  });
  const bind = (name: keyof Values) => ({
    id: name,
    value: values[name],
    onValue: (value: string) => setValues((now) => ({ ...now, [name]: value })),
  });
  return { values, bind };
}

const Done = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <Page title={title}>
    {children}
    <div class="actions">
      <a class="button first" href={to('/account/login')}>
        {texts().account.toLogin}
      </a>
    </div>
  </Page>
);

/** The first account of a server, with a token of its configuration. */
export const FirstAccountPage = () => {
  const t = texts().account.first;
  const { values, bind } = useValues();
  const [isDone, setDone] = useState(false);
  const { token } = values;
  const action = useAction(
    () => ask(api.POST('/v1/superadmin/create-by-token', { body: { token }, parseAs: 'text' })),
    () => setDone(true),
  );
  const refusal = refusalOf(action.failure);
  if (isDone)
    return (
      <Done title={t.done}>
        <p>{t.doneText}</p>
      </Done>
    );
  return (
    <Page title={t.title}>
      <p>{t.text}</p>
      <Form action={action} button={t.button} said={SAID[refusal ?? '']?.(t)}>
        <Field {...bind('token')} label={t.token} autocomplete="off" />
      </Form>
      <div class="actions">
        <a class="button" href={to('/account/login')}>
          {texts().account.toLogin}
        </a>
      </div>
    </Page>
  );
};

type FirstTexts = ReturnType<typeof texts>['account']['first'];
const SAID: Record<string, (t: FirstTexts) => ComponentChildren> = {
  TokenRejected: (t) => <p>{t.wrong}</p>,
  Conflict: (t) => <p>{t.used}</p>,
};

/** A person was invited to a role. */
export const InvitationPage = () => {
  const t = texts().account;
  const fields = useValues();
  const [isDone, setDone] = useState(false);
  const { token, name, password, code } = fields.values;
  const body = { token, password, ...(name && { profile: { name } }), ...(code && { code }) };
  const action = useAction(
    () => ask(api.POST('/auth/account/invitations/accept', { body })),
    () => setDone(true),
  );
  if (isDone)
    return (
      <Done title={t.invitation.accepted}>
        <p>{t.invitation.acceptedText}</p>
      </Done>
    );
  if (refusalOf(action.failure) === 'TokenRejected')
    return (
      <Done title={t.invitation.usedTitle}>
        <p>{t.invitation.usedText}</p>
        <p>{t.invitation.usedAsk}</p>
      </Done>
    );
  return <Acceptance action={action} bind={fields.bind} />;
};

const Acceptance = ({ action, bind }: { action: Action; bind: ReturnType<typeof useValues>['bind'] }) => {
  const t = texts().account;
  const refusal = refusalOf(action.failure);
  const [needsCode, setNeedsCode] = useState(false);
  if (refusal === 'CodeRequired' && !needsCode) setNeedsCode(true);
  return (
    <Page title={t.invitation.title}>
      <p>{t.invitation.text}</p>
      <Form action={action} button={t.invitation.button} said={invitationSaid(refusal)}>
        <Field {...bind('token')} label={t.invitation.token} autocomplete="off" />
        <Field {...bind('name')} label={t.invitation.name} autocomplete="name" />
        <Field
          {...bind('password')}
          label={t.password}
          hint={t.newPasswordHint}
          type="password"
          autocomplete="new-password"
        />
        {needsCode ? (
          <Field {...bind('code')} label={t.code.label} hint={t.code.hint} autocomplete="one-time-code" />
        ) : null}
      </Form>
    </Page>
  );
};

function invitationSaid(refusal: string | undefined): ComponentChildren {
  const t = texts().account;
  if (refusal === 'LoginRequired') return <p>{t.invitation.wrong}</p>;
  return refusal === 'CodeRequired' ? <p>{t.code.title}</p> : null;
}

/** A new password, with a token from an administrator. */
export const NewPasswordPage = () => {
  const t = texts().account;
  const { values, bind } = useValues();
  const [isDone, setDone] = useState(false);
  const { token, password } = values;
  const action = useAction(
    () => ask(api.POST('/auth/account/password-reset', { body: { token, password } })),
    () => setDone(true),
  );
  if (isDone) return <Done title={t.reset.done} />;
  return (
    <Page title={t.reset.title}>
      <Form
        action={action}
        button={t.reset.button}
        said={refusalOf(action.failure) === 'TokenRejected' ? <p>{t.reset.wrong}</p> : null}
      >
        <Field {...bind('token')} label={t.reset.token} autocomplete="off" />
        <Field
          {...bind('password')}
          label={t.newPassword}
          hint={t.newPasswordHint}
          type="password"
          autocomplete="new-password"
        />
      </Form>
    </Page>
  );
};
