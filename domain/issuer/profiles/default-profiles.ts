import type { CredentialFormats, TypeSelector } from '../../credentials/formats.ts';
import { isText, type JsonObject } from '../../foundation/json.ts';
import type { SecurityProfile } from '../../oauth/authorization-policy.ts';
import type { CredentialConfiguration, CredentialConfigurations } from '../configurations/credential-configuration.ts';
import type { IssuanceProfile, ProfileContent, ProfileSigner } from './issuance-profile.ts';

/** The configurations of an issuer. */
interface Configured {
  configurations: CredentialConfigurations;
  formats: CredentialFormats;
  securityProfile?: SecurityProfile;
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

/** One profile for each configuration. Those of mdocs, and with HAIP those of SD-JWT VCs, need a signer with certificates, and are left out without. */
export const defaultProfiles = (
  signer: ProfileSigner,
  { configurations, formats, securityProfile }: Configured,
): IssuanceProfile[] => {
  const isHaip = securityProfile === 'HAIP';
  return [...configurations.values()].flatMap((configuration) => {
    const { selector } = formats.get(configuration.format);
    const needsChain = selector === 'doc_type' || (selector === 'vct' && isHaip);
    if (needsChain && !signer.x5Chain) return [];
    const { id, display } = configuration;
    const name = display.map((shown) => shown.name).find(isText) ?? id;
    const content = contentOf(configuration) ?? EXAMPLES[selector](configuration);
    return [
      {
        id: id.replaceAll(/[^A-Za-z0-9_-]+/g, '-'),
        name,
        configuration,
        signer,
        content,
        isDeferred: false,
        access: isHaip ? { securityProfile: 'HAIP' } : {},
      },
    ];
  });
};

function contentOf({ example }: CredentialConfiguration): ProfileContent | undefined {
  const credentialData = example?.mdocData ?? example?.credentialData;
  if (!example || !credentialData) return undefined;
  const { mapping, selectiveDisclosure } = example;
  return { credentialData, mapping, selectiveDisclosure: selectiveDisclosure as JsonObject | undefined };
}
