/** Requests for presentations and a self-issued ID token (OpenID4VP 1.0 §8, SIOPv2 draft 13 §9). */
export const LOGIN_REQUEST = {
  RESPONSE_TYPE: 'vp_token id_token',
  SCOPE: 'openid',
  /** The token types of SIOPv2 that a subject signs itself: of draft 13, and of the examples of OpenID4VP. */
  TOKEN_TYPES: ['subject_signed_id_token', 'subject_signed'],
} as const;

/** The values of a parameter that is a list with spaces, as `response_type` and `scope` are (RFC 6749 §3.1.1, §3.3). */
export const spaced = (value: unknown): string[] => (typeof value === 'string' ? value.split(' ').filter(Boolean) : []);

/** Whether two such lists have the same values; in a response type their order does not matter (RFC 6749 §3.1.1). */
export const hasSameValues = (one: unknown, other: string): boolean =>
  spaced(one).sort().join(' ') === spaced(other).sort().join(' ');
