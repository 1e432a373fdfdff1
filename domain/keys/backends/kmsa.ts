import { at, invalidField } from '../../foundation/errors.ts';
import { isObject, type JsonObject } from '../../foundation/json.ts';
import { withKid } from '../../jose/jwk.ts';
import type { BackendRow } from './backend.ts';
import { type Member, readTags, readTexts, refuseOthers, requireConfig, type TagLimits } from './members.ts';

/** A region is part of the host name of its endpoint. The vendor's library rewrites names that begin with fips. */
const region: Member = {
  pattern: /^(?!fips-)[a-z]{2,5}(-[a-z]{1,20}){1,3}-\d{1,2}$/,
  expected: 'must be a region such as eu-central-1',
};
const ACCESS_KEYS = {
  accessKeyId: { pattern: /^\w{1,128}$/, expected: 'must be 1 to 128 letters and digits' },
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
const KEY_ID =
  /^(arn:aws[a-z-]*:kms:(?<region>[a-z0-9-]+):\d{12}:key\/)?(mrk-[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** AWS KMS: `config` has the credentials and the tags (interface: Auth shapes). */
export const KMSA: BackendRow = {
  title: 'AWS KMS',
  spellings: ['kmsa-rest-api', 'kmsa', 'aws-rest-api', 'aws'],
  maxTags: TAGS.count,
  readConfig,
  read: ({ id, config, auth, ...rest }) => {
    refuseOthers(config === undefined ? rest : { ...rest, ...(auth !== undefined && { auth }) });
    const isInside = config !== undefined || auth === undefined;
    const read = isInside ? at(['config'], () => readConfig(requireConfig(config))) : readConfig({ auth });
    return { id: readKeyId(id, read), config: read, configAt: isInside ? ['config'] : [] };
  },
  write: ({ id, config, keyType, publicJwk }) => ({
    id,
    config,
    _publicKey: JSON.stringify(withKid(publicJwk)),
    _keyType: keyType,
  }),
};

/** An ARN names its region, which must be that of the credentials. */
function readKeyId(id: unknown, { auth }: JsonObject): string {
  const parts = typeof id === 'string' ? KEY_ID.exec(id) : null;
  if (!parts) throw invalidField(['id'], 'must be the id or the ARN of a key');
  const { region: stated } = parts.groups ?? {};
  if (stated !== undefined && isObject(auth) && stated !== auth.region)
    throw invalidField(['id'], `is the ARN of a key in ${stated}, not in the region of the credentials`);
  return parts[0];
}

function readConfig({ auth, tags, ...rest }: JsonObject): JsonObject {
  refuseOthers(rest);
  const isRole = isObject(auth) && auth.roleName !== undefined && auth.accessKeyId === undefined;
  const members: Readonly<Record<string, Member>> = isRole ? INSTANCE_ROLE : ACCESS_KEYS;
  const credentials = at(['auth'], () => readTexts(auth, members));
  const read = readTags(tags, TAGS);
  const reserved = Object.keys(read ?? {}).find((name) => /^aws:/i.test(name));
  if (reserved !== undefined) throw invalidField(['tags', reserved], 'is reserved: tags must not begin with aws:');
  return { auth: credentials, ...(read && { tags: read }) };
}
