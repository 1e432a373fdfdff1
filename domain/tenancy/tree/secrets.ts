import { invalidField } from '../../foundation/errors.ts';
import type { FieldPath } from '../../foundation/field-paths.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';

/** Members of a private JWK that are never shown (RFC 7518 §6). */
const PRIVATE_JWK_MEMBERS = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']);

/** What the name of a secret contains, in lower case and without separators between its words. */
const SECRET_STEMS = [
  'secret',
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'token',
  'apikey',
  'accesskey',
  'accountkey',
  'sharedkey',
  'masterkey',
  'privatekey',
  'signingkey',
  'encryptionkey',
  'connectionstring',
];

/** Names that mean a secret only as a whole. */
const SECRET_NAMES = new Set(['auth', 'authorization', 'bearer', 'cookie', 'credentials', 'dsn', 'pass', 'pin', 'pwd']);

/** Whether a member of this name is a secret, in any spelling of the name: snake, camel, kebab or upper case. */
export function isSecretName(name: string): boolean {
  const letters = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  return SECRET_NAMES.has(letters) || SECRET_STEMS.some((stem) => letters.includes(stem));
}

/** Whether a text is a private key, or an address or a connection string with a secret. */
export const isSecretText = (text: string): boolean =>
  isPrivateKeyText(text) || /:\/\/[^\s/?#@]+@/.test(text) || hasSecretPair(text);

/** Whether a text contains `name=value` with the name of a secret (`Server=db;Password=…`, `?api_key=…`). */
function hasSecretPair(text: string): boolean {
  if (!text.includes('=')) return false;
  const names = text.split(/[;&?,\s]/).filter((part) => part.includes('='));
  return names.some((part) => isSecretName(part.slice(0, part.indexOf('='))));
}

/** A deep copy in which every secret is left out: private key material, credentials, keys of callbacks. */
export function withoutSecrets<T>(value: T): T;
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value))
    return value.filter((element) => !isSecretMember(element)).map((item) => withoutSecrets(item));
  if (!isObject(value)) return value;
  const shown = Object.entries(value).filter(([name, member]) => !isSecret(value, name, member));
  return Object.fromEntries(shown.map(([name, member]) => [name, withoutSecrets(member)]));
}

function isSecret(object: Record<string, unknown>, name: string, member: unknown): boolean {
  const ofKey = 'kty' in object && PRIVATE_JWK_MEMBERS.has(name);
  // In `{ name: 'api_key', value: … }` another member names the secret.
  const named = name === 'value' && [object.name, object.key].some((text) => isText(text) && isSecretName(text));
  return ofKey || named || isSecretName(name) || isSecretMember(member);
}

const isSecretMember = (value: unknown): boolean => typeof value === 'string' && isSecretText(value);

/** A private key in PEM, or a private JWK as JSON text. */
function isPrivateKeyText(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  return /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(value) || (/"kty"/.test(value) && /"(d|k)"\s*:/.test(value));
}

/** The path of the first private key in a value; undefined when there is none. */
export function privateKeyIn(value: unknown, path: FieldPath = []): FieldPath | undefined {
  if (isPrivateKeyText(value)) return path;
  if (!isObject(value) && !Array.isArray(value)) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const at = [...path, name];
    if (isObject(value) && 'kty' in value && PRIVATE_JWK_MEMBERS.has(name)) return at;
    const found = privateKeyIn(member, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** @throws DomainError `BadRequest` naming the first private key in a value */
export function refusePrivateKeys(value: JsonObject): void {
  const found = privateKeyIn(value);
  if (found !== undefined) throw invalidField(found, 'is private key material, which does not belong here');
}
