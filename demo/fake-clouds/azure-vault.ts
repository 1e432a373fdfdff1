import { randomBytes } from 'node:crypto';
import { KEY_TYPE_NAMES, KEY_TYPES } from '../../domain/jose/key-types.ts';
import type { KeyType } from '../../ports/key-service.ts';
import type { FakeAuthority } from './azure-authority.ts';
import { FakeKey } from './fake-keys.ts';
import type { FakeBehaviour, FakeCall, FakeReply } from './fake-server.ts';

/** One version of a key of a fake vault. */
interface FakeVaultKey {
  name: string;
  version: string;
  key: FakeKey;
  keyOps: string[];
  tags: Record<string, string>;
  enabled: boolean;
  /** Seconds since the epoch; never when absent. */
  expires?: number;
  created: number;
}

/** The permissions of access policies on keys that a fake vault checks. */
type FakePermission = 'get' | 'create' | 'delete' | 'sign';

/** The vault's name of a key type (`crv`), and the sizes of RSA keys. */
const CURVES: Readonly<Record<string, KeyType>> = {
  'P-256': 'secp256r1',
  'P-256K': 'secp256k1',
  'P-384': 'secp384r1',
  'P-521': 'secp521r1',
};
const CURVE_NAMES = Object.entries(CURVES);
const OPERATIONS = ['encrypt', 'decrypt', 'sign', 'verify', 'wrapKey', 'unwrapKey'];
const DIGEST_BYTES: Readonly<Record<string, number>> = { sha256: 32, sha384: 48, sha512: 64 };

interface Refusal {
  status: number;
  code: string;
  message: string;
  inner?: string;
  headers?: Record<string, string>;
}

/** A refusal that ends an operation. */
class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

const refuse = (refusal: Refusal): never => {
  throw new Refused(refusal);
};
const badParameter = (message: string): never => refuse({ status: 400, code: 'BadParameter', message });

const json = (status: number, value: unknown, headers: Record<string, string> = {}): FakeReply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache', ...headers },
  body: JSON.stringify(value),
});

const refused = ({ status, code, message, inner, headers }: Refusal): FakeReply =>
  json(status, { error: { code, message, ...(inner && { innererror: { code: inner } }) } }, headers);

/** The data plane of a fake vault: keys with names and versions, real signatures, the error shapes of the service. */
export class FakeVault implements FakeBehaviour {
  /** All versions of all keys, oldest first. */
  readonly keys: FakeVaultKey[] = [];
  /** The names of deleted keys, which can be recovered and therefore not be used again. */
  readonly deleted: string[] = [];
  /** Whether every token is refused. */
  refusesTokens = false;
  readonly permissions = new Set<FakePermission>(['get', 'create', 'delete', 'sign']);

  constructor(
    private readonly parts: {
      authority: FakeAuthority;
      /** Where the challenge sends clients for a token. */
      authorization: () => string;
      /** The resource of the challenge, which tokens must be for. */
      resource: () => string;
      /** What key identifiers begin with. */
      origin: () => string;
      now: () => number;
    },
  ) {}

  async answer(call: FakeCall): Promise<FakeReply> {
    try {
      return await this.#operate(call);
    } catch (error) {
      if (error instanceof Refused) return refused(error.refusal);
      throw error;
    }
  }

  throttled(): FakeReply {
    const message = 'Request was not processed because too many requests were received. Reason: VaultRequestTypeLimit';
    return refused({ status: 429, code: 'Throttled', message, headers: { 'retry-after': '1' } });
  }

  failed(): FakeReply {
    return refused({ status: 500, code: 'InternalError', message: 'An internal error occurred. Please try again.' });
  }

