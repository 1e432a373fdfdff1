import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { EventList } from '../../parts/event-list.tsx';
import { Notice } from '../../parts/notice.tsx';
import { LinkForWallet } from '../../shell/exchange.tsx';
import { useLive } from '../../shell/live.ts';
import type { Loading } from '../../shell/load.tsx';
import { place, to } from '../../shell/place.ts';
import { texts, timeOfDay } from '../../texts/texts.ts';
import { eventsOf, type Issuer } from './issuer.ts';
import { madeAs } from './made.ts';
import type { Session } from './values.ts';

interface OfferSessionProps {
  issuer: Issuer;
  session: Session;
  loading: Loading<Session>;
  /** What stands beside the link while no wallet has taken the offer. */
  beside?: ComponentChildren;
  /** What can be done once a wallet has the card. */
  taken: ComponentChildren;
  /** What can be done when no wallet can take it any more. */
  ended: ComponentChildren;
}

/** An offer: its link until a wallet has taken it, and what has happened. */
export const OfferSession = ({ issuer, session, loading, beside, taken, ended }: OfferSessionProps) => {
  const t = texts();
  const { sessionId, isClosed, status, statusReason, expiresAt } = session;
  const live = useLive(eventsOf(issuer, sessionId), sessionId, !isClosed);
  useEffect(() => {
    if (live.events.length > 0) loading.again();
  }, [live.events.length]);
  const isExpired = status === 'EXPIRED';
  return (
    <>
      {isClosed ? null : <Open session={session} again={loading.again} beside={beside} />}
      {isClosed && status === 'SUCCESSFUL' ? (
        <>
          <Notice kind="good" role="status">
            <p>{t.issue.takenText}</p>
          </Notice>
          {taken}
        </>
      ) : null}
      {isClosed && status !== 'SUCCESSFUL' ? (
        <>
          <Notice kind="warning" title={isExpired ? t.issue.expired : t.issue.failed} role="status">
            <p>{isExpired ? t.exchange.wasValidUntil(timeOfDay(expiresAt)) : statusReason}</p>
          </Notice>
          {ended}
        </>
      ) : null}
      <EventList events={live.events} state={live.state} words={t.issue.events} />
    </>
  );
};

const Open = ({ session, again, beside }: { session: Session; again(): void; beside: ComponentChildren }) => {
  const t = texts().issue;
  const { offer } = place.value.query;
  if (offer === undefined) return <p>{t.noLink}</p>;
  const until = Date.parse(session.expiresAt);
  return (
    <>
      <p>{t.lead}</p>
      <LinkForWallet link={offer} here={to('/wallet/receive', { offer })} until={until} over={again} />
      <Code session={session} />
      {beside}
    </>
  );
};

/** The transaction code, which is shown once. */
const Code = ({ session }: { session: Session }) => {
  const t = texts().issue;
  const code = madeAs(session)?.offer.txCodeValue;
  if (code === undefined) return null;
  return (
    <div class="panel">
      <h2>{t.codeIs}</h2>
      <p class="large" translate={false}>
        {code}
      </p>
      <p>{t.codeOnce}</p>
    </div>
  );
};
