import type { RequestParameter } from '../presentation/request-parameters.ts';

/** Where this verifier is reached for one session. */
export interface SessionLinks {
  /** Where wallets answer; with the scheme `redirect_uri` also the client's id (OpenID4VP draft 20 §5.7). */
  responseUri: string;
  definitionUri: string;
}

/** The links of a session below our public URL. */
export const sessionLinks = (publicUrl: string, state: string): SessionLinks => ({
  responseUri: `${publicUrl}/openid4vc/verify/${encodeURIComponent(state)}`,
  definitionUri: `${publicUrl}/openid4vc/pd/${encodeURIComponent(state)}`,
});

/** What a request URL is made of. */
export interface RequestUrl {
  authorizeBaseUrl: string;
  state: string;
  nonce: string;
  links: SessionLinks;
}

/**
 * What wallets commonly sign with, named once: the URL becomes a QR code that a screen shows. The algorithms of
 * credentials are those of the definition.
 */
const CLIENT_METADATA = JSON.stringify({ vp_formats: { jwt_vp_json: { alg: ['ES256', 'EdDSA', 'ES256K'] } } });

/** The request of the DEFAULT profile as a link for the wallet (OpenID4VP draft 20 §5, direct_post). */
export function requestUrl({ authorizeBaseUrl, state, nonce, links }: RequestUrl): string {
  const parameters: [RequestParameter, string][] = [
    ['response_type', 'vp_token'],
    ['client_id', links.responseUri],
    ['response_mode', 'direct_post'],
    ['state', state],
    ['presentation_definition_uri', links.definitionUri],
    ['client_id_scheme', 'redirect_uri'],
    ['client_metadata', CLIENT_METADATA],
    ['nonce', nonce],
    ['response_uri', links.responseUri],
  ];
  return `${authorizeBaseUrl}${separator(authorizeBaseUrl)}${new URLSearchParams(parameters)}`;
}

function separator(base: string): string {
  if (!base.includes('?')) return '?';
  return /[?&]$/.test(base) ? '' : '&';
}
