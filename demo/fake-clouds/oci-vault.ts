import { randomBytes } from 'node:crypto';
import { KEY_TYPES } from '../../domain/jose/key-types.ts';
import type { KeyType } from '../../ports/key-service.ts';
import { FakeKey, toDer } from './fake-keys.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_TAGS = 10;

/** The key types by algorithm and length in bytes; null for keys that cannot sign. */
const SHAPES: Readonly<Record<string, KeyType | null>> = {
  'ECDSA 32 NIST_P256': 'secp256r1',
  'ECDSA 48 NIST_P384': 'secp384r1',
  'ECDSA 66 NIST_P521': 'secp521r1',
  'RSA 256': 'RSA',
  'RSA 384': 'RSA3072',
  'RSA 512': 'RSA4096',
  'AES 16': null,
  'AES 32': null,
};

/** The key family and the digest length in bytes of each algorithm. */
const SIGNING: Readonly<Record<string, { kty: string; bytes: number }>> = {
  ECDSA_SHA_256: { kty: 'EC', bytes: 32 },
  ECDSA_SHA_384: { kty: 'EC', bytes: 48 },
  ECDSA_SHA_512: { kty: 'EC', bytes: 64 },
  SHA_256_RSA_PKCS1_V1_5: { kty: 'RSA', bytes: 32 },
  SHA_384_RSA_PKCS1_V1_5: { kty: 'RSA', bytes: 48 },
  SHA_512_RSA_PKCS1_V1_5: { kty: 'RSA', bytes: 64 },
};

/** An error of OCI's: its status, its code and its message. */
export class OciError extends Error {
  readonly status: number;
  readonly code: string;

  constructor({ status, code, message }: { status: number; code: string; message: string }) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const invalid = (message: string) => new OciError({ status: 400, code: 'InvalidParameter', message });

const hidden = () =>
  new OciError({
    status: 404,
    code: 'NotAuthorizedOrNotFound',
    message: 'Authorization failed or requested resource not found.',
  });

const wrongState = ({ id, lifecycleState }: VaultKey) =>
  new OciError({
    status: 409,
    code: 'IncorrectState',
    message: `Key ${id} is in state ${lifecycleState}, which does not allow this operation.`,
  });

interface Version {
  id: string;
  timeCreated: string;
  /** Absent for keys that only encrypt. */
  material?: FakeKey;
}

/** A key of a vault. */
export interface VaultKey {
  id: string;
  tenancy: string;
  compartmentId: string;
  displayName: string;
  keyShape: Record<string, unknown>;
  keyType: KeyType | null;
  protectionMode: string;
  freeformTags: Record<string, string>;
  lifecycleState: string;
  timeCreated: string;
  timeOfDeletion?: string;
  versions: Version[];
  /** Reads until a new key is enabled. */
  readsLeft: number;
}

/** The members of CreateKeyDetails, SignDataDetails and ScheduleKeyDeletionDetails as they were sent. */
type Details = Record<string, unknown>;

/** A vault: keys with their states, versions and tags, each in a compartment of a tenancy. */
export class Vault {
  readonly #keys = new Map<string, VaultKey>();
  /** Reads until a new key is enabled. */
  readsUntilEnabled = 1;
  readonly id = ocid('vault');

