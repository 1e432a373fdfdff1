import { useState } from 'preact/hooks';
import type { Schemas } from '../../../client/client.ts';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../shell/action.tsx';
import { api, ask, type Outcome } from '../../shell/api.ts';
import { Form } from '../../shell/form.tsx';
import { may, type Office, OfficePage, officePage } from '../../shell/office.tsx';
import { texts } from '../../texts/texts.ts';
import { type Named, NameFields, useNamed } from './named.tsx';

type Resource = Schemas['Resource'];

type WrittenService = Pick<Schemas['WrittenService'], 'type' | 'dependencies'> & { presentedData?: string };

/** The services of a unit by their names, in the order in which they are made; the verifier keeps nothing that it has handed over. */
function servicesOf(unit: string): Record<string, WrittenService> {
  const at = (name: string): string => `${unit}.${name}`;
  return {
    keys: { type: 'kms' },
    trust: { type: 'trust-registry' },
    status: { type: 'credential-status', dependencies: [at('keys')] },
    issuer: { type: 'issuer2', dependencies: [at('keys'), at('status')] },
    verifier: { type: 'verifier2', dependencies: [at('keys'), at('trust')], presentedData: 'deleteOnHandover' },
  };
}

/** Makes a tenant, unless it is there from an attempt that was cut off, and all its services. */
async function setUp(target: string, name: string | undefined): Promise<Outcome<Resource[]>> {
  const params = { path: { target } };
  if (name !== undefined) {
    const made = await ask(api.POST('/v1/{target}/resource-api/tenants/create', { params, body: { name } }));
    if (!made.ok && !(made.failure.kind === 'refused' && made.failure.status === 409)) return made;
  }
  const services = servicesOf(target);
  return ask(api.POST('/v1/{target}/resource-api/services/init', { params, body: { services } }));
}

/** Makes everything that a unit needs, and says what was made. */
export const SetUpPage = () => (
  <OfficePage title={texts().office.setUp.title}>{(office) => <SetUp office={office} />}</OfficePage>
);

const SetUp = ({ office: { here } }: { office: Office }) => {
  const t = texts().office;
  const fields = useNamed();
  const [made, setMade] = useState<{ unit: Named; services: Resource[] }>();
  const isUnit = here.type === 'tenant';
  const unit = isUnit ? { name: here.name ?? here.target, id: here.target } : fields.named;
  const target = isUnit ? here.target : `${here.target}.${unit.id}`;
  const action = useAction(
    () => setUp(target, isUnit ? undefined : unit.name),
    (services) => setMade({ unit: { ...unit, id: target }, services }),
  );
  if (!may(here, isUnit ? 'service-create' : 'tenant-create')) return <p>{t.home.nothing}</p>;
  if (made) return <Made {...made} />;
  return (
    <>
      <p>{t.setUp.text}</p>
      <Form action={action} button={t.setUp.button}>
        {isUnit ? null : <NameFields {...fields} label={t.setUp.name} hint={t.setUp.nameHint} idField="target" />}
      </Form>
    </>
  );
};

const Made = ({ unit, services }: { unit: Named; services: Resource[] }) => {
  const t = texts().office.setUp;
  return (
    <>
      <Notice kind="good" title={t.done(unit.name)} role="status">
        <p>{t.made}</p>
        <ul>
          {services.map(({ _id, type }) => (
            <li key={_id}>
              {t.services[type] ?? type} <span class="quiet">{_id}</span>
            </li>
          ))}
        </ul>
      </Notice>
      <div class="actions">
        <a class="button first" href={officePage(unit.id, 'types')}>
          {t.next}
        </a>
        <a class="button" href={officePage(unit.id)}>
          {t.toOverview}
        </a>
      </div>
    </>
  );
};
