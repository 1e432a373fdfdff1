import type { Schemas } from '../../../client/client.ts';
import { useAction } from '../../shell/action.tsx';
import { api, ask } from '../../shell/api.ts';
import { useDraft } from '../../shell/draft.ts';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { type Place, ServicePage, work } from '../../shell/office.tsx';
import { go, place } from '../../shell/place.ts';
import { texts } from '../../texts/texts.ts';
import { TypeForm } from './form.tsx';
import { idOf, newType } from './type-value.ts';
import { readType, typesPage } from './types.tsx';

type NewType = Schemas['CredentialTypeContent'] & { id?: string };

/** Makes a type of cards, from nothing or like one that is there. */
export const NewTypePage = () => (
  <ServicePage title={texts().types.new} type="issuer2" actions={['credential-type-create']}>
    {(service) => <Start key={service.target} service={service} />}
  </ServicePage>
);

const Start = ({ service }: { service: Place }) => {
  const { from } = place.value.query;
  const loading = useLoad(async () => (from === undefined ? startOf() : copyOf(await readType(service.target, from))));
  return <Loaded of={loading}>{(initial) => <Editor service={service} initial={initial} />}</Loaded>;
};

const startOf = () => ({ ok: true as const, data: newType(document.documentElement.lang) });

/** A type without what only the one that was made of it has. */
function copyOf(read: Awaited<ReturnType<typeof readType>>) {
  if (!read.ok) return read;
  const { display, claims, card, formats, validityDays, revocable } = read.data;
  return { ok: true as const, data: { display, claims, card, formats, validityDays, revocable } as unknown };
}

/** Makes the type of a value, which the server judges. */
function create(target: string, value: unknown) {
  const id = idOf(value);
  const body = { ...(value as NewType), ...(id !== '' && { id }) };
  const params = { path: { target } };
  return work(ask(api.POST('/v2/{target}/issuer-service-api/credential-types', { params, body })));
}

const Editor = ({ service, initial }: { service: Place; initial: unknown }) => {
  const draft = useDraft(place.value.url, initial);
  const action = useAction(
    () => create(service.target, draft.value),
    ({ id }) => {
      draft.forget();
      go(typesPage(`types/${id}`, { made: 'yes' }));
    },
  );
  return <TypeForm service={service} draft={draft} action={action} button={texts().types.create} />;
};
