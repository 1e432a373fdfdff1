import { useEffect } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { Schemas } from '../../../client/client.ts';
import { shortType } from '../../parts/claims.ts';
import { EventList } from '../../parts/event-list.tsx';
import { Notice } from '../../parts/notice.tsx';
import { ActionButton, useAction } from '../../shell/action.tsx';
import { api, ask } from '../../shell/api.ts';
import { open, requestExample } from '../../shell/examples.ts';
import { LinkForWallet } from '../../shell/exchange.tsx';
import { useLive } from '../../shell/live.ts';
import { Loaded, type Loading, useLoad } from '../../shell/load.tsx';
import { Page } from '../../shell/page.tsx';
import { to } from '../../shell/place.ts';
import { FailureNotice } from '../../shell/states.tsx';
import { texts, timeOfDay } from '../../texts/texts.ts';
import { Result } from './result.tsx';

type Session = Schemas['PresentationSession'];

/** A request: its link until a wallet has answered, then the result; both survive a reload. */
export const VerifySessionPage = () => {
  const { id = '' } = useRoute().params;
  const call = () => ask(api.GET('/verification-session/{sessionId}/info', { params: { path: { sessionId: id } } }));
  const loading = useLoad(call, id);
  return <Loaded of={loading}>{(session) => <VerifySession key={id} session={session} loading={loading} />}</Loaded>;
};

const isClosed = ({ status }: Session): boolean => ['EXPIRED', 'SUCCESSFUL', 'FAILED'].includes(status);

const VerifySession = ({ session, loading }: { session: Session; loading: Loading<Session> }) => {
  const t = texts();
  const live = useLive('verify', session.id, !isClosed(session));
  useEffect(() => {
    if (live.events.length > 0) loading.again();
  }, [live.events.length]);
  const asking = useAction(requestExample, open);
  return (
    <Page title={titleOf(session)}>
      <Outcome session={session} again={loading.again} />
      {asking.failure ? <FailureNotice failure={asking.failure} again={asking.run} /> : null}
      {isClosed(session) ? (
        <div class="actions">
          <ActionButton action={asking} text={session.status === 'EXPIRED' ? t.verify.renew : t.verify.again} isFirst />
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
  return isDeclined(session) ? t.declined : t.notVerified;
}

const isDeclined = ({ failure }: Session): boolean => failure?.type === 'wallet_error_response';

/** The type that the first query of the request names. */
function askedType({ authorizationRequest }: Session): string {
  const { credentials = [] } = (authorizationRequest.dcql_query ?? {}) as {
    credentials?: { id: string; meta?: object }[];
  };
  const [names] = Object.values(credentials[0]?.meta ?? {}) as unknown[];
  const type = [names].flat(2)[0];
  return typeof type === 'string' ? shortType(type) : (credentials[0]?.id ?? '');
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
  if (status === 'FAILED' && isDeclined(session))
    return (
      <Notice kind="warning" role="status">
        <p>{t.verify.declinedText}</p>
      </Notice>
    );
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
