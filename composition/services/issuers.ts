import { at, isDomainError } from '../../domain/foundation/errors.ts';
import { readablePath } from '../../domain/foundation/field-paths.ts';
import { readConfigurations } from '../../domain/issuer/configurations/configurations.ts';
import type { CredentialConfigurations } from '../../domain/issuer/configurations/credential-configuration.ts';
import { documentElements } from '../../domain/issuer/configurations/document-elements.ts';
import {
  type CredentialIssuer,
  draft11Identifier,
  draft13Identifier,
  v1Identifier,
} from '../../domain/issuer/credential-issuer.ts';
import { withStatusLists } from '../../domain/issuer/offers/status-list-member.ts';
import { configuredIssuer, type WrittenIssuer } from '../../domain/issuer/onboarding/configured-issuer.ts';
import { readIssuerIdentities } from '../../domain/issuer/onboarding/issuer-identities.ts';
import { isOfDraft11 } from '../../domain/issuer/openid4vci/draft11-metadata.ts';
import type { DocumentElements } from '../../domain/presentation/exchange/definition.ts';
import type { Platform } from '../platform/platform.ts';

type Described = Pick<Platform, 'settings' | 'formats' | 'certificates'>;

/** The issuer of the open endpoints of draft 13, as credential-issuer-metadata.conf describes it. @throws Error naming the field that is wrong */
export const draft13Issuer = (platform: Described): CredentialIssuer =>
  inFiles(() => {
    const { publicUrl, issuerMetadata } = platform.settings;
    return {
      id: 'open',
      target: '',
      version: 'draft13',
      identifier: draft13Identifier(publicUrl),
      configurations: at(['statusLists'], () =>
        withStatusLists(configurationsOf(platform, 'drafts'), statusListsOf(platform, 'drafts')),
      ),
      display: issuerMetadata.issuerDisplay,
      identities: at(['issuers'], () => readIssuerIdentities(issuerMetadata.issuers)),
    };
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

/**
 * The issuer of the open endpoints of OpenID4VCI 1.0 with its profiles, as credential-issuer-metadata.conf and
 * issuer2-profiles.conf describe it. @throws Error naming the field that is wrong
 */
export const v1Issuer = (platform: Described): CredentialIssuer =>
  inFiles(() => {
    const { publicUrl, issuerMetadata, issuer2Profiles, authenticationService } = platform.settings;
    const written = { ...issuerMetadata, ...issuer2Profiles, statusLists: statusListsOf(platform, 'final') };
    const place = { id: 'openid4vci', target: '', identifier: v1Identifier(publicUrl) };
    return configuredIssuer(written, place, {
      ...platform,
      hasLoginServer: authenticationService.server !== undefined,
    });
  });

/** What verifiers ask of the documents that credential-issuer-metadata.conf configures. @throws Error naming the field that is wrong */
export const configuredDocuments = (platform: Pick<Platform, 'settings' | 'formats'>): DocumentElements =>
  inFiles(() => documentElements(configurationsOf(platform, 'final'), platform.formats));

const IDENTIFIERS = { drafts: draft13Identifier, final: v1Identifier };
const OTHER = { drafts: 'final', final: 'drafts' } as const;

function configurationsOf(
  { settings, formats }: Pick<Platform, 'settings' | 'formats'>,
  generation: keyof typeof IDENTIFIERS,
): CredentialConfigurations {
  const { publicUrl, issuerMetadata } = settings;
  const options = { formats, identifier: IDENTIFIERS[generation](publicUrl), generation };
  return at(['supportedCredentialTypes'], () => readConfigurations(issuerMetadata.supportedCredentialTypes, options));
}

/** The status lists of a generation: one of a configuration that only the other has is not of this one. */
function statusListsOf(platform: Described, generation: keyof typeof IDENTIFIERS): WrittenIssuer['statusLists'] {
  const own = configurationsOf(platform, generation);
  const others = configurationsOf(platform, OTHER[generation]);
  const lists = Object.entries(platform.settings.issuerMetadata.statusLists);
  return Object.fromEntries(lists.filter(([id]) => own.has(id) || !others.has(id)));
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
