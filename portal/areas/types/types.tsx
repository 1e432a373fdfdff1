import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { Schemas } from '../../../client/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Summary } from '../../parts/summary.tsx';
import { Table } from '../../parts/table.tsx';
import { useAction } from '../../shell/action.tsx';
import { api, ask } from '../../shell/api.ts';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { may, officePage, type Place, ServicePage, work } from '../../shell/office.tsx';
import { go, place } from '../../shell/place.ts';
import { FailureNotice } from '../../shell/states.tsx';
import { inLanguage, texts } from '../../texts/texts.ts';
import { TypeCard } from './look.tsx';

type CredentialType = Schemas['CredentialTypeElement'];

const ACTIONS = ['credential-type-list', 'credential-type-create'];

/** Reads one type. */
export const readType = (target: string, typeId: string) =>
  work(
    ask(api.GET('/v2/{target}/issuer-service-api/credential-types/{typeId}', { params: { path: { target, typeId } } })),
  );

/** A page of the types of the unit in the address; the issuer in the address stays. */
export function typesPage(page = 'types', query: Record<string, string | undefined> = {}): string {
  const unit = place.value.path.split('/')[2] ?? '';
  return officePage(decodeURIComponent(unit), page, { service: place.value.query.service, ...query });
}

const nameOf = ({ display, id }: CredentialType): string => inLanguage(display)?.name ?? id;

const formatsOf = ({ formats }: CredentialType): string =>
  formats.map((format) => texts().types.shortFormats[format] ?? format).join(', ');

/** The types of cards of an issuer. */
export const TypesPage = () => (
  <ServicePage title={texts().types.title} type="issuer2" actions={ACTIONS}>
    {(service) => (
      <>
        {may(service, 'credential-type-list') ? <TypeList key={service.target} service={service} /> : null}
        {may(service, 'credential-type-create') ? (
          <div class="actions">
            <a class="button first" href={typesPage('new-type')}>
              {texts().types.new}
            </a>
          </div>
        ) : null}
      </>
    )}
  </ServicePage>
);

const TypeList = ({ service }: { service: Place }) => {
  const t = texts().types;
  const params = { path: { target: service.target }, query: { limit: '100' } };
  const loading = useLoad(() => work(ask(api.GET('/v2/{target}/issuer-service-api/credential-types', { params }))));
  return (
    <Loaded of={loading}>
      {(types) =>
        types.length === 0 ? (
          <Notice kind="information">
            <p>{t.empty}</p>
          </Notice>
        ) : (
          <ul class="cards">
            {types.map((type) => (
              <li key={type.id}>
                <TypeCard value={type} issuer={service.name ?? service.target} />
                <a href={typesPage(`types/${type.id}`)}>{nameOf(type)}</a>
                <p class="quiet">{formatsOf(type)}</p>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
};

/** One type: its card, what it says, and what can be done with it. */
export const TypePage = () => {
  const { id = '' } = useRoute().params;
  return (
    <ServicePage title={texts().types.type} type="issuer2" actions={['credential-type-list']}>
      {(service) => <Type key={id} service={service} id={decodeURIComponent(id)} />}
    </ServicePage>
  );
};

const Type = ({ service, id }: { service: Place; id: string }) => {
  const loading = useLoad(() => readType(service.target, id));
  return <Loaded of={loading}>{(type) => <ShownType service={service} type={type} />}</Loaded>;
};

const ShownType = ({ service, type }: { service: Place; type: CredentialType }) => {
  const t = texts().types;
  const { display, validityDays, revocable, version } = type;
  return (
    <>
      {place.value.query.made === undefined ? null : (
        <Notice kind="good" role="status">
          <p>{t.made(nameOf(type))}</p>
        </Notice>
      )}
      {place.value.query.published === undefined ? null : (
        <Notice kind="good" role="status">
          <p>{t.published(nameOf(type), version)}</p>
        </Notice>
      )}
      <div class="beside">
        <TypeCard value={type} issuer={service.name ?? service.target} />
        <Summary
          rows={[
            ...display.map(
              ({ locale, name }) =>
                [
                  t.nameIn(locale),
                  <span key={locale} translate={false}>
                    {name}
                  </span>,
                ] as const,
            ),
            [t.formats, formatsOf(type)],
            [t.validity, validityDays === undefined ? t.noEnd : t.forDays(validityDays)],
            [t.revocation, revocable ? t.yes : t.no],
            [t.version, String(version)],
          ]}
        />
      </div>
      <ClaimTable claims={type.claims} />
      <Versions versions={type.versions} />
      <Acts service={service} type={type} />
    </>
  );
};

const ClaimTable = ({ claims }: Pick<CredentialType, 'claims'>) => {
  const t = texts().types;
  return (
    <Table caption={t.claims} heads={[t.claimName, t.kind, t.mandatoryHead, t.alwaysHead]}>
      {claims.map(({ path, type, label = [], mandatory, disclosure }) => (
        <tr key={path.join('/')}>
          <th scope="row" translate={false}>
            {inLanguage(label)?.name ?? path.filter(Boolean).join(' › ')}
          </th>
          <td>{t.kinds[type]}</td>
          <td>{mandatory ? t.yes : t.no}</td>
          <td>{disclosure === 'always' ? t.yes : t.no}</td>
        </tr>
      ))}
    </Table>
  );
};

const Versions = ({ versions }: Pick<CredentialType, 'versions'>) => {
  const t = texts().types;
  return (
    <Table caption={t.versions} heads={[t.version, t.publishedAt, t.publishedBy]}>
      {versions.map(({ version, createdDateTime, account }) => (
        <tr key={version}>
          <th scope="row">{version}</th>
          <td>
            <Moment at={createdDateTime} />
          </td>
          <td>
            <code>{account}</code>
          </td>
        </tr>
      ))}
    </Table>
  );
};

/** What the account may do with a type. */
const Acts = ({ service: { target, ...service }, type }: { service: Place; type: CredentialType }) => {
  const t = texts().types;
  const path = { target, typeId: type.id };
  const [isAsking, setAsking] = useState(false);
  const removing = useAction(
    () => work(ask(api.DELETE('/v2/{target}/issuer-service-api/credential-types/{typeId}', { params: { path } }))),
    () => go(typesPage(), { replace: true }),
  );
  return (
    <>
      {removing.failure ? <FailureNotice failure={removing.failure} again={removing.run} /> : null}
      <div class="actions">
        {may({ target, ...service }, 'issuer-credential-issue') ? (
          <a class="button first" href={typesPage('issue', { type: type.offers[0]?.profileId })}>
            {t.issue}
          </a>
        ) : null}
        {may({ target, ...service }, 'credential-type-update') ? (
          <a class="button" href={typesPage(`types/${type.id}/change`)}>
            {t.change}
          </a>
        ) : null}
        {may({ target, ...service }, 'credential-type-create') ? (
          <a class="button" href={typesPage('new-type', { from: type.id })}>
            {t.copy}
          </a>
        ) : null}
        {may({ target, ...service }, 'credential-type-delete') ? (
          <button type="button" onClick={() => setAsking(true)}>
            {t.remove}
          </button>
        ) : null}
      </div>
      {isAsking ? (
        <Confirm
          title={t.removeAsk(nameOf(type))}
          text={t.removeText}
          yes={t.remove}
          no={texts().cancel}
          onYes={() => {
            setAsking(false);
            removing.run();
          }}
          onNo={() => setAsking(false)}
        />
      ) : null}
    </>
  );
};
