import { at, invalidField } from '../../foundation/errors.ts';
import { isObject, type JsonObject } from '../../foundation/json.ts';
import { withKid } from '../../jose/jwk.ts';
import { isCallableUrl } from '../../network/urls.ts';
import type { BackendRow } from './backend.ts';
import { type Member, readTags, readTexts, refuseOthers, type TagLimits } from './members.ts';

const AUTH = {
  keyVaultUrl: {},
  clientId: {},
  tenantId: { pattern: /^[A-Za-z0-9][A-Za-z0-9.-]{0,255}$/, expected: 'must be the id or the domain of a tenant' },
  clientSecret: {},
} as const satisfies Record<string, Member>;

/** The limits of Azure Key Vault for the tags and the name of a key. */
const TAGS: TagLimits = { count: 15, nameLength: 256, valueLength: 256 };
const NAME = /^[0-9A-Za-z-]{1,127}$/;
/** Name and version at the end of the URL of a key. */
const KEY = /^[0-9A-Za-z-]{1,127}(\/[0-9a-f]{32})?$/;

/** Azure Key Vault: a reference has `auth` at the top (interface: Issuer key reference object). */
export const KMSB: BackendRow = {
  title: 'Azure Key Vault',
  spellings: ['kmsb-rest-api', 'kmsb', 'azure-rest-api', 'azure'],
  maxTags: TAGS.count,
  readConfig,
  read: ({ id, config, auth, ...rest }) => {
    refuseOthers(rest);
    if (auth !== undefined && config !== undefined) throw invalidField(['config'], 'does not belong beside auth');
    const isInside = isObject(config);
    const read = isInside ? at(['config'], () => readConfig(config)) : readConfig({ auth });
    return { id: readKeyUrl(id, vaultOf(read)), config: read, configAt: isInside ? ['config'] : [] };
  },
  write: ({ id, config: { auth }, keyType, publicJwk }) => ({
    id,
    auth,
    _keyType: keyType,
    _publicKey: { type: 'jwk', jwk: { ...withKid(publicJwk), key_ops: ['sign', 'verify'] } },
  }),
};

function readConfig({ auth, tags, name, ...rest }: JsonObject): JsonObject {
  refuseOthers(rest);
  const credentials = at(['auth'], () => readTexts(auth, AUTH));
  if (!isVaultUrl(credentials.keyVaultUrl))
    throw invalidField(['auth', 'keyVaultUrl'], 'must be the URL of a vault: an origin, without path and query');
  if (name !== undefined && !(typeof name === 'string' && NAME.test(name)))
    throw invalidField(['name'], 'must be 1 to 127 letters, digits and hyphens');
  const read = readTags(tags, TAGS);
  return { auth: credentials, ...(read && { tags: read }), ...(name !== undefined && { name }) };
}

/** An origin in one spelling: without a path, a query or a fragment, not even an empty one. */
const isVaultUrl = (text: string): boolean => isCallableUrl(text) && /^https?:\/\/[^/?#]+\/?$/i.test(text);

const vaultOf = ({ auth }: JsonObject): string => new URL(String(isObject(auth) ? auth.keyVaultUrl : '')).origin;

/** The URL of a key must lie in the vault whose credentials come with it: else these would be sent elsewhere. */
function readKeyUrl(id: unknown, vault: string): string {
  const start = `${vault}/keys/`;
  if (typeof id !== 'string' || !id.startsWith(start) || !KEY.test(id.slice(start.length)))
    throw invalidField(['id'], 'must be the URL of a key in the vault of keyVaultUrl');
  return id;
}
