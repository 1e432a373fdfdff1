import { parseIso } from '../../domain/foundation/time.ts';
import { backendOf } from '../../domain/keys/key-reference.ts';
import { parseAllowEntry } from '../../domain/network/addresses.ts';
import { parseIp, parseRange } from '../../domain/network/ip.ts';
import { isCallableUrl } from '../../domain/network/urls.ts';
import { isEntityId } from '../../domain/trust/federation/entity-statement.ts';
import { derOfPem } from '../../domain/x509/pem.ts';
import { ALWAYS_SERVED, FEATURES } from './choices.ts';

/** A rule that JSON Schema cannot express, with the message of its violation. */
interface Format {
  holds(text: string): boolean;
  message: string;
}

/** The origin of an http(s) URL that consists of nothing else; undefined for any other text. */
function originOf(text: string): string | undefined {
  if (!isCallableUrl(text)) return undefined;
  const { pathname, origin } = new URL(text);
  return pathname === '/' && !/[?#]/.test(text) ? origin : undefined;
}

/** A path without a slash at its end, in the one spelling of its segments. */
const PREFIX = /^(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*){1,8}$/;

/** An http(s) URL of an origin and perhaps a path, without the slash at its end; undefined for any other text. */
export function baseUrlOf(text: string): string | undefined {
  if (!isCallableUrl(text) || /[?#]/.test(text)) return undefined;
  const { pathname, origin } = new URL(text);
  const path = pathname.replace(/\/$/, '');
  return path === '' || PREFIX.test(path) ? `${origin}${path}` : undefined;
}

function isAllowEntry(text: string): boolean {
  try {
    return Boolean(parseAllowEntry(text));
  } catch {
    return false;
  }
}

/** The `format` names of openapi/config. */
export const FORMATS: Readonly<Record<string, Format>> = {
  feature: {
    holds: (text) => Object.hasOwn(FEATURES, text),
    message: `cannot be switched off: it is not a feature or always served; the features are ${Object.keys(FEATURES).join(', ')}`,
  },
  'enabled-feature': {
    holds: (text) => Object.hasOwn(FEATURES, text) || ALWAYS_SERVED.has(text),
    message: `is not a feature; the features are ${Object.keys(FEATURES).join(', ')}`,
  },
  origin: {
    holds: (text) => originOf(text) === text,
    message: 'must be an origin as browsers send it, such as https://app.example.org, without a slash at the end',
  },
  endpoint: {
    holds: isCallableUrl,
    message: 'must be an http or https URL without credentials',
  },
  'entity-identifier': {
    holds: isEntityId,
    message: 'must be an https URL without query and fragment',
  },
  'address-block': {
    holds: (text) => Boolean(parseIp(text) ?? parseRange(text)),
    message: 'must be an IP address or a CIDR block such as 10.0.0.0/8',
  },
  'outbound-target': {
    holds: isAllowEntry,
    message: 'must be a host, host:port, an IP address or a CIDR block such as 10.0.0.0/8',
  },
  'pem-certificate': {
    holds: (text) => derOfPem(text) !== undefined,
    message: 'must be one certificate in PEM form',
  },
  'dns-name': {
    holds: (text) =>
      /^(?=.{1,253}$)[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/.test(
        text,
      ),
    message: 'must be a DNS name such as verifier.example.org',
  },
  instant: {
    holds: (text) => parseIso(text) !== undefined,
    message: 'must be an instant such as 2030-01-01T00:00:00Z',
  },
  'key-backend': {
    holds: (text) => backendOf(text) !== undefined,
    message: 'is not a key backend',
  },
};
