import { useRoute } from 'preact-iso/router';
import { configurationName } from '../../parts/cards/claims.ts';
import { OfferSheet } from '../../parts/offer-sheet.tsx';
import { ActionButton, useAction } from '../../shell/action.tsx';
import { Loaded, type Loading, useLoad } from '../../shell/load.tsx';
import { may, type Office, type Place, ServicePage } from '../../shell/office.tsx';
import { go, place } from '../../shell/place.ts';
import { FailureNotice } from '../../shell/states.tsx';
import { texts } from '../../texts/texts.ts';
import { cardName } from './choice.tsx';
import { readProfiles, readSession } from './issuer.ts';
import { madeAs, offer, requestOf } from './made.ts';
import { OfferSession } from './offer-session.tsx';
import { ISSUING, issuePage, sessionPage } from './office-pages.ts';
import type { Profile, Session } from './values.ts';

/** An offer of an office: for the screen, for paper, and what became of it. */
export const OfficeSessionPage = () => {
  const { id = '' } = useRoute().params;
  return (
    <ServicePage title={texts().issuing.offerTitle} type="issuer2" actions={ISSUING}>
      {(service, office) => <One key={id} service={service} office={office} id={decodeURIComponent(id)} />}
    </ServicePage>
  );
};

interface OneProps {
  service: Place;
  office: Office;
}

const One = ({ id, ...props }: OneProps & { id: string }) => {
  const { target } = props.service;
  const loading = useLoad(() => readSession(target, id), id);
  const profiles = useLoad(() => readProfiles(target), target);
  return (
    <Loaded of={loading}>
      {(session) => (
        <Loaded of={profiles}>
          {(all) => <Shown {...props} session={session} loading={loading} profiles={all} />}
        </Loaded>
      )}
    </Loaded>
  );
};

interface ShownProps extends OneProps {
  session: Session;
  loading: Loading<Session>;
  profiles: readonly Profile[];
}

const Shown = ({ service, office, session, loading, profiles }: ShownProps) => {
  const { profileId, reference } = session;
  const profile = profiles.find((one) => one.profileId === profileId);
  const name = profile ? cardName(profile) : configurationName(session.credentialConfigurationId ?? '');
  const organization = office.here.name ?? service.name ?? service.target;
  return (
    <>
      <h2 translate={false}>{[name, reference].filter(Boolean).join(' · ')}</h2>
      <OfferSession
        issuer={service.target}
        session={session}
        loading={loading}
        beside={<Beside session={session} name={name} organization={organization} />}
        taken={<Taken session={session} service={service} />}
        ended={<Ended session={session} service={service} />}
      />
    </>
  );
};

interface EndProps {
  session: Session;
  service: Place;
}

const Taken = ({ session: { profileId, issuedId }, service }: EndProps) => {
  const t = texts().issuing;
  return (
    <div class="actions">
      <a class="button first" href={issuePage('issue', { type: profileId })}>
        {t.another}
      </a>
      {issuedId !== undefined && may(service, 'issued-credential-list') ? (
        <a class="button" href={issuePage(`issued/${issuedId}`)}>
          {t.toIssued}
        </a>
      ) : null}
    </div>
  );
};

/** The next offer has the same data; after a reload, which forgets them, they are typed again. */
const Ended = ({ session, service }: EndProps) => {
  const t = texts().issue;
  const { profileId: type, reference, recipient } = session;
  const renewing = useAction(
    () => offer(service.target, requestOf(session)),
    (next) => go(sessionPage(next)),
  );
  return (
    <>
      {renewing.failure ? <FailureNotice failure={renewing.failure} again={renewing.run} /> : null}
      <div class="actions">
        {madeAs(session) ? (
          <ActionButton action={renewing} text={t.renew} isFirst />
        ) : (
          <a class="button first" href={issuePage('issue', { type, reference, recipient })}>
            {t.renew}
          </a>
        )}
      </div>
    </>
  );
};

interface BesideProps {
  session: Session;
  name: string;
  organization: string;
}

/** The sheets for paper. */
const Beside = ({ session, name, organization }: BesideProps) => {
  const t = texts().issuing;
  const { offer: link = '' } = place.value.query;
  const code = madeAs(session)?.offer.txCodeValue;
  return (
    <>
      <div class="actions">
        <button type="button" onClick={() => print()}>
          {t.print}
        </button>
      </div>
      <div class="sheets">
        <OfferSheet
          organization={organization}
          name={name}
          reference={session.reference}
          link={link}
          until={session.expiresAt}
          code={code}
        />
      </div>
    </>
  );
};
