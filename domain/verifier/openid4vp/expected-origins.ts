import { at, invalidField } from '../../foundation/errors.ts';

const MAX_ORIGINS = 16;

/**
 * Reads the origins of pages that may use a request over the Digital Credentials API (OpenID4VP 1.0 annex A.2). Browsers
 * and wallets compare them as texts, so each must be written as browsers write it; http only on this machine.
 * @throws DomainError `BadRequest`
 */
export function readOrigins(origins: readonly string[]): string[] {
  if (origins.length === 0 || origins.length > MAX_ORIGINS)
    throw invalidField([], `must be a list of 1 to ${MAX_ORIGINS} origins`);
  return origins.map((origin, index) => at([index], () => readOrigin(origin)));
}

function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw invalidField([], 'must be an origin such as https://shop.example');
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url.hostname));
  if (!isSafe) throw invalidField([], 'must be an https origin; http is only for localhost');
  if (url.origin !== text) throw invalidField([], `must be written as ${url.origin.slice(0, 256)}`);
  return text;
}

const isLocal = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');
