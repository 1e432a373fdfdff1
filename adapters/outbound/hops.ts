import { DomainError } from '../../domain/foundation/errors.ts';
import type { OutboundMethod, OutboundRequest } from '../../ports/outbound.ts';

/** One request of an exchange; a redirect derives the next from it. Header names are in lower case. */
export interface Hop {
  method: OutboundMethod;
  url: URL;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Headers that are removed when a redirect leads to another origin. */
const FOR_ONE_ORIGIN = new Set(['authorization', 'cookie', 'proxy-authorization']);
const OWN_HEADERS = { 'accept-encoding': 'identity', 'user-agent': 'credenza' };

/**
 * Returns the first request of an exchange.
 * @throws DomainError `AddressRefused` for a text that is not a URL, `BadRequest` for an invalid header value
 */
export function firstHop({ method, url, headers = {}, body }: OutboundRequest): Hop {
  if (!URL.canParse(url)) throw new DomainError('AddressRefused', 'The URL to call is not valid');
  const own: Record<string, string> = { ...OWN_HEADERS };
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new DomainError('BadRequest', `The value of the header ${name} holds a control or non-Latin character`);
    own[name.toLowerCase()] = value;
  }
  return { method, url: new URL(url), headers: own, body };
}

/** The request that a redirect demands, by the Fetch standard (HTTP-redirect fetch); undefined for any other reply. */
export function nextHop(hop: Hop, { status, location }: { status: number; location?: string }): Hop | undefined {
  if (!REDIRECTS.has(status) || location === undefined) return undefined;
  if (!URL.canParse(location, hop.url.href))
    throw new DomainError('UpstreamFailed', `${hop.url.host} redirects to what is no URL`);
  const url = new URL(location, hop.url);
  const asGet = status === 303 || (hop.method === 'POST' && status < 303);
  const sameOrigin = url.origin === hop.url.origin;
  const kept = Object.entries(hop.headers).filter(
    ([name]) => (sameOrigin || !FOR_ONE_ORIGIN.has(name)) && !(asGet && name.startsWith('content-')),
  );
  const headers = Object.fromEntries(kept);
  return asGet ? { method: 'GET', url, headers } : { ...hop, url, headers };
}
