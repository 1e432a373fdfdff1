import { to } from '../../shell/place.ts';

const OFFERS = /^(?:openid-credential-offer|openid-initiate-issuance):$/;
const REQUESTS = /^(?:openid4vp|openid|haip|mdoc-openid4vp):$/;

/** The page that takes a link: that for offers or that for requests; none for another text. */
export function pageOfLink(text: string): string | undefined {
  const link = text.trim();
  if (!URL.canParse(link)) return undefined;
  const { protocol, searchParams } = new URL(link);
  const has = (...names: string[]): boolean => names.some((name) => searchParams.has(name));
  const isWeb = /^https?:$/.test(protocol);
  if (OFFERS.test(protocol) || (isWeb && has('credential_offer', 'credential_offer_uri')))
    return to('/wallet/receive', { offer: link });
  if (REQUESTS.test(protocol) || (isWeb && has('client_id', 'request_uri')))
    return to('/wallet/present', { request: link });
  return undefined;
}
