/** Names of OpenID4VCI draft 13 that issuers and wallets share. */
export const OPENID4VCI = {
  /** The grant type (§4.1.1). */
  PRE_AUTHORIZED: 'urn:ietf:params:oauth:grant-type:pre-authorized_code',
  /** The grant type of the authorization endpoint's codes (RFC 6749 §4.1.3). */
  AUTHORIZATION_CODE: 'authorization_code',
  /** The type of an authorization detail (§5.1.1). */
  AUTHORIZATION_DETAIL: 'openid_credential',
  /** The `typ` of a proof of possession (§7.2.1.1). */
  PROOF_TYPE: 'openid4vci-proof+jwt',
  /** The content type of a proof of possession as CWT (§7.2.1.3). */
  CWT_PROOF_TYPE: 'openid4vci-proof+cwt',
  /** The URL that brings an offer into a wallet (§4.1). */
  OFFER_URL: 'openid-credential-offer://',
} as const;
