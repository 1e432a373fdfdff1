/** Generated from openapi/*.yaml by `npm run types`. Do not edit. */

/** The operations of each document. */
export interface documents {
    "accounts": Pick<operations,
        | "registerWithCertificate"
        | "loginWithCertificate"
        | "logoutWithCertificate"
        | "createLoginNonce"
        | "registerAccount"
        | "loginAccount"
        | "logoutAccount"
        | "getLoginSession"
        | "getUserInfo"
        | "listAccountWallets">;
    "wallet-keys": Pick<operations,
        | "listWalletKeys"
        | "generateWalletKey"
        | "importWalletKey"
        | "verifyWithWalletKey"
        | "deleteWalletKey"
        | "loadWalletKey"
        | "describeWalletKey"
        | "exportWalletKey"
        | "removeWalletKey"
        | "signWithWalletKey"
        | "listWalletDids"
        | "createWalletDid"
        | "importWalletDid"
        | "setDefaultWalletDid"
        | "getWalletDid"
        | "deleteWalletDid"
        | "listPublishedDids"
        | "getPublishedDid">;
    "wallet-credentials": Pick<operations,
        | "listWalletCredentials"
        | "getWalletCredential"
        | "deleteWalletCredential"
        | "importWalletCredential"
        | "acceptWalletCredential"
        | "rejectWalletCredential"
        | "restoreWalletCredential"
        | "getWalletCredentialStatus"
        | "addWalletCredentialCategories"
        | "removeWalletCredentialCategories"
        | "listWalletCategories"
        | "addWalletCategory"
        | "deleteWalletCategory"
        | "renameWalletCategory"
        | "getWalletManifest"
        | "getWalletManifestDisplay"
        | "getWalletManifestIssuer"
        | "extractManifest">;
    "wallet-exchange": Pick<operations,
        | "resolveCredentialOffer"
        | "acceptCredentialOffer"
        | "beginOfferAuthorization"
        | "finishOfferAuthorization"
        | "listDeferredCredentials"
        | "collectDeferredCredential"
        | "abandonDeferredCredential"
        | "renewWalletCredential"
        | "returnFromIssuer"
        | "resolveIssuerMetadata"
        | "resolvePresentationRequest"
        | "describePresentationRequest"
        | "declinePresentationRequest"
        | "matchWalletCredentials"
        | "listMissingCredentials"
        | "matchRequestedCredentials"
        | "presentCredentials"
        | "describePageRequest"
        | "answerPageRequest"
        | "prepareExternalPresentation"
        | "submitExternalPresentation"
        | "prepareExternalOffer"
        | "submitExternalOffer"
        | "listTransactionDataProfiles">;
    "wallet-activity": Pick<operations,
        | "listWalletEvents"
        | "deleteWalletEvent"
        | "listWalletHistory"
        | "getWalletSettings"
        | "setWalletSettings"
        | "listWalletIssuers"
        | "addWalletIssuer"
        | "getWalletIssuer"
        | "authorizeWalletIssuer"
        | "listIssuerCredentials"
        | "listFrequentCredentials"
        | "resolveTypeMetadata"
        | "listRejectionReasons"
        | "parseMdoc">;
    "wallet2": Pick<operations,
        | "listWallets"
        | "createWallet"
        | "describeWallet"
        | "deleteWallet"
        | "listNamedStores"
        | "createNamedStore"
        | "listWallet2Keys"
        | "generateWallet2Key"
        | "importWallet2Key"
        | "getWallet2Key"
        | "deleteWallet2Key"
        | "setDefaultWallet2Key"
        | "listWallet2Dids"
        | "createWallet2Did"
        | "importWallet2Did"
        | "getWallet2Did"
        | "deleteWallet2Did"
        | "setDefaultWallet2Did"
        | "listWallet2Credentials"
        | "importWallet2Credential"
        | "getWallet2Credential"
        | "deleteWallet2Credential"
        | "registerWallet2Account"
        | "loginWallet2Account"
        | "logoutWallet2Account"
        | "getWallet2Account"
        | "listWallet2AccountWallets"
        | "linkWallet2AccountWallet">;
    "wallet2-exchange": Pick<operations,
        | "receiveCredentials"
        | "resolveOffer"
        | "resolveOfferBatch"
        | "requestToken"
        | "requestNonce"
        | "signProof"
        | "fetchCredential"
        | "resumePendingCredential"
        | "listPendingCredentials"
        | "collectDeferred"
        | "createAuthorizationUrl"
        | "createAuthorizationUrlBatch"
        | "exchangeCode"
        | "receiveAuthorized"
        | "receiveAuthorizedBatch"
        | "presentToVerifier"
        | "presentGivenCredentials"
        | "resolveRequest"
        | "matchGivenCredentials"
        | "matchStoredCredentials"
        | "previewRequest"
        | "buildVpToken"
        | "sendResponse"
        | "rejectRequest">;
    "issuer": Pick<operations,
        | "onboardIssuer"
        | "onboardIaca"
        | "onboardDocumentSigner"
        | "issueJwtCredential"
        | "issueJwtCredentialBatch"
        | "issueSdJwtCredential"
        | "issueSdJwtCredentialBatch"
        | "issueMdoc"
        | "issueMdocBatch"
        | "signJwtCredential"
        | "getCredentialOffer"
        | "requestAccessToken"
        | "requestCredential"
        | "requestCredentialBatch"
        | "requestDeferredCredential"
        | "notifyIssuer"
        | "getIssuerKeys"
        | "getIssuerMetadata"
        | "getIssuerMetadataOfHost"
        | "getAuthorizationServerMetadata"
        | "getAuthorizationServerMetadataOfHost"
        | "getOpenidConfiguration"
        | "getOpenidConfigurationOfHost"
        | "getJwtVcIssuerMetadata">;
    "draft-authorization": Pick<operations,
        | "requestAuthorization"
        | "pushAuthorization"
        | "answerLogin"
        | "requestDraft11Authorization"
        | "pushDraft11Authorization"
        | "answerDraft11Login"
        | "finishExternalLogin">;
    "draft11": Pick<operations,
        | "getDraft11Offer"
        | "requestDraft11Token"
        | "requestDraft11Credential"
        | "requestDraft11CredentialBatch"
        | "requestDraft11DeferredCredential"
        | "listDraft11Keys"
        | "getDraft11IssuerMetadata"
        | "getDraft11ServerMetadata"
        | "getDraft11ServerMetadataOfHost"
        | "getDraft11OpenidConfiguration"
        | "getDraft11JwtVcIssuer">;
    "openid4vci": Pick<operations,
        | "getOpenid4vciIssuerMetadata"
        | "getOpenid4vciServerMetadata"
        | "getOpenid4vciJwtVcIssuer"
        | "listOpenid4vciKeys"
        | "getOpenid4vciOffer"
        | "pushOpenid4vciAuthorization"
        | "authorizeOpenid4vci"
        | "requestOpenid4vciToken"
        | "requestOpenid4vciNonce"
        | "requestOpenid4vciChallenge"
        | "requestOpenid4vciCredential"
        | "requestOpenid4vciDeferredCredential"
        | "notifyOpenid4vciIssuer">;
    "issuer2": Pick<operations,
        | "listIssuanceProfiles"
        | "getIssuanceProfile"
        | "getAttributeTable"
        | "replaceAttributeTable"
        | "deleteAttributeTable"
        | "createCredentialOffer"
        | "createCredentialOffersInBulk"
        | "listIssuanceSessions"
        | "getIssuanceSession"
        | "deleteIssuanceRecipient"
        | "streamIssuanceSessionEvents">;
    "verifier": Pick<operations,
        | "startVerification"
        | "getPresentationDefinition"
        | "getRequestObject"
        | "getVerifierJwks"
        | "getVerifierConfiguration"
        | "authorizeWallet"
        | "submitPresentation"
        | "getVerificationResult"
        | "getPresentedCredentials"
        | "listPolicies"
        | "describePolicies">;
    "transaction-data": Pick<operations,
        | "listVerifierTransactionDataProfiles">;
    "verifier2": Pick<operations,
        | "createVerificationSession"
        | "getVerificationSession"
        | "redeemResponseCode"
        | "streamVerificationSessionEvents"
        | "getVerifierEntity"
        | "getAuthorizationRequest"
        | "postAuthorizationRequest"
        | "submitAuthorizationResponse">;
    "vical": Pick<operations,
        | "fetchVical"
        | "validateVical">;
    "status": Pick<operations,
        | "checkRevocation"
        | "revokeCredential"
        | "getStatusCredential"
        | "getStatusToken">;
    "status-lists": Pick<operations,
        | "getStatusList">;
    "status-administration": Pick<operations,
        | "listStatusLists"
        | "createStatusList"
        | "getStatusListFacts"
        | "listStatusEntries"
        | "allocateStatusEntry"
        | "getStatusEntry"
        | "changeStatusEntry"
        | "findStatusEntries"
        | "changeStatusEntries"
        | "createStatusToken">;
    "credential-types": Pick<operations,
        | "getDraft13CredentialType"
        | "getFinalCredentialType"
        | "getCredentialType">;
    "enterprise": Pick<operations,
        | "createSuperadmin"
        | "loginEnterpriseAccount"
        | "listOrganizations"
        | "createOrganization"
        | "registerEnterpriseAccount"
        | "assignRole"
        | "createRole"
        | "getWorkplace"
        | "createTenant"
        | "createService"
        | "createServices"
        | "updateService"
        | "addDependency"
        | "removeDependency"
        | "listDependencies"
        | "addServiceDependency"
        | "listServiceDependencies"
        | "addServiceDependencyV2"
        | "listServiceDependenciesV2"
        | "getResource"
        | "deleteResource"
        | "listResources"
        | "generateKey"
        | "listKeys"
        | "listDids"
        | "addDid"
        | "listDidIds"
        | "addCredential"
        | "listCredentials"
        | "listCredentialIds">;
    "tenant-stores": Pick<operations,
        | "importTenantKey"
        | "signWithTenantKey"
        | "getTenantKey"
        | "deleteTenantKey"
        | "createTenantDid"
        | "replaceTenantDid"
        | "deleteTenantDid"
        | "getTenantCredential"
        | "replaceTenantCredential"
        | "deleteTenantCredential"
        | "deleteTenantCredentials"
        | "getStoredPolicy"
        | "addStoredPolicy"
        | "replaceStoredPolicy"
        | "deleteStoredPolicy"
        | "addNamedPolicy"
        | "listStoredPolicies"
        | "listStoredPolicyIds">;
    "tenant-status": Pick<operations,
        | "createStatusCredential"
        | "listStatusCredentials"
        | "updateSessionStatus"
        | "tenantGetStatusList"
        | "tenantListStatusLists"
        | "tenantGetStatusListFacts"
        | "tenantListStatusEntries"
        | "tenantAllocateStatusEntry"
        | "tenantGetStatusEntry"
        | "tenantChangeStatusEntry"
        | "tenantFindStatusEntries"
        | "tenantChangeStatusEntries">;
    "tenant-certificates": Pick<operations,
        | "listCertificates"
        | "addCertificate"
        | "replaceCertificate"
        | "deleteCertificate"
        | "listCertificateIds"
        | "createTenantIaca"
        | "createTenantSigner"
        | "revokeTenantCertificate"
        | "getTenantCrl"
        | "publishVical"
        | "listVicalVersionIds"
        | "getTenantVical"
        | "addTrustedIssuer"
        | "listTrustedIssuers"
        | "loadTrustSource"
        | "listTrustSources"
        | "deleteTrustSource"
        | "refreshTrustSource"
        | "getTrustSourceHealth"
        | "resolveTrustedCertificate"
        | "resolveTrustedChain">;
    "tenant-attester": Pick<operations,
        | "createClientAttestation"
        | "listClientAttestations"
        | "getClientAttestation"
        | "revokeClientAttestation"
        | "listClientAttesterKeys">;
    "tenant-did": Pick<operations,
        | "createServiceDid"
        | "rotateServiceDid"
        | "deactivateServiceDid"
        | "getRegistryDid"
        | "getDomainDid"
        | "getDomainPathDid">;
    "tenant-wallet": Pick<operations,
        | "receiveTenantCredentials"
        | "receiveTenantPreAuthorized"
        | "presentTenantCredentials"
        | "obtainClientAttestation"
        | "tenantResolveOffer"
        | "tenantResolveOfferBatch"
        | "tenantListPendingCredentials"
        | "tenantCollectDeferred"
        | "tenantResumePendingCredential"
        | "tenantRequestToken"
        | "tenantRequestNonce"
        | "tenantSignProof"
        | "tenantFetchCredential"
        | "tenantCreateAuthorizationUrl"
        | "tenantCreateAuthorizationUrlBatch"
        | "tenantExchangeCode"
        | "tenantReceiveAuthorized"
        | "tenantReceiveAuthorizedBatch"
        | "tenantPresentGivenCredentials"
        | "tenantResolveRequest"
        | "tenantMatchGivenCredentials"
        | "tenantMatchStoredCredentials"
        | "tenantPreviewRequest"
        | "tenantBuildVpToken"
        | "tenantSendResponse"
        | "tenantRejectRequest">;
    "administration": Pick<operations,
        | "createHostAlias"
        | "listHostAliases"
        | "deleteHostAlias"
        | "getOwnAccount"
        | "replaceOwnProfile"
        | "changeOwnPassword"
        | "resetPassword"
        | "listAccounts"
        | "getAccount"
        | "deleteAccount"
        | "disableAccount"
        | "enableAccount"
        | "createPasswordReset"
        | "unassignRole"
        | "listRoles"
        | "getRole"
        | "replaceRole"
        | "deleteRole"
        | "listRoleAccounts"
        | "decidePermission"
        | "listActions"
        | "listApiKeys"
        | "createApiKey"
        | "revokeApiKey"
        | "createAccountSession"
        | "deleteAccountSession"
        | "logoutEnterpriseAccount"
        | "listInvitations"
        | "createInvitation"
        | "revokeInvitation"
        | "acceptInvitation"
        | "enrolSecondFactor"
        | "confirmSecondFactor"
        | "removeSecondFactor"
        | "deleteSecondFactor"
        | "getOverview">;
    "tenant-issuer": Pick<operations,
        | "tenantGetIssuanceProfile"
        | "createTenantProfile"
        | "replaceTenantProfile"
        | "deleteTenantProfile"
        | "listCredentialTypes"
        | "createCredentialType"
        | "getTenantCredentialType"
        | "replaceCredentialType"
        | "deleteCredentialType"
        | "listIssuedCredentials"
        | "getIssuedCredential"
        | "changeIssuedCredential"
        | "deleteIssuedRecipient"
        | "getCredentialImage"
        | "tenantGetOpenid4vciIssuerMetadata"
        | "tenantGetOpenid4vciServerMetadata"
        | "tenantGetOpenid4vciJwtVcIssuer"
        | "tenantListOpenid4vciKeys"
        | "tenantGetOpenid4vciOffer"
        | "tenantPushOpenid4vciAuthorization"
        | "tenantAuthorizeOpenid4vci"
        | "tenantRequestOpenid4vciToken"
        | "tenantRequestOpenid4vciNonce"
        | "tenantRequestOpenid4vciChallenge"
        | "tenantRequestOpenid4vciCredential"
        | "tenantRequestOpenid4vciDeferredCredential"
        | "tenantNotifyOpenid4vciIssuer"
        | "tenantGetCredentialType"
        | "tenantGetFinalCredentialType"
        | "tenantListIssuanceProfiles"
        | "tenantGetAttributeTable"
        | "tenantReplaceAttributeTable"
        | "tenantDeleteAttributeTable"
        | "tenantCreateCredentialOffer"
        | "tenantCreateCredentialOffersInBulk"
        | "tenantListIssuanceSessions"
        | "tenantGetIssuanceSession"
        | "tenantDeleteIssuanceRecipient"
        | "tenantStreamIssuanceSessionEvents">;
    "tenant-verifier": Pick<operations,
        | "listVerificationSessions"
        | "getSavedCheck"
        | "createSavedCheck"
        | "replaceSavedCheck"
        | "deleteSavedCheck"
        | "listSavedChecks"
        | "createSessionOfCheck"
        | "tenantCreateVerificationSession"
        | "tenantGetVerificationSession"
        | "tenantRedeemResponseCode"
        | "tenantStreamVerificationSessionEvents"
        | "tenantGetVerifierEntity"
        | "tenantGetAuthorizationRequest"
        | "tenantPostAuthorizationRequest"
        | "tenantSubmitAuthorizationResponse">;
    "audit": Pick<operations,
        | "listAuditEvents"
        | "exportAuditEvents"
        | "checkAuditTrail"
        | "queryAuditEntries"
        | "listInstallationEvents"
        | "exportInstallationEvents"
        | "checkInstallationTrail">;
    "portal": Pick<operations,
        | "getPortal"
        | "getPortalAsset"
        | "getVerifyButton"
        | "getPortalSettings">;
    "sign-in": Pick<operations,
        | "getSignInConfiguration"
        | "getSignInKeys"
        | "requestSignIn"
        | "postSignInRequest"
        | "resumeSignIn"
        | "pushSignInRequest"
        | "exchangeSignInCode"
        | "getSignedInPerson"
        | "postForSignedInPerson"
        | "logOutOfSignIn"
        | "postLogout"
        | "confirmLogout"
        | "getLoggedOutPage"
        | "getSignInPage"
        | "openWalletForSignIn"
        | "returnFromWallet"
        | "retrySignIn"
        | "cancelSignIn"
        | "requestDigitalSignIn"
        | "followSignIn"
        | "getSignInAsset">;
    "tenant-sign-in": Pick<operations,
        | "tenantGetSignInConfiguration"
        | "tenantGetSignInKeys"
        | "tenantRequestSignIn"
        | "tenantPostSignInRequest"
        | "tenantResumeSignIn"
        | "tenantPushSignInRequest"
        | "tenantExchangeSignInCode"
        | "tenantGetSignedInPerson"
        | "tenantPostForSignedInPerson"
        | "tenantLogOutOfSignIn"
        | "tenantPostLogout"
        | "tenantConfirmLogout"
        | "tenantGetLoggedOutPage"
        | "tenantGetSignInPage"
        | "tenantOpenWalletForSignIn"
        | "tenantReturnFromWallet"
        | "tenantRetrySignIn"
        | "tenantCancelSignIn"
        | "tenantRequestDigitalSignIn"
        | "tenantFollowSignIn"
        | "tenantGetSignInAsset">;
    "system": Pick<operations,
        | "getLiveness"
        | "getReadiness"
        | "getMetrics"
        | "getContract"
        | "getFavicon"
        | "getDocsPage"
        | "getDocsAsset">;
}
/** The operations whose query is validated when the handler asks for it. */
export type lateQueries =
    | "listPublishedDids"
    | "listWalletEvents"
    | "listFrequentCredentials"
    | "listIssuanceSessions"
    | "listStatusLists"
    | "listStatusEntries"
    | "findStatusEntries"
    | "listOrganizations"
    | "getWorkplace"
    | "listResources"
    | "listKeys"
    | "listDids"
    | "listDidIds"
    | "listCredentials"
    | "listCredentialIds"
    | "listStoredPolicies"
    | "listStoredPolicyIds"
    | "listStatusCredentials"
    | "tenantListStatusLists"
    | "tenantListStatusEntries"
    | "tenantFindStatusEntries"
    | "listCertificates"
    | "listCertificateIds"
    | "listVicalVersionIds"
    | "listTrustedIssuers"
    | "listClientAttestations"
    | "listHostAliases"
    | "listAccounts"
    | "listRoles"
    | "listRoleAccounts"
    | "listApiKeys"
    | "listInvitations"
    | "listCredentialTypes"
    | "listIssuedCredentials"
    | "tenantListIssuanceSessions"
    | "listVerificationSessions"
    | "listSavedChecks"
    | "listAuditEvents"
    | "exportAuditEvents"
    | "checkAuditTrail"
    | "listInstallationEvents"
    | "exportInstallationEvents"
    | "checkInstallationTrail";
/** The operations whose body is read and validated when the handler asks for it. */
export type lateBodies =
    | "requestCredential"
    | "requestCredentialBatch"
    | "requestDeferredCredential"
    | "notifyIssuer"
    | "requestDraft11Credential"
    | "requestDraft11CredentialBatch"
    | "requestDraft11DeferredCredential"
    | "requestOpenid4vciCredential"
    | "requestOpenid4vciDeferredCredential"
    | "notifyOpenid4vciIssuer"
    | "tenantRequestOpenid4vciCredential"
    | "tenantRequestOpenid4vciDeferredCredential"
    | "tenantNotifyOpenid4vciIssuer";
/** The operations that demand a login. */
export type logins =
    | "getLoginSession"
    | "getUserInfo"
    | "listAccountWallets"
    | "listWalletKeys"
    | "generateWalletKey"
    | "importWalletKey"
    | "verifyWithWalletKey"
    | "deleteWalletKey"
    | "loadWalletKey"
    | "describeWalletKey"
    | "exportWalletKey"
    | "removeWalletKey"
    | "signWithWalletKey"
    | "listWalletDids"
    | "createWalletDid"
    | "importWalletDid"
    | "setDefaultWalletDid"
    | "getWalletDid"
    | "deleteWalletDid"
    | "listWalletCredentials"
    | "getWalletCredential"
    | "deleteWalletCredential"
    | "importWalletCredential"
    | "acceptWalletCredential"
    | "rejectWalletCredential"
    | "restoreWalletCredential"
    | "getWalletCredentialStatus"
    | "addWalletCredentialCategories"
    | "removeWalletCredentialCategories"
    | "listWalletCategories"
    | "addWalletCategory"
    | "deleteWalletCategory"
    | "renameWalletCategory"
    | "getWalletManifest"
    | "getWalletManifestDisplay"
    | "getWalletManifestIssuer"
    | "extractManifest"
    | "resolveCredentialOffer"
    | "acceptCredentialOffer"
    | "beginOfferAuthorization"
    | "finishOfferAuthorization"
    | "listDeferredCredentials"
    | "collectDeferredCredential"
    | "abandonDeferredCredential"
    | "renewWalletCredential"
    | "resolveIssuerMetadata"
    | "resolvePresentationRequest"
    | "describePresentationRequest"
    | "declinePresentationRequest"
    | "matchWalletCredentials"
    | "listMissingCredentials"
    | "matchRequestedCredentials"
    | "presentCredentials"
    | "describePageRequest"
    | "answerPageRequest"
    | "prepareExternalPresentation"
    | "submitExternalPresentation"
    | "prepareExternalOffer"
    | "submitExternalOffer"
    | "listWalletEvents"
    | "deleteWalletEvent"
    | "listWalletHistory"
    | "getWalletSettings"
    | "setWalletSettings"
    | "listWalletIssuers"
    | "addWalletIssuer"
    | "getWalletIssuer"
    | "authorizeWalletIssuer"
    | "listIssuerCredentials"
    | "listFrequentCredentials"
    | "resolveTypeMetadata"
    | "listRejectionReasons"
    | "createWallet"
    | "listWallets"
    | "describeWallet"
    | "deleteWallet"
    | "listWallet2Keys"
    | "generateWallet2Key"
    | "importWallet2Key"
    | "getWallet2Key"
    | "deleteWallet2Key"
    | "setDefaultWallet2Key"
    | "listWallet2Dids"
    | "createWallet2Did"
    | "importWallet2Did"
    | "getWallet2Did"
    | "deleteWallet2Did"
    | "setDefaultWallet2Did"
    | "listWallet2Credentials"
    | "importWallet2Credential"
    | "getWallet2Credential"
    | "deleteWallet2Credential"
    | "getWallet2Account"
    | "listWallet2AccountWallets"
    | "linkWallet2AccountWallet"
    | "receiveCredentials"
    | "resolveOffer"
    | "resolveOfferBatch"
    | "requestToken"
    | "requestNonce"
    | "signProof"
    | "fetchCredential"
    | "resumePendingCredential"
    | "listPendingCredentials"
    | "collectDeferred"
    | "createAuthorizationUrl"
    | "createAuthorizationUrlBatch"
    | "exchangeCode"
    | "receiveAuthorized"
    | "receiveAuthorizedBatch"
    | "presentToVerifier"
    | "presentGivenCredentials"
    | "resolveRequest"
    | "matchGivenCredentials"
    | "matchStoredCredentials"
    | "previewRequest"
    | "buildVpToken"
    | "sendResponse"
    | "rejectRequest"
    | "listOrganizations"
    | "createOrganization"
    | "registerEnterpriseAccount"
    | "assignRole"
    | "createRole"
    | "getWorkplace"
    | "createTenant"
    | "createService"
    | "createServices"
    | "updateService"
    | "addDependency"
    | "removeDependency"
    | "listDependencies"
    | "addServiceDependency"
    | "listServiceDependencies"
    | "addServiceDependencyV2"
    | "listServiceDependenciesV2"
    | "getResource"
    | "deleteResource"
    | "listResources"
    | "generateKey"
    | "listKeys"
    | "listDids"
    | "addDid"
    | "replaceTenantDid"
    | "deleteTenantDid"
    | "listDidIds"
    | "addCredential"
    | "getTenantCredential"
    | "replaceTenantCredential"
    | "deleteTenantCredential"
    | "listCredentials"
    | "listCredentialIds"
    | "importTenantKey"
    | "signWithTenantKey"
    | "getTenantKey"
    | "deleteTenantKey"
    | "createTenantDid"
    | "deleteTenantCredentials"
    | "addStoredPolicy"
    | "getStoredPolicy"
    | "replaceStoredPolicy"
    | "deleteStoredPolicy"
    | "addNamedPolicy"
    | "listStoredPolicies"
    | "listStoredPolicyIds"
    | "createStatusCredential"
    | "listStatusCredentials"
    | "updateSessionStatus"
    | "tenantListStatusLists"
    | "tenantGetStatusListFacts"
    | "tenantAllocateStatusEntry"
    | "tenantListStatusEntries"
    | "tenantGetStatusEntry"
    | "tenantChangeStatusEntry"
    | "tenantFindStatusEntries"
    | "tenantChangeStatusEntries"
    | "listCertificates"
    | "addCertificate"
    | "replaceCertificate"
    | "deleteCertificate"
    | "listCertificateIds"
    | "createTenantIaca"
    | "createTenantSigner"
    | "revokeTenantCertificate"
    | "publishVical"
    | "listVicalVersionIds"
    | "addTrustedIssuer"
    | "listTrustedIssuers"
    | "loadTrustSource"
    | "listTrustSources"
    | "deleteTrustSource"
    | "refreshTrustSource"
    | "getTrustSourceHealth"
    | "resolveTrustedCertificate"
    | "resolveTrustedChain"
    | "createClientAttestation"
    | "listClientAttestations"
    | "getClientAttestation"
    | "revokeClientAttestation"
    | "createServiceDid"
    | "rotateServiceDid"
    | "deactivateServiceDid"
    | "receiveTenantCredentials"
    | "receiveTenantPreAuthorized"
    | "presentTenantCredentials"
    | "obtainClientAttestation"
    | "tenantResolveOffer"
    | "tenantResolveOfferBatch"
    | "tenantListPendingCredentials"
    | "tenantCollectDeferred"
    | "tenantResumePendingCredential"
    | "tenantRequestToken"
    | "tenantRequestNonce"
    | "tenantSignProof"
    | "tenantFetchCredential"
    | "tenantCreateAuthorizationUrl"
    | "tenantCreateAuthorizationUrlBatch"
    | "tenantExchangeCode"
    | "tenantReceiveAuthorized"
    | "tenantReceiveAuthorizedBatch"
    | "tenantPresentGivenCredentials"
    | "tenantResolveRequest"
    | "tenantMatchGivenCredentials"
    | "tenantMatchStoredCredentials"
    | "tenantPreviewRequest"
    | "tenantBuildVpToken"
    | "tenantSendResponse"
    | "tenantRejectRequest"
    | "createHostAlias"
    | "listHostAliases"
    | "deleteHostAlias"
    | "getOwnAccount"
    | "replaceOwnProfile"
    | "changeOwnPassword"
    | "listAccounts"
    | "getAccount"
    | "deleteAccount"
    | "disableAccount"
    | "enableAccount"
    | "createPasswordReset"
    | "unassignRole"
    | "listRoles"
    | "getRole"
    | "replaceRole"
    | "deleteRole"
    | "listRoleAccounts"
    | "decidePermission"
    | "listActions"
    | "createApiKey"
    | "listApiKeys"
    | "revokeApiKey"
    | "createInvitation"
    | "listInvitations"
    | "revokeInvitation"
    | "deleteSecondFactor"
    | "getOverview"
    | "createTenantProfile"
    | "replaceTenantProfile"
    | "deleteTenantProfile"
    | "tenantGetIssuanceProfile"
    | "createCredentialType"
    | "listCredentialTypes"
    | "getTenantCredentialType"
    | "replaceCredentialType"
    | "deleteCredentialType"
    | "listIssuedCredentials"
    | "getIssuedCredential"
    | "changeIssuedCredential"
    | "deleteIssuedRecipient"
    | "tenantListIssuanceProfiles"
    | "tenantReplaceAttributeTable"
    | "tenantGetAttributeTable"
    | "tenantDeleteAttributeTable"
    | "tenantCreateCredentialOffer"
    | "tenantCreateCredentialOffersInBulk"
    | "tenantListIssuanceSessions"
    | "tenantGetIssuanceSession"
    | "tenantDeleteIssuanceRecipient"
    | "tenantStreamIssuanceSessionEvents"
    | "listVerificationSessions"
    | "createSavedCheck"
    | "getSavedCheck"
    | "replaceSavedCheck"
    | "deleteSavedCheck"
    | "listSavedChecks"
    | "createSessionOfCheck"
    | "tenantCreateVerificationSession"
    | "tenantGetVerificationSession"
    | "tenantRedeemResponseCode"
    | "tenantStreamVerificationSessionEvents"
    | "listAuditEvents"
    | "exportAuditEvents"
    | "checkAuditTrail"
    | "queryAuditEntries"
    | "listInstallationEvents"
    | "exportInstallationEvents"
    | "checkInstallationTrail";
/** The operations to which a login may be presented. */
export type optionalLogins =
    | "logoutWithCertificate"
    | "logoutAccount"
    | "logoutWallet2Account"
    | "deleteAccountSession"
    | "logoutEnterpriseAccount";
