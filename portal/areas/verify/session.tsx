import { useEffect } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import { shortType } from '../../parts/cards/claims.ts';
import { EventList } from '../../parts/event-list.tsx';
import { Notice } from '../../parts/notice.tsx';
import { credentialsOf, typeOf } from '../../queries/query.ts';
import { isClosed, reasonOf, type Session } from '../../queries/results.ts';
import { ActionButton, useAction } from '../../shell/action.tsx';
import { api, ask } from '../../shell/api.ts';
import { open } from '../../shell/examples.ts';
import { LinkForWallet } from '../../shell/exchange.tsx';
import { useLive } from '../../shell/live.ts';
import { Loaded, type Loading, useLoad } from '../../shell/load.tsx';
import { Page } from '../../shell/page.tsx';
import { to } from '../../shell/place.ts';
import { FailureNotice } from '../../shell/states.tsx';
import { texts, timeOfDay } from '../../texts/texts.ts';
import { builderPage, createRequest, requestOf } from './request.ts';
import { Result } from './result.tsx';

/** A request: its link until a wallet has answered, then the result; both survive a reload. */
export const VerifySessionPage = () => {
  const { id = '' } = useRoute().params;
  const call = () => ask(api.GET('/verification-session/{sessionId}/info', { params: { path: { sessionId: id } } }));
  const loading = useLoad(call, id);
  return (
    <Loaded of={loading} title={texts().verify.request}>
      {(session) => <VerifySession key={id} session={session} loading={loading} />}
    </Loaded>
  );
};

/** Opens the stream of a session. */
const eventsOf = (sessionId: string) => (last: string, signal: AbortSignal) => {
  const params = { path: { sessionId }, header: { 'Last-Event-ID': last } };
  return api.GET('/verification-session/{sessionId}/events', { params, parseAs: 'stream', signal });
};

const VerifySession = ({ session, loading }: { session: Session; loading: Loading<Session> }) => {
  const t = texts();
  const live = useLive(eventsOf(session.id), session.id, !isClosed(session));
  useEffect(() => {
    if (live.events.length > 0) loading.again();
  }, [live.events.length]);
  const asking = useAction(() => createRequest(requestOf(session)), open);
  return (
    <Page title={titleOf(session)}>
      <Outcome session={session} again={loading.again} />
      {asking.failure ? <FailureNotice failure={asking.failure} again={asking.run} /> : null}
      {isClosed(session) ? (
        <div class="actions">
          <ActionButton action={asking} text={session.status === 'EXPIRED' ? t.verify.renew : t.verify.again} isFirst />
          <a class="button" href={builderPage(requestOf(session))}>
            {t.verify.changeRequest}
          </a>
        </div>
      ) : null}
      <EventList events={live.events} state={live.state} words={t.verify.events} />
    </Page>
  );
};

function titleOf(session: Session): string {
  const t = texts().verify;
  if (session.status === 'SUCCESSFUL') return t.verified;
  if (session.status === 'EXPIRED') return t.expired;
  if (session.status !== 'FAILED') return t.title(askedType(session));
  return { declined: t.declined, 'wallet-error': t.walletError }[reasonOf(session)] ?? t.notVerified;
}

/** The type that the first query of the request names. */
function askedType({ authorizationRequest }: Session): string {
  const [first] = credentialsOf(authorizationRequest.dcql_query);
  return first ? shortType(typeOf(first)) || first.id : '';
}

const Outcome = ({ session, again }: { session: Session; again: () => void }) => {
  const t = texts();
  const { status, bootstrapAuthorizationRequestUrl: link, expirationDate, failure } = session;
  if (status === 'EXPIRED')
    return (
      <Notice kind="warning" role="status">
        <p>{t.exchange.wasValidUntil(timeOfDay(expirationDate))}</p>
      </Notice>
    );
  if (failure?.type === 'wallet_error_response') return <NoAnswer session={session} />;
  if (isClosed(session)) return <Result session={session} />;
  if (link === undefined || failure) return null;
  return (
    <>
      <p>{t.verify.lead}</p>
      <LinkForWallet
        link={link}
        here={to('/wallet/present', { request: link, session: session.id })}
        until={Date.parse(expirationDate)}
        over={again}
      />
    </>
  );
};

/** The wallet answered that there is no answer: since its user does not want to, or for another reason. */
const NoAnswer = ({ session }: { session: Session }) => {
  const t = texts().verify;
  const isDeclined = reasonOf(session) === 'declined';
  return (
    <Notice kind="warning" role="status">
      <p>{isDeclined ? t.declinedText : t.walletErrorText}</p>
      {isDeclined ? null : (
        <p class="quiet" lang="en">
          {session.failure?.error_description ?? session.failure?.error}
        </p>
      )}
    </Notice>
  );
};