  async #operate({ method, path, headers, body }: FakeCall): Promise<FakeReply> {
    this.#authenticate(headers.authorization);
    const url = new URL(path, 'http://vault');
    if (!/^\d{4}-\d\d-\d\d$|^7\.\d$/.test(url.searchParams.get('api-version') ?? ''))
      badParameter('The api-version is missing or unknown');
    const [collection, name = '', ...rest] = url.pathname.split('/').filter((part) => part !== '');
    const action = rest.at(-1) === 'sign' || rest.at(-1) === 'create' ? rest.pop() : undefined;
    const version = rest[0];
    const route = `${method} ${collection}${action ? `/${action}` : ''}`;
    const value = (): Record<string, unknown> => readBody(headers['content-type'], body);
    if (route === 'POST keys/create') return this.#create(name, value());
    if (route === 'POST keys/sign') return this.#sign({ name, version }, value());
    if (route === 'GET keys') return this.#get(name, version);
    if (route === 'DELETE keys' && version === undefined) return this.#delete(name);
    return refuse({ status: 404, code: 'NotFound', message: 'The operation is not known' });
  }

  #authenticate(authorization: string | undefined): void {
    const { authority, resource, now } = this.parts;
    const token = authorization?.match(/^Bearer (.+)$/)?.[1];
    if (token === undefined) this.#challenge('AKV10000: Request is missing a Bearer or PoP token.');
    const said = authority.read(token ?? '');
    if (!said || this.refusesTokens)
      throw this.#challenge('[BearerReadAccessTokenFailed] Error validating token', 'invalid_token');
    if (said.exp * 1000 <= now()) this.#challenge('[TokenExpired] Error validating token', 'invalid_token');
    const audience = `AKV10022: Invalid audience. Expected ${resource()}, found: ${said.aud}.`;
    if (said.aud !== resource()) this.#challenge(audience, 'invalid_token');
  }

  #challenge(message: string, error?: string): never {
    const { authorization, resource } = this.parts;
    const challenge = `Bearer authorization="${authorization()}", resource="${resource()}"`;
    const headers = { 'www-authenticate': error ? `${challenge}, error="${error}"` : challenge };
    return refuse({ status: 401, code: 'Unauthorized', message, headers });
  }

  #permit(permission: FakePermission): void {
    if (this.permissions.has(permission)) return;
    const message = `The user, group or application 'appid=demo' does not have keys ${permission} permission on key vault`;
    refuse({ status: 403, code: 'Forbidden', message, inner: 'ForbiddenByPolicy' });
  }

  async #create(name: string, wanted: Record<string, unknown>): Promise<FakeReply> {
    this.#permit('create');
    if (!/^[0-9A-Za-z-]{1,127}$/.test(name)) badParameter(`The request URI contains an invalid name: ${name}`);
    const keyType = readKeyType(wanted);
    const keyOps = readKeyOps(wanted.key_ops);
    const tags = readTags(wanted.tags);
    if (this.deleted.includes(name))
      refuse({
        status: 409,
        code: 'Conflict',
        message: `Key ${name} is currently in a deleted but recoverable state, and its name cannot be reused`,
        inner: 'ObjectIsDeletedButRecoverable',
      });
    const key = await FakeKey.create(keyType);
    const created = Math.floor(this.parts.now() / 1000);
    const added = { name, version: randomBytes(16).toString('hex'), key, keyOps, tags, enabled: true, created };
    this.keys.push(added);
    return json(200, this.#bundle(added));
  }

  #get(name: string, version?: string): FakeReply {
    this.#permit('get');
    return json(200, this.#bundle(this.#find(name, version)));
  }

  #sign({ name, version }: { name: string; version?: string }, { alg, value }: Record<string, unknown>): FakeReply {
    this.#permit('sign');
    const found = this.#find(name, version);
    const forbid = (inner: string, message: string) => refuse({ status: 403, code: 'Forbidden', message, inner });
    if (!found.enabled) forbid('KeyDisabled', 'Operation sign is not allowed on a disabled key.');
    if (found.expires !== undefined && found.expires * 1000 <= this.parts.now())
      forbid('KeyExpired', 'Operation sign is not allowed on an expired key.');
    if (!found.keyOps.includes('sign')) forbid('KeyOperationForbidden', 'Operation sign is not permitted on this key.');
    const facts = KEY_TYPES[found.key.keyType];
    const digest = Buffer.from(String(value), 'base64url');
    if (facts.kty === 'RSA' ? !/^RS(256|384|512)$/.test(String(alg)) : alg !== facts.alg)
      badParameter(`Key and signing algorithm are incompatible. Key ${facts.kty}, algorithm ${alg}`);
    const bytes = DIGEST_BYTES[`sha${String(alg).slice(2, 5)}`];
    if (typeof value !== 'string' || digest.length !== bytes)
      badParameter(`Invalid length of 'value': ${digest.length} bytes. ${alg} requires ${bytes} bytes`);
    return json(200, { kid: this.#kid(found), value: found.key.sign(digest).toString('base64url') });
  }

  #delete(name: string): FakeReply {
    this.#permit('delete');
    const latest = this.#find(name);
    this.keys.splice(0, this.keys.length, ...this.keys.filter((key) => key.name !== name));
    this.deleted.push(name);
    const deletedDate = Math.floor(this.parts.now() / 1000);
    const recoveryId = `${this.parts.origin()}/deletedkeys/${name}`;
    return json(200, { ...this.#bundle(latest), recoveryId, deletedDate, scheduledPurgeDate: deletedDate + 7_776_000 });
  }

  #find(name: string, version?: string): FakeVaultKey {
    const found = this.keys.findLast((key) => key.name === name && (version ?? key.version) === key.version);
    if (found) return found;
    const message = `A key with (name/id) ${name}${version ? `/${version}` : ''} was not found in this key vault.`;
    return refuse({ status: 404, code: 'KeyNotFound', message });
  }

  #kid = ({ name, version }: FakeVaultKey): string => `${this.parts.origin()}/keys/${name}/${version}`;

  #bundle(stored: FakeVaultKey): Record<string, unknown> {
    const { key, keyOps, tags, enabled, expires, created } = stored;
    const [crv] = CURVE_NAMES.find(([, keyType]) => keyType === key.keyType) ?? [];
    const jwk = { ...key.jwk, ...(crv && { crv }), kid: this.#kid(stored), key_ops: keyOps };
    const recoverable = { recoveryLevel: 'Recoverable+Purgeable', recoverableDays: 90 };
    return { key: jwk, attributes: { enabled, exp: expires, created, updated: created, ...recoverable }, tags };
  }
}

