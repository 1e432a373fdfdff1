import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import { invalidField } from '../../foundation/errors.ts';
import type { FieldPath } from '../../foundation/field-paths.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import type { VersionedType } from '../../issuer/credential-type.ts';
import type { WrittenProfile } from '../../issuer/issuance-profile.ts';
import type { WrittenIssuer } from '../../issuer/profiles/configured-issuer.ts';
import { typeMembers } from '../../issuer/types/type-members.ts';
import type { Target } from '../access/targets.ts';

/** The member of a configuration that only the operations of credential types write. */
export const TYPES_MEMBER = 'credentialTypes';

/** The member of a configuration that only the operations of profiles write. */
export const PROFILES_MEMBER = 'createdProfiles';

/** The members of a configuration that operations of their own write. */
const OWN_MEMBERS = [TYPES_MEMBER, PROFILES_MEMBER];

/** What operations of their own wrote in a configuration, and what callers wrote. */
export function ownMembers(config: JsonObject): { own: JsonObject; written: JsonObject } {
  const isOwn = ([name]: [string, unknown]): boolean => OWN_MEMBERS.includes(name);
  const all = Object.entries(config);
  return {
    own: Object.fromEntries(all.filter(isOwn)),
    written: Object.fromEntries(all.filter((one) => !isOwn(one))),
  };
}

/** What is left out of a configuration (openapi/config/credential-issuer-metadata.schema.json has the same defaults). */
const DEFAULTS: WrittenIssuer = {
  issuerDisplay: [],
  supportedCredentialTypes: {},
  issuers: [],
  securityProfile: 'OPEN',
  clientAttesters: [],
  keyAttesters: [],
  batchSize: 20,
  issuerInfo: [],
  statusLists: {},
};

/** The members of a configuration that are not of an issuer. */
const OF_THE_SERVICE = [
  ...['type', 'dependencies', 'traversable', 'name', 'description', 'baseUrl', 'kms', 'tokenKeyId'],
  ...['issuedRetentionDays', ...OWN_MEMBERS],
];

const DAY_MS = 86_400_000;

/** How long an issuer keeps records of what it issued: ten years unless its configuration says else. */
export const keptMsOf = ({ issuedRetentionDays = 3650 }: JsonObject): number => Number(issuedRetentionDays) * DAY_MS;

/** A credential type as it is kept in the configuration of its service. */
export type KeptType = VersionedType & {
  /** Milliseconds since the epoch. */
  createdAt: number;
  updatedAt: number;
  /** The account or API key that published the version. */
  account?: string;
  /** Versions that were replaced, the latest first. */
  replaced?: { version: number; at: number; account?: string }[];
};

/** The credential types of a service, by their ids. */
export const typesOf = ({ [TYPES_MEMBER]: types = {} }: JsonObject): Record<string, KeptType> =>
  types as Record<string, KeptType>;

/** The profiles that were created at a service, by their ids. */
export type CreatedProfiles = Record<string, WrittenProfile>;

/** The profiles of a service that were created beside those of its configuration. */
export const createdProfilesOf = ({ [PROFILES_MEMBER]: profiles = {} }: JsonObject): CreatedProfiles =>
  profiles as CreatedProfiles;

/**
 * The issuer that the configuration of a service of the type `issuer2` describes, as its schema has validated it, with what
 * follows from its credential types and the profiles that were created. @throws DomainError `BadRequest` naming a configuration or profile of the same name
 */
export function writtenIssuer(
  config: JsonObject,
  published: { formats: CredentialFormats; identifier: string },
): WrittenIssuer {
  const own = Object.entries(config).filter(([name]) => !OF_THE_SERVICE.includes(name));
  const written: WrittenIssuer = { ...DEFAULTS, ...Object.fromEntries(own) };
  const { supportedCredentialTypes, typeProfiles, images } = typeMembers(typesOf(config), published);
  refuseSame('supportedCredentialTypes', written.supportedCredentialTypes, supportedCredentialTypes);
  const created = createdProfilesOf(config);
  refuseSame('profiles', { ...written.profiles, ...created }, typeProfiles);
  refuseSame('profiles', written.profiles ?? {}, created, 'is the name of one that was created');
  const all = { ...written.supportedCredentialTypes, ...supportedCredentialTypes };
  return { ...written, supportedCredentialTypes: all, typeProfiles: { ...typeProfiles, ...created }, images };
}

