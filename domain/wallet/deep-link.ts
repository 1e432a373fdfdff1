import { invalidField } from '../foundation/errors.ts';
import { isText } from '../foundation/json.ts';
import { parseJson } from '../foundation/strict-json.ts';

/** The parts of an offer or request link. */
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

/**
 * Parses an offer or request link. Values may be percent-encoded or not: an un-encoded URI is left unchanged, and a
 * parameter that is not among `names` belongs to the un-encoded value before it.
 * @throws DomainError `BadRequest` for a link of another scheme, or when a known parameter appears twice
 */
export function parseDeepLink(text: string, names: ReadonlySet<string>): DeepLink {
  const link = unquoted(text.trim());
  const [, base = '', scheme = '', query = ''] = /^(([a-z][a-z0-9+.-]*):[^?]*)\?(.*)$/is.exec(link) ?? [];
  if (!SCHEMES.includes(scheme.toLowerCase()))
    throw invalidField([], `must be a link with one of the schemes ${SCHEMES.join(', ')}`);
  if (/\p{Cc}/u.test(link)) throw invalidField([], 'the link holds control characters');
  const params = new Map<string, string>();
  for (const [name, raw] of rawParameters(query, names)) params.set(name, decodeValue(name, raw));
  return { base, params };
}

/** Some clients send the link as a JSON string. */
function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  const value = parseJson(text);
  return isText(value) ? value : text;
}

function rawParameters(query: string, names: ReadonlySet<string>): Map<string, string> {
  const raw = new Map<string, string>();
  let last = '';
  for (const segment of query.split('&')) {
    const [name = '', ...rest] = segment.split('=');
    const before = raw.get(last) ?? '';
    if (!names.has(name) && isOpen(before)) raw.set(last, `${before}&${segment}`);
    else if (names.has(name) && raw.has(name)) throw invalidField([], `${name} appears twice`);
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

/** Form encoding encodes every colon: in a value with a colon, a plus is a plus and not a blank. */
const isLiteral = (raw: string): boolean => raw.includes(':');

function decodeValue(name: string, raw: string): string {
  if (ABSOLUTE_URI.test(raw)) return raw;
  try {
    return decodeURIComponent(isLiteral(raw) ? raw : raw.replaceAll('+', ' '));
  } catch {
    throw invalidField([], `${name.slice(0, 64)} is not properly percent-encoded`);
  }
}

/** Creates a link with every value percent-encoded. */
export function createDeepLink({ base, params }: DeepLink): string {
  const pairs = [...params].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return `${base}?${pairs.join('&')}`;
}
