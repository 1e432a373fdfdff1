import { isObject } from '../json.ts';

/** Members of a private JWK that are never shown (RFC 7518 §6). */
const PRIVATE_JWK_MEMBERS = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']);

/** Members that hold a secret wherever they stand, in lower case. */
const SECRET_MEMBERS = new Set([
  'auth',
  'signingkeypem',
  'privatekeypem',
  'privatekey',
  'clientsecret',
  'secretaccesskey',
  'secret',
  'password',
  'apikey',
  'statuscallbackapikey',
]);

/** A deep copy in which every secret is left out: private key material, credentials, keys of callbacks. */
export function withoutSecrets<T>(value: T): T;
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value))
    return value.filter((element) => !isPrivateKeyText(element)).map((item) => withoutSecrets(item));
  if (!isObject(value)) return value;
  const shown = Object.entries(value).filter(([name, member]) => !isSecret(value, name, member));
  return Object.fromEntries(shown.map(([name, member]) => [name, withoutSecrets(member)]));
}

function isSecret(holder: Record<string, unknown>, name: string, member: unknown): boolean {
  const ofKey = 'kty' in holder && PRIVATE_JWK_MEMBERS.has(name);
  return ofKey || SECRET_MEMBERS.has(name.toLowerCase()) || isPrivateKeyText(member);
}

/** A private key in PEM, or a private JWK as JSON text. */
function isPrivateKeyText(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  return /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(value) || (/"kty"/.test(value) && /"(d|k)"\s*:/.test(value));
}

/** The place of the first private key in a value, as a JSON Pointer below it; undefined when there is none. */
export function privateKeyIn(value: unknown, path = ''): string | undefined {
  if (isPrivateKeyText(value)) return path;
  if (!isObject(value) && !Array.isArray(value)) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const at = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (isObject(value) && 'kty' in value && PRIVATE_JWK_MEMBERS.has(name)) return at;
    const found = privateKeyIn(member, at);
    if (found !== undefined) return found;
  }
  return undefined;
}
