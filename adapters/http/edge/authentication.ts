import { DomainError } from '../../../domain/foundation/errors.ts';
import { OPERATOR } from '../../../domain/wallet/wallets/wallet-owners.ts';
import type { Operation, Realm } from '../messages/document.ts';
import type { LoggedIn, TokenBearer } from '../messages/operations.ts';
import type { Context } from './context.ts';

/** Resolves a login token to an account; a token is valid in one realm only. */
export interface LoginRealms {
  authenticate(token: string, realm: Realm): Promise<{ accountId: string } | undefined>;
}

/** The origins of web pages whose cookies are accepted. */
export interface OriginRules {
  publicUrl: string;
  corsOrigins: string[];
}

interface Presented {
  token: string;
  by: 'bearer' | 'cookie' | 'frontendCookie';
}

const SAFE_METHODS = new Set(['GET', 'HEAD']);

/** The cookies of each realm; a cookie of one is nothing in the other. */
const COOKIES: Readonly<Record<Realm, readonly (readonly [name: string, by: Presented['by']])[]>> = {
  wallet: [
    ['login', 'cookie'],
    ['auth.token', 'frontendCookie'],
  ],
  enterprise: [['admin', 'cookie']],
};

/** The tokens of a request: the Authorization header's first, then our cookie's, then that of the cookie which web front ends write. */
function presentedTokens(ctx: Context, realm: Realm): Presented[] {
  const bearer = /^Bearer +([A-Za-z0-9._~+/=-]{1,8192})$/i.exec(ctx.get('authorization'))?.[1];
  const cookies = COOKIES[realm].map(([name, by]) => [ctx.cookies.get(name), by] as const);
  const found: (readonly [string | undefined, Presented['by']])[] = [[bearer, 'bearer'], ...cookies];
  return found.flatMap(([token, by]) => (token ? [{ token, by }] : []));
}

/** Returns the caller that the operation's `security` demands. @throws DomainError `LoginRequired`, `Forbidden` */
export async function authenticate(
  ctx: Context,
  operation: Operation,
  { sessions, origins }: { sessions: LoginRealms; origins: OriginRules },
): Promise<TokenBearer | LoggedIn> {
  const presented = presentedTokens(ctx, operation.realm);
  const tokens = presented.map(({ token }) => token);
  const caller = { presentedTokens: tokens };
  const changes = !SAFE_METHODS.has(operation.method);
  if (operation.isOfOperator) {
    // The pages of others are not the operator, although the operator's browser may open them.
    if (changes) checkOrigin(ctx, 'frontendCookie', origins);
    return { ...caller, accountId: OPERATOR, token: '' };
  }
  if (operation.authentication === 'optional') {
    const [first] = presented;
    if (first && changes) checkOrigin(ctx, first.by, origins);
    return caller;
  }
  for (const { token, by } of presented) {
    const session = await sessions.authenticate(token, operation.realm);
    if (!session) continue;
    if (changes) checkOrigin(ctx, by, origins);
    return { ...caller, ...session, token };
  }
  throw new DomainError('LoginRequired', 'Log in first: send a bearer token or the session cookie');
}

/**
 * Browsers send cookies with requests of any page, so a request that changes something must come from an own page. The
 * cookie that front ends write is also forwarded by their servers, without an Origin; a foreign Origin is refused.
 */
function checkOrigin(ctx: Context, by: Presented['by'], { publicUrl, corsOrigins }: OriginRules): void {
  const { origin, host } = ctx.req.headers;
  if (by === 'bearer' || (origin === undefined && by === 'frontendCookie')) return;
  const own = origin !== undefined && (origin === new URL(publicUrl).origin || hostOf(origin) === host);
  if (!own && !corsOrigins.includes(origin ?? ''))
    throw new DomainError('Forbidden', 'The Origin header must name this service when the session cookie is used');
}

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);