  /** All keys, oldest first. */
  get keys(): VaultKey[] {
    return [...this.#keys.values()];
  }

  async create(details: Details, { tenancy, now }: { tenancy: string; now: number }): Promise<VaultKey> {
    const { compartmentId, displayName, protectionMode = 'HSM', freeformTags = {} } = details;
    if (typeof displayName !== 'string' || displayName === '' || displayName.length > 255)
      throw invalid('displayName size must be between 1 and 255');
    if (!['HSM', 'SOFTWARE'].includes(String(protectionMode))) throw invalid('protectionMode is not valid');
    const keyShape = Object(details.keyShape) as Record<string, unknown>;
    const key: VaultKey = {
      id: ocid('key'),
      tenancy,
      compartmentId: String(compartmentId),
      displayName,
      keyShape,
      keyType: keyTypeOf(keyShape),
      protectionMode: String(protectionMode),
      freeformTags: checkTags(freeformTags),
      lifecycleState: 'CREATING',
      timeCreated: new Date(now).toISOString(),
      versions: [],
      readsLeft: this.readsUntilEnabled,
    };
    await this.#addVersion(key, now);
    this.#keys.set(key.id, key);
    return key;
  }

  /** A key as a management operation sees it; each look brings a new key closer to being enabled. */
  look(id: string, tenancy: string): VaultKey {
    const key = this.find(id, tenancy);
    if (key.lifecycleState !== 'CREATING') return key;
    if (key.readsLeft <= 0) key.lifecycleState = 'ENABLED';
    key.readsLeft -= 1;
    return key;
  }

  find(id: string, tenancy: string): VaultKey {
    const key = this.#keys.get(id);
    if (!key || key.tenancy !== tenancy) throw hidden();
    return key;
  }

  scheduleDeletion(key: VaultKey, { timeOfDeletion }: Details, now: number): VaultKey {
    if (!['ENABLED', 'DISABLED'].includes(key.lifecycleState)) throw wrongState(key);
    const time = timeOfDeletion === undefined ? now + 30 * DAY_MS : Date.parse(String(timeOfDeletion));
    if (!(time >= now + 7 * DAY_MS && time <= now + 30 * DAY_MS))
      throw invalid('timeOfDeletion must be between 7 and 30 days from now');
    key.lifecycleState = 'PENDING_DELETION';
    key.timeOfDeletion = new Date(time).toISOString();
    return key;
  }

  /** Signs with the newest version unless another is named. */
  sign(details: Details, tenancy: string): Record<string, unknown> {
    const { message, messageType = 'RAW', signingAlgorithm, keyVersionId } = details;
    const key = this.find(String(details.keyId), tenancy);
    const algorithm = SIGNING[String(signingAlgorithm)];
    const digest = Buffer.from(String(message), 'base64');
    if (messageType !== 'DIGEST' || !algorithm) throw invalid('messageType and signingAlgorithm must be given');
    if (key.lifecycleState !== 'ENABLED') throw wrongState(key);
    const version = key.versions.findLast(({ id }) => keyVersionId === undefined || id === keyVersionId);
    if (!version) throw hidden();
    const { material } = version;
    if (!material || KEY_TYPES[material.keyType].kty !== algorithm.kty || digest.length !== algorithm.bytes)
      throw invalid('The signing algorithm does not fit the key or the message');
    const raw = material.sign(digest);
    const signature = (algorithm.kty === 'EC' ? toDer(raw) : raw).toString('base64');
    return { keyId: key.id, keyVersionId: version.id, signature, signingAlgorithm };
  }

  /** Adds a version, which signs from now on. */
  async rotate(id: string, now: number): Promise<void> {
    const key = this.#keys.get(id);
    if (key) await this.#addVersion(key, now);
  }

  /** Sets the state of a key, as an administrator of the vault does. */
  move(id: string, lifecycleState: string): void {
    const key = this.#keys.get(id);
    if (key) key.lifecycleState = lifecycleState;
  }

  async #addVersion(key: VaultKey, now: number): Promise<void> {
    const material = key.keyType === null ? undefined : await FakeKey.create(key.keyType);
    key.versions.push({ id: ocid('keyversion'), timeCreated: new Date(now).toISOString(), material });
  }
}

/** A new OCID of the fake's region. */
export const ocid = (kind: string, region = 'eu-frankfurt-1'): string =>
  `ocid1.${kind}.oc1.${region}.${randomBytes(30).toString('hex')}`;

function keyTypeOf({ algorithm, length, curveId }: Record<string, unknown>): KeyType | null {
  const name = [algorithm, length, curveId].filter((part) => part !== undefined && part !== null).join(' ');
  const keyType = SHAPES[name];
  if (keyType === undefined) throw invalid(`The key shape ${name} is not supported`);
  return keyType;
}

function checkTags(tags: unknown): Record<string, string> {
  const list = Object.entries(Object(tags));
  if (list.length > MAX_TAGS) throw invalid(`freeformTags size must be between 0 and ${MAX_TAGS}`);
  for (const [name, value] of list)
    if (name === '' || name.length > 100 || typeof value !== 'string' || value.length > 256)
      throw invalid('freeformTags contains a tag that is too long or no text');
  return Object.fromEntries(list) as Record<string, string>;
}
