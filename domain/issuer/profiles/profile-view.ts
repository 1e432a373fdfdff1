import type { IssuanceProfile } from '../issuance-profile.ts';

/** A profile as it is shown: without its key and the receiver of its events. */
export const profileView = ({ id, name, configuration, signer, content, isDeferred, access }: IssuanceProfile) => ({
  profileId: id,
  name,
  credentialConfigurationId: configuration.id,
  format: configuration.format,
  ...shownType(configuration),
  scope: configuration.scope,
  securityProfile: access.securityProfile,
  authenticationMethod: access.authenticationMethod,
  walletInitiated: access.walletInitiated,
  issuerDid: signer.issuerDid,
  x5Chain: signer.x5Chain,
  credentialData: content.credentialData,
  mapping: content.mapping,
  selectiveDisclosure: content.selectiveDisclosure,
  authorizedTransactionDataTypes: content.authorizedTransactionDataTypes,
  mDocNameSpacesDataMappingConfig: content.mDocNameSpacesDataMappingConfig,
  idTokenClaimsMapping: content.idTokenClaimsMapping,
  deferred: isDeferred || undefined,
  display: configuration.display,
  claims: configuration.claims.map((claim) => ({ ...claim })),
});

function shownType({ format, types, type }: IssuanceProfile['configuration']) {
  if (types.length > 0) return { types };
  return format === 'mso_mdoc' ? { doctype: type } : { vct: type };
}
