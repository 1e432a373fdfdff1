import { useState } from 'preact/hooks';
import { Field } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../shell/action.tsx';
import { api, ask } from '../../shell/api.ts';
import { Form, refusalOf } from '../../shell/form.tsx';
import { Page } from '../../shell/page.tsx';
import { go, place, to } from '../../shell/place.ts';
import { texts } from '../../texts/texts.ts';
import { Enrolment, type Login } from './enrolment.tsx';

/** After so many wrong attempts the page says that the account may be locked, which the server does not say. */
const SUSPICIOUS = 3;

/** The cookie of the answer is the login. */
const logIn = (login: Login) => ask(api.POST('/auth/account/session', { body: login }));

/** Goes on where the reader was, which is always a page of the office. */
const proceed = (): void => {
  const { next = '' } = place.value.query;
  go(next.startsWith('/') ? `#${next}` : to('/office'), { replace: true });
};

type Step = 'password' | 'locked' | 'code' | 'recovery' | 'enrol';

/** What the server asks for after the right password. */
const NEXT: Record<string, Step> = { CodeRequired: 'code', EnrolmentRequired: 'enrol' };

/** The login of an account, step by step. */
export const OfficeLoginPage = () => {
  const [login, setLogin] = useState<Login>({ email: '', password: '' });
  const [step, setStep] = useState<Step>('password');
  const [attempts, setAttempts] = useState(0);
  const refused = (next: Step | undefined): void => {
    setAttempts(attempts + 1);
    if (next) setStep(next);
    else if (attempts + 1 >= SUSPICIOUS) setStep('locked');
  };
  if (step === 'locked') return <LockedPage again={() => setStep('password')} />;
  if (step === 'enrol') return <Enrolment login={login} done={() => setStep('code')} />;
  if (step === 'code' || step === 'recovery') return <CodePage key={step} login={login} step={step} go={setStep} />;
  return <PasswordPage login={login} setLogin={setLogin} refused={refused} />;
};

interface PasswordPageProps {
  login: Login;
  setLogin: (login: Login) => void;
  /** Called when the server refuses, with the step that it asks for, if any. */
  refused: (next: Step | undefined) => void;
}

const PasswordPage = ({ login, setLogin, refused }: PasswordPageProps) => {
  const t = texts().account;
  const isEnded = place.value.query.ended !== undefined;
  const action = useAction(async () => {
    const outcome = await logIn(login);
    const refusal = outcome.ok ? undefined : refusalOf(outcome.failure);
    if (refusal === 'LoginRequired' || NEXT[refusal ?? '']) refused(NEXT[refusal ?? '']);
    return outcome;
  }, proceed);
  return (
    <Page title={isEnded ? t.login.ended : t.login.title}>
      {isEnded ? <p>{t.login.endedText}</p> : null}
      <Form
        action={action}
        button={t.login.button}
        said={refusalOf(action.failure) === 'LoginRequired' ? <p>{t.login.wrong}</p> : null}
      >
        <Field
          id="email"
          label={t.email}
          type="email"
          autocomplete="username"
          value={login.email}
          onValue={(email) => setLogin({ ...login, email })}
        />
        <Field
          id="password"
          label={t.password}
          type="password"
          autocomplete="current-password"
          value={login.password}
          onValue={(password) => setLogin({ ...login, password })}
        />
      </Form>
      <OtherWays />
    </Page>
  );
};

const OtherWays = () => {
  const t = texts().account.login;
  return (
    <>
      <p>
        {t.forgotten} {t.forgottenText} <a href={to('/account/password')}>{t.forgottenLink}</a>
      </p>
      <p>
        {t.invited} <a href={to('/account/invitation')}>{t.invitedLink}</a>
      </p>
      <p>
        {t.first} <a href={to('/account/first')}>{t.firstLink}</a>
      </p>
    </>
  );
};

const LockedPage = ({ again }: { again: () => void }) => {
  const t = texts().account;
  return (
    <Page title={t.locked.title}>
      <Notice kind="warning" role="alert">
        <p>{t.login.wrong}</p>
      </Notice>
      <p>{t.locked.text}</p>
      <ul>
        <li>{t.locked.wait}</li>
        <li>{t.locked.reset}</li>
      </ul>
      <div class="actions">
        <button type="button" class="first" onClick={again}>
          {t.locked.again}
        </button>
        <a class="button" href={to('/account/password')}>
          {t.login.forgottenLink}
        </a>
      </div>
    </Page>
  );
};

interface CodePageProps {
  login: Login;
  step: 'code' | 'recovery';
  go: (step: Step) => void;
}

const CodePage = ({ login, step, go: goTo }: CodePageProps) => {
  const t = texts().account;
  const [code, setCode] = useState('');
  const action = useAction(() => logIn({ ...login, code }), proceed);
  const isRecovery = step === 'recovery';
  const isWrong = refusalOf(action.failure) === 'LoginRequired';
  return (
    <Page title={isRecovery ? t.code.recoveryTitle : t.code.title}>
      <Form
        action={action}
        button={t.login.button}
        said={isWrong ? <p>{isRecovery ? t.code.recoveryWrong : t.code.wrong}</p> : null}
      >
        <Field
          id="code"
          label={isRecovery ? t.code.recoveryLabel : t.code.label}
          hint={isRecovery ? t.code.recoveryHint : t.code.hint}
          inputMode={isRecovery ? 'text' : 'numeric'}
          autocomplete="one-time-code"
          value={code}
          onValue={setCode}
        />
      </Form>
      {isRecovery ? <p>{t.code.recoveryText}</p> : null}
      <div class="actions">
        <button type="button" onClick={() => goTo(isRecovery ? 'code' : 'recovery')}>
          {isRecovery ? t.code.toCode : t.code.toRecovery}
        </button>
      </div>
    </Page>
  );
};
