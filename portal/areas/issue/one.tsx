import { treeOf } from '../../forms/fields.ts';
import { valueAt } from '../../forms/pointers.ts';
import { emptyOf } from '../../forms/values.ts';
import { Field } from '../../parts/field.tsx';
import { api, ask, type Outcome } from '../../shell/api.ts';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { may, type Place, ServicePage } from '../../shell/office.tsx';
import { go, place } from '../../shell/place.ts';
import { texts } from '../../texts/texts.ts';
import { Choice, cardName } from './choice.tsx';
import { type OfferRequest, type Profile, readProfiles } from './issuer.ts';
import { OfferForm } from './offer-form.tsx';
import { ISSUING, issuePage, sessionPage } from './office-pages.ts';

/** An office has an hour, so that a person at the counter can get a phone out. */
const LIFETIME = 3600;

/** Issues a card: which one, then what is on it. */
export const IssuePage = () => (
  <ServicePage title={texts().issuing.title} type="issuer2" actions={ISSUING}>
    {(service) => <Issue key={service.target} service={service} />}
  </ServicePage>
);

/** A card that can be issued, with the claims of its type if it has one. */
interface Card {
  profile: Profile;
  nodes: ReturnType<typeof treeOf>;
}

/** What the issuer can offer; the types that the account may see say what is on their cards. */
async function readCards(service: Place): Promise<Outcome<Card[]>> {
  const path = { target: service.target };
  const listing = api.GET('/v2/{target}/issuer-service-api/credential-types', {
    params: { path, query: { limit: '100' } },
  });
  const [profiles, types] = await Promise.all([
    readProfiles(service.target),
    may(service, 'credential-type-list') ? ask(listing) : undefined,
  ]);
  if (!profiles.ok) return profiles;
  if (types && !types.ok) return types;
  const typeOf = ({ profileId }: Profile) =>
    types?.data.find(({ offers }) => offers.some((offer) => offer.profileId === profileId));
  return {
    ok: true,
    data: profiles.data.map((profile) => ({ profile, nodes: treeOf(typeOf(profile)?.claims ?? []) })),
  };
}

const Issue = ({ service }: { service: Place }) => {
  const loading = useLoad(() => readCards(service));
  const { type } = place.value.query;
  return (
    <Loaded of={loading}>
      {(cards) => {
        const card = cards.find(({ profile }) =>
          [profile.profileId, profile.credentialConfigurationId].includes(type ?? ''),
        );
        if (card) return <OneCard key={card.profile.profileId} service={service} card={card} />;
        const query = ({ profileId }: Profile) => ({ ...place.value.query, type: profileId });
        return (
          <Choice
            profiles={cards.map(({ profile }) => profile)}
            pageOf={(profile) => issuePage('issue', query(profile))}
          />
        );
      }}
    </Loaded>
  );
};

/** What a request begins with: the address may say for which case and whom. */
function startOf({ profile, nodes }: Card): OfferRequest {
  const { reference, recipient } = place.value.query;
  return {
    profileId: profile.profileId,
    authMethod: 'PRE_AUTHORIZED',
    ...(reference !== undefined && { reference }),
    ...(recipient !== undefined && { recipient }),
    runtimeOverrides: { credentialData: nodes.length > 0 ? emptyOf(nodes) : profile.credentialData },
    expiresInSeconds: LIFETIME,
  };
}

const OneCard = ({ service, card }: { service: Place; card: Card }) => {
  const t = texts().issuing;
  return (
    <>
      <h2 translate={false}>{cardName(card.profile)}</h2>
      <p>
        <a href={issuePage('issue', { ...place.value.query, type: undefined })}>{t.otherCard}</a>
      </p>
      <OfferForm
        issuer={service.target}
        profile={card.profile}
        nodes={card.nodes}
        initial={startOf(card)}
        done={(offer) => go(sessionPage(offer))}
      >
        {({ value, change }) => (
          <fieldset>
            <legend>{t.forWhom}</legend>
            {(['reference', 'recipient'] as const).map((name) => (
              <Field
                key={name}
                id={`/${name}`}
                label={t[name]}
                hint={t[`${name}Hint`]}
                value={String(valueAt(value, [name]) ?? '')}
                onValue={(text) => change([name], text)}
                autocomplete="off"
                isOptional
              />
            ))}
          </fieldset>
        )}
      </OfferForm>
    </>
  );
};
