import { readConfigurations } from '../domain/issuer/configurations/configurations.ts';
import type { CredentialConfigurations } from '../domain/issuer/configurations/credential-configuration.ts';
import { readsAttestations } from '../domain/issuer/configurations/proof-types.ts';
import {
  type CredentialIssuer,
  draft11Identifier,
  draft13Identifier,
  v1Identifier,
} from '../domain/issuer/credential-issuer.ts';
import { withStatusLists } from '../domain/issuer/offers/status-list-member.ts';
import { readAttesters } from '../domain/issuer/onboarding/configured-attesters.ts';
import { readIssuerIdentities } from '../domain/issuer/onboarding/issuer-identities.ts';
import { isOfDraft11 } from '../domain/issuer/openid4vci/draft11-metadata.ts';
import type { TrustedAttesters } from '../domain/oauth/attesters.ts';
import { type AuthorizationPolicy, POLICIES } from '../domain/oauth/authorization-policy.ts';
import type { Platform } from './platform.ts';

type Described = Pick<Platform, 'settings' | 'formats' | 'certificates'>;

/** The issuer of the open endpoints of draft 13, as credential-issuer-metadata.conf describes it. */
export const draft13Issuer = (platform: Described): CredentialIssuer => ({
  id: 'open',
  version: 'draft13',
  identifier: draft13Identifier(platform.settings.publicUrl),
  configurations: offered(platform, 'drafts'),
  ...shared(platform),
});

/** The issuer of the open endpoints of draft 11: that of draft 13, with the formats that the older draft has. */
export function draft11Issuer(platform: Described): CredentialIssuer {
  const { configurations, ...draft13 } = draft13Issuer(platform);
  return {
    ...draft13,
    id: 'draft11',
    version: 'draft11',
    identifier: draft11Identifier(platform.settings.publicUrl),
    configurations: new Map([...configurations].filter(([, configuration]) => isOfDraft11(configuration))),
  };
}

/** The issuer of the open endpoints of OpenID4VCI 1.0, as credential-issuer-metadata.conf describes it. */
export function v1Issuer(platform: Described): CredentialIssuer {
  const { publicUrl, issuerMetadata } = platform.settings;
  const attesters = readAttesters('clientAttesters', issuerMetadata.clientAttesters, platform.certificates);
  return {
    id: 'openid4vci',
    version: 'v1',
    policy: policyOf(platform, attesters),
    attesters,
    identifier: v1Identifier(publicUrl),
    info: platform.settings.issuerMetadata.issuerInfo,
    ...keyRules(platform),
    ...shared(platform),
  };
}

/** What the issuer demands; the nonces of DPoP proofs for all clients when one of its profiles does. @throws Error without attesters for HAIP */
function policyOf({ settings }: Described, attesters: TrustedAttesters | undefined): AuthorizationPolicy {
  const { securityProfile } = settings.issuerMetadata;
  const profiles = Object.values(settings.issuer2Profiles.profiles ?? {});
  const isHaip = [{ securityProfile }, ...profiles].some((one) => one.securityProfile === 'HAIP');
  if (isHaip && !attesters)
    throw new Error('credential-issuer-metadata.conf: clientAttesters is required by the security profile HAIP');
  return { ...POLICIES[securityProfile], requiresDpopNonce: isHaip };
}

/** The configurations, and whose statements about keys are believed. @throws Error when a configuration needs them and there are none */
function keyRules(platform: Described): Pick<CredentialIssuer, 'configurations' | 'keyAttesters' | 'batchSize'> {
  const { settings, certificates } = platform;
  const { keyAttesters: written, batchSize } = settings.issuerMetadata;
  const keyAttesters = readAttesters('keyAttesters', written, certificates);
  const configurations = offered(platform, 'final');
  const needing = [...configurations.values()].find(readsAttestations);
  if (!needing || keyAttesters) return { configurations, keyAttesters, batchSize };
  throw new Error(
    `credential-issuer-metadata.conf: keyAttesters is required by supportedCredentialTypes.${needing.id}`,
  );
}

const shared = ({ settings: { issuerMetadata } }: Described) => ({
  target: '',
  display: issuerMetadata.issuerDisplay,
  identities: readIssuerIdentities(issuerMetadata.issuers),
});

const IDENTIFIERS = { drafts: draft13Identifier, final: v1Identifier };
const OTHER = { drafts: 'final', final: 'drafts' } as const;

function configurationsOf({ settings, formats }: Described, generation: keyof typeof IDENTIFIERS) {
  const { publicUrl, issuerMetadata } = settings;
  const options = { formats, identifier: IDENTIFIERS[generation](publicUrl), generation };
  return readConfigurations(issuerMetadata.supportedCredentialTypes, options);
}

/** The configurations of a generation; a status list of a configuration that only the other one has is not of this one. */
function offered(platform: Described, generation: keyof typeof IDENTIFIERS): CredentialConfigurations {
  const own = configurationsOf(platform, generation);
  const others = configurationsOf(platform, OTHER[generation]);
  const lists = Object.entries(platform.settings.issuerMetadata.statusLists);
  return withStatusLists(own, Object.fromEntries(lists.filter(([id]) => own.has(id) || !others.has(id))));
}
