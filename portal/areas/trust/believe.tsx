import { useState } from 'preact/hooks';
import { Field, FileField, TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../shell/action.tsx';
import { api, ask, type Failure, type Outcome } from '../../shell/api.ts';
import { Form } from '../../shell/form.tsx';
import { work } from '../../shell/office.tsx';
import { place } from '../../shell/place.ts';
import { texts } from '../../texts/texts.ts';
import { issuersIn, type Named } from './issuers.ts';

/** What became of the issuers that were typed. */
interface Added {
  count: number;
  /** Those that the list has already. */
  known: number;
  refused: { issuer: string; failure: Failure }[];
}

interface Terms {
  name: string;
  types: string;
}

/** Adds issuers one after another; one that is refused does not stop the others. */
async function addAll(target: string, issuers: readonly Named[], { name, types }: Terms): Promise<Outcome<Added>> {
  const added: Added = { count: 0, known: 0, refused: [] };
  const credentialTypes = types.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  const terms = {
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(credentialTypes.length > 0 && { credentialTypes }),
  };
  for (const issuer of issuers) {
    const body = { ...issuer, ...terms };
    const outcome = await ask(
      api.POST('/v1/{target}/trust-registry-api/issuers', { params: { path: { target } }, body }),
    );
    if (outcome.ok) added.count += 1;
    else if (outcome.failure.kind === 'offline' || outcome.failure.status === 401) return outcome;
    else if (outcome.failure.status === 409) added.known += 1;
    else added.refused.push({ issuer: issuer.issuer, failure: outcome.failure });
  }
  return { ok: true, data: added };
}

/** Makes issuers believed: by certificate, DID or web address, one or a whole list. */
export const Believe = ({ target, changed }: { target: string; changed(): void }) => {
  const t = texts().trust;
  const { issuer = '', name: said = '' } = place.value.query;
  const [text, setText] = useState(issuer);
  const [name, setName] = useState(said);
  const [types, setTypes] = useState('');
  const [added, setAdded] = useState<Added>();
  const [isMissing, setMissing] = useState(false);
  const issuers = issuersIn(text);
  const action = useAction(
    () => work(addAll(target, issuers, { name: issuers.length === 1 ? name : '', types })),
    (done) => {
      setAdded(done);
      setText(done.refused.map(({ issuer: refused }) => refused).join('\n'));
      changed();
    },
  );
  const run = () => {
    setMissing(issuers.length === 0);
    if (issuers.length > 0) action.run();
  };
  return (
    <section>
      <h2>{t.believe}</h2>
      {added ? <Outcomes added={added} /> : null}
      <Form
        action={{ ...action, run }}
        button={t.believeButton}
        errors={isMissing ? [{ id: 'issuer', message: t.missing }] : []}
      >
        <TextField id="issuer" label={t.issuers} hint={t.issuersHint} value={text} onValue={setText} isCode />
        <FileField
          id="file"
          label={t.file}
          accept=".pem,.crt,.cer,.txt"
          onFile={(file) => void file?.text().then(setText)}
        />
        {issuers.length > 1 ? null : (
          <Field id="name" label={t.name} value={name} onValue={setName} isOptional autocomplete="off" />
        )}
        <TextField id="credentialTypes" label={t.types} hint={t.typesHint} value={types} onValue={setTypes} isCode />
      </Form>
    </section>
  );
};

const Outcomes = ({ added: { count, known, refused } }: { added: Added }) => {
  const t = texts().trust;
  return (
    <Notice kind={refused.length > 0 ? 'warning' : 'good'} role="status">
      {count > 0 ? <p>{t.added(count)}</p> : null}
      {known > 0 ? <p>{t.known(known)}</p> : null}
      {refused.length > 0 ? (
        <>
          <p>{t.refused}</p>
          <ul>
            {refused.map(({ issuer, failure }) => (
              <li key={issuer}>
                <code>{issuer.slice(0, 80)}</code>{' '}
                <span lang="en">{failure.kind === 'refused' ? wordsOf(failure) : null}</span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </Notice>
  );
};

const wordsOf = ({ problem }: Extract<Failure, { kind: 'refused' }>): string =>
  problem?.details?.map(({ message }) => message).join(', ') || (problem?.message ?? '');
