import type { IssuanceProfile } from '../issuance-profile.ts';

/** A profile as it is shown: without its key and the receiver of its events. */
export const profileView = ({
  id,
  name,
  configuration,
  signer,
  content,
  isDeferred,
  access,
  source,
}: IssuanceProfile) => ({
  profileId: id,
  name,
  credentialConfigurationId: configuration.id,
  format: configuration.format,
  ...(configuration.type === undefined
    ? { types: configuration.types }
    : { [configuration.facts.typeMember]: configuration.type }),
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
  attributeSource: source && { keyClaim: source.keyClaim },
  deferred: isDeferred || undefined,
  display: configuration.display,
  claims: configuration.claims.map((claim) => ({ ...claim })),
});
