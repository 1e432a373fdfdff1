import { at, invalidField } from '../../foundation/errors.ts';
import { isObject, type JsonObject } from '../../foundation/json.ts';
import { withKid } from '../../jose/jwk.ts';
import type { BackendRow } from './backend.ts';
import { type Member, readTags, readTexts, refuseOthers, type TagLimits } from './members.ts';

/** A region is part of the host name of its endpoint. */
const region: Member = { pattern: /^[a-z]{2}(-[a-z]+)+-\d{1,2}$/, expected: 'must be a region such as eu-central-1' };
const ACCESS_KEYS = {
  accessKeyId: { pattern: /^\w{16,128}$/, expected: 'must be 16 to 128 letters and digits' },
  secretAccessKey: {},
  region,
} as const satisfies Record<string, Member>;
const INSTANCE_ROLE = {
  roleName: { pattern: /^[\w+=,.@-]{1,64}$/, expected: 'must be the name of a role' },
  region,
} as const satisfies Record<string, Member>;

/** The limits of AWS KMS for the tags of a key. */
const TAGS: TagLimits = { count: 50, nameLength: 128, valueLength: 256, pattern: /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u };

/** A key id, a multi-Region key id, or the ARN of a key. */
const KEY_ID = /^(arn:[a-z-]+:kms:[a-z0-9-]+:\d{12}:key\/)?(mrk-)?[0-9a-f-]{32,36}$/;

/** AWS KMS: `config` has the credentials and the tags (interface: Auth shapes). */
export const KMSA: BackendRow = {
  title: 'AWS KMS',
  spellings: ['kmsa-rest-api', 'kmsa', 'aws-rest-api', 'aws'],
  readConfig,
  read: ({ id, config, auth, ...rest }) => {
    refuseOthers(rest);
    if (typeof id !== 'string' || !KEY_ID.test(id)) throw invalidField(['id'], 'must be the id or the ARN of a key');
    if (config === undefined && auth !== undefined) return { id, config: readConfig({ auth }), configAt: [] };
    const read = at(['config'], () => readConfig(isObject(config) ? config : missing()));
    return { id, config: read, configAt: ['config'] };
  },
  write: ({ id, config, keyType, publicJwk }) => ({
    id,
    config,
    _publicKey: JSON.stringify(withKid(publicJwk)),
    _keyType: keyType,
  }),
};

function readConfig({ auth, tags, ...rest }: JsonObject): JsonObject {
  refuseOthers(rest);
  const isRole = isObject(auth) && auth.roleName !== undefined && auth.accessKeyId === undefined;
  const members: Readonly<Record<string, Member>> = isRole ? INSTANCE_ROLE : ACCESS_KEYS;
  const credentials = at(['auth'], () => readTexts(auth, members));
  const read = readTags(tags, ['tags'], TAGS);
  const reserved = Object.keys(read ?? {}).find((name) => /^aws:/i.test(name));
  if (reserved !== undefined) throw invalidField(['tags', reserved], 'is reserved: tags must not begin with aws:');
  return { auth: credentials, ...(read && { tags: read }) };
}

const missing = (): never => {
  throw invalidField([], 'is required');
};
