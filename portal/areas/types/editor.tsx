import { useRoute } from 'preact-iso/router';
import type { Schemas } from '../../../client/client.ts';
import { withValue } from '../../forms/pointers.ts';
import { useTwoViews, Views } from '../../parts/two-views.tsx';
import { useAction } from '../../shell/action.tsx';
import { api, ask } from '../../shell/api.ts';
import { useDraft } from '../../shell/draft.ts';
import { Form } from '../../shell/form.tsx';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { officePage, type Place, ServicePage, work } from '../../shell/office.tsx';
import { go, place } from '../../shell/place.ts';
import { texts } from '../../texts/texts.ts';
import { ClaimFields } from './claims.tsx';
import { FormatFields } from './formats.tsx';
import { CardFields } from './look.tsx';
import { NameFields } from './naming.tsx';
import { idOf, newType } from './type-value.ts';
import { readType } from './types.tsx';

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
  const t = texts().types;
  const { target = '' } = useRoute().params;
  const draft = useDraft(place.value.url, initial);
  const { value, set } = draft;
  const views = useTwoViews(value, set);
  const action = useAction(
    () => create(service.target, value),
    ({ id }) => {
      draft.forget();
      go(officePage(decodeURIComponent(target), `types/${id}`, { service: place.value.query.service, made: 'yes' }));
    },
  );
  const editing = {
    value,
    change: (path: Parameters<typeof withValue>[1], part: unknown) => set(withValue(value, path, part)),
  };
  return (
    <Form action={views.isBroken ? { isBusy: false, run: views.insist } : action} button={t.create}>
      <Views views={views}>
        <NameFields {...editing} />
        <ClaimFields {...editing} />
        <CardFields {...editing} issuer={service.name ?? service.target} />
        <FormatFields {...editing} />
      </Views>
    </Form>
  );
};
