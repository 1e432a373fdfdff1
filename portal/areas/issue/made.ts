import type { Outcome } from '../../shell/api.ts';
import { createOffer, type Issuer } from './issuer.ts';
import type { Offer, OfferRequest, Session } from './values.ts';

/** An offer that was made in this document, with what it was made of: nothing of it is kept elsewhere. */
interface Made {
  offer: Offer;
  request: OfferRequest;
}

/** The last one: its page is the next that is opened. */
let last: Made | undefined;

/** Makes an offer, and remembers of what. */
export async function offer(issuer: Issuer, request: OfferRequest): Promise<Outcome<Offer>> {
  const outcome = await createOffer(issuer, request);
  if (outcome.ok) last = { offer: outcome.data, request };
  return outcome;
}

/** The offer of a session, unless the document was loaded again since or another offer was made. */
export const madeAs = ({ sessionId }: Session): Made | undefined =>
  last?.offer.offerId === sessionId ? last : undefined;

/** What a session was made of, else the profile with its own data. */
export const requestOf = (session: Session): OfferRequest =>
  madeAs(session)?.request ?? { profileId: session.profileId ?? '', authMethod: 'PRE_AUTHORIZED' };
