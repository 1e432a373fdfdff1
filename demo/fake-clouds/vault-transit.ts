import { createHash } from 'node:crypto';
import { KEY_TYPES } from '../../domain/jose/key-types.ts';
import type { KeyType } from '../../ports/key-service.ts';
import { FakeKey, toDer } from './fake-keys.ts';
import type { FakeBehaviour, FakeCall, FakeReply } from './fake-server.ts';
import type { FakeVaultTokens } from './vault-tokens.ts';

/** A key with all its versions, the first one first. */
interface FakeTransitKey {
  versions: FakeKey[];
  deletionAllowed: boolean;
  /** The lowest version that may sign; 0 for all. */
  minEncryptionVersion: number;
  exportable: boolean;
}

/** The key types of Transit, by its names. */
const TYPES: Readonly<Record<string, KeyType>> = {
  ed25519: 'Ed25519',
  'ecdsa-p256': 'secp256r1',
  'ecdsa-p384': 'secp384r1',
  'ecdsa-p521': 'secp521r1',
  'rsa-2048': 'RSA',
  'rsa-3072': 'RSA3072',
  'rsa-4096': 'RSA4096',
};
const TYPE_NAMES = Object.entries(TYPES);

type Json = Record<string, unknown>;

/** A refusal that ends an operation. */
class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const refuse = (status: number, message: string): never => {
  throw new Refused(status, message);
};

const json = (status: number, value: unknown): FakeReply => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(value),
});

const errors = (status: number, ...texts: string[]): FakeReply => json(status, { errors: texts });

/** The API of a fake Vault: Transit at /v1/transit and AppRole, with real signatures and the error shapes of the service. */
export class FakeTransit implements FakeBehaviour {
  readonly keys = new Map<string, FakeTransitKey>();
  /** Whether Vault is sealed. */
  isSealed = false;
  /** The beginnings of paths, with their method, that tokens may not call. */
  readonly denied = new Set<string>();

  constructor(private readonly parts: { tokens: FakeVaultTokens; namespace: string | undefined }) {}

  async answer(call: FakeCall): Promise<FakeReply> {
    try {
      return await this.#operate(call);
    } catch (error) {
      if (error instanceof Refused) return errors(error.status, ...(error.message ? [error.message] : []));
      throw error;
    }
  }

  throttled(): FakeReply {
    return errors(429, 'request path "transit/sign": rate limit quota exceeded');
  }

  failed(): FakeReply {
    return errors(500, 'internal error');
  }

  async rotate(name: string): Promise<void> {
    const { versions } = this.#find(name);
    versions.push(await FakeKey.create((versions[0] as FakeKey).keyType));
  }

