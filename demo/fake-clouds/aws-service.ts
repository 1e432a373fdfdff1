import { randomUUID } from 'node:crypto';
import type { KeyType } from '../../ports/key-service.ts';
import { FakeKey, toDer } from './fake-keys.ts';
import type { FakeBehaviour, FakeCall, FakeReply } from './fake-server.ts';
import { type AccessKey, verifySigV4 } from './sigv4.ts';

/** A key of the fake. */
interface AwsKey {
  id: string;
  region: string;
  state: 'Enabled' | 'Disabled' | 'PendingDeletion';
  description: string;
  tags: Record<string, string>;
  /** The access key that created it. */
  createdBy: string;
  key: FakeKey;
}

/** A call that passed the check of its signature. */
interface Signed {
  region: string;
  accessKeyId: string;
  // biome-ignore lint/suspicious/noExplicitAny: the members are checked one by one, as the service does
  input: any;
}

const ACCOUNT = '111122223333';
const KEY_TYPES: Readonly<Record<string, KeyType>> = {
  ECC_NIST_P256: 'secp256r1',
  ECC_NIST_P384: 'secp384r1',
  ECC_NIST_P521: 'secp521r1',
  ECC_SECG_P256K1: 'secp256k1',
  RSA_2048: 'RSA',
  RSA_3072: 'RSA3072',
  RSA_4096: 'RSA4096',
};
/** The algorithms of each key spec, with the bytes of their digests. */
const RSA_ALGORITHMS = { RSASSA_PKCS1_V1_5_SHA_256: 32, RSASSA_PKCS1_V1_5_SHA_384: 48, RSASSA_PKCS1_V1_5_SHA_512: 64 };
const ALGORITHMS: Readonly<Record<KeyType, Readonly<Record<string, number>>>> = {
  Ed25519: {},
  secp256r1: { ECDSA_SHA_256: 32 },
  secp256k1: { ECDSA_SHA_256: 32 },
  secp384r1: { ECDSA_SHA_384: 48 },
  secp521r1: { ECDSA_SHA_512: 64 },
  RSA: RSA_ALGORITHMS,
  RSA3072: RSA_ALGORITHMS,
  RSA4096: RSA_ALGORITHMS,
};

/** A refusal by the service. */
class Refusal extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

/** AWS KMS in memory: verifies signatures, holds keys and signs digests. */
export class FakeAwsService implements FakeBehaviour {
  /** The access keys by their ids; a test adds and removes them. */
  readonly accessKeys = new Map<string, AccessKey>();
  readonly regions: string[];
  readonly keys = new Map<string, AwsKey>();
  /** The operations that are not permitted, such as kms:Sign. */
  readonly denied = new Set<string>();

  constructor(regions: string[]) {
    this.regions = regions;
  }

  async answer(call: FakeCall): Promise<FakeReply> {
    const { method, path, headers, body } = call;
    if (method !== 'POST' || path !== '/' || headers['content-type'] !== 'application/x-amz-json-1.1')
      return refusal('UnknownOperationException', '', 404);
    const rules = { service: 'kms', regions: this.regions, signedHeaders: ['content-type', 'x-amz-target'] };
    const outcome = verifySigV4(call, { ...rules, accessKeys: this.accessKeys, now: Date.now() });
    if ('error' in outcome) return refusal(outcome.error, outcome.message);
    const [service, operation = ''] = String(headers['x-amz-target']).split('.');
    const handler = service === 'TrentService' ? this.#operations[operation] : undefined;
    if (!handler) return refusal('UnknownOperationException', '');
    try {
      const input = JSON.parse(body.toString());
      // Tags of a new key need a permission of their own.
      const isTagging = operation === 'CreateKey' && (input.Tags ?? []).length > 0;
      for (const needed of [operation, ...(isTagging ? ['TagResource'] : [])])
        if (this.denied.has(`kms:${needed}`)) return accessDenied(needed);
      return reply(200, await handler({ ...outcome, input }));
    } catch (error) {
      if (error instanceof Refusal) return refusal(error.name, error.message);
      return refusal('SerializationException', 'The request cannot be read');
    }
  }

  throttled = (): FakeReply => refusal('ThrottlingException', 'Rate exceeded');
  failed = (): FakeReply => refusal('KMSInternalException', 'An internal failure', 500);

