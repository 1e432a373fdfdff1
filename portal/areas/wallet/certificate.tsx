import { useState } from 'preact/hooks';
import { Field, FileField } from '../../parts/field.tsx';
import { useAction } from '../../shell/action.tsx';
import { api, ask, type Outcome } from '../../shell/api.ts';
import { Form } from '../../shell/form.tsx';
import { settings } from '../../shell/settings.ts';
import { texts } from '../../texts/texts.ts';
import { signLogin, type Unsigned } from './x5c.ts';

/** Writes a copy of a key that browsers read, of one that is encrypted or in another form. */
const DECRYPT = 'openssl pkcs8 -topk8 -nocrypt -in client.key -out client-plain.key';

interface Files {
  chain?: File;
  key?: File;
  token: string;
}

type Done = { why: Unsigned } | undefined;

/** Signs with a fresh nonce, which a server may demand, so that the login is good once; the key is not kept. */
async function logIn({ chain, key, token: finished }: Files): Promise<Outcome<Done>> {
  let token = finished.trim();
  if (token === '') {
    const fresh = await ask(api.GET('/wallet-api/auth/x5c/nonce'));
    if (!fresh.ok) return fresh;
    const claims = { nonce: fresh.data.nonce, aud: settings().publicUrl };
    const signed = await signLogin((await chain?.text()) ?? '', (await key?.text()) ?? '', claims);
    if ('why' in signed) return { ok: true, data: signed };
    token = signed.token;
  }
  const sent = await ask(api.POST('/wallet-api/auth/x5c/login', { body: { type: 'x5c', token } }));
  return sent.ok ? { ok: true, data: undefined } : sent;
}

/** The login with the key of a certificate. `done` is called when it has succeeded. */
export const CertificateLogin = ({ done }: { done: () => void }) => {
  const t = texts().wallet;
  const words = t.certificate;
  const [files, setFiles] = useState<Files>({ token: '' });
  const [why, setWhy] = useState<Unsigned>();
  const action = useAction(
    () => logIn(files),
    (unsigned) => {
      setWhy(unsigned?.why);
      if (!unsigned) done();
    },
  );
  const set = (change: Partial<Files>): void => setFiles((now) => ({ ...now, ...change }));
  const isRefused = action.failure?.kind === 'refused' && action.failure.status === 401;
  const isOther = why === 'encrypted' || why === 'otherForm';
  return (
    <Form
      action={action}
      button={t.logIn}
      said={isRefused ? <p>{words.wrong}</p> : null}
      errors={why === undefined || action.failure ? [] : [{ id: FIELDS[why] ?? 'key', message: words[why] }]}
    >
      {isOther ? <code class="link">{DECRYPT}</code> : null}
      <p>{words.lead}</p>
      <FileField
        id="chain"
        label={words.chain}
        hint={words.chainHint}
        accept=".pem,.crt,.cer"
        onFile={(chain) => set({ chain })}
      />
      <FileField id="key" label={words.key} hint={words.keyHint} accept=".pem,.key" onFile={(key) => set({ key })} />
      <Field
        id="token"
        label={words.token}
        hint={words.tokenHint}
        value={files.token}
        onValue={(token) => set({ token })}
        isOptional
      />
    </Form>
  );
};

/** What is to be changed; the key where nothing else is named. */
const FIELDS: Partial<Record<Unsigned, string>> = { noChain: 'chain', insecure: 'token' };
