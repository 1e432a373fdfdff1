import type { TypeSelector } from '../../credentials/formats/facts.ts';
import { JWT_VC } from '../../credentials/formats/jwt-vc.ts';
import { isText, type JsonObject } from '../../foundation/json.ts';
import type { SecurityProfile } from '../../oauth/authorization-policy.ts';
import type { CredentialConfiguration, CredentialConfigurations } from '../credential-configuration.ts';
import type { IssuanceProfile, ProfileAccess, ProfileContent, ProfileSigner } from '../issuance-profile.ts';

/** The configurations of an issuer. */
interface Configured {
  configurations: CredentialConfigurations;
  securityProfile?: SecurityProfile;
  /** Whether the issuer has keys of its own. */
  ownsKeys: boolean;
}

/** The data of a configuration without an example: a person. */
const PERSON = { given_name: 'Alex', family_name: 'Example', birthdate: '1990-01-31' };

/** The content of a profile whose configuration has no example. */
const EXAMPLES: Readonly<Record<TypeSelector, (configuration: CredentialConfiguration) => ProfileContent>> = {
  type: ({ types }) => ({
    credentialData: {
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      type: types,
      credentialSubject: PERSON,
    },
    mapping: {
      id: '<uuid>',
      issuer: { id: '<issuerDid>' },
      issuanceDate: '<timestamp>',
      expirationDate: '<timestamp-in:365d>',
    },
  }),
  vct: () => ({
    credentialData: PERSON,
    selectiveDisclosure: { fields: Object.fromEntries(Object.keys(PERSON).map((name) => [name, { sd: true }])) },
  }),
  doc_type: ({ type = '' }) => ({ credentialData: { [type]: PERSON } }),
};

/** Built-in profiles under the names by which existing portals ask for them, with the ids of their configurations. */
const PORTAL_NAMES: Readonly<Record<string, string>> = {
  universityDegree: `UniversityDegree${JWT_VC.configurationSuffix}`,
  openBadgeCredential: `OpenBadgeCredential${JWT_VC.configurationSuffix}`,
  identityCredentialSdJwt: 'identity_credential',
  isoMdl: 'org.iso.18013.5.1.mDL',
};

/** Who signs the credentials of a configuration. */
type SignerOf = (configuration: CredentialConfiguration) => ProfileSigner;

/**
 * One profile for each configuration, and those of `PORTAL_NAMES`. Mdocs, and with HAIP SD-JWT VCs, need a signer with
 * certificates. Without one their profiles are left out, but the mdoc of `PORTAL_NAMES` has the demo signer where the key is
 * the server's.
 */
export function defaultProfiles(signerOf: SignerOf, configured: Configured): IssuanceProfile[] {
  const { configurations, ownsKeys } = configured;
  const byId = [...configurations.values()].flatMap((configuration) => {
    const id = configuration.id.replaceAll(/[^A-Za-z0-9_-]+/g, '-');
    return needsChain(configuration, configured) && !signerOf(configuration).x5Chain
      ? []
      : [profileOf(id, configuration)];
  });
  const named = Object.entries(PORTAL_NAMES).flatMap(([id, configurationId]) => {
    const configuration = configurations.get(configurationId);
    if (!configuration) return [];
    const signer = signerOf(configuration);
    if (!needsChain(configuration, configured) || signer.x5Chain) return [profileOf(id, configuration)];
    const isMdoc = configuration.facts.selector === 'doc_type';
    return isMdoc && !ownsKeys && !signer.issuerKey ? [{ ...profileOf(id, configuration), hasDemoSigner: true }] : [];
  });
  return [...byId, ...named];

  function profileOf(id: string, configuration: CredentialConfiguration): IssuanceProfile {
    const name = configuration.display.map((shown) => shown.name).find(isText) ?? configuration.id;
    const content = contentOf(configuration) ?? EXAMPLES[configuration.facts.selector](configuration);
    const access: ProfileAccess = configured.securityProfile === 'HAIP' ? { securityProfile: 'HAIP' } : {};
    return { id, name, configuration, signer: signerOf(configuration), content, isDeferred: false, access };
  }
}

function needsChain({ facts: { selector } }: CredentialConfiguration, { securityProfile }: Configured): boolean {
  return selector === 'doc_type' || (selector === 'vct' && securityProfile === 'HAIP');
}

function contentOf({ example }: CredentialConfiguration): ProfileContent | undefined {
  const credentialData = example?.mdocData ?? example?.credentialData;
  if (!example || !credentialData) return undefined;
  const { mapping, selectiveDisclosure } = example;
  return { credentialData, mapping, selectiveDisclosure: selectiveDisclosure as JsonObject | undefined };
}