  readonly #operations: Readonly<Record<string, (call: Signed) => Promise<object> | object>> = {
    CreateKey: async ({ region, accessKeyId, input }) => {
      const { KeySpec = 'SYMMETRIC_DEFAULT', KeyUsage, Description = '', Tags = [] } = input;
      const keyType = Object.hasOwn(KEY_TYPES, KeySpec) ? KEY_TYPES[KeySpec] : undefined;
      if (!keyType || KeyUsage !== 'SIGN_VERIFY')
        throw new Refusal('ValidationException', `KeySpec ${KeySpec} with KeyUsage ${KeyUsage} is not supported`);
      const tags = readTags(Tags);
      const id = randomUUID();
      const key = await FakeKey.create(keyType);
      const created: AwsKey = {
        id,
        region,
        state: 'Enabled',
        description: Description,
        tags,
        createdBy: accessKeyId,
        key,
      };
      this.keys.set(id, created);
      return { KeyMetadata: { ...described(created), KeySpec, KeyUsage, Description, MultiRegion: false } };
    },
    GetPublicKey: (call) => {
      const found = usable(this.#find(call));
      const KeySpec = Object.keys(KEY_TYPES).find((name) => KEY_TYPES[name] === found.key.keyType);
      const SigningAlgorithms = Object.keys(ALGORITHMS[found.key.keyType]);
      const PublicKey = found.key.spki.toString('base64');
      return { KeyId: arnOf(found), PublicKey, KeySpec, KeyUsage: 'SIGN_VERIFY', SigningAlgorithms };
    },
    Sign: (call) => {
      const { Message, MessageType = 'RAW', SigningAlgorithm } = call.input;
      const found = usable(this.#find(call));
      const bytes = ALGORITHMS[found.key.keyType][SigningAlgorithm];
      if (bytes === undefined)
        throw new Refusal('InvalidKeyUsageException', `Algorithm ${SigningAlgorithm} is incompatible with the key`);
      const digest = Buffer.from(String(Message), 'base64');
      if (MessageType !== 'DIGEST' || digest.length !== bytes)
        throw new Refusal('ValidationException', `Digest is invalid length for algorithm ${SigningAlgorithm}`);
      const signature = found.key.sign(digest);
      const isEcdsa = SigningAlgorithm.startsWith('ECDSA');
      const Signature = (isEcdsa ? toDer(signature) : signature).toString('base64');
      return { KeyId: arnOf(found), Signature, SigningAlgorithm };
    },
    ScheduleKeyDeletion: (call) => {
      const { PendingWindowInDays = 30 } = call.input;
      const found = this.#find(call);
      if (found.state === 'PendingDeletion')
        throw new Refusal('KMSInvalidStateException', `${arnOf(found)} is pending deletion.`);
      if (!(PendingWindowInDays >= 7 && PendingWindowInDays <= 30))
        throw new Refusal('ValidationException', 'PendingWindowInDays must be between 7 and 30');
      found.state = 'PendingDeletion';
      const DeletionDate = Date.now() / 1000 + PendingWindowInDays * 86_400;
      return { KeyId: arnOf(found), DeletionDate, KeyState: found.state, PendingWindowInDays };
    },
  };

  #find({ region, input: { KeyId } }: Signed): AwsKey {
    const text = String(KeyId);
    const [, at = region, id = text] = /^arn:aws:kms:([a-z0-9-]+):\d{12}:key\/(.+)$/.exec(text) ?? [];
    const found = this.keys.get(id);
    if (at !== region) throw new Refusal('NotFoundException', `Invalid arn ${at}`);
    if (!found || found.region !== region)
      throw new Refusal('NotFoundException', `Key 'arn:aws:kms:${region}:${ACCOUNT}:key/${id}' does not exist`);
    return found;
  }
}

const arnOf = ({ id, region }: AwsKey): string => `arn:aws:kms:${region}:${ACCOUNT}:key/${id}`;

const described = (key: AwsKey) => ({
  AWSAccountId: ACCOUNT,
  Arn: arnOf(key),
  CreationDate: Date.now() / 1000,
  Enabled: true,
  KeyId: key.id,
  KeyManager: 'CUSTOMER',
  KeyState: key.state,
  Origin: 'AWS_KMS',
});

function usable(key: AwsKey): AwsKey {
  if (key.state === 'Disabled') throw new Refusal('DisabledException', `${arnOf(key)} is disabled.`);
  if (key.state === 'PendingDeletion')
    throw new Refusal('KMSInvalidStateException', `${arnOf(key)} is pending deletion.`);
  return key;
}

/** The limits of tags (Tagging keys in AWS KMS). */
function readTags(list: { TagKey?: unknown; TagValue?: unknown }[]): Record<string, string> {
  const characters = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;
  const tags = list.map(({ TagKey, TagValue }) => [String(TagKey), String(TagValue)] as const);
  const isValid = ([name, value]: readonly [string, string]): boolean =>
    name.length >= 1 && name.length <= 128 && value.length <= 256 && characters.test(name) && characters.test(value);
  if (tags.length > 50 || !tags.every(isValid) || new Set(tags.map(([name]) => name)).size !== tags.length)
    throw new Refusal('TagException', 'The tags are not valid');
  if (tags.some(([name]) => /^aws:/i.test(name))) throw new Refusal('TagException', 'aws: prefixed tags are reserved');
  return Object.fromEntries(tags);
}

const reply = (status: number, body: object, headers: Record<string, string> = {}): FakeReply => ({
  status,
  headers: {
    'content-type': 'application/x-amz-json-1.1',
    'x-amzn-requestid': randomUUID(),
    date: new Date().toUTCString(),
    ...headers,
  },
  body: JSON.stringify(body),
});

const refusal = (name: string, message: string, status = 400): FakeReply =>
  reply(status, { __type: name, ...(message !== '' && { message }) }, { 'x-amzn-errortype': name });

/** This error alone spells its text `Message`. */
const accessDenied = (operation: string): FakeReply =>
  reply(400, {
    __type: 'AccessDeniedException',
    Message: `User: arn:aws:iam::${ACCOUNT}:user/issuer is not authorized to perform: kms:${operation}`,
  });
