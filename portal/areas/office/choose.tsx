import { useEffect, useState } from 'preact/hooks';
import type { Schemas } from '../../../client/client.ts';
import { Notice } from '../../parts/notice.tsx';
import { api, ask } from '../../shell/api.ts';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { LogOut, officePage, work } from '../../shell/office.tsx';
import { Page } from '../../shell/page.tsx';
import { go, place, to } from '../../shell/place.ts';
import { texts } from '../../texts/texts.ts';

type Place = Schemas['Place'];

/** The organizations and who the account is. */
async function entrance() {
  const [listed, own] = await Promise.all([
    work(ask(api.GET('/v1/admin/organizations'))),
    ask(api.GET('/v1/admin/me')),
  ]);
  if (!listed.ok) return listed;
  return own.ok ? { ok: true as const, data: { places: listed.data, mayCreate: own.data.superadmin } } : own;
}

/** Where the account works; the only place is entered at once. */
export const ChoosePage = () => {
  const t = texts().office.choose;
  const loading = useLoad(entrance);
  return (
    <Page title={t.title}>
      <Loaded of={loading}>{(found) => <Choice {...found} />}</Loaded>
    </Page>
  );
};

const Choice = ({ places, mayCreate }: { places: Place[]; mayCreate: boolean }) => {
  const t = texts().office.choose;
  // As it was when the page was opened: a way to another page is not one to the only place.
  const [isChoosing] = useState(place.value.query.choose !== undefined);
  const only = places.length === 1 && !isChoosing ? places[0]?.target : undefined;
  useEffect(() => {
    if (only !== undefined) go(officePage(only), { replace: true });
  }, [only]);
  if (only !== undefined) return null;
  return (
    <>
      {places.length === 0 ? (
        <Notice kind="information">
          <p>{mayCreate ? t.empty : t.none}</p>
        </Notice>
      ) : (
        <PlaceList places={places} />
      )}
      {mayCreate ? (
        <ul class="plain">
          <li>
            <a href={to('/account/health')}>{t.health}</a>
          </li>
          <li>
            <a href={to('/account/audit')}>{t.audit}</a>
          </li>
        </ul>
      ) : null}
      <div class="actions">
        {mayCreate ? (
          <a class={places.length === 0 ? 'button first' : 'button'} href={to('/account/new-organization')}>
            {t.create}
          </a>
        ) : null}
        <LogOut />
      </div>
    </>
  );
};

/** Places by name, each with a link to its overview. */
export const PlaceList = ({ places }: { places: readonly Place[] }) => (
  <ul class="tasks">
    {places.map(({ target, name = target }) => (
      <li key={target}>
        <a href={officePage(target)}>{name}</a> {name === target ? null : <span class="quiet">{target}</span>}
      </li>
    ))}
  </ul>
);
