import { useRoute } from 'preact-iso/router';
import { StateWord } from '../../parts/cards/state-word.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Summary } from '../../parts/summary.tsx';
import { type OfferedCard, offeredBy } from '../../queries/offered.ts';
import { api, ask } from '../../shell/api.ts';
import { AskFirst } from '../../shell/ask-first.tsx';
import { ChangeHistory, ChangeState, STATES } from '../../shell/change-state.tsx';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { may, type Place, ServicePage, work } from '../../shell/office.tsx';
import { texts } from '../../texts/texts.ts';
import { cardName, type Issued, issuedPage } from './reads.ts';

/** One issued card: what is known of it, and what can be done with it. */
export const IssuedOnePage = () => {
  const { id = '' } = useRoute().params;
  return (
    <ServicePage title={texts().issued.one} type="issuer2" actions={['issued-credential-list']}>
      {(service) => <One key={id} service={service} id={decodeURIComponent(id)} />}
    </ServicePage>
  );
};

const One = ({ service, id }: { service: Place; id: string }) => {
  const path = { target: service.target, issuedId: id };
  const loading = useLoad(async () => {
    const call = api.GET('/v2/{target}/issuer-service-api/issued/{issuedId}', { params: { path } });
    const [read, cards] = await Promise.all([work(ask(call)), offeredBy(service.target)]);
    return read.ok ? { ok: true, data: { issued: read.data, cards } } : read;
  }, id);
  return <Loaded of={loading}>{(data) => <Shown {...data} service={service} changed={loading.again} />}</Loaded>;
};

interface ShownProps {
  service: Place;
  issued: Issued;
  cards: readonly OfferedCard[];
  changed(): void;
}

const Shown = ({ service, issued, cards, changed }: ShownProps) => {
  const t = texts().issued;
  const name = cardName(issued, cards);
  return (
    <>
      <Facts issued={issued} name={name} />
      {issued.statusTarget === undefined ? <p>{t.noStatus}</p> : null}
      <Acts service={service} issued={issued} name={name} changed={changed} />
      <History entries={issued.entries ?? []} />
      <p>
        <a href={issuedPage()}>{t.toList}</a>
      </p>
    </>
  );
};

const Facts = ({ issued, name }: { issued: Issued; name: string }) => {
  const t = texts().issued;
  const { id, format, reference, recipient, state, issuedDateTime, updatedDateTime, credentials, typeVersion } = issued;
  const data = (value: string) => (
    <span key={value} translate={false}>
      {value}
    </span>
  );
  const word = texts().office.states[STATES[state]];
  return (
    <Summary
      rows={[
        [t.state, <StateWord key="state" state={STATES[state]} word={word} />],
        [t.card, data(`${name} (${texts().queries.formats[format] ?? format})`)],
        ...(typeVersion === undefined ? [] : [[t.typeVersion, String(typeVersion)] as const]),
        ...(reference === undefined ? [] : [[t.reference, data(reference)] as const]),
        ...(recipient === undefined ? [] : [[t.recipient, data(recipient)] as const]),
        [t.when, <Moment key="when" at={issuedDateTime} />],
        [t.changed, <Moment key="changed" at={updatedDateTime} />],
        [t.copies, String(credentials)],
        [t.id, <code key="id">{id}</code>],
      ]}
    />
  );
};

interface ActsProps {
  service: Place;
  issued: Issued;
  name: string;
  changed(): void;
}

const Acts = ({ service, issued, name, changed }: ActsProps) => {
  const t = texts().issued;
  const { id, credentialConfigurationId: type, reference, recipient, state, statusTarget } = issued;
  const path = { target: service.target, issuedId: id };
  const called = reference ?? recipient ?? name;
  return (
    <div class="actions">
      {may(service, 'issuer-credential-issue') ? (
        <a class="button" href={issuedPage('issue', { type, reference, recipient })}>
          {t.again}
        </a>
      ) : null}
      {statusTarget !== undefined && may(service, 'issued-credential-change') ? (
        <ChangeState
          name={`${name} (${called})`}
          state={state}
          change={(body) =>
            ask(api.POST('/v2/{target}/issuer-service-api/issued/{issuedId}/changes', { params: { path }, body }))
          }
          done={changed}
        />
      ) : null}
      {recipient !== undefined && may(service, 'issuer-recipient-delete') ? (
        <AskFirst
          text={t.forget}
          title={t.forgetAsk(recipient)}
          warning={t.forgetText}
          call={() =>
            ask(api.DELETE('/v2/{target}/issuer-service-api/issued/{issuedId}/recipient', { params: { path } }))
          }
          done={changed}
        />
      ) : null}
    </div>
  );
};

type Entry = NonNullable<Issued['entries']>[number];
type Change = Entry['history'][number];

/** The changes of all credentials, each once with how many it was of, the latest first. */
function changesOf(entries: readonly Entry[]): { change: Change; count: number }[] {
  const counted = new Map<string, { change: Change; count: number }>();
  for (const change of entries.flatMap(({ history }) => history)) {
    // Credentials that were changed together differ in some milliseconds.
    const name = JSON.stringify({ ...change, changedAt: change.changedAt.slice(0, 19) });
    const known = counted.get(name);
    counted.set(name, { change: known?.change ?? change, count: (known?.count ?? 0) + 1 });
  }
  return [...counted.values()]
    .sort((one, other) => one.change.changedAt.localeCompare(other.change.changedAt))
    .reverse();
}

const History = ({ entries }: { entries: readonly Entry[] }) => {
  const t = texts().issued;
  const changes = changesOf(entries);
  if (entries.length === 0) return null;
  return (
    <ChangeHistory
      changes={changes.map(({ change }) => change)}
      more={{ head: t.copies, at: (index) => t.entries(changes[index]?.count ?? 0) }}
    />
  );
};
