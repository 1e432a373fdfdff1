import type { Operation } from './document.ts';

const ALWAYS_ALLOWED = ['accept', 'authorization', 'content-type', 'x-request-id'];
const EXPOSED = 'x-request-id, retry-after, ratelimit, ratelimit-policy, www-authenticate';

/** The CORS headers of an answer (decisions §3): protocol endpoints for everybody, the wallet for listed origins. */
export function corsHeaders(
  operation: Operation,
  origin: string | undefined,
  origins: string[],
): Record<string, string> {
  if (operation.cors === 'any') return { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED };
  if (operation.cors !== 'wallet') return {};
  if (origin === undefined || !origins.includes(origin)) return { vary: 'Origin' };
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': EXPOSED,
    vary: 'Origin',
  };
}

/** What a preflight request is told besides. */
export function preflightHeaders(operation: Operation): Record<string, string> {
  const documented = operation.parameters
    .filter(({ in: place }) => place === 'header')
    .map(({ name }) => name.toLowerCase());
  return {
    'access-control-allow-methods': operation.method,
    'access-control-allow-headers': [...new Set([...ALWAYS_ALLOWED, ...documented])].join(', '),
    'access-control-max-age': '600',
  };
}
