import { useState } from 'preact/hooks';
import { Field } from '../../parts/field.tsx';
import { Navigation } from '../../parts/navigation.tsx';
import { useAction } from '../../shell/action.tsx';
import { api, ask } from '../../shell/api.ts';
import { Form } from '../../shell/form.tsx';
import { Page } from '../../shell/page.tsx';
import { go, place, to } from '../../shell/place.ts';
import { settings } from '../../shell/settings.ts';
import { texts } from '../../texts/texts.ts';
import { CertificateLogin } from './certificate.tsx';

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

const enter = (): void => go(next(), { replace: true });

export const LoginPage = () => {
  const t = texts().wallet;
  const isEnded = place.value.query.ended !== undefined;
  const hasCertificates = settings().features.includes('trusted-ca');
  const isCertificate = hasCertificates && place.value.query.with === 'certificate';
  return (
    <Page title={isEnded ? t.loginEnded : t.login}>
      {isEnded ? <p>{t.loginEndedText}</p> : null}
      {hasCertificates ? <Ways isCertificate={isCertificate} /> : null}
      {isCertificate ? <CertificateLogin done={enter} /> : <LoginForm submit={logIn} button={t.logIn} />}
      <p>
        {t.haveNone} <a href={to('/wallet/register', { next: place.value.query.next })}>{t.register}</a>
      </p>
    </Page>
  );
};

/** The ways to log in, each with an address of its own. */
const Ways = ({ isCertificate }: { isCertificate: boolean }) => {
  const { ways } = texts().wallet;
  const { next: target } = place.value.query;
  const links = [
    { text: ways.password, href: to('/wallet/login', { next: target }), isHere: !isCertificate },
    {
      text: ways.certificate,
      href: to('/wallet/login', { with: 'certificate', next: target }),
      isHere: isCertificate,
    },
  ];
  return <Navigation label={ways.label} ways={links} isTabs />;
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
  const action = useAction(() => submit(values), enter);
  const set = (name: keyof Credentials) => (value: string) => setValues((now) => ({ ...now, [name]: value }));
  const isWrongLogin = action.failure?.kind === 'refused' && action.failure.status === 401;
  const fields = isNew ? (['name', 'email', 'password'] as const) : (['email', 'password'] as const);
  return (
    <Form action={action} button={button} said={isWrongLogin ? <p>{t.wrongLogin}</p> : null}>
      {fields.map((name) => (
        <Field
          key={name}
          id={name}
          label={t[name]}
          type={name === 'name' ? 'text' : name}
          value={values[name]}
          onValue={set(name)}
          autocomplete={name === 'password' ? (isNew ? 'new-password' : 'current-password') : AUTOCOMPLETE[name]}
        />
      ))}
    </Form>
  );
};

const AUTOCOMPLETE = { name: 'name', email: 'username' };
