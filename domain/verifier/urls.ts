import { invalidField } from '../foundation/errors.ts';
import { isText } from '../foundation/json.ts';

const MAX_LENGTH = 2048;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const FORBIDDEN = /[\s\u0000-\u001f\u007f-\u009f\\]/u;

/** Reads an http or https URL without credentials; `at` is its JSON Pointer. @throws DomainError `BadRequest` */
export function readHttpUrl(value: unknown, at: string): string {
  const text = readUrl(value, at);
  const { protocol, username, password } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') throw invalidField(at, 'must be an http or https URL');
  if (username !== '' || password !== '') throw invalidField(at, 'may not hold credentials');
  return text;
}

/**
 * Reads where a user is sent: a web address, or an app's private-use scheme in reverse domain form (RFC 8252 §7.1),
 * never something a browser would run. @throws DomainError `BadRequest`
 */
export function readRedirect(value: unknown, at: string): string {
  const text = readUrl(value, at);
  if (/^[a-z][a-z0-9+-]*\.[a-z0-9+.-]+:$/.test(new URL(text).protocol)) return text;
  return readHttpUrl(text, at);
}

const SCRIPTABLE = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:'];

/** Reads the start of a request URL: any scheme a wallet may have registered. @throws DomainError `BadRequest` */
export function readWalletUrl(value: unknown, at: string): string {
  const text = readUrl(value, at);
  if (SCRIPTABLE.includes(new URL(text).protocol)) throw invalidField(at, 'may not have this scheme');
  if (text.includes('#')) throw invalidField(at, 'may not have a fragment');
  return text;
}

function readUrl(value: unknown, at: string): string {
  if (!isText(value) || value.length > MAX_LENGTH)
    throw invalidField(at, `must be a URL of at most ${MAX_LENGTH} characters`);
  if (FORBIDDEN.test(value) || !URL.canParse(value)) throw invalidField(at, 'must be an absolute URL');
  return value;
}