function refuseSame(
  member: string,
  written: object,
  others: object,
  why = 'is the name of one that a credential type has',
): void {
  const same = Object.keys(others).find((name) => Object.hasOwn(written, name));
  if (same !== undefined) throw invalidField([member, same], why);
}

/** All profiles of a configuration with the members that they are in. */
const profileEntries = (config: JsonObject): { path: FieldPath; profile: WrittenProfile }[] =>
  ['profiles', PROFILES_MEMBER].flatMap((member) => {
    const profiles = config[member];
    const entries = Object.entries(isObject(profiles) ? profiles : {});
    return entries.map(([id, profile]) => ({ path: [member, id], profile: profile as unknown as WrittenProfile }));
  });

/** The servers that profiles of a configuration have attributes from. */
export const namedSources = (config: JsonObject): { path: FieldPath; url: string }[] =>
  profileEntries(config).flatMap(({ path, profile: { attributeSource } }) =>
    attributeSource?.url ? [{ path: [...path, 'attributeSource', 'url'], url: attributeSource.url }] : [],
  );

/** A key that a configuration names, with the certificates that are stated for it. */
export interface NamedKey {
  target: Target;
  path: FieldPath;
  x5Chain?: { pems: string[]; path: FieldPath };
}

/** The keys that a configuration names. @throws DomainError `BadRequest` for certificates of a key that it does not name */
export function namedKeys(config: JsonObject): NamedKey[] {
  const { tokenKeyId, metadataX5chain, defaultIssuerKey, defaultIssuerX5chain } = config;
  if (metadataX5chain !== undefined && !isText(tokenKeyId))
    throw invalidField(['tokenKeyId'], 'is required by metadataX5chain');
  const shared = isText(defaultIssuerKey) ? defaultIssuerKey : undefined;
  const ofProfiles = profileEntries(config).flatMap(({ path, profile }) => keyOf(profile, path));
  return [
    ...(isText(tokenKeyId) ? [withChain(tokenKeyId, 'tokenKeyId', { metadataX5chain })] : []),
    ...(shared === undefined ? [] : [withChain(shared, 'defaultIssuerKey', { defaultIssuerX5chain })]),
    ...ofProfiles,
  ];
}

/** A key with the certificates that another member has for it. */
function withChain(target: Target, member: string, chain: Record<string, unknown>): NamedKey {
  const [[name, pems] = ['']] = Object.entries(chain);
  return { target, path: [member], x5Chain: Array.isArray(pems) ? { pems, path: [name] } : undefined };
}

function keyOf({ issuerKey, x5Chain }: WrittenProfile, path: FieldPath): NamedKey[] {
  if (!isText(issuerKey)) return [];
  const chain = x5Chain && { pems: x5Chain, path: [...path, 'x5Chain'] };
  return [{ target: issuerKey, path: [...path, 'issuerKey'], x5Chain: chain }];
}

/** A DID that a configuration names by its target in a DID store. */
export interface NamedDid extends Pick<NamedKey, 'target' | 'path'> {
  /** Whether the key that it was created for signs, since no key is named. */
  needsKey: boolean;
}

/** The DIDs that a configuration names by their targets. */
export function namedDids(config: JsonObject): NamedDid[] {
  const { defaultIssuerKey, defaultIssuerDid } = config;
  const needsKey = defaultIssuerKey === undefined;
  const ofProfiles = profileEntries(config).map(({ path, profile: { issuerDid, issuerKey } }) => ({
    target: issuerDid,
    path: [...path, 'issuerDid'],
    needsKey: needsKey && issuerKey === undefined,
  }));
  return [{ target: defaultIssuerDid, path: ['defaultIssuerDid'], needsKey }, ...ofProfiles].flatMap((one) =>
    isText(one.target) && !one.target.startsWith('did:') ? [{ ...one, target: one.target }] : [],
  );
}
