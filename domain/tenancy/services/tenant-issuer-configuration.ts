import type { FieldPath } from '../../foundation/field-paths.ts';
import { isObject, isText, type JsonObject } from '../../foundation/json.ts';
import type { WrittenProfile } from '../../issuer/issuance-profile.ts';
import type { WrittenIssuer } from '../../issuer/profiles/configured-issuer.ts';
import type { Target } from '../access/targets.ts';

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
const OF_THE_SERVICE = ['type', 'dependencies', 'traversable', 'name', 'description', 'baseUrl', 'kms', 'tokenKeyId'];

/** The issuer that the configuration of a service of the type `issuer2` describes, as its schema has validated it. */
export function writtenIssuer(config: JsonObject): WrittenIssuer {
  const own = Object.entries(config).filter(([name]) => !OF_THE_SERVICE.includes(name));
  return { ...DEFAULTS, ...Object.fromEntries(own) };
}

/** A key that a configuration names, with the certificates that are stated for it. */
export interface NamedKey {
  target: Target;
  path: FieldPath;
  x5Chain?: { pems: string[]; path: FieldPath };
}

/** The keys that a configuration names. */
export function namedKeys(config: JsonObject): NamedKey[] {
  const { tokenKeyId, defaultIssuerKey, defaultIssuerX5chain, profiles } = config;
  const shared = isText(defaultIssuerKey) ? defaultIssuerKey : undefined;
  const ofProfiles = Object.entries(isObject(profiles) ? profiles : {}).flatMap(([id, profile]) =>
    keyOf(profile as unknown as WrittenProfile, ['profiles', id]),
  );
  return [
    ...(isText(tokenKeyId) ? [{ target: tokenKeyId, path: ['tokenKeyId'] }] : []),
    ...(shared === undefined ? [] : [withChain(shared, 'defaultIssuerKey', defaultIssuerX5chain)]),
    ...ofProfiles,
  ];
}

const withChain = (target: Target, member: string, pems: unknown): NamedKey => ({
  target,
  path: [member],
  x5Chain: Array.isArray(pems) ? { pems, path: ['defaultIssuerX5chain'] } : undefined,
});

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
export function namedDids({ defaultIssuerKey, defaultIssuerDid, profiles }: JsonObject): NamedDid[] {
  const needsKey = defaultIssuerKey === undefined;
  const ofProfiles = Object.entries(isObject(profiles) ? profiles : {}).map(([id, profile]) => {
    const { issuerDid, issuerKey } = profile as unknown as WrittenProfile;
    return { target: issuerDid, path: ['profiles', id, 'issuerDid'], needsKey: needsKey && issuerKey === undefined };
  });
  return [{ target: defaultIssuerDid, path: ['defaultIssuerDid'], needsKey }, ...ofProfiles].flatMap((one) =>
    isText(one.target) && !one.target.startsWith('did:') ? [{ ...one, target: one.target }] : [],
  );
}
