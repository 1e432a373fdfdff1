import { useState } from 'preact/hooks';
import type { Schemas } from '../../../client/client.ts';
import { Field } from '../../parts/field.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';
import { useAction } from '../../shell/action.tsx';
import { api, ask } from '../../shell/api.ts';
import { AskFirst } from '../../shell/ask-first.tsx';
import { Form } from '../../shell/form.tsx';
import { PagedList } from '../../shell/list.tsx';
import { may, type Office, OfficePage, work } from '../../shell/office.tsx';
import { texts } from '../../texts/texts.ts';
import { type Ability, permissionsFor } from './abilities.ts';
import { AbilityFields, Words } from './words.tsx';

type Made = Schemas['CreatedApiKey'];
type ApiKey = Schemas['ApiKey'];

/** The keys with which programs call this server for an organization or a tenant. */
export const ApiKeysPage = () => (
  <OfficePage title={texts().people.apiKeys}>{(office) => <ApiKeys office={office} />}</OfficePage>
);

const ApiKeys = ({ office: { here } }: { office: Office }) => {
  const t = texts().people;
  const [made, setMade] = useState<Made>();
  return (
    <>
      <p>{t.apiKeysText}</p>
      {made ? (
        <Notice kind="good" title={t.keyMade(made.name)} role="status">
          <p>{t.keyMadeText}</p>
          <code class="link" translate={false}>
            {made.key}
          </code>
        </Notice>
      ) : null}
      {may(here, 'api-key-list') ? <KeyList key={made?._id} here={here} /> : null}
      {may(here, 'all') ? <NewKey key={`new ${made?._id}`} target={here.target} done={setMade} /> : null}
    </>
  );
};

const KeyList = ({ here }: { here: Office['here'] }) => {
  const t = texts().people;
  const path = { target: here.target };
  return (
    <PagedList
      empty={t.noApiKeys}
      read={(query) => work(ask(api.GET('/v1/{target}/api-keys-api/api-keys', { params: { path, query } })))}
    >
      {(keys, again) => (
        <Table caption={t.apiKeys} heads={[t.name, t.begins, t.may, t.made, t.until, t.act]}>
          {keys.map((key) => (
            <KeyRow key={key._id} apiKey={key} here={here} done={again} />
          ))}
        </Table>
      )}
    </PagedList>
  );
};

const KeyRow = ({ apiKey: key, here, done }: { apiKey: ApiKey; here: Office['here']; done(): void }) => {
  const t = texts().people;
  return (
    <tr>
      <th scope="row" translate={false}>
        {key.name}
      </th>
      <td>
        <code>{`${key.prefix}…`}</code>
      </td>
      <td>
        {key.role === undefined ? (
          <Words permissions={key.permissions ?? []} at={here.target} />
        ) : (
          <code>{key.role}</code>
        )}
      </td>
      <td>
        <Moment at={key.createdDateTime} />
      </td>
      <td>{key.expiresDateTime === undefined ? t.noEnd : <Moment at={key.expiresDateTime} />}</td>
      <td>{may(here, 'api-key-delete') ? <Revoke target={here.target} apiKey={key} done={done} /> : null}</td>
    </tr>
  );
};

const Revoke = ({ target, apiKey: { _id, name }, done }: { target: string; apiKey: ApiKey; done(): void }) => {
  const t = texts().people;
  const path = { target, keyId: _id };
  return (
    <AskFirst
      text={t.removeKey(name)}
      title={t.removeAsk(name)}
      warning={t.removeKeyText}
      call={() => ask(api.DELETE('/v1/{target}/api-keys-api/api-keys/{keyId}', { params: { path } }))}
      done={done}
    />
  );
};

const NewKey = ({ target, done }: { target: string; done(made: Made): void }) => {
  const t = texts().people;
  const [name, setName] = useState('');
  const [end, setEnd] = useState('');
  const [chosen, setChosen] = useState<readonly Ability[]>([]);
  const action = useAction(() => {
    const expiresDateTime = end === '' ? undefined : `${end}T00:00:00Z`;
    const body = { name, permissions: permissionsFor(target, chosen), expiresDateTime };
    return work(ask(api.POST('/v1/{target}/api-keys-api/api-keys', { params: { path: { target } }, body })));
  }, done);
  return (
    <section>
      <h2>{t.newKey}</h2>
      <Form action={action} button={t.makeKey}>
        <Field id="name" label={t.keyName} hint={t.keyNameHint} value={name} onValue={setName} autocomplete="off" />
        <AbilityFields chosen={chosen} onChosen={setChosen} />
        <Field
          id="expiresDateTime"
          label={t.keyEnd}
          hint={t.keyEndHint}
          type="date"
          value={end}
          onValue={setEnd}
          isOptional
        />
      </Form>
    </section>
  );
};
