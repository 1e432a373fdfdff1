import type { DocumentKind } from '../../ports/documents.ts';
import type { Outbound } from '../../ports/outbound.ts';
import { fieldErrors, invalidField, isDomainError } from '../foundation/errors.ts';
import { isText } from '../foundation/json.ts';

/** The most characters of a URL from outside: what status lists, sessions and requests store. */
const MAX_LENGTH = 2048;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const FORBIDDEN = /[\s\u0000-\u001f\u007f-\u009f\\]/u;

const isWellFormed = (value: unknown): value is string =>
  isText(value) && value.length <= MAX_LENGTH && !FORBIDDEN.test(value) && URL.canParse(value);

/**
 * The one rule for http(s) URLs from outside: absolute, at most 2048 characters, without whitespace, control characters
 * and backslashes, which two parsers may read differently. Returns undefined for any other value.
 */
export function httpUrl(value: unknown): URL | undefined {
  const url = isWellFormed(value) ? new URL(value) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** An https URL; plain http only for a host on this machine, which the network guard refuses unless it is allowed. */
export function secureUrl(value: unknown): URL | undefined {
  const url = httpUrl(value);
  return url?.protocol === 'https:' || /^(localhost|127\.\d+\.\d+\.\d+)$/.test(url?.hostname ?? '') ? url : undefined;
}

const hasCredentials = ({ username, password }: URL): boolean => username !== '' || password !== '';

/** Whether a value is an http(s) URL that may be stored to be called later: without user name and password. */
export function isCallableUrl(value: unknown): value is string {
  const url = httpUrl(value);
  return url !== undefined && !hasCredentials(url);
}

/** Reads an http(s) URL without credentials. @throws DomainError `BadRequest` */
export function readHttpUrl(value: unknown): string {
  const text = readUrl(value);
  const url = httpUrl(text);
  if (!url) throw invalidField([], 'must be an http or https URL');
  if (hasCredentials(url)) throw invalidField([], 'may not hold credentials');
  return text;
}

const PRIVATE_USE_SCHEME = /^[a-z][a-z0-9+-]*\.[a-z0-9+.-]+:$/;

/**
 * Reads the URL that a user is sent to: http(s), or an app's private-use scheme in reverse domain form (RFC 8252 §7.1);
 * a browser would execute some of the others. @throws DomainError `BadRequest`
 */
export function readRedirect(value: unknown): string {
  const text = readUrl(value);
  return PRIVATE_USE_SCHEME.test(new URL(text).protocol) ? text : readHttpUrl(text);
}

const EXECUTABLE_SCHEMES = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:'];

/** Reads the start of a request URL: any scheme that a wallet may have registered. @throws DomainError `BadRequest` */
export function readWalletUrl(value: unknown): string {
  const text = readUrl(value);
  if (EXECUTABLE_SCHEMES.includes(new URL(text).protocol)) throw invalidField([], 'may not have this scheme');
  if (text.includes('#')) throw invalidField([], 'may not have a fragment');
  return text;
}

/** The characters of a URI (RFC 3986 §2); a header can carry no others. */
const ASCII = /^[\x21-\x7e]+$/;

/**
 * Reads a URL of any scheme that a user is sent to by the header `Location`: in ASCII, and without credentials, which
 * hide the host. @throws DomainError `BadRequest`
 */
export function readLocation(value: unknown): string {
  const text = readWalletUrl(value);
  if (!ASCII.test(text)) throw invalidField([], 'must be in ASCII: other characters are percent-encoded');
  if (hasCredentials(new URL(text))) throw invalidField([], 'may not hold credentials');
  return text;
}

function readUrl(value: unknown): string {
  if (!isText(value) || value.length > MAX_LENGTH)
    throw invalidField([], `must be a URL of at most ${MAX_LENGTH} characters`);
  if (!isWellFormed(value)) throw invalidField([], 'must be an absolute URL');
  return value;
}

/**
 * Rejects a URL of a request when the URL alone shows that it may not be called (decisions §12). The addresses that its
 * name resolves to are checked with every call.
 * @throws DomainError `AddressRefused`
 */
export function checkDestination(outbound: Outbound, call: { url: string; expects: DocumentKind }): void {
  try {
    outbound.check(call);
  } catch (cause) {
    if (!isDomainError(cause, 'AddressRefused')) throw cause;
    throw fieldErrors([{ path: [], message: cause.message }], { code: 'AddressRefused', cause });
  }
}
