import { useEffect, useRef, useState } from 'preact/hooks';
import { Field } from '../../parts/field.tsx';
import { useAction } from '../../shell/action.tsx';
import { api, ask, type Failure } from '../../shell/api.ts';
import { Page } from '../../shell/page.tsx';
import { go, place, to } from '../../shell/place.ts';
import { FailureNotice } from '../../shell/states.tsx';
import { texts } from '../../texts/texts.ts';

/** The page that the reader came from, which is always one of the portal. */
const next = (): string => {
  const { next: target = '' } = place.value.query;
  return target.startsWith('/') ? `#${target}` : to('/wallet');
};

interface Credentials {
  name: string;
  email: string;
  password: string;
}

/** The cookie of the answer is the login; its token is not read. */
const logIn = ({ email, password }: Credentials) =>
  ask(api.POST('/wallet-api/auth/login', { body: { type: 'email', email, password } }));

async function register({ name, email, password }: Credentials) {
  const body = { type: 'email', name, email, password } as const;
  const registered = await ask(api.POST('/wallet-api/auth/register', { body, parseAs: 'text' }));
  return registered.ok ? logIn({ name, email, password }) : registered;
}

export const LoginPage = () => {
  const t = texts().wallet;
  return (
    <Page title={t.login}>
      <LoginForm submit={logIn} button={t.logIn} />
      <p>
        {t.haveNone} <a href={to('/wallet/register', place.value.query)}>{t.register}</a>
      </p>
    </Page>
  );
};

export const RegisterPage = () => {
  const t = texts().wallet;
  return (
    <Page title={t.register}>
      <LoginForm submit={register} button={t.create} isNew />
      <p>
        {t.haveOne} <a href={to('/wallet/login', place.value.query)}>{t.login}</a>
      </p>
    </Page>
  );
};

interface LoginFormProps {
  submit: (credentials: Credentials) => ReturnType<typeof logIn>;
  button: string;
  /** Whether an account is made. */
  isNew?: boolean;
}

const LoginForm = ({ submit, button, isNew = false }: LoginFormProps) => {
  const t = texts().wallet;
  const [values, setValues] = useState<Credentials>({ name: '', email: '', password: '' });
  const action = useAction(
    () => submit(values),
    () => go(next(), { replace: true }),
  );
  const set = (name: keyof Credentials) => (value: string) => setValues((now) => ({ ...now, [name]: value }));
  const send = (event: Event): void => {
    event.preventDefault();
    action.run();
  };
  const wrong = wrongFields(action.failure);
  const fields = isNew ? (['name', 'email', 'password'] as const) : (['email', 'password'] as const);
  return (
    <form onSubmit={send} method="post">
      {action.failure ? <LoginFailure failure={action.failure} wrong={wrong} again={action.run} /> : null}
      {fields.map((name) => (
        <Field
          key={name}
          id={name}
          label={t[name]}
          type={name === 'name' ? 'text' : name}
          value={values[name]}
          onValue={set(name)}
          autocomplete={name === 'password' ? (isNew ? 'new-password' : 'current-password') : AUTOCOMPLETE[name]}
          wrong={wrong[name]}
        />
      ))}
      <button type="submit" class="first" aria-disabled={action.isBusy}>
        {button}
      </button>
    </form>
  );
};

const AUTOCOMPLETE = { name: 'name', email: 'username' };

/** What the server says about each field, by the last part of its JSON Pointer. */
function wrongFields(failure: Failure | undefined): Partial<Record<string, string>> {
  if (failure?.kind !== 'refused') return {};
  const details = failure.problem?.details ?? [];
  return Object.fromEntries(details.map(({ path, message }) => [path.split('/').at(-1) ?? '', message]));
}

interface LoginFailureProps {
  failure: Failure;
  wrong: Partial<Record<string, string>>;
  again: () => void;
}

/** A summary that has the focus and leads to the fields; a wrong login does not say which part is wrong. */
const LoginFailure = ({ failure, wrong, again }: LoginFailureProps) => {
  const t = texts().wallet;
  const summary = useRef<HTMLDivElement>(null);
  useEffect(() => summary.current?.focus(), [failure]);
  const isUnderstood = failure.kind === 'refused' && (failure.status === 401 || Object.keys(wrong).length > 0);
  if (!isUnderstood) return <FailureNotice failure={failure} again={again} />;
  return (
    <div class="notice bad" role="alert" tabIndex={-1} ref={summary}>
      <h2>{t.problem}</h2>
      {failure.status === 401 ? <p>{t.wrongLogin}</p> : null}
      <ul>
        {Object.entries(wrong).map(([name, message]) => (
          <li key={name}>
            <a
              href={`#${place.value.url}`}
              onClick={(event) => {
                event.preventDefault();
                document.getElementById(name)?.focus();
              }}
            >
              {message}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
};