  async #operate({ method, path, headers, body }: FakeCall): Promise<FakeReply> {
    if (this.isSealed) refuse(503, 'Vault is sealed');
    if (headers['x-vault-request'] !== 'true') refuse(412, 'missing required header');
    if (headers['x-vault-namespace'] !== this.parts.namespace) refuse(403, 'permission denied');
    const value = readBody(body);
    const { tokens } = this.parts;
    const token = String(headers['x-vault-token'] ?? '');
    const call = `${method} ${path}`;
    if (call === 'POST /v1/auth/approle/login')
      return json(200, tokens.login(value) ?? refuse(400, 'invalid role or secret ID'));
    if (!tokens.isGood(token)) refuse(403, 'permission denied');
    if (call === 'POST /v1/auth/token/renew-self')
      return json(200, tokens.renew(token) ?? refuse(400, 'lease is not renewable'));
    if ([...this.denied].some((start) => call.startsWith(start)))
      refuse(403, '1 error occurred:\n\t* permission denied\n\n');
    const [, name = '', below] = /^\/v1\/transit\/(?:keys|sign)\/(\w(?:[\w.-]*\w)?)(\/config)?$/.exec(path) ?? [];
    if (name === '') refuse(404, `no handler for route "${path.slice('/v1/'.length)}". route entry not found.`);
    if (call.startsWith('POST /v1/transit/sign/')) return this.#sign(name, value);
    if (below) return this.#configure(name, value);
    if (method === 'POST') return this.#create(name, value);
    if (method === 'GET') return json(200, { data: this.#describe(name, this.keys.get(name) ?? refuse(404, '')) });
    return method === 'DELETE' ? this.#delete(name) : refuse(405, 'unsupported operation');
  }

  async #create(name: string, { type, exportable }: Json): Promise<FakeReply> {
    const keyType = TYPES[String(type)] ?? refuse(400, `unknown key type ${type}`);
    const versions = [await FakeKey.create(keyType)];
    // Of two at once the second finds the key of the first.
    const known = this.keys.get(name);
    const isExportable = exportable === true;
    const key = known ?? { versions, deletionAllowed: false, minEncryptionVersion: 0, exportable: isExportable };
    this.keys.set(name, key);
    const warnings = known ? [`key ${name} already existed`] : null;
    return json(200, { data: this.#describe(name, key), warnings });
  }

  #describe(name: string, { versions, deletionAllowed, minEncryptionVersion, exportable }: FakeTransitKey): Json {
    const [type] = TYPE_NAMES.find(([, keyType]) => keyType === versions[0]?.keyType) ?? [];
    const keys = versions.map((key, at) => [
      String(at + 1),
      { public_key: key.keyType === 'Ed25519' ? toRaw(key) : key.pem, creation_time: '2026-01-01T00:00:00Z' },
    ]);
    return {
      name,
      type,
      exportable,
      deletion_allowed: deletionAllowed,
      latest_version: versions.length,
      min_encryption_version: minEncryptionVersion,
      keys: Object.fromEntries(keys),
    };
  }

  #sign(name: string, wanted: Json): FakeReply {
    const found = this.keys.get(name) ?? refuse(400, 'signing key not found');
    const version = Number(wanted.key_version ?? 0) || found.versions.length;
    if (version < found.minEncryptionVersion)
      refuse(400, 'requested version for signing is less than the minimum encryption key version');
    const key = found.versions[version - 1] ?? refuse(400, 'requested version for signing is higher than the latest');
    const { digest, kty } = KEY_TYPES[key.keyType];
    const input = Buffer.from(String(wanted.input), 'base64');
    if (kty === 'RSA' && wanted.signature_algorithm !== 'pkcs1v15') refuse(400, 'this fake has no RSASSA-PSS');
    if (digest !== null && wanted.hash_algorithm !== `sha2-${digest.slice(3)}`) refuse(400, 'invalid hash algorithm');
    if (digest === null && wanted.prehashed === true) refuse(400, 'this fake has no Ed25519ph');
    const isHashed = digest === null || wanted.prehashed === true;
    const signature = key.sign(isHashed ? input : createHash(digest).update(input).digest());
    const isJws = wanted.marshaling_algorithm === 'jws';
    const bytes = kty === 'EC' && !isJws ? toDer(signature) : signature;
    const text = `vault:v${version}:${bytes.toString(isJws ? 'base64url' : 'base64')}`;
    return json(200, { data: { signature: text, key_version: version } });
  }

  #configure(name: string, { deletion_allowed: allowed }: Json): FakeReply {
    this.#find(name).deletionAllowed = allowed === true;
    return { status: 204 };
  }

  #delete(name: string): FakeReply {
    if (!this.#find(name).deletionAllowed) refuse(400, `error deleting policy ${name}: deletion is not allowed`);
    this.keys.delete(name);
    return { status: 204 };
  }

  #find(name: string): FakeTransitKey {
    return this.keys.get(name) ?? refuse(400, `no existing key named ${name} could be found`);
  }
}

/** The 32 bytes of an Ed25519 key, as Transit states them. */
const toRaw = ({ jwk: { x = '' } }: FakeKey): string => Buffer.from(x, 'base64url').toString('base64');

function readBody(body: Buffer): Json {
  if (body.length === 0) return {};
  try {
    return JSON.parse(body.toString()) as Json;
  } catch {
    return refuse(400, 'failed to parse JSON input');
  }
}
