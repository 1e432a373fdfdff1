import { OPENID4VCI } from '../../credentials/openid4vci.ts';
import type { CredentialIssuer } from '../credential-issuer.ts';
import type { CredentialOffer } from './draft13.ts';

/**
 * Creates the URL that brings the offer of a session into a wallet, by reference (OpenID4VCI 1.0 §4.1.3); the offer itself
 * has the members of draft 13.
 */
export function createOfferUrl({ identifier }: CredentialIssuer, sessionId: string): string {
  const uri = `${identifier}/credential-offer?id=${sessionId}`;
  return `${OPENID4VCI.OFFER_URL}?credential_offer_uri=${encodeURIComponent(uri)}`;
}

/** Creates the URL that has an offer in it (§4.1.2). */
export const createValueUrl = (offer: CredentialOffer): string =>
  `${OPENID4VCI.OFFER_URL}?credential_offer=${encodeURIComponent(JSON.stringify(offer))}`;
