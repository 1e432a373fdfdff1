import { invalidField } from '../foundation/errors.ts';
import { isText, parseJson } from '../foundation/json.ts';

/** An offer or request link, taken apart. */
export interface DeepLink {
  /** Everything before the question mark. */
  base: string;
  params: Map<string, string>;
}

const SCHEMES = [
  'openid-credential-offer',
  'openid-initiate-issuance',
  'openid4vp',
  'openid',
  'haip',
  'mdoc-openid4vp',
  'https',
  'http',
];
const ABSOLUTE_URI = /^[a-z][a-z0-9+.-]*:\/\//i;
const JSON_START = /^(?:[{[]|%7b|%5b)/i;

/** Which parameters a link may have, and the JSON Pointer by which errors name it. */
export interface LinkRules {
  names: ReadonlySet<string>;
  at?: string;
}

/**
 * Takes an offer or request link apart. Values may be percent-encoded or not: an un-encoded URI stays as it is, and a
 * parameter that is not among `names` belongs to the un-encoded value before it.
 * @throws DomainError `BadRequest` when it is no link of a known scheme or a known parameter appears twice
 */
export function parseDeepLink(text: string, { names, at = '/body' }: LinkRules): DeepLink {
  const link = unquoted(text.trim());
  const [, base = '', scheme = '', query = ''] = /^(([a-z][a-z0-9+.-]*):[^?]*)\?(.*)$/is.exec(link) ?? [];
  if (!SCHEMES.includes(scheme.toLowerCase()))
    throw invalidField(at, `must be a link with one of the schemes ${SCHEMES.join(', ')}`);
  if (/\p{Cc}/u.test(link)) throw invalidField(at, 'the link holds control characters');
  const params = new Map<string, string>();
  for (const [name, raw] of rawParameters(query, { names, at })) params.set(name, decodeValue(name, raw, at));
  return { base, params };
}

/** Some clients send the link as a JSON string. */
function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  const value = parseJson(text);
  return isText(value) ? value : text;
}

function rawParameters(query: string, { names, at = '/body' }: LinkRules): Map<string, string> {
  const raw = new Map<string, string>();
  let last = '';
  for (const segment of query.split('&')) {
    const [name = '', ...rest] = segment.split('=');
    const before = raw.get(last) ?? '';
    if (!names.has(name) && isOpen(before)) raw.set(last, `${before}&${segment}`);
    else if (names.has(name) && raw.has(name)) throw invalidField(at, `${name} appears twice`);
    else if (name !== '') {
      raw.set(name, rest.join('='));
      last = name;
    }
  }
  return raw;
}

/** Whether an ampersand may belong to this un-encoded value. */
const isOpen = (raw: string): boolean =>
  ABSOLUTE_URI.test(raw) ? raw.includes('?') : JSON_START.test(raw) && isLiteral(raw);

/** Form encoding never leaves a colon as it is; where one stands, a plus is a plus and not a blank. */
const isLiteral = (raw: string): boolean => raw.includes(':');

function decodeValue(name: string, raw: string, at: string): string {
  if (ABSOLUTE_URI.test(raw)) return raw;
  try {
    return decodeURIComponent(isLiteral(raw) ? raw : raw.replaceAll('+', ' '));
  } catch {
    throw invalidField(at, `${name.slice(0, 64)} is not properly percent-encoded`);
  }
}

/** Writes a link with every value percent-encoded. */
export function writeDeepLink({ base, params }: DeepLink): string {
  const pairs = [...params].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return `${base}?${pairs.join('&')}`;
}
