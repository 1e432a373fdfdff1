import { at, fieldErrors, invalidField } from '../../foundation/errors.ts';
import { isObject, type JsonObject } from '../../foundation/json.ts';
import { withKid } from '../../jose/jwk.ts';
import { isCallableUrl } from '../../network/urls.ts';
import type { BackendRow } from './backend.ts';
import { type Member, readTags, readTexts, refuseOthers, type TagLimits } from './members.ts';

const ocid = (kind: string): Member => ({
  pattern: new RegExp(`^ocid1\\.${kind}\\.[a-z0-9.-]{1,240}$`, 'i'),
  expected: `must be an OCID that begins with ocid1.${kind}.`,
});
const ENDPOINTS = ['managementEndpoint', 'cryptoEndpoint'] as const;
const MEMBERS = {
  tenancyId: ocid('tenancy'),
  compartmentId: ocid('(compartment|tenancy)'),
  userId: ocid('user'),
  fingerprint: {
    pattern: /^[0-9a-f]{2}(:[0-9a-f]{2}){15}$/i,
    expected: 'must be 16 hexadecimal pairs with colons between them',
  },
  managementEndpoint: {},
  cryptoEndpoint: {},
  signingKeyPem: { isPem: true },
} as const satisfies Record<string, Member>;

/** The vendor's names of three members, which existing clients use (decisions §1). */
const OCID_NAMES = { tenancyOcid: 'tenancyId', compartmentOcid: 'compartmentId', userOcid: 'userId' } as const;

/** The limits of OCI for free-form tags. */
const TAGS: TagLimits = { count: 10, nameLength: 100, valueLength: 256 };

/** Oracle OCI Vault (interface: Wallet key creation request). `ocids` of the stored form: spelled by the vendor's names. */
export const KMSC: BackendRow = {
  title: 'Oracle OCI Vault',
  spellings: ['kmsc-rest-api', 'kmsc', 'oci-rest-api', 'oci'],
  readConfig,
  read: ({ id, config, ...rest }) => {
    refuseOthers(rest);
    if (typeof id !== 'string' || !/^ocid1\.key\.[a-z0-9.-]{1,240}$/i.test(id))
      throw invalidField(['id'], 'must be the OCID of a key');
    const read = at(['config'], () => readConfig(isObject(config) ? config : missing()));
    return { id, config: read, configAt: ['config'] };
  },
  write: ({ id, config: { ocids, ...config }, keyType, publicJwk }) => ({
    id,
    config: ocids === true ? renamed(config, invert(OCID_NAMES)) : config,
    _publicKey: JSON.stringify(withKid(publicJwk)),
    _keyType: keyType,
  }),
};

function readConfig({ tags, ...config }: JsonObject): JsonObject {
  const ocids = Object.keys(OCID_NAMES).some((name) => Object.hasOwn(config, name));
  const texts = at(ocids ? placesOf(invert(OCID_NAMES)) : [], () =>
    readTexts(ocids ? renamed(config, OCID_NAMES) : config, MEMBERS),
  );
  const wrong = ENDPOINTS.filter((name) => !isEndpoint(texts[name]));
  if (wrong.length > 0)
    throw fieldErrors(
      wrong.map((name) => ({ path: [name], message: 'must be the URL or the host name of an endpoint' })),
    );
  const endpoints = Object.fromEntries(ENDPOINTS.map((name) => [name, withScheme(texts[name])]));
  const read = readTags(tags, ['tags'], TAGS);
  return { ...texts, ...endpoints, ...(read && { tags: read }), ...(ocids && { ocids }) };
}

/** Existing clients name an endpoint by its host; it is called by https then. */
const withScheme = (endpoint: string): string => (endpoint.includes('://') ? endpoint : `https://${endpoint}`);

function isEndpoint(text: string): boolean {
  const url = withScheme(text);
  return isCallableUrl(url) && new URL(url).pathname === '/' && !/[?#]/.test(url);
}

const renamed = (value: JsonObject, names: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [names[name] ?? name, member]));

const invert = (names: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(names).map(([from, to]) => [to, from]));

const placesOf = (names: Readonly<Record<string, string>>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(names).map(([from, to]) => [from, [to]]));

const missing = (): never => {
  throw invalidField([], 'is required');
};