/** The permissions that operations need at their target. */
export interface permissions {
    createTenant: "tenant-create";
    createService: "service-create";
    createServices: "service-create";
    updateService: "service-update";
    addDependency: "service-update";
    removeDependency: "service-update";
    listDependencies: "resource-view";
    addServiceDependency: "service-update";
    listServiceDependencies: "resource-view";
    addServiceDependencyV2: "service-update";
    listServiceDependenciesV2: "resource-view";
    getResource: "resource-view";
    deleteResource: "resource-delete";
    listResources: "resource-list";
    generateKey: "key-create";
    listKeys: "list-keys";
    listDids: "did-list";
    addDid: "did-create";
    replaceTenantDid: "resource-update";
    deleteTenantDid: "resource-delete";
    listDidIds: "did-list";
    addCredential: "credential-create";
    getTenantCredential: "credential-list";
    replaceTenantCredential: "resource-update";
    deleteTenantCredential: "resource-delete";
    listCredentials: "credential-list";
    listCredentialIds: "credential-list";
    importTenantKey: "key-create";
    signWithTenantKey: "key-sign";
    getTenantKey: "list-keys";
    deleteTenantKey: "resource-delete";
    createTenantDid: "did-create";
    deleteTenantCredentials: "resource-delete";
    addStoredPolicy: "policy-create";
    getStoredPolicy: "policy-list";
    replaceStoredPolicy: "resource-update";
    deleteStoredPolicy: "resource-delete";
    addNamedPolicy: "policy-create";
    listStoredPolicies: "policy-list";
    listStoredPolicyIds: "policy-list";
    createStatusCredential: "status-credential-create";
    listStatusCredentials: "status-credential-list";
    updateSessionStatus: "status-entry-change";
    tenantListStatusLists: "status-credential-list";
    tenantGetStatusListFacts: "status-credential-list";
    tenantAllocateStatusEntry: "status-entry-create";
    tenantListStatusEntries: "status-entry-list";
    tenantGetStatusEntry: "status-entry-list";
    tenantChangeStatusEntry: "status-entry-change";
    tenantFindStatusEntries: "status-entry-list";
    tenantChangeStatusEntries: "status-entry-change";
    listCertificates: "certificate-list";
    addCertificate: "certificate-create";
    replaceCertificate: "resource-update";
    deleteCertificate: "resource-delete";
    listCertificateIds: "certificate-list";
    createTenantIaca: "certificate-issue";
    createTenantSigner: "certificate-issue";
    revokeTenantCertificate: "certificate-revoke";
    publishVical: "vical-publish";
    listVicalVersionIds: "vical-list";
    addTrustedIssuer: "trusted-issuer-create";
    listTrustedIssuers: "trusted-issuer-list";
    loadTrustSource: "trusted-issuer-create";
    listTrustSources: "trusted-issuer-list";
    deleteTrustSource: "resource-delete";
    refreshTrustSource: "trusted-issuer-create";
    getTrustSourceHealth: "trusted-issuer-list";
    resolveTrustedCertificate: "trusted-issuer-list";
    resolveTrustedChain: "trusted-issuer-list";
    createClientAttestation: "client-attestation-create";
    listClientAttestations: "client-attestation-list";
    getClientAttestation: "client-attestation-list";
    revokeClientAttestation: "client-attestation-revoke";
    createServiceDid: "did-create";
    rotateServiceDid: "did-change";
    deactivateServiceDid: "did-change";
    receiveTenantCredentials: "wallet-credential-receive";
    receiveTenantPreAuthorized: "wallet-credential-receive";
    presentTenantCredentials: "wallet-credential-present";
    obtainClientAttestation: "wallet-attestation-obtain";
    tenantResolveOffer: "wallet-credential-receive";
    tenantResolveOfferBatch: "wallet-credential-receive";
    tenantListPendingCredentials: "wallet-credential-receive";
    tenantCollectDeferred: "wallet-credential-receive";
    tenantResumePendingCredential: "wallet-credential-receive";
    tenantRequestToken: "wallet-credential-receive";
    tenantRequestNonce: "wallet-credential-receive";
    tenantSignProof: "wallet-credential-receive";
    tenantFetchCredential: "wallet-credential-receive";
    tenantCreateAuthorizationUrl: "wallet-credential-receive";
    tenantCreateAuthorizationUrlBatch: "wallet-credential-receive";
    tenantExchangeCode: "wallet-credential-receive";
    tenantReceiveAuthorized: "wallet-credential-receive";
    tenantReceiveAuthorizedBatch: "wallet-credential-receive";
    tenantPresentGivenCredentials: "wallet-credential-present";
    tenantResolveRequest: "wallet-credential-present";
    tenantMatchGivenCredentials: "wallet-credential-present";
    tenantMatchStoredCredentials: "wallet-credential-present";
    tenantPreviewRequest: "wallet-credential-present";
    tenantBuildVpToken: "wallet-credential-present";
    tenantSendResponse: "wallet-credential-present";
    tenantRejectRequest: "wallet-credential-present";
    createHostAlias: "host-alias-create";
    listHostAliases: "host-alias-list";
    deleteHostAlias: "host-alias-delete";
    listRoles: "role-list";
    getRole: "role-view";
    listApiKeys: "api-key-list";
    revokeApiKey: "api-key-delete";
    listInvitations: "invitation-list";
    revokeInvitation: "invitation-delete";
    createTenantProfile: "issuer-profile-create";
    replaceTenantProfile: "issuer-profile-update";
    deleteTenantProfile: "issuer-profile-delete";
    tenantGetIssuanceProfile: "issuer-profile-view";
    createCredentialType: "credential-type-create";
    listCredentialTypes: "credential-type-list";
    getTenantCredentialType: "credential-type-list";
    replaceCredentialType: "credential-type-update";
    deleteCredentialType: "credential-type-delete";
    listIssuedCredentials: "issued-credential-list";
    getIssuedCredential: "issued-credential-list";
    changeIssuedCredential: "issued-credential-change";
    deleteIssuedRecipient: "issuer-recipient-delete";
    tenantListIssuanceProfiles: "issuer-profile-view";
    tenantReplaceAttributeTable: "attribute-table-update";
    tenantGetAttributeTable: "attribute-table-view";
    tenantDeleteAttributeTable: "attribute-table-delete";
    tenantCreateCredentialOffer: "issuer-credential-issue";
    tenantCreateCredentialOffersInBulk: "issuer-credential-issue";
    tenantListIssuanceSessions: "issuer-session-view";
    tenantGetIssuanceSession: "issuer-session-view";
    tenantDeleteIssuanceRecipient: "issuer-recipient-delete";
    tenantStreamIssuanceSessionEvents: "issuer-session-view";
    listVerificationSessions: "verifier-session-view";
    createSavedCheck: "check-create";
    getSavedCheck: "check-list";
    replaceSavedCheck: "resource-update";
    deleteSavedCheck: "resource-delete";
    listSavedChecks: "check-list";
    createSessionOfCheck: "check-run";
    tenantCreateVerificationSession: "verification-create";
    tenantGetVerificationSession: "verifier-session-view";
    tenantRedeemResponseCode: "verifier-session-view";
    tenantStreamVerificationSessionEvents: "verifier-session-view";
    listAuditEvents: "audit-view";
    exportAuditEvents: "audit-view";
    checkAuditTrail: "audit-view";
}
/** The operations by path and method, as clients call them. */
export interface paths {
    "/wallet-api/auth/x5c/register": {
        post: operations["registerWithCertificate"];
    };
    "/wallet-api/auth/x5c/login": {
        post: operations["loginWithCertificate"];
    };
    "/wallet-api/auth/x5c/logout": {
        post: operations["logoutWithCertificate"];
    };
    "/wallet-api/auth/x5c/nonce": {
        get: operations["createLoginNonce"];
    };
    "/wallet-api/auth/register": {
        post: operations["registerAccount"];
    };
    "/wallet-api/auth/login": {
        post: operations["loginAccount"];
    };
    "/wallet-api/auth/logout": {
        post: operations["logoutAccount"];
    };
    "/wallet-api/auth/session": {
        get: operations["getLoginSession"];
    };
    "/wallet-api/auth/user-info": {
        get: operations["getUserInfo"];
    };
    "/wallet-api/wallet/accounts/wallets": {
        get: operations["listAccountWallets"];
    };
    "/wallet-api/wallet/{wallet}/keys": {
        get: operations["listWalletKeys"];
    };
    "/wallet-api/wallet/{wallet}/keys/generate": {
        post: operations["generateWalletKey"];
    };
    "/wallet-api/wallet/{wallet}/keys/import": {
        post: operations["importWalletKey"];
    };
    "/wallet-api/wallet/{wallet}/keys/verify": {
        post: operations["verifyWithWalletKey"];
    };
    "/wallet-api/wallet/{wallet}/keys/{keyId}": {
        delete: operations["deleteWalletKey"];
    };
    "/wallet-api/wallet/{wallet}/keys/{keyId}/load": {
        get: operations["loadWalletKey"];
    };
    "/wallet-api/wallet/{wallet}/keys/{keyId}/meta": {
        get: operations["describeWalletKey"];
    };
    "/wallet-api/wallet/{wallet}/keys/{keyId}/export": {
        get: operations["exportWalletKey"];
    };
    "/wallet-api/wallet/{wallet}/keys/{keyId}/remove": {
        delete: operations["removeWalletKey"];
    };
    "/wallet-api/wallet/{wallet}/keys/{keyId}/sign": {
        post: operations["signWithWalletKey"];
    };
    "/wallet-api/wallet/{wallet}/dids": {
        get: operations["listWalletDids"];
    };
    "/wallet-api/wallet/{wallet}/dids/create/{method}": {
        post: operations["createWalletDid"];
    };
    "/wallet-api/wallet/{wallet}/dids/import": {
        post: operations["importWalletDid"];
    };
    "/wallet-api/wallet/{wallet}/dids/default": {
        post: operations["setDefaultWalletDid"];
    };
    "/wallet-api/wallet/{wallet}/dids/{did}": {
        get: operations["getWalletDid"];
        delete: operations["deleteWalletDid"];
    };
    "/wallet-api/registry": {
        get: operations["listPublishedDids"];
    };
    "/wallet-api/registry/{id}/did.json": {
        get: operations["getPublishedDid"];
    };
    "/wallet-api/wallet/{wallet}/credentials": {
        get: operations["listWalletCredentials"];
    };
    "/wallet-api/wallet/{wallet}/credentials/{credentialId}": {
        get: operations["getWalletCredential"];
        delete: operations["deleteWalletCredential"];
    };
    "/wallet-api/wallet/{wallet}/credentials/import": {
        post: operations["importWalletCredential"];
    };
    "/wallet-api/wallet/{wallet}/credentials/{credentialId}/accept": {
        post: operations["acceptWalletCredential"];
    };
    "/wallet-api/wallet/{wallet}/credentials/{credentialId}/reject": {
        post: operations["rejectWalletCredential"];
    };
    "/wallet-api/wallet/{wallet}/credentials/{credentialId}/restore": {
        post: operations["restoreWalletCredential"];
    };
    "/wallet-api/wallet/{wallet}/credentials/{credentialId}/status": {
        get: operations["getWalletCredentialStatus"];
    };
    "/wallet-api/wallet/{wallet}/credentials/{credentialId}/category": {
        put: operations["addWalletCredentialCategories"];
        delete: operations["removeWalletCredentialCategories"];
    };
    "/wallet-api/wallet/{wallet}/categories": {
        get: operations["listWalletCategories"];
    };
    "/wallet-api/wallet/{wallet}/categories/{name}/add": {
        post: operations["addWalletCategory"];
    };
    "/wallet-api/wallet/{wallet}/categories/{name}": {
        delete: operations["deleteWalletCategory"];
    };
    "/wallet-api/wallet/{wallet}/categories/{name}/rename/{newName}": {
        put: operations["renameWalletCategory"];
    };
    "/wallet-api/wallet/{wallet}/manifest/{credentialId}": {
        get: operations["getWalletManifest"];
    };
    "/wallet-api/wallet/{wallet}/manifest/{credentialId}/display": {
        get: operations["getWalletManifestDisplay"];
    };
    "/wallet-api/wallet/{wallet}/manifest/{credentialId}/issuer": {
        get: operations["getWalletManifestIssuer"];
    };
    "/wallet-api/wallet/{wallet}/manifest/extract": {
        get: operations["extractManifest"];
    };
    "/wallet-api/wallet/{wallet}/exchange/resolveCredentialOffer": {
        post: operations["resolveCredentialOffer"];
    };
    "/wallet-api/wallet/{wallet}/exchange/useOfferRequest": {
        post: operations["acceptCredentialOffer"];
    };
    "/wallet-api/wallet/{wallet}/exchange/authorizations": {
        post: operations["beginOfferAuthorization"];
    };
    "/wallet-api/wallet/{wallet}/exchange/authorizations/response": {
        post: operations["finishOfferAuthorization"];
    };
    "/wallet-api/wallet/{wallet}/exchange/deferred": {
        get: operations["listDeferredCredentials"];
    };
    "/wallet-api/wallet/{wallet}/exchange/deferred/{id}": {
        post: operations["collectDeferredCredential"];
        delete: operations["abandonDeferredCredential"];
    };
    "/wallet-api/wallet/{wallet}/exchange/renewals/{credentialId}": {
        post: operations["renewWalletCredential"];
    };
    "/wallet-api/authorization-response": {
        get: operations["returnFromIssuer"];
    };
    "/wallet-api/wallet/{wallet}/exchange/resolveIssuerOpenIDMetadata": {
        get: operations["resolveIssuerMetadata"];
    };
    "/wallet-api/wallet/{wallet}/exchange/resolvePresentationRequest": {
        post: operations["resolvePresentationRequest"];
    };
    "/wallet-api/wallet/{wallet}/exchange/describePresentationRequest": {
        post: operations["describePresentationRequest"];
    };
    "/wallet-api/wallet/{wallet}/exchange/declinePresentationRequest": {
        post: operations["declinePresentationRequest"];
    };
    "/wallet-api/wallet/{wallet}/exchange/matchCredentialsForPresentationDefinition": {
        post: operations["matchWalletCredentials"];
    };
    "/wallet-api/wallet/{wallet}/exchange/unmatchedCredentialsForPresentationDefinition": {
        post: operations["listMissingCredentials"];
    };
    "/wallet-api/wallet/{wallet}/exchange/matchCredentialsForPresentationRequest": {
        post: operations["matchRequestedCredentials"];
    };
    "/wallet-api/wallet/{wallet}/exchange/usePresentationRequest": {
        post: operations["presentCredentials"];
    };
    "/wallet-api/wallet/{wallet}/exchange/describePageRequest": {
        post: operations["describePageRequest"];
    };
    "/wallet-api/wallet/{wallet}/exchange/usePageRequest": {
        post: operations["answerPageRequest"];
    };
    "/wallet-api/wallet/{wallet}/exchange/external_signatures/presentation/prepare": {
        post: operations["prepareExternalPresentation"];
    };
    "/wallet-api/wallet/{wallet}/exchange/external_signatures/presentation/submit": {
        post: operations["submitExternalPresentation"];
    };
    "/wallet-api/wallet/{wallet}/exchange/external_signatures/offer/prepare": {
        post: operations["prepareExternalOffer"];
    };
    "/wallet-api/wallet/{wallet}/exchange/external_signatures/offer/submit": {
        post: operations["submitExternalOffer"];
    };
    "/wallet-api/transaction-data-profiles": {
        get: operations["listTransactionDataProfiles"];
    };
    "/wallet-api/wallet/{wallet}/eventlog": {
        get: operations["listWalletEvents"];
    };
    "/wallet-api/wallet/{wallet}/eventlog/{id}": {
        delete: operations["deleteWalletEvent"];
    };
    "/wallet-api/wallet/{wallet}/history": {
        get: operations["listWalletHistory"];
    };
    "/wallet-api/wallet/{wallet}/settings": {
        get: operations["getWalletSettings"];
        post: operations["setWalletSettings"];
    };
    "/wallet-api/wallet/{wallet}/issuers": {
        get: operations["listWalletIssuers"];
    };
    "/wallet-api/wallet/{wallet}/issuers/add": {
        post: operations["addWalletIssuer"];
    };
    "/wallet-api/wallet/{wallet}/issuers/{issuer}": {
        get: operations["getWalletIssuer"];
    };
    "/wallet-api/wallet/{wallet}/issuers/{issuer}/authorize": {
        put: operations["authorizeWalletIssuer"];
    };
    "/wallet-api/wallet/{wallet}/issuers/{issuer}/credentials": {
        get: operations["listIssuerCredentials"];
    };
    "/wallet-api/wallet/{wallet}/reports/frequent/credentials": {
        get: operations["listFrequentCredentials"];
    };
    "/wallet-api/wallet/{wallet}/exchange/resolveVctUrl": {
        get: operations["resolveTypeMetadata"];
    };
    "/wallet-api/reasons": {
        get: operations["listRejectionReasons"];
    };
    "/wallet-api/util/parseMDoc": {
        post: operations["parseMdoc"];
    };
    "/wallet": {
        post: operations["createWallet"];
        get: operations["listWallets"];
    };
    "/wallet/{wallet}": {
        get: operations["describeWallet"];
        delete: operations["deleteWallet"];
    };
    "/stores/{kind}": {
        get: operations["listNamedStores"];
    };
    "/stores/{kind}/{storeId}": {
        post: operations["createNamedStore"];
    };
    "/wallet/{wallet}/keys": {
        get: operations["listWallet2Keys"];
    };
    "/wallet/{wallet}/keys/generate": {
        post: operations["generateWallet2Key"];
    };
    "/wallet/{wallet}/keys/import": {
        post: operations["importWallet2Key"];
    };
    "/wallet/{wallet}/keys/{keyId}": {
        get: operations["getWallet2Key"];
        delete: operations["deleteWallet2Key"];
    };
    "/wallet/{wallet}/keys/{keyId}/set-default": {
        put: operations["setDefaultWallet2Key"];
    };
    "/wallet/{wallet}/dids": {
        get: operations["listWallet2Dids"];
    };
    "/wallet/{wallet}/dids/create": {
        post: operations["createWallet2Did"];
    };
    "/wallet/{wallet}/dids/import": {
        post: operations["importWallet2Did"];
    };
    "/wallet/{wallet}/dids/{did}": {
        get: operations["getWallet2Did"];
        delete: operations["deleteWallet2Did"];
    };
    "/wallet/{wallet}/dids/{did}/set-default": {
        put: operations["setDefaultWallet2Did"];
    };
    "/wallet/{wallet}/credentials": {
        get: operations["listWallet2Credentials"];
    };
    "/wallet/{wallet}/credentials/import": {
        post: operations["importWallet2Credential"];
    };
    "/wallet/{wallet}/credentials/{credentialId}": {
        get: operations["getWallet2Credential"];
        delete: operations["deleteWallet2Credential"];
    };
    "/auth/register": {
        post: operations["registerWallet2Account"];
    };
    "/auth/emailpass": {
        post: operations["loginWallet2Account"];
    };
    "/auth/logout": {
        post: operations["logoutWallet2Account"];
    };
    "/auth/account": {
        get: operations["getWallet2Account"];
    };
    "/auth/account/wallets": {
        get: operations["listWallet2AccountWallets"];
    };
    "/auth/account/wallets/{walletId}": {
        post: operations["linkWallet2AccountWallet"];
    };
    "/wallet/{wallet}/credentials/receive": {
        post: operations["receiveCredentials"];
    };
    "/wallet/{wallet}/credentials/receive/resolve-offer": {
        post: operations["resolveOffer"];
    };
    "/wallet/{wallet}/credentials/receive/resolve-offer/batch": {
        post: operations["resolveOfferBatch"];
    };
    "/wallet/{wallet}/credentials/receive/request-token": {
        post: operations["requestToken"];
    };
    "/wallet/{wallet}/credentials/receive/request-nonce": {
        post: operations["requestNonce"];
    };
    "/wallet/{wallet}/credentials/receive/sign-proof": {
        post: operations["signProof"];
    };
    "/wallet/{wallet}/credentials/receive/fetch-credential": {
        post: operations["fetchCredential"];
    };
    "/wallet/{wallet}/credentials/receive/deferred/{pendingId}": {
        post: operations["resumePendingCredential"];
    };
    "/wallet/{wallet}/credentials/receive/deferred": {
        get: operations["listPendingCredentials"];
        post: operations["collectDeferred"];
    };
    "/wallet/{wallet}/credentials/receive/authorization-url": {
        post: operations["createAuthorizationUrl"];
    };
    "/wallet/{wallet}/credentials/receive/authorization-url/batch": {
        post: operations["createAuthorizationUrlBatch"];
    };
    "/wallet/{wallet}/credentials/receive/exchange-code": {
        post: operations["exchangeCode"];
    };
    "/wallet/{wallet}/credentials/receive/authorized": {
        post: operations["receiveAuthorized"];
    };
    "/wallet/{wallet}/credentials/receive/authorized/batch": {
        post: operations["receiveAuthorizedBatch"];
    };
    "/wallet/{wallet}/credentials/present": {
        post: operations["presentToVerifier"];
    };
    "/wallet/{wallet}/credentials/present/isolated": {
        post: operations["presentGivenCredentials"];
    };
    "/wallet/{wallet}/credentials/present/resolve-request": {
        post: operations["resolveRequest"];
    };
    "/wallet/{wallet}/credentials/present/match-credentials": {
        post: operations["matchGivenCredentials"];
    };
    "/wallet/{wallet}/credentials/present/match-credentials-from-store": {
        post: operations["matchStoredCredentials"];
    };
    "/wallet/{wallet}/credentials/present/preview": {
        post: operations["previewRequest"];
    };
    "/wallet/{wallet}/credentials/present/build-vp-token": {
        post: operations["buildVpToken"];
    };
    "/wallet/{wallet}/credentials/present/send-response": {
        post: operations["sendResponse"];
    };
    "/wallet/{wallet}/credentials/present/reject": {
        post: operations["rejectRequest"];
    };
    "/onboard/issuer": {
        post: operations["onboardIssuer"];
    };
    "/onboard/iso-mdl/iacas": {
        post: operations["onboardIaca"];
    };
    "/onboard/iso-mdl/document-signers": {
        post: operations["onboardDocumentSigner"];
    };
    "/openid4vc/jwt/issue": {
        post: operations["issueJwtCredential"];
    };
    "/openid4vc/jwt/issueBatch": {
        post: operations["issueJwtCredentialBatch"];
    };
    "/openid4vc/sdjwt/issue": {
        post: operations["issueSdJwtCredential"];
    };
    "/openid4vc/sdjwt/issueBatch": {
        post: operations["issueSdJwtCredentialBatch"];
    };
    "/openid4vc/mdoc/issue": {
        post: operations["issueMdoc"];
    };
    "/openid4vc/mdoc/issueBatch": {
        post: operations["issueMdocBatch"];
    };
    "/raw/jwt/sign": {
        post: operations["signJwtCredential"];
    };
    "/draft13/credentialOffer": {
        get: operations["getCredentialOffer"];
    };
    "/draft13/token": {
        post: operations["requestAccessToken"];
    };
    "/draft13/credential": {
        post: operations["requestCredential"];
    };
    "/draft13/batch_credential": {
        post: operations["requestCredentialBatch"];
    };
    "/draft13/credential_deferred": {
        post: operations["requestDeferredCredential"];
    };
    "/draft13/notification": {
        post: operations["notifyIssuer"];
    };
    "/draft13/jwks": {
        get: operations["getIssuerKeys"];
    };
    "/draft13/.well-known/openid-credential-issuer": {
        get: operations["getIssuerMetadata"];
    };
    "/.well-known/openid-credential-issuer/draft13": {
        get: operations["getIssuerMetadataOfHost"];
    };
    "/draft13/.well-known/oauth-authorization-server": {
        get: operations["getAuthorizationServerMetadata"];
    };
    "/.well-known/oauth-authorization-server/draft13": {
        get: operations["getAuthorizationServerMetadataOfHost"];
    };
    "/draft13/.well-known/openid-configuration": {
        get: operations["getOpenidConfiguration"];
    };
    "/.well-known/openid-configuration/draft13": {
        get: operations["getOpenidConfigurationOfHost"];
    };
    "/.well-known/jwt-vc-issuer/draft13": {
        get: operations["getJwtVcIssuerMetadata"];
    };
    "/draft13/authorize": {
        get: operations["requestAuthorization"];
    };
    "/draft13/par": {
        post: operations["pushAuthorization"];
    };
    "/draft13/direct_post": {
        post: operations["answerLogin"];
    };
    "/draft11/authorize": {
        get: operations["requestDraft11Authorization"];
    };
    "/draft11/par": {
        post: operations["pushDraft11Authorization"];
    };
    "/draft11/direct_post": {
        post: operations["answerDraft11Login"];
    };
    "/callback": {
        get: operations["finishExternalLogin"];
    };
    "/draft11/credentialOffer": {
        get: operations["getDraft11Offer"];
    };
    "/draft11/token": {
        post: operations["requestDraft11Token"];
    };
    "/draft11/credential": {
        post: operations["requestDraft11Credential"];
    };
    "/draft11/batch_credential": {
        post: operations["requestDraft11CredentialBatch"];
    };
    "/draft11/credential_deferred": {
        post: operations["requestDraft11DeferredCredential"];
    };
    "/draft11/jwks": {
        get: operations["listDraft11Keys"];
    };
    "/draft11/.well-known/openid-credential-issuer": {
        get: operations["getDraft11IssuerMetadata"];
    };
    "/draft11/.well-known/oauth-authorization-server": {
        get: operations["getDraft11ServerMetadata"];
    };
    "/.well-known/oauth-authorization-server/draft11": {
        get: operations["getDraft11ServerMetadataOfHost"];
    };
    "/draft11/.well-known/openid-configuration": {
        get: operations["getDraft11OpenidConfiguration"];
    };
    "/.well-known/jwt-vc-issuer/draft11": {
        get: operations["getDraft11JwtVcIssuer"];
    };
    "/.well-known/openid-credential-issuer/openid4vci": {
        get: operations["getOpenid4vciIssuerMetadata"];
    };
    "/.well-known/oauth-authorization-server/openid4vci": {
        get: operations["getOpenid4vciServerMetadata"];
    };
    "/.well-known/jwt-vc-issuer/openid4vci": {
        get: operations["getOpenid4vciJwtVcIssuer"];
    };
    "/openid4vci/jwks": {
        get: operations["listOpenid4vciKeys"];
    };
    "/openid4vci/credential-offer": {
        get: operations["getOpenid4vciOffer"];
    };
    "/openid4vci/par": {
        post: operations["pushOpenid4vciAuthorization"];
    };
    "/openid4vci/authorize": {
        get: operations["authorizeOpenid4vci"];
    };
    "/openid4vci/token": {
        post: operations["requestOpenid4vciToken"];
    };
    "/openid4vci/nonce": {
        post: operations["requestOpenid4vciNonce"];
    };
    "/openid4vci/challenge": {
        post: operations["requestOpenid4vciChallenge"];
    };
    "/openid4vci/credential": {
        post: operations["requestOpenid4vciCredential"];
    };
    "/openid4vci/deferred_credential": {
        post: operations["requestOpenid4vciDeferredCredential"];
    };
    "/openid4vci/notification": {
        post: operations["notifyOpenid4vciIssuer"];
    };
    "/issuer2/profiles": {
        get: operations["listIssuanceProfiles"];
    };
    "/issuer2/profiles/{profileId}": {
        get: operations["getIssuanceProfile"];
    };
    "/issuer2/attribute-tables/{tableId}": {
        put: operations["replaceAttributeTable"];
        get: operations["getAttributeTable"];
        delete: operations["deleteAttributeTable"];
    };
    "/issuer2/credential-offers": {
        post: operations["createCredentialOffer"];
    };
    "/issuer2/credential-offers/bulk": {
        post: operations["createCredentialOffersInBulk"];
    };
    "/issuer2/sessions": {
        get: operations["listIssuanceSessions"];
    };
    "/issuer2/sessions/{sessionId}": {
        get: operations["getIssuanceSession"];
    };
    "/issuer2/sessions/{sessionId}/recipient": {
        delete: operations["deleteIssuanceRecipient"];
    };
    "/issuer2/sessions/{sessionId}/events": {
        get: operations["streamIssuanceSessionEvents"];
    };
    "/openid4vc/verify": {
        post: operations["startVerification"];
    };
    "/openid4vc/pd/{state}": {
        get: operations["getPresentationDefinition"];
    };
    "/openid4vc/request/{state}": {
        get: operations["getRequestObject"];
    };
    "/jwks": {
        get: operations["getVerifierJwks"];
    };
    "/.well-known/openid-configuration": {
        get: operations["getVerifierConfiguration"];
    };
    "/authorize": {
        get: operations["authorizeWallet"];
    };
    "/openid4vc/verify/{state}": {
        post: operations["submitPresentation"];
    };
    "/openid4vc/session/{state}": {
        get: operations["getVerificationResult"];
    };
    "/openid4vc/session/{state}/presented-credentials": {
        get: operations["getPresentedCredentials"];
    };
    "/openid4vc/policy-list": {
        get: operations["listPolicies"];
    };
    "/openid4vc/policies": {
        get: operations["describePolicies"];
    };
    "/transaction-data-profiles": {
        get: operations["listVerifierTransactionDataProfiles"];
    };
    "/verification-session/create": {
        post: operations["createVerificationSession"];
    };
    "/verification-session/{sessionId}/info": {
        get: operations["getVerificationSession"];
    };
    "/verification-session/{sessionId}/result": {
        post: operations["redeemResponseCode"];
    };
    "/verification-session/{sessionId}/events": {
        get: operations["streamVerificationSessionEvents"];
    };
    "/.well-known/openid-federation": {
        get: operations["getVerifierEntity"];
    };
    "/verification-session/{requestId}/request": {
        get: operations["getAuthorizationRequest"];
        post: operations["postAuthorizationRequest"];
    };
    "/verification-session/{requestId}/response": {
        post: operations["submitAuthorizationResponse"];
    };
    "/vical/fetch": {
        post: operations["fetchVical"];
    };
    "/vical/validate": {
        post: operations["validateVical"];
    };
    "/v1/revocations/check": {
        post: operations["checkRevocation"];
    };
    "/v1/revocations/revoke": {
        post: operations["revokeCredential"];
    };
    "/v1/credentials/status/{id}": {
        get: operations["getStatusCredential"];
    };
    "/v1/credentials/token/{id}": {
        get: operations["getStatusToken"];
    };
    "/status-lists/{id}": {
        get: operations["getStatusList"];
    };
    "/issuer2/status-lists": {
        post: operations["createStatusList"];
        get: operations["listStatusLists"];
    };
    "/issuer2/status-lists/{listId}": {
        get: operations["getStatusListFacts"];
    };
    "/issuer2/status-lists/{listId}/entries": {
        post: operations["allocateStatusEntry"];
        get: operations["listStatusEntries"];
    };
    "/issuer2/status-lists/{listId}/entries/{index}": {
        get: operations["getStatusEntry"];
    };
    "/issuer2/status-lists/{listId}/entries/{index}/changes": {
        post: operations["changeStatusEntry"];
    };
    "/issuer2/status-entries": {
        get: operations["findStatusEntries"];
    };
    "/issuer2/status-entries/changes": {
        post: operations["changeStatusEntries"];
    };
    "/issuer2/status-tokens": {
        post: operations["createStatusToken"];
    };
    "/draft13/{type}": {
        get: operations["getDraft13CredentialType"];
    };
    "/openid4vci/{type}": {
        get: operations["getFinalCredentialType"];
    };
    "/.well-known/vct/{version}/{type}": {
        get: operations["getCredentialType"];
    };
    "/v1/superadmin/create-by-token": {
        post: operations["createSuperadmin"];
    };
    "/auth/account/emailpass": {
        post: operations["loginEnterpriseAccount"];
    };
    "/v1/admin/organizations": {
        get: operations["listOrganizations"];
        post: operations["createOrganization"];
    };
    "/v1/admin/account/register": {
        post: operations["registerEnterpriseAccount"];
    };
    "/v1/admin/account/{accountId}/roles/add/{org}/{roleId}": {
        post: operations["assignRole"];
    };
    "/v1/{target}/roles-api/roles/create": {
        post: operations["createRole"];
    };
    "/v1/{target}/permissions-api/workplace": {
        get: operations["getWorkplace"];
    };
    "/v1/{target}/resource-api/tenants/create": {
        post: operations["createTenant"];
    };
    "/v1/{target}/resource-api/services/create": {
        post: operations["createService"];
    };
    "/v1/{target}/resource-api/services/init": {
        post: operations["createServices"];
    };
    "/v1/{target}/resource-api/services": {
        put: operations["updateService"];
    };
    "/v1/{target}/resource-api/dependencies/add": {
        post: operations["addDependency"];
    };
    "/v1/{target}/resource-api/dependencies/remove": {
        post: operations["removeDependency"];
    };
    "/v1/{target}/resource-api/dependencies/list": {
        get: operations["listDependencies"];
    };
    "/v1/{target}/{api}/dependencies/add": {
        post: operations["addServiceDependency"];
    };
    "/v1/{target}/{api}/dependencies/list": {
        get: operations["listServiceDependencies"];
    };
    "/v2/{target}/{api}/dependencies/add": {
        post: operations["addServiceDependencyV2"];
    };
    "/v2/{target}/{api}/dependencies/list": {
        get: operations["listServiceDependenciesV2"];
    };
    "/v1/{target}/resource-api/resources": {
        get: operations["getResource"];
        delete: operations["deleteResource"];
    };
    "/v1/{target}/resource-api/resources/list": {
        get: operations["listResources"];
    };
    "/v1/{target}/kms-service-api/keys/generate": {
        post: operations["generateKey"];
    };
    "/v1/{target}/kms-service-api/keys/list": {
        get: operations["listKeys"];
    };
    "/v1/{target}/did-store-service-api/dids": {
        get: operations["listDids"];
        post: operations["addDid"];
        put: operations["replaceTenantDid"];
        delete: operations["deleteTenantDid"];
    };
    "/v1/{target}/did-store-service-api/dids/list-did-ids": {
        get: operations["listDidIds"];
    };
    "/v1/{target}/credential-store-service-api/credentials": {
        post: operations["addCredential"];
        get: operations["getTenantCredential"];
        put: operations["replaceTenantCredential"];
        delete: operations["deleteTenantCredential"];
    };
    "/v1/{target}/credential-store-service-api/credentials/list": {
        get: operations["listCredentials"];
    };
    "/v1/{target}/credential-store-service-api/credentials/list-ids": {
        get: operations["listCredentialIds"];
    };
    "/v1/{target}/kms-service-api/keys/import/jwk": {
        post: operations["importTenantKey"];
    };
    "/v1/{target}/kms-service-api/keys/sign": {
        post: operations["signWithTenantKey"];
    };
    "/v1/{target}/kms-service-api/keys": {
        get: operations["getTenantKey"];
        delete: operations["deleteTenantKey"];
    };
    "/v1/{target}/did-store-service-api/dids/create": {
        post: operations["createTenantDid"];
    };
    "/v1/{target}/credential-store-service-api/credentials/delete-all": {
        delete: operations["deleteTenantCredentials"];
    };
    "/v1/{target}/policy-store-service-api/policies": {
        post: operations["addStoredPolicy"];
        get: operations["getStoredPolicy"];
        put: operations["replaceStoredPolicy"];
        delete: operations["deleteStoredPolicy"];
    };
    "/v1/{target}/policy-store-service-api/policies/add": {
        post: operations["addNamedPolicy"];
    };
    "/v1/{target}/policy-store-service-api/policies/list": {
        get: operations["listStoredPolicies"];
    };
    "/v1/{target}/policy-store-service-api/policies/list-ids": {
        get: operations["listStoredPolicyIds"];
    };
    "/v1/{target}/credential-status-service-api/status-credential/create": {
        post: operations["createStatusCredential"];
    };
    "/v1/{target}/credential-status-service-api/status-credential/list": {
        get: operations["listStatusCredentials"];
    };
    "/v1/{target}/credential-status-service-api/status-credential/status/update": {
        put: operations["updateSessionStatus"];
    };
    "/v1/{target}/status-lists/{id}": {
        get: operations["tenantGetStatusList"];
    };
    "/v1/{target}/credential-status-service-api/status-lists": {
        get: operations["tenantListStatusLists"];
    };
    "/v1/{target}/credential-status-service-api/status-lists/{listId}": {
        get: operations["tenantGetStatusListFacts"];
    };
    "/v1/{target}/credential-status-service-api/status-lists/{listId}/entries": {
        post: operations["tenantAllocateStatusEntry"];
        get: operations["tenantListStatusEntries"];
    };
    "/v1/{target}/credential-status-service-api/status-lists/{listId}/entries/{index}": {
        get: operations["tenantGetStatusEntry"];
    };
    "/v1/{target}/credential-status-service-api/status-lists/{listId}/entries/{index}/changes": {
        post: operations["tenantChangeStatusEntry"];
    };
    "/v1/{target}/credential-status-service-api/status-entries": {
        get: operations["tenantFindStatusEntries"];
    };
    "/v1/{target}/credential-status-service-api/status-entries/changes": {
        post: operations["tenantChangeStatusEntries"];
    };
    "/v1/{target}/x509-store-api/certificates": {
        get: operations["listCertificates"];
        post: operations["addCertificate"];
        put: operations["replaceCertificate"];
        delete: operations["deleteCertificate"];
    };
    "/v1/{target}/x509-store-api/certificates/ids": {
        get: operations["listCertificateIds"];
    };
    "/v1/{target}/x509-service-api/iacas": {
        post: operations["createTenantIaca"];
    };
    "/v1/{target}/x509-service-api/signers": {
        post: operations["createTenantSigner"];
    };
    "/v1/{target}/x509-service-api/revocations": {
        post: operations["revokeTenantCertificate"];
    };
    "/v1/{target}/x509-service-api/crls/{crlId}": {
        get: operations["getTenantCrl"];
    };
    "/v1/{target}/vical-service-api/versions/publish": {
        post: operations["publishVical"];
    };
    "/v1/{target}/vical-service-api/versions/ids": {
        get: operations["listVicalVersionIds"];
    };
    "/v1/{target}/vical-service-api/vical": {
        get: operations["getTenantVical"];
    };
    "/v1/{target}/trust-registry-api/issuers": {
        post: operations["addTrustedIssuer"];
    };
    "/v1/{target}/trust-registry-api/issuers/list": {
        get: operations["listTrustedIssuers"];
    };
    "/v1/{target}/trust-registry-api/sources/load": {
        post: operations["loadTrustSource"];
    };
    "/v1/{target}/trust-registry-api/sources": {
        get: operations["listTrustSources"];
    };
    "/v1/{target}/trust-registry-api/sources/{sourceId}": {
        delete: operations["deleteTrustSource"];
    };
    "/v1/{target}/trust-registry-api/sources/{sourceId}/refresh": {
        post: operations["refreshTrustSource"];
    };
    "/v1/{target}/trust-registry-api/sources/{sourceId}/health": {
        get: operations["getTrustSourceHealth"];
    };
    "/v1/{target}/trust-registry-api/resolve/certificate": {
        post: operations["resolveTrustedCertificate"];
    };
    "/v1/{target}/trust-registry-api/resolve/certificate-chain": {
        post: operations["resolveTrustedChain"];
    };
    "/v1/{target}/client-attester-api/attest": {
        post: operations["createClientAttestation"];
    };
    "/v1/{target}/client-attester-api/attestations/list": {
        get: operations["listClientAttestations"];
    };
    "/v1/{target}/client-attester-api/attestations/{attestationId}": {
        get: operations["getClientAttestation"];
    };
    "/v1/{target}/client-attester-api/attestations/{attestationId}/revoke": {
        post: operations["revokeClientAttestation"];
    };
    "/v1/{target}/client-attester-api/jwks": {
        get: operations["listClientAttesterKeys"];
    };
    "/v1/{target}/did-service-api/dids/create/{method}": {
        post: operations["createServiceDid"];
    };
    "/v1/{target}/did-service-api/dids/rotate": {
        post: operations["rotateServiceDid"];
    };
    "/v1/{target}/did-service-api/dids/deactivate": {
        post: operations["deactivateServiceDid"];
    };
    "/v1/{target}/did-registry-service-api/registry/{did}/did.json": {
        get: operations["getRegistryDid"];
    };
    "/.well-known/did.json": {
        get: operations["getDomainDid"];
    };
    "/{didPath}/did.json": {
        get: operations["getDomainPathDid"];
    };
    "/v2/{target}/wallet-service-api/credentials/receive": {
        post: operations["receiveTenantCredentials"];
    };
    "/v2/{target}/wallet-service-api/credentials/receive/pre-authorized": {
        post: operations["receiveTenantPreAuthorized"];
    };
    "/v2/{target}/wallet-service-api/credentials/present": {
        post: operations["presentTenantCredentials"];
    };
    "/v2/{target}/wallet-service-api/client-attestation/obtain": {
        post: operations["obtainClientAttestation"];
    };
    "/v2/{target}/wallet-service-api/credentials/receive/resolve-offer": {
        post: operations["tenantResolveOffer"];
    };
    "/v2/{target}/wallet-service-api/credentials/receive/resolve-offer/batch": {
        post: operations["tenantResolveOfferBatch"];
    };
    "/v2/{target}/wallet-service-api/credentials/receive/deferred": {
        get: operations["tenantListPendingCredentials"];
        post: operations["tenantCollectDeferred"];
    };
    "/v2/{target}/wallet-service-api/credentials/receive/deferred/{pendingId}": {
        post: operations["tenantResumePendingCredential"];
    };
    "/v2/{target}/wallet-service-api/credentials/receive/request-token": {
        post: operations["tenantRequestToken"];
    };
    "/v2/{target}/wallet-service-api/credentials/receive/request-nonce": {
        post: operations["tenantRequestNonce"];
    };
    "/v2/{target}/wallet-service-api/credentials/receive/sign-proof": {
        post: operations["tenantSignProof"];
    };
    "/v2/{target}/wallet-service-api/credentials/receive/fetch-credential": {
        post: operations["tenantFetchCredential"];
    };
    "/v2/{target}/wallet-service-api/credentials/receive/authorization-url": {
        post: operations["tenantCreateAuthorizationUrl"];
    };
    "/v2/{target}/wallet-service-api/credentials/receive/authorization-url/batch": {
        post: operations["tenantCreateAuthorizationUrlBatch"];
    };
    "/v2/{target}/wallet-service-api/credentials/receive/exchange-code": {
        post: operations["tenantExchangeCode"];
    };
    "/v2/{target}/wallet-service-api/credentials/receive/authorized": {
        post: operations["tenantReceiveAuthorized"];
    };
    "/v2/{target}/wallet-service-api/credentials/receive/authorized/batch": {
        post: operations["tenantReceiveAuthorizedBatch"];
    };
    "/v2/{target}/wallet-service-api/credentials/present/isolated": {
        post: operations["tenantPresentGivenCredentials"];
    };
    "/v2/{target}/wallet-service-api/credentials/present/resolve-request": {
        post: operations["tenantResolveRequest"];
    };
    "/v2/{target}/wallet-service-api/credentials/present/match-credentials": {
        post: operations["tenantMatchGivenCredentials"];
    };
    "/v2/{target}/wallet-service-api/credentials/present/match-credentials-from-store": {
        post: operations["tenantMatchStoredCredentials"];
    };
    "/v2/{target}/wallet-service-api/credentials/present/preview": {
        post: operations["tenantPreviewRequest"];
    };
    "/v2/{target}/wallet-service-api/credentials/present/build-vp-token": {
        post: operations["tenantBuildVpToken"];
    };
    "/v2/{target}/wallet-service-api/credentials/present/send-response": {
        post: operations["tenantSendResponse"];
    };
    "/v2/{target}/wallet-service-api/credentials/present/reject": {
        post: operations["tenantRejectRequest"];
    };
    "/v1/{target}/host-alias-api/host-aliases/create": {
        post: operations["createHostAlias"];
    };
    "/v1/{target}/host-alias-api/host-aliases/list": {
        get: operations["listHostAliases"];
    };
    "/v1/{target}/host-alias-api/host-aliases/{domain}": {
        delete: operations["deleteHostAlias"];
    };
    "/v1/admin/me": {
        get: operations["getOwnAccount"];
    };
    "/v1/admin/me/profile": {
        put: operations["replaceOwnProfile"];
    };
    "/v1/admin/me/password": {
        post: operations["changeOwnPassword"];
    };
    "/auth/account/password-reset": {
        post: operations["resetPassword"];
    };
    "/v1/admin/accounts": {
        get: operations["listAccounts"];
    };
    "/v1/admin/accounts/{accountId}": {
        get: operations["getAccount"];
        delete: operations["deleteAccount"];
    };
    "/v1/admin/accounts/{accountId}/disable": {
        post: operations["disableAccount"];
    };
    "/v1/admin/accounts/{accountId}/enable": {
        post: operations["enableAccount"];
    };
    "/v1/admin/accounts/{accountId}/password-reset": {
        post: operations["createPasswordReset"];
    };
    "/v1/admin/account/{accountId}/roles/remove/{org}/{roleId}": {
        post: operations["unassignRole"];
    };
    "/v1/{target}/roles-api/roles/list": {
        get: operations["listRoles"];
    };
    "/v1/{target}/roles-api/roles": {
        get: operations["getRole"];
        put: operations["replaceRole"];
        delete: operations["deleteRole"];
    };
    "/v1/{target}/roles-api/roles/accounts": {
        get: operations["listRoleAccounts"];
    };
    "/v1/{target}/permissions-api/decision": {
        get: operations["decidePermission"];
    };
    "/v1/admin/actions": {
        get: operations["listActions"];
    };
    "/v1/{target}/api-keys-api/api-keys": {
        post: operations["createApiKey"];
        get: operations["listApiKeys"];
    };
    "/v1/{target}/api-keys-api/api-keys/{keyId}": {
        delete: operations["revokeApiKey"];
    };
    "/auth/account/session": {
        post: operations["createAccountSession"];
        delete: operations["deleteAccountSession"];
    };
    "/auth/account/logout": {
        post: operations["logoutEnterpriseAccount"];
    };
    "/v1/{target}/invitations-api/invitations": {
        post: operations["createInvitation"];
        get: operations["listInvitations"];
    };
    "/v1/{target}/invitations-api/invitations/{invitationId}": {
        delete: operations["revokeInvitation"];
    };
    "/auth/account/invitations/accept": {
        post: operations["acceptInvitation"];
    };
    "/auth/account/second-factor": {
        post: operations["enrolSecondFactor"];
    };
    "/auth/account/second-factor/confirm": {
        post: operations["confirmSecondFactor"];
    };
    "/auth/account/second-factor/remove": {
        post: operations["removeSecondFactor"];
    };
    "/v1/admin/accounts/{accountId}/second-factor": {
        delete: operations["deleteSecondFactor"];
    };
    "/v1/admin/overview": {
        get: operations["getOverview"];
    };
    "/v2/{target}/issuer-service-api/profiles/{profileId}": {
        post: operations["createTenantProfile"];
        put: operations["replaceTenantProfile"];
        delete: operations["deleteTenantProfile"];
        get: operations["tenantGetIssuanceProfile"];
    };
    "/v2/{target}/issuer-service-api/credential-types": {
        post: operations["createCredentialType"];
        get: operations["listCredentialTypes"];
    };
    "/v2/{target}/issuer-service-api/credential-types/{typeId}": {
        get: operations["getTenantCredentialType"];
        put: operations["replaceCredentialType"];
        delete: operations["deleteCredentialType"];
    };
    "/v2/{target}/issuer-service-api/issued": {
        get: operations["listIssuedCredentials"];
    };
    "/v2/{target}/issuer-service-api/issued/{issuedId}": {
        get: operations["getIssuedCredential"];
    };
    "/v2/{target}/issuer-service-api/issued/{issuedId}/changes": {
        post: operations["changeIssuedCredential"];
    };
    "/v2/{target}/issuer-service-api/issued/{issuedId}/recipient": {
        delete: operations["deleteIssuedRecipient"];
    };
    "/v2/{target}/issuer-service-api/openid4vci/images/{image}": {
        get: operations["getCredentialImage"];
    };
    "/.well-known/openid-credential-issuer/v2/{target}/issuer-service-api/openid4vci": {
        get: operations["tenantGetOpenid4vciIssuerMetadata"];
    };
    "/.well-known/oauth-authorization-server/v2/{target}/issuer-service-api/openid4vci": {
        get: operations["tenantGetOpenid4vciServerMetadata"];
    };
    "/.well-known/jwt-vc-issuer/v2/{target}/issuer-service-api/openid4vci": {
        get: operations["tenantGetOpenid4vciJwtVcIssuer"];
    };
    "/v2/{target}/issuer-service-api/openid4vci/jwks": {
        get: operations["tenantListOpenid4vciKeys"];
    };
    "/v2/{target}/issuer-service-api/openid4vci/credential-offer": {
        get: operations["tenantGetOpenid4vciOffer"];
    };
    "/v2/{target}/issuer-service-api/openid4vci/par": {
        post: operations["tenantPushOpenid4vciAuthorization"];
    };
    "/v2/{target}/issuer-service-api/openid4vci/authorize": {
        get: operations["tenantAuthorizeOpenid4vci"];
    };
    "/v2/{target}/issuer-service-api/openid4vci/token": {
        post: operations["tenantRequestOpenid4vciToken"];
    };
    "/v2/{target}/issuer-service-api/openid4vci/nonce": {
        post: operations["tenantRequestOpenid4vciNonce"];
    };
    "/v2/{target}/issuer-service-api/openid4vci/challenge": {
        post: operations["tenantRequestOpenid4vciChallenge"];
    };
    "/v2/{target}/issuer-service-api/openid4vci/credential": {
        post: operations["tenantRequestOpenid4vciCredential"];
    };
    "/v2/{target}/issuer-service-api/openid4vci/deferred_credential": {
        post: operations["tenantRequestOpenid4vciDeferredCredential"];
    };
    "/v2/{target}/issuer-service-api/openid4vci/notification": {
        post: operations["tenantNotifyOpenid4vciIssuer"];
    };
    "/.well-known/vct/v2/{target}/issuer-service-api/{version}/{type}": {
        get: operations["tenantGetCredentialType"];
    };
    "/v2/{target}/issuer-service-api/openid4vci/{type}": {
        get: operations["tenantGetFinalCredentialType"];
    };
    "/v2/{target}/issuer-service-api/profiles": {
        get: operations["tenantListIssuanceProfiles"];
    };
    "/v2/{target}/issuer-service-api/attribute-tables/{tableId}": {
        put: operations["tenantReplaceAttributeTable"];
        get: operations["tenantGetAttributeTable"];
        delete: operations["tenantDeleteAttributeTable"];
    };
    "/v2/{target}/issuer-service-api/credential-offers": {
        post: operations["tenantCreateCredentialOffer"];
    };
    "/v2/{target}/issuer-service-api/credential-offers/bulk": {
        post: operations["tenantCreateCredentialOffersInBulk"];
    };
    "/v2/{target}/issuer-service-api/sessions": {
        get: operations["tenantListIssuanceSessions"];
    };
    "/v2/{target}/issuer-service-api/sessions/{sessionId}": {
        get: operations["tenantGetIssuanceSession"];
    };
    "/v2/{target}/issuer-service-api/sessions/{sessionId}/recipient": {
        delete: operations["tenantDeleteIssuanceRecipient"];
    };
    "/v2/{target}/issuer-service-api/sessions/{sessionId}/events": {
        get: operations["tenantStreamIssuanceSessionEvents"];
    };
    "/v1/{target}/verifier2-service-api/sessions": {
        get: operations["listVerificationSessions"];
    };
    "/v1/{target}/verifier2-service-api/checks": {
        post: operations["createSavedCheck"];
        get: operations["getSavedCheck"];
        put: operations["replaceSavedCheck"];
        delete: operations["deleteSavedCheck"];
    };
    "/v1/{target}/verifier2-service-api/checks/list": {
        get: operations["listSavedChecks"];
    };
    "/v1/{target}/verifier2-service-api/checks/verification-session": {
        post: operations["createSessionOfCheck"];
    };
    "/v1/{target}/verifier2-service-api/verification-session/create": {
        post: operations["tenantCreateVerificationSession"];
    };
    "/v1/{target}/verifier2-service-api/verification-session/{sessionId}/info": {
        get: operations["tenantGetVerificationSession"];
    };
    "/v1/{target}/verifier2-service-api/verification-session/{sessionId}/result": {
        post: operations["tenantRedeemResponseCode"];
    };
    "/v1/{target}/verifier2-service-api/verification-session/{sessionId}/events": {
        get: operations["tenantStreamVerificationSessionEvents"];
    };
    "/v1/{target}/verifier2-service-api/.well-known/openid-federation": {
        get: operations["tenantGetVerifierEntity"];
    };
    "/v1/{target}/verifier2-service-api/verification-session/{requestId}/request": {
        get: operations["tenantGetAuthorizationRequest"];
        post: operations["tenantPostAuthorizationRequest"];
    };
    "/v1/{target}/verifier2-service-api/verification-session/{requestId}/response": {
        post: operations["tenantSubmitAuthorizationResponse"];
    };
    "/v1/{target}/audit-api/events": {
        get: operations["listAuditEvents"];
    };
    "/v1/{target}/audit-api/events/export": {
        get: operations["exportAuditEvents"];
    };
    "/v1/{target}/audit-api/check": {
        get: operations["checkAuditTrail"];
    };
    "/v1/audit/query": {
        post: operations["queryAuditEntries"];
    };
    "/v1/admin/audit/events": {
        get: operations["listInstallationEvents"];
    };
    "/v1/admin/audit/events/export": {
        get: operations["exportInstallationEvents"];
    };
    "/v1/admin/audit/check": {
        get: operations["checkInstallationTrail"];
    };
    "/": {
        get: operations["getPortal"];
    };
    "/portal/{asset}": {
        get: operations["getPortalAsset"];
    };
    "/portal/verify-button.js": {
        get: operations["getVerifyButton"];
    };
    "/portal.json": {
        get: operations["getPortalSettings"];
    };
    "/sign-in/.well-known/openid-configuration": {
        get: operations["getSignInConfiguration"];
    };
    "/sign-in/jwks": {
        get: operations["getSignInKeys"];
    };
    "/sign-in/authorize": {
        get: operations["requestSignIn"];
        post: operations["postSignInRequest"];
    };
    "/sign-in/authorize/{signIn}": {
        get: operations["resumeSignIn"];
    };
    "/sign-in/par": {
        post: operations["pushSignInRequest"];
    };
    "/sign-in/token": {
        post: operations["exchangeSignInCode"];
    };
    "/sign-in/userinfo": {
        get: operations["getSignedInPerson"];
        post: operations["postForSignedInPerson"];
    };
    "/sign-in/logout": {
        get: operations["logOutOfSignIn"];
        post: operations["postLogout"];
    };
    "/sign-in/logout/confirm": {
        post: operations["confirmLogout"];
    };
    "/sign-in/logout/success": {
        get: operations["getLoggedOutPage"];
    };
    "/sign-in/sign-ins/{signIn}": {
        get: operations["getSignInPage"];
    };
    "/sign-in/sign-ins/{signIn}/wallet": {
        get: operations["openWalletForSignIn"];
    };
    "/sign-in/sign-ins/{signIn}/return": {
        get: operations["returnFromWallet"];
    };
    "/sign-in/sign-ins/{signIn}/retry": {
        post: operations["retrySignIn"];
    };
    "/sign-in/sign-ins/{signIn}/cancel": {
        post: operations["cancelSignIn"];
    };
    "/sign-in/sign-ins/{signIn}/digital": {
        post: operations["requestDigitalSignIn"];
    };
    "/sign-in/sign-ins/{signIn}/events": {
        get: operations["followSignIn"];
    };
    "/sign-in/assets/{asset}": {
        get: operations["getSignInAsset"];
    };
    "/v1/{target}/oidc-bridge-api/.well-known/openid-configuration": {
        get: operations["tenantGetSignInConfiguration"];
    };
    "/v1/{target}/oidc-bridge-api/jwks": {
        get: operations["tenantGetSignInKeys"];
    };
    "/v1/{target}/oidc-bridge-api/authorize": {
        get: operations["tenantRequestSignIn"];
        post: operations["tenantPostSignInRequest"];
    };
    "/v1/{target}/oidc-bridge-api/authorize/{signIn}": {
        get: operations["tenantResumeSignIn"];
    };
    "/v1/{target}/oidc-bridge-api/par": {
        post: operations["tenantPushSignInRequest"];
    };
    "/v1/{target}/oidc-bridge-api/token": {
        post: operations["tenantExchangeSignInCode"];
    };
    "/v1/{target}/oidc-bridge-api/userinfo": {
        get: operations["tenantGetSignedInPerson"];
        post: operations["tenantPostForSignedInPerson"];
    };
    "/v1/{target}/oidc-bridge-api/logout": {
        get: operations["tenantLogOutOfSignIn"];
        post: operations["tenantPostLogout"];
    };
    "/v1/{target}/oidc-bridge-api/logout/confirm": {
        post: operations["tenantConfirmLogout"];
    };
    "/v1/{target}/oidc-bridge-api/logout/success": {
        get: operations["tenantGetLoggedOutPage"];
    };
    "/v1/{target}/oidc-bridge-api/sign-ins/{signIn}": {
        get: operations["tenantGetSignInPage"];
    };
    "/v1/{target}/oidc-bridge-api/sign-ins/{signIn}/wallet": {
        get: operations["tenantOpenWalletForSignIn"];
    };
    "/v1/{target}/oidc-bridge-api/sign-ins/{signIn}/return": {
        get: operations["tenantReturnFromWallet"];
    };
    "/v1/{target}/oidc-bridge-api/sign-ins/{signIn}/retry": {
        post: operations["tenantRetrySignIn"];
    };
    "/v1/{target}/oidc-bridge-api/sign-ins/{signIn}/cancel": {
        post: operations["tenantCancelSignIn"];
    };
    "/v1/{target}/oidc-bridge-api/sign-ins/{signIn}/digital": {
        post: operations["tenantRequestDigitalSignIn"];
    };
    "/v1/{target}/oidc-bridge-api/sign-ins/{signIn}/events": {
        get: operations["tenantFollowSignIn"];
    };
    "/v1/{target}/oidc-bridge-api/assets/{asset}": {
        get: operations["tenantGetSignInAsset"];
    };
    "/livez": {
        get: operations["getLiveness"];
    };
    "/readyz": {
        get: operations["getReadiness"];
    };
    "/metrics": {
        get: operations["getMetrics"];
    };
    "/api.json": {
        get: operations["getContract"];
    };
    "/favicon.ico": {
        get: operations["getFavicon"];
    };
    "/docs": {
        get: operations["getDocsPage"];
    };
    "/docs/{asset}": {
        get: operations["getDocsAsset"];
    };
}
/** Never a member of a value. */
declare const hasDefault: unique symbol;
/** The mark of what has a default. */
export interface Default {
    readonly [hasDefault]: true;
}
/** A member that has a default where the caller leaves it out. */
export type Defaulted<T> = T | (T & Default);
/** An operation of another document, below a target. */
type AtTarget<O> = Omit<O, "parameters"> & {
    parameters: (O extends { parameters: infer P } ? Omit<P, "path"> : unknown) & { path: PathOf<O> & { target: string } };
};
type PathOf<O> = O extends { parameters: { path: infer P } } ? P : unknown;
export interface operations extends own {
    tenantGetStatusList: AtTarget<own["getStatusList"]>;
    tenantListStatusLists: AtTarget<own["listStatusLists"]>;
    tenantGetStatusListFacts: AtTarget<own["getStatusListFacts"]>;
    tenantAllocateStatusEntry: AtTarget<own["allocateStatusEntry"]>;
    tenantListStatusEntries: AtTarget<own["listStatusEntries"]>;
    tenantGetStatusEntry: AtTarget<own["getStatusEntry"]>;
    tenantChangeStatusEntry: AtTarget<own["changeStatusEntry"]>;
    tenantFindStatusEntries: AtTarget<own["findStatusEntries"]>;
    tenantChangeStatusEntries: AtTarget<own["changeStatusEntries"]>;
    tenantResolveOffer: AtTarget<own["resolveOffer"]>;
    tenantResolveOfferBatch: AtTarget<own["resolveOfferBatch"]>;
    tenantListPendingCredentials: AtTarget<own["listPendingCredentials"]>;
    tenantCollectDeferred: AtTarget<own["collectDeferred"]>;
    tenantResumePendingCredential: AtTarget<own["resumePendingCredential"]>;
    tenantRequestToken: AtTarget<own["requestToken"]>;
    tenantRequestNonce: AtTarget<own["requestNonce"]>;
    tenantSignProof: AtTarget<own["signProof"]>;
    tenantFetchCredential: AtTarget<own["fetchCredential"]>;
    tenantCreateAuthorizationUrl: AtTarget<own["createAuthorizationUrl"]>;
    tenantCreateAuthorizationUrlBatch: AtTarget<own["createAuthorizationUrlBatch"]>;
    tenantExchangeCode: AtTarget<own["exchangeCode"]>;
    tenantReceiveAuthorized: AtTarget<own["receiveAuthorized"]>;
    tenantReceiveAuthorizedBatch: AtTarget<own["receiveAuthorizedBatch"]>;
    tenantPresentGivenCredentials: AtTarget<own["presentGivenCredentials"]>;
    tenantResolveRequest: AtTarget<own["resolveRequest"]>;
    tenantMatchGivenCredentials: AtTarget<own["matchGivenCredentials"]>;
    tenantMatchStoredCredentials: AtTarget<own["matchStoredCredentials"]>;
    tenantPreviewRequest: AtTarget<own["previewRequest"]>;
    tenantBuildVpToken: AtTarget<own["buildVpToken"]>;
    tenantSendResponse: AtTarget<own["sendResponse"]>;
    tenantRejectRequest: AtTarget<own["rejectRequest"]>;
    tenantGetIssuanceProfile: AtTarget<own["getIssuanceProfile"]>;
    tenantGetOpenid4vciIssuerMetadata: AtTarget<own["getOpenid4vciIssuerMetadata"]>;
    tenantGetOpenid4vciServerMetadata: AtTarget<own["getOpenid4vciServerMetadata"]>;
    tenantGetOpenid4vciJwtVcIssuer: AtTarget<own["getOpenid4vciJwtVcIssuer"]>;
    tenantListOpenid4vciKeys: AtTarget<own["listOpenid4vciKeys"]>;
    tenantGetOpenid4vciOffer: AtTarget<own["getOpenid4vciOffer"]>;
    tenantPushOpenid4vciAuthorization: AtTarget<own["pushOpenid4vciAuthorization"]>;
    tenantAuthorizeOpenid4vci: AtTarget<own["authorizeOpenid4vci"]>;
    tenantRequestOpenid4vciToken: AtTarget<own["requestOpenid4vciToken"]>;
    tenantRequestOpenid4vciNonce: AtTarget<own["requestOpenid4vciNonce"]>;
    tenantRequestOpenid4vciChallenge: AtTarget<own["requestOpenid4vciChallenge"]>;
    tenantRequestOpenid4vciCredential: AtTarget<own["requestOpenid4vciCredential"]>;
    tenantRequestOpenid4vciDeferredCredential: AtTarget<own["requestOpenid4vciDeferredCredential"]>;
    tenantNotifyOpenid4vciIssuer: AtTarget<own["notifyOpenid4vciIssuer"]>;
    tenantGetCredentialType: AtTarget<own["getCredentialType"]>;
    tenantGetFinalCredentialType: AtTarget<own["getFinalCredentialType"]>;
    tenantListIssuanceProfiles: AtTarget<own["listIssuanceProfiles"]>;
    tenantReplaceAttributeTable: AtTarget<own["replaceAttributeTable"]>;
    tenantGetAttributeTable: AtTarget<own["getAttributeTable"]>;
    tenantDeleteAttributeTable: AtTarget<own["deleteAttributeTable"]>;
    tenantCreateCredentialOffer: AtTarget<own["createCredentialOffer"]>;
    tenantCreateCredentialOffersInBulk: AtTarget<own["createCredentialOffersInBulk"]>;
    tenantListIssuanceSessions: AtTarget<own["listIssuanceSessions"]>;
    tenantGetIssuanceSession: AtTarget<own["getIssuanceSession"]>;
    tenantDeleteIssuanceRecipient: AtTarget<own["deleteIssuanceRecipient"]>;
    tenantStreamIssuanceSessionEvents: AtTarget<own["streamIssuanceSessionEvents"]>;
    tenantCreateVerificationSession: AtTarget<own["createVerificationSession"]>;
    tenantGetVerificationSession: AtTarget<own["getVerificationSession"]>;
    tenantRedeemResponseCode: AtTarget<own["redeemResponseCode"]>;
    tenantStreamVerificationSessionEvents: AtTarget<own["streamVerificationSessionEvents"]>;
    tenantGetVerifierEntity: AtTarget<own["getVerifierEntity"]>;
    tenantGetAuthorizationRequest: AtTarget<own["getAuthorizationRequest"]>;
    tenantPostAuthorizationRequest: AtTarget<own["postAuthorizationRequest"]>;
    tenantSubmitAuthorizationResponse: AtTarget<own["submitAuthorizationResponse"]>;
    tenantGetSignInConfiguration: AtTarget<own["getSignInConfiguration"]>;
    tenantGetSignInKeys: AtTarget<own["getSignInKeys"]>;
    tenantRequestSignIn: AtTarget<own["requestSignIn"]>;
    tenantPostSignInRequest: AtTarget<own["postSignInRequest"]>;
    tenantResumeSignIn: AtTarget<own["resumeSignIn"]>;
    tenantPushSignInRequest: AtTarget<own["pushSignInRequest"]>;
    tenantExchangeSignInCode: AtTarget<own["exchangeSignInCode"]>;
    tenantGetSignedInPerson: AtTarget<own["getSignedInPerson"]>;
    tenantPostForSignedInPerson: AtTarget<own["postForSignedInPerson"]>;
    tenantLogOutOfSignIn: AtTarget<own["logOutOfSignIn"]>;
    tenantPostLogout: AtTarget<own["postLogout"]>;
    tenantConfirmLogout: AtTarget<own["confirmLogout"]>;
    tenantGetLoggedOutPage: AtTarget<own["getLoggedOutPage"]>;
    tenantGetSignInPage: AtTarget<own["getSignInPage"]>;
    tenantOpenWalletForSignIn: AtTarget<own["openWalletForSignIn"]>;
    tenantReturnFromWallet: AtTarget<own["returnFromWallet"]>;
    tenantRetrySignIn: AtTarget<own["retrySignIn"]>;
    tenantCancelSignIn: AtTarget<own["cancelSignIn"]>;
    tenantRequestDigitalSignIn: AtTarget<own["requestDigitalSignIn"]>;
    tenantFollowSignIn: AtTarget<own["followSignIn"]>;
    tenantGetSignInAsset: AtTarget<own["getSignInAsset"]>;
}
export interface components {
    schemas: {
        TransactionDataProfile: {
            type: string;
            displayName: string;
            fields: string[];
        };
        Problem: {
            exception: true;
            id: string;
            status: string;
            code: string;
            message: string;
            requestId: string;
            errorMessage?: string;
            redirectUri?: string;
            upstreamError?: string;
            resumable?: boolean;
            policy?: string;
            details?: {
                path: string;
                message: string;
            }[];
        };
        OAuthError: {
            error: string;
            error_description: string;
            error_uri?: string;
            c_nonce?: string;
            c_nonce_expires_in?: number;
            interval?: number;
        };
        Uuid: string;
        EventNumber: string;
        HttpUrl: string;
        DateTime: string;
        KeyType: "Ed25519" | "secp256k1" | "secp256r1" | "secp384r1" | "secp521r1" | "RSA" | "RSA3072" | "RSA4096";
        KeyReference: {
            type: string;
            id?: string;
            jwk?: { [key: string]: unknown } | string;
            config?: { [key: string]: unknown };
            auth?: { [key: string]: unknown };
            server?: string;
            namespace?: string;
            _publicKey?: { [key: string]: unknown } | string;
            _keyType?: string;
        };
        Policy: string | ({
            policy: string;
            args?: unknown;
        } & { [key: string]: unknown });
        CertificateCredentials: {
            type: "x5c";
            token: components["schemas"]["LoginToken"];
            name?: components["schemas"]["AccountName"];
        };
        LoginCredentials: {
            type: "email" | "x5c";
            email?: string;
            password?: string;
            token?: components["schemas"]["LoginToken"];
            name?: components["schemas"]["AccountName"];
        } & (unknown & unknown);
        LoginToken: string;
        AccountName: string;
        LoginResult: {
            id: components["schemas"]["Uuid"];
            token: string;
            username?: string;
        };
        LoginNonce: {
            nonce: string;
            expiresIn: number;
        };
        LoginSession: {
            token: {
                accessToken: string;
            };
        };
        WalletAccount: {
            tenant: "";
            id: components["schemas"]["Uuid"];
            name?: string;
            email?: string;
            createdOn: components["schemas"]["DateTime"];
        };
        AccountWallets: {
            account: components["schemas"]["Uuid"];
            wallets: {
                id: components["schemas"]["Uuid"];
                name: string;
                createdOn: components["schemas"]["DateTime"];
                addedOn: components["schemas"]["DateTime"];
                permission: "ADMINISTRATE";
            }[];
        };
        KeyText: string;
        Jws: string;
        DidToImport: {
            did: string;
            key: { [key: string]: unknown } | string;
            alias?: string;
        };
        WalletKeyFacts: {
            type: string;
            keyId: string;
            keyType: string;
            algorithm: string;
            name?: string;
            createdOn: components["schemas"]["DateTime"];
        };
        WalletKeyRequest: {
            backend: Defaulted<string>;
            keyType?: components["schemas"]["KeyType"];
            name?: string;
            config?: { [key: string]: unknown };
        };
        WalletKey: {
            algorithm: string;
            cryptoProvider: string;
            keyId: {
                id: string;
            };
            keyPair: Record<string, unknown>;
            keysetHandle: null;
            name?: string;
        };
        WalletDid: {
            did: string;
            alias: string;
            document: string;
            keyId: string;
            default: boolean;
            createdOn: components["schemas"]["DateTime"];
        };
        WalletCredential: {
            wallet: components["schemas"]["Uuid"];
            id: string;
            document: string;
            disclosures?: string;
            addedOn: components["schemas"]["DateTime"];
            deletedOn?: components["schemas"]["DateTime"];
            pending: boolean;
            format: string;
            copies?: number;
            type?: string;
            issuer?: string;
            validUntil?: components["schemas"]["DateTime"];
            hasStatus: boolean;
            categories: string[];
            subjectIsHolder?: boolean;
            display?: components["schemas"]["CredentialDisplay"];
            manifest?: components["schemas"]["Manifest"];
            parsedDocument?: { [key: string]: unknown };
        };
        CategoryName: string;
        CategoryNames: components["schemas"]["CategoryName"][];
        WalletCategory: {
            name: string;
        };
        CredentialImport: {
            jwt: string;
            associated_did: string;
        };
        CredentialRejection: {
            note?: string;
        };
        CredentialStatus: {
            type: string;
            result: boolean;
            message: string;
        };
        CredentialDisplay: {
            issuer: components["schemas"]["DisplayEntry"][];
            credential: components["schemas"]["DisplayEntry"][];
            claims: components["schemas"]["ClaimDisplay"][];
        };
        DisplayEntry: {
            name?: string;
            locale?: string;
            description?: string;
            logo?: components["schemas"]["EmbeddedImage"];
            backgroundColor?: components["schemas"]["Colour"];
            textColor?: components["schemas"]["Colour"];
            backgroundImage?: components["schemas"]["EmbeddedImage"];
        };
        ClaimDisplay: {
            path: (string | number | null)[];
            labels: {
                name: string;
                locale?: string;
            }[];
        };
        EmbeddedImage: {
            uri: string;
            altText?: string;
        };
        Colour: string;
        Manifest: {
            display: components["schemas"]["ManifestDisplay"];
            issuer: components["schemas"]["ManifestIssuer"];
        };
        ManifestDisplay: {
            title?: string;
            card: {
                title?: string;
                issuedBy?: string;
                description?: string;
                backgroundColor?: components["schemas"]["Colour"];
                textColor?: components["schemas"]["Colour"];
                logo?: components["schemas"]["ManifestLogo"];
            };
            claims: {
                [key: string]: {
                    type: "String";
                    label: string;
                };
            };
        };
        ManifestIssuer: {
            id: string;
            name?: string;
            logo?: components["schemas"]["ManifestLogo"];
        };
        ManifestLogo: {
            uri: string;
            description?: string;
        };
        Link: string;
        ResolvedOffer: {
            credential_issuer: string;
        } & { [key: string]: unknown };
        IssuerProof: {
            signedBy?: {
                name: string;
                issuer: string;
            };
            registration?: {
                name: string;
                identifier: string;
                unregistered: string[];
            };
        };
        NewOfferAuthorization: {
            offer: string;
            did?: string;
            redirectUri?: string;
            requireUserInput: Defaulted<boolean>;
        };
        BegunOfferAuthorization: {
            grant: "authorization_code";
            authorizationUrl: string;
            state: string;
            expiresAt: components["schemas"]["DateTime"];
        } | {
            grant: "pre-authorized_code";
            transactionCode?: { [key: string]: unknown };
        };
        DeferredCredential: {
            id: string;
            issuer: string;
            configurationId: string;
            format: string;
            type?: string;
            requestedAt: components["schemas"]["DateTime"];
            nextAt: components["schemas"]["DateTime"];
            endsAt: components["schemas"]["DateTime"];
        };
        OfferAuthorizationResponse: {
            state: string;
            code?: string;
            iss?: string;
            error?: string;
            error_description?: string;
        };
        WalletPresentation: {
            presentationRequest: string;
            consent?: components["schemas"]["Consent"];
            selectedCredentials: components["schemas"]["SelectedCredentials"];
            did?: string;
            loginDid?: string;
            disclosures?: {
                [key: string]: string[];
            };
            note?: string;
        };
        PageProtocol: "openid4vp-v1-unsigned" | "openid4vp-v1-signed" | "openid4vp-v1-multisigned";
        PageOrigin: string;
        PageData: { [key: string]: unknown };
        PageRequest: {
            origin: components["schemas"]["PageOrigin"];
            protocol: components["schemas"]["PageProtocol"];
            data: components["schemas"]["PageData"];
        };
        PageAnswer: {
            origin: components["schemas"]["PageOrigin"];
            protocol: components["schemas"]["PageProtocol"];
            data: components["schemas"]["PageData"];
            consent?: components["schemas"]["Consent"];
            selectedCredentials: components["schemas"]["SelectedCredentials"];
            loginDid?: string;
            note?: string;
        };
        SelectedCredentials: string[] | {
            queryId: string;
            credentialId: string;
        }[];
        Consent: string;
        RequestDescription: {
            consent: components["schemas"]["Consent"];
            verifier: components["schemas"]["StatedVerifier"];
            proof: components["schemas"]["ClientProof"];
            registration?: components["schemas"]["VerifierRegistration"];
            purposes: string[];
            isAnswerable: boolean;
            expiresAt?: components["schemas"]["DateTime"];
            queries: components["schemas"]["DescribedQuery"][];
            choices: {
                purpose?: string;
                isRequired: boolean;
                options: string[][];
            }[];
            transactions: {
                type: string;
                queryIds: string[];
                content: { [key: string]: unknown };
            }[];
            login?: {
                signingAlg?: string;
                subjectTypes?: string[];
            };
        };
        StatedVerifier: {
            clientId?: string;
            name?: string;
            logoUri?: string;
            responseHost: string;
        };
        ClientProof: {
            kind: "unproven";
        } | {
            kind: "redirect-uri";
            host: string;
        } | {
            kind: "did-signature";
            did: string;
        } | {
            kind: "certificate";
            name: string;
            issuer: string;
            isTrusted: boolean;
        } | {
            kind: "federation";
            entity: string;
            trustAnchor: string;
        } | {
            kind: "attestation";
            name: string;
            issuer: string;
        } | {
            kind: "registered";
            name: string;
        } | {
            kind: "origin";
            host: string;
        };
        VerifierRegistration: {
            name: string;
            identifier: string;
            intermediary?: string;
            purposes: {
                locale: string;
                text: string;
            }[];
            privacyPolicy?: string;
            credentials: {
                format: string;
                types: string[];
                claims: (string | number | null)[][];
            }[];
            surplus: {
                queryId: string;
                path?: (string | number | null)[];
            }[];
        };
        DescribedQuery: {
            id: string;
            name?: string;
            purpose?: string;
            isRequired: boolean;
            isMultiple: boolean;
            formats: string[];
            types: string[];
            claims: (string | number | null)[][];
            credentials: components["schemas"]["DescribedCredential"][];
            omitted: number;
        };
        DescribedCredential: {
            id: string;
            type: string;
            format: string;
            issuer: string;
            isWhole: boolean;
            disclosed: components["schemas"]["ShownClaim"][];
            withheld: components["schemas"]["ShownClaim"][];
            disclosurePolicy?: components["schemas"]["DisclosurePolicy"];
        };
        DisclosurePolicy: {
            type: "none" | "authorized_relying_parties" | "specific_root_of_trust" | "unreadable";
            outcome: "allowed" | "refused" | "unknown";
            infoUri?: string;
        };
        ShownClaim: {
            path: (string | number)[];
            value: unknown;
        };
        NewExternalPresentation: {
            did: string;
            presentationRequest: string;
            selectedCredentialIdList: string[];
            disclosures?: {
                [key: string]: string[];
            };
        };
        PreparedExternalPresentation: {
            did: string;
            presentationRequest: string;
            selectedCredentialIdList: string[];
            presentationSubmission: { [key: string]: unknown };
            w3CJwtVpProofParameters: {
                header: { [key: string]: unknown };
                payload: { [key: string]: unknown };
            };
        };
        SignedExternalPresentation: {
            did: string;
            presentationRequest: string;
            selectedCredentialIdList: string[];
            disclosures?: {
                [key: string]: string[];
            };
            presentationSubmission: { [key: string]: unknown };
            w3cJwtVpProof: string;
        };
        NewExternalOffer: {
            did?: string;
            offerURL: string;
            pinOrTxCode?: string;
            requireUserInput?: boolean;
        };
        PreparedExternalOffer: {
            did: string;
            offerURL: string;
            accessToken: string;
            offeredCredentialsProofRequests: {
                offeredCredential: { [key: string]: unknown };
                proofOfPossessionParameters: {
                    proofType: "jwt";
                    header: { [key: string]: unknown };
                    payload: { [key: string]: unknown };
                };
            }[];
            credentialIssuer: string;
        };
        SignedExternalOffer: {
            did?: string;
            offerURL: string;
            requireUserInput: Defaulted<boolean>;
            accessToken: string;
            offeredCredentialProofsOfPossession: {
                offeredCredential: { [key: string]: unknown };
                proofType: "jwt";
                signedProofOfPossession: string;
            }[];
            credentialIssuer: string;
        };
        WalletIssuer: {
            wallet: components["schemas"]["Uuid"];
            did: string;
            description?: string;
            uiEndpoint: string;
            configurationEndpoint: string;
            authorized: boolean;
        };
        WalletEventPage: {
            items: components["schemas"]["WalletEvent"][];
            count: number;
            currentStartingAfter?: string;
            nextStartingAfter?: string;
        };
        WalletEvent: {
            id: components["schemas"]["Uuid"];
            event: "Account" | "Key" | "Did" | "Credential";
            action: string;
            timestamp: components["schemas"]["DateTime"];
            tenant: "";
            originator: string;
            account: components["schemas"]["Uuid"];
            wallet: components["schemas"]["Uuid"];
            credentialId?: string;
            data: { [key: string]: unknown };
            note?: string;
        };
        WalletOperation: {
            tenant: "";
            id: components["schemas"]["Uuid"];
            account: components["schemas"]["Uuid"];
            wallet: components["schemas"]["Uuid"];
            timestamp: components["schemas"]["DateTime"];
            operation: string;
            data: { [key: string]: unknown };
        };
        StoreId: string;
        StoreIds: components["schemas"]["StoreId"][];
        SerializedKey: {
            type: "jwk";
            jwk: { [key: string]: unknown } | string;
        };
        NewWallet: {
            keyStoreIds?: components["schemas"]["StoreIds"];
            credentialStoreIds?: components["schemas"]["StoreIds"];
            didStoreId?: components["schemas"]["StoreId"];
            noDidStore: Defaulted<boolean>;
            staticKey?: components["schemas"]["SerializedKey"];
            staticDid?: string;
        };
        CreatedWallet: {
            walletId: components["schemas"]["Uuid"];
        };
        CreatedStore: {
            storeId: string;
        };
        WalletDescription: {
            walletId: components["schemas"]["Uuid"];
            keyStoreCount: number;
            credentialStoreCount: number;
            hasDidStore: boolean;
            hasStaticKey: boolean;
            hasStaticDid: boolean;
            keyStoreIds: string[];
            credentialStoreIds: string[];
            didStoreId?: string;
            defaultKeyId?: string;
            defaultDidId?: string;
        };
        KeyOfWallet: {
            keyId: string;
            keyType: string;
            algorithm: string;
        };
        CreatedKey: {
            keyId: string;
            keyType: string;
        };
        NewKey: {
            backend: Defaulted<string>;
            keyType?: components["schemas"]["KeyType"];
            name?: string;
            config?: { [key: string]: unknown };
        };
        KeyToImport: {
            key: components["schemas"]["SerializedKey"];
        };
        DidOfWallet: {
            did: string;
            document: { [key: string]: unknown };
        };
        NewDid: {
            method: string;
            keyId?: string;
            options?: {
                [key: string]: string | number | boolean;
            };
        };
        HeldDid: {
            did: string;
            document: string;
        };
        CredentialEntry: {
            id: string;
            format: string;
            issuer?: string;
            subject?: string;
            label?: string;
            addedAt: components["schemas"]["DateTime"];
        };
        CredentialToImport: {
            rawCredential: string;
            label?: string;
        };
        CredentialOfWallet: {
            id: string;
            credential: components["schemas"]["ReadCredential"];
            label?: string;
            addedAt: components["schemas"]["DateTime"];
            metadata?: { [key: string]: unknown };
        };
        ReadCredential: {
            type: string;
            format: string;
            credentialData?: { [key: string]: unknown };
            issuer?: string;
            subject?: string;
            signature?: string;
            signed: string;
            disclosures?: {
                salt: string;
                name?: string;
                value: unknown;
                encoded: string;
            }[];
        };
        EmailLogin: {
            email: string;
            password: string;
        };
        CreatedAccount: {
            accountId: components["schemas"]["Uuid"];
        };
        SessionStart: {
            session_id: string;
            status: "SUCCESS";
            token: string;
        };
        SessionEnd: {
            status: "logged out";
        };
        AccountOfWallets: {
            accountId: components["schemas"]["Uuid"];
            email?: string;
            walletIds: components["schemas"]["Uuid"][];
        };
        IssuerIdentifier: string;
        WalletEndpoint: string;
        InlineKey: {
            type: "jwk";
            jwk: { [key: string]: unknown };
        };
        HolderKeyId: string;
        HolderDid: string;
        OfferUrl: string;
        OfferJson: { [key: string]: unknown };
        WalletClientId: string;
        TokenRequestHeaders: {
            "OAuth-Client-Attestation"?: string;
            "OAuth-Client-Attestation-PoP"?: string;
        };
        CredentialLabel: string;
        CredentialMetadata: { [key: string]: unknown };
        OfferToResolve: {
            offerUrl?: components["schemas"]["OfferUrl"];
            offerJson?: components["schemas"]["OfferJson"];
        };
        OfferToReceive: {
            offerUrl?: components["schemas"]["OfferUrl"];
            offerJson?: components["schemas"]["OfferJson"];
            txCode?: string;
            key?: components["schemas"]["InlineKey"];
            keyId?: components["schemas"]["HolderKeyId"];
            did?: components["schemas"]["HolderDid"];
            clientId?: components["schemas"]["WalletClientId"];
            redirectUri?: string;
            tokenRequestHeaders?: components["schemas"]["TokenRequestHeaders"];
            metadata?: components["schemas"]["CredentialMetadata"];
            credentials?: components["schemas"]["SelectedConfiguration"][];
        };
        SelectedConfiguration: {
            credentialConfigurationId: components["schemas"]["ConfigurationId"];
            holderBindings?: {
                keyId?: components["schemas"]["HolderKeyId"];
                did?: components["schemas"]["HolderDid"];
            }[];
        };
        CredentialIdentifier: string;
        DeferredOfSelection: {
            deferredCredentialId: string;
            credentialConfigurationId: components["schemas"]["ConfigurationId"];
            credentialIdentifier?: components["schemas"]["CredentialIdentifier"];
            transactionId?: string;
            intervalSeconds?: number;
        };
        PendingCredential: {
            id: string;
            credentialConfigurationId: components["schemas"]["ConfigurationId"];
            credentialIdentifier?: components["schemas"]["CredentialIdentifier"];
            transactionId?: string;
            intervalSeconds?: number;
        };
        TokenToRequest: {
            tokenEndpoint: components["schemas"]["WalletEndpoint"];
            preAuthorizedCode: string;
            credentialIssuer?: components["schemas"]["IssuerIdentifier"];
            txCode?: string;
            anonymousPreAuthorizedCode: Defaulted<boolean>;
            clientId?: components["schemas"]["WalletClientId"];
            tokenRequestHeaders?: components["schemas"]["TokenRequestHeaders"];
        };
        ProofToSign: {
            issuerUrl: components["schemas"]["IssuerIdentifier"];
            credentialConfigurationId: components["schemas"]["ConfigurationId"];
            nonce?: string;
            key?: components["schemas"]["InlineKey"];
            keyId?: components["schemas"]["HolderKeyId"];
            did?: components["schemas"]["HolderDid"];
            clientId?: components["schemas"]["WalletClientId"];
        };
        ConfigurationId: string;
        CredentialToFetch: {
            credentialEndpoint: components["schemas"]["WalletEndpoint"];
            accessToken: string;
            credentialConfigurationId: components["schemas"]["ConfigurationId"];
            proofJwt?: string;
            storeInWallet: Defaulted<boolean>;
            credentialIssuerBaseUrl?: components["schemas"]["IssuerIdentifier"];
            metadata?: components["schemas"]["CredentialMetadata"];
            label?: components["schemas"]["CredentialLabel"];
        };
        DeferredToCollect: {
            transactionId: string;
            deferredCredentialEndpoint?: components["schemas"]["WalletEndpoint"];
            accessToken?: string;
            credentialIssuerBaseUrl?: components["schemas"]["IssuerIdentifier"];
            credentialConfigurationId?: components["schemas"]["ConfigurationId"];
            metadata?: components["schemas"]["CredentialMetadata"];
            label?: components["schemas"]["CredentialLabel"];
        };
        RefusedNonce: {
            error: "invalid_nonce";
            error_description?: string;
        };
        LoginToBegin: {
            offerUrl?: components["schemas"]["OfferUrl"];
            offerJson?: components["schemas"]["OfferJson"];
            usePkce?: true;
            useScope: Defaulted<boolean>;
            key?: components["schemas"]["InlineKey"];
            keyId?: components["schemas"]["HolderKeyId"];
            did?: components["schemas"]["HolderDid"];
            clientId?: components["schemas"]["WalletClientId"];
            redirectUri?: string;
        };
        BatchLoginToBegin: {
            offerUrl?: components["schemas"]["OfferUrl"];
            offerJson?: components["schemas"]["OfferJson"];
            usePkce?: true;
            credentialConfigurationIds?: components["schemas"]["ConfigurationId"][];
            key?: components["schemas"]["InlineKey"];
            keyId?: components["schemas"]["HolderKeyId"];
            did?: components["schemas"]["HolderDid"];
            clientId?: components["schemas"]["WalletClientId"];
            redirectUri?: string;
        };
        BegunLogin: {
            authorizationUrl: string;
            state: string;
            codeVerifier: string;
            credentialConfigurationId: string;
            credentialIssuerBaseUrl: string;
            nonceEndpoint?: string;
        };
        BegunBatchLogin: {
            authorizationUrl: string;
            state: string;
            codeVerifier: string;
            credentialConfigurationIds: string[];
            credentialIssuerBaseUrl: string;
            nonceEndpoint?: string;
        };
        LoginState: string;
        LoginVerifier: string;
        LoginIssuer: string;
        LoginClientId: string;
        LoginReturn: string;
        LoginCode: string;
        CodeToExchange: {
            code: components["schemas"]["LoginCode"];
            credentialIssuerBaseUrl: components["schemas"]["IssuerIdentifier"];
            codeVerifier?: components["schemas"]["LoginVerifier"];
            state?: components["schemas"]["LoginState"];
            iss?: components["schemas"]["LoginIssuer"];
            clientId?: components["schemas"]["LoginClientId"];
            redirectUri?: components["schemas"]["LoginReturn"];
        };
        AuthorizedOffer: {
            code: components["schemas"]["LoginCode"];
            credentialIssuer: components["schemas"]["IssuerIdentifier"];
            credentialEndpoint: components["schemas"]["WalletEndpoint"];
            credentialConfigurationId: components["schemas"]["ConfigurationId"];
            codeVerifier?: components["schemas"]["LoginVerifier"];
            state?: components["schemas"]["LoginState"];
            iss?: components["schemas"]["LoginIssuer"];
            clientId?: components["schemas"]["LoginClientId"];
            redirectUri?: components["schemas"]["LoginReturn"];
            nonceEndpoint?: components["schemas"]["WalletEndpoint"];
            key?: components["schemas"]["InlineKey"];
            keyId?: components["schemas"]["HolderKeyId"];
            did?: components["schemas"]["HolderDid"];
            useDpop: Defaulted<boolean>;
            metadata?: components["schemas"]["CredentialMetadata"];
            label?: components["schemas"]["CredentialLabel"];
        };
        AuthorizedSelection: {
            code: components["schemas"]["LoginCode"];
            credentialIssuer: components["schemas"]["IssuerIdentifier"];
            credentialEndpoint: components["schemas"]["WalletEndpoint"];
            credentials: components["schemas"]["SelectedConfiguration"][];
            codeVerifier?: components["schemas"]["LoginVerifier"];
            state?: components["schemas"]["LoginState"];
            iss?: components["schemas"]["LoginIssuer"];
            clientId?: components["schemas"]["LoginClientId"];
            redirectUri?: components["schemas"]["LoginReturn"];
            nonceEndpoint?: components["schemas"]["WalletEndpoint"];
            key?: components["schemas"]["InlineKey"];
            keyId?: components["schemas"]["HolderKeyId"];
            did?: components["schemas"]["HolderDid"];
            useDpop: Defaulted<boolean>;
            metadata?: components["schemas"]["CredentialMetadata"];
            label?: components["schemas"]["CredentialLabel"];
        };
        StepDisplay: {
            name?: string;
            locale?: string;
            logoUri?: string;
            logoAltText?: string;
            description?: string;
            backgroundColor?: string;
            backgroundImageUri?: string;
            textColor?: string;
        };
        ResolvedCredentialOffer: {
            credentialIssuer: string;
            credentialConfigurationIds: string[];
            grantType?: "pre-authorized_code" | "authorization_code";
            preAuthorizedCode?: string;
            txCodeRequired: boolean;
            credentialEndpoint: string;
            tokenEndpoint?: string;
            nonceEndpoint?: string;
            issuer: {
                credentialIssuer: string;
                proof: components["schemas"]["IssuerProof"];
                display?: components["schemas"]["StepDisplay"];
            };
            offeredCredentials: components["schemas"]["OfferedConfiguration"][];
            transactionCode?: {
                inputMode: "numeric" | "text";
                length?: number;
                description?: string;
            };
        };
        OfferedConfiguration: {
            configurationId: string;
            format: string;
            scope?: string;
            vct?: string;
            doctype?: string;
            display?: components["schemas"]["StepDisplay"];
            claims: {
                path: components["schemas"]["ClaimsPath"];
                mandatory?: boolean;
                displayName?: string;
            }[];
        };
        ClaimsPath: (string | number | null)[];
        RequestUrl: string;
        RequestToResolve: {
            requestUrl: components["schemas"]["RequestUrl"];
            key?: components["schemas"]["InlineKey"];
            keyId?: components["schemas"]["HolderKeyId"];
        };
        RequestToAnswer: {
            requestUrl: components["schemas"]["RequestUrl"];
            key?: components["schemas"]["InlineKey"];
            keyId?: components["schemas"]["HolderKeyId"];
            did?: components["schemas"]["HolderDid"];
            runPolicies?: boolean;
        };
        GivenCredentials: {
            id?: string;
            credential: string;
        }[];
        RequestWithCredentials: {
            requestUrl: components["schemas"]["RequestUrl"];
            credentials: components["schemas"]["GivenCredentials"];
            key?: components["schemas"]["InlineKey"];
            keyId?: components["schemas"]["HolderKeyId"];
            did?: components["schemas"]["HolderDid"];
        };
        WalletDcqlQuery: { [key: string]: unknown };
        ResolvedVerifierRequest: {
            authorizationRequest: components["schemas"]["ShownRequest"];
            nonce?: string;
            clientId?: string;
            responseUri?: string;
            hasRequestUri: boolean;
            dcqlQuery?: components["schemas"]["WalletDcqlQuery"];
        };
        ShownRequest: { [key: string]: unknown };
        RequestPreview: {
            valid: boolean;
            error?: {
                code: string;
                message?: string;
            };
            authorizationRequest?: components["schemas"]["ShownRequest"];
            keyId?: string;
            clientId?: string;
            clientProof?: components["schemas"]["ClientProof"];
            registration?: components["schemas"]["VerifierRegistration"];
            verifier?: {
                name?: string;
                locale?: string;
                logoUri?: string;
                clientUri?: string;
                policyUri?: string;
                termsOfServiceUri?: string;
            };
            responseUri?: string;
            state?: string;
            nonce?: string;
            responseEncryption?: {
                required: boolean;
                keyManagementAlgorithm?: string;
                contentEncryptionAlgorithm?: string;
                verifierKeyId?: string;
                verifierKeyThumbprint?: string;
            };
            transactionData: {
                type: string;
                credentialQueryIds: string[];
                rawJson: string;
                details: { [key: string]: unknown };
            }[];
            credentialOptions: components["schemas"]["CredentialOption"][];
            credentialRequirements: {
                options: string[][];
            }[];
        };
        CredentialOption: {
            queryId: string;
            credentialId: string;
            multiple: boolean;
            format: string;
            issuer?: string;
            subject?: string;
            label?: string;
            disclosurePolicy?: components["schemas"]["DisclosurePolicy"];
            credentialData: { [key: string]: unknown };
            disclosures: {
                path: components["schemas"]["ClaimsPath"];
                name?: string;
                value: unknown;
                selectivelyDisclosable: boolean;
                required: boolean;
                selectable: boolean;
            }[];
        };
        CredentialSelection: {
            queryId: string;
            credentialId: string;
        };
        SelectionToBuild: {
            requestUrl: components["schemas"]["RequestUrl"];
            selectedCredentialOptions?: components["schemas"]["CredentialSelection"][];
            selectedDisclosureOptions?: {
                queryId: string;
                credentialId: string;
                path: components["schemas"]["ClaimsPath"];
            }[];
            selectedCredentialIds?: {
                [key: string]: string[];
            };
            key?: components["schemas"]["InlineKey"];
            keyId?: components["schemas"]["HolderKeyId"];
            did?: components["schemas"]["HolderDid"];
        };
        ResponseToSend: {
            requestUrl: components["schemas"]["RequestUrl"];
            vpToken: string;
            idToken?: string;
        };
        RequestToReject: {
            requestUrl: components["schemas"]["RequestUrl"];
            errorCode: Defaulted<string>;
            errorDescription?: string;
        };
        OnboardingRequest: {
            key?: {
                backend: Defaulted<string>;
                keyType?: components["schemas"]["KeyType"];
                name?: string;
                config?: { [key: string]: unknown };
            };
            did?: {
                method: Defaulted<string>;
                config?: {
                    domain?: string;
                    path?: string;
                    network?: string;
                    useJwkJcsPub?: true | false | "true" | "false";
                };
            };
        };
        OnboardingResult: {
            issuerKey: components["schemas"]["KeyReference"];
            issuerDid: string;
        };
        CertifiedKeyRequest: {
            backend: Defaulted<string>;
            keyType: Defaulted<"secp256r1" | "secp384r1" | "secp521r1">;
            name?: string;
            config?: { [key: string]: unknown };
        };
        CertificateCountry: string;
        CertificateDate: string;
        IacaCertificateData: {
            country: components["schemas"]["CertificateCountry"];
            commonName: string;
            issuerAlternativeNameConf: {
                email?: string;
                uri?: string;
            };
            stateOrProvinceName?: string;
            organizationName?: string;
            notBefore?: components["schemas"]["CertificateDate"];
            notAfter?: components["schemas"]["CertificateDate"];
            crlDistributionPointUri?: string;
        };
        IacaRequest: {
            certificateData: components["schemas"]["IacaCertificateData"];
            ecKeyGenRequestParams?: components["schemas"]["CertifiedKeyRequest"];
        };
        CertificateFindings: {
            validatorId: string;
            severity: "INFO" | "WARNING";
            message: string;
        }[];
        IacaResult: {
            iacaKey: components["schemas"]["KeyReference"];
            certificatePEM: string;
            certificateData: components["schemas"]["IacaCertificateData"];
            certificateValidationResult: components["schemas"]["CertificateFindings"];
        };
        IacaSigner: {
            iacaKey: components["schemas"]["KeyReference"];
            iacaPem?: string;
            certificateData?: components["schemas"]["IacaCertificateData"];
        };
        SignerCertificateData: {
            country: components["schemas"]["CertificateCountry"];
            commonName: string;
            stateOrProvinceName?: string;
            organizationName?: string;
            localityName?: string;
            crlDistributionPointUri?: string;
            subjectAlternativeName?: {
                uri?: string;
                dns?: string;
            };
            notBefore?: components["schemas"]["CertificateDate"];
            notAfter?: components["schemas"]["CertificateDate"];
        };
        SignerRequest: {
            purpose: Defaulted<"mdoc" | "sd-jwt-vc" | "status-list">;
            output: Defaulted<"certificate" | "csr">;
            iacaSigner?: components["schemas"]["IacaSigner"];
            certificateData: components["schemas"]["SignerCertificateData"];
            ecKeyGenRequestParams?: components["schemas"]["CertifiedKeyRequest"];
        };
        SignerResult: {
            documentSignerKey: components["schemas"]["KeyReference"];
            certificatePEM?: string;
            x5Chain?: string[];
            iacaPem?: string;
            certificateSigningRequestPEM?: string;
            certificateData: components["schemas"]["SignerCertificateData"];
            certificateValidationResult?: components["schemas"]["CertificateFindings"];
        };
        IssuanceRequest: {
            issuerKey: components["schemas"]["KeyReference"];
            issuerDid?: string;
            credentialConfigurationId?: string;
            credentialFormat?: string;
            vct?: string;
            docType?: string;
            credentialData?: {
                type?: string | string[];
            } & { [key: string]: unknown };
            mdocData?: {
                [key: string]: { [key: string]: unknown };
            };
            mapping?: { [key: string]: unknown };
            selectiveDisclosure?: { [key: string]: unknown };
            credentialStatus?: { [key: string]: unknown };
            sdJwtCredentialClaims?: { [key: string]: unknown };
            mdocStatus?: { [key: string]: unknown };
            mdocValidityDays?: number;
            authorizedTransactionDataTypes?: string[];
            authenticationMethod: Defaulted<"PRE_AUTHORIZED" | "PWD" | "VP_TOKEN" | "ID_TOKEN" | "NONE">;
            vpRequestValue?: string;
            vpProfile?: string;
            useJar?: boolean;
            txCode?: {
                input_mode: Defaulted<"numeric" | "text">;
                length?: number;
                description?: string;
            };
            txCodeValue?: string;
            standardVersion: Defaulted<"DRAFT11" | "DRAFT13">;
            draft11EncodeOfferedCredentialsByReference?: boolean;
            issuanceType?: string;
            statusList?: {
                type?: "BitstringStatusList" | "StatusList2021" | "RevocationList2020" | "TokenStatusList";
                format?: "JWT" | "CWT";
                purpose?: "revocation" | "suspension";
                statusSize?: 1 | 2 | 4 | 8;
            };
            display?: { [key: string]: unknown }[];
            x5Chain?: string[];
            trustedRootCAs?: string[];
        };
        SigningRequest: {
            issuerKey: components["schemas"]["KeyReference"];
            issuerDid?: string;
            subjectDid: string;
            credentialData: {
                type: string | string[];
            } & { [key: string]: unknown };
            mapping?: { [key: string]: unknown };
        };
        IssuanceEvent: {
            id: components["schemas"]["Uuid"];
            type: "resolved_credential_offer";
            data: components["schemas"]["IssuerOffer"] | components["schemas"]["Draft11Offer"];
        } | {
            id: components["schemas"]["Uuid"];
            type: "requested_token";
            data: {
                grant_type: string;
                client_id?: string;
            };
        } | {
            id: components["schemas"]["Uuid"];
            type: "jwt_issue" | "batch_jwt_issue";
            data: {
                jwt: string;
            };
        } | {
            id: components["schemas"]["Uuid"];
            type: "sdjwt_issue" | "batch_sdjwt_issue";
            data: {
                sdjwt: string;
            };
        } | {
            id: components["schemas"]["Uuid"];
            type: "generated_mdoc";
            data: {
                mdoc: string;
            };
        } | {
            id: components["schemas"]["Uuid"];
            type: "credential_accepted" | "credential_failure" | "credential_deleted";
            data: {
                notification_id: string;
                event_description?: string;
            };
        };
        IssuerOffer: {
            credential_issuer: string;
            credential_configuration_ids: string[];
            grants: {
                authorization_code?: {
                    issuer_state?: string;
                };
                "urn:ietf:params:oauth:grant-type:pre-authorized_code"?: {
                    "pre-authorized_code": string;
                    tx_code?: {
                        input_mode: "numeric" | "text";
                        length: number;
                        description?: string;
                    };
                };
            };
        };
        IssuanceTokenRequest: {
            grant_type: string;
            "pre-authorized_code"?: string;
            code?: string;
            redirect_uri?: string;
            code_verifier?: string;
            tx_code?: string;
            client_id?: string;
            authorization_details?: string;
        };
        IssuanceTokenResponse: {
            access_token: string;
            token_type: "bearer";
            expires_in: number;
            c_nonce?: string;
            c_nonce_expires_in?: number;
            authorization_details?: {
                type: "openid_credential";
                credential_configuration_id: string;
                credential_identifiers: string[];
            }[];
        };
        CredentialRequest: {
            format?: string;
            credential_identifier?: string;
            credential_configuration_id?: string;
            credential_definition?: {
                type?: string[];
            };
            types?: string[];
            vct?: string;
            doctype?: string;
            proof?: {
                proof_type?: string;
                jwt?: string;
                cwt?: string;
            };
        };
        BatchCredentialRequest: {
            credential_requests: components["schemas"]["CredentialRequest"][];
        };
        BatchCredentialResponse: {
            credential_responses: components["schemas"]["CredentialResponse"][];
            c_nonce?: string;
            c_nonce_expires_in?: number;
        };
        DeferredCredentialRequest: {
            transaction_id: string;
        };
        NotificationRequest: {
            notification_id: string;
            event: string;
            event_description?: string;
        };
        CredentialResponse: {
            format: string;
            credential?: string;
            notification_id?: string;
            transaction_id?: string;
            interval?: number;
            c_nonce?: string;
            c_nonce_expires_in?: number;
        };
        IssuerKeySet: {
            keys: {
                kty: string;
                kid: string;
                use: "sig";
                alg: string;
                crv?: string;
                x?: string;
                y?: string;
                n?: string;
                e?: string;
            }[];
        };
        IssuerMetadata: {
            credential_issuer: string;
            credential_endpoint: string;
            credential_configurations_supported: {
                [key: string]: { [key: string]: unknown };
            };
        } & { [key: string]: unknown };
        AuthorizationServerMetadata: {
            issuer: string;
            token_endpoint: string;
            jwks_uri: string;
            grant_types_supported: string[];
            response_types_supported: string[];
        } & { [key: string]: unknown };
        OpenidConfiguration: {
            issuer: string;
            authorization_endpoint: string;
            token_endpoint: string;
            jwks_uri: string;
            grant_types_supported: string[];
            response_types_supported: string[];
            subject_types_supported: string[];
            id_token_signing_alg_values_supported: string[];
        } & { [key: string]: unknown };
        JwtVcIssuerMetadata: {
            issuer: string;
            jwks_uri: string;
        };
        PushedAuthorization: {
            response_type?: string;
            client_id?: string;
            redirect_uri?: string;
            response_mode?: string;
            scope?: string;
            state?: string;
            issuer_state?: string;
            authorization_details?: string;
            client_metadata?: string;
            code_challenge?: string;
            code_challenge_method?: string;
            resource?: string;
            request?: string;
        };
        LoginAnswer: {
            state: string;
            id_token?: string;
            vp_token?: string;
            presentation_submission?: string;
            error?: string;
        };
        Draft11Offer: {
            credential_issuer: string;
            credentials: (string | {
                format: string;
                types?: string[];
                doctype?: string;
            })[];
            grants: {
                authorization_code?: {
                    issuer_state?: string;
                };
                "urn:ietf:params:oauth:grant-type:pre-authorized_code"?: {
                    "pre-authorized_code": string;
                    user_pin_required: boolean;
                };
            };
        };
        Draft11TokenRequest: {
            grant_type: string;
            "pre-authorized_code"?: string;
            user_pin?: string;
            code?: string;
            redirect_uri?: string;
            code_verifier?: string;
            client_id?: string;
        };
        Draft11TokenResponse: {
            access_token: string;
            token_type: "bearer";
            expires_in: number;
            c_nonce?: string;
            c_nonce_expires_in?: number;
        };
        Draft11CredentialRequest: {
            format?: string;
            types?: string[];
            doctype?: string;
            proof?: {
                proof_type?: string;
                jwt?: string;
                cwt?: string;
            };
        };
        Draft11CredentialResponse: {
            format: string;
            credential?: string;
            acceptance_token?: string;
            c_nonce?: string;
            c_nonce_expires_in?: number;
        };
        Draft11IssuerMetadata: {
            credential_issuer: string;
            credential_endpoint: string;
            credentials_supported: { [key: string]: unknown }[];
        } & { [key: string]: unknown };
        Openid4vciIssuerMetadata: {
            credential_issuer: string;
            credential_endpoint: string;
            nonce_endpoint: string;
            deferred_credential_endpoint: string;
            notification_endpoint: string;
            credential_request_encryption: { [key: string]: unknown };
            credential_response_encryption: { [key: string]: unknown };
            batch_credential_issuance?: {
                batch_size: number;
            };
            issuer_info?: { [key: string]: unknown }[];
            credential_configurations_supported: {
                [key: string]: { [key: string]: unknown };
            };
        } & { [key: string]: unknown };
        Openid4vciOffer: {
            credential_issuer: string;
            credential_configuration_ids: string[];
            grants: {
                authorization_code?: {
                    issuer_state?: string;
                };
                "urn:ietf:params:oauth:grant-type:pre-authorized_code"?: {
                    "pre-authorized_code": string;
                    tx_code?: {
                        input_mode: "numeric" | "text";
                        length: number;
                        description?: string;
                    };
                };
            };
        };
        Openid4vciPushedRequest: {
            response_type?: string;
            client_id?: string;
            redirect_uri?: string;
            response_mode?: string;
            scope?: string;
            state?: string;
            issuer_state?: string;
            authorization_details?: string;
            code_challenge?: string;
            code_challenge_method?: string;
            resource?: string;
            dpop_jkt?: string;
            request?: string;
        };
        Openid4vciPushedResponse: {
            request_uri: string;
            expires_in: number;
        };
        Openid4vciTokenRequest: {
            grant_type: string;
            "pre-authorized_code"?: string;
            code?: string;
            redirect_uri?: string;
            code_verifier?: string;
            refresh_token?: string;
            tx_code?: string;
            client_id?: string;
            authorization_details?: string;
        };
        Openid4vciTokenResponse: {
            access_token: string;
            token_type: "bearer" | "DPoP";
            refresh_token?: string;
            scope?: string;
            expires_in: number;
            authorization_details?: {
                type: "openid_credential";
                credential_configuration_id: string;
                credential_identifiers: string[];
            }[];
        };
        Openid4vciNonceResponse: {
            c_nonce: string;
        };
        Openid4vciChallengeResponse: {
            attestation_challenge: string;
        };
        Openid4vciCredentialRequest: {
            credential_configuration_id?: string;
            credential_identifier?: string;
            proofs?: {
                jwt?: string[];
                attestation?: string[];
            };
            credential_response_encryption?: components["schemas"]["Openid4vciResponseEncryption"];
        };
        Openid4vciDeferredRequest: {
            transaction_id: string;
            credential_response_encryption?: components["schemas"]["Openid4vciResponseEncryption"];
        };
        Openid4vciResponseEncryption: unknown;
        Openid4vciCredentialResponse: {
            credentials: {
                credential: string;
            }[];
            notification_id?: string;
        };
        Openid4vciDeferredResponse: {
            transaction_id: string;
            interval: number;
        };
        Openid4vciNotification: {
            notification_id: string;
            event: "credential_accepted" | "credential_failure" | "credential_deleted";
            event_description?: string;
        };
        AttributeTable: {
            tableId: string;
            columns: string[];
            keyColumn: string;
            rows: number;
            importedDateTime: string;
        };
        IssuanceProfile: {
            profileId: string;
            name: string;
            credentialConfigurationId: string;
            format: string;
            types?: string[];
            vct?: string;
            doctype?: string;
            scope: string;
            securityProfile?: "HAIP";
            authenticationMethod?: "NONE" | "PWD";
            walletInitiated?: boolean;
            issuerDid?: string;
            x5Chain?: string[];
            credentialData: { [key: string]: unknown };
            mapping?: { [key: string]: unknown };
            selectiveDisclosure?: { [key: string]: unknown };
            iacaPem?: string;
            authorizedTransactionDataTypes?: string[];
            mDocNameSpacesDataMappingConfig?: { [key: string]: unknown };
            idTokenClaimsMapping?: {
                [key: string]: string;
            };
            attributeSource?: {
                keyClaim?: string;
            };
            deferred?: true;
            display: { [key: string]: unknown }[];
            claims: { [key: string]: unknown }[];
        };
        CredentialOfferRequest: {
            profileId: string;
            authMethod: "PRE_AUTHORIZED" | "AUTHORIZED";
            issuerStateMode?: "INCLUDE" | "OMIT";
            valueMode: Defaulted<"BY_REFERENCE" | "BY_VALUE">;
            expiresInSeconds?: number;
            txCode?: {
                input_mode: Defaulted<"numeric" | "text">;
                length?: number;
                description?: string;
            };
            txCodeValue?: string;
            sessionId?: string;
            reference?: components["schemas"]["FileReference"];
            recipient?: components["schemas"]["Recipient"];
            runtimeOverrides?: {
                issuerKey?: components["schemas"]["KeyReference"];
                issuerDid?: string;
                x5Chain?: string[];
                credentialData?: { [key: string]: unknown };
                mapping?: { [key: string]: unknown };
                selectiveDisclosure?: { [key: string]: unknown };
                credentialStatus?: { [key: string]: unknown };
                statusList?: components["schemas"]["ProfileStatusList"];
                idTokenClaimsMapping?: {
                    [key: string]: string;
                };
                mDocNameSpacesDataMappingConfig?: { [key: string]: unknown };
                expectedCredentialProofKeyJwk?: { [key: string]: unknown };
                authorizedTransactionDataTypes?: string[];
                notifications?: {
                    webhook: {
                        url: string;
                        bearerToken?: string;
                        signingSecret?: string;
                    };
                };
            };
        };
        FileReference: string;
        Recipient: string;
        ProfileStatusList: {
            type?: "BitstringStatusList" | "StatusList2021" | "RevocationList2020" | "TokenStatusList";
            format?: "JWT" | "CWT";
            purpose?: "revocation" | "suspension";
            statusSize?: 1 | 2 | 4 | 8;
        };
        CreatedCredentialOffer: {
            offerId: string;
            profileId: string;
            authMethod: "PRE_AUTHORIZED" | "AUTHORIZED";
            issuerStateMode?: "INCLUDE" | "OMIT";
            expiresAt: number;
            txCodeValue?: string;
            credentialOffer: string;
        };
        BulkOfferLine: {
            line: number;
            status: number;
            offer?: components["schemas"]["CreatedCredentialOffer"];
            error?: components["schemas"]["Problem"];
            retryAfterSeconds?: number;
        };
        IssuanceSession: {
            _id?: string;
            sessionId: string;
            profileId?: string;
            reference?: string;
            recipient?: string;
            authenticationMethod?: "PRE_AUTHORIZED" | "AUTHORIZED";
            credentialConfigurationId?: string;
            credentialConfigurationIds: string[];
            issuedCredentialFormat?: string;
            status: "ACTIVE" | "SUCCESSFUL" | "UNSUCCESSFUL" | "EXPIRED";
            statusReason?: string;
            isClosed: boolean;
            expiresAt: string;
            offered: number;
            issued: number;
            credentials: number;
            issuedId?: string;
            createdDateTime: string;
            updatedDateTime: string;
        };
        VerifyRequest: {
            request_credentials: components["schemas"]["RequestedCredential"][];
            vp_policies?: components["schemas"]["PolicyList"];
            vc_policies?: components["schemas"]["PolicyList"];
            presentation_definition?: { [key: string]: unknown };
            openid_profile?: string;
            trusted_root_cas?: string[];
        };
        PolicyList: components["schemas"]["Policy"][];
        RequestedCredential: string | {
            credential?: string;
            type?: string;
            vct?: string;
            doc_type?: string;
            format?: string;
            id?: string;
            input_descriptor?: { [key: string]: unknown };
            policies?: components["schemas"]["PolicyList"];
        };
        PresentationDefinition: {
            id: string;
            input_descriptors: { [key: string]: unknown }[];
        } & { [key: string]: unknown };
        VerificationSession: {
            id: string;
            presentationDefinition: components["schemas"]["PresentationDefinition"];
            tokenResponse?: { [key: string]: unknown };
            verificationResult?: boolean;
            policyResults?: {
                results: components["schemas"]["CredentialResult"][];
                time: string;
                policiesRun: number;
            };
            credentialHandles?: components["schemas"]["PresentedCredential"][];
            handoverDate?: components["schemas"]["DateTime"];
        };
        PresentedCredentials: {
            credentialsByFormat: {
                [key: string]: components["schemas"]["PresentationView"][];
            };
            viewMode: "simple" | "verbose";
        };
        PresentationView: {
            type: string;
        } & { [key: string]: unknown };
        CredentialResult: {
            credential: string;
            policies: components["schemas"]["PolicyResult"][];
            policyResults: components["schemas"]["PolicyResult"][];
        };
        PolicyResult: {
            policy: string;
            description?: string;
            is_success: boolean;
            args?: unknown;
            code?: components["schemas"]["PolicyCode"];
            reason?: string;
            result?: unknown;
            error?: unknown;
        };
        PolicyCode: "passed"
            | "nothing-to-check"
            | "not-run"
            | "unreachable"
            | "undetermined"
            | "internal-error"
            | "signer-unknown"
            | "signature-invalid"
            | "algorithm-not-allowed"
            | "digest-mismatch"
            | "wrong-token-type"
            | "not-signed-now"
            | "not-signed"
            | "issuer-untrusted"
            | "wrong-nonce"
            | "wrong-audience"
            | "transactions-mismatch"
            | "expired"
            | "not-yet-valid"
            | "malformed-date"
            | "missing-claim"
            | "schema-mismatch"
            | "refused"
            | "too-few-credentials"
            | "too-many-credentials"
            | "credentials-missing"
            | "relation-broken"
            | "discloses-too-much"
            | "holder-mismatch"
            | "issuer-not-allowed"
            | "list-not-accepted"
            | "status-set"
            | "status-missing"
            | "condition-not-met"
            | "pattern-mismatch"
            | "integrity-missing"
            | "integrity-malformed"
            | "integrity-mismatch";
        PolicyDescription: {
            name: string;
            aliases: string[];
            description: string;
            scopes: ("vp" | "vc")[];
            stage: "presented" | "trust" | "status" | "service";
            dependsOn: string[];
            argument?: {
                isRequired: boolean;
                schema: { [key: string]: unknown };
            };
        };
        VerificationSessionSetup: {
            flow_type: "cross_device" | "same_device" | "dc_api_openid4vp" | "dc_api_18013_7";
            core_flow: components["schemas"]["VerificationCoreFlow"];
            url_config?: {
                url_host?: string;
                url_prefix?: string;
            };
            openid?: {
                transactionData?: { [key: string]: unknown }[];
                responseType?: "vp_token" | "vp_token id_token" | "id_token vp_token";
                scope?: string;
                id_token_type?: "subject_signed" | "subject_signed_id_token";
                id_token_signed_response_alg?: string;
            };
            redirects?: {
                success_redirect_uri?: string;
                error_redirect_uri?: string;
            };
            expectedOrigins?: string[];
            haip?: boolean;
            response_code?: boolean;
        };
        VerificationCoreFlow: {
            dcql_query?: { [key: string]: unknown };
            requestedElements?: { [key: string]: unknown };
            signed_request?: boolean;
            encrypted_response?: boolean;
            notifications?: {
                webhook: {
                    url: string;
                    basic_auth_username?: string;
                    basic_auth_password?: string;
                    bearer_token?: string;
                };
            };
            trusted_root_cas?: string[];
            expiration_duration?: string;
            expiration_date?: string;
            policies?: {
                vp_policies?: unknown;
                vc_policies?: components["schemas"]["SessionPolicy"][];
                specific_vc_policies?: {
                    [key: string]: components["schemas"]["SessionPolicy"][];
                };
            };
            client_metadata?: { [key: string]: unknown };
            clientId?: string;
            sessionId?: string;
            key?: components["schemas"]["KeyReference"];
            x5c?: string[];
            verifier_attestation?: string;
            verifier_info?: { [key: string]: unknown }[];
        };
        SessionPolicy: string | ({
            policy: string;
        } & { [key: string]: unknown });
        CreatedVerificationSession: {
            sessionId: string;
            bootstrapAuthorizationRequestUrl?: string;
            fullAuthorizationRequestUrl?: string;
            requestUri?: string;
            responseUri?: string;
            data?: { [key: string]: unknown };
        };
        PresentationSession: {
            id: string;
            flow_type: "cross_device" | "same_device" | "dc_api_openid4vp" | "dc_api_18013_7";
            status: "UNUSED" | "IN_USE" | "PROCESSING_FLOW" | "EXPIRED" | "SUCCESSFUL" | "FAILED";
            statusReason?: string;
            attempted: boolean;
            creationDate: components["schemas"]["DateTime"];
            expirationDate: components["schemas"]["DateTime"];
            retentionDate: components["schemas"]["DateTime"];
            requestMode: "REQUEST_URI" | "REQUEST_URI_SIGNED" | "DC_API" | "DC_API_SIGNED";
            isHaip: boolean;
            bootstrapAuthorizationRequestUrl?: string;
            fullAuthorizationRequestUrl?: string;
            requestUri?: string;
            responseUri?: string;
            authorizationRequest: { [key: string]: unknown };
            policies: {
                vc_policies: components["schemas"]["ShownPolicy"][];
                specific_vc_policies: {
                    [key: string]: components["schemas"]["ShownPolicy"][];
                };
            };
            redirects?: {
                success_redirect_uri?: string;
                error_redirect_uri?: string;
            };
            notifications?: {
                webhook?: {
                    url?: string;
                };
            };
            presented_raw_data?: {
                vpToken?: { [key: string]: unknown };
            };
            presented_credentials?: {
                [key: string]: components["schemas"]["PresentedCredential"][];
            };
            presented_id_token?: {
                subject: string;
                claims: { [key: string]: unknown };
            };
            policy_results?: components["schemas"]["SessionPolicyResults"];
            failure?: components["schemas"]["SessionFailure"];
            response_code?: string;
            handoverDate?: components["schemas"]["DateTime"];
        };
        ShownPolicy: {
            policy: string;
            args?: unknown;
        };
        PresentedCredential: {
            format: string;
            type: string;
            issuer: string;
            digest?: string;
            status?: { [key: string]: unknown }[];
            claims?: { [key: string]: unknown };
        };
        PresentationCheckResult: {
            success: boolean;
            errors: {
                error: string;
                message: string;
            }[];
        };
        SessionPolicyResult: {
            policy: components["schemas"]["ShownPolicy"];
            success: boolean;
            code: string;
            reason: string;
            result?: unknown;
            error?: unknown;
            query_id: string;
            credential_index: number;
        };
        SessionPolicyResults: {
            vp_policies: {
                [key: string]: {
                    [key: string]: components["schemas"]["PresentationCheckResult"];
                };
            };
            vc_policies: components["schemas"]["SessionPolicyResult"][];
            specific_vc_policies: {
                [key: string]: components["schemas"]["SessionPolicyResult"][];
            };
            overallSuccess: boolean;
        };
        SessionFailure: {
            type: "presentation_validation"
                | "id_token_validation"
                | "dcql_fulfillment"
                | "vc_policy_violations"
                | "wallet_error_response";
            reason: string;
            failed_policies?: string[];
            failure?: {
                missing_query_ids: string[];
                unsatisfied_sets: {
                    options: string[][];
                }[];
                successfully_validated_query_ids: string[];
            };
            code?: "wrong-type"
                | "wrong-subject"
                | "wrong-audience"
                | "wrong-nonce"
                | "not-signed-now"
                | "algorithm-not-allowed"
                | "signer-unknown"
                | "unreachable"
                | "signature-invalid";
            violations?: components["schemas"]["SessionPolicyResult"][];
            error?: string;
            error_description?: string;
        };
        ResponseRefusal: {
            error: string;
            error_description: string;
            redirect_uri?: string;
        };
        StatusTokenState: {
            token: string;
            isRevoked: boolean;
            timeOfRevocation?: number;
        };
        RevocationStatus: {
            isRevoked: boolean;
            isSuspended?: true;
        };
        EntryState: "valid" | "revoked" | "suspended";
        SessionName: string;
        CredentialName: string;
        NewStatusList: {
            issuerKey: components["schemas"]["KeyReference"];
            issuerDid?: string;
            x5Chain?: string[];
            type?: "BitstringStatusList" | "StatusList2021" | "RevocationList2020" | "TokenStatusList";
            format?: "JWT" | "CWT";
            purpose?: "revocation" | "suspension";
            statusSize?: 1 | 2 | 4 | 8;
        };
        StatusList: {
            listId: string;
            url: string;
            type: string;
            format: "JWT" | "CWT";
            purpose?: string;
            statusSize: number;
            issuer: string;
            size: number;
            used?: number;
            createdDateTime: string;
            changedDateTime?: string;
        };
        StatusEntryNames: {
            session?: components["schemas"]["SessionName"];
            credentialId?: components["schemas"]["CredentialName"];
        };
        StatusEntry: {
            listId: string;
            index: number;
            status: components["schemas"]["EntryState"];
            session?: string;
            credentialId?: string;
            history: components["schemas"]["EntryChange"][];
            createdDateTime: string;
            updatedDateTime: string;
        };
        AllocatedStatusEntry: {
            entry: components["schemas"]["StatusEntry"];
            reference: { [key: string]: unknown };
        };
        EntryChange: {
            changedAt: string;
            from: components["schemas"]["EntryState"];
            to: components["schemas"]["EntryState"];
            reason?: string;
            changedBy?: string;
        };
        EntryAction: "revoke" | "suspend" | "lift";
        ChangeReason: string;
        ChangeAuthor: string;
        StatusEntryChange: {
            action: components["schemas"]["EntryAction"];
            reason?: components["schemas"]["ChangeReason"];
            changedBy?: components["schemas"]["ChangeAuthor"];
        };
        NamedEntriesChange: {
            session?: components["schemas"]["SessionName"];
            credentialId?: components["schemas"]["CredentialName"];
            action: components["schemas"]["EntryAction"];
            reason?: components["schemas"]["ChangeReason"];
            changedBy?: components["schemas"]["ChangeAuthor"];
        } & (unknown | unknown);
        CreatedStatusToken: {
            baseToken: string;
            token: string;
            credentialStatus: {
                id: string;
                type: "SimpleCredentialStatus2022";
            };
        };
        TypeMetadata: {
            vct: string;
            name: string;
            description?: string;
            extends?: string;
            "extends#integrity"?: string;
            display?: { [key: string]: unknown }[];
            claims?: { [key: string]: unknown }[];
        } & { [key: string]: unknown };
        TargetSegment: string;
        Target: string;
        RegistrationToken: string;
        FreeObject: { [key: string]: unknown };
        WrittenService: ({
            type: components["schemas"]["ServiceType"];
            dependencies?: components["schemas"]["Target"][];
            traversable: Defaulted<boolean>;
        } & { [key: string]: unknown }) & (unknown & unknown & unknown & unknown & unknown & unknown & unknown & unknown);
        ServiceType: "kms"
            | "did-store"
            | "did-service"
            | "did-registry"
            | "credential-store"
            | "credential-status"
            | "policy-store"
            | "x509-service"
            | "x509-store"
            | "issuer"
            | "issuer2"
            | "verifier"
            | "verifier2"
            | "vical-service"
            | "client-attester"
            | "trust-registry"
            | "oidc-bridge"
            | "wallet"
            | "wallet2";
        Dependencies: components["schemas"]["Target"][];
        EnterpriseCredentials: {
            email: string;
            password: string;
            code?: string;
        };
        Place: {
            target: components["schemas"]["Target"];
            type: string;
            name?: string;
            actions: string[];
        };
        Workplace: {
            here: components["schemas"]["Place"];
            below: components["schemas"]["Place"][];
        };
        EnterpriseToken: {
            token: string;
        };
        EnterpriseAccount: {
            _id: components["schemas"]["Uuid"];
            profile: { [key: string]: unknown };
            roles: components["schemas"]["Target"][];
        };
        AccountRoles: {
            _id: components["schemas"]["Uuid"];
            roles: components["schemas"]["Target"][];
        };
        Permission: {
            target: string;
            action: string;
            operation: "ADD" | "REMOVE";
        };
        Role: {
            _id: components["schemas"]["Target"];
            name: string;
            permissions: components["schemas"]["Permission"][];
        };
        AnyElement: {
            _id: components["schemas"]["Target"];
            parent: string;
            createdDateTime: components["schemas"]["DateTime"];
            updatedDateTime: components["schemas"]["DateTime"];
        };
        Resource: components["schemas"]["AnyElement"] & {
            type: string;
        };
        KeyElement: components["schemas"]["AnyElement"] & {
            type: "key";
            key: {
                type: string;
            } & { [key: string]: unknown };
        };
        DidElement: components["schemas"]["AnyElement"] & {
            did: string;
            document: { [key: string]: unknown };
            key?: components["schemas"]["Target"];
            version?: number;
            deactivatedDateTime?: components["schemas"]["DateTime"];
        };
        CredentialElement: components["schemas"]["AnyElement"] & {
            credential: components["schemas"]["StoredCredential"];
            label?: string;
            metadata?: { [key: string]: unknown };
            copies?: number;
        };
        StoredCredential: {
            type: string;
            credentialData?: { [key: string]: unknown };
            signed?: string;
        };
        StoreConfiguration: {
            type?: string;
            dependencies?: string[];
            traversable?: boolean;
            name?: string;
            description?: string;
            kms?: components["schemas"]["Target"];
            validateSignaturesByDefault?: true;
        };
        WrittenPolicy: {
            name?: string;
            description?: string;
            policy: components["schemas"]["AnyWrittenPolicy"];
        };
        WrittenNamedPolicy: {
            _id: components["schemas"]["Target"];
            name?: string;
            description?: string;
            policy: components["schemas"]["AnyWrittenPolicy"];
        };
        AnyWrittenPolicy: { [key: string]: unknown };
        VerificationPolicy: {
            policy: string;
            args?: unknown;
        } & { [key: string]: unknown };
        HolderPolicy: {
            priority: number;
            description?: string;
            direction?: "RECEIVE" | "PRESENT" | null;
            apply?: components["schemas"]["CredentialCheck"];
            check?: components["schemas"]["CredentialCheck"];
            action: "ALLOW" | "BLOCK";
        };
        CredentialCheck: {
            type: "all" | "basic" | "dcql" | "schema";
            format?: string;
            issuer?: string;
            subject?: string;
            claims_present?: string[];
            claims_values?: { [key: string]: unknown };
            dcql_query?: { [key: string]: unknown };
            schema?: { [key: string]: unknown } | boolean;
            schemas?: ({ [key: string]: unknown } | boolean)[];
        };
        StoredPolicyElement: components["schemas"]["AnyElement"] & {
            name?: string;
            description?: string;
            policy: {
                policy: string;
                args?: unknown;
            } | components["schemas"]["HolderPolicy"];
        };
        CredentialStatusServiceConfiguration: {
            type: components["schemas"]["ServiceType"];
            dependencies?: components["schemas"]["Target"][];
            traversable?: boolean;
            name?: string;
            description?: string;
            config?: {
                registry?: {
                    type: "in-memory";
                };
            };
        };
        NewStatusCredential: {
            kid: components["schemas"]["Target"];
            x5Chain?: string[];
            issuerDid?: string;
            config: components["schemas"]["StatusCredentialConfig"];
        };
        StatusCredentialConfig: {
            type?: "BitstringStatusList" | "StatusList2021" | "RevocationList2020" | "TokenStatusList";
            format?: "JWT" | "CWT";
            purpose?: "revocation" | "suspension";
            statusSize?: 1 | 2 | 4 | 8;
        };
        StatusCredentialElement: components["schemas"]["AnyElement"] & {
            kid: components["schemas"]["Target"];
            x5Chain?: string[];
            issuerDid?: string;
            config: {
                type: string;
                format: string;
                purpose?: string;
                statusSize: number;
            };
            listId: string;
            url: string;
        };
        CertificateText: string;
        ExpectedType: string;
        NewTrustSource: {
            sourceId: components["schemas"]["TargetSegment"];
            displayName?: string;
            url?: string;
            content?: string;
            sourceUrl?: string;
            acceptancePolicy: Defaulted<"REQUIRE_TRUSTED_SIGNER"
                | "REQUIRE_AUTHENTICATED"
                | "REQUIRE_VALID_SIGNATURE"
                | "ALLOW_UNSIGNED">;
            signers?: components["schemas"]["CertificateText"][];
        };
        LoadedTrustSource: {
            success: boolean;
            sourceId: string;
            entitiesLoaded: number;
            servicesLoaded: number;
            identitiesLoaded: number;
        };
        TrustSource: components["schemas"]["TrustSourceFacts"];
        TrustSourceHealth: components["schemas"]["TrustSourceFacts"] & {
            healthy: boolean;
            error?: string;
        };
        TrustSourceFacts: {
            sourceId: string;
            displayName?: string;
            sourceFamily: "ETSI_TS_119_612" | "ETSI_TS_119_602";
            listType?: string;
            url?: string;
            freshnessState: "FRESH" | "STALE" | "NOT_YET_VALID";
            loadedDateTime: components["schemas"]["DateTime"];
            nextUpdate?: components["schemas"]["DateTime"];
            entitiesCount: number;
            assurance: components["schemas"]["TrustAssurance"];
        };
        TrustAssurance: {
            authenticityState: "VERIFIED" | "UNSIGNED";
            accepted: boolean;
        };
        TrustDecision: {
            decision: "TRUSTED" | "NOT_TRUSTED" | "UNDETERMINED";
            reason?: string;
            trustedIssuer?: components["schemas"]["Target"];
            credentialTypes?: string[];
            sourceId?: string;
            serviceType?: string;
            status?: string;
            assurance?: components["schemas"]["TrustAssurance"];
        };
        VicalServiceConfiguration: {
            type: components["schemas"]["ServiceType"];
            dependencies?: components["schemas"]["Target"][];
            traversable?: boolean;
            name?: string;
            description?: string;
            kid: components["schemas"]["Target"];
            x5Chain?: string[];
            signerCertificateId?: components["schemas"]["Target"];
        } & (unknown | unknown);
        CertificateIdentifier: string;
        DocumentTypes: string[];
        NewCertificate: {
            type: "base" | "vical-entry";
            certificatePem: string;
            complementaryMetadata?: components["schemas"]["CertificateMetadata"];
        };
        CertificateMetadata: {
            docType: components["schemas"]["DocumentTypes"];
        };
        CertificateElement: components["schemas"]["AnyElement"] & {
            data: {
                type: "base" | "vical-entry";
                pem: string;
                complementaryMetadata?: components["schemas"]["CertificateMetadata"];
            };
        };
        NewTenantIaca: {
            kid: components["schemas"]["Target"];
            certificateId?: components["schemas"]["CertificateIdentifier"];
            certificateData: components["schemas"]["IacaCertificateData"];
            docType?: components["schemas"]["DocumentTypes"];
        };
        TenantIaca: {
            certificate: components["schemas"]["CertificateElement"];
            certificateData: components["schemas"]["IacaCertificateData"];
            certificateValidationResult: components["schemas"]["CertificateFindings"];
        };
        NewTenantSigner: {
            kid: components["schemas"]["Target"];
            certificateId?: components["schemas"]["CertificateIdentifier"];
            purpose: Defaulted<"mdoc" | "sd-jwt-vc" | "status-list">;
            iaca: {
                type?: "iaca-pem-cert-descriptor";
                kid: components["schemas"]["Target"];
                certificate?: components["schemas"]["Target"];
                certificatePem?: string;
            } & (unknown | unknown);
            certificateData: components["schemas"]["SignerCertificateData"];
        };
        TenantSigner: {
            certificate: components["schemas"]["CertificateElement"];
            certificateData: components["schemas"]["SignerCertificateData"];
            certificateValidationResult: components["schemas"]["CertificateFindings"];
        };
        UnwantedCertificate: {
            certificate: components["schemas"]["Target"];
            iaca: components["schemas"]["Target"];
            reason?: components["schemas"]["RevocationReason"];
        };
        RevocationReason: "unspecified"
            | "keyCompromise"
            | "affiliationChanged"
            | "superseded"
            | "cessationOfOperation"
            | "privilegeWithdrawn";
        CertificateRevocation: {
            serialNumber: string;
            reason: components["schemas"]["RevocationReason"];
            revokedDateTime: string;
            crl: string;
        };
        NewVicalVersion: {
            vicalProvider: string;
            versionId?: components["schemas"]["CertificateIdentifier"];
            issuanceDate?: string;
            nextUpdate?: string;
        };
        VicalVersion: components["schemas"]["AnyElement"] & {
            vicalProvider: string;
            versionIdPath: components["schemas"]["Target"];
            issuanceDate: string;
            nextUpdate?: string;
            entryCount: number;
        };
        NewTrustedIssuer: {
            type: "certificate" | "did" | "url";
            issuer: string;
            credentialTypes?: components["schemas"]["DocumentTypes"];
            name?: string;
        };
        TrustedIssuerElement: components["schemas"]["AnyElement"] & {
            type: "certificate" | "did" | "url";
            issuer: string;
            credentialTypes?: string[];
            name?: string;
        };
        ClientAttesterServiceConfiguration: {
            type: components["schemas"]["ServiceType"];
            dependencies?: components["schemas"]["Target"][];
            traversable?: boolean;
            name?: string;
            description?: string;
            kms?: components["schemas"]["Target"];
            signingKeyId: components["schemas"]["Target"];
            attestationValiditySeconds?: number;
            clientIds?: components["schemas"]["ClientId"][];
            x5Chain?: string[];
        };
        ClientId: string;
        NewClientAttestation: {
            clientId: components["schemas"]["ClientId"];
            instancePublicKeyJwk: { [key: string]: unknown };
            proof: string;
        };
        ClientAttestation: {
            clientAttestationJwt: string;
            expiresAt: number;
            attestationId: string;
        };
        ClientAttestationElement: {
            _id: components["schemas"]["Target"];
            parent: components["schemas"]["Target"];
            id: string;
            clientId: components["schemas"]["ClientId"];
            instanceThumbprint: string;
            state: "valid" | "revoked";
            expiresDateTime: components["schemas"]["DateTime"];
            revokedDateTime?: components["schemas"]["DateTime"];
            createdDateTime: components["schemas"]["DateTime"];
            updatedDateTime: components["schemas"]["DateTime"];
        };
        WebDid: string;
        KeyTargets: components["schemas"]["Target"][];
        KeySetConfiguration: {
            authentication?: components["schemas"]["KeyTargets"];
            assertionMethod?: components["schemas"]["KeyTargets"];
            capabilityInvocation?: components["schemas"]["KeyTargets"];
            capabilityDelegation?: components["schemas"]["KeyTargets"];
            keyAgreement?: components["schemas"]["KeyTargets"];
        };
        NewServiceDid: {
            type: Defaulted<"single_key_id" | "key_id_set" | "verification_key_id_set_config">;
            keyId?: components["schemas"]["Target"];
            keyIdSet?: components["schemas"]["KeyTargets"];
            verificationKeyIdSetConfiguration?: components["schemas"]["KeySetConfiguration"];
            useJwkJcsPub: Defaulted<boolean>;
            domain?: string;
            path?: string;
            didId?: components["schemas"]["TargetSegment"];
        };
        CreatedServiceDid: {
            did: string;
            document: { [key: string]: unknown };
        };
        RotatedServiceDid: {
            did: string;
            document?: { [key: string]: unknown };
        };
        DidRotation: {
            did: components["schemas"]["WebDid"];
            keyId?: components["schemas"]["Target"];
            keyIdSet?: components["schemas"]["KeyTargets"];
            verificationKeyIdSetConfiguration?: components["schemas"]["KeySetConfiguration"];
            remove?: string[];
        };
        WalletServiceConfiguration: {
            type: components["schemas"]["ServiceType"];
            dependencies?: components["schemas"]["Target"][];
            traversable?: boolean;
            name?: string;
            description?: string;
            kms?: components["schemas"]["Target"];
            clientId?: string;
            staticKey?: {
                type: "jwk";
                jwk: { [key: string]: unknown };
            };
            staticDid?: string;
            defaultKeyId?: components["schemas"]["Target"];
            defaultDidId?: components["schemas"]["TenantHolderDid"];
        };
        CreateIfNotFound: boolean;
        WrittenWallet: {
            createIfNotFound?: components["schemas"]["CreateIfNotFound"];
            target: components["schemas"]["Target"];
            kms?: {
                createIfNotFound?: components["schemas"]["CreateIfNotFound"];
                target: components["schemas"]["Target"];
                key?: {
                    createIfNotFound?: components["schemas"]["CreateIfNotFound"];
                    target: components["schemas"]["Target"];
                    config?: {
                        backend: Defaulted<string>;
                        keyType?: components["schemas"]["KeyType"];
                    } & { [key: string]: unknown };
                };
            };
            didStore?: components["schemas"]["WrittenWalletPart"];
            didService?: {
                createIfNotFound?: components["schemas"]["CreateIfNotFound"];
                target: components["schemas"]["Target"];
                dependencies?: components["schemas"]["Target"][];
                did?: {
                    createIfNotFound?: components["schemas"]["CreateIfNotFound"];
                    target: components["schemas"]["Target"];
                    type: Defaulted<"key" | "jwk" | "web">;
                    config?: components["schemas"]["FreeObject"];
                };
            };
            credentialStore?: components["schemas"]["WrittenWalletPart"];
        };
        WrittenWalletPart: {
            createIfNotFound?: components["schemas"]["CreateIfNotFound"];
            target: components["schemas"]["Target"];
        };
        TenantHolderDid: string;
        TenantOfferToReceive: {
            offerUrl?: string;
            offerJson?: { [key: string]: unknown };
            txCode?: string;
            keyId?: components["schemas"]["TenantHolderKey"];
            keyReference?: components["schemas"]["TenantHolderKey"];
            did?: components["schemas"]["TenantHolderDid"];
            redirectUri?: string;
            runPolicies?: components["schemas"]["RunPolicies"];
            credentials?: {
                credentialConfigurationId: components["schemas"]["ConfigurationId"];
                holderBindings?: components["schemas"]["TenantHolderBinding"][];
            }[];
        };
        TenantHolderBinding: {
            keyId?: components["schemas"]["TenantHolderKey"];
            keyReference?: components["schemas"]["TenantHolderKey"];
            did?: components["schemas"]["TenantHolderDid"];
            didReference?: components["schemas"]["TenantHolderDid"];
        };
        TenantRequestToAnswer: {
            requestUrl: string;
            keyId?: components["schemas"]["TenantHolderKey"];
            keyReference?: components["schemas"]["TenantHolderKey"];
            did?: components["schemas"]["TenantHolderDid"];
            runPolicies?: components["schemas"]["RunPolicies"];
        };
        TenantHolderKey: components["schemas"]["Target"];
        RunPolicies: boolean;
        NewPassword: string;
        Account: {
            _id: components["schemas"]["Uuid"];
            profile: { [key: string]: unknown };
            roles: components["schemas"]["Target"][];
            superadmin: boolean;
            disabled: boolean;
            createdDateTime?: components["schemas"]["DateTime"];
        };
        OwnAccount: {
            _id: components["schemas"]["Uuid"];
            profile: { [key: string]: unknown };
            roles: components["schemas"]["Target"][];
            superadmin: boolean;
            disabled: boolean;
            createdDateTime?: components["schemas"]["DateTime"];
            permissions: {
                role?: components["schemas"]["Target"];
                target: string;
                action: string;
                operation: "ADD" | "REMOVE";
            }[];
        };
        ApiKey: {
            _id: components["schemas"]["Uuid"];
            name: string;
            prefix: string;
            role?: components["schemas"]["Target"];
            permissions?: components["schemas"]["Permission"][];
            createdDateTime: components["schemas"]["DateTime"];
            expiresDateTime?: components["schemas"]["DateTime"];
        };
        CreatedApiKey: {
            _id: components["schemas"]["Uuid"];
            name: string;
            prefix: string;
            role?: components["schemas"]["Target"];
            permissions?: components["schemas"]["Permission"][];
            createdDateTime: components["schemas"]["DateTime"];
            expiresDateTime?: components["schemas"]["DateTime"];
            key: string;
        };
        Invitation: {
            _id: components["schemas"]["Uuid"];
            email: string;
            role: components["schemas"]["Target"];
            createdDateTime: components["schemas"]["DateTime"];
            expiresDateTime: components["schemas"]["DateTime"];
        };
        CreatedInvitation: {
            _id: components["schemas"]["Uuid"];
            email: string;
            role: components["schemas"]["Target"];
            createdDateTime: components["schemas"]["DateTime"];
            expiresDateTime: components["schemas"]["DateTime"];
            token: string;
        };
        SecondFactorEnrolment: {
            secret: string;
            otpauthUrl: string;
        };
        RecoveryCodes: {
            recoveryCodes: string[];
        };
        Overview: {
            version: string;
            publicUrl: string;
            services: string[];
            store: {
                type: string;
                state: "Healthy" | "Unhealthy";
            };
            limits: {
                section: string;
                requestsPerMinute: number;
                failureWindowSeconds?: number;
                failureThreshold?: number;
                failureBlockSeconds?: number;
            }[];
            pagination: {
                defaultLimit: number;
                maxLimit: number;
            };
        };
        RoleAccount: {
            _id: components["schemas"]["Uuid"];
            roles: components["schemas"]["Target"][];
            profile?: { [key: string]: unknown };
        };
        PasswordResetToken: {
            token: string;
            expiresDateTime: components["schemas"]["DateTime"];
        };
        PermissionDecision: {
            allowed: boolean;
            decidedBy?: {
                superadmin?: true;
                role?: components["schemas"]["Target"];
                permission?: components["schemas"]["Permission"];
            };
        };
        ActionMeaning: {
            action: string;
            meaning: string;
        };
        DomainName: string;
        HostAlias: {
            domain: components["schemas"]["DomainName"];
            target: components["schemas"]["Target"];
            baseUrl: string;
            createdDateTime: components["schemas"]["DateTime"];
        };
        IssuedCredential: {
            _id: string;
            parent: components["schemas"]["Target"];
            id: string;
            sessionId: string;
            profileId?: string;
            credentialConfigurationId: string;
            format: string;
            typeVersion?: number;
            credentials: number;
            reference?: string;
            recipient?: string;
            state: components["schemas"]["EntryState"];
            issuedDateTime: string;
            updatedDateTime: string;
            statusTarget?: components["schemas"]["Target"];
            entries?: components["schemas"]["StatusEntry"][];
        };
        CredentialTypeId: string;
        LocalizedName: {
            locale: string;
            name: string;
            description?: string;
        };
        CredentialTypeClaim: {
            path: (string | null)[];
            type: "text" | "date" | "number" | "boolean" | "picture" | "list" | "object";
            items?: "text" | "date" | "number" | "boolean" | "object";
            label?: components["schemas"]["LocalizedName"][];
            mandatory?: boolean;
            disclosure?: "always" | "selective";
            example?: unknown;
        };
        CredentialTypeContent: {
            display: components["schemas"]["LocalizedName"][];
            claims: components["schemas"]["CredentialTypeClaim"][];
            card?: {
                logo?: components["schemas"]["CardImage"];
                background?: components["schemas"]["CardImage"];
                backgroundColor?: components["schemas"]["CardColor"];
                textColor?: components["schemas"]["CardColor"];
            };
            formats: string[];
            vct?: string;
            doctype?: string;
            namespace?: string;
            validityDays?: number;
            revocable?: boolean;
        };
        CardImage: string;
        CardColor: string;
        CredentialTypeElement: components["schemas"]["AnyElement"] & components["schemas"]["CredentialTypeContent"] & {
            id: components["schemas"]["CredentialTypeId"];
            version: number;
            offers: {
                format: string;
                profileId: string;
                configurationId: string;
            }[];
            versions: {
                version: number;
                createdDateTime: string;
                account?: string;
            }[];
        };
        IssuerServiceConfiguration: {
            type: "issuer2";
            dependencies?: components["schemas"]["Target"][];
            traversable?: boolean;
            name?: string;
            description?: string;
            baseUrl?: string;
            kms?: components["schemas"]["Target"];
            tokenKeyId?: components["schemas"]["Target"];
            metadataX5chain?: components["schemas"]["WrittenChain"];
            issuedRetentionDays?: number;
            issuerDisplay?: components["schemas"]["WrittenDisplay"][];
            supportedCredentialTypes?: {
                [key: string]: components["schemas"]["WrittenCredentialType"];
            };
            issuers?: components["schemas"]["WrittenIssuerIdentity"][];
            securityProfile?: "OPEN" | "HAIP";
            requirePushedAuthorizationRequests?: boolean;
            clientAttesters?: components["schemas"]["WrittenAttester"][];
            clientAuthenticationConfig?: {
                supportedMethods: components["schemas"]["WrittenClientMethod"][];
            };
            clientAttestationConfig?: {
                required?: boolean;
                verificationMethod?: components["schemas"]["WrittenVerificationMethod"];
                clockSkewSeconds?: components["schemas"]["ClockSkewSeconds"];
                replayWindowSeconds?: components["schemas"]["ReplayWindowSeconds"];
            };
            keyAttesters?: components["schemas"]["WrittenAttester"][];
            batchSize?: number;
            issuerInfo?: {
                format: string;
                data: string;
            }[];
            statusLists?: {
                [key: string]: components["schemas"]["ProfileStatusList"];
            };
            defaultIssuerKey?: components["schemas"]["Target"];
            defaultIssuerDid?: components["schemas"]["NamedDid"];
            defaultIssuerX5chain?: components["schemas"]["WrittenChain"];
            profiles?: {
                [key: string]: components["schemas"]["WrittenProfile"];
            };
        };
        WrittenProfile: {
            name: string;
            credentialConfigurationId: string;
            issuerKey?: components["schemas"]["Target"];
            issuerDid?: components["schemas"]["NamedDid"];
            x5Chain?: components["schemas"]["WrittenChain"];
            deferred?: boolean;
            credentialData: { [key: string]: unknown };
            mapping?: { [key: string]: unknown };
            selectiveDisclosure?: { [key: string]: unknown };
            credentialStatus?: { [key: string]: unknown };
            statusList?: components["schemas"]["ProfileStatusList"];
            securityProfile?: "HAIP";
            authenticationMethod?: "NONE";
            walletInitiated?: boolean;
            attributeSource?: components["schemas"]["AttributeSource"];
            notifications?: {
                webhook: {
                    url: string;
                    bearerToken?: string;
                    signingSecret?: string;
                };
            };
        };
        AttributeSource: {
            url?: string;
            table?: string;
            claims: {
                [key: string]: string;
            };
            schema?: { [key: string]: unknown };
            timeoutSeconds?: number;
            maxBytes?: number;
            bearerToken?: string;
            signingSecret?: string;
            clientCertificate?: {
                certificates: components["schemas"]["WrittenChain"];
                privateKey: string;
            };
            authorities?: components["schemas"]["WrittenChain"];
        };
        NamedDid: string;
        WrittenDid: string;
        WrittenChain: components["schemas"]["WrittenCertificate"][];
        WrittenCertificate: string;
        WrittenDisplay: {
            name?: string;
            locale?: string;
        } & { [key: string]: unknown };
        WrittenIssuerIdentity: {
            did: components["schemas"]["WrittenDid"];
            jwk: { [key: string]: unknown };
        };
        WrittenAttester: {
            issuer?: string;
            jwks?: {
                keys: { [key: string]: unknown }[];
            };
            certificates?: string[];
        } | unknown | unknown;
        WrittenClientMethod: {
            type: "preauth-anonymous" | "client-attestation";
            config?: {
                verificationMethod?: components["schemas"]["WrittenVerificationMethod"];
                clockSkewSeconds?: components["schemas"]["ClockSkewSeconds"];
                replayWindowSeconds?: components["schemas"]["ReplayWindowSeconds"];
            };
        };
        WrittenVerificationMethod: components["schemas"]["StaticJwkMethod"]
            | components["schemas"]["CertificateMethod"]
            | components["schemas"]["KeyReferenceMethod"];
        StaticJwkMethod: {
            type: "static-jwk";
            jwk: { [key: string]: unknown };
        };
        CertificateMethod: {
            type: "x509-chain";
            trustedRootCertificatesPem: string[];
        };
        KeyReferenceMethod: {
            type: "key-reference";
            reference: components["schemas"]["Target"];
        };
        ClockSkewSeconds: number;
        ReplayWindowSeconds: number;
        WrittenCredentialType: string[] | {
            format?: string;
            scope?: string;
            vct?: string;
            doctype?: string;
            credential_definition?: {
                type?: string[];
                "@context"?: unknown[];
            };
            cryptographic_binding_methods_supported?: string[];
            credential_signing_alg_values_supported?: (string | number)[];
            proof_types_supported?: {
                [key: string]: {
                    proof_signing_alg_values_supported: (string | number)[];
                    key_attestations_required?: {
                        key_storage?: string[];
                        user_authentication?: string[];
                    };
                } & { [key: string]: unknown };
            };
            display?: components["schemas"]["WrittenDisplay"][];
            claims?: components["schemas"]["WrittenClaims"];
            credential_metadata?: {
                display?: components["schemas"]["WrittenDisplay"][];
                claims?: components["schemas"]["WrittenClaims"];
            };
            disclosure_policy?: {
                policy_type: "none" | "authorized_relying_parties" | "specific_root_of_trust";
                authorized_relying_parties?: string[];
                trusted_roots?: string[];
                policy_url?: string;
            } & (unknown & unknown);
            sdJwtVcTypeMetadata?: { [key: string]: unknown };
            example?: {
                credentialData?: { [key: string]: unknown };
                mdocData?: { [key: string]: unknown };
                mapping?: { [key: string]: unknown };
                selectiveDisclosure?: { [key: string]: unknown };
            };
        } | string;
        WrittenClaims: ({
            path: (string | number | null)[];
        } & { [key: string]: unknown })[];
        CheckPurpose: {
            locale: string;
            text: string;
        }[];
        SavedCheckElement: components["schemas"]["AnyElement"] & {
            name: string;
            description?: string;
            purpose?: components["schemas"]["CheckPurpose"];
            setup: {
                flow_type: string;
                core_flow: { [key: string]: unknown };
            } & { [key: string]: unknown };
        };
        VerificationSessionElement: components["schemas"]["AnyElement"] & {
            id: string;
            flow_type: "cross_device" | "same_device" | "dc_api_openid4vp" | "dc_api_18013_7";
            status: "UNUSED" | "IN_USE" | "PROCESSING_FLOW" | "EXPIRED" | "SUCCESSFUL" | "FAILED";
            statusReason?: string;
            attempted: boolean;
            creationDate: components["schemas"]["DateTime"];
            expirationDate: components["schemas"]["DateTime"];
            retentionDate: components["schemas"]["DateTime"];
            requestMode: "REQUEST_URI" | "REQUEST_URI_SIGNED" | "DC_API" | "DC_API_SIGNED";
            isHaip: boolean;
            policies: {
                vc_policies: components["schemas"]["ShownPolicy"][];
                specific_vc_policies: {
                    [key: string]: components["schemas"]["ShownPolicy"][];
                };
            };
            presented_credentials?: {
                [key: string]: components["schemas"]["PresentedCredential"][];
            };
            policy_results?: components["schemas"]["SessionPolicyResults"];
            failure?: components["schemas"]["SessionFailure"];
            handoverDate?: components["schemas"]["DateTime"];
        };
        VerifierServiceConfiguration: {
            type: "verifier2";
            dependencies?: components["schemas"]["Target"][];
            traversable: Defaulted<boolean>;
            name?: string;
            description?: string;
            baseUrl?: string;
            clientId?: string;
            signingKey?: components["schemas"]["Target"];
            x5c?: string[];
            urlHost: Defaulted<string>;
            clientMetadata?: { [key: string]: unknown };
            verifierInfo?: ({
                format: string;
                data: unknown;
            } & { [key: string]: unknown })[];
            transactionDataProfiles?: {
                type: string;
                displayName: string;
                fields: string[];
            }[];
            federation?: {
                authorityHints: string[];
                signingKey?: components["schemas"]["Target"];
                trustChain?: string[];
            };
            vcPolicies?: components["schemas"]["SessionPolicy"][];
            retentionSeconds: Defaulted<number>;
            presentedData: Defaulted<"keep" | "deleteOnHandover">;
        };
        AuditEntryType: "CREDENTIAL_ISSUED" | "CREDENTIAL_LIFECYCLE" | "PRESENTATION_VERIFICATION_COMPLETED";
        AuditMoment: number;
        AuditEntryQuery: {
            organizationId?: components["schemas"]["TargetSegment"];
            target: components["schemas"]["Target"];
            entryTypes?: components["schemas"]["AuditEntryType"][];
            fromTimestamp?: components["schemas"]["AuditMoment"];
            toTimestamp?: components["schemas"]["AuditMoment"];
            limit?: number;
            afterSequenceNumber?: components["schemas"]["AuditEventNumber"];
        };
        AuditEntryPage: {
            entries: components["schemas"]["AuditEntry"][];
            nextSequenceNumber?: components["schemas"]["AuditEventNumber"];
        };
        AuditEntry: {
            entryType: components["schemas"]["AuditEntryType"];
            id: string;
            organizationId: string;
            target: string;
            timestamp: components["schemas"]["AuditMoment"];
            sequenceNumber: components["schemas"]["AuditEventNumber"];
            prevEntryHash: string;
            entryHash: components["schemas"]["AuditHash"];
            sessionId?: string;
            credentialConfigurationId?: string;
            credentialIndex?: number;
            format?: string;
            credentialPayloadHash?: components["schemas"]["AuditHash"];
            holderBindingPublicKeyJwk?: { [key: string]: unknown };
            event?: "REVOKED" | "SUSPENDED" | "UNSUSPENDED";
            statusListId?: string;
            index?: number;
            session?: string;
            result?: "accepted" | "refused";
        };
        AuditEventNumber: number;
        AuditHash: string;
        AuditEvent: {
            sequence: components["schemas"]["AuditEventNumber"];
            time: components["schemas"]["DateTime"];
            outcome: "begun" | "succeeded" | "refused" | "failed";
            status?: number;
            begun?: components["schemas"]["AuditEventNumber"];
            action: string;
            target: string;
            parameters: {
                [key: string]: string;
            };
            resource?: string;
            account: string;
            source: string;
            requestId: string;
            previous: components["schemas"]["AuditHash"];
            hash: components["schemas"]["AuditHash"];
        };
        AuditPage: {
            events: components["schemas"]["AuditEvent"][];
            next?: components["schemas"]["AuditEventNumber"];
        };
        AuditCheck: {
            valid: boolean;
            checked: number;
            last?: {
                sequence: components["schemas"]["AuditEventNumber"];
                hash: components["schemas"]["AuditHash"];
            };
            break?: {
                sequence: components["schemas"]["AuditEventNumber"];
                reason: string;
            };
            next?: components["schemas"]["AuditEventNumber"];
        };
        PortalSettings: {
            version: string;
            publicUrl: string;
            isLoopback: boolean;
            services: string[];
            features: string[];
            management: "open" | "token";
            title: string;
            areas: ("tour" | "wallet" | "office")[];
            links: {
                imprint?: string;
                privacy?: string;
                accessibility?: string;
            };
            defaultLanguage: "en" | "de";
        };
        SignInError: {
            error: string;
            error_description?: string;
            scope?: string;
        };
        SignInRequest: {
            client_id?: string;
            client_secret?: string;
            client_assertion_type?: string;
            client_assertion?: string;
            response_type?: string;
            redirect_uri?: string;
            response_mode?: string;
            scope?: string;
            state?: string;
            nonce?: string;
            code_challenge?: string;
            code_challenge_method?: string;
            acr_values?: string;
            claims?: string;
            prompt?: string;
            max_age?: string;
            ui_locales?: string;
            id_token_hint?: string;
            login_hint?: string;
            display?: string;
            request?: string;
            request_uri?: string;
            registration?: string;
        };
        SignInBridgeConfiguration: {
            type: components["schemas"]["ServiceType"];
            dependencies?: components["schemas"]["Target"][];
            traversable?: boolean;
            name?: string;
            description?: string;
            kms?: components["schemas"]["Target"];
            signingKeyIds?: components["schemas"]["Target"][];
            clients: Defaulted<{
                [key: string]: {
                    name: string;
                    redirectUris: string[];
                    postLogoutRedirectUris: Defaulted<string[]>;
                    authentication: Defaulted<"client_secret_basic"
     | "client_secret_post"
     | "private_key_jwt"
     | "none">;
                    secretDigest?: string;
                    jwks?: {
                        keys: { [key: string]: unknown }[];
                    };
                    profiles: string[];
                    sector?: string;
                    idTokenAlgorithm: Defaulted<"ES256" | "RS256">;
                    requirePushedRequests: Defaulted<boolean>;
                };
            }>;
            profiles: Defaulted<{
                [key: string]: {
                    purpose?: string;
                    acr?: string;
                    dcqlQuery?: { [key: string]: unknown };
                    presentationDefinition?: { [key: string]: unknown };
                    issuers: Defaulted<"named" | "any">;
                    policies: Defaulted<(string | Record<string, unknown>)[]>;
                    claims: Defaulted<{
                        [key: string]: {
                            query: string;
                            path: (string | number | null)[];
                            required: Defaulted<boolean>;
                            transform: Defaulted<"none" | "lowercase" | "uppercase" | "trim" | "sha256">;
                            list: Defaulted<boolean>;
                        };
                    }>;
                    subject: {
                        kind: Defaulted<"pairwise" | "plain">;
                        values: {
                            query: string;
                            path: (string | number | null)[];
                        }[];
                        acrossIssuers: Defaulted<boolean>;
                    };
                    flows: Defaulted<("cross_device" | "same_device" | "dc_api")[]>;
                    haip: Defaulted<boolean>;
                    encryptedResponse: Defaulted<boolean>;
                    trustFramework?: string;
                };
            }>;
            lifetimes: Defaulted<{
                signIn: Defaulted<number>;
                code: Defaulted<number>;
                idToken: Defaulted<number>;
                accessToken: Defaulted<number>;
            }>;
        };
        HealthChecks: {
            name: string;
            status: "Healthy" | "Unhealthy";
            reason?: string;
        }[];
    };
    responses: {
        Registered: {
            content: {
                "text/plain": "Registration succeeded";
            };
        };
        LoggedIn: {
            content: {
                "application/json": components["schemas"]["LoginResult"];
            };
        };
        LoggedInEither: {
            content: {
                "application/json": components["schemas"]["LoginResult"];
            };
        };
        LoggedOut: {
        };
        WalletCredentials: {
            content: {
                "application/json": components["schemas"]["WalletCredential"][];
            };
        };
        VerifierReply: {
            content: {
                "application/json": {
                    redirectUri?: string;
                };
            };
        };
        ReceivedCredentials: {
            content: {
                "application/json": {
                    credentialIds: string[];
                    deferredTransactionIds: {
                        [key: string]: string;
                    };
                    deferredCredentials?: components["schemas"]["DeferredOfSelection"][];
                };
            };
        };
        StepToken: {
            content: {
                "application/json": {
                    accessToken: string;
                    expiresIn?: number;
                    tokenType?: string;
                };
            };
        };
        MatchedCredentials: {
            content: {
                "application/json": {
                    matchedQueryIds: string[];
                    matchCount: number;
                    matchedCredentialIds: {
                        [key: string]: string[];
                    };
                };
            };
        };
        PresentationResult: {
            content: {
                "application/json": {
                    get_url?: string;
                    transmission_success?: boolean;
                    verifier_response?: { [key: string]: unknown };
                    redirect_to?: string;
                };
            };
        };
        OfferUrl: {
            content: {
                "text/plain": string;
            };
        };
        IssuerMetadata: {
            content: {
                "application/json": components["schemas"]["IssuerMetadata"];
            };
        };
        AuthorizationServerMetadata: {
            content: {
                "application/json": components["schemas"]["AuthorizationServerMetadata"];
            };
        };
        OpenidConfiguration: {
            content: {
                "application/json": components["schemas"]["OpenidConfiguration"];
            };
        };
        LoginRedirect: {
        };
        PushedReference: {
            content: {
                "application/json": {
                    request_uri: string;
                    expires_in: number;
                };
            };
        };
        AttributeTable: {
            content: {
                "application/json": components["schemas"]["AttributeTable"];
            };
        };
        StatusList: {
            content: {
                "application/json": components["schemas"]["StatusList"];
            };
        };
        StatusEntry: {
            content: {
                "application/json": components["schemas"]["StatusEntry"];
            };
        };
        StatusEntries: {
            content: {
                "application/json": components["schemas"]["StatusEntry"][];
            };
        };
        TypeMetadata: {
            content: {
                "application/json": components["schemas"]["TypeMetadata"];
            };
        };
        TrustDecision: {
            content: {
                "application/json": components["schemas"]["TrustDecision"];
            };
        };
        PublishedDocument: {
            content: {
                "application/json": { [key: string]: unknown };
            };
        };
        TenantReceived: {
            content: {
                "application/json": {
                    credentialIds: components["schemas"]["Target"][];
                    deferredTransactionIds: {
                        [key: string]: string;
                    };
                    deferredCredentials?: components["schemas"]["DeferredOfSelection"][];
                };
            };
        };
        TenantProfile: {
            content: {
                "application/json": components["schemas"]["IssuanceProfile"];
            };
        };
        AuditPage: {
            content: {
                "application/json": components["schemas"]["AuditPage"];
            };
        };
        AuditLines: {
            content: {
                "application/x-ndjson": components["schemas"]["AuditEvent"][];
            };
        };
        AuditCheck: {
            content: {
                "application/json": components["schemas"]["AuditCheck"];
            };
        };
        SignInRedirect: {
        };
        PostedAnswer: {
            content: {
                "text/html": string;
            };
        };
        NotModified: {
        };
    };
    parameters: {
        WalletId: components["schemas"]["Uuid"];
        KeyId: string;
        WalletCredentialId: string;
        CategoryName: components["schemas"]["CategoryName"];
        WalletIssuerName: string;
        StoreKind: "keys" | "credentials" | "dids";
        StoreId: components["schemas"]["StoreId"];
        DidOfPath: string;
        LinkedWallet: components["schemas"]["Uuid"];
        StatusCallbackUri: string;
        SessionTtl: string;
        Openid4vciAuthorization: string;
        Openid4vciDpop: string;
        Openid4vciClientAttestation: string;
        Openid4vciClientAttestationPop: string;
        VerificationState: string;
        SessionId: string;
        RequestId: string;
        ListId: components["schemas"]["Uuid"];
        EntryIndex: string;
        Type: string;
        Target: components["schemas"]["Target"];
        ServiceApi: string;
        Limit: string;
        Offset: string;
        Sort: "createdDateTime"
            | "createdDateTime-"
            | "createdDateTime+"
            | "updatedDateTime"
            | "updatedDateTime-"
            | "updatedDateTime+";
        SourceId: components["schemas"]["TargetSegment"];
        AttestationId: string;
        AskedAction: string;
        AskedAccount: components["schemas"]["Uuid"];
        TypeId: components["schemas"]["CredentialTypeId"];
        IssuedId: string;
        AfterEvent: string;
        EventOrder: "newest" | "oldest";
        EventAction: string;
        EventAccount: string;
        EventOutcome: "begun" | "succeeded" | "refused" | "failed" | "ended";
        EventsFrom: components["schemas"]["DateTime"];
        EventsTo: components["schemas"]["DateTime"];
        Subtree: "true" | "false";
        SignIn: string;
        Cookies: string;
        Languages: string;
        ClientAuthorization: string;
        AcceptEncoding: string;
        IfNoneMatch: string;
    };
    requestBodies: {
        CertificateLogin: {
            content: {
                "application/json": components["schemas"]["CertificateCredentials"];
            };
        };
        AnyLogin: {
            content: {
                "application/json": components["schemas"]["LoginCredentials"];
            };
        };
        OfferLink: {
            content: {
                "text/plain": components["schemas"]["Link"];
                "application/json": components["schemas"]["Link"];
            };
        };
        RequestLink: {
            content: {
                "text/plain": components["schemas"]["Link"];
                "application/json": components["schemas"]["Link"];
            };
        };
        RegistrationToken: {
            content: {
                "text/plain": components["schemas"]["RegistrationToken"];
                "application/json": {
                    token: components["schemas"]["RegistrationToken"];
                } | components["schemas"]["RegistrationToken"];
            };
        };
        EnterpriseLogin: {
            content: {
                "application/json": components["schemas"]["EnterpriseCredentials"];
            };
        };
        NewOrganization: {
            content: {
                "application/json": {
                    _id: components["schemas"]["TargetSegment"];
                    profile?: components["schemas"]["FreeObject"];
                };
            };
        };
        NewEnterpriseAccount: {
            content: {
                "application/json": {
                    profile?: components["schemas"]["FreeObject"];
                    preferences?: components["schemas"]["FreeObject"];
                    initialAuth: {
                        type: "email";
                        identifier: {
                            type?: "email";
                            email: string;
                        };
                        data: {
                            type?: "email";
                            password: string;
                        };
                    };
                };
            };
        };
        NewRole: {
            content: {
                "application/json": {
                    name: string;
                    permissions: components["schemas"]["Permission"][];
                };
            };
        };
        NewTenant: {
            content: {
                "application/json": {
                    name?: string;
                };
            };
        };
        NewService: {
            content: {
                "application/json": components["schemas"]["WrittenService"];
            };
        };
        NewServices: {
            content: {
                "application/json": {
                    wallet?: components["schemas"]["WrittenWallet"];
                    services?: {
                        [key: string]: components["schemas"]["WrittenService"];
                    };
                };
            };
        };
        Dependency: {
            content: {
                "text/plain": components["schemas"]["Target"];
                "application/json": {
                    dependency: components["schemas"]["Target"];
                } | components["schemas"]["Target"];
            };
        };
        NewKey: {
            content: {
                "application/json": {
                    backend?: Defaulted<string>;
                    keyType?: components["schemas"]["KeyType"];
                    config?: components["schemas"]["FreeObject"];
                };
            };
        };
        NewDid: {
            content: {
                "application/json": {
                    did: string;
                    document?: components["schemas"]["FreeObject"];
                };
            };
        };
        NewCredential: {
            content: {
                "application/json": {
                    credential: components["schemas"]["StoredCredential"];
                };
            };
        };
        PrivateJwk: {
            content: {
                "application/json": {
                    kty: string;
                } & { [key: string]: unknown };
            };
        };
        ContentToSign: {
            content: {
                "application/json": unknown;
            };
        };
        NewTenantDid: {
            content: {
                "application/json": {
                    method: "key" | "jwk" | "web";
                    key: components["schemas"]["Target"];
                    config?: components["schemas"]["FreeObject"];
                };
            };
        };
        NewStoredPolicy: {
            content: {
                "application/json": components["schemas"]["WrittenPolicy"];
            };
        };
        NewNamedPolicy: {
            content: {
                "application/json": components["schemas"]["WrittenNamedPolicy"];
            };
        };
        TenantOffer: {
            content: {
                "application/json": components["schemas"]["TenantOfferToReceive"];
            };
        };
        OwnProfile: {
            content: {
                "application/json": {
                    profile: components["schemas"]["FreeObject"];
                };
            };
        };
        AccountLogin: {
            content: {
                "application/json": components["schemas"]["EnterpriseCredentials"];
            };
        };
        NewApiKey: {
            content: {
                "application/json": {
                    name: string;
                    role?: components["schemas"]["Target"];
                    permissions?: components["schemas"]["Permission"][];
                    expiresDateTime?: string;
                };
            };
        };
        NewInvitation: {
            content: {
                "application/json": {
                    email: string;
                    role: components["schemas"]["Target"];
                    expiresInSeconds?: Defaulted<number>;
                };
            };
        };
        InvitationAcceptance: {
            content: {
                "application/json": {
                    token: string;
                    password: components["schemas"]["NewPassword"];
                    code?: string;
                    profile?: components["schemas"]["FreeObject"];
                };
            };
        };
        SecondFactorOwner: {
            content: {
                "application/json": {
                    email: string;
                    password: string;
                };
            };
        };
        SecondFactorCode: {
            content: {
                "application/json": {
                    email: string;
                    password: string;
                    code: string;
                };
            };
        };
        PasswordChange: {
            content: {
                "application/json": {
                    current: string;
                    new: components["schemas"]["NewPassword"];
                };
            };
        };
        PasswordResetRequest: {
            content: {
                "application/json": {
                    token: string;
                    password: components["schemas"]["NewPassword"];
                };
            };
        };
        RoleReplacement: {
            content: {
                "application/json": {
                    name: string;
                    permissions: components["schemas"]["Permission"][];
                };
            };
        };
        NewHostAlias: {
            content: {
                "application/json": {
                    domain: components["schemas"]["DomainName"];
                };
            };
        };
        TenantProfile: {
            content: {
                "application/json": components["schemas"]["WrittenProfile"];
            };
        };
        NewSavedCheck: {
            content: {
                "application/json": {
                    name: string;
                    description?: string;
                    purpose?: components["schemas"]["CheckPurpose"];
                    setup: components["schemas"]["VerificationSessionSetup"];
                };
            };
        };
    };
}
interface own {
    registerWithCertificate: {
        requestBody: components["requestBodies"]["CertificateLogin"];
        responses: {
            201: components["responses"]["Registered"];
        };
    };
    loginWithCertificate: {
        requestBody: components["requestBodies"]["CertificateLogin"];
        responses: {
            200: components["responses"]["LoggedIn"];
        };
    };
    logoutWithCertificate: {
        responses: {
            200: components["responses"]["LoggedOut"];
        };
    };
    createLoginNonce: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["LoginNonce"];
                };
            };
        };
    };
    registerAccount: {
        requestBody: components["requestBodies"]["AnyLogin"];
        responses: {
            201: components["responses"]["Registered"];
        };
    };
    loginAccount: {
        requestBody: components["requestBodies"]["AnyLogin"];
        responses: {
            200: components["responses"]["LoggedInEither"];
        };
    };
    logoutAccount: {
        responses: {
            200: components["responses"]["LoggedOut"];
        };
    };
    getLoginSession: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["LoginSession"];
                };
            };
        };
    };
    getUserInfo: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WalletAccount"];
                };
            };
        };
    };
    listAccountWallets: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AccountWallets"];
                };
            };
        };
    };
    listWalletKeys: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WalletKey"][];
                };
            };
        };
    };
    generateWalletKey: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WalletKeyRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    importWalletKey: {
        parameters: {
            query?: {
                alias?: string;
            };
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "text/plain": components["schemas"]["KeyText"];
                "application/json": components["schemas"]["KeyText"];
            };
        };
        responses: {
            201: {
                content: {
                    "text/plain": string;
                };
            };
            415: {
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyWithWalletKey: {
        parameters: {
            query: {
                JWK: string;
            };
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "text/plain": components["schemas"]["Jws"];
                "application/json": components["schemas"]["Jws"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": boolean;
                };
            };
        };
    };
    deleteWalletKey: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                keyId: components["parameters"]["KeyId"];
            };
        };
        responses: {
            202: {
            };
        };
    };
    loadWalletKey: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                keyId: components["parameters"]["KeyId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": { [key: string]: unknown };
                };
            };
        };
    };
    describeWalletKey: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                keyId: components["parameters"]["KeyId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WalletKeyFacts"];
                };
            };
        };
    };
    exportWalletKey: {
        parameters: {
            query?: {
                format?: "JWK" | "PEM";
                loadPrivateKey?: boolean;
            };
            path: {
                wallet: components["parameters"]["WalletId"];
                keyId: components["parameters"]["KeyId"];
            };
        };
        responses: {
            200: {
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    removeWalletKey: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                keyId: components["parameters"]["KeyId"];
            };
        };
        responses: {
            202: {
            };
        };
    };
    signWithWalletKey: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                keyId: string;
            };
        };
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            200: {
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    listWalletDids: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WalletDid"][];
                };
            };
        };
    };
    createWalletDid: {
        parameters: {
            query?: {
                keyId?: string;
                alias?: string;
                useJwkJcsPub?: boolean;
                domain?: string;
                path?: string;
                network?: string;
            };
            path: {
                wallet: components["parameters"]["WalletId"];
                method: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    importWalletDid: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DidToImport"];
            };
        };
        responses: {
            200: {
                content: {
                    "text/plain": string;
                };
            };
            415: {
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setDefaultWalletDid: {
        parameters: {
            query: {
                did: string;
            };
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        responses: {
            202: {
            };
        };
    };
    getWalletDid: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                did: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": { [key: string]: unknown };
                };
            };
        };
    };
    deleteWalletDid: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                did: string;
            };
        };
        responses: {
            202: {
            };
        };
    };
    listPublishedDids: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": string[];
                };
            };
        };
    };
    getPublishedDid: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": { [key: string]: unknown };
                };
            };
        };
    };
    listWalletCredentials: {
        parameters: {
            query?: {
                category?: components["schemas"]["CategoryName"][];
                showDeleted?: boolean;
                showPending?: boolean;
                sortBy?: "addedOn";
                descending?: boolean;
                limit?: number;
                after?: components["schemas"]["DateTime"];
            };
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        responses: {
            200: components["responses"]["WalletCredentials"];
        };
    };
    getWalletCredential: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                credentialId: components["parameters"]["WalletCredentialId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WalletCredential"];
                };
            };
        };
    };
    deleteWalletCredential: {
        parameters: {
            query?: {
                permanent?: boolean;
            };
            path: {
                wallet: components["parameters"]["WalletId"];
                credentialId: components["parameters"]["WalletCredentialId"];
            };
        };
        responses: {
            202: {
            };
        };
    };
    importWalletCredential: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CredentialImport"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["WalletCredential"];
                };
            };
        };
    };
    acceptWalletCredential: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                credentialId: components["parameters"]["WalletCredentialId"];
            };
        };
        responses: {
            202: {
            };
        };
    };
    rejectWalletCredential: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                credentialId: components["parameters"]["WalletCredentialId"];
            };
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CredentialRejection"];
            };
        };
        responses: {
            202: {
            };
        };
    };
    restoreWalletCredential: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                credentialId: components["parameters"]["WalletCredentialId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WalletCredential"];
                };
            };
        };
    };
    getWalletCredentialStatus: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                credentialId: components["parameters"]["WalletCredentialId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CredentialStatus"][];
                };
            };
        };
    };
    addWalletCredentialCategories: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                credentialId: components["parameters"]["WalletCredentialId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CategoryNames"];
            };
        };
        responses: {
            201: {
            };
        };
    };
    removeWalletCredentialCategories: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                credentialId: components["parameters"]["WalletCredentialId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CategoryNames"];
            };
        };
        responses: {
            202: {
            };
        };
    };
    listWalletCategories: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WalletCategory"][];
                };
            };
        };
    };
    addWalletCategory: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                name: components["parameters"]["CategoryName"];
            };
        };
        responses: {
            201: {
            };
        };
    };
    deleteWalletCategory: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                name: components["parameters"]["CategoryName"];
            };
        };
        responses: {
            202: {
            };
        };
    };
    renameWalletCategory: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                name: components["parameters"]["CategoryName"];
                newName: components["schemas"]["CategoryName"];
            };
        };
        responses: {
            202: {
            };
        };
    };
    getWalletManifest: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                credentialId: components["parameters"]["WalletCredentialId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Manifest"];
                };
            };
            204: {
            };
        };
    };
    getWalletManifestDisplay: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                credentialId: components["parameters"]["WalletCredentialId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ManifestDisplay"];
                };
            };
            204: {
            };
        };
    };
    getWalletManifestIssuer: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                credentialId: components["parameters"]["WalletCredentialId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ManifestIssuer"];
                };
            };
            204: {
            };
        };
    };
    extractManifest: {
        parameters: {
            query: {
                offer: string;
            };
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Manifest"];
                };
            };
            204: {
            };
        };
    };
    resolveCredentialOffer: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: components["requestBodies"]["OfferLink"];
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ResolvedOffer"];
                };
            };
        };
    };
    acceptCredentialOffer: {
        parameters: {
            query?: {
                did?: string;
                requireUserInput?: boolean;
                pinOrTxCode?: string;
            };
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: components["requestBodies"]["OfferLink"];
        responses: {
            200: components["responses"]["WalletCredentials"];
        };
    };
    beginOfferAuthorization: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewOfferAuthorization"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BegunOfferAuthorization"];
                };
            };
        };
    };
    finishOfferAuthorization: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OfferAuthorizationResponse"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WalletCredential"][];
                };
            };
        };
    };
    listDeferredCredentials: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DeferredCredential"][];
                };
            };
        };
    };
    collectDeferredCredential: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        credentials: components["schemas"]["WalletCredential"][];
                        pending?: components["schemas"]["DeferredCredential"];
                    };
                };
            };
        };
    };
    abandonDeferredCredential: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                id: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    renewWalletCredential: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                credentialId: components["parameters"]["WalletCredentialId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WalletCredential"];
                };
            };
        };
    };
    returnFromIssuer: {
        parameters: {
            query: {
                state: string;
                code?: string;
                iss?: string;
                error?: string;
                error_description?: string;
            };
        };
        responses: {
            302: {
            };
        };
    };
    resolveIssuerMetadata: {
        parameters: {
            query: {
                issuer: string;
            };
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        issuerProof: components["schemas"]["IssuerProof"];
                    } & { [key: string]: unknown };
                };
            };
        };
    };
    resolvePresentationRequest: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: components["requestBodies"]["RequestLink"];
        responses: {
            200: {
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    describePresentationRequest: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: components["requestBodies"]["RequestLink"];
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RequestDescription"];
                };
            };
        };
    };
    declinePresentationRequest: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    presentationRequest: string;
                    note?: string;
                };
            };
        };
        responses: {
            200: components["responses"]["VerifierReply"];
        };
    };
    matchWalletCredentials: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": { [key: string]: unknown };
            };
        };
        responses: {
            200: components["responses"]["WalletCredentials"];
        };
    };
    listMissingCredentials: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": { [key: string]: unknown };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        credential: string;
                        filters: {
                            path: string[];
                            type?: string;
                            pattern: string;
                        }[];
                    }[];
                };
            };
        };
    };
    matchRequestedCredentials: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: components["requestBodies"]["RequestLink"];
        responses: {
            200: components["responses"]["WalletCredentials"];
        };
    };
    presentCredentials: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WalletPresentation"];
            };
        };
        responses: {
            200: components["responses"]["VerifierReply"];
        };
    };
    describePageRequest: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PageRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RequestDescription"];
                };
            };
        };
    };
    answerPageRequest: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PageAnswer"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        protocol: components["schemas"]["PageProtocol"];
                        data: { [key: string]: unknown };
                    };
                };
            };
        };
    };
    prepareExternalPresentation: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewExternalPresentation"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PreparedExternalPresentation"];
                };
            };
        };
    };
    submitExternalPresentation: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignedExternalPresentation"];
            };
        };
        responses: {
            200: components["responses"]["VerifierReply"];
        };
    };
    prepareExternalOffer: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewExternalOffer"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PreparedExternalOffer"];
                };
            };
        };
    };
    submitExternalOffer: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignedExternalOffer"];
            };
        };
        responses: {
            200: components["responses"]["WalletCredentials"];
        };
    };
    listTransactionDataProfiles: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TransactionDataProfile"][];
                };
            };
        };
    };
    listWalletEvents: {
        parameters: {
            query?: {
                limit?: number;
                filter?: string[];
                startingAfter?: string;
                sortBy?: string;
                sortOrder?: string;
            };
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WalletEventPage"];
                };
            };
        };
    };
    deleteWalletEvent: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                id: string;
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": number;
                };
            };
        };
    };
    listWalletHistory: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WalletOperation"][];
                };
            };
        };
    };
    getWalletSettings: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        settings: { [key: string]: unknown };
                    };
                };
            };
        };
    };
    setWalletSettings: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": { [key: string]: unknown };
            };
        };
        responses: {
            202: {
            };
        };
    };
    listWalletIssuers: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WalletIssuer"][];
                };
            };
        };
    };
    addWalletIssuer: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string;
                    uiEndpoint?: string;
                    configurationEndpoint?: string;
                };
            };
        };
        responses: {
            201: {
            };
        };
    };
    getWalletIssuer: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                issuer: components["parameters"]["WalletIssuerName"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WalletIssuer"];
                };
            };
        };
    };
    authorizeWalletIssuer: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                issuer: components["parameters"]["WalletIssuerName"];
            };
        };
        responses: {
            202: {
            };
        };
    };
    listIssuerCredentials: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                issuer: components["parameters"]["WalletIssuerName"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        issuer: components["schemas"]["WalletIssuer"];
                        credentials: {
                            id: string;
                            format: string;
                            types: string[];
                        }[];
                    };
                };
            };
        };
    };
    listFrequentCredentials: {
        parameters: {
            query?: {
                limit?: number;
            };
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        responses: {
            200: components["responses"]["WalletCredentials"];
        };
    };
    resolveTypeMetadata: {
        parameters: {
            query: {
                vct: string;
                "vct#integrity"?: string;
            };
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": { [key: string]: unknown };
                };
            };
        };
    };
    listRejectionReasons: {
        responses: {
            200: {
                content: {
                    "application/json": string[];
                };
            };
        };
    };
    parseMdoc: {
        requestBody: {
            content: {
                "text/plain": string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": { [key: string]: unknown };
                };
            };
        };
    };
    listWallets: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Uuid"][];
                };
            };
        };
    };
    createWallet: {
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewWallet"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["CreatedWallet"];
                };
            };
        };
    };
    describeWallet: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WalletDescription"];
                };
            };
        };
    };
    deleteWallet: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        responses: {
            204: {
            };
        };
    };
    listNamedStores: {
        parameters: {
            path: {
                kind: components["parameters"]["StoreKind"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": string[];
                };
            };
        };
    };
    createNamedStore: {
        parameters: {
            path: {
                kind: components["parameters"]["StoreKind"];
                storeId: components["parameters"]["StoreId"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["CreatedStore"];
                };
            };
        };
    };
    listWallet2Keys: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["KeyOfWallet"][];
                };
            };
        };
    };
    generateWallet2Key: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewKey"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["CreatedKey"];
                };
            };
        };
    };
    importWallet2Key: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyToImport"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["CreatedKey"];
                };
            };
        };
    };
    getWallet2Key: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                keyId: components["parameters"]["KeyId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CreatedKey"];
                };
            };
        };
    };
    deleteWallet2Key: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                keyId: components["parameters"]["KeyId"];
            };
        };
        responses: {
            204: {
            };
        };
    };
    setDefaultWallet2Key: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                keyId: components["parameters"]["KeyId"];
            };
        };
        responses: {
            204: {
            };
        };
    };
    listWallet2Dids: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DidOfWallet"][];
                };
            };
        };
    };
    createWallet2Did: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDid"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["DidOfWallet"];
                };
            };
        };
    };
    importWallet2Did: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeldDid"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["DidOfWallet"];
                };
            };
        };
    };
    getWallet2Did: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                did: components["parameters"]["DidOfPath"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DidOfWallet"];
                };
            };
        };
    };
    deleteWallet2Did: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                did: components["parameters"]["DidOfPath"];
            };
        };
        responses: {
            204: {
            };
        };
    };
    setDefaultWallet2Did: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                did: components["parameters"]["DidOfPath"];
            };
        };
        responses: {
            204: {
            };
        };
    };
    listWallet2Credentials: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CredentialEntry"][];
                };
            };
        };
    };
    importWallet2Credential: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CredentialToImport"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["CredentialOfWallet"];
                };
            };
        };
    };
    getWallet2Credential: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                credentialId: components["parameters"]["WalletCredentialId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CredentialOfWallet"];
                };
            };
        };
    };
    deleteWallet2Credential: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                credentialId: components["parameters"]["WalletCredentialId"];
            };
        };
        responses: {
            204: {
            };
        };
    };
    registerWallet2Account: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailLogin"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["CreatedAccount"];
                };
            };
        };
    };
    loginWallet2Account: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailLogin"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SessionStart"];
                };
            };
        };
    };
    logoutWallet2Account: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SessionEnd"];
                };
            };
        };
    };
    getWallet2Account: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AccountOfWallets"];
                };
            };
        };
    };
    listWallet2AccountWallets: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Uuid"][];
                };
            };
        };
    };
    linkWallet2AccountWallet: {
        parameters: {
            path: {
                walletId: components["parameters"]["LinkedWallet"];
            };
        };
    };
    receiveCredentials: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OfferToReceive"];
            };
        };
        responses: {
            200: components["responses"]["ReceivedCredentials"];
        };
    };
    resolveOffer: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OfferToResolve"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ResolvedCredentialOffer"];
                };
            };
        };
    };
    resolveOfferBatch: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OfferToResolve"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        offer: components["schemas"]["ResolvedCredentialOffer"];
                        batchSize?: number;
                    };
                };
            };
        };
    };
    requestToken: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenToRequest"];
            };
        };
        responses: {
            200: components["responses"]["StepToken"];
        };
    };
    requestNonce: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    credentialIssuer: components["schemas"]["IssuerIdentifier"];
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        nonce?: string;
                    };
                };
            };
        };
    };
    signProof: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProofToSign"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        proofJwt: string;
                    };
                };
            };
        };
    };
    fetchCredential: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CredentialToFetch"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        rawCredentials: string[];
                        transactionId?: string;
                    };
                };
            };
            400: {
                content: {
                    "application/json": components["schemas"]["Problem"] | components["schemas"]["RefusedNonce"];
                };
            };
        };
    };
    resumePendingCredential: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
                pendingId: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        type: "stored";
                        credentialIds: string[];
                    } | {
                        type: "deferred";
                        storedCredentialIds: string[];
                        credentials: components["schemas"]["PendingCredential"][];
                    };
                };
            };
        };
    };
    listPendingCredentials: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PendingCredential"][];
                };
            };
        };
    };
    collectDeferred: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeferredToCollect"];
            };
        };
        responses: {
            200: components["responses"]["ReceivedCredentials"];
        };
    };
    createAuthorizationUrl: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginToBegin"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BegunLogin"];
                };
            };
        };
    };
    createAuthorizationUrlBatch: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchLoginToBegin"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BegunBatchLogin"];
                };
            };
        };
    };
    exchangeCode: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CodeToExchange"];
            };
        };
        responses: {
            200: components["responses"]["StepToken"];
        };
    };
    receiveAuthorized: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthorizedOffer"];
            };
        };
        responses: {
            200: components["responses"]["ReceivedCredentials"];
        };
    };
    receiveAuthorizedBatch: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthorizedSelection"];
            };
        };
        responses: {
            200: components["responses"]["ReceivedCredentials"];
        };
    };
    presentToVerifier: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestToAnswer"];
            };
        };
        responses: {
            200: components["responses"]["PresentationResult"];
        };
    };
    presentGivenCredentials: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestWithCredentials"];
            };
        };
        responses: {
            200: components["responses"]["PresentationResult"];
        };
    };
    resolveRequest: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestToResolve"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ResolvedVerifierRequest"];
                };
            };
        };
    };
    matchGivenCredentials: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    dcqlQuery: components["schemas"]["WalletDcqlQuery"];
                    credentials: components["schemas"]["GivenCredentials"];
                };
            };
        };
        responses: {
            200: components["responses"]["MatchedCredentials"];
        };
    };
    matchStoredCredentials: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    dcqlQuery: components["schemas"]["WalletDcqlQuery"];
                };
            };
        };
        responses: {
            200: components["responses"]["MatchedCredentials"];
        };
    };
    previewRequest: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestToResolve"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RequestPreview"];
                };
            };
        };
    };
    buildVpToken: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SelectionToBuild"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        vpToken: string;
                        idToken?: string;
                    };
                };
            };
        };
    };
    sendResponse: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResponseToSend"];
            };
        };
        responses: {
            200: components["responses"]["PresentationResult"];
        };
    };
    rejectRequest: {
        parameters: {
            path: {
                wallet: components["parameters"]["WalletId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestToReject"];
            };
        };
        responses: {
            200: components["responses"]["PresentationResult"];
        };
    };
    onboardIssuer: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["OnboardingRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OnboardingResult"];
                };
            };
        };
    };
    onboardIaca: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["IacaRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["IacaResult"];
                };
            };
        };
    };
    onboardDocumentSigner: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignerRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SignerResult"];
                };
            };
        };
    };
    issueJwtCredential: {
        parameters: {
            header?: {
                statusCallbackUri?: components["parameters"]["StatusCallbackUri"];
                sessionTtl?: components["parameters"]["SessionTtl"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssuanceRequest"];
            };
        };
        responses: {
            200: components["responses"]["OfferUrl"];
        };
    };
    issueJwtCredentialBatch: {
        parameters: {
            header?: {
                statusCallbackUri?: components["parameters"]["StatusCallbackUri"];
                sessionTtl?: components["parameters"]["SessionTtl"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssuanceRequest"][];
            };
        };
        responses: {
            200: components["responses"]["OfferUrl"];
        };
    };
    issueSdJwtCredential: {
        parameters: {
            header?: {
                statusCallbackUri?: components["parameters"]["StatusCallbackUri"];
                sessionTtl?: components["parameters"]["SessionTtl"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssuanceRequest"];
            };
        };
        responses: {
            200: components["responses"]["OfferUrl"];
        };
    };
    issueSdJwtCredentialBatch: {
        parameters: {
            header?: {
                statusCallbackUri?: components["parameters"]["StatusCallbackUri"];
                sessionTtl?: components["parameters"]["SessionTtl"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssuanceRequest"][];
            };
        };
        responses: {
            200: components["responses"]["OfferUrl"];
        };
    };
    issueMdoc: {
        parameters: {
            header?: {
                statusCallbackUri?: components["parameters"]["StatusCallbackUri"];
                sessionTtl?: components["parameters"]["SessionTtl"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssuanceRequest"];
            };
        };
        responses: {
            200: components["responses"]["OfferUrl"];
        };
    };
    issueMdocBatch: {
        parameters: {
            header?: {
                statusCallbackUri?: components["parameters"]["StatusCallbackUri"];
                sessionTtl?: components["parameters"]["SessionTtl"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssuanceRequest"][];
            };
        };
        responses: {
            200: components["responses"]["OfferUrl"];
        };
    };
    signJwtCredential: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["SigningRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    getCredentialOffer: {
        parameters: {
            query: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["IssuerOffer"];
                };
            };
        };
    };
    requestAccessToken: {
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["IssuanceTokenRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["IssuanceTokenResponse"];
                };
            };
        };
    };
    requestCredential: {
        parameters: {
            header?: {
                Authorization?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CredentialRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CredentialResponse"];
                };
            };
        };
    };
    requestCredentialBatch: {
        parameters: {
            header?: {
                Authorization?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchCredentialRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BatchCredentialResponse"];
                };
            };
        };
    };
    requestDeferredCredential: {
        parameters: {
            header?: {
                Authorization?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeferredCredentialRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CredentialResponse"];
                };
            };
        };
    };
    notifyIssuer: {
        parameters: {
            header?: {
                Authorization?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationRequest"];
            };
        };
        responses: {
            204: {
            };
        };
    };
    getIssuerKeys: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["IssuerKeySet"];
                };
            };
        };
    };
    getIssuerMetadata: {
        responses: {
            200: components["responses"]["IssuerMetadata"];
        };
    };
    getIssuerMetadataOfHost: {
        responses: {
            200: components["responses"]["IssuerMetadata"];
        };
    };
    getAuthorizationServerMetadata: {
        responses: {
            200: components["responses"]["AuthorizationServerMetadata"];
        };
    };
    getAuthorizationServerMetadataOfHost: {
        responses: {
            200: components["responses"]["AuthorizationServerMetadata"];
        };
    };
    getOpenidConfiguration: {
        responses: {
            200: components["responses"]["OpenidConfiguration"];
        };
    };
    getOpenidConfigurationOfHost: {
        responses: {
            200: components["responses"]["OpenidConfiguration"];
        };
    };
    getJwtVcIssuerMetadata: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["JwtVcIssuerMetadata"];
                };
            };
        };
    };
    requestAuthorization: {
        parameters: {
            query?: {
                response_type?: string;
                client_id?: string;
                redirect_uri?: string;
                response_mode?: string;
                scope?: string;
                state?: string;
                issuer_state?: string;
                authorization_details?: string;
                client_metadata?: string;
                code_challenge?: string;
                code_challenge_method?: string;
                resource?: string;
                request?: string;
                request_uri?: string;
            };
        };
        responses: {
            302: components["responses"]["LoginRedirect"];
        };
    };
    pushAuthorization: {
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["PushedAuthorization"];
            };
        };
        responses: {
            201: components["responses"]["PushedReference"];
        };
    };
    answerLogin: {
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["LoginAnswer"];
            };
        };
        responses: {
            302: components["responses"]["LoginRedirect"];
        };
    };
    requestDraft11Authorization: {
        parameters: {
            query?: {
                response_type?: string;
                client_id?: string;
                redirect_uri?: string;
                response_mode?: string;
                scope?: string;
                state?: string;
                issuer_state?: string;
                authorization_details?: string;
                client_metadata?: string;
                code_challenge?: string;
                code_challenge_method?: string;
                resource?: string;
                request?: string;
                request_uri?: string;
            };
        };
        responses: {
            302: components["responses"]["LoginRedirect"];
        };
    };
    pushDraft11Authorization: {
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["PushedAuthorization"];
            };
        };
        responses: {
            201: components["responses"]["PushedReference"];
        };
    };
    answerDraft11Login: {
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["LoginAnswer"];
            };
        };
        responses: {
            302: components["responses"]["LoginRedirect"];
        };
    };
    finishExternalLogin: {
        parameters: {
            query?: {
                state?: string;
                code?: string;
                error?: string;
            };
        };
        responses: {
            302: components["responses"]["LoginRedirect"];
        };
    };
    getDraft11Offer: {
        parameters: {
            query: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Draft11Offer"];
                };
            };
        };
    };
    requestDraft11Token: {
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["Draft11TokenRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Draft11TokenResponse"];
                };
            };
        };
    };
    requestDraft11Credential: {
        parameters: {
            header?: {
                Authorization?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Draft11CredentialRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Draft11CredentialResponse"];
                };
            };
        };
    };
    requestDraft11CredentialBatch: {
        parameters: {
            header?: {
                Authorization?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    credential_requests: components["schemas"]["Draft11CredentialRequest"][];
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        credential_responses: components["schemas"]["Draft11CredentialResponse"][];
                        c_nonce?: string;
                        c_nonce_expires_in?: number;
                    };
                };
            };
        };
    };
    requestDraft11DeferredCredential: {
        parameters: {
            header?: {
                Authorization?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Draft11CredentialResponse"];
                };
            };
        };
    };
    listDraft11Keys: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["IssuerKeySet"];
                };
            };
        };
    };
    getDraft11IssuerMetadata: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Draft11IssuerMetadata"];
                };
            };
        };
    };
    getDraft11ServerMetadata: {
        responses: {
            200: components["responses"]["AuthorizationServerMetadata"];
        };
    };
    getDraft11ServerMetadataOfHost: {
        responses: {
            200: components["responses"]["AuthorizationServerMetadata"];
        };
    };
    getDraft11OpenidConfiguration: {
        responses: {
            200: components["responses"]["OpenidConfiguration"];
        };
    };
    getDraft11JwtVcIssuer: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["JwtVcIssuerMetadata"];
                };
            };
        };
    };
    getOpenid4vciIssuerMetadata: {
        parameters: {
            header?: {
                Accept?: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Openid4vciIssuerMetadata"];
                    "application/jwt": string;
                };
            };
        };
    };
    getOpenid4vciServerMetadata: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AuthorizationServerMetadata"];
                };
            };
        };
    };
    getOpenid4vciJwtVcIssuer: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["JwtVcIssuerMetadata"];
                };
            };
        };
    };
    listOpenid4vciKeys: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["IssuerKeySet"];
                };
            };
        };
    };
    getOpenid4vciOffer: {
        parameters: {
            query: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Openid4vciOffer"];
                };
            };
        };
    };
    pushOpenid4vciAuthorization: {
        parameters: {
            header?: {
                DPoP?: components["parameters"]["Openid4vciDpop"];
                "OAuth-Client-Attestation"?: components["parameters"]["Openid4vciClientAttestation"];
                "OAuth-Client-Attestation-PoP"?: components["parameters"]["Openid4vciClientAttestationPop"];
            };
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["Openid4vciPushedRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Openid4vciPushedResponse"];
                };
            };
        };
    };
    authorizeOpenid4vci: {
        parameters: {
            query?: {
                response_type?: string;
                client_id?: string;
                redirect_uri?: string;
                response_mode?: string;
                scope?: string;
                state?: string;
                issuer_state?: string;
                authorization_details?: string;
                code_challenge?: string;
                code_challenge_method?: string;
                resource?: string;
                dpop_jkt?: string;
                request?: string;
                request_uri?: string;
            };
        };
        responses: {
            302: {
            };
        };
    };
    requestOpenid4vciToken: {
        parameters: {
            header?: {
                DPoP?: components["parameters"]["Openid4vciDpop"];
                "OAuth-Client-Attestation"?: components["parameters"]["Openid4vciClientAttestation"];
                "OAuth-Client-Attestation-PoP"?: components["parameters"]["Openid4vciClientAttestationPop"];
            };
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["Openid4vciTokenRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Openid4vciTokenResponse"];
                };
            };
        };
    };
    requestOpenid4vciNonce: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Openid4vciNonceResponse"];
                };
            };
        };
    };
    requestOpenid4vciChallenge: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Openid4vciChallengeResponse"];
                };
            };
        };
    };
    requestOpenid4vciCredential: {
        parameters: {
            header?: {
                Authorization?: components["parameters"]["Openid4vciAuthorization"];
                DPoP?: components["parameters"]["Openid4vciDpop"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Openid4vciCredentialRequest"];
                "application/jwt": string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Openid4vciCredentialResponse"];
                    "application/jwt": string;
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["Openid4vciDeferredResponse"];
                    "application/jwt": string;
                };
            };
        };
    };
    requestOpenid4vciDeferredCredential: {
        parameters: {
            header?: {
                Authorization?: components["parameters"]["Openid4vciAuthorization"];
                DPoP?: components["parameters"]["Openid4vciDpop"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Openid4vciDeferredRequest"];
                "application/jwt": string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Openid4vciCredentialResponse"];
                    "application/jwt": string;
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["Openid4vciDeferredResponse"];
                    "application/jwt": string;
                };
            };
        };
    };
    notifyOpenid4vciIssuer: {
        parameters: {
            header?: {
                Authorization?: components["parameters"]["Openid4vciAuthorization"];
                DPoP?: components["parameters"]["Openid4vciDpop"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Openid4vciNotification"];
            };
        };
        responses: {
            204: {
            };
        };
    };
    listIssuanceProfiles: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["IssuanceProfile"][];
                };
            };
        };
    };
    getIssuanceProfile: {
        parameters: {
            path: {
                profileId: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["IssuanceProfile"];
                };
            };
        };
    };
    getAttributeTable: {
        parameters: {
            path: {
                tableId: string;
            };
        };
        responses: {
            200: components["responses"]["AttributeTable"];
        };
    };
    replaceAttributeTable: {
        parameters: {
            query?: {
                key?: string;
            };
            path: {
                tableId: string;
            };
        };
        requestBody: {
            content: {
                "text/csv": string;
            };
        };
        responses: {
            200: components["responses"]["AttributeTable"];
        };
    };
    deleteAttributeTable: {
        parameters: {
            path: {
                tableId: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    createCredentialOffer: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CredentialOfferRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["CreatedCredentialOffer"];
                };
            };
        };
    };
    createCredentialOffersInBulk: {
        requestBody: {
            content: {
                "application/x-ndjson": components["schemas"]["CredentialOfferRequest"][];
            };
        };
        responses: {
            200: {
                content: {
                    "application/x-ndjson": components["schemas"]["BulkOfferLine"][];
                };
            };
        };
    };
    listIssuanceSessions: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
                sort?: components["parameters"]["Sort"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["IssuanceSession"][];
                };
            };
        };
    };
    getIssuanceSession: {
        parameters: {
            path: {
                sessionId: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["IssuanceSession"];
                };
            };
        };
    };
    deleteIssuanceRecipient: {
        parameters: {
            path: {
                sessionId: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    streamIssuanceSessionEvents: {
        parameters: {
            query?: {
                lastEventId?: components["schemas"]["EventNumber"];
            };
            header?: {
                "Last-Event-ID"?: components["schemas"]["EventNumber"];
            };
            path: {
                sessionId: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    startVerification: {
        parameters: {
            header?: {
                authorizeBaseUrl?: string;
                responseMode?: string;
                successRedirectUri?: string;
                errorRedirectUri?: string;
                statusCallbackUri?: string;
                statusCallbackApiKey?: string;
                stateId?: string;
                openId4VPProfile?: string;
                presentationDefinitionByValue?: "true" | "false";
                sessionTtl?: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    getPresentationDefinition: {
        parameters: {
            path: {
                state: components["parameters"]["VerificationState"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PresentationDefinition"];
                };
            };
        };
    };
    getRequestObject: {
        parameters: {
            path: {
                state: components["parameters"]["VerificationState"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/oauth-authz-req+jwt": string;
                };
            };
        };
    };
    getVerifierJwks: {
        responses: {
            200: {
                content: {
                    "application/json": {
                        keys: { [key: string]: unknown }[];
                    };
                };
            };
        };
    };
    getVerifierConfiguration: {
        responses: {
            200: {
                content: {
                    "application/json": {
                        issuer: string;
                        authorization_endpoint: string;
                        jwks_uri: string;
                        response_types_supported?: string[];
                        subject_types_supported?: string[];
                        id_token_signing_alg_values_supported?: string[];
                    };
                };
            };
        };
    };
    authorizeWallet: {
        parameters: {
            query: {
                scope: string;
                state?: string;
            };
        };
        responses: {
            302: {
            };
        };
    };
    submitPresentation: {
        parameters: {
            path: {
                state: components["parameters"]["VerificationState"];
            };
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    vp_token?: string;
                    response?: string;
                    presentation_submission?: string;
                    state?: string;
                    error?: string;
                    error_description?: string;
                    error_uri?: string;
                } & { [key: string]: unknown };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        redirect_uri?: string;
                    };
                };
            };
            302: {
            };
            400: {
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
        };
    };
    getVerificationResult: {
        parameters: {
            path: {
                state: components["parameters"]["VerificationState"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["VerificationSession"];
                };
            };
        };
    };
    getPresentedCredentials: {
        parameters: {
            query?: {
                viewMode?: "simple" | "verbose";
            };
            path: {
                state: components["parameters"]["VerificationState"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PresentedCredentials"];
                };
            };
        };
    };
    listPolicies: {
        responses: {
            200: {
                content: {
                    "application/json": {
                        [key: string]: string;
                    };
                };
            };
        };
    };
    describePolicies: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PolicyDescription"][];
                };
            };
        };
    };
    listVerifierTransactionDataProfiles: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TransactionDataProfile"][];
                };
            };
        };
    };
    createVerificationSession: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerificationSessionSetup"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CreatedVerificationSession"];
                };
            };
        };
    };
    getVerificationSession: {
        parameters: {
            path: {
                sessionId: components["parameters"]["SessionId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PresentationSession"];
                };
            };
        };
    };
    redeemResponseCode: {
        parameters: {
            path: {
                sessionId: components["parameters"]["SessionId"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    response_code: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PresentationSession"];
                };
            };
        };
    };
    streamVerificationSessionEvents: {
        parameters: {
            query?: {
                lastEventId?: components["schemas"]["EventNumber"];
            };
            header?: {
                "Last-Event-ID"?: components["schemas"]["EventNumber"];
            };
            path: {
                sessionId: components["parameters"]["SessionId"];
            };
        };
        responses: {
            200: {
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    getVerifierEntity: {
        responses: {
            200: {
                content: {
                    "application/entity-statement+jwt": string;
                };
            };
        };
    };
    getAuthorizationRequest: {
        parameters: {
            header?: {
                Accept?: string;
            };
            path: {
                requestId: components["parameters"]["RequestId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/oauth-authz-req+jwt": string;
                    "application/json": { [key: string]: unknown };
                };
            };
        };
    };
    postAuthorizationRequest: {
        parameters: {
            header?: {
                Accept?: string;
            };
            path: {
                requestId: components["parameters"]["RequestId"];
            };
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    wallet_nonce?: string;
                    wallet_metadata?: string;
                } & { [key: string]: unknown };
            };
        };
        responses: {
            200: {
                content: {
                    "application/oauth-authz-req+jwt": string;
                    "application/json": { [key: string]: unknown };
                };
            };
        };
    };
    submitAuthorizationResponse: {
        parameters: {
            path: {
                requestId: components["parameters"]["RequestId"];
            };
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    vp_token?: string;
                    presentation_submission?: string;
                    id_token?: string;
                    state?: string;
                    response?: string;
                    error?: string;
                    error_description?: string;
                } & { [key: string]: unknown };
                "application/json": {
                    data?: { [key: string]: unknown };
                    credential?: { [key: string]: unknown };
                    origin?: string;
                    error?: string;
                    error_description?: string;
                } & { [key: string]: unknown };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        redirect_uri?: string;
                        status?: "received" | "acknowledged";
                        message?: string;
                    };
                };
            };
            400: {
                content: {
                    "application/json": components["schemas"]["ResponseRefusal"];
                };
            };
        };
    };
    fetchVical: {
        requestBody: {
            content: {
                "application/json": {
                    vicalUrl: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        vicalBase64: string;
                    };
                };
            };
        };
    };
    validateVical: {
        requestBody: {
            content: {
                "application/json": {
                    verificationKey: { [key: string]: unknown } | string;
                    vicalBase64: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        vicalValid: boolean;
                        reason?: string;
                        vicalProvider?: string;
                        date: string;
                        nextUpdate?: string;
                        certificates: number;
                        documentTypes: string[];
                    };
                };
            };
        };
    };
    checkRevocation: {
        requestBody: {
            content: {
                "text/plain": string;
                "application/json": { [key: string]: unknown } | string;
                "application/vc+jwt": string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RevocationStatus"]
                        | components["schemas"]["StatusTokenState"]
                        | "Verifiable credential has no credential-status property";
                };
            };
            400: {
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeCredential: {
        requestBody: {
            content: {
                "text/plain": string;
                "application/json": string;
                "application/vc+jwt": string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": "";
                };
            };
            400: {
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            404: {
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getStatusCredential: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/statuslist+jwt": string;
                    "application/statuslist+cwt": string;
                    "application/vc+jwt": string;
                    "application/jwt": string;
                };
            };
        };
    };
    getStatusToken: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["StatusTokenState"];
                };
            };
        };
    };
    getStatusList: {
        parameters: {
            path: {
                id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/statuslist+jwt": string;
                    "application/statuslist+cwt": string;
                    "application/vc+jwt": string;
                    "application/jwt": string;
                };
            };
        };
    };
    listStatusLists: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
                sort?: components["parameters"]["Sort"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["StatusList"][];
                };
            };
        };
    };
    createStatusList: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewStatusList"];
            };
        };
        responses: {
            200: components["responses"]["StatusList"];
            201: components["responses"]["StatusList"];
        };
    };
    getStatusListFacts: {
        parameters: {
            path: {
                listId: components["parameters"]["ListId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["StatusList"];
                };
            };
        };
    };
    listStatusEntries: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
                sort?: components["parameters"]["Sort"];
                status?: components["schemas"]["EntryState"];
            };
            path: {
                listId: components["parameters"]["ListId"];
            };
        };
        responses: {
            200: components["responses"]["StatusEntries"];
        };
    };
    allocateStatusEntry: {
        parameters: {
            path: {
                listId: components["parameters"]["ListId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusEntryNames"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["AllocatedStatusEntry"];
                };
            };
        };
    };
    getStatusEntry: {
        parameters: {
            path: {
                listId: components["parameters"]["ListId"];
                index: components["parameters"]["EntryIndex"];
            };
        };
        responses: {
            200: components["responses"]["StatusEntry"];
        };
    };
    changeStatusEntry: {
        parameters: {
            path: {
                listId: components["parameters"]["ListId"];
                index: components["parameters"]["EntryIndex"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusEntryChange"];
            };
        };
        responses: {
            200: components["responses"]["StatusEntry"];
            409: {
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    findStatusEntries: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
                session?: components["schemas"]["SessionName"];
                credentialId?: components["schemas"]["CredentialName"];
            };
        };
        responses: {
            200: components["responses"]["StatusEntries"];
        };
    };
    changeStatusEntries: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["NamedEntriesChange"];
            };
        };
        responses: {
            200: components["responses"]["StatusEntries"];
            409: {
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createStatusToken: {
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["CreatedStatusToken"];
                };
            };
        };
    };
    getDraft13CredentialType: {
        parameters: {
            path: {
                type: components["parameters"]["Type"];
            };
        };
        responses: {
            200: components["responses"]["TypeMetadata"];
        };
    };
    getFinalCredentialType: {
        parameters: {
            path: {
                type: components["parameters"]["Type"];
            };
        };
        responses: {
            200: components["responses"]["TypeMetadata"];
        };
    };
    getCredentialType: {
        parameters: {
            path: {
                version: string;
                type: components["parameters"]["Type"];
            };
        };
        responses: {
            200: components["responses"]["TypeMetadata"];
        };
    };
    createSuperadmin: {
        requestBody: components["requestBodies"]["RegistrationToken"];
        responses: {
            200: {
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    loginEnterpriseAccount: {
        requestBody: components["requestBodies"]["EnterpriseLogin"];
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EnterpriseToken"];
                };
            };
        };
    };
    listOrganizations: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Place"][];
                };
            };
        };
    };
    createOrganization: {
        requestBody: components["requestBodies"]["NewOrganization"];
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    registerEnterpriseAccount: {
        requestBody: components["requestBodies"]["NewEnterpriseAccount"];
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["EnterpriseAccount"];
                };
            };
        };
    };
    assignRole: {
        parameters: {
            path: {
                accountId: components["schemas"]["Uuid"];
                org: components["schemas"]["TargetSegment"];
                roleId: components["schemas"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AccountRoles"];
                };
            };
        };
    };
    createRole: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["NewRole"];
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
        };
    };
    getWorkplace: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Workplace"];
                };
            };
        };
    };
    createTenant: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody?: components["requestBodies"]["NewTenant"];
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    createService: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["NewService"];
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    createServices: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["NewServices"];
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Resource"][];
                };
            };
            201: {
                content: {
                    "application/json": components["schemas"]["Resource"][];
                };
            };
        };
    };
    updateService: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["NewService"];
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Resource"];
                };
            };
        };
    };
    addDependency: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["Dependency"];
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Dependencies"];
                };
            };
        };
    };
    removeDependency: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["Dependency"];
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Dependencies"];
                };
            };
        };
    };
    listDependencies: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Dependencies"];
                };
            };
        };
    };
    addServiceDependency: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                api: components["parameters"]["ServiceApi"];
            };
        };
        requestBody: components["requestBodies"]["Dependency"];
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Dependencies"];
                };
            };
        };
    };
    listServiceDependencies: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                api: components["parameters"]["ServiceApi"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Dependencies"];
                };
            };
        };
    };
    addServiceDependencyV2: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                api: components["parameters"]["ServiceApi"];
            };
        };
        requestBody: components["requestBodies"]["Dependency"];
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Dependencies"];
                };
            };
        };
    };
    listServiceDependenciesV2: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                api: components["parameters"]["ServiceApi"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Dependencies"];
                };
            };
        };
    };
    getResource: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AnyElement"];
                };
            };
        };
    };
    deleteResource: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            204: {
            };
        };
    };
    listResources: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AnyElement"][];
                };
            };
        };
    };
    generateKey: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["NewKey"];
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["KeyElement"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
                sort?: components["parameters"]["Sort"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["KeyElement"][];
                };
            };
        };
    };
    listDids: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
                sort?: components["parameters"]["Sort"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DidElement"][] | components["schemas"]["DidElement"];
                };
            };
        };
    };
    replaceTenantDid: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["NewDid"];
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DidElement"];
                };
            };
        };
    };
    addDid: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["NewDid"];
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["DidElement"];
                };
            };
        };
    };
    deleteTenantDid: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            204: {
            };
        };
    };
    listDidIds: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TargetSegment"][];
                };
            };
        };
    };
    getTenantCredential: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CredentialElement"];
                };
            };
        };
    };
    replaceTenantCredential: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["NewCredential"];
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CredentialElement"];
                };
            };
        };
    };
    addCredential: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["NewCredential"];
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["CredentialElement"];
                };
            };
        };
    };
    deleteTenantCredential: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            204: {
            };
        };
    };
    listCredentials: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
                sort?: components["parameters"]["Sort"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CredentialElement"][];
                };
            };
        };
    };
    listCredentialIds: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Target"][];
                };
            };
        };
    };
    importTenantKey: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["PrivateJwk"];
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["KeyElement"];
                };
            };
        };
    };
    signWithTenantKey: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["ContentToSign"];
        responses: {
            200: {
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    getTenantKey: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["KeyElement"];
                };
            };
        };
    };
    deleteTenantKey: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            204: {
            };
        };
    };
    createTenantDid: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["NewTenantDid"];
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["DidElement"];
                };
            };
        };
    };
    deleteTenantCredentials: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        deleted: number;
                    };
                };
            };
        };
    };
    getStoredPolicy: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["StoredPolicyElement"];
                };
            };
        };
    };
    replaceStoredPolicy: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["NewStoredPolicy"];
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["StoredPolicyElement"];
                };
            };
        };
    };
    addStoredPolicy: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["NewStoredPolicy"];
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["StoredPolicyElement"];
                };
            };
        };
    };
    deleteStoredPolicy: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            204: {
            };
        };
    };
    addNamedPolicy: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["NewNamedPolicy"];
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["StoredPolicyElement"];
                };
            };
        };
    };
    listStoredPolicies: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["StoredPolicyElement"][];
                };
            };
        };
    };
    listStoredPolicyIds: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Target"][];
                };
            };
        };
    };
    createStatusCredential: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewStatusCredential"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["StatusCredentialElement"];
                };
            };
        };
    };
    listStatusCredentials: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["StatusCredentialElement"][];
                };
            };
        };
    };
    updateSessionStatus: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    session: components["schemas"]["Target"];
                    status: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["StatusEntry"][];
                };
            };
        };
    };
    listCertificates: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
                sort?: components["parameters"]["Sort"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CertificateElement"][]
                | components["schemas"]["CertificateElement"];
                };
            };
        };
    };
    replaceCertificate: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCertificate"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CertificateElement"];
                };
            };
        };
    };
    addCertificate: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCertificate"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["CertificateElement"];
                };
            };
        };
    };
    deleteCertificate: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            204: {
            };
        };
    };
    listCertificateIds: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Target"][];
                };
            };
        };
    };
    createTenantIaca: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTenantIaca"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["TenantIaca"];
                };
            };
        };
    };
    createTenantSigner: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTenantSigner"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["TenantSigner"];
                };
            };
        };
    };
    revokeTenantCertificate: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UnwantedCertificate"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CertificateRevocation"];
                };
            };
        };
    };
    getTenantCrl: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                crlId: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/pkix-crl": string;
                };
            };
        };
    };
    publishVical: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewVicalVersion"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["VicalVersion"];
                };
            };
        };
    };
    listVicalVersionIds: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Target"][];
                };
            };
        };
    };
    getTenantVical: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/cbor": string;
                };
            };
        };
    };
    addTrustedIssuer: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTrustedIssuer"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["TrustedIssuerElement"];
                };
            };
        };
    };
    listTrustedIssuers: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
                sort?: components["parameters"]["Sort"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TrustedIssuerElement"][];
                };
            };
        };
    };
    loadTrustSource: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTrustSource"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["LoadedTrustSource"];
                };
            };
        };
    };
    listTrustSources: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TrustSource"][];
                };
            };
        };
    };
    deleteTrustSource: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                sourceId: components["parameters"]["SourceId"];
            };
        };
        responses: {
            204: {
            };
        };
    };
    refreshTrustSource: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                sourceId: components["parameters"]["SourceId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["LoadedTrustSource"];
                };
            };
        };
    };
    getTrustSourceHealth: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                sourceId: components["parameters"]["SourceId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TrustSourceHealth"];
                };
            };
        };
    };
    resolveTrustedCertificate: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    certificatePemOrDer: components["schemas"]["CertificateText"];
                    expectedEntityType?: components["schemas"]["ExpectedType"];
                    expectedServiceType?: components["schemas"]["ExpectedType"];
                };
            };
        };
        responses: {
            200: components["responses"]["TrustDecision"];
        };
    };
    resolveTrustedChain: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    certificateChain: components["schemas"]["CertificateText"][];
                    expectedEntityType?: components["schemas"]["ExpectedType"];
                    expectedServiceType?: components["schemas"]["ExpectedType"];
                };
            };
        };
        responses: {
            200: components["responses"]["TrustDecision"];
        };
    };
    createClientAttestation: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewClientAttestation"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ClientAttestation"];
                };
            };
        };
    };
    listClientAttestations: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
                sort?: components["parameters"]["Sort"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ClientAttestationElement"][];
                };
            };
        };
    };
    getClientAttestation: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                attestationId: components["parameters"]["AttestationId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ClientAttestationElement"];
                };
            };
        };
    };
    revokeClientAttestation: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                attestationId: components["parameters"]["AttestationId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        id: string;
                        state: "revoked";
                    };
                };
            };
        };
    };
    listClientAttesterKeys: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["IssuerKeySet"];
                };
            };
        };
    };
    createServiceDid: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                method: "key" | "jwk" | "web";
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewServiceDid"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["CreatedServiceDid"];
                };
            };
        };
    };
    rotateServiceDid: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DidRotation"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RotatedServiceDid"];
                };
            };
        };
    };
    deactivateServiceDid: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    did: components["schemas"]["WebDid"];
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        did: string;
                        deactivatedDateTime: components["schemas"]["DateTime"];
                    };
                };
            };
        };
    };
    getRegistryDid: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                did: string;
            };
        };
        responses: {
            200: components["responses"]["PublishedDocument"];
        };
    };
    getDomainDid: {
        responses: {
            200: components["responses"]["PublishedDocument"];
        };
    };
    getDomainPathDid: {
        parameters: {
            path: {
                didPath: string;
            };
        };
        responses: {
            200: components["responses"]["PublishedDocument"];
        };
    };
    receiveTenantCredentials: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["TenantOffer"];
        responses: {
            200: components["responses"]["TenantReceived"];
        };
    };
    receiveTenantPreAuthorized: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["TenantOffer"];
        responses: {
            200: components["responses"]["TenantReceived"];
        };
    };
    presentTenantCredentials: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TenantRequestToAnswer"];
            };
        };
        responses: {
            200: components["responses"]["PresentationResult"];
        };
    };
    obtainClientAttestation: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    clientAttesterServiceRef: components["schemas"]["Target"];
                    instanceKeyReference: components["schemas"]["Target"];
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        clientAttestationJwt: string;
                        expiresAt: number;
                    };
                };
            };
        };
    };
    createHostAlias: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["NewHostAlias"];
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["HostAlias"];
                };
            };
        };
    };
    listHostAliases: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["HostAlias"][];
                };
            };
        };
    };
    deleteHostAlias: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                domain: components["schemas"]["DomainName"];
            };
        };
        responses: {
            204: {
            };
        };
    };
    getOwnAccount: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["OwnAccount"];
                };
            };
        };
    };
    replaceOwnProfile: {
        requestBody: components["requestBodies"]["OwnProfile"];
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    changeOwnPassword: {
        requestBody: components["requestBodies"]["PasswordChange"];
        responses: {
            204: {
            };
        };
    };
    resetPassword: {
        requestBody: components["requestBodies"]["PasswordResetRequest"];
        responses: {
            204: {
            };
        };
    };
    listAccounts: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Account"][];
                };
            };
        };
    };
    getAccount: {
        parameters: {
            path: {
                accountId: components["schemas"]["Uuid"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    deleteAccount: {
        parameters: {
            path: {
                accountId: components["schemas"]["Uuid"];
            };
        };
        responses: {
            204: {
            };
        };
    };
    disableAccount: {
        parameters: {
            path: {
                accountId: components["schemas"]["Uuid"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    enableAccount: {
        parameters: {
            path: {
                accountId: components["schemas"]["Uuid"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    createPasswordReset: {
        parameters: {
            path: {
                accountId: components["schemas"]["Uuid"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["PasswordResetToken"];
                };
            };
        };
    };
    unassignRole: {
        parameters: {
            path: {
                accountId: components["schemas"]["Uuid"];
                org: components["schemas"]["TargetSegment"];
                roleId: components["schemas"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AccountRoles"];
                };
            };
        };
    };
    listRoles: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Role"][];
                };
            };
        };
    };
    getRole: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
        };
    };
    replaceRole: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["RoleReplacement"];
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
        };
    };
    deleteRole: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            204: {
            };
        };
    };
    listRoleAccounts: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RoleAccount"][];
                };
            };
        };
    };
    decidePermission: {
        parameters: {
            query: {
                action: components["parameters"]["AskedAction"];
                account?: components["parameters"]["AskedAccount"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PermissionDecision"];
                };
            };
        };
    };
    listActions: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ActionMeaning"][];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ApiKey"][];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["NewApiKey"];
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                keyId: components["schemas"]["Uuid"];
            };
        };
        responses: {
            204: {
            };
        };
    };
    createAccountSession: {
        requestBody: components["requestBodies"]["AccountLogin"];
        responses: {
            204: {
            };
        };
    };
    deleteAccountSession: {
        responses: {
            204: {
            };
        };
    };
    logoutEnterpriseAccount: {
        responses: {
            204: {
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Invitation"][];
                };
            };
        };
    };
    createInvitation: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["NewInvitation"];
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["CreatedInvitation"];
                };
            };
        };
    };
    revokeInvitation: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                invitationId: components["schemas"]["Uuid"];
            };
        };
        responses: {
            204: {
            };
        };
    };
    acceptInvitation: {
        requestBody: components["requestBodies"]["InvitationAcceptance"];
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["EnterpriseAccount"];
                };
            };
        };
    };
    enrolSecondFactor: {
        requestBody: components["requestBodies"]["SecondFactorOwner"];
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["SecondFactorEnrolment"];
                };
            };
        };
    };
    confirmSecondFactor: {
        requestBody: components["requestBodies"]["SecondFactorCode"];
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
        };
    };
    removeSecondFactor: {
        requestBody: components["requestBodies"]["SecondFactorCode"];
        responses: {
            204: {
            };
        };
    };
    deleteSecondFactor: {
        parameters: {
            path: {
                accountId: components["schemas"]["Uuid"];
            };
        };
        responses: {
            204: {
            };
        };
    };
    getOverview: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
        };
    };
    replaceTenantProfile: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                profileId: string;
            };
        };
        requestBody: components["requestBodies"]["TenantProfile"];
        responses: {
            200: components["responses"]["TenantProfile"];
        };
    };
    createTenantProfile: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                profileId: string;
            };
        };
        requestBody: components["requestBodies"]["TenantProfile"];
        responses: {
            201: components["responses"]["TenantProfile"];
        };
    };
    deleteTenantProfile: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                profileId: string;
            };
        };
        responses: {
            204: {
            };
        };
    };
    listCredentialTypes: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
                sort?: components["parameters"]["Sort"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CredentialTypeElement"][];
                };
            };
        };
    };
    createCredentialType: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CredentialTypeContent"] & {
                    id?: components["schemas"]["CredentialTypeId"];
                };
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["CredentialTypeElement"];
                };
            };
        };
    };
    getTenantCredentialType: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                typeId: components["parameters"]["TypeId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CredentialTypeElement"];
                };
            };
        };
    };
    replaceCredentialType: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                typeId: components["parameters"]["TypeId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CredentialTypeContent"] & {
                    version: number;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CredentialTypeElement"];
                };
            };
            409: {
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteCredentialType: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                typeId: components["parameters"]["TypeId"];
            };
        };
        responses: {
            204: {
            };
        };
    };
    listIssuedCredentials: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
                reference?: components["schemas"]["FileReference"];
                recipient?: components["schemas"]["Recipient"];
                type?: string;
                state?: components["schemas"]["EntryState"];
                from?: components["schemas"]["DateTime"];
                to?: components["schemas"]["DateTime"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["IssuedCredential"][];
                };
            };
        };
    };
    getIssuedCredential: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                issuedId: components["parameters"]["IssuedId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["IssuedCredential"];
                };
            };
        };
    };
    changeIssuedCredential: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                issuedId: components["parameters"]["IssuedId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StatusEntryChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        id: string;
                        state: components["schemas"]["EntryState"];
                    };
                };
            };
            409: {
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteIssuedRecipient: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                issuedId: components["parameters"]["IssuedId"];
            };
        };
        responses: {
            204: {
            };
        };
    };
    getCredentialImage: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
                image: string;
            };
        };
        responses: {
            200: {
                content: {
                    "image/png": string;
                    "image/jpeg": string;
                    "image/gif": string;
                    "image/webp": string;
                };
            };
        };
    };
    listVerificationSessions: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
                sort?: components["parameters"]["Sort"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["VerificationSessionElement"][];
                };
            };
        };
    };
    getSavedCheck: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SavedCheckElement"];
                };
            };
        };
    };
    replaceSavedCheck: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["NewSavedCheck"];
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SavedCheckElement"];
                };
            };
        };
    };
    createSavedCheck: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: components["requestBodies"]["NewSavedCheck"];
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["SavedCheckElement"];
                };
            };
        };
    };
    deleteSavedCheck: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            204: {
            };
        };
    };
    listSavedChecks: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                offset?: components["parameters"]["Offset"];
                sort?: components["parameters"]["Sort"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SavedCheckElement"][];
                };
            };
        };
    };
    createSessionOfCheck: {
        parameters: {
            path: {
                target: components["parameters"]["Target"];
            };
        };
        requestBody: {
            content: {
                "application/json": {
                    sessionId?: components["schemas"]["VerificationCoreFlow"]["sessionId"];
                    flow_type?: components["schemas"]["VerificationSessionSetup"]["flow_type"];
                    redirects?: components["schemas"]["VerificationSessionSetup"]["redirects"];
                    expectedOrigins?: components["schemas"]["VerificationSessionSetup"]["expectedOrigins"];
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CreatedVerificationSession"];
                };
            };
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                after?: components["parameters"]["AfterEvent"];
                order?: components["parameters"]["EventOrder"];
                action?: components["parameters"]["EventAction"];
                account?: components["parameters"]["EventAccount"];
                outcome?: components["parameters"]["EventOutcome"];
                from?: components["parameters"]["EventsFrom"];
                to?: components["parameters"]["EventsTo"];
                subtree?: components["parameters"]["Subtree"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: components["responses"]["AuditPage"];
        };
    };
    exportAuditEvents: {
        parameters: {
            query?: {
                action?: components["parameters"]["EventAction"];
                account?: components["parameters"]["EventAccount"];
                outcome?: components["parameters"]["EventOutcome"];
                from?: components["parameters"]["EventsFrom"];
                to?: components["parameters"]["EventsTo"];
                subtree?: components["parameters"]["Subtree"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: components["responses"]["AuditLines"];
        };
    };
    checkAuditTrail: {
        parameters: {
            query?: {
                after?: components["parameters"]["AfterEvent"];
            };
            path: {
                target: components["parameters"]["Target"];
            };
        };
        responses: {
            200: components["responses"]["AuditCheck"];
        };
    };
    queryAuditEntries: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuditEntryQuery"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AuditEntryPage"];
                };
            };
        };
    };
    listInstallationEvents: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                after?: components["parameters"]["AfterEvent"];
                order?: components["parameters"]["EventOrder"];
                action?: components["parameters"]["EventAction"];
                account?: components["parameters"]["EventAccount"];
                outcome?: components["parameters"]["EventOutcome"];
                from?: components["parameters"]["EventsFrom"];
                to?: components["parameters"]["EventsTo"];
                subtree?: components["parameters"]["Subtree"];
            };
        };
        responses: {
            200: components["responses"]["AuditPage"];
        };
    };
    exportInstallationEvents: {
        parameters: {
            query?: {
                action?: components["parameters"]["EventAction"];
                account?: components["parameters"]["EventAccount"];
                outcome?: components["parameters"]["EventOutcome"];
                from?: components["parameters"]["EventsFrom"];
                to?: components["parameters"]["EventsTo"];
                subtree?: components["parameters"]["Subtree"];
            };
        };
        responses: {
            200: components["responses"]["AuditLines"];
        };
    };
    checkInstallationTrail: {
        parameters: {
            query?: {
                after?: components["parameters"]["AfterEvent"];
            };
        };
        responses: {
            200: components["responses"]["AuditCheck"];
        };
    };
    getPortal: {
        parameters: {
            header?: {
                "Accept-Encoding"?: components["parameters"]["AcceptEncoding"];
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
            304: components["responses"]["NotModified"];
        };
    };
    getPortalAsset: {
        parameters: {
            header?: {
                "Accept-Encoding"?: components["parameters"]["AcceptEncoding"];
            };
            path: {
                asset: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/javascript": string;
                    "text/css": string;
                    "text/html": string;
                    "text/plain": string;
                };
            };
        };
    };
    getVerifyButton: {
        parameters: {
            header?: {
                "Accept-Encoding"?: components["parameters"]["AcceptEncoding"];
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
        };
        responses: {
            200: {
                content: {
                    "text/javascript": string;
                };
            };
            304: components["responses"]["NotModified"];
        };
    };
    getPortalSettings: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PortalSettings"];
                };
            };
        };
    };
    getSignInConfiguration: {
        responses: {
            200: {
                content: {
                    "application/json": {
                        issuer: string;
                        authorization_endpoint: string;
                        token_endpoint: string;
                        jwks_uri: string;
                    };
                };
            };
        };
    };
    getSignInKeys: {
        responses: {
            200: {
                content: {
                    "application/jwk-set+json": {
                        keys: Record<string, unknown>[];
                    };
                };
            };
        };
    };
    requestSignIn: {
        parameters: {
            query?: {
                client_id?: string;
                response_type?: string;
                redirect_uri?: string;
                response_mode?: string;
                scope?: string;
                state?: string;
                nonce?: string;
                code_challenge?: string;
                code_challenge_method?: string;
                acr_values?: string;
                claims?: string;
                prompt?: string;
                max_age?: string;
                ui_locales?: string;
                id_token_hint?: string;
                login_hint?: string;
                display?: string;
                request?: string;
                request_uri?: string;
                registration?: string;
            };
        };
        responses: {
            303: components["responses"]["SignInRedirect"];
            400: {
                content: {
                    "text/html": string;
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            503: {
                content: {
                    "text/html": string;
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
        };
    };
    postSignInRequest: {
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["SignInRequest"];
            };
        };
        responses: {
            303: components["responses"]["SignInRedirect"];
            400: {
                content: {
                    "text/html": string;
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            503: {
                content: {
                    "text/html": string;
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
        };
    };
    resumeSignIn: {
        parameters: {
            header?: {
                Cookie?: components["parameters"]["Cookies"];
            };
            path: {
                signIn: components["parameters"]["SignIn"];
            };
        };
        responses: {
            200: components["responses"]["PostedAnswer"];
            303: components["responses"]["SignInRedirect"];
            400: {
                content: {
                    "text/html": string;
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            404: {
                content: {
                    "text/html": string;
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            503: {
                content: {
                    "text/html": string;
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
        };
    };
    pushSignInRequest: {
        parameters: {
            header?: {
                Authorization?: components["parameters"]["ClientAuthorization"];
            };
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["SignInRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": {
                        request_uri: string;
                        expires_in: number;
                    };
                };
            };
            400: {
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
            401: {
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
        };
    };
    exchangeSignInCode: {
        parameters: {
            header?: {
                Authorization?: components["parameters"]["ClientAuthorization"];
            };
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    grant_type?: string;
                    code?: string;
                    redirect_uri?: string;
                    code_verifier?: string;
                    client_id?: string;
                    client_secret?: string;
                    client_assertion_type?: string;
                    client_assertion?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        access_token: string;
                        token_type: string;
                        expires_in: number;
                        id_token: string;
                        scope: string;
                    };
                };
            };
            400: {
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
            401: {
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
        };
    };
    getSignedInPerson: {
        parameters: {
            header?: {
                Authorization?: components["parameters"]["ClientAuthorization"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        sub: string;
                    };
                };
            };
            400: {
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
            401: {
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
        };
    };
    postForSignedInPerson: {
        parameters: {
            header?: {
                Authorization?: components["parameters"]["ClientAuthorization"];
            };
        };
        requestBody?: {
            content: {
                "application/x-www-form-urlencoded": {
                    access_token?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        sub: string;
                    };
                };
            };
            400: {
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
            401: {
                content: {
                    "application/json": components["schemas"]["SignInError"];
                };
            };
        };
    };
    logOutOfSignIn: {
        parameters: {
            query?: {
                id_token_hint?: string;
                client_id?: string;
                post_logout_redirect_uri?: string;
                state?: string;
                ui_locales?: string;
            };
            header?: {
                Cookie?: components["parameters"]["Cookies"];
                "Accept-Language"?: components["parameters"]["Languages"];
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
            400: {
                content: {
                    "text/html": string;
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            503: {
                content: {
                    "text/html": string;
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
        };
    };
    postLogout: {
        parameters: {
            header?: {
                Cookie?: components["parameters"]["Cookies"];
                "Accept-Language"?: components["parameters"]["Languages"];
            };
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    id_token_hint?: string;
                    client_id?: string;
                    post_logout_redirect_uri?: string;
                    state?: string;
                    ui_locales?: string;
                };
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
            400: {
                content: {
                    "text/html": string;
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            503: {
                content: {
                    "text/html": string;
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
        };
    };
    confirmLogout: {
        parameters: {
            header?: {
                Cookie?: components["parameters"]["Cookies"];
                "Accept-Language"?: components["parameters"]["Languages"];
            };
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    xsrf?: string;
                    logout?: string;
                };
            };
        };
        responses: {
            303: components["responses"]["SignInRedirect"];
            400: {
                content: {
                    "text/html": string;
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            503: {
                content: {
                    "text/html": string;
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
        };
    };
    getLoggedOutPage: {
        parameters: {
            query?: {
                client_id?: string;
            };
            header?: {
                "Accept-Language"?: components["parameters"]["Languages"];
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
            400: {
                content: {
                    "text/html": string;
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
        };
    };
    getSignInPage: {
        parameters: {
            header?: {
                Cookie?: components["parameters"]["Cookies"];
                "Accept-Language"?: components["parameters"]["Languages"];
            };
            path: {
                signIn: components["parameters"]["SignIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
            303: components["responses"]["SignInRedirect"];
            404: {
                content: {
                    "text/html": string;
                    "application/json": components["schemas"]["Problem"];
                };
            };
            503: {
                content: {
                    "text/html": string;
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    openWalletForSignIn: {
        parameters: {
            header?: {
                Cookie?: components["parameters"]["Cookies"];
                "Accept-Language"?: components["parameters"]["Languages"];
            };
            path: {
                signIn: components["parameters"]["SignIn"];
            };
        };
        responses: {
            303: components["responses"]["SignInRedirect"];
            404: {
                content: {
                    "text/html": string;
                    "application/json": components["schemas"]["Problem"];
                };
            };
            503: {
                content: {
                    "text/html": string;
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    returnFromWallet: {
        parameters: {
            query?: {
                response_code?: string;
            };
            header?: {
                Cookie?: components["parameters"]["Cookies"];
                "Accept-Language"?: components["parameters"]["Languages"];
            };
            path: {
                signIn: components["parameters"]["SignIn"];
            };
        };
        responses: {
            303: components["responses"]["SignInRedirect"];
            404: {
                content: {
                    "text/html": string;
                    "application/json": components["schemas"]["Problem"];
                };
            };
            503: {
                content: {
                    "text/html": string;
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retrySignIn: {
        parameters: {
            header?: {
                Cookie?: components["parameters"]["Cookies"];
                "Accept-Language"?: components["parameters"]["Languages"];
            };
            path: {
                signIn: components["parameters"]["SignIn"];
            };
        };
        responses: {
            303: components["responses"]["SignInRedirect"];
            404: {
                content: {
                    "text/html": string;
                    "application/json": components["schemas"]["Problem"];
                };
            };
            503: {
                content: {
                    "text/html": string;
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelSignIn: {
        parameters: {
            header?: {
                Cookie?: components["parameters"]["Cookies"];
                "Accept-Language"?: components["parameters"]["Languages"];
            };
            path: {
                signIn: components["parameters"]["SignIn"];
            };
        };
        responses: {
            303: components["responses"]["SignInRedirect"];
            404: {
                content: {
                    "text/html": string;
                    "application/json": components["schemas"]["Problem"];
                };
            };
            503: {
                content: {
                    "text/html": string;
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    requestDigitalSignIn: {
        parameters: {
            header?: {
                Cookie?: components["parameters"]["Cookies"];
            };
            path: {
                signIn: components["parameters"]["SignIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": {
                        data: Record<string, unknown>;
                        responseUri: string;
                    };
                };
            };
        };
    };
    followSignIn: {
        parameters: {
            query?: {
                lastEventId?: components["schemas"]["EventNumber"];
            };
            header?: {
                Cookie?: components["parameters"]["Cookies"];
                "Last-Event-ID"?: components["schemas"]["EventNumber"];
            };
            path: {
                signIn: components["parameters"]["SignIn"];
            };
        };
        responses: {
            200: {
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    getSignInAsset: {
        parameters: {
            header?: {
                "Accept-Encoding"?: components["parameters"]["AcceptEncoding"];
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                asset: string;
            };
        };
        responses: {
            200: {
                content: {
                    "text/javascript": string;
                    "text/css": string;
                };
            };
            304: components["responses"]["NotModified"];
        };
    };
    getLiveness: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["HealthChecks"];
                };
            };
        };
    };
    getReadiness: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["HealthChecks"];
                };
            };
            503: {
                content: {
                    "application/json": components["schemas"]["HealthChecks"];
                };
            };
        };
    };
    getMetrics: {
        responses: {
            200: {
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    getContract: {
        parameters: {
            query?: {
                audience?: "management" | "protocol";
            };
            header?: {
                "Accept-Encoding"?: components["parameters"]["AcceptEncoding"];
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": { [key: string]: unknown };
                };
            };
            304: components["responses"]["NotModified"];
        };
    };
    getFavicon: {
        parameters: {
            header?: {
                "Accept-Encoding"?: components["parameters"]["AcceptEncoding"];
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
        };
        responses: {
            200: {
                content: {
                    "image/svg+xml": string;
                };
            };
            304: components["responses"]["NotModified"];
        };
    };
    getDocsPage: {
        parameters: {
            header?: {
                "Accept-Encoding"?: components["parameters"]["AcceptEncoding"];
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
        };
        responses: {
            200: {
                content: {
                    "text/html": string;
                };
            };
            304: components["responses"]["NotModified"];
        };
    };
    getDocsAsset: {
        parameters: {
            header?: {
                "Accept-Encoding"?: components["parameters"]["AcceptEncoding"];
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                asset: "swagger-ui.css"
                    | "swagger-ui-bundle.js"
                    | "page.js"
                    | "favicon.svg"
                    | "configuration.md"
                    | "credentials.md"
                    | "wallets.md"
                    | "document-signers.md"
                    | "dids.md"
                    | "enterprise.md"
                    | "portal.md"
                    | "profiles.md"
                    | "sign-in.md"
                    | "status-lists.md"
                    | "verification-sessions.md"
                    | "verification.md"
                    | "x5c-login.md";
            };
        };
        responses: {
            200: {
                content: {
                    "text/javascript": string;
                    "text/css": string;
                    "image/svg+xml": string;
                    "text/plain": string;
                };
            };
            304: components["responses"]["NotModified"];
        };
    };
}
