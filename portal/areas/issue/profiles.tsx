import { useRoute } from 'preact-iso/router';
import { isTechnical } from '../../parts/cards/claims.ts';
import { api, ask } from '../../shell/api.ts';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { Page } from '../../shell/page.tsx';
import { go, to } from '../../shell/place.ts';
import { texts } from '../../texts/texts.ts';
import { Choice, cardName } from './choice.tsx';
import { readProfiles } from './issuer.ts';
import { OfferForm } from './offer-form.tsx';
import type { OfferRequest, Profile } from './values.ts';

/** The cards of the open issuer. */
export const ProfilesPage = () => {
  const loading = useLoad(() => readProfiles(undefined));
  return (
    <Page title={texts().issuing.title}>
      <Loaded of={loading}>
        {(profiles) => (
          <Choice profiles={profiles} pageOf={({ profileId }) => to(`/issue/${encodeURIComponent(profileId)}`)} />
        )}
      </Loaded>
    </Page>
  );
};

/** One card of the open issuer, with the data of its example. */
export const ProfilePage = () => {
  const { profile: name = '' } = useRoute().params;
  const id = decodeURIComponent(name);
  const loading = useLoad(
    () => ask(api.GET('/issuer2/profiles/{profileId}', { params: { path: { profileId: id } } })),
    id,
  );
  return (
    <Page title={loading.data ? cardName(loading.data) : texts().issuing.title}>
      <p>
        <a href={to('/issue')}>{texts().issuing.otherCard}</a>
      </p>
      <Loaded of={loading}>{(profile) => <OneProfile key={id} profile={profile} />}</Loaded>
    </Page>
  );
};

/** What is for people in the data of a profile; the rest stays as the profile has it. */
const dataOf = ({ credentialData }: Profile) =>
  Object.fromEntries(Object.entries(credentialData).filter(([name, value]) => !isTechnical({ path: [name], value })));

const OneProfile = ({ profile }: { profile: Profile }) => {
  const initial: OfferRequest = {
    profileId: profile.profileId,
    authMethod: 'PRE_AUTHORIZED',
    runtimeOverrides: { credentialData: dataOf(profile) },
    expiresInSeconds: 300,
  };
  return (
    <OfferForm
      issuer={undefined}
      profile={profile}
      nodes={[]}
      initial={initial}
      done={({ offerId, credentialOffer: offer }) => go(to(`/issue/session/${offerId}`, { offer }))}
    />
  );
};
