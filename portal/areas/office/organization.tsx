import { useAction } from '../../shell/action.tsx';
import { api, ask } from '../../shell/api.ts';
import { Form, refusalOf } from '../../shell/form.tsx';
import { officePage, work } from '../../shell/office.tsx';
import { Page } from '../../shell/page.tsx';
import { go } from '../../shell/place.ts';
import { texts } from '../../texts/texts.ts';
import { type Named, NameFields, useNamed } from './named.tsx';

const create = ({ name, id: _id }: Named) =>
  work(ask(api.POST('/v1/admin/organizations', { body: { _id, profile: { name } } })));

/** A superadmin makes an organization. */
export const OrganizationPage = () => {
  const t = texts().office.organization;
  const fields = useNamed();
  const action = useAction(
    () => create(fields.named),
    ({ _id }) => go(officePage(_id, 'set-up')),
  );
  return (
    <Page title={t.title}>
      <Form action={action} button={t.button} said={refusalOf(action.failure) === 'Conflict' ? <p>{t.taken}</p> : null}>
        <NameFields {...fields} label={t.name} idField="_id" />
      </Form>
    </Page>
  );
};
