/**
 * The kinds of tokens whose `typ` may be left out, with what explicit types of the kind begin with (RFC 8725 §3.11). Tokens
 * of other kinds must state their one type, which their readers compare.
 */
const KINDS = {
  vc: ['vc'],
  vp: ['vp'],
  'id-token': [],
  'request-object': ['oauth-authz-req'],
  'login-token': [],
} as const satisfies Record<string, readonly string[]>;

/** The name of a kind. */
export type TokenKind = keyof typeof KINDS;

/**
 * The explicit type in a `typ` that is not of the kind, in lower case; undefined where the `typ` fits or says nothing, as `JWT`
 * does. Media types are compared regardless of case, and may omit `application/` (RFC 7515 §4.1.9).
 */
export function otherType(typ: unknown, kind: TokenKind): string | undefined {
  if (typ === undefined) return undefined;
  if (typeof typ !== 'string') return 'no text';
  const [, type = '', stated] = /^(?:application\/)?(([^+]*)\+.*)/i.exec(typ) ?? [];
  const own: readonly string[] = KINDS[kind];
  return stated === undefined || own.includes(stated.toLowerCase()) ? undefined : type.toLowerCase().slice(0, 64);
}
