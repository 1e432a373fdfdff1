import { treeOf } from '../../forms/fields.ts';
import { valueAt } from '../../forms/pointers.ts';
import { emptyOf } from '../../forms/values.ts';
import { Field } from '../../parts/field.tsx';
import { Loaded, useLoad } from '../../shell/load.tsx';
import { type Place, ServicePage } from '../../shell/office.tsx';
import { go, place } from '../../shell/place.ts';
import { texts } from '../../texts/texts.ts';
import { type Card, readCards } from './cards.ts';
import { Choice, cardName } from './choice.tsx';
import { OfferForm } from './offer-form.tsx';
import { ISSUING, issuePage, sessionPage } from './office-pages.ts';
import type { OfferRequest, Profile } from './values.ts';

/** An office has an hour, so that a person at the counter can get a phone out. */
const LIFETIME = 3600;

/** Issues a card: which one, then what is on it. */
export const IssuePage = () => (
  <ServicePage title={texts().issuing.title} step={place.value.query.type} type="issuer2" actions={ISSUING}>
    {(service) => <Issue key={service.target} service={service} />}
  </ServicePage>
);

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
          <>
            <Choice
              profiles={cards.map(({ profile }) => profile)}
              pageOf={(profile) => issuePage('issue', query(profile))}
            />
            <p>
              <a href={issuePage('issue-many')}>{texts().many.title}</a>
            </p>
          </>
        );
      }}
    </Loaded>
  );
};

/** What a request begins with: the address may say for which case and whom. */
function startOf({ profile, claims }: Card): OfferRequest {
  const { reference, recipient } = place.value.query;
  return {
    profileId: profile.profileId,
    authMethod: 'PRE_AUTHORIZED',
    ...(reference !== undefined && { reference }),
    ...(recipient !== undefined && { recipient }),
    runtimeOverrides: { credentialData: claims.length > 0 ? emptyOf(treeOf(claims)) : profile.credentialData },
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
        nodes={treeOf(card.claims)}
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
