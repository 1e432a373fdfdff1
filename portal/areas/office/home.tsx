import { useEffect } from 'preact/hooks';
import { Notice } from '../../parts/notice.tsx';
import { areasOf, may, type Office, OfficePage, officePage } from '../../shell/office.tsx';
import { go } from '../../shell/place.ts';
import { texts } from '../../texts/texts.ts';
import { PlaceList } from './choose.tsx';

/** What can be done at a place; the only unit of a clerk is entered at once. */
export const HomePage = () => (
  <OfficePage title={texts().office.overview}>{(office) => <Home office={office} />}</OfficePage>
);

const Home = ({ office }: { office: Office }) => {
  const t = texts().office;
  const { here, below } = office;
  const areas = areasOf(office);
  const units = below.filter(({ type }) => type === 'tenant');
  const maySetUp = may(here, here.type === 'tenant' ? 'service-create' : 'tenant-create');
  const isEmpty = below.length === 0;
  const only = areas.length === 0 && !maySetUp && units.length === 1 ? units[0]?.target : undefined;
  useEffect(() => {
    if (only !== undefined) go(officePage(only), { replace: true });
  }, [only]);
  if (only !== undefined) return null;
  return (
    <>
      {areas.length > 0 ? (
        <ul class="tasks">
          {areas.map(({ page }) => (
            <li key={page}>
              <a href={officePage(here.target, page)}>{t.areas[page].name}</a>
              <span class="check-text quiet">{t.areas[page].text}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {units.length > 0 ? (
        <section>
          <h2>{t.home.units}</h2>
          <PlaceList places={units} />
        </section>
      ) : null}
      {areas.length === 0 && units.length === 0 ? (
        <Notice kind="information">
          <p>{isEmpty && maySetUp ? t.home.setUpText : t.home.nothing}</p>
        </Notice>
      ) : null}
      {maySetUp && (here.type === 'organization' || isEmpty) ? (
        <div class="actions">
          <a class={isEmpty ? 'button first' : 'button'} href={officePage(here.target, 'set-up')}>
            {t.home.setUp}
          </a>
        </div>
      ) : null}
    </>
  );
};
