import { officePage } from '../../shell/office.tsx';
import { place } from '../../shell/place.ts';
import type { Offer } from './values.ts';

/** What an account needs at an issuer to issue its cards. */
export const ISSUING = ['issuer-credential-issue'];

/** A page of issuing at the unit in the address; the issuer in the address stays. */
export function issuePage(page: string, query: Record<string, string | undefined> = {}): string {
  const unit = place.value.path.split('/')[2] ?? '';
  return officePage(decodeURIComponent(unit), page, { service: place.value.query.service, ...query });
}

/** The page of an offer that was made. */
export const sessionPage = ({ offerId, credentialOffer }: Offer): string =>
  issuePage(`issue/${offerId}`, { offer: credentialOffer });