function readBody(contentType: string | undefined, body: Buffer): Record<string, unknown> {
  if (contentType?.split(';')[0] !== 'application/json')
    return refuse({ status: 415, code: 'BadParameter', message: 'The content type must be application/json' });
  try {
    return JSON.parse(body.toString()) as Record<string, unknown>;
  } catch {
    return badParameter('The request body is not JSON');
  }
}

function readKeyType({ kty, crv, key_size: size }: Record<string, unknown>): KeyType {
  if (kty === 'EC') return CURVES[String(crv)] ?? badParameter(`Unsupported curve: ${crv}`);
  const rsa = KEY_TYPE_NAMES.find((name) => KEY_TYPES[name].kty === 'RSA' && KEY_TYPES[name].bits === (size ?? 2048));
  return (kty === 'RSA' ? rsa : undefined) ?? badParameter(`Unsupported kty or key_size: ${kty} ${size}`);
}

function readKeyOps(value: unknown): string[] {
  if (value === undefined) return OPERATIONS;
  const isKnown = Array.isArray(value) && value.every((name) => OPERATIONS.includes(name));
  return isKnown ? (value as string[]) : badParameter('key_ops has an unknown operation');
}

function readTags(value: unknown): Record<string, string> {
  const tags = Object.entries((value ?? {}) as Record<string, unknown>);
  if (tags.length > 15) badParameter('There can be at most 15 tags');
  for (const [name, text] of tags)
    if (name.length > 256 || typeof text !== 'string' || text.length > 256)
      badParameter('The names and values of tags may have at most 256 characters');
  return Object.fromEntries(tags) as Record<string, string>;
}
