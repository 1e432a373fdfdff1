import { readConfigurations } from '../domain/issuer/configurations/configurations.ts';
import type { CredentialConfigurations } from '../domain/issuer/configurations/credential-configuration.ts';
import { readsAttestations } from '../domain/issuer/configurations/proof-types.ts';
import { type CredentialIssuer, draft13Identifier, v1Identifier } from '../domain/issuer/credential-issuer.ts';
import { withStatusLists } from '../domain/issuer/offers/status-list-member.ts';
import { readAttesters } from '../domain/issuer/onboarding/configured-attesters.ts';
import { readIssuerIdentities } from '../domain/issuer/onboarding/issuer-identities.ts';
import { OPEN_POLICY } from '../domain/oauth/authorization-policy.ts';
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

/** The issuer of the open endpoints of OpenID4VCI 1.0, as credential-issuer-metadata.conf describes it. */
export const v1Issuer = (platform: Described): CredentialIssuer => ({
  id: 'openid4vci',
  version: 'v1',
  policy: { ...OPEN_POLICY, requiresPkce: true },
  identifier: v1Identifier(platform.settings.publicUrl),
  ...keyRules(platform),
  ...shared(platform),
});

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
