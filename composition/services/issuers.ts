import type { Settings } from '../../adapters/config/settings.ts';
import { at, isDomainError } from '../../domain/foundation/errors.ts';
import { readablePath } from '../../domain/foundation/field-paths.ts';
import { readConfigurations } from '../../domain/issuer/configurations/configurations.ts';
import { documentElements } from '../../domain/issuer/configurations/document-elements.ts';
import type { CredentialConfigurations } from '../../domain/issuer/credential-configuration.ts';
import { type CredentialIssuer, openIssuer } from '../../domain/issuer/credential-issuer.ts';
import { withStatusLists } from '../../domain/issuer/offers/status-list-member.ts';
import { readIssuerIdentities } from '../../domain/issuer/onboarding/issuer-identities.ts';
import { configuredIssuer, type WrittenIssuer } from '../../domain/issuer/profiles/configured-issuer.ts';
import { VERSIONS, type Version } from '../../domain/issuer/versions.ts';
import type { DocumentElements } from '../../domain/presentation/exchange/definition.ts';
import { configuredSigner } from '../platform/configured-signer.ts';
import type { Platform } from '../platform/platform.ts';

type Described = Pick<Platform, 'settings' | 'formats' | 'certificates'>;
type WithProfiles = Described & Pick<Platform, 'schemas' | 'pems'>;

/** The issuer of the open endpoints of a draft, as credential-issuer-metadata.conf describes it. @throws Error naming the field that is wrong */
export const draftIssuer = (platform: Described, version: Exclude<Version, 'v1'>): CredentialIssuer =>
  inFiles(() => {
    const { publicUrl, issuerMetadata } = platform.settings;
    return {
      ...openIssuer(version, publicUrl),
      configurations: at(['statusLists'], () =>
        withStatusLists(configurationsOf(platform, version), statusListsOf(platform, version)),
      ),
      display: issuerMetadata.issuerDisplay,
      identities: at(['issuers'], () => readIssuerIdentities(issuerMetadata.issuers)),
    };
  });

/**
 * The issuer of the open endpoints of OpenID4VCI 1.0 with its profiles, as credential-issuer-metadata.conf and
 * issuer2-profiles.conf describe it. @throws Error naming the field that is wrong
 */
export const v1Issuer = (platform: WithProfiles & Partial<Pick<Platform, 'keys'>>): CredentialIssuer =>
  inFiles(() => {
    const { publicUrl, issuerMetadata, issuer2Profiles, authenticationService } = platform.settings;
    const written = { ...issuerMetadata, ...issuer2Profiles, statusLists: statusListsOf(platform, 'v1') };
    const { keys } = platform;
    const { metadataKey } = issuerMetadata;
    const metadataSigner =
      keys && metadataKey && configuredSigner({ keys }, metadataKey, 'credential-issuer-metadata.conf');
    return configuredIssuer(
      written,
      { ...openIssuer('v1', publicUrl), metadataSigner },
      {
        ...platform,
        hasLoginServer: authenticationService.server !== undefined,
      },
    );
  });

/** The issuers of the open endpoints; that of OpenID4VCI 1.0 can be another for each request. */
export interface OpenIssuers extends Readonly<Record<Version, CredentialIssuer>> {
  /** Reads what other settings say; returns what takes it over. @throws Error naming the field that is wrong */
  follow(next: Settings): () => void;
}

/** The issuer of the open endpoints of each version. @throws Error naming the field that is wrong */
export function openIssuers(platform: WithProfiles & Pick<Platform, 'keys'>): OpenIssuers {
  let v1 = v1Issuer(platform);
  return {
    draft11: draftIssuer(platform, 'draft11'),
    draft13: draftIssuer(platform, 'draft13'),
    get v1() {
      return v1;
    },
    follow: (settings) => {
      const next = v1Issuer({ ...platform, settings });
      return () => {
        v1 = next;
      };
    },
  };
}

/** What verifiers ask of the documents that credential-issuer-metadata.conf configures. @throws Error naming the field that is wrong */
export const configuredDocuments = (platform: Pick<Platform, 'settings' | 'formats'>): DocumentElements =>
  inFiles(() => documentElements(configurationsOf(platform, 'v1')));

function configurationsOf(
  { settings, formats }: Pick<Platform, 'settings' | 'formats'>,
  version: Version,
): CredentialConfigurations {
  const { publicUrl, issuerMetadata } = settings;
  const options = { formats, ...openIssuer(version, publicUrl) };
  return at(['supportedCredentialTypes'], () => readConfigurations(issuerMetadata.supportedCredentialTypes, options));
}

/** The status lists of a version: one of a configuration that only other versions have is not of this one. */
function statusListsOf(platform: Described, version: Version): WrittenIssuer['statusLists'] {
  const lists = Object.entries(platform.settings.issuerMetadata.statusLists);
  if (lists.length === 0) return {};
  const own = configurationsOf(platform, version);
  const all = Object.keys(VERSIONS).map((one) => configurationsOf(platform, one as Version));
  return Object.fromEntries(lists.filter(([id]) => own.has(id) || !all.some((one) => one.has(id))));
}

/** The members of issuer2-profiles.conf. */
const PROFILE_MEMBERS: readonly unknown[] = [
  'defaultIssuerKey',
  'defaultIssuerDid',
  'defaultIssuerX5chain',
  'profiles',
];

function inFiles<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isDomainError(error, 'BadRequest')) throw error;
    const [{ path, message } = { path: [], message: error.message }] = error.details ?? [];
    const file = PROFILE_MEMBERS.includes(path[0]) ? 'issuer2-profiles.conf' : 'credential-issuer-metadata.conf';
    throw new Error(`${file}: ${readablePath(path)} ${message}`, { cause: error });
  }
}
