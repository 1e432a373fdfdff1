/** The parameters of OpenID4VP, OpenID Connect and SIOPv2 requests that a link may carry. */
const REQUEST_PARAMETERS = [
  ...(['response_type', 'client_id', 'client_id_scheme', 'response_mode', 'response_uri', 'redirect_uri'] as const),
  ...(['scope', 'state', 'nonce', 'presentation_definition', 'presentation_definition_uri', 'dcql_query'] as const),
  ...(['client_metadata', 'client_metadata_uri', 'request', 'request_uri', 'request_uri_method'] as const),
  ...(['id_token_type', 'transaction_data', 'verifier_info', 'registration', 'claims', 'expected_origins'] as const),
  'wallet_nonce' as const,
];

/** The name of a request parameter. */
export type RequestParameter = (typeof REQUEST_PARAMETERS)[number];

/** The names of all request parameters. */
export const REQUEST_NAMES: ReadonlySet<string> = new Set(REQUEST_PARAMETERS);

/** Signed authorization requests of OpenID4VP (OpenID4VP 1.0 §5, RFC 9101). */
export const REQUEST_OBJECT = {
  TYP: 'oauth-authz-req+jwt',
  MEDIA_TYPE: 'application/oauth-authz-req+jwt',
  /** The audience when the wallet is discovered statically (OpenID4VP 1.0 §5.8). */
  AUDIENCE: 'https://self-issued.me/v2',
} as const;
