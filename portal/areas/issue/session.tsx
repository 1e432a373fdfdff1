import { useEffect } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { Schemas } from '../../../client/client.ts';
import { configurationName } from '../../parts/cards/claims.ts';
import { EventList } from '../../parts/event-list.tsx';
import { Notice } from '../../parts/notice.tsx';
import { ActionButton, useAction } from '../../shell/action.tsx';
import { api, ask } from '../../shell/api.ts';
import { offerExample, open, requestExample } from '../../shell/examples.ts';
import { LinkForWallet } from '../../shell/exchange.tsx';
import { useLive } from '../../shell/live.ts';
import { Loaded, type Loading, useLoad } from '../../shell/load.tsx';
import { Page } from '../../shell/page.tsx';
import { place, to } from '../../shell/place.ts';
import { FailureNotice } from '../../shell/states.tsx';
import { texts, timeOfDay } from '../../texts/texts.ts';

type Session = Schemas['IssuanceSession'];

/** An offer: its link until a wallet has taken it, and what has happened. */
export const IssueSessionPage = () => {
  const { id = '' } = useRoute().params;
  const call = () => ask(api.GET('/issuer2/sessions/{sessionId}', { params: { path: { sessionId: id } } }));
  const loading = useLoad(call, id);
  return <Loaded of={loading}>{(session) => <IssueSession key={id} session={session} loading={loading} />}</Loaded>;
};

const IssueSession = ({ session, loading }: { session: Session; loading: Loading<Session> }) => {
  const t = texts();
  const live = useLive('issue', session.sessionId, !session.isClosed);
  useEffect(() => {
    if (live.events.length > 0) loading.again();
  }, [live.events.length]);
  const name = configurationName(session.credentialConfigurationId ?? '');
  return (
    <Page title={session.status === 'SUCCESSFUL' ? t.issue.taken(name) : t.issue.title(name)}>
      <Outcome session={session} again={loading.again} />
      <EventList events={live.events} state={live.state} words={t.issue.events} />
    </Page>
  );
};

interface OutcomeProps {
  session: Session;
  again: () => void;
}

const Outcome = ({ session, again }: OutcomeProps) => {
  if (!session.isClosed) return <Open session={session} again={again} />;
  return session.status === 'SUCCESSFUL' ? <Taken session={session} /> : <Ended session={session} />;
};

const Open = ({ session, again }: OutcomeProps) => {
  const t = texts().issue;
  const { offer } = place.value.query;
  if (offer === undefined) return <p>{t.noLink}</p>;
  const until = Date.parse(session.expiresAt);
  return (
    <>
      <p>{t.lead}</p>
      <LinkForWallet link={offer} here={to('/wallet/receive', { offer })} until={until} over={again} />
    </>
  );
};

const Taken = ({ session: { profileId } }: Pick<OutcomeProps, 'session'>) => {
  const t = texts().issue;
  const renewing = useAction(() => offerExample(profileId), open);
  const asking = useAction(() => requestExample(profileId), open);
  const failed = [asking, renewing].find(({ failure }) => failure);
  return (
    <>
      <Notice kind="good" role="status">
        <p>{t.takenText}</p>
      </Notice>
      {failed?.failure ? <FailureNotice failure={failed.failure} again={failed.run} /> : null}
      <div class="actions">
        <ActionButton action={asking} text={t.verify} isFirst />
        <ActionButton action={renewing} text={t.another} />
      </div>
    </>
  );
};

/** An offer that no wallet can take any more: the next one has the same data. */
const Ended = ({ session }: Pick<OutcomeProps, 'session'>) => {
  const t = texts();
  const renewing = useAction(() => offerExample(session.profileId), open);
  const isExpired = session.status === 'EXPIRED';
  return (
    <>
      <Notice kind="warning" title={isExpired ? t.issue.expired : t.issue.failed} role="status">
        <p>{isExpired ? t.exchange.wasValidUntil(timeOfDay(session.expiresAt)) : session.statusReason}</p>
      </Notice>
      {renewing.failure ? <FailureNotice failure={renewing.failure} again={renewing.run} /> : null}
      <div class="actions">
        <ActionButton action={renewing} text={t.issue.renew} isFirst />
      </div>
    </>
  );
};
