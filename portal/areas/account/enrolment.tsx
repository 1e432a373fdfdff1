import { useState } from 'preact/hooks';
import { Field } from '../../parts/field.tsx';
import { QrCode } from '../../parts/qr.tsx';
import { useAction } from '../../shell/action.tsx';
import { api, ask } from '../../shell/api.ts';
import { Form, refusalOf } from '../../shell/form.tsx';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { Page } from '../../shell/page.tsx';
import { texts } from '../../texts/texts.ts';

/** An e-mail address and a password, with the code of the second factor where there is one. */
export interface Login {
  email: string;
  password: string;
  code?: string;
}

interface EnrolmentProps {
  login: Login;
  /** Called when the account has its second factor. */
  done: () => void;
}

/** Sets up the second factor that an account needs: its key, a code as proof, the recovery codes. */
export const Enrolment = ({ login, done }: EnrolmentProps) => {
  const t = texts().account.enrol;
  const [codes, setCodes] = useState<readonly string[]>();
  const loading = useLoad(() => ask(api.POST('/auth/account/second-factor', { body: login })));
  if (codes) return <RecoveryCodes codes={codes} done={done} />;
  return (
    <Page title={t.title}>
      <p>{t.text}</p>
      <Loaded of={loading}>
        {({ secret, otpauthUrl }) => (
          <>
            <p>{t.scan}</p>
            <QrCode text={otpauthUrl} label={t.qr} />
            <h2>{t.key}</h2>
            <code class="link">{secret}</code>
            <p>{t.confirm}</p>
            <Confirmation login={login} done={setCodes} />
          </>
        )}
      </Loaded>
    </Page>
  );
};

const Confirmation = ({ login, done }: { login: Login; done: (codes: readonly string[]) => void }) => {
  const t = texts().account;
  const [code, setCode] = useState('');
  const body = { ...login, code };
  const action = useAction(
    () => ask(api.POST('/auth/account/second-factor/confirm', { body })),
    ({ recoveryCodes }) => done(recoveryCodes),
  );
  return (
    <Form
      action={action}
      button={t.continue}
      said={refusalOf(action.failure) === 'LoginRequired' ? <p>{t.code.wrong}</p> : null}
    >
      <Field
        id="code"
        label={t.code.label}
        hint={t.code.hint}
        inputMode="numeric"
        autocomplete="one-time-code"
        value={code}
        onValue={setCode}
      />
    </Form>
  );
};

const RecoveryCodes = ({ codes, done }: { codes: readonly string[]; done: () => void }) => {
  const t = texts().account.enrol;
  return (
    <Page title={t.codesTitle}>
      <p>{t.codesText}</p>
      <ul class="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        <button type="button" class="first" onClick={done}>
          {t.kept}
        </button>
      </div>
    </Page>
  );
};
