import { at, fieldErrors, invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { withKid } from '../../jose/jwk.ts';
import { isCallableUrl } from '../../network/urls.ts';
import type { BackendRow } from './backend.ts';
import { type Member, readTags, readTexts, refuseOthers, requireConfig, type TagLimits } from './members.ts';

/** An identifier of OCI: mostly an OCID, but the contract does not say so. It becomes part of a path. */
const IDENTIFIER = /^(?!\.+$)[A-Za-z0-9._:-]{1,255}$/;
const identifier: Member = { pattern: IDENTIFIER, expected: 'must be an identifier such as an OCID' };
const ENDPOINTS = ['managementEndpoint', 'cryptoEndpoint'] as const;
const MEMBERS = {
  tenancyId: identifier,
  compartmentId: identifier,
  userId: identifier,
  fingerprint: {
    pattern: /^[0-9a-f]{2}(:[0-9a-f]{2}){15}$/i,
    expected: 'must be 16 hexadecimal pairs with colons between them',
  },
  managementEndpoint: {},
  cryptoEndpoint: {},
  signingKeyPem: { isPem: true },
} as const satisfies Record<string, Member>;

/** The vendor's names of three members, which existing clients use (decisions §1). */
const VENDOR_NAMES = { tenancyId: 'tenancyOcid', compartmentId: 'compartmentOcid', userId: 'userOcid' } as const;
type Renamed = keyof typeof VENDOR_NAMES;
const RENAMED = Object.keys(VENDOR_NAMES) as Renamed[];

/** The limits of OCI for free-form tags. */
const TAGS: TagLimits = { count: 10, nameLength: 100, valueLength: 256 };

/** Oracle OCI Vault (interface: Wallet key creation request). `vendorNames` of the stored form: what the caller spelled so. */
export const KMSC: BackendRow = {
  title: 'Oracle OCI Vault',
  spellings: ['kmsc-rest-api', 'kmsc', 'oci-rest-api', 'oci'],
  maxTags: TAGS.count,
  readConfig,
  read: ({ id, config, ...rest }) => {
    refuseOthers(rest);
    if (typeof id !== 'string' || !IDENTIFIER.test(id)) throw invalidField(['id'], 'must be the OCID of a key');
    const read = at(['config'], () => readConfig(requireConfig(config)));
    return { id, config: read, configAt: ['config'] };
  },
  write: ({ id, config, keyType, publicJwk }) => ({
    id,
    config: writeConfig(config),
    _publicKey: JSON.stringify(withKid(publicJwk)),
    _keyType: keyType,
  }),
};

/** The endpoint as a URL: existing clients name it by its host, which is called by https then. */
export const endpointUrl = (endpoint: string): string => (endpoint.includes('://') ? endpoint : `https://${endpoint}`);

/** The caller's name of a member of the stored form. */
export const spellingOf = ({ vendorNames }: JsonObject, member: Renamed): string =>
  Array.isArray(vendorNames) && vendorNames.includes(member) ? VENDOR_NAMES[member] : member;

function readConfig({ tags, ...members }: JsonObject): JsonObject {
  const config = Object.fromEntries(Object.entries(members).filter(([, value]) => (value ?? undefined) !== undefined));
  const vendorNames = RENAMED.filter((member) => Object.hasOwn(config, VENDOR_NAMES[member]));
  const twice = vendorNames.find((member) => Object.hasOwn(config, member));
  if (twice !== undefined) throw invalidField([VENDOR_NAMES[twice]], `is another name of ${twice}: give one of them`);
  const places = Object.fromEntries(vendorNames.map((member) => [member, [VENDOR_NAMES[member]]]));
  const texts = at(places, () => readTexts(named(config, vendorNames), MEMBERS));
  const wrong = ENDPOINTS.filter((name) => !isEndpoint(texts[name]));
  if (wrong.length > 0)
    throw fieldErrors(
      wrong.map((name) => ({ path: [name], message: 'must be the URL or the host name of an endpoint' })),
    );
  const read = readTags(tags, TAGS);
  return { ...texts, ...(read && { tags: read }), ...(vendorNames.length > 0 && { vendorNames }) };
}

/** Gives members that the caller spelled by the vendor's names the names of the contract. */
function named(config: JsonObject, vendorNames: readonly Renamed[]): JsonObject {
  const ours = new Map<string, string>(vendorNames.map((member) => [VENDOR_NAMES[member], member]));
  return Object.fromEntries(Object.entries(config).map(([name, value]) => [ours.get(name) ?? name, value]));
}

function writeConfig({ vendorNames, ...config }: JsonObject): JsonObject {
  const spelled = (name: string): string =>
    Object.hasOwn(VENDOR_NAMES, name) ? spellingOf({ vendorNames }, name as Renamed) : name;
  return Object.fromEntries(Object.entries(config).map(([name, value]) => [spelled(name), value]));
}

function isEndpoint(text: string): boolean {
  const url = endpointUrl(text);
  return isCallableUrl(url) && new URL(url).pathname === '/' && !/[?#]/.test(url);
}
