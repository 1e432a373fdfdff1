import type { DescribedClaim } from '../../forms/fields.ts';
import { api, ask, type Outcome } from '../../shell/api.ts';
import { may, type Place } from '../../shell/office.tsx';
import { readProfiles } from './issuer.ts';
import type { Profile } from './values.ts';

/** A card that can be issued, with the claims of its type, or none. */
export interface Card {
  profile: Profile;
  claims: readonly DescribedClaim[];
}

/** What the issuer can offer; the types that the account may see say what is on their cards. */
export async function readCards(service: Place): Promise<Outcome<Card[]>> {
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
    data: profiles.data.map((profile) => ({ profile, claims: typeOf(profile)?.claims ?? [] })),
  };
}
