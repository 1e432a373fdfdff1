import { useRoute } from 'preact-iso/router';
import { configurationName } from '../../parts/cards/claims.ts';
import { ActionButton, useAction } from '../../shell/action.tsx';
import { open, requestExample } from '../../shell/examples.ts';
import { Loaded, type Loading, useLoad } from '../../shell/load.tsx';
import { Page } from '../../shell/page.tsx';
import { to } from '../../shell/place.ts';
import { FailureNotice } from '../../shell/states.tsx';
import { texts } from '../../texts/texts.ts';
import { readSession } from './issuer.ts';
import { offer, requestOf } from './made.ts';
import { OfferSession } from './offer-session.tsx';
import type { Session } from './values.ts';

/** An offer of the open issuer. */
export const IssueSessionPage = () => {
  const { id = '' } = useRoute().params;
  const loading = useLoad(() => readSession(undefined, id), id);
  return (
    <Loaded of={loading} title={texts().issue.offer}>
      {(session) => <IssueSession key={id} session={session} loading={loading} />}
    </Loaded>
  );
};

const IssueSession = ({ session, loading }: { session: Session; loading: Loading<Session> }) => {
  const t = texts().issue;
  const name = configurationName(session.credentialConfigurationId ?? '');
  const renewing = useAction(
    () => offer(undefined, requestOf(session)),
    (made) => open(to(`/issue/session/${made.offerId}`, { offer: made.credentialOffer })),
  );
  const asking = useAction(() => requestExample(session.profileId), open);
  const failed = [asking, renewing].find(({ failure }) => failure);
  const notice = failed?.failure ? <FailureNotice failure={failed.failure} again={failed.run} /> : null;
  return (
    <Page title={session.status === 'SUCCESSFUL' ? t.taken(name) : t.title(name)}>
      <OfferSession
        issuer={undefined}
        session={session}
        loading={loading}
        taken={
          <>
            {notice}
            <div class="actions">
              <ActionButton action={asking} text={t.verify} isFirst />
              <ActionButton action={renewing} text={t.another} />
            </div>
          </>
        }
        ended={
          <>
            {notice}
            <div class="actions">
              <ActionButton action={renewing} text={t.renew} isFirst />
            </div>
          </>
        }
      />
    </Page>
  );
};
