import { useState } from 'preact/hooks';
import { Field } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../shell/action.tsx';
import { Form } from '../../shell/form.tsx';
import { may, type Office, OfficePage, officePage } from '../../shell/office.tsx';
import { texts } from '../../texts/texts.ts';
import { type Named, NameFields, useNamed } from './named.tsx';
import { makeUnit, type Resource } from './unit.ts';

/** The country that the reader's browser is set to. */
const ownCountry = (): string => new Intl.Locale(navigator.language).region ?? '';

/** Makes everything that a unit needs, and says what was made. */
export const SetUpPage = () => (
  <OfficePage title={texts().office.setUp.title}>{(office) => <SetUp office={office} />}</OfficePage>
);

const SetUp = ({ office: { here } }: { office: Office }) => {
  const t = texts().office;
  const fields = useNamed();
  const [made, setMade] = useState<{ unit: Named; services: Resource[] }>();
  const [country, setCountry] = useState(ownCountry);
  const mayCertify = may(here, 'certificate-issue') && may(here, 'certificate-list') && may(here, 'key-create');
  const isUnit = here.type === 'tenant';
  const unit = isUnit ? { name: here.name ?? here.target, id: here.target } : fields.named;
  const target = isUnit ? here.target : `${here.target}.${unit.id}`;
  const action = useAction(
    () => makeUnit({ target, name: unit.name, isThere: isUnit, country: mayCertify ? country.trim() : undefined }),
    (services) => setMade({ unit: { ...unit, id: target }, services }),
  );
  if (!may(here, isUnit ? 'service-create' : 'tenant-create')) return <p>{t.home.nothing}</p>;
  if (made) return <Made {...made} />;
  return (
    <>
      <p>{t.setUp.text}</p>
      <Form action={action} button={t.setUp.button}>
        {isUnit ? null : <NameFields {...fields} label={t.setUp.name} hint={t.setUp.nameHint} idField="target" />}
        {mayCertify ? (
          <Field
            id="country"
            label={t.setUp.country}
            hint={t.setUp.countryHint}
            value={country}
            onValue={setCountry}
            maxLength={2}
            autocomplete="country"
          />
        ) : (
          <p>{t.setUp.uncertified}</p>
        )}
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
