import type { Operation } from '../messages/document.ts';
import type { Middleware } from './context.ts';
import type { Routing } from './routing.ts';

const ALWAYS_ALLOWED = ['accept', 'authorization', 'content-type', 'x-request-id'];
const EXPOSED = [
  'x-request-id, retry-after, ratelimit, ratelimit-policy, www-authenticate',
  'dpop-nonce, oauth-client-attestation-challenge',
].join(', ');

/** Allowed by a preflight where no operation answers, so that the page can read the 404 or 405. */
const EVERY_METHOD = 'GET, POST, PUT, PATCH, DELETE';

/** Answers preflights, and says which pages may read an answer, errors included (decisions §3). */
export const allowOrigins =
  (routing: Routing, origins: string[]): Middleware =>
  async (ctx, next) => {
    const { origin, 'access-control-request-method': wanted } = ctx.req.headers;
    const isPreflight = ctx.method === 'OPTIONS' && wanted !== undefined;
    const asked = isPreflight ? routing.find(wanted.toUpperCase(), ctx.path) : undefined;
    const policy = (): CorsPolicy => (ctx.state.operation ?? asked)?.cors ?? sharedPolicy(routing.near(ctx.path));
    try {
      if (asked || (isPreflight && policy() !== 'none')) {
        ctx.set(preflightHeaders(asked));
        ctx.status = 204;
      } else await next();
    } finally {
      const decided = policy();
      if (decided !== 'none') ctx.set(corsHeaders(decided, origin, origins));
    }
  };

/** Who may read the answers of an operation from a page of another origin. */
type CorsPolicy = Operation['cors'];

/** The policy of a path that no operation answers: that of the operations near it, when they agree. */
export const sharedPolicy = (operations: readonly Operation[]): CorsPolicy => {
  const [first, ...others] = new Set(operations.map(({ cors }) => cors));
  return first === undefined || others.length > 0 ? 'none' : first;
};

/** The CORS headers of an answer (decisions §3): protocol endpoints for any origin, the wallet for listed origins. */
function corsHeaders(
  policy: Exclude<CorsPolicy, 'none'>,
  origin: string | undefined,
  origins: string[],
): Record<string, string> {
  if (policy === 'any') return { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED };
  if (origin === undefined || !origins.includes(origin)) return { vary: 'Origin' };
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': EXPOSED,
    vary: 'Origin',
  };
}

/** The further headers of the answer to a preflight request, also of one that names no operation. */
function preflightHeaders(operation?: Operation): Record<string, string> {
  const documented = (operation?.parameters ?? [])
    .filter(({ in: place }) => place === 'header')
    .map(({ name }) => name.toLowerCase());
  return {
    'access-control-allow-methods': operation?.method ?? EVERY_METHOD,
    'access-control-allow-headers': [...new Set([...ALWAYS_ALLOWED, ...documented])].join(', '),
    'access-control-max-age': '600',
  };
}
