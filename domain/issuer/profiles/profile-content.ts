import type { JsonObject } from '../../foundation/json.ts';
import type { IssuanceProfile, ProfileContent } from '../issuance-profile.ts';
import type { IssuanceRequest } from '../offers/issuance-request.ts';

/** The members of the issuance request of a profile that its format reads. */
export function contentMembers(
  { configuration }: Pick<IssuanceProfile, 'configuration'>,
  { credentialData, credentialStatus, idTokenClaimsMapping: _, ...content }: ProfileContent,
): Omit<IssuanceRequest, 'issuerKey'> {
  const isMdoc = configuration.facts.selector === 'doc_type';
  const data = isMdoc
    ? { mdocData: credentialData as Record<string, JsonObject>, mdocStatus: credentialStatus }
    : { credentialData, credentialStatus };
  return { ...content, ...data, credentialConfigurationId: configuration.id };
}

/** How the members of an mdoc are named in a profile. */
export const PROFILE_PLACES = { mdocData: ['credentialData'], mdocStatus: ['credentialStatus'] };
