import { useState } from 'preact/hooks';
import { Field, SelectField } from '../../parts/field.tsx';
import { useAction } from '../../shell/action.tsx';
import { api, ask } from '../../shell/api.ts';
import { Form, refusalOf } from '../../shell/form.tsx';
import { type Place, ServicePage, work } from '../../shell/office.tsx';
import { go } from '../../shell/place.ts';
import { lastName } from '../../shell/remove.tsx';
import { texts } from '../../texts/texts.ts';
import { BACKENDS, type Backend, configOf, isBackend } from './key.ts';
import { keysPage } from './keys.tsx';

export const NewKeyPage = () => (
  <ServicePage title={texts().keys.create} type="kms" actions={['key-create']}>
    {(service) => <NewKey key={service.target} service={service} />}
  </ServicePage>
);

const NewKey = ({ service: { target } }: { service: Place }) => {
  const t = texts().keys;
  const [name, setName] = useState('');
  const [backend, setBackend] = useState<Backend>('jwk');
  const { types } = BACKENDS[backend];
  const [chosen, setType] = useState<string>('secp256r1');
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const keyType = types.find((one) => one === chosen) ?? types[0];
  const action = useAction(
    () => {
      const path = { target: name === '' ? target : `${target}.${name}` };
      const body = { backend, keyType, config: configOf(backend, typed) };
      return work(ask(api.POST('/v1/{target}/kms-service-api/keys/generate', { params: { path }, body })));
    },
    ({ _id }) => go(keysPage(`keys/${encodeURIComponent(lastName(_id))}`, { made: 'yes' }), { replace: true }),
  );
  return (
    <Form action={action} button={t.make} said={refusalOf(action.failure) === 'Conflict' ? <p>{t.taken}</p> : null}>
      <Field
        id="name"
        label={t.shortName}
        hint={t.nameHint}
        value={name}
        onValue={setName}
        isOptional
        autocomplete="off"
      />
      <SelectField
        id="backend"
        label={t.backend}
        hint={t.backendHint}
        value={backend}
        onValue={(one) => {
          if (isBackend(one)) setBackend(one);
        }}
        options={Object.keys(BACKENDS).map((one) => [one, t.backends[one] ?? one])}
      />
      <SelectField
        id="keyType"
        label={t.kind}
        value={keyType}
        onValue={setType}
        options={types.map((one) => [one, t.kinds[one]])}
      />
      <BackendFields backend={backend} typed={typed} onTyped={setTyped} />
    </Form>
  );
};

interface BackendFieldsProps {
  backend: Backend;
  typed: Readonly<Record<string, string>>;
  onTyped(typed: Readonly<Record<string, string>>): void;
}

/** What a cloud needs; nothing for keys of this server. */
const BackendFields = ({ backend, typed, onTyped }: BackendFieldsProps) => (
  <>
    {Object.entries(BACKENDS[backend].fields).map(([path, type]) => (
      <Field
        key={path}
        id={path.slice(path.indexOf('.') + 1)}
        label={texts().keys.fields[path] ?? path}
        type={type}
        value={typed[path] ?? ''}
        onValue={(value) => onTyped({ ...typed, [path]: value })}
        autocomplete="off"
      />
    ))}
  </>
);
