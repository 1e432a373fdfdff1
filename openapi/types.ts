/** Generated from openapi/*.yaml by `npm run types`. Do not edit. */

/** The operations of each document. */
export interface documents {
    "accounts": Pick<operations, "registerWithCertificate" | "loginWithCertificate" | "logoutWithCertificate" | "createLoginNonce" | "registerAccount" | "loginAccount" | "logoutAccount" | "getLoginSession" | "getUserInfo" | "listAccountWallets">;
    "wallet-keys": Pick<operations, "listWalletKeys" | "generateWalletKey" | "importWalletKey" | "verifyWithWalletKey" | "deleteWalletKey" | "loadWalletKey" | "describeWalletKey" | "exportWalletKey" | "removeWalletKey" | "signWithWalletKey" | "listWalletDids" | "createWalletDid" | "importWalletDid" | "setDefaultWalletDid" | "getWalletDid" | "deleteWalletDid" | "listPublishedDids" | "getPublishedDid">;
    "wallet-credentials": Pick<operations, "listWalletCredentials" | "getWalletCredential" | "deleteWalletCredential" | "importWalletCredential" | "acceptWalletCredential" | "rejectWalletCredential" | "restoreWalletCredential" | "getWalletCredentialStatus" | "addWalletCredentialCategories" | "removeWalletCredentialCategories" | "listWalletCategories" | "addWalletCategory" | "deleteWalletCategory" | "renameWalletCategory" | "getWalletManifest" | "getWalletManifestDisplay" | "getWalletManifestIssuer" | "extractManifest">;
    "wallet-exchange": Pick<operations, "resolveCredentialOffer" | "acceptCredentialOffer" | "resolveIssuerMetadata" | "resolvePresentationRequest" | "describePresentationRequest" | "declinePresentationRequest" | "matchWalletCredentials" | "listMissingCredentials" | "matchRequestedCredentials" | "presentCredentials" | "prepareExternalPresentation" | "submitExternalPresentation" | "prepareExternalOffer" | "submitExternalOffer" | "listTransactionDataProfiles">;
    "wallet-activity": Pick<operations, "listWalletEvents" | "deleteWalletEvent" | "listWalletHistory" | "getWalletSettings" | "setWalletSettings" | "listWalletIssuers" | "addWalletIssuer" | "getWalletIssuer" | "authorizeWalletIssuer" | "listIssuerCredentials" | "listFrequentCredentials" | "resolveTypeMetadata" | "listRejectionReasons" | "parseMdoc">;
    "issuer": Pick<operations, "onboardIssuer" | "onboardIaca" | "onboardDocumentSigner" | "issueJwtCredential" | "issueJwtCredentialBatch" | "issueSdJwtCredential" | "issueSdJwtCredentialBatch" | "issueMdoc" | "issueMdocBatch" | "signJwtCredential" | "getCredentialOffer" | "requestAccessToken" | "requestCredential" | "requestCredentialBatch" | "requestDeferredCredential" | "notifyIssuer" | "getIssuerKeys" | "getIssuerMetadata" | "getIssuerMetadataOfHost" | "getAuthorizationServerMetadata" | "getAuthorizationServerMetadataOfHost" | "getOpenidConfiguration" | "getOpenidConfigurationOfHost" | "getJwtVcIssuerMetadata">;
    "draft-authorization": Pick<operations, "requestAuthorization" | "pushAuthorization" | "answerLogin" | "requestDraft11Authorization" | "pushDraft11Authorization" | "answerDraft11Login" | "finishExternalLogin">;
    "draft11": Pick<operations, "getDraft11Offer" | "requestDraft11Token" | "requestDraft11Credential" | "requestDraft11CredentialBatch" | "requestDraft11DeferredCredential" | "listDraft11Keys" | "getDraft11IssuerMetadata" | "getDraft11ServerMetadata" | "getDraft11ServerMetadataOfHost" | "getDraft11OpenidConfiguration" | "getDraft11JwtVcIssuer">;
    "openid4vci": Pick<operations, "getOpenid4vciIssuerMetadata" | "getOpenid4vciServerMetadata" | "getOpenid4vciJwtVcIssuer" | "listOpenid4vciKeys" | "getOpenid4vciOffer" | "pushOpenid4vciAuthorization" | "authorizeOpenid4vci" | "requestOpenid4vciToken" | "requestOpenid4vciNonce" | "requestOpenid4vciChallenge" | "requestOpenid4vciCredential" | "requestOpenid4vciDeferredCredential" | "notifyOpenid4vciIssuer">;
    "issuer2": Pick<operations, "listIssuanceProfiles" | "getIssuanceProfile" | "createCredentialOffer" | "createCredentialOffersInBulk" | "listIssuanceSessions" | "getIssuanceSession" | "streamIssuanceSessionEvents">;
    "verifier": Pick<operations, "startVerification" | "getPresentationDefinition" | "getRequestObject" | "getVerifierJwks" | "getVerifierConfiguration" | "authorizeWallet" | "submitPresentation" | "getVerificationResult" | "getPresentedCredentials" | "listVerifierTransactionDataProfiles" | "listPolicies" | "describePolicies">;
    "verifier2": Pick<operations, "createVerificationSession" | "getVerificationSession" | "redeemResponseCode" | "streamVerificationSessionEvents" | "getAuthorizationRequest" | "postAuthorizationRequest" | "submitAuthorizationResponse">;
    "vical": Pick<operations, "fetchVical" | "validateVical">;
    "status": Pick<operations, "checkRevocation" | "revokeCredential" | "getStatusCredential" | "getStatusToken">;
    "status-lists": Pick<operations, "getStatusList">;
    "status-administration": Pick<operations, "listStatusLists" | "createStatusList" | "getStatusListFacts" | "listStatusEntries" | "allocateStatusEntry" | "getStatusEntry" | "changeStatusEntry" | "findStatusEntries" | "changeStatusEntries" | "createStatusToken">;
    "credential-types": Pick<operations, "getDraft13CredentialType" | "getFinalCredentialType" | "getCredentialType">;
    "enterprise": Pick<operations, "createSuperadmin" | "loginEnterpriseAccount" | "createOrganization" | "registerEnterpriseAccount" | "assignRole" | "createRole" | "createTenant" | "createService" | "updateService" | "addDependency" | "removeDependency" | "listDependencies" | "getResource" | "deleteResource" | "listResources" | "generateKey" | "listKeys" | "listDids" | "addDid" | "listDidIds" | "addCredential" | "listCredentials" | "listCredentialIds">;
    "tenant-stores": Pick<operations, "importTenantKey" | "signWithTenantKey" | "getTenantKey" | "deleteTenantKey" | "createTenantDid" | "replaceTenantDid" | "deleteTenantDid" | "getTenantCredential" | "replaceTenantCredential" | "deleteTenantCredential" | "getStoredPolicy" | "addStoredPolicy" | "replaceStoredPolicy" | "deleteStoredPolicy" | "listStoredPolicies" | "listStoredPolicyIds">;
    "tenant-status": Pick<operations, "createStatusCredential" | "listStatusCredentials" | "updateSessionStatus" | "tenantGetStatusList" | "tenantListStatusLists" | "tenantGetStatusListFacts" | "tenantListStatusEntries" | "tenantAllocateStatusEntry" | "tenantGetStatusEntry" | "tenantChangeStatusEntry" | "tenantFindStatusEntries" | "tenantChangeStatusEntries">;
    "administration": Pick<operations, "createHostAlias" | "listHostAliases" | "deleteHostAlias" | "getOwnAccount" | "replaceOwnProfile" | "changeOwnPassword" | "resetPassword" | "listAccounts" | "getAccount" | "deleteAccount" | "disableAccount" | "enableAccount" | "createPasswordReset" | "unassignRole" | "listRoles" | "getRole" | "replaceRole" | "deleteRole" | "listRoleAccounts" | "decidePermission" | "listActions">;
    "tenant-issuer": Pick<operations, "tenantGetOpenid4vciIssuerMetadata" | "tenantGetOpenid4vciServerMetadata" | "tenantGetOpenid4vciJwtVcIssuer" | "tenantListOpenid4vciKeys" | "tenantGetOpenid4vciOffer" | "tenantPushOpenid4vciAuthorization" | "tenantAuthorizeOpenid4vci" | "tenantRequestOpenid4vciToken" | "tenantRequestOpenid4vciNonce" | "tenantRequestOpenid4vciChallenge" | "tenantRequestOpenid4vciCredential" | "tenantRequestOpenid4vciDeferredCredential" | "tenantNotifyOpenid4vciIssuer" | "tenantGetFinalCredentialType" | "tenantListIssuanceProfiles" | "tenantGetIssuanceProfile" | "tenantCreateCredentialOffer" | "tenantCreateCredentialOffersInBulk" | "tenantListIssuanceSessions" | "tenantGetIssuanceSession" | "tenantStreamIssuanceSessionEvents">;
    "tenant-verifier": Pick<operations, "listVerificationSessions" | "tenantCreateVerificationSession" | "tenantGetVerificationSession" | "tenantRedeemResponseCode" | "tenantStreamVerificationSessionEvents" | "tenantGetAuthorizationRequest" | "tenantPostAuthorizationRequest" | "tenantSubmitAuthorizationResponse">;
    "audit": Pick<operations, "listAuditEvents" | "exportAuditEvents" | "checkAuditTrail" | "listInstallationEvents" | "exportInstallationEvents" | "checkInstallationTrail">;
    "system": Pick<operations, "getLiveness" | "getReadiness" | "getMetrics" | "getContract" | "getDocsPage" | "getDocsAsset">;
}
/** The operations whose query is validated when the handler asks for it. */
export type lateQueries = "listPublishedDids" | "listWalletEvents" | "listFrequentCredentials" | "listIssuanceSessions" | "listStatusLists" | "listStatusEntries" | "findStatusEntries" | "listResources" | "listKeys" | "listDids" | "listDidIds" | "listCredentials" | "listCredentialIds" | "listStoredPolicies" | "listStoredPolicyIds" | "listStatusCredentials" | "tenantListStatusLists" | "tenantListStatusEntries" | "tenantFindStatusEntries" | "listHostAliases" | "listAccounts" | "listRoles" | "listRoleAccounts" | "tenantListIssuanceSessions" | "listVerificationSessions" | "listAuditEvents" | "exportAuditEvents" | "checkAuditTrail" | "listInstallationEvents" | "exportInstallationEvents" | "checkInstallationTrail";
export interface paths {
    "/wallet-api/auth/x5c/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register with an X.509 certificate
         * @description Creates an account with one wallet for the key of the leaf certificate. A key has one account; a renewed certificate keeps it.
         */
        post: operations["registerWithCertificate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/auth/x5c/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in with an X.509 certificate
         * @description An account that does not exist yet is created, unless `auth.conf` turns that off.
         */
        post: operations["loginWithCertificate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/auth/x5c/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log out
         * @description Ends the session of the cookie and that of the bearer token, on every instance. Without a session nothing happens.
         */
        post: operations["logoutWithCertificate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/auth/x5c/nonce": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a nonce for one login
         * @description The nonce goes into the payload of the token as `nonce` and is valid for one registration or login.
         */
        get: operations["createLoginNonce"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register
         * @description With e-mail address and password, or with a certificate when the feature `trusted-ca` is on.
         */
        post: operations["registerAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in
         * @description With e-mail address and password, or with a certificate when the feature `trusted-ca` is on.
         */
        post: operations["loginAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log out
         * @description Ends the session of the cookie and that of the bearer token, on every instance. Without a session nothing happens.
         */
        post: operations["logoutAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the login session
         * @description For web pages that must know whether their cookie is still valid.
         */
        get: operations["getLoginSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/auth/user-info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the account
         * @description The account that the login belongs to.
         */
        get: operations["getUserInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/accounts/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the wallets of the account
         * @description An account has one wallet from its registration on. Its id is part of the paths of all wallet calls.
         */
        get: operations["listAccountWallets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        /**
         * List the keys of a wallet
         * @description The list has no key material.
         */
        get: operations["listWalletKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/keys/generate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a key
         * @description The key is ready for a DID. Its private part never leaves its backend.
         */
        post: operations["generateWalletKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/keys/import": {
        parameters: {
            query?: {
                /** @description A display name. */
                alias?: string;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a private key
         * @description A private JWK, or a private key as unencrypted PEM (PKCS #8, PKCS #1 or SEC 1). The media type is not looked at. The public part must belong to the private one.
         */
        post: operations["importWalletKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/keys/verify": {
        parameters: {
            query: {
                /** @description The public key as JWK. A private key is refused. */
                JWK: string;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a signature
         * @description Whether a compact JWS is signed by the key. The media type is not looked at.
         */
        post: operations["verifyWithWalletKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id of the key. */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a key, here and at its backend
         * @description A key that a DID of the wallet uses is not deleted; the error names the DID.
         */
        delete: operations["deleteWalletKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/keys/{keyId}/load": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id of the key. */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        /**
         * Get a key as JWK
         * @description A key that this server stores, with its private part. Of a key in a key management service only the public part exists here.
         */
        get: operations["loadWalletKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/keys/{keyId}/meta": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id of the key. */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        /**
         * Get the facts about a key
         * @description Where it is and what it signs with, without key material.
         */
        get: operations["describeWalletKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/keys/{keyId}/export": {
        parameters: {
            query?: {
                /** @description The form of the text. */
                format?: "JWK" | "PEM";
                /** @description Whether to export the private key. A key in a key management service has none here, which is refused. */
                loadPrivateKey?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id of the key. */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        /**
         * Export a key as text
         * @description PEM is PKCS #8 for a private key and SubjectPublicKeyInfo (RFC 5280 §4.1) for a public one.
         */
        get: operations["exportWalletKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/keys/{keyId}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id of the key. */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a key from the wallet only
         * @description A key in a key management service stays there; one that this server stores is gone. A key that a DID of the wallet uses is not removed; the error names the DID.
         */
        delete: operations["removeWalletKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/keys/{keyId}/sign": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id of the key, a DID of the wallet, or the DID URL of its key. */
                keyId: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign with a key
         * @description Signs any JSON as a compact JWS whose header has `alg`, `typ: JWT` and the key as `kid`: its id, or the DID URL where the path names a DID. An object of exactly `protected` and `payload` is the input of a flattened JWS (RFC 7515 §7.2.2) instead: its header is kept, and gets `kid` only when it has neither `kid` nor `jwk`. There `protected` is an object and `payload` any JSON, or both are base64url texts.
         */
        post: operations["signWithWalletKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/dids": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        /**
         * List the DIDs of a wallet
         * @description Every DID with its document and whether it is the default one.
         */
        get: operations["listWalletDids"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/dids/create/{method}": {
        parameters: {
            query?: {
                /** @description The key of the DID; without it, or when empty, a key is created. */
                keyId?: string;
                /** @description A display name. */
                alias?: string;
                /** @description For did:key, encode the canonical JWK instead of the raw key. */
                useJwkJcsPub?: boolean;
                /** @description For did:web, the host, with a port where there is one; this server when left out or empty. */
                domain?: string;
                /** @description For did:web, a path; `[random-uuid]` in it becomes a fresh UUID. On this server it must be `/wallet-api/registry/` and one segment, by default a UUID; there the document is published. */
                path?: string;
                /** @description For a method of the registrar, its network; `testnet` for did:cheqd when left out. */
                network?: string;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The DID method: `key`, `jwk`, `web`, or one that `did-registrar.conf` names, such as `cheqd`. Every other one, such as `ebsi` and `iota`, is refused. */
                method: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a DID
         * @description For a key of the wallet, or for a new one of a type that the method accepts. Everything is checked before a key is created, and a key whose DID fails is removed again.
         */
        post: operations["createWalletDid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/dids/import": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a DID with its key
         * @description The key must be one of the DID: the document of a did:web and of a network-bound DID is fetched. A key that the wallet has already stays as it is.
         */
        post: operations["importWalletDid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/dids/default": {
        parameters: {
            query: {
                /** @description A DID of the wallet. */
                did: string;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose the default DID
         * @description Credentials are issued to the default DID unless a call names another one. Without a default it is the oldest DID.
         */
        post: operations["setDefaultWalletDid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/dids/{did}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description A DID of the wallet. */
                did: string;
            };
            cookie?: never;
        };
        /**
         * Get a DID document
         * @description Only for DIDs of this wallet.
         */
        get: operations["getWalletDid"];
        put?: never;
        post?: never;
        /**
         * Delete a DID from the wallet
         * @description The wallet no longer presents as this DID.
         */
        delete: operations["deleteWalletDid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/registry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the DIDs that this server publishes
         * @description The did:web DIDs of wallets that are on the host of this server.
         */
        get: operations["listPublishedDids"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/registry/{id}/did.json": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The last segment of the DID. */
                id: string;
            };
            cookie?: never;
        };
        /**
         * Get the document of a DID that this server publishes
         * @description The address of the DID document (did:web §3.2).
         */
        get: operations["getPublishedDid"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/credentials": {
        parameters: {
            query?: {
                /** @description Only credentials in this category, or in one of several when repeated. */
                category?: components["schemas"]["CategoryName"][];
                /** @description Also those marked as deleted. */
                showDeleted?: boolean;
                /** @description Also those not yet accepted. */
                showPending?: boolean;
                /** @description What the list is ordered by. */
                sortBy?: "addedOn";
                /** @description Latest first. */
                descending?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        /**
         * List the credentials of a wallet
         * @description Without parameters those that are neither marked as deleted nor pending, oldest first.
         */
        get: operations["listWalletCredentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/credentials/{credentialId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id as the list gives it, percent-encoded. */
                credentialId: components["parameters"]["WalletCredentialId"];
            };
            cookie?: never;
        };
        /**
         * Get a credential
         * @description Also one that is marked as deleted or pending.
         */
        get: operations["getWalletCredential"];
        put?: never;
        post?: never;
        /**
         * Mark a credential as deleted, or delete it permanently
         * @description A credential that is marked as deleted is in the list with `showDeleted` only, and can be restored.
         */
        delete: operations["deleteWalletCredential"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/credentials/import": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a credential
         * @description For credentials that were not received by an offer. The credential must be valid now, be issued to the associated DID, and be signed by its issuer, whose key is found by its DID. One that the wallet has already, marked as deleted or not, is a 409.
         */
        post: operations["importWalletCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/credentials/{credentialId}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id as the list gives it, percent-encoded. */
                credentialId: components["parameters"]["WalletCredentialId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a pending credential
         * @description A credential that is not pending stays as it is.
         */
        post: operations["acceptWalletCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/credentials/{credentialId}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id as the list gives it, percent-encoded. */
                credentialId: components["parameters"]["WalletCredentialId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a pending credential
         * @description The credential is removed permanently. One that is not pending can be deleted, but not rejected (409).
         */
        post: operations["rejectWalletCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/credentials/{credentialId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id as the list gives it, percent-encoded. */
                credentialId: components["parameters"]["WalletCredentialId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a credential that is marked as deleted
         * @description A credential that is not marked stays as it is. One that was deleted permanently is unknown.
         */
        post: operations["restoreWalletCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/credentials/{credentialId}/status": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id as the list gives it, percent-encoded. */
                credentialId: components["parameters"]["WalletCredentialId"];
            };
            cookie?: never;
        };
        /**
         * Check the status of a credential
         * @description Looks up every status entry of the credential in its list. Each list must be signed by the credential's issuer. A status that cannot be determined is an error, never a status. A credential without status entries has an empty list.
         */
        get: operations["getWalletCredentialStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/credentials/{credentialId}/category": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id as the list gives it, percent-encoded. */
                credentialId: components["parameters"]["WalletCredentialId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Put a credential into categories
         * @description Adds to the categories it is in. With a name that is no category of the wallet (400) nothing is changed.
         */
        put: operations["addWalletCredentialCategories"];
        post?: never;
        /**
         * Take a credential out of categories
         * @description A category it is not in changes nothing. With a name that is no category of the wallet (400) nothing is changed.
         */
        delete: operations["removeWalletCredentialCategories"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/categories": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        /**
         * List the categories of a wallet
         * @description In the order in which they were added.
         */
        get: operations["listWalletCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/categories/{name}/add": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The name of a category, percent-encoded. */
                name: components["parameters"]["CategoryName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a category
         * @description A wallet has at most 100 categories.
         */
        post: operations["addWalletCategory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/categories/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The name of a category, percent-encoded. */
                name: components["parameters"]["CategoryName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a category
         * @description Its credentials stay in the wallet, outside of this category.
         */
        delete: operations["deleteWalletCategory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/categories/{name}/rename/{newName}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The name of a category, percent-encoded. */
                name: components["parameters"]["CategoryName"];
                /** @description The new name, percent-encoded. */
                newName: components["schemas"]["CategoryName"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Rename a category
         * @description Its credentials stay in it. The name that it has already changes nothing.
         */
        put: operations["renameWalletCategory"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/manifest/{credentialId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id as the list gives it, percent-encoded. */
                credentialId: components["parameters"]["WalletCredentialId"];
            };
            cookie?: never;
        };
        /**
         * Get the manifest of a credential
         * @description What its issuer published to show it, kept when it was issued, in the issuer's first language. `display` of the credential has all languages.
         */
        get: operations["getWalletManifest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/manifest/{credentialId}/display": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id as the list gives it, percent-encoded. */
                credentialId: components["parameters"]["WalletCredentialId"];
            };
            cookie?: never;
        };
        /**
         * Get how a credential is shown
         * @description The member `display` of its manifest.
         */
        get: operations["getWalletManifestDisplay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/manifest/{credentialId}/issuer": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id as the list gives it, percent-encoded. */
                credentialId: components["parameters"]["WalletCredentialId"];
            };
            cookie?: never;
        };
        /**
         * Get how the issuer of a credential is shown
         * @description The member `issuer` of its manifest.
         */
        get: operations["getWalletManifestIssuer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/manifest/extract": {
        parameters: {
            query: {
                /** @description The offer link, percent-encoded. */
                offer: string;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        /**
         * Get the manifest of an offered credential
         * @description Of the first credential of the offer that its issuer describes. Fetches the offer, the issuer's metadata and its images; nothing is stored.
         */
        get: operations["extractManifest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/exchange/resolveCredentialOffer": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look at a credential offer
         * @description The body is the offer link itself, with any media type. The offer is cached for 15 minutes, so that accepting it does not fetch it again.
         */
        post: operations["resolveCredentialOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/exchange/useOfferRequest": {
        parameters: {
            query?: {
                /** @description The DID that the credentials are issued to; without it the default one. */
                did?: string;
                /** @description The credentials stay pending until they are accepted. */
                requireUserInput?: boolean;
                /** @description The transaction code, when the offer asks for one. */
                pinOrTxCode?: string;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a credential offer
         * @description The body is the offer link itself, with any media type. The wallet stores all credentials of the offer, or none.
         */
        post: operations["acceptCredentialOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/exchange/resolveIssuerOpenIDMetadata": {
        parameters: {
            query: {
                /** @description The credential issuer identifier. */
                issuer: string;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        /**
         * Get the metadata of a credential issuer
         * @description Fetched from the issuer, so that a page can show what it offers.
         */
        get: operations["resolveIssuerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/exchange/resolvePresentationRequest": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fetch everything a presentation request refers to
         * @description The body is the request link itself, with any media type.
         */
        post: operations["resolvePresentationRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/exchange/describePresentationRequest": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Describe a presentation request to the user
         * @description The body is the request link itself, with any media type. The answer names who asks and how far that is proven, and for each credential that can be presented exactly what the verifier would learn from it. The verifier is sent nothing but what fetching its request needs. The nonce and the state of the request are never part of the answer.
         */
        post: operations["describePresentationRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/exchange/declinePresentationRequest": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline a presentation request
         * @description Posts `error=access_denied` and the request's own `state` to the verifier, and nothing else. A verifier accepts it with any 2xx, or with an error body that repeats `access_denied`.
         */
        post: operations["declinePresentationRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/exchange/matchCredentialsForPresentationDefinition": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the credentials that answer a presentation definition
         * @description A credential that is marked as deleted or pending matches none.
         */
        post: operations["matchWalletCredentials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/exchange/unmatchedCredentialsForPresentationDefinition": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the credentials that a presentation definition asks for and the wallet does not have
         * @description One element for each input descriptor that no credential of the wallet satisfies, with its filters.
         */
        post: operations["listMissingCredentials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/exchange/matchCredentialsForPresentationRequest": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the credentials that answer a presentation request
         * @description The body is the request link itself, with any media type; it has a `dcql_query` or a presentation definition.
         */
        post: operations["matchRequestedCredentials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/exchange/usePresentationRequest": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Present credentials to a verifier
         * @description An error body also has `errorMessage`, and `redirectUri` when the verifier gave one.
         */
        post: operations["presentCredentials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/exchange/external_signatures/presentation/prepare": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prepare a presentation that is signed outside the wallet
         * @description Answers with the header and the claims of the presentation, which the caller signs as a compact JWS with the key of the DID. The members may be written in any order; a changed one is refused. What was prepared can be submitted once, within ten minutes. A request with a `dcql_query` is refused.
         */
        post: operations["prepareExternalPresentation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/exchange/external_signatures/presentation/submit": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a presentation that was signed outside the wallet
         * @description Takes the members of the prepared presentation unchanged, and the signed presentation. Its signature is verified with the keys of the DID before anything is sent.
         */
        post: operations["submitExternalPresentation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/exchange/external_signatures/offer/prepare": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prepare the proofs of an offer that are signed outside the wallet
         * @description Redeems the code of the offer and answers with the header and the claims of one proof of possession for each credential, which the caller signs as compact JWSs with the key of the DID. They can be submitted once, within ten minutes. An issuer without a nonce endpoint that accepts each nonce once gives one credential only.
         */
        post: operations["prepareExternalOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/exchange/external_signatures/offer/submit": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request the credentials of an offer with proofs that were signed outside the wallet
         * @description The signatures are verified with the keys of the DID before anything is sent. The wallet stores all credentials of the offer, or none.
         */
        post: operations["submitExternalOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/transaction-data-profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the profiles of transaction data
         * @description Presentations carry no transaction data, so there are none.
         */
        get: operations["listTransactionDataProfiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/eventlog": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        /**
         * List what happened in a wallet
         * @description The newest ten thousand events of a wallet are kept, and about a hundred more. Events are listed in the order in which they were recorded, also when a clock was set back. A page that starts after the cursor of another one repeats and leaves out no event, while new ones are recorded.
         */
        get: operations["listWalletEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/eventlog/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id of the event. */
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an event
         * @description An event that does not exist (any more) is no error. The answer is 0 then.
         */
        delete: operations["deleteWalletEvent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/history": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        /**
         * List the last operations in a wallet
         * @description The last ten events of the wallet, the newest first.
         */
        get: operations["listWalletHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        /**
         * Get the settings of a wallet
         * @description What a front end stored here. The server does not read it.
         */
        get: operations["getWalletSettings"];
        put?: never;
        /**
         * Set the settings of a wallet
         * @description Replaces all of them. At most 64 KiB, nested at most 64 deep.
         */
        post: operations["setWalletSettings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/issuers": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        /**
         * List the issuers of a wallet
         * @description Those that its user added, in that order.
         */
        get: operations["listWalletIssuers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/issuers/add": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add an issuer to a wallet
         * @description A wallet has at most 200 issuers.
         */
        post: operations["addWalletIssuer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/issuers/{issuer}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The name of the issuer, percent-encoded. */
                issuer: components["parameters"]["WalletIssuerName"];
            };
            cookie?: never;
        };
        /**
         * Get an issuer of a wallet
         * @description As its user added it.
         */
        get: operations["getWalletIssuer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/issuers/{issuer}/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The name of the issuer, percent-encoded. */
                issuer: components["parameters"]["WalletIssuerName"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Mark an issuer as authorized
         * @description A mark of the user, which the server stores. No credential is accepted because of it.
         */
        put: operations["authorizeWalletIssuer"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/issuers/{issuer}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The name of the issuer, percent-encoded. */
                issuer: components["parameters"]["WalletIssuerName"];
            };
            cookie?: never;
        };
        /**
         * List the credentials that an issuer offers
         * @description The credential configurations in the metadata of the issuer, fetched from it.
         */
        get: operations["listIssuerCredentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/reports/frequent/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        /**
         * List the credentials that are presented most often
         * @description Counted in the event log. Credentials that were not presented, or are pending or marked as deleted, are not listed.
         */
        get: operations["listFrequentCredentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/wallet/{wallet}/exchange/resolveVctUrl": {
        parameters: {
            query: {
                /** @description The type of an SD-JWT VC; an http or https URL. */
                vct: string;
                /** @description The claim of that name, where the credential has it: digests of the metadata. */
                "vct#integrity"?: string;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        /**
         * Get the metadata of a type of credential
         * @description Fetched from the URL that is the type, or from the same with `/.well-known/vct` before its path. It has to name this type, and to have the digest that the credential names.
         */
        get: operations["resolveTypeMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/reasons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reasons for rejecting a credential
         * @description For a front end to choose from. Any other text can be given too.
         */
        get: operations["listRejectionReasons"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-api/util/parseMDoc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show what an mdoc contains
         * @description Reads an IssuerSigned, a Document, a DeviceResponse or a MobileSecurityObject of ISO 18013-5, in hexadecimal or in base64url without padding, with any media type. Nothing is verified. At most 256 KiB of CBOR, 20,000 items and 32 levels.
         */
        post: operations["parseMdoc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/onboard/issuer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an issuer
         * @description Creates a key and a DID. Both parts of the body may be left out: the default is an `Ed25519` key of the backend `jwk` and a `did:jwk`. Everything is checked before the key is created, and a key that gets no DID is removed again. The DID of a network-bound method is registered by the registrar of `did-registrar.conf`.
         */
        post: operations["onboardIssuer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/onboard/iso-mdl/iacas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an issuing authority
         * @description Creates a key and its self-signed certificate, the root of document signers (ISO 18013-5 Annex B): valid for at most 20 years, which is the default, with keys on the curves `secp256r1`, `secp384r1` and `secp521r1`. Everything is checked before the key is created, and a key that gets no certificate is removed again. Nothing is stored.
         */
        post: operations["onboardIaca"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/onboard/iso-mdl/document-signers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a signer with a certificate
         * @description Creates a key and a certificate that an authority signs, whichever key service has the key of the authority; or, with the output `csr`, a request for a certificate by an authority elsewhere (PKCS #10). The purpose decides on the profile: document signers of ISO 18013-5 Annex B are valid for at most 457 days, the others for at most 825. A certificate does not outlast that of its authority. Everything is checked before the key is created, and a key that gets no certificate is removed again. Nothing is stored.
         */
        post: operations["onboardDocumentSigner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vc/jwt/issue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Offer a W3C credential as JWT
         * @description Checks the request and answers with the URL of an offer by reference, to be shown as a QR code or given to a wallet. The credential is created when a wallet claims it: only then the data functions of `mapping` are evaluated.
         */
        post: operations["issueJwtCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vc/jwt/issueBatch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Offer several W3C credentials at once
         * @description One offer for all of them. The session is SUCCESSFUL when every one of them was claimed. Of several credentials of one configuration the offer names the configuration once. A wallet whose token request names it in `authorization_details` gets an identifier for each; any other wallet gets the next one with each request, and answers with a `c_nonce` say that there is more.
         */
        post: operations["issueJwtCredentialBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vc/sdjwt/issue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Offer an SD-JWT VC
         * @description An offer as that of a W3C credential. The holder may withhold what `selectiveDisclosure` marks, when the credential is presented; everything else is always disclosed. `sub` is not set unless the mapping does.
         */
        post: operations["issueSdJwtCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vc/sdjwt/issueBatch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Offer several SD-JWT VCs at once
         * @description One offer for all of them, claimed as the batches of W3C credentials are.
         */
        post: operations["issueSdJwtCredentialBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vc/mdoc/issue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Offer an mdoc
         * @description An offer as that of a W3C credential. The mdoc is signed under the first certificate of `x5Chain`, the document signer, which must be valid and for `issuerKey`, and is bound to the key of the wallet's proof. The holder chooses with each presentation which elements are shown.
         */
        post: operations["issueMdoc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vc/mdoc/issueBatch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Offer several mdocs at once
         * @description One offer for all of them, claimed as the batches of W3C credentials are.
         */
        post: operations["issueMdocBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/raw/jwt/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign a W3C credential as JWT
         * @description Signs at once, without an offer and a wallet; no proof of possession is asked for. The mapping is applied as in an offer. `iat`, `nbf`, `exp` and `jti` repeat the dates and the id of the credential where it has them.
         */
        post: operations["signJwtCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft13/credentialOffer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an offer
         * @description Reports `resolved_credential_offer` to the issuer's callback. When the callback cannot be reached, 400; the offer stays valid.
         */
        get: operations["getCredentialOffer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft13/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem a code
         * @description A pre-authorized code is valid for one token. When `requested_token` cannot be reported to the issuer's callback, the answer is 400 with `server_error` and the code stays valid. A wrong `tx_code` is `invalid_grant`, a missing or needless one `invalid_request`; the code stays valid until the fifth wrong one. A code of the authorization endpoint is valid for one token, too, with the client and the redirect URI of its request and the verifier of its proof key; a second use makes its tokens void. Unknown parameters are ignored.
         */
        post: operations["requestAccessToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft13/credential": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim a credential
         * @description The proof is a JWT with `typ` openid4vci-proof+jwt, the holder's key as `jwk` or by a DID URL as `kid`, `aud` the issuer identifier, `iat` at most five minutes old and `nonce` the last `c_nonce`. A nonce is valid for one proof; `invalid_proof` carries the next one. While a proof is being processed, the same request gets 503; when the process that works on it dies, the proof is good again within 15 seconds. A wallet that lost an answer asks again with a fresh nonce: when nothing of the type is left, it gets the same credential within five minutes, with the same access token and a proof of the same key.
         */
        post: operations["requestCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft13/batch_credential": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim several credentials
         * @description OpenID4VCI draft 13 §8. Each request has a proof of its own, and all proofs carry the same nonce, the last `c_nonce`. All credentials are issued or none: the first failure is the error of the whole request, and the proofs stay valid unless the error is `invalid_proof`. Everything else is as for one credential.
         */
        post: operations["requestCredentialBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft13/credential_deferred": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim a credential whose issuance was deferred
         * @description OpenID4VCI draft 13 §9. The access token is that of the credential request. `issuance_pending` (with `interval` in seconds) while the credential is being made, `invalid_transaction_id` for any other transaction id than one of this access token. The credential is made once; for five minutes, or until the wallet's notification, it is returned again.
         */
        post: operations["requestDeferredCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft13/notification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say what became of an issued credential
         * @description OpenID4VCI draft 13 §10. Sent on to the issuer's callback, each event once, and the credential is not returned again afterwards. A repeated notification is answered like the first. When the callback cannot be reached, the answer is 400 with `server_error`.
         */
        post: operations["notifyIssuer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft13/jwks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the issuer's public keys
         * @description The keys of this server's issuers: its own, those its operator names, then at most 1,000 that were onboarded, oldest first. A key that a request to issue brings is not among them.
         */
        get: operations["getIssuerKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft13/.well-known/openid-credential-issuer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the credential issuer
         * @description Credential issuer metadata (OpenID4VCI draft 13 §11.2), where wallets of draft 13 look for it.
         */
        get: operations["getIssuerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/openid-credential-issuer/draft13": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the credential issuer, where RFC 8615 puts it
         * @description The same metadata, for wallets of later drafts.
         */
        get: operations["getIssuerMetadataOfHost"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft13/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the authorization server
         * @description Authorization server metadata (RFC 8414), where wallets of draft 13 look for it.
         */
        get: operations["getAuthorizationServerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server/draft13": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the authorization server, where RFC 8414 puts it
         * @description The same metadata, where RFC 8414 §3.1 puts it.
         */
        get: operations["getAuthorizationServerMetadataOfHost"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft13/.well-known/openid-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the authorization server to OpenID clients
         * @description The same metadata, for clients that look for an OpenID provider.
         */
        get: operations["getOpenidConfiguration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/openid-configuration/draft13": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the authorization server to OpenID clients, below the host's well-known path
         * @description The same metadata, for clients that put the well-known path first.
         */
        get: operations["getOpenidConfigurationOfHost"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwt-vc-issuer/draft13": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Publish where the issuer's keys are
         * @description JWT VC issuer metadata (SD-JWT VC §5), for verifiers.
         */
        get: operations["getJwtVcIssuerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft13/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Authorize a wallet
         * @description The authorization endpoint (OpenID4VCI draft 13 §5). The `authenticationMethod` of the offer decides where it redirects to. `NONE`: to the wallet, with a code that is good for a minute. `PWD`: to the login server of `authentication-service.conf`, and from there by `/callback` to the wallet. `ID_TOKEN` and `VP_TOKEN`: to the `authorization_endpoint` in `client_metadata`, `openid://` when there is none, with a request for a self-issued ID token (SIOPv2) or a presentation (OpenID4VP) whose answer is posted to `/draft13/direct_post`; with `useJar` it is signed too. Each redirect to the wallet has the code or an error, the `state` and the issuer as `iss` (RFC 9207). A proof key of the method S256 is checked when it is sent. `scope` and `authorization_details` limit what the access token permits; scopes that are not known, such as `openid`, are ignored.
         */
        get: operations["requestAuthorization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft13/par": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Push an authorization request
         * @description Takes the parameters of an authorization request (RFC 9126) and returns a reference to it, which is opened within a minute and is good for one authorization. What is wrong with the request is the error of this call.
         */
        post: operations["pushAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft13/direct_post": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a request for an ID token or a presentation
         * @description Takes what a wallet answers to the request that the authorization endpoint sent it (`direct_post`), once. An ID token is signed by its subject, a DID or the thumbprint of `sub_jwk`, for this request. A presentation has a valid credential of the type that was asked for, is signed by its subject and is for this request. The redirect goes to the wallet, with a code, or with `access_denied` when the answer is not acceptable.
         */
        post: operations["answerLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft11/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Authorize a wallet of draft 11
         * @description The same for offers of draft 11, whose `authorization_details` name credentials by `format` and `types` or `doctype`.
         */
        get: operations["requestDraft11Authorization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft11/par": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Push an authorization request of draft 11
         * @description The same for offers of draft 11.
         */
        post: operations["pushDraft11Authorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft11/direct_post": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a request that a wallet of draft 11 got
         * @description The same for offers of draft 11.
         */
        post: operations["answerDraft11Login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Return from the login server
         * @description Where the login server of `authentication-service.conf` sends the user back to. Its code is exchanged there, once; the redirect goes to the wallet, with a code of this issuer, or with the error: `access_denied` when the user was not logged in, `temporarily_unavailable` when the server does not answer.
         */
        get: operations["finishExternalLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft11/credentialOffer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an offer of draft 11
         * @description Reports `resolved_credential_offer` to the issuer's callback. When the callback cannot be reached, 400; the offer stays valid.
         */
        get: operations["getDraft11Offer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft11/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem a code over draft 11
         * @description As over draft 13, with the transaction code as `user_pin` (draft 11 §6). Unknown parameters are ignored.
         */
        post: operations["requestDraft11Token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft11/credential": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim a credential over draft 11
         * @description Names a credential of the offer by `format` and `types` or `doctype`, with a proof as in draft 13 (draft 11 §7). The error `invalid_or_missing_proof` carries the next `c_nonce`. Everything else is as over draft 13.
         */
        post: operations["requestDraft11Credential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft11/batch_credential": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim several credentials over draft 11
         * @description Draft 11 §8. Each request has a proof of its own, and all proofs carry the same nonce. All credentials are issued or none.
         */
        post: operations["requestDraft11CredentialBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft11/credential_deferred": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim a credential whose issuance was deferred, over draft 11
         * @description Draft 11 §9: the `acceptance_token` is sent as the bearer token. `issuance_pending` while the credential is being made, `invalid_token` for any other token. The credential is made once; for five minutes it is returned again.
         */
        post: operations["requestDraft11DeferredCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft11/jwks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the public keys of the issuer of draft 11
         * @description The same keys as those of draft 13, since the keys are of this server and not of a protocol.
         */
        get: operations["listDraft11Keys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft11/.well-known/openid-credential-issuer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the credential issuer of draft 11
         * @description Credential issuer metadata (OpenID4VCI draft 11 §10.2).
         */
        get: operations["getDraft11IssuerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft11/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the authorization server of draft 11
         * @description Authorization server metadata (RFC 8414), where wallets of draft 11 look for it.
         */
        get: operations["getDraft11ServerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server/draft11": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the authorization server of draft 11, where RFC 8414 puts it
         * @description The same metadata, where RFC 8414 §3.1 puts it.
         */
        get: operations["getDraft11ServerMetadataOfHost"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft11/.well-known/openid-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the authorization server of draft 11 to OpenID clients
         * @description The same metadata, for clients that look for an OpenID provider.
         */
        get: operations["getDraft11OpenidConfiguration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwt-vc-issuer/draft11": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Publish where the keys of the issuer of draft 11 are
         * @description JWT VC issuer metadata (SD-JWT VC §5), for verifiers.
         */
        get: operations["getDraft11JwtVcIssuer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/openid-credential-issuer/openid4vci": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the credential issuer of OpenID4VCI 1.0
         * @description Credential issuer metadata (OpenID4VCI 1.0 §12.2). With `Accept: application/jwt` it is signed (§12.2.3): `iss` and `sub` are the issuer identifier, `kid` names a key of `/openid4vci/jwks`. Every other `Accept` is answered with JSON.
         */
        get: operations["getOpenid4vciIssuerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server/openid4vci": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the authorization server of OpenID4VCI 1.0
         * @description Authorization server metadata (RFC 8414).
         */
        get: operations["getOpenid4vciServerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwt-vc-issuer/openid4vci": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Publish where the keys of the issuer of OpenID4VCI 1.0 are
         * @description JWT VC issuer metadata (SD-JWT VC §5), for verifiers.
         */
        get: operations["getOpenid4vciJwtVcIssuer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vci/jwks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the public keys of the issuer of OpenID4VCI 1.0
         * @description The same keys as those of draft 13, since the keys are of this server and not of a protocol.
         */
        get: operations["listOpenid4vciKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vci/credential-offer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an offer of OpenID4VCI 1.0
         * @description The offer that an offer URL points to (OpenID4VCI 1.0 §4.1.3). It can be read until the issuance session is over.
         */
        get: operations["getOpenid4vciOffer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vci/par": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Push an authorization request
         * @description Takes the parameters of an authorization request (RFC 9126) and returns a reference to it, which is good for a minute and for one authorization. What is wrong with the request is the error of this call. A client that authenticates with an attestation sends it here and with the token request, where its code is bound to it; a DPoP proof, or `dpop_jkt`, binds the code to the key of the proof. See docs/authorization.md.
         */
        post: operations["pushOpenid4vciAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vci/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Authorize a wallet
         * @description The authorization endpoint of the authorization code flow (OpenID4VCI 1.0 §5). The offer is the consent; a profile may demand that the holder logs in at another server first, and then the answer leads there. Without `issuer_state` the wallet asks for a profile that is issued without an offer: `scope` or `authorization_details` name the configuration of exactly one such profile, and the session lives five minutes. It answers with a redirect to the wallet, with a code that is good for a minute or an error, the `state` and the issuer as `iss` (RFC 9207). A proof key of the method S256 is required. `scope` and `authorization_details` limit what the access token permits; without both it permits the whole offer.
         */
        get: operations["authorizeOpenid4vci"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vci/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem a code over OpenID4VCI 1.0
         * @description A pre-authorized code is valid for one token (OpenID4VCI 1.0 §6). A wrong `tx_code` is `invalid_grant`, a missing or needless one `invalid_request`; the code stays valid until the fifth wrong one. When `requested_token` cannot be reported to the issuer's callback, the answer is 400 with `server_error` and the code stays valid. Details of `authorization_details` are answered with the identifiers of their credentials; a configuration that is not in the offer is `invalid_authorization_details`. A code of the authorization endpoint is valid for one token, too, with the client and the redirect URI of its request and the verifier of its proof key; a second use makes its tokens void. A client that has a name or proves a key gets a refresh token, which is good as long as the session and bound to both; unless HAIP is demanded it is replaced with each use, and the use of a replaced one makes all tokens void. With a DPoP proof the access token is bound to its key (RFC 9449). Unknown parameters are ignored.
         */
        post: operations["requestOpenid4vciToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vci/nonce": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a nonce for proofs of possession
         * @description The nonce is good for five minutes and for one credential request, in which all proofs carry it (OpenID4VCI 1.0 §7).
         */
        post: operations["requestOpenid4vciNonce"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vci/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a challenge for client attestations
         * @description The challenge is good for five minutes and any number of proofs of possession of a client attestation (attestation-based client authentication §6.1). The metadata name this endpoint when attestations are read.
         */
        post: operations["requestOpenid4vciChallenge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vci/credential": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim a credential over OpenID4VCI 1.0
         * @description Names a credential of the offer by its configuration or by an identifier of the token response (OpenID4VCI 1.0 §8). Each proof is a JWT with `typ` openid4vci-proof+jwt, the holder's key as `jwk` or by a DID URL as `kid`, `aud` the issuer identifier, `iat` at most five minutes old and `nonce` of the nonce endpoint; all carry the same nonce, each is of another key, and there is one credential for each, of the same data. A key attestation (appendix D) in the header `key_attestation`, or as the only proof of the type `attestation`, brings more keys: there is one credential for each. `invalid_nonce` asks for a fresh nonce; after any other error the nonce stays good. A wallet that lost the answer asks again with a fresh nonce and gets the same credentials within five minutes, with the same access token and proofs of the same keys in the same order. An encrypted request is a JWE to a key of `credential_request_encryption` of the metadata, of the media type application/jwt; only such a request may have `credential_response_encryption` (§10). An access token that is bound to a key is sent as `Authorization: DPoP`, with a DPoP proof of that key (RFC 9449 §7).
         */
        post: operations["requestOpenid4vciCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vci/deferred_credential": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim credentials whose issuance was deferred, over OpenID4VCI 1.0
         * @description OpenID4VCI 1.0 §9. The access token is that of the credential request. `invalid_transaction_id` for any other transaction id than one of this access token. The credentials are made once; for five minutes, or until a notification that the wallet does not have them, they are returned again. An encrypted request is a JWE to a key of `credential_request_encryption` of the metadata, of the media type application/jwt; only such a request may have `credential_response_encryption` (§10).
         */
        post: operations["requestOpenid4vciDeferredCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vci/notification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report what became of issued credentials
         * @description The wallet reports whether it stored the credentials of one answer (OpenID4VCI 1.0 §11), which the issuer's callback gets once for each event. The copy for a wallet that lost the answer is removed when the wallet failed to store the credentials or deleted them; after `credential_accepted` it stays for its five minutes.
         */
        post: operations["notifyOpenid4vciIssuer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/issuer2/profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the profiles
         * @description What this issuer issues, as `issuer2-profiles.conf` has it; without that file one profile for each credential configuration. Keys are not shown.
         */
        get: operations["listIssuanceProfiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/issuer2/profiles/{profileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a profile
         * @description The profile without its key.
         */
        get: operations["getIssuanceProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/issuer2/credential-offers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Offer the credential of a profile
         * @description Creates an issuance session and the offer that a wallet redeems (OpenID4VCI 1.0 §4.1). The id of the session is not in the offer, so who sees the offer cannot follow the session.
         */
        post: operations["createCredentialOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/issuer2/credential-offers/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Offer the credentials of profiles to many holders
         * @description Up to 10,000 offers in one call. The body is newline-delimited JSON: each line is what the body of `POST /issuer2/credential-offers` is, of 1 MiB at most; blank lines are skipped. The answer has one line for each of them, in their order and as soon as its offer is stored: the offer, or the error that the single call would have had. Both are streamed. Each line counts towards the rate limit. A line without an answer, because the connection broke or the server stopped, may have been taken or not: with a `sessionId` of your own in each line send the same lines again. What was created is not created twice; while it is good, its offer comes again, unless it has a generated transaction code, which is shown once (409). A process reads 8 such bodies at a time.
         */
        post: operations["createCredentialOffersInBulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/issuer2/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the issuance sessions
         * @description The sessions of OpenID4VCI 1.0 until ten minutes after their expiry.
         */
        get: operations["listIssuanceSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/issuer2/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an issuance session
         * @description How far the session is; no key, code, token or data of the credential.
         */
        get: operations["getIssuanceSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/issuer2/sessions/{sessionId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the events of an issuance session
         * @description Server-sent events (WHATWG HTML §9.2), one for each step of the issuance: first all that the session has kept, then each new one within a second, whichever process or instance it happens in. The `id` of an event is its number in the session, from 1; its `data` is the JSON that the webhook of the session gets. After a break a browser sends the last number as `Last-Event-ID` and gets what follows it. A comment comes every 15 seconds. The stream ends when the session is no longer kept and when the server stops. A session keeps its last 100 events, at most 256 KiB of them. A process has at most 500 streams, and 8 of one session. Sessions of the drafts keep no events for readers.
         */
        get: operations["streamIssuanceSessionEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vc/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a wallet for credentials
         * @description Opens a verification session and answers with its request URL, to be shown as a QR code or handed to a wallet. The `state` in the URL is the id of the session. Own `policies` of a requested credential replace `vc_policies` for it; a credential that satisfies several requested ones runs the policies of all of them. Own policies that no descriptor of a given `presentation_definition` has the id of run on every credential, beside the others. The nonce, the audience and the signature of the presentation and the definition are always checked; when one fails that is not among the policies it is added to the result.
         */
        post: operations["startVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vc/pd/{state}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `state` of the request URL. */
                state: components["parameters"]["VerificationState"];
            };
            cookie?: never;
        };
        /**
         * The presentation definition of a session
         * @description What the request asks for. The request URL names this address as `presentation_definition_uri`.
         */
        get: operations["getPresentationDefinition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vc/request/{state}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `state` of the request URL. */
                state: components["parameters"]["VerificationState"];
            };
            cookie?: never;
        };
        /**
         * The signed request of a session
         * @description The request as a JWT (RFC 9101), signed anew for each call until the session has its presentation. The profiles `ISO_18013_7_MDOC` and `EBSIV3` name this address as `request_uri`; other sessions have none. `kid` names a key of `/jwks`; `x5c` has the certificates of `verifier-service.conf`, or for `ISO_18013_7_MDOC` a self-signed one when none are configured.
         */
        get: operations["getRequestObject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jwks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The keys that sign requests
         * @description The public keys of request objects, by `kid`.
         */
        get: operations["getVerifierJwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/openid-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the verifier
         * @description The metadata by which wallets of the profile `EBSIV3` find the keys of a verifier whose `client_id` is its URL. There is no token endpoint, since the `code` of `/authorize` says only that the presentation was accepted.
         */
        get: operations["getVerifierConfiguration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A verification that a wallet begins
         * @description The conformance test of verifiers (EBSI, version 3): opens a session for three attestations in JWT form and redirects to the wallet with its request. The answer to the wallet's presentation is a redirect to `openid://` with a `code` and the `state` of this call, or with an error. Other parameters are ignored.
         */
        get: operations["authorizeWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vc/verify/{state}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `state` of the request URL. */
                state: components["parameters"]["VerificationState"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A wallet's answer
         * @description Takes the one presentation of a session, or an error instead. An answer that cannot be read, or a token that names two issuers, subjects, holders or ids, does not use the session up. While one answer is verified, another gets 503; when the process that verifies it dies, the session takes an answer again within 15 seconds.
         */
        post: operations["submitPresentation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vc/session/{state}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `state` of the request URL. */
                state: components["parameters"]["VerificationState"];
            };
            cookie?: never;
        };
        /**
         * A session and, once a wallet has answered, its result
         * @description The result is kept for `retentionSeconds` of `verifier-service.conf`, a day by default. With `presentedData = deleteOnHandover` what was presented is handed over once: by the first answer of this operation or of `presented-credentials`, or by a callback that the receiver takes, whichever is first. Then it is deleted; the session has `handoverDate`, what came of each policy, and handles of the credentials.
         */
        get: operations["getVerificationResult"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vc/session/{state}/presented-credentials": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `state` of the request URL. */
                state: components["parameters"]["VerificationState"];
            };
            cookie?: never;
        };
        /**
         * What was presented and verified
         * @description The presentations of a session whose every policy succeeded, by format, with disclosures in their places. `verbose` shows the encoding, what the issuer signed, disclosures by their digests, and signatures too.
         */
        get: operations["getPresentedCredentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transaction-data-profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the profiles of transaction data
         * @description The kinds of transaction data that `verifier-service.conf` describes. A verification session that asks for a transaction of such a kind must have exactly its fields.
         */
        get: operations["listVerifierTransactionDataProfiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vc/policy-list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every policy with its description
         * @description The names that `vp_policies`, `vc_policies` and `policies` may list.
         */
        get: operations["listPolicies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vc/policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe every policy
         * @description What a client needs to offer policies: where each may be listed, in which order they run, and a JSON Schema of the argument.
         */
        get: operations["describePolicies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verification-session/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a verification session
         * @description Creates a session of OpenID4VP 1.0 and the request for a wallet. Four secrets belong to a session: its id, which is its creator's; the id of the request, which is in the links for wallets; the `state`, which the wallet repeats; and the response code, which comes back with the user's browser. So who photographs a QR code cannot read the result. A request is signed with the key of the session, that of `verifier-service.conf`, or a key of this server, which must belong to `clientId`: `x509_san_dns:` and `x509_hash:` need certificates, `decentralized_identifier:` a DID that lists the key, `verifier_attestation:` an attestation about it. Without a prefix, wallets know the verifier already. A request that is not signed has the client `redirect_uri:` with its response URI, unless `clientId` names one that wallets know. `haip` demands what HAIP 1.0 does: responses are encrypted; links lead to signed requests with `x509_hash:` and ES256; credentials are SD-JWT VCs or mdocs.
         */
        post: operations["createVerificationSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verification-session/{sessionId}/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a verification session
         * @description How far the session is and, once a wallet has responded, what was presented and what came of each check. No key, no secret of a webhook, and no other id of the session is shown. The outcome of a flow on one device is shown after its response code was redeemed; until then the session is in progress. With `presentedData = deleteOnHandover` of `verifier-service.conf`, what was presented is shown once: it is deleted with the first answer that has it, and later ones have `handoverDate`, the outcome of each check and handles of the credentials.
         */
        get: operations["getVerificationSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verification-session/{sessionId}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a response code for the result
         * @description The user's browser comes back to `success_redirect_uri` with a `response_code`. The page that began the session, which alone has the session id in its own login or cookie, exchanges it here, once; that also hands the result over. A page must not take the session id from a link: an attacker who sends the request of an own session to another person would get that person's result.
         */
        post: operations["redeemResponseCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verification-session/{sessionId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the events of a verification session
         * @description Server-sent events (WHATWG HTML §9.2), one for each step of the verification: first all that the session has kept, then each new one within a second, whichever process or instance it happens in. The `id` of an event is its number in the session, from 1; its `data` is the JSON that the webhook of the session gets. After a break a browser sends the last number as `Last-Event-ID` and gets what follows it. A comment comes every 15 seconds. The stream ends when the session is no longer kept and when the server stops. A process has at most 500 streams, and 8 of one session. Events contain nothing that was presented.
         */
        get: operations["streamVerificationSessionEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verification-session/{requestId}/request": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the request, as the links for wallets have it. */
                requestId: components["parameters"]["RequestId"];
            };
            cookie?: never;
        };
        /**
         * A wallet fetches its request
         * @description The request of a session until a response has arrived: a signed one as a JWT, signed anew each time, any other as JSON; over the Digital Credentials API what the page passes to `navigator.credentials.get`.
         */
        get: operations["getAuthorizationRequest"];
        put?: never;
        /**
         * A wallet fetches its request with a nonce
         * @description As with GET; a signed request repeats the `wallet_nonce` (OpenID4VP 1.0 §5.10).
         */
        post: operations["postAuthorizationRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verification-session/{requestId}/response": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A wallet's response
         * @description Takes the one response of a session: presentations by the ids of their queries, the same encrypted, or an error. A response that cannot be read does not use the session up. Of several responses at once one is verified and the others are refused with 409; when the process that verifies one dies, the session takes a response again within 15 seconds. Pages that use the Digital Credentials API send what they got as JSON.
         */
        post: operations["submitAuthorizationResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vical/fetch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fetch a VICAL
         * @description Answers with the VICAL at a URL. Its form is checked, its signature is not.
         */
        post: operations["fetchVical"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/vical/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate a VICAL
         * @description Verifies the signature of a VICAL with a key, and its dates. `verificationKey` is a public JWK, alone or as the member `jwk` of an object, or the certificate of the signer in PEM. Certificates inside the VICAL do not count.
         */
        post: operations["validateVical"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/revocations/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check whether a credential is revoked
         * @description Takes a credential as JSON text, a JWT, an SD-JWT VC or an mdoc in base64url and looks its status up: entries of the types `StatusList2021Entry` and `BitstringStatusListEntry` in `credentialStatus`, and `status_list` in `status` (Token Status List, as a JWT or a CWT). Every list must be signed by the issuer of the credential, valid now and, when it is one of the W3C, long enough; the signature of the credential itself is checked unless it is JSON. With several entries the credential is revoked when one of purpose `revocation` says so, and every one of them must be readable. A status of a Token Status List is 0 (valid), 1 (revoked) or 2 (suspended, which is not revoked). Of a suspended credential the answer says `isSuspended` too. Entries of the types `RevocationList2020Status` and `SimpleCredentialStatus2022`, and the `identifier_list` of an mdoc, are read as well.
         */
        post: operations["checkRevocation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/revocations/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a credential that was issued here
         * @description Takes a credential as it was issued, with its signature: a JWT, an SD-JWT VC or an mdoc in base64url; or the base token of 72 characters. Every status of it that is published here and can say "revoked" says so from now on, for ever; again changes nothing. Plain JSON is refused: without a signature it could name the entry of another credential.
         */
        post: operations["revokeCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/credentials/status/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a status list by its id
         * @description The same list as at `GET /status-lists/{id}`, which is the URL that credentials name.
         */
        get: operations["getStatusCredential"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/credentials/token/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status under a token
         * @description The status of a credential with a token (SimpleCredentialStatus2022). An unknown token is a 404, never "not revoked".
         */
        get: operations["getStatusToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/status-lists/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a status list
         * @description A status list, signed by the issuer of the credentials that name it. Its kind decides its form: a list credential of the W3C (`BitstringStatusList`, `StatusList2021`) as a JWT, or a Token Status List as a JWT or a CWT. The list names its URL, when it was signed and until when it is valid.
         */
        get: operations["getStatusList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/issuer2/status-lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the status lists
         * @description All lists that were opened, the full ones too.
         */
        get: operations["listStatusLists"];
        put?: never;
        /**
         * Open a status list
         * @description Opens the list that the next credential of this issuer, key, certificate chain, kind, purpose and size gets its entry of, unless there is one. Lists open by themselves when a credential needs an entry: this is for those who need the URL before, or entries for credentials that are signed elsewhere.
         */
        post: operations["createStatusList"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/issuer2/status-lists/{listId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the list. */
                listId: components["parameters"]["ListId"];
            };
            cookie?: never;
        };
        /**
         * Show a status list
         * @description What the list is for; its statuses are published at its URL.
         */
        get: operations["getStatusListFacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/issuer2/status-lists/{listId}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the list. */
                listId: components["parameters"]["ListId"];
            };
            cookie?: never;
        };
        /**
         * List the entries of a list
         * @description The entries that credentials have, in the order of their indexes unless `sort` says otherwise.
         */
        get: operations["listStatusEntries"];
        put?: never;
        /**
         * Allocate an entry
         * @description Gives an entry that no other credential has, at an index that cannot be predicted, for a credential that is signed elsewhere. When the list is full, it is an entry of the next list with the same properties. An entry is never returned.
         */
        post: operations["allocateStatusEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/issuer2/status-lists/{listId}/entries/{index}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the list. */
                listId: components["parameters"]["ListId"];
                /** @description The index of the entry. */
                index: components["parameters"]["EntryIndex"];
            };
            cookie?: never;
        };
        /**
         * Show an entry
         * @description Its state, and who changed it, when and why.
         */
        get: operations["getStatusEntry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/issuer2/status-lists/{listId}/entries/{index}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the list. */
                listId: components["parameters"]["ListId"];
                /** @description The index of the entry. */
                index: components["parameters"]["EntryIndex"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke, suspend or restore a credential
         * @description Revocation is final: what is revoked can be neither suspended nor lifted. Only what is suspended can be lifted. To revoke what is revoked, or suspend what is suspended, changes nothing and is no error, so a call that got no answer is repeated. The list that is fetched after the answer has the change, on every instance; who fetched it before has it until the end of its time to live.
         */
        post: operations["changeStatusEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/issuer2/status-entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find entries
         * @description The entries of the credentials of an issuance session, or of the credential with an id, in all lists. One of the two is required.
         */
        get: operations["findStatusEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/issuer2/status-entries/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke, suspend or restore all credentials of a session
         * @description Changes the entries of the credentials of an issuance session, or of the credential with an id, at most 1,000. An entry that cannot be changed in this way stays as it is; when none can, the answer is that of the first.
         */
        post: operations["changeStatusEntries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/issuer2/status-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the token of a credential
         * @description For a credential that is signed elsewhere, or whose issuance request has a `credentialStatus` of its own: instead of an entry of a list it names the URL that answers its status (SimpleCredentialStatus2022). Only the digest of the base token is stored, and only the base token revokes. A server has at most 100,000 tokens.
         */
        post: operations["createStatusToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/draft13/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe a credential type of draft 13
         * @description SD-JWT VC type metadata, at the URL that is the `vct` of the credentials which are issued over draft 13. The same configuration gives the same bytes, so that their digest can be named as `vct#integrity`.
         */
        get: operations["getDraft13CredentialType"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openid4vci/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe a credential type of 1.0
         * @description The same for credentials that are issued over OpenID4VCI 1.0.
         */
        get: operations["getFinalCredentialType"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/vct/{version}/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe a credential type, where earlier drafts look for it
         * @description The same metadata below the host's well-known path, for clients of earlier drafts of SD-JWT VC. Also types whose `vct` is not a URL of this server are described here, such as `urn:eudi:pid:1`.
         */
        get: operations["getCredentialType"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/superadmin/create-by-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the account of a superadmin
         * @description The tokens and their accounts are those of `superadmin-registration.conf`. A token is valid once; unknown and expired tokens get the same answer.
         */
        post: operations["createSuperadmin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/account/emailpass": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in
         * @description The token is sent as `Authorization: Bearer` with every other call here. It is not valid for the wallet, and a token of the wallet is not valid here.
         */
        post: operations["loginEnterpriseAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an organization
         * @description For superadmins. Also creates the role `{organization}.admin`, which has all permissions in it.
         */
        post: operations["createOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/account/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account
         * @description For superadmins. The account has no permissions until it has roles.
         */
        post: operations["registerEnterpriseAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/account/{accountId}/roles/add/{org}/{roleId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `_id` of the account. */
                accountId: components["schemas"]["Uuid"];
                /** @description The organization of the role. */
                org: components["schemas"]["TargetSegment"];
                /** @description The target of the role, or what follows the organization in it. */
                roleId: components["schemas"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an account a role
         * @description Requires full control of the role's target and of every target in its permissions.
         */
        post: operations["assignRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/roles-api/roles/create": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a role
         * @description The target is that of the new role, below an organization or a tenant. Requires full control of the target, and of every target in the permissions of the role.
         */
        post: operations["createRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/resource-api/tenants/create": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a tenant
         * @description The target is that of the new tenant, below an organization or another tenant. Permission `tenant-create`.
         */
        post: operations["createTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/resource-api/services/create": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a service
         * @description The target is that of the new service, below an organization or a tenant. Members beside `type` are its configuration; `dependencies` lists the services that it uses, each of which requires the permission `service-use`. `dependencies`, `traversable`, `name`, `description`, `baseUrl`, `kms` and `tokenKeyId` are shown; all others are stored sealed and never shown. Permission `service-create`.
         */
        post: operations["createService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/resource-api/services": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Replace the configuration of a service
         * @description The whole configuration with its dependencies is replaced by the body, and everything in it is checked as when the service is created. The type cannot change. Permission `service-update`.
         */
        put: operations["updateService"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/resource-api/dependencies/add": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a service depend on another
         * @description The other one must exist, be in the same organization and be of a type that the service uses; the service must not depend on itself, through others either. Permission `service-update` at the target and `service-use` at the dependency.
         */
        post: operations["addDependency"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/resource-api/dependencies/remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a service no longer depend on another
         * @description Refused when the configuration of the service names the other one, or needs one of its type and has no other. Permission `service-update`.
         */
        post: operations["removeDependency"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/resource-api/dependencies/list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * List what a service depends on
         * @description Permission `resource-view`.
         */
        get: operations["listDependencies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/resource-api/resources": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * Show the resource at a target
         * @description Permission `resource-view`.
         */
        get: operations["getResource"];
        put?: never;
        post?: never;
        /**
         * Remove the resource at a target
         * @description It must be empty, and no other service may depend on it. A key is removed from its backend too. Permission `resource-delete`.
         */
        delete: operations["deleteResource"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/resource-api/resources/list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * List what is directly below a target
         * @description The tenants and services of an organization or tenant, or the children of a service. Permission `resource-list`, and for the children of a service that of its own list too.
         */
        get: operations["listResources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/kms-service-api/keys/generate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a key
         * @description The target is that of the service, or that of the new key below it. Permission `key-create`.
         */
        post: operations["generateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/kms-service-api/keys/list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * List the keys of a key management service
         * @description Permission `list-keys`. Only public parts are shown.
         */
        get: operations["listKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/did-store-service-api/dids": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * List the DIDs of a DID store, or show one
         * @description The target is that of the store; at the target of an entry that one is the answer, and the parameters have no effect. Permission `did-list`.
         */
        get: operations["listDids"];
        /**
         * Replace the document of a DID
         * @description The target is that of the entry. The DID stays. Permission `resource-update`.
         */
        put: operations["replaceTenantDid"];
        /**
         * Store a DID
         * @description The target is that of the store, or that of the new entry below it. Permission `did-create`.
         */
        post: operations["addDid"];
        /**
         * Delete a DID
         * @description The target is that of the entry. Permission `resource-delete`.
         */
        delete: operations["deleteTenantDid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/did-store-service-api/dids/list-did-ids": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * List the names of the entries of a DID store
         * @description Each is the last part of the target of an entry. Permission `did-list`.
         */
        get: operations["listDidIds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/credential-store-service-api/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * Show a credential
         * @description The target is that of the entry. Permission `credential-list`.
         */
        get: operations["getTenantCredential"];
        /**
         * Replace a credential
         * @description The target is that of the entry. Permission `resource-update`.
         */
        put: operations["replaceTenantCredential"];
        /**
         * Store a credential
         * @description The target is that of the store, or that of the new entry below it. Permission `credential-create`.
         */
        post: operations["addCredential"];
        /**
         * Delete a credential
         * @description The target is that of the entry. Permission `resource-delete`.
         */
        delete: operations["deleteTenantCredential"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/credential-store-service-api/credentials/list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * List the credentials of a credential store
         * @description Permission `credential-list`.
         */
        get: operations["listCredentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/credential-store-service-api/credentials/list-ids": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * List the targets of the credentials of a store
         * @description Permission `credential-list`.
         */
        get: operations["listCredentialIds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/kms-service-api/keys/import/jwk": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a private key
         * @description The body is a private JWK, which is stored sealed. The target is that of the service, or that of the new key below it. Permission `key-create`.
         */
        post: operations["importTenantKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/kms-service-api/keys/sign": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign with a key
         * @description Signs any JSON as a compact JWS whose header has `alg`, `typ: JWT` and the thumbprint of the key as `kid`. An object of exactly `protected` and `payload` is the input of a flattened JWS (RFC 7515 §7.2.2) instead: its header is kept, and gets `kid` only when it has neither `kid` nor `jwk`. There `protected` is an object and `payload` any JSON, or both are base64url texts. The target is that of the key. Permission `key-sign`.
         */
        post: operations["signWithTenantKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/kms-service-api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * Show a key
         * @description The target is that of the key. Only its public part is shown. Permission `list-keys`.
         */
        get: operations["getTenantKey"];
        put?: never;
        post?: never;
        /**
         * Delete a key
         * @description The target is that of the key. The key is removed from its backend too. Permission `resource-delete`.
         */
        delete: operations["deleteTenantKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/did-store-service-api/dids/create": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the DID of a key
         * @description The key is one of a key management service that the store depends on. The target is that of the store, or that of the new entry below it. Permission `did-create`.
         */
        post: operations["createTenantDid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/policy-store-service-api/policies": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * Show a policy
         * @description The target is that of the entry. Permission `policy-list`.
         */
        get: operations["getStoredPolicy"];
        /**
         * Replace a policy
         * @description The target is that of the entry. Permission `resource-update`.
         */
        put: operations["replaceStoredPolicy"];
        /**
         * Store a policy
         * @description A policy that the verifier knows, with an argument that it takes. Secrets in the argument are stored sealed and not shown. The target is that of the store, or that of the new entry below it. Permission `policy-create`.
         */
        post: operations["addStoredPolicy"];
        /**
         * Delete a policy
         * @description The target is that of the entry. Permission `resource-delete`.
         */
        delete: operations["deleteStoredPolicy"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/policy-store-service-api/policies/list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * List the policies of a policy store
         * @description Every policy without the secrets of its argument. Permission `policy-list`.
         */
        get: operations["listStoredPolicies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/policy-store-service-api/policies/list-ids": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * List the targets of the policies of a store
         * @description Each is the target of an entry. Permission `policy-list`.
         */
        get: operations["listStoredPolicyIds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/credential-status-service-api/status-credential/create": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a status credential
         * @description Opens the status list of an issuer: credentials of the same issuer, key and certificates get their entries of it. The target is that of the service, or that of the new status credential below it. The list is signed with the key `kid` of a key management service that this service depends on. A full list is followed by another with the same properties. Lists are published as long as the store has them, since credentials name their URLs. Permission `status-credential-create`.
         */
        post: operations["createStatusCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/credential-status-service-api/status-credential/list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * List the status credentials of a service
         * @description Permission `status-credential-list`.
         */
        get: operations["listStatusCredentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/credential-status-service-api/status-credential/status/update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Set the status of the credentials of a session
         * @description Changes the entries that the credentials of an issuance session have of the lists of this service; `session` is the target of the issuer, which depends on this service, and the session. `0x0` is valid, `0x1` what the list calls so (revoked, or suspended in a list of suspensions), `0x2` suspended in a Token Status List. Revocation is final, and only what is suspended becomes valid again. An entry that cannot be changed in this way stays as it is; when none can, the answer is that of the first. Permission `status-entry-change`.
         */
        put: operations["updateSessionStatus"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/status-lists/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * Get a status list, of the service at a target
         * @description A status list, signed by the issuer of the credentials that name it. Its kind decides its form: a list credential of the W3C (`BitstringStatusList`, `StatusList2021`) as a JWT, or a Token Status List as a JWT or a CWT. The list names its URL, when it was signed and until when it is valid.
         */
        get: operations["tenantGetStatusList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/credential-status-service-api/status-lists": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * List the status lists, of the service at a target
         * @description All lists that were opened, the full ones too. Permission `status-credential-list`.
         */
        get: operations["tenantListStatusLists"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/credential-status-service-api/status-lists/{listId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
                /** @description The id of the list. */
                listId: components["parameters"]["ListId"];
            };
            cookie?: never;
        };
        /**
         * Show a status list, of the service at a target
         * @description What the list is for; its statuses are published at its URL. Permission `status-credential-list`.
         */
        get: operations["tenantGetStatusListFacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/credential-status-service-api/status-lists/{listId}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
                /** @description The id of the list. */
                listId: components["parameters"]["ListId"];
            };
            cookie?: never;
        };
        /**
         * List the entries of a list, of the service at a target
         * @description The entries that credentials have, in the order of their indexes unless `sort` says otherwise. Permission `status-entry-list`.
         */
        get: operations["tenantListStatusEntries"];
        put?: never;
        /**
         * Allocate an entry, of the service at a target
         * @description Gives an entry that no other credential has, at an index that cannot be predicted, for a credential that is signed elsewhere. When the list is full, it is an entry of the next list with the same properties. An entry is never returned. Permission `status-entry-create`.
         */
        post: operations["tenantAllocateStatusEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/credential-status-service-api/status-lists/{listId}/entries/{index}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
                /** @description The id of the list. */
                listId: components["parameters"]["ListId"];
                /** @description The index of the entry. */
                index: components["parameters"]["EntryIndex"];
            };
            cookie?: never;
        };
        /**
         * Show an entry, of the service at a target
         * @description Its state, and who changed it, when and why. Permission `status-entry-list`.
         */
        get: operations["tenantGetStatusEntry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/credential-status-service-api/status-lists/{listId}/entries/{index}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
                /** @description The id of the list. */
                listId: components["parameters"]["ListId"];
                /** @description The index of the entry. */
                index: components["parameters"]["EntryIndex"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke, suspend or restore a credential, of the service at a target
         * @description Revocation is final: what is revoked can be neither suspended nor lifted. Only what is suspended can be lifted. To revoke what is revoked, or suspend what is suspended, changes nothing and is no error, so a call that got no answer is repeated. The list that is fetched after the answer has the change, on every instance; who fetched it before has it until the end of its time to live. Permission `status-entry-change`.
         */
        post: operations["tenantChangeStatusEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/credential-status-service-api/status-entries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * Find entries, of the service at a target
         * @description The entries of the credentials of an issuance session, or of the credential with an id, in all lists. One of the two is required. Permission `status-entry-list`.
         */
        get: operations["tenantFindStatusEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/credential-status-service-api/status-entries/changes": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke, suspend or restore all credentials of a session, of the service at a target
         * @description Changes the entries of the credentials of an issuance session, or of the credential with an id, at most 1,000. An entry that cannot be changed in this way stays as it is; when none can, the answer is that of the first. Permission `status-entry-change`.
         */
        post: operations["tenantChangeStatusEntries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/host-alias-api/host-aliases/create": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a target a domain of its own
         * @description The target is an organization, a tenant or a service. What is below it is then published under `https://{domain}` (with the scheme and port of the public URL), and requests to the domain are answered for the target and what is below it only. The oldest domain of the nearest target counts. A domain belongs to one target. The change takes effect on every instance within two seconds. Permission `host-alias-create`.
         */
        post: operations["createHostAlias"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/host-alias-api/host-aliases/list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * List the domains of a target
         * @description In the order of their names. Permission `host-alias-list`.
         */
        get: operations["listHostAliases"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/host-alias-api/host-aliases/{domain}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
                /** @description The domain. */
                domain: components["schemas"]["DomainName"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take a domain from a target
         * @description Permission `host-alias-delete`.
         */
        delete: operations["deleteHostAlias"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the caller with its rights
         * @description The account, its roles and everything that they grant or deny. A superadmin may do everything, so its `permissions` are empty.
         */
        get: operations["getOwnAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/me/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Replace the own profile
         * @description The e-mail address stays. What is a secret by its name or content is left out.
         */
        put: operations["replaceOwnProfile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the own password
         * @description All other sessions of the account end. A wrong `current` counts as a failed login.
         */
        post: operations["changeOwnPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/account/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a password with a token
         * @description The token is that of `POST /v1/admin/accounts/{accountId}/password-reset`; it is valid once and for an hour. All sessions of the account end, and so does its lock.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the accounts
         * @description For superadmins. In the order of their ids.
         */
        get: operations["listAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/accounts/{accountId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `_id` of the account. */
                accountId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        /**
         * Show an account
         * @description For superadmins, and for the account itself.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        /**
         * Remove an account
         * @description For superadmins. The login, the sessions and the roles of the account are removed; its address is free. A superadmin cannot remove itself.
         */
        delete: operations["deleteAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/accounts/{accountId}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `_id` of the account. */
                accountId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable an account
         * @description For superadmins. The account cannot log in, its sessions end, and it may do nothing until it is enabled. A superadmin cannot disable itself.
         */
        post: operations["disableAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/accounts/{accountId}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `_id` of the account. */
                accountId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable an account
         * @description For superadmins.
         */
        post: operations["enableAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/accounts/{accountId}/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `_id` of the account. */
                accountId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a token for a new password
         * @description For superadmins. The token is shown once; it is valid once, for an hour, at `POST /auth/account/password-reset`.
         */
        post: operations["createPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/account/{accountId}/roles/remove/{org}/{roleId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `_id` of the account. */
                accountId: components["schemas"]["Uuid"];
                /** @description The organization of the role. */
                org: components["schemas"]["TargetSegment"];
                /** @description The target of the role, or what follows the organization in it. */
                roleId: components["schemas"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a role from an account
         * @description Requires what giving it requires.
         */
        post: operations["unassignRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/roles-api/roles/list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * List the roles at a target
         * @description Those directly below an organization or a tenant, in the order of their targets. Permission `role-list`.
         */
        get: operations["listRoles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/roles-api/roles": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * Show a role
         * @description The target is that of the role. Permission `role-view`.
         */
        get: operations["getRole"];
        /**
         * Change a role
         * @description Requires full control of the role and of every target in its permissions, before and after. Its accounts have the new permissions from the next request on.
         */
        put: operations["replaceRole"];
        post?: never;
        /**
         * Remove a role
         * @description Requires full control of the role and of every target in its permissions. Its accounts lose it at once.
         */
        delete: operations["deleteRole"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/roles-api/roles/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * List the accounts of a role
         * @description Requires full control of the role and of every target in its permissions. In the order of their ids.
         */
        get: operations["listRoleAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/permissions-api/decision": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * Ask whether something is allowed
         * @description Answers for an account, or for the caller, and names the grant that decides: the first denial, or else the first grant. Nothing decides when nothing is granted. About another account: permission `permission-view`.
         */
        get: operations["decidePermission"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the actions that permissions name
         * @description Each with its meaning.
         */
        get: operations["listActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/openid-credential-issuer/v2/{target}/issuer-service-api/openid4vci": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * Describe the credential issuer of OpenID4VCI 1.0, of the service at a target
         * @description Credential issuer metadata (OpenID4VCI 1.0 §12.2). With `Accept: application/jwt` it is signed (§12.2.3): `iss` and `sub` are the issuer identifier, `kid` names a key of `/openid4vci/jwks`. Every other `Accept` is answered with JSON.
         */
        get: operations["tenantGetOpenid4vciIssuerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server/v2/{target}/issuer-service-api/openid4vci": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * Describe the authorization server of OpenID4VCI 1.0, of the service at a target
         * @description Authorization server metadata (RFC 8414).
         */
        get: operations["tenantGetOpenid4vciServerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwt-vc-issuer/v2/{target}/issuer-service-api/openid4vci": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * Publish where the keys of the issuer of OpenID4VCI 1.0 are, of the service at a target
         * @description JWT VC issuer metadata (SD-JWT VC §5), for verifiers.
         */
        get: operations["tenantGetOpenid4vciJwtVcIssuer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{target}/issuer-service-api/openid4vci/jwks": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * List the public keys of the issuer of OpenID4VCI 1.0, of the service at a target
         * @description The same keys as those of draft 13, since the keys are of this server and not of a protocol.
         */
        get: operations["tenantListOpenid4vciKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{target}/issuer-service-api/openid4vci/credential-offer": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * Get an offer of OpenID4VCI 1.0, of the service at a target
         * @description The offer that an offer URL points to (OpenID4VCI 1.0 §4.1.3). It can be read until the issuance session is over.
         */
        get: operations["tenantGetOpenid4vciOffer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{target}/issuer-service-api/openid4vci/par": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Push an authorization request, of the service at a target
         * @description Takes the parameters of an authorization request (RFC 9126) and returns a reference to it, which is good for a minute and for one authorization. What is wrong with the request is the error of this call. A client that authenticates with an attestation sends it here and with the token request, where its code is bound to it; a DPoP proof, or `dpop_jkt`, binds the code to the key of the proof. See docs/authorization.md.
         */
        post: operations["tenantPushOpenid4vciAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{target}/issuer-service-api/openid4vci/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * Authorize a wallet, of the service at a target
         * @description The authorization endpoint of the authorization code flow (OpenID4VCI 1.0 §5). The offer is the consent; a profile may demand that the holder logs in at another server first, and then the answer leads there. Without `issuer_state` the wallet asks for a profile that is issued without an offer: `scope` or `authorization_details` name the configuration of exactly one such profile, and the session lives five minutes. It answers with a redirect to the wallet, with a code that is good for a minute or an error, the `state` and the issuer as `iss` (RFC 9207). A proof key of the method S256 is required. `scope` and `authorization_details` limit what the access token permits; without both it permits the whole offer.
         */
        get: operations["tenantAuthorizeOpenid4vci"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{target}/issuer-service-api/openid4vci/token": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem a code over OpenID4VCI 1.0, of the service at a target
         * @description A pre-authorized code is valid for one token (OpenID4VCI 1.0 §6). A wrong `tx_code` is `invalid_grant`, a missing or needless one `invalid_request`; the code stays valid until the fifth wrong one. When `requested_token` cannot be reported to the issuer's callback, the answer is 400 with `server_error` and the code stays valid. Details of `authorization_details` are answered with the identifiers of their credentials; a configuration that is not in the offer is `invalid_authorization_details`. A code of the authorization endpoint is valid for one token, too, with the client and the redirect URI of its request and the verifier of its proof key; a second use makes its tokens void. A client that has a name or proves a key gets a refresh token, which is good as long as the session and bound to both; unless HAIP is demanded it is replaced with each use, and the use of a replaced one makes all tokens void. With a DPoP proof the access token is bound to its key (RFC 9449). Unknown parameters are ignored.
         */
        post: operations["tenantRequestOpenid4vciToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{target}/issuer-service-api/openid4vci/nonce": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a nonce for proofs of possession, of the service at a target
         * @description The nonce is good for five minutes and for one credential request, in which all proofs carry it (OpenID4VCI 1.0 §7).
         */
        post: operations["tenantRequestOpenid4vciNonce"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{target}/issuer-service-api/openid4vci/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a challenge for client attestations, of the service at a target
         * @description The challenge is good for five minutes and any number of proofs of possession of a client attestation (attestation-based client authentication §6.1). The metadata name this endpoint when attestations are read.
         */
        post: operations["tenantRequestOpenid4vciChallenge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{target}/issuer-service-api/openid4vci/credential": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim a credential over OpenID4VCI 1.0, of the service at a target
         * @description Names a credential of the offer by its configuration or by an identifier of the token response (OpenID4VCI 1.0 §8). Each proof is a JWT with `typ` openid4vci-proof+jwt, the holder's key as `jwk` or by a DID URL as `kid`, `aud` the issuer identifier, `iat` at most five minutes old and `nonce` of the nonce endpoint; all carry the same nonce, each is of another key, and there is one credential for each, of the same data. A key attestation (appendix D) in the header `key_attestation`, or as the only proof of the type `attestation`, brings more keys: there is one credential for each. `invalid_nonce` asks for a fresh nonce; after any other error the nonce stays good. A wallet that lost the answer asks again with a fresh nonce and gets the same credentials within five minutes, with the same access token and proofs of the same keys in the same order. An encrypted request is a JWE to a key of `credential_request_encryption` of the metadata, of the media type application/jwt; only such a request may have `credential_response_encryption` (§10). An access token that is bound to a key is sent as `Authorization: DPoP`, with a DPoP proof of that key (RFC 9449 §7).
         */
        post: operations["tenantRequestOpenid4vciCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{target}/issuer-service-api/openid4vci/deferred_credential": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim credentials whose issuance was deferred, over OpenID4VCI 1.0, of the service at a target
         * @description OpenID4VCI 1.0 §9. The access token is that of the credential request. `invalid_transaction_id` for any other transaction id than one of this access token. The credentials are made once; for five minutes, or until a notification that the wallet does not have them, they are returned again. An encrypted request is a JWE to a key of `credential_request_encryption` of the metadata, of the media type application/jwt; only such a request may have `credential_response_encryption` (§10).
         */
        post: operations["tenantRequestOpenid4vciDeferredCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{target}/issuer-service-api/openid4vci/notification": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report what became of issued credentials, of the service at a target
         * @description The wallet reports whether it stored the credentials of one answer (OpenID4VCI 1.0 §11), which the issuer's callback gets once for each event. The copy for a wallet that lost the answer is removed when the wallet failed to store the credentials or deleted them; after `credential_accepted` it stays for its five minutes.
         */
        post: operations["tenantNotifyOpenid4vciIssuer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{target}/issuer-service-api/openid4vci/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * Describe a credential type of 1.0, of the service at a target
         * @description The same for credentials that are issued over OpenID4VCI 1.0.
         */
        get: operations["tenantGetFinalCredentialType"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{target}/issuer-service-api/profiles": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * List the profiles, of the service at a target
         * @description What this issuer issues, as `issuer2-profiles.conf` has it; without that file one profile for each credential configuration. Keys are not shown. Permission `issuer-profile-view`.
         */
        get: operations["tenantListIssuanceProfiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{target}/issuer-service-api/profiles/{profileId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * Show a profile, of the service at a target
         * @description The profile without its key. Permission `issuer-profile-view`.
         */
        get: operations["tenantGetIssuanceProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{target}/issuer-service-api/credential-offers": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Offer the credential of a profile, of the service at a target
         * @description Creates an issuance session and the offer that a wallet redeems (OpenID4VCI 1.0 §4.1). The id of the session is not in the offer, so who sees the offer cannot follow the session. Permission `issuer-credential-issue`.
         */
        post: operations["tenantCreateCredentialOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{target}/issuer-service-api/credential-offers/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Offer the credentials of profiles to many holders, of the service at a target
         * @description Up to 10,000 offers in one call. The body is newline-delimited JSON: each line is what the body of `POST /issuer2/credential-offers` is, of 1 MiB at most; blank lines are skipped. The answer has one line for each of them, in their order and as soon as its offer is stored: the offer, or the error that the single call would have had. Both are streamed. Each line counts towards the rate limit. A line without an answer, because the connection broke or the server stopped, may have been taken or not: with a `sessionId` of your own in each line send the same lines again. What was created is not created twice; while it is good, its offer comes again, unless it has a generated transaction code, which is shown once (409). A process reads 8 such bodies at a time. Permission `issuer-credential-issue`.
         */
        post: operations["tenantCreateCredentialOffersInBulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{target}/issuer-service-api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * List the issuance sessions, of the service at a target
         * @description The sessions of OpenID4VCI 1.0 until ten minutes after their expiry. Permission `issuer-session-view`.
         */
        get: operations["tenantListIssuanceSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{target}/issuer-service-api/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * Show an issuance session, of the service at a target
         * @description How far the session is; no key, code, token or data of the credential. Permission `issuer-session-view`.
         */
        get: operations["tenantGetIssuanceSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/{target}/issuer-service-api/sessions/{sessionId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * Follow the events of an issuance session, of the service at a target
         * @description Server-sent events (WHATWG HTML §9.2), one for each step of the issuance: first all that the session has kept, then each new one within a second, whichever process or instance it happens in. The `id` of an event is its number in the session, from 1; its `data` is the JSON that the webhook of the session gets. After a break a browser sends the last number as `Last-Event-ID` and gets what follows it. A comment comes every 15 seconds. The stream ends when the session is no longer kept and when the server stops. A session keeps its last 100 events, at most 256 KiB of them. A process has at most 500 streams, and 8 of one session. Sessions of the drafts keep no events for readers. Permission `issuer-session-view`.
         */
        get: operations["tenantStreamIssuanceSessionEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/verifier2-service-api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * List the verification sessions of a verifier
         * @description How far each session is and which checks came to what. Neither the request, nor a secret, nor anything that was presented is listed; of each credential there is a handle. Permission `verifier-session-view`.
         */
        get: operations["listVerificationSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/verifier2-service-api/verification-session/create": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a verification session, of the service at a target
         * @description Creates a session of OpenID4VP 1.0 and the request for a wallet. Four secrets belong to a session: its id, which is its creator's; the id of the request, which is in the links for wallets; the `state`, which the wallet repeats; and the response code, which comes back with the user's browser. So who photographs a QR code cannot read the result. A request is signed with the key of the session, that of `verifier-service.conf`, or a key of this server, which must belong to `clientId`: `x509_san_dns:` and `x509_hash:` need certificates, `decentralized_identifier:` a DID that lists the key, `verifier_attestation:` an attestation about it. Without a prefix, wallets know the verifier already. A request that is not signed has the client `redirect_uri:` with its response URI, unless `clientId` names one that wallets know. `haip` demands what HAIP 1.0 does: responses are encrypted; links lead to signed requests with `x509_hash:` and ES256; credentials are SD-JWT VCs or mdocs. Permission `verification-create`.
         */
        post: operations["tenantCreateVerificationSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/verifier2-service-api/verification-session/{sessionId}/info": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * Show a verification session, of the service at a target
         * @description How far the session is and, once a wallet has responded, what was presented and what came of each check. No key, no secret of a webhook, and no other id of the session is shown. The outcome of a flow on one device is shown after its response code was redeemed; until then the session is in progress. With `presentedData = deleteOnHandover` of `verifier-service.conf`, what was presented is shown once: it is deleted with the first answer that has it, and later ones have `handoverDate`, the outcome of each check and handles of the credentials. Permission `verifier-session-view`.
         */
        get: operations["tenantGetVerificationSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/verifier2-service-api/verification-session/{sessionId}/result": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a response code for the result, of the service at a target
         * @description The user's browser comes back to `success_redirect_uri` with a `response_code`. The page that began the session, which alone has the session id in its own login or cookie, exchanges it here, once; that also hands the result over. A page must not take the session id from a link: an attacker who sends the request of an own session to another person would get that person's result. Permission `verifier-session-view`.
         */
        post: operations["tenantRedeemResponseCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/verifier2-service-api/verification-session/{sessionId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * Follow the events of a verification session, of the service at a target
         * @description Server-sent events (WHATWG HTML §9.2), one for each step of the verification: first all that the session has kept, then each new one within a second, whichever process or instance it happens in. The `id` of an event is its number in the session, from 1; its `data` is the JSON that the webhook of the session gets. After a break a browser sends the last number as `Last-Event-ID` and gets what follows it. A comment comes every 15 seconds. The stream ends when the session is no longer kept and when the server stops. A process has at most 500 streams, and 8 of one session. Events contain nothing that was presented. Permission `verifier-session-view`.
         */
        get: operations["tenantStreamVerificationSessionEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/verifier2-service-api/verification-session/{requestId}/request": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
                /** @description The id of the request, as the links for wallets have it. */
                requestId: components["parameters"]["RequestId"];
            };
            cookie?: never;
        };
        /**
         * A wallet fetches its request, of the service at a target
         * @description The request of a session until a response has arrived: a signed one as a JWT, signed anew each time, any other as JSON; over the Digital Credentials API what the page passes to `navigator.credentials.get`.
         */
        get: operations["tenantGetAuthorizationRequest"];
        put?: never;
        /**
         * A wallet fetches its request with a nonce, of the service at a target
         * @description As with GET; a signed request repeats the `wallet_nonce` (OpenID4VP 1.0 §5.10).
         */
        post: operations["tenantPostAuthorizationRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/verifier2-service-api/verification-session/{requestId}/response": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A wallet's response, of the service at a target
         * @description Takes the one response of a session: presentations by the ids of their queries, the same encrypted, or an error. A response that cannot be read does not use the session up. Of several responses at once one is verified and the others are refused with 409; when the process that verifies one dies, the session takes a response again within 15 seconds. Pages that use the Digital Credentials API send what they got as JSON.
         */
        post: operations["tenantSubmitAuthorizationResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/audit-api/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * List the events of a target
         * @description The events of the target and of everything below it that the caller may see. Permission `audit-view`. One call reads at most 2,000 events of the organization: with filters a page may be short, or empty, and `next` says where the next one begins.
         */
        get: operations["listAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/audit-api/events/export": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * Export the events of a target
         * @description All events that the list would show, the oldest first, one JSON object a line. Permission `audit-view`.
         */
        get: operations["exportAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/{target}/audit-api/check": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        /**
         * Check the events of an organization
         * @description Computes the hashes of the events of an organization again. The target is the organization. Permission `audit-view` there. One call checks at most 20,000 events; `next` says where the next call begins.
         */
        get: operations["checkAuditTrail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/audit/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of the installation
         * @description For superadmins: logins, accounts, organizations, and what callers tried at targets that they may not see. Otherwise as the list of a target.
         */
        get: operations["listInstallationEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/audit/events/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the events of the installation
         * @description For superadmins: all events that the list would show, the oldest first, one JSON object a line.
         */
        get: operations["exportInstallationEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/audit/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the events of the installation
         * @description For superadmins: as the check of an organization.
         */
        get: operations["checkInstallationTrail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report that the process runs
         * @description Does not wait for a store. A platform restarts a process that does not answer.
         */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report whether requests can be served
         * @description A platform sends no requests to a process that is not ready.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the counters in Prometheus' text format
         * @description Requests by operation and status, and the counters of the services.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the OpenAPI document of everything this process serves
         * @description Operations of services and features that are switched off are left out.
         */
        get: operations["getContract"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the API page in a browser
         * @description Query parameters are ignored, so that links with tracking parameters work.
         */
        get: operations["getDocsPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/{asset}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a script, the style or the icon of the API page
         * @description Browsers keep a file for an hour and then ask whether it changed. Query parameters are ignored.
         */
        get: operations["getDocsAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The body of every error outside the OAuth and OpenID endpoints. */
        Problem: {
            /**
             * @description Marks the body as an error.
             * @constant
             */
            exception: true;
            /** @description A stable name of the kind of error. */
            id: string;
            /** @description The reason phrase. */
            status: string;
            /** @description The status as a string. */
            code: string;
            /** @description What is wrong, for humans. */
            message: string;
            /** @description The `X-Request-Id` of the answer. */
            requestId: string;
            /** @description The message again, where existing clients look for it. */
            errorMessage?: string;
            /** @description Where to send the user after a failed presentation. */
            redirectUri?: string;
            /** @description Every field that is wrong. */
            details?: {
                /** @description JSON Pointer to the part of the request. */
                path: string;
                /** @description What is wrong with it. */
                message: string;
            }[];
        };
        /** @description The body of every error of an OAuth or OpenID endpoint. */
        OAuthError: {
            /** @description The code that the specification of the endpoint names. */
            error: string;
            /** @description What is wrong, for humans. */
            error_description: string;
            /** @description Where the wallet sends the user after a failed presentation. */
            error_uri?: string;
            /** @description The nonce for the next proof, with `invalid_proof`. */
            c_nonce?: string;
            /** @description Seconds until that nonce expires. */
            c_nonce_expires_in?: number;
            /** @description Seconds after which to ask again, with `issuance_pending`. */
            interval?: number;
        };
        /**
         * Format: uuid
         * @description A UUID (RFC 9562).
         */
        Uuid: string;
        /** @description The number of an event in its session. */
        EventNumber: string;
        /** @description An http or https URL. */
        HttpUrl: string;
        /** @description An instant (RFC 3339) in UTC with three fraction digits. */
        DateTime: string;
        /**
         * @description The kind of key: an elliptic curve, or RSA with 2048 bits or the number of bits it names.
         * @enum {string}
         */
        KeyType: "Ed25519" | "secp256k1" | "secp256r1" | "secp384r1" | "secp521r1" | "RSA" | "RSA3072" | "RSA4096";
        /** @description A key reference object; `type` names the backend, the other members are that backend's. */
        KeyReference: {
            /** @description The backend; `jwk` for a key that the caller stores. */
            type: string;
            /** @description The identifier of the key at its backend. */
            id?: string;
            /** @description The private JWK of a `jwk` key, as an object or as JSON text. */
            jwk?: {
                [key: string]: unknown;
            } | string;
            /** @description Open: what the backend needs to find the key. */
            config?: {
                [key: string]: unknown;
            };
            /** @description Open: the credentials for the backend, where they are not in `config`. */
            auth?: {
                [key: string]: unknown;
            };
            /** @description The public key as a JWK, as an object or as JSON text; asked of the backend when absent. */
            _publicKey?: {
                [key: string]: unknown;
            } | string;
            /** @description The kind of key; asked of the backend when absent. */
            _keyType?: string;
        };
        /** @description A policy without argument is its name; with one, an object. */
        Policy: string | ({
            /** @description The name of the policy. */
            policy: string;
            /** @description The policy's argument; any JSON. */
            args?: unknown;
        } & {
            [key: string]: unknown;
        });
        /** @description Open: members that are not documented are ignored. */
        CertificateCredentials: {
            /**
             * @description The way to log in.
             * @constant
             */
            type: "x5c";
            token: components["schemas"]["LoginToken"];
            name?: components["schemas"]["AccountName"];
        };
        /** @description Open: members that are not documented are ignored. */
        LoginCredentials: {
            /**
             * @description The way to log in.
             * @enum {string}
             */
            type: "email" | "x5c";
            /** @description The e-mail address, with `email`. Upper and lower case are the same. */
            email?: string;
            /** @description The password, with `email`. */
            password?: string;
            token?: components["schemas"]["LoginToken"];
            name?: components["schemas"]["AccountName"];
        } & (unknown & unknown);
        /** @description A compact JWS (RFC 7515) with `alg` RS256 and the certificate chain, leaf first, in the header `x5c`. The payload may be an empty object; `iat`, `nbf`, `exp`, `aud`, `jti` and `nonce` are honoured when present. */
        LoginToken: string;
        /** @description The name of the account, when it is created. */
        AccountName: string;
        LoginResult: {
            /** @description The account. */
            id: components["schemas"]["Uuid"];
            /** @description A JWT, to be sent as `Authorization: Bearer …`. */
            token: string;
            /** @description The e-mail address, after a login with one. */
            username?: string;
        };
        LoginNonce: {
            /** @description Belongs in the payload of the next login token. */
            nonce: string;
            /** @description Seconds until the nonce expires. */
            expiresIn: number;
        };
        LoginSession: {
            /** @description The login. */
            token: {
                /** @description The token of this call. */
                accessToken: string;
            };
        };
        WalletAccount: {
            /**
             * @description Always empty: an installation has one tenant.
             * @constant
             */
            tenant: "";
            /** @description The account. */
            id: components["schemas"]["Uuid"];
            /** @description The name, when one was given. */
            name?: string;
            /** @description The e-mail address, when the account has one. */
            email?: string;
            /** @description When the account was created. */
            createdOn: components["schemas"]["DateTime"];
        };
        AccountWallets: {
            /** @description The account. */
            account: components["schemas"]["Uuid"];
            /** @description The wallets, oldest first. */
            wallets: {
                /** @description The wallet. */
                id: components["schemas"]["Uuid"];
                /** @description The name of the wallet. */
                name: string;
                /** @description When the wallet was created. */
                createdOn: components["schemas"]["DateTime"];
                /** @description When the account got the wallet. */
                addedOn: components["schemas"]["DateTime"];
                /**
                 * @description What the account may do with the wallet.
                 * @enum {string}
                 */
                permission: "ADMINISTRATE";
            }[];
        };
        /** @description A private key as JWK or PEM. */
        KeyText: string;
        /** @description A compact JWS. */
        Jws: string;
        DidToImport: {
            /** @description A DID. */
            did: string;
            /** @description Its private key. */
            key: {
                [key: string]: unknown;
            } | string;
            /** @description A display name. */
            alias?: string;
        };
        WalletKeyFacts: {
            /** @description The backend. */
            type: string;
            /** @description The id of the key. */
            keyId: string;
            /** @description The key type. */
            keyType: string;
            /** @description The JOSE algorithm of its signatures. */
            algorithm: string;
            /** @description The name, when one was given. */
            name?: string;
            /** @description When the wallet got it. */
            createdOn: components["schemas"]["DateTime"];
        };
        WalletKeyRequest: {
            /**
             * @description Where the key is stored; `jwk` is this server.
             * @default jwk
             */
            backend: string;
            keyType?: components["schemas"]["KeyType"];
            /** @description A display name. */
            name?: string;
            /** @description Open: what the backend needs; without it what the operator configured. */
            config?: {
                [key: string]: unknown;
            };
        };
        WalletKey: {
            /** @description The key type. */
            algorithm: string;
            /** @description The backend. */
            cryptoProvider: string;
            /** @description The identifier of the key. */
            keyId: {
                /** @description The id of the key. */
                id: string;
            };
            /** @description Always empty. */
            keyPair: Record<string, unknown>;
            /** @description Always null. */
            keysetHandle: null;
            /** @description The name, when one was given. */
            name?: string;
        };
        WalletDid: {
            /** @description The DID. */
            did: string;
            /** @description The display name. */
            alias: string;
            /** @description The DID document as JSON text. */
            document: string;
            /** @description The id of its key. */
            keyId: string;
            /** @description Whether credentials are issued to it unless a call names another one. */
            default: boolean;
            /** @description When it was created. */
            createdOn: components["schemas"]["DateTime"];
        };
        WalletCredential: {
            /** @description The wallet that stores it. */
            wallet: components["schemas"]["Uuid"];
            /** @description The id of the credential. */
            id: string;
            /** @description The issued credential, unchanged. */
            document: string;
            /** @description Selective disclosures, joined by a tilde. */
            disclosures?: string;
            /** @description When it came into the wallet. */
            addedOn: components["schemas"]["DateTime"];
            /** @description When it was marked as deleted, if it was. */
            deletedOn?: components["schemas"]["DateTime"];
            /** @description Whether it waits to be accepted. */
            pending: boolean;
            /** @description The format of OpenID4VCI. */
            format: string;
            /** @description The categories that it is in. */
            categories: string[];
            display?: components["schemas"]["CredentialDisplay"];
            manifest?: components["schemas"]["Manifest"];
            /** @description The credential inside the document. Open: as issued. */
            parsedDocument?: {
                [key: string]: unknown;
            };
        };
        /** @description The name of a category: 1 to 128 characters without control characters. Letters in upper and lower case are different. */
        CategoryName: string;
        /** @description Names of categories of the wallet. */
        CategoryNames: components["schemas"]["CategoryName"][];
        WalletCategory: {
            /** @description The name of the category. */
            name: string;
        };
        CredentialImport: {
            /** @description The credential as it was issued, in any supported format. */
            jwt: string;
            /** @description The DID of the wallet that it was issued to. */
            associated_did: string;
        };
        CredentialRejection: {
            /** @description Why, for the event log of the wallet. */
            note?: string;
        };
        CredentialStatus: {
            /** @description The purpose of the status entry, in lower case: `revocation`, `suspension`, … */
            type: string;
            /** @description Whether the status is set. */
            result: boolean;
            /** @description What the credential's status entry says about this value (`statusMessage`), else `set` or `unset`. */
            message: string;
        };
        /** @description What the issuer published to show itself and the credential, kept when it was issued; absent when it published nothing. It may be shown without any network: images are data URLs, texts are one line without control characters. */
        CredentialDisplay: {
            /** @description How the issuer is shown, one entry for each language. */
            issuer: components["schemas"]["DisplayEntry"][];
            /** @description How the credential is shown, one entry for each language. */
            credential: components["schemas"]["DisplayEntry"][];
            /** @description How its claims are labelled. */
            claims: components["schemas"]["ClaimDisplay"][];
        };
        /** @description Without `locale` it is for every language that has no entry of its own. */
        DisplayEntry: {
            /** @description The name. */
            name?: string;
            /** @description A language tag (RFC 5646). */
            locale?: string;
            /** @description What the credential is. */
            description?: string;
            /** @description The logo. */
            logo?: components["schemas"]["EmbeddedImage"];
            backgroundColor?: components["schemas"]["Colour"];
            textColor?: components["schemas"]["Colour"];
            /** @description The image behind the texts of the card. */
            backgroundImage?: components["schemas"]["EmbeddedImage"];
        };
        ClaimDisplay: {
            /** @description Member names and list positions in the credential; null stands for every element of a list. */
            path: (string | number | null)[];
            /** @description One label for each language. */
            labels: {
                /** @description The label. */
                name: string;
                /** @description A language tag (RFC 5646). */
                locale?: string;
            }[];
        };
        EmbeddedImage: {
            /** @description The image as a data URL. */
            uri: string;
            /** @description What to read instead of the image. */
            altText?: string;
        };
        /** @description A colour in the hexadecimal notation of CSS. */
        Colour: string;
        /** @description The display data in the form that existing front ends read, in the first language of the issuer. */
        Manifest: {
            /** @description How the credential is shown. */
            display: components["schemas"]["ManifestDisplay"];
            /** @description How its issuer is shown. */
            issuer: components["schemas"]["ManifestIssuer"];
        };
        ManifestDisplay: {
            /** @description The name of the credential. */
            title?: string;
            /** @description The card of the credential. */
            card: {
                /** @description The name of the credential. */
                title?: string;
                /** @description The name of the issuer. */
                issuedBy?: string;
                /** @description What the credential is. */
                description?: string;
                backgroundColor?: components["schemas"]["Colour"];
                textColor?: components["schemas"]["Colour"];
                /** @description The logo on the card. */
                logo?: components["schemas"]["ManifestLogo"];
            };
            /** @description The labels of claims by their paths, such as `vc.credentialSubject.degree.name`; `*` stands for every element of a list. */
            claims: {
                [key: string]: {
                    /**
                     * @description Always the same.
                     * @constant
                     */
                    type: "String";
                    /** @description The label. */
                    label: string;
                };
            };
        };
        ManifestIssuer: {
            /** @description The id of the issuer. */
            id: string;
            /** @description The name of the issuer. */
            name?: string;
            /** @description The logo of the issuer. */
            logo?: components["schemas"]["ManifestLogo"];
        };
        ManifestLogo: {
            /** @description The image as a data URL. */
            uri: string;
            /** @description What to read instead of the image. */
            description?: string;
        };
        /** @description An offer or request link with the scheme openid-credential-offer, openid-initiate-issuance, openid4vp, openid, haip, mdoc-openid4vp, https or http. The URIs in it may be percent-encoded or not. */
        Link: string;
        /** @description Open: the members of a credential offer (OpenID4VCI). */
        ResolvedOffer: {
            /** @description The credential issuer identifier. */
            credential_issuer: string;
        } & {
            [key: string]: unknown;
        };
        WalletPresentation: {
            /** @description The request link, resolved or not. */
            presentationRequest: string;
            /** @description Ids of credentials of the wallet. */
            selectedCredentials: string[];
            /** @description The DID to present as; without it the one the first credential was issued to. */
            did?: string;
            /** @description Selective disclosures by credential id; JWT credentials have none. */
            disclosures?: {
                [key: string]: string[];
            };
            /** @description For the event log of the wallet; never sent. */
            note?: string;
        };
        RequestDescription: {
            verifier: components["schemas"]["StatedVerifier"];
            proof: components["schemas"]["ClientProof"];
            /** @description What the presentation is for, as the verifier wrote it. */
            purposes: string[];
            /** @description Whether credentials of the wallet satisfy the request. */
            isAnswerable: boolean;
            /** @description When the request ends, if it says so. */
            expiresAt?: components["schemas"]["DateTime"];
            /** @description What is asked for; each query is answered by one credential unless `isMultiple` is true. */
            queries: components["schemas"]["DescribedQuery"][];
            /** @description Combinations of queries of which one is to be answered. */
            choices: {
                /** @description What the choice is for, as the verifier wrote it. */
                purpose?: string;
                /** @description Whether one of the options must be answered. */
                isRequired: boolean;
                /** @description The options, each the ids of its queries, in the order that the verifier prefers. */
                options: string[][];
            }[];
            /** @description What an answer authorizes, with a credential of one of the queries. */
            transactions: {
                /** @description The kind of transaction. */
                type: string;
                /** @description The ids of the queries of which one credential authorizes it. */
                queryIds: string[];
                /** @description Open: everything that the verifier wrote (OpenID4VP 1.0 §5.1). */
                content: {
                    [key: string]: unknown;
                };
            }[];
        };
        /** @description Who asks, by the request's own account; `proof` says how far that is proven. */
        StatedVerifier: {
            /** @description The `client_id`. */
            clientId?: string;
            /** @description The `client_name` of the `client_metadata`. */
            name?: string;
            /** @description The `logo_uri` of the `client_metadata`. The wallet never fetches it. */
            logoUri?: string;
            /** @description The host that receives the answer. */
            responseHost: string;
        };
        /** @description How far it is proven who asks. */
        ClientProof: {
            /**
             * @description Nothing is proven.
             * @constant
             */
            kind: "unproven";
        } | {
            /**
             * @description The answer goes to the client that is named.
             * @constant
             */
            kind: "redirect-uri";
            /** @description The host of that address. */
            host: string;
        } | {
            /**
             * @description The DID signed the request.
             * @constant
             */
            kind: "did-signature";
            /** @description The DID. */
            did: string;
        } | {
            /**
             * @description A certificate names the client.
             * @constant
             */
            kind: "certificate";
            /** @description The DNS name of the `client_id`, or the subject of the certificate that it has the hash of. */
            name: string;
            /** @description The issuer that the certificate names. */
            issuer: string;
        };
        DescribedQuery: {
            /** @description The id of the input descriptor or credential query. */
            id: string;
            /** @description Its name as the verifier wrote it. */
            name?: string;
            /** @description Its purpose as the verifier wrote it. */
            purpose?: string;
            /** @description Whether an answer without it is refused. */
            isRequired: boolean;
            /** @description Whether several credentials may be presented for it. */
            isMultiple: boolean;
            /** @description The accepted formats; none when every format is. */
            formats: string[];
            /** @description The credentials of the wallet that satisfy it. */
            credentials: components["schemas"]["DescribedCredential"][];
            /** @description How many more satisfy it. They are left out, since one answer lists at most 20,000 values. */
            omitted: number;
        };
        DescribedCredential: {
            /** @description The id of the credential in the wallet. */
            id: string;
            /** @description The most specific of its types. */
            type: string;
            /** @description The format of OpenID4VCI. */
            format: string;
            /** @description The id of its issuer. */
            issuer: string;
            /** @description Whether it can only be shown whole: a format without selective disclosure. */
            isWhole: boolean;
            /** @description Every value that the verifier would learn. */
            disclosed: components["schemas"]["ShownClaim"][];
            /** @description The values that the verifier would not learn. */
            withheld: components["schemas"]["ShownClaim"][];
        };
        ShownClaim: {
            /** @description Member names and list positions. */
            path: (string | number)[];
            /** @description The value; a list or an object only when it is empty. */
            value: unknown;
        };
        NewExternalPresentation: {
            /** @description The DID of the wallet that presents. */
            did: string;
            /** @description The request link, resolved or not. */
            presentationRequest: string;
            /** @description Ids of credentials of the wallet. */
            selectedCredentialIdList: string[];
            /** @description Selective disclosures by credential id; JWT credentials have none. */
            disclosures?: {
                [key: string]: string[];
            };
        };
        PreparedExternalPresentation: {
            /** @description The DID whose key signs. */
            did: string;
            /** @description The request link, unchanged. */
            presentationRequest: string;
            /** @description The selection, unchanged. */
            selectedCredentialIdList: string[];
            /** @description The submission that is sent with the presentation. Open: the members of a presentation submission (DIF Presentation Exchange 2.0). */
            presentationSubmission: {
                [key: string]: unknown;
            };
            /** @description The presentation to sign. */
            w3CJwtVpProofParameters: {
                /** @description Open: the protected header of the JWS. */
                header: {
                    [key: string]: unknown;
                };
                /** @description Open: the claims of the JWT. */
                payload: {
                    [key: string]: unknown;
                };
            };
        };
        SignedExternalPresentation: {
            /** @description The DID of the wallet that presents. */
            did: string;
            /** @description The request link, resolved or not. */
            presentationRequest: string;
            /** @description Ids of credentials of the wallet. */
            selectedCredentialIdList: string[];
            /** @description Selective disclosures by credential id; JWT credentials have none. */
            disclosures?: {
                [key: string]: string[];
            };
            /** @description As prepared. Open: the members of a presentation submission. */
            presentationSubmission: {
                [key: string]: unknown;
            };
            /** @description The signed presentation as a compact JWS. */
            w3cJwtVpProof: string;
        };
        NewExternalOffer: {
            /** @description The DID that the credentials are issued to; without it the default one. */
            did?: string;
            /** @description The offer link. */
            offerURL: string;
            /** @description The transaction code, when the offer asks for one. */
            pinOrTxCode?: string;
            /** @description Of no effect here; see the submission. */
            requireUserInput?: boolean;
        };
        PreparedExternalOffer: {
            /** @description The DID whose key signs. */
            did: string;
            /** @description The offer link, unchanged. */
            offerURL: string;
            /** @description Names what was prepared, for the submission. It is not the access token of the issuer, which stays in the wallet. */
            accessToken: string;
            /** @description One proof for each credential. */
            offeredCredentialsProofRequests: {
                /** @description Open: the credential configuration as the issuer publishes it. */
                offeredCredential: {
                    [key: string]: unknown;
                };
                /** @description The proof to sign. */
                proofOfPossessionParameters: {
                    /**
                     * @description A JWT.
                     * @constant
                     */
                    proofType: "jwt";
                    /** @description Open: the protected header of the JWS. */
                    header: {
                        [key: string]: unknown;
                    };
                    /** @description Open: the claims of the JWT. */
                    payload: {
                        [key: string]: unknown;
                    };
                };
            }[];
            /** @description The credential issuer identifier. */
            credentialIssuer: string;
        };
        SignedExternalOffer: {
            /** @description The DID as prepared. */
            did?: string;
            /** @description The offer link as prepared. */
            offerURL: string;
            /**
             * @description The credentials stay pending until they are accepted.
             * @default false
             */
            requireUserInput: boolean;
            /** @description As prepared. */
            accessToken: string;
            /** @description The signed proofs, in the order of the prepared ones. */
            offeredCredentialProofsOfPossession: {
                /** @description Open: as prepared; what was prepared is what is requested. */
                offeredCredential: {
                    [key: string]: unknown;
                };
                /**
                 * @description A JWT.
                 * @enum {string}
                 */
                proofType: "jwt";
                /** @description The proof as a compact JWS. */
                signedProofOfPossession: string;
            }[];
            /** @description The credential issuer as prepared. */
            credentialIssuer: string;
        };
        WalletIssuer: {
            /** @description The wallet. */
            wallet: components["schemas"]["Uuid"];
            /** @description The name of the issuer. */
            did: string;
            /** @description What the user knows about it. */
            description?: string;
            /** @description The page where it offers credentials; empty when unknown. */
            uiEndpoint: string;
            /** @description The URL of its metadata; empty when unknown. */
            configurationEndpoint: string;
            /** @description Whether the user authorized it. */
            authorized: boolean;
        };
        WalletEventPage: {
            /** @description The events. */
            items: components["schemas"]["WalletEvent"][];
            /** @description The number of `items`. */
            count: number;
            /** @description The `startingAfter` of the request; absent at the start of the list. */
            currentStartingAfter?: string;
            /** @description The `startingAfter` of the next page; absent when there is none. */
            nextStartingAfter?: string;
        };
        WalletEvent: {
            /** @description The id of the event. */
            id: components["schemas"]["Uuid"];
            /**
             * @description What it happened to.
             * @enum {string}
             */
            event: "Account" | "Key" | "Did" | "Credential";
            /** @description What happened, such as `Create` or `Present`. */
            action: string;
            /** @description When it was recorded. */
            timestamp: components["schemas"]["DateTime"];
            /**
             * @description Always empty.
             * @constant
             */
            tenant: "";
            /** @description What caused it: `wallet`, or the issuer or verifier of an exchange. */
            originator: string;
            /** @description The account of the caller. */
            account: components["schemas"]["Uuid"];
            /** @description The wallet. */
            wallet: components["schemas"]["Uuid"];
            /** @description The credential that it happened to. */
            credentialId?: string;
            /** @description Open: facts about what it happened to, never a secret. */
            data: {
                [key: string]: unknown;
            };
            /** @description The note of the user. */
            note?: string;
        };
        WalletOperation: {
            /**
             * @description Always empty.
             * @constant
             */
            tenant: "";
            /** @description The id of the event. */
            id: components["schemas"]["Uuid"];
            /** @description The account of the caller. */
            account: components["schemas"]["Uuid"];
            /** @description The wallet. */
            wallet: components["schemas"]["Uuid"];
            /** @description When it was recorded. */
            timestamp: components["schemas"]["DateTime"];
            /** @description The event and its action, such as `Key Create`. */
            operation: string;
            /** @description Open: facts about what it happened to, never a secret. */
            data: {
                [key: string]: unknown;
            };
        };
        OnboardingRequest: {
            /** @description The key to create. */
            key?: {
                /**
                 * @description Where the key is stored; `jwk` returns it to the caller.
                 * @default jwk
                 */
                backend: string;
                keyType?: components["schemas"]["KeyType"];
                /** @description A name for the key at its backend. */
                name?: string;
                /** @description Open: what the backend needs; nothing for `jwk`. */
                config?: {
                    [key: string]: unknown;
                };
            };
            /** @description The DID to create. */
            did?: {
                /**
                 * @description `jwk`, `key` or `web`.
                 * @default jwk
                 */
                method: string;
                /** @description What the method needs. */
                config?: {
                    /** @description For `web`: the host, with a port where there is one. */
                    domain?: string;
                    /** @description For `web`: a path; `[random-uuid]` in it becomes a fresh UUID. */
                    path?: string;
                    /** @description For a method of the registrar: its network, `testnet` for `cheqd` when left out. */
                    network?: string;
                    /**
                     * @description For `key`: encode the JWK instead of the raw key.
                     * @enum {boolean|string}
                     */
                    useJwkJcsPub?: true | false | "true" | "false";
                };
            };
        };
        OnboardingResult: {
            issuerKey: components["schemas"]["KeyReference"];
            /** @description The DID of the issuer. */
            issuerDid: string;
        };
        /** @description The key to create. */
        CertifiedKeyRequest: {
            /**
             * @description Where the key is stored; `jwk` returns it to the caller.
             * @default jwk
             */
            backend: string;
            /**
             * @description The curve of the key.
             * @default secp256r1
             * @enum {string}
             */
            keyType: "secp256r1" | "secp384r1" | "secp521r1";
            /** @description A name for the key at its backend. */
            name?: string;
            /** @description Open: what the backend needs; nothing for `jwk`. */
            config?: {
                [key: string]: unknown;
            };
        };
        /** @description ISO 3166-1 alpha-2; also a code that users assign, such as `ZZ`. */
        CertificateCountry: string;
        /** @description ISO 8601, in whole seconds. */
        CertificateDate: string;
        /** @description What the certificate of an authority says. */
        IacaCertificateData: {
            country: components["schemas"]["CertificateCountry"];
            /** @description At most 64 characters. */
            commonName: string;
            /** @description How the authority can be reached; at least one member. The certificates of its signers say it too. */
            issuerAlternativeNameConf: {
                /** @description An email address. */
                email?: string;
                /** @description An http or https URL. */
                uri?: string;
            };
            /** @description At most 128 characters; signers of the same country may not name another one. */
            stateOrProvinceName?: string;
            /** @description At most 64 characters. */
            organizationName?: string;
            notBefore?: components["schemas"]["CertificateDate"];
            notAfter?: components["schemas"]["CertificateDate"];
            /** @description Where the list of revoked certificates is. */
            crlDistributionPointUri?: string;
        };
        IacaRequest: {
            certificateData: components["schemas"]["IacaCertificateData"];
            ecKeyGenRequestParams?: components["schemas"]["CertifiedKeyRequest"];
        };
        /** @description What was checked of the new certificate; a failed check is a 400 instead. */
        CertificateFindings: {
            /** @description `certification-path`: RFC 5280 §6.1. */
            validatorId: string;
            /**
             * @description `WARNING`: it could not be checked.
             * @enum {string}
             */
            severity: "INFO" | "WARNING";
            /** @description The outcome. */
            message: string;
        }[];
        IacaResult: {
            iacaKey: components["schemas"]["KeyReference"];
            /** @description The certificate. */
            certificatePEM: string;
            certificateData: components["schemas"]["IacaCertificateData"];
            certificateValidationResult: components["schemas"]["CertificateFindings"];
        };
        /** @description The authority that signs; with its certificate, or what that certificate says. Both may not contradict each other. */
        IacaSigner: {
            iacaKey: components["schemas"]["KeyReference"];
            /** @description Its certificate as PEM; with it the path to the new certificate is validated. */
            iacaPem?: string;
            certificateData?: components["schemas"]["IacaCertificateData"];
        };
        /** @description What the certificate of a signer says. */
        SignerCertificateData: {
            country: components["schemas"]["CertificateCountry"];
            /** @description At most 64 characters. */
            commonName: string;
            /** @description At most 128 characters; for `mdoc` that of the authority where both name one. */
            stateOrProvinceName?: string;
            /** @description At most 64 characters. */
            organizationName?: string;
            /** @description At most 128 characters. */
            localityName?: string;
            /** @description Where the list of revoked certificates is; required for `mdoc`. */
            crlDistributionPointUri?: string;
            /** @description What the signer is found by: required for `sd-jwt-vc`, not for `mdoc`. */
            subjectAlternativeName?: {
                /** @description The URL of the issuer. */
                uri?: string;
                /** @description The host of the issuer. */
                dns?: string;
            };
            notBefore?: components["schemas"]["CertificateDate"];
            notAfter?: components["schemas"]["CertificateDate"];
        };
        SignerRequest: {
            /**
             * @description What the key will sign.
             * @default mdoc
             * @enum {string}
             */
            purpose: "mdoc" | "sd-jwt-vc" | "status-list";
            /**
             * @description `csr`: a request for a certificate; the authority is elsewhere.
             * @default certificate
             * @enum {string}
             */
            output: "certificate" | "csr";
            iacaSigner?: components["schemas"]["IacaSigner"];
            certificateData: components["schemas"]["SignerCertificateData"];
            ecKeyGenRequestParams?: components["schemas"]["CertifiedKeyRequest"];
        };
        SignerResult: {
            documentSignerKey: components["schemas"]["KeyReference"];
            /** @description The certificate of the signer. */
            certificatePEM?: string;
            /** @description What `x5Chain` of an issuance request takes: the certificates without the trust anchor. */
            x5Chain?: string[];
            /** @description The trust anchor, where the request has it. */
            iacaPem?: string;
            /** @description With the output `csr`: the request (PKCS #10). */
            certificateSigningRequestPEM?: string;
            certificateData: components["schemas"]["SignerCertificateData"];
            certificateValidationResult?: components["schemas"]["CertificateFindings"];
        };
        /** @description One credential. Members that have no meaning in its format are refused. */
        IssuanceRequest: {
            issuerKey: components["schemas"]["KeyReference"];
            /** @description The DID to sign under; a W3C credential needs one. It must resolve to `issuerKey`, unless both were onboarded here together or the operator names them. One call may have at most eight DIDs whose documents are fetched. Without it an SD-JWT VC is issued under a URL: this issuer's own when `issuerKey` is among its published keys, else the one that the certificate in `x5Chain` names. */
            issuerDid?: string;
            /** @description One of the issuer's configurations, of a format of this operation. Derived when left out: from `vct` or `docType`, else from the last type of `credentialData`. */
            credentialConfigurationId?: string;
            /** @description The type of an SD-JWT VC; that of the configuration. */
            vct?: string;
            /** @description The document type of an mdoc; that of the configuration. */
            docType?: string;
            /** @description The credential before the mapping: a W3C credential, which has a `type`, or the claims of an SD-JWT VC. The id of the `issuer` of a W3C credential becomes `issuerDid`; `sub` is the id of its subject, the holder's DID when it has none. Open: the members of the credential. */
            credentialData?: {
                /** @description The types of the credential, the most specific one last. */
                type?: string | string[];
            } & {
                [key: string]: unknown;
            };
            /** @description The elements of an mdoc by namespace. Open: the namespaces. */
            mdocData?: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
            /** @description Laid over `credentialData` or `mdocData` when the credential is claimed. Strings such as `<uuid>`, `<subjectDid>`, `<timestamp-in:365d>` are data functions; members `jwt:NAME` become claims of a JWT or SD-JWT. Open: the members of the credential that it sets. */
            mapping?: {
                [key: string]: unknown;
            };
            /** @description Which members the holder may withhold: `fields` with `{sd, children}` by the name of the member or the position in a list, where `children` is such an object again; `decoyMode` (`NONE`, `FIXED`, `RANDOM`) and `decoys` add digests of nothing. Open: the members of a level. */
            selectiveDisclosure?: {
                [key: string]: unknown;
            };
            /** @description Becomes `credentialStatus` of a W3C credential or `status` of an SD-JWT VC. Open: the members of its status type. */
            credentialStatus?: {
                [key: string]: unknown;
            };
            /** @description Claims of an SD-JWT VC beside its data, such as `status`; the mapping does not see them. Open: the claims. */
            sdJwtCredentialClaims?: {
                [key: string]: unknown;
            };
            /** @description The status of an mdoc: either `status_list` (`idx`, `uri`) or `identifier_list` (`id`, `uri`). Open: the members of its mechanism. */
            mdocStatus?: {
                [key: string]: unknown;
            };
            /** @description For how many days from its issuance an mdoc is valid; 365 when left out. */
            mdocValidityDays?: number;
            /** @description The types of transaction data that the holder's key of an mdoc may sign. */
            authorizedTransactionDataTypes?: string[];
            /**
             * @description How the holder is authenticated. `PRE_AUTHORIZED`: the offer has a pre-authorized code. With any other the wallet gets a code at the authorization endpoint: at once (`NONE`), after a login at the server of `authentication-service.conf` (`PWD`), for a self-issued ID token (`ID_TOKEN`) or a presentation (`VP_TOKEN`).
             * @default PRE_AUTHORIZED
             * @enum {string}
             */
            authenticationMethod: "PRE_AUTHORIZED" | "PWD" | "VP_TOKEN" | "ID_TOKEN" | "NONE";
            /** @description With `VP_TOKEN`, which needs it: the type of the credential that the holder presents, a W3C credential as JWT. */
            vpRequestValue?: string;
            /** @description With `VP_TOKEN`: how it is asked for; `DEFAULT` is available. */
            vpProfile?: string;
            /** @description With `ID_TOKEN` and `VP_TOKEN`: whether the request to the wallet is signed (RFC 9101), with a key of `/draft13/jwks`. */
            useJar?: boolean;
            /** @description With `PRE_AUTHORIZED`: the form of a transaction code that the wallet must send with the pre-authorized code. */
            txCode?: {
                /**
                 * @description Which characters it has.
                 * @default numeric
                 * @enum {string}
                 */
                input_mode: "numeric" | "text";
                /** @description How many characters it has; those of `txCodeValue` when left out. */
                length?: number;
                /** @description How the holder gets it. */
                description?: string;
            };
            /** @description The value of the transaction code, which `txCode` needs; the issuer brings it to the holder. */
            txCodeValue?: string;
            /**
             * @description The draft of OpenID4VCI over which the offer is redeemed; draft 11 has W3C credentials and mdocs.
             * @default DRAFT13
             * @enum {string}
             */
            standardVersion: "DRAFT11" | "DRAFT13";
            /** @description Whether an offer of draft 11 names its credentials by their ids. */
            draft11EncodeOfferedCredentialsByReference?: boolean;
            /** @description `DEFERRED`: the wallet gets the credential at the deferred credential endpoint; any other text is an immediate issuance. */
            issuanceType?: string;
            /** @description Gives each credential an entry of a status list that is opened, signed with `issuerKey` and published here; what is left out is the default of the credential's format. Not together with a status of the credential's own. */
            statusList?: {
                /**
                 * @description The kind of list; W3C credentials have entries of the first two, all others of the third.
                 * @enum {string}
                 */
                type?: "BitstringStatusList" | "StatusList2021" | "TokenStatusList";
                /**
                 * @description The form of the list: CWT for an mdoc, JWT for all others.
                 * @enum {string}
                 */
                format?: "JWT" | "CWT";
                /**
                 * @description What a set bit means, in a list of the W3C; `revocation` when left out.
                 * @enum {string}
                 */
                purpose?: "revocation" | "suspension";
                /**
                 * @description Bits of one status: 1 in a list of the W3C, 2 in a Token Status List when left out.
                 * @enum {integer}
                 */
                statusSize?: 1 | 2 | 4 | 8;
            };
            /** @description Display metadata for the function `<display>`. */
            display?: {
                [key: string]: unknown;
            }[];
            /** @description The issuer's certificates as PEM, leaf first; sent as `x5c`. An mdoc needs them. */
            x5Chain?: string[];
            /** @description Accepted for existing clients, of no effect: whom to trust is decided by who receives the credential. */
            trustedRootCAs?: string[];
        };
        SigningRequest: {
            issuerKey: components["schemas"]["KeyReference"];
            /** @description The DID to sign under, which must belong to `issuerKey`; the key's `did:key` when left out. */
            issuerDid?: string;
            /** @description The DID of the subject. A credential that names another subject is refused. */
            subjectDid: string;
            /** @description A W3C credential before the mapping. Open: its members. */
            credentialData: {
                /** @description The types of the credential. */
                type: string | string[];
            } & {
                [key: string]: unknown;
            };
            /** @description Laid over `credentialData`, as in an offer. Open: the members of the credential that it sets. */
            mapping?: {
                [key: string]: unknown;
            };
        };
        /** @description One step of an issuance. */
        IssuanceEvent: {
            /** @description The issuance session. */
            id: components["schemas"]["Uuid"];
            /**
             * @description A wallet fetched the offer.
             * @constant
             */
            type: "resolved_credential_offer";
            /** @description The offer, as wallets of its draft get it. */
            data: components["schemas"]["IssuerOffer"] | components["schemas"]["Draft11Offer"];
        } | {
            /** @description The issuance session. */
            id: components["schemas"]["Uuid"];
            /**
             * @description A wallet redeems the code.
             * @constant
             */
            type: "requested_token";
            /** @description The token request, without the code. */
            data: {
                /** @description The grant. */
                grant_type: string;
                /** @description The identifier of the wallet, if it sends one. */
                client_id?: string;
            };
        } | {
            /** @description The issuance session. */
            id: components["schemas"]["Uuid"];
            /**
             * @description A credential is issued; `batch_jwt_issue` for an offer of the batch endpoint.
             * @enum {string}
             */
            type: "jwt_issue" | "batch_jwt_issue";
            /** @description What is issued. */
            data: {
                /** @description The credential as JWT. */
                jwt: string;
            };
        } | {
            /** @description The issuance session. */
            id: components["schemas"]["Uuid"];
            /**
             * @description An SD-JWT VC is issued; `batch_sdjwt_issue` for an offer of the batch endpoint.
             * @enum {string}
             */
            type: "sdjwt_issue" | "batch_sdjwt_issue";
            /** @description What is issued. */
            data: {
                /** @description The credential with all its disclosures. */
                sdjwt: string;
            };
        } | {
            /** @description The issuance session. */
            id: components["schemas"]["Uuid"];
            /**
             * @description An mdoc is issued, of a single offer or a batch.
             * @constant
             */
            type: "generated_mdoc";
            /** @description What is issued. */
            data: {
                /** @description The signed mdoc, CBOR in hexadecimal. */
                mdoc: string;
            };
        } | {
            /** @description The issuance session. */
            id: components["schemas"]["Uuid"];
            /**
             * @description The wallet's notification.
             * @enum {string}
             */
            type: "credential_accepted" | "credential_failure" | "credential_deleted";
            /** @description What the wallet says. */
            data: {
                /** @description The delivery. */
                notification_id: string;
                /** @description What happened. */
                event_description?: string;
            };
        };
        /** @description A credential offer (OpenID4VCI draft 13 §4.1.1). */
        IssuerOffer: {
            /** @description The credential issuer identifier. */
            credential_issuer: string;
            /** @description What is offered. */
            credential_configuration_ids: string[];
            /** @description How a wallet gets its access token. */
            grants: {
                /** @description The grant of the authorization code flow. */
                authorization_code?: {
                    /** @description What the wallet sends to the authorization endpoint, so that it finds the offer. */
                    issuer_state?: string;
                };
                /** @description The grant of the pre-authorized code flow. */
                "urn:ietf:params:oauth:grant-type:pre-authorized_code"?: {
                    /** @description The code; valid for one token. */
                    "pre-authorized_code": string;
                    /** @description What the holder enters besides; absent when nothing is needed. */
                    tx_code?: {
                        /**
                         * @description Which characters it has.
                         * @enum {string}
                         */
                        input_mode: "numeric" | "text";
                        /** @description How many characters it has. */
                        length: number;
                        /** @description How the holder gets it. */
                        description?: string;
                    };
                };
            };
        };
        /** @description Open: parameters that are not documented are ignored. */
        IssuanceTokenRequest: {
            /** @description `urn:ietf:params:oauth:grant-type:pre-authorized_code` or `authorization_code` */
            grant_type: string;
            /** @description The code of the offer. */
            "pre-authorized_code"?: string;
            /** @description The code of the authorization endpoint. */
            code?: string;
            /** @description That of the authorization request, for `authorization_code`. */
            redirect_uri?: string;
            /** @description The verifier of the proof key (RFC 7636), for `authorization_code`. */
            code_verifier?: string;
            /** @description The transaction code, for an offer with `tx_code`; for any other it is refused. */
            tx_code?: string;
            /** @description The identifier of the wallet: that of the authorization request, for `authorization_code`; it is forwarded to the callback. */
            client_id?: string;
            /** @description JSON (RFC 9396): details of type `openid_credential` with a `credential_configuration_id` of the offer are answered with the identifiers of its credentials, others are ignored. */
            authorization_details?: string;
        };
        IssuanceTokenResponse: {
            /** @description The token for the credential endpoint. */
            access_token: string;
            /**
             * @description How the token is sent.
             * @constant
             */
            token_type: "bearer";
            /** @description Seconds until the token expires. */
            expires_in: number;
            /** @description The nonce for the first proof. */
            c_nonce?: string;
            /** @description Seconds until the nonce expires. */
            c_nonce_expires_in?: number;
            /** @description For each configuration that the request named in its own `authorization_details`, all of its credentials. */
            authorization_details?: {
                /**
                 * @description The type of the details.
                 * @constant
                 */
                type: "openid_credential";
                /** @description The configuration. */
                credential_configuration_id: string;
                /** @description One for each of its credentials, for `credential_identifier` of a credential request. */
                credential_identifiers: string[];
            }[];
        };
        /** @description Open: members that are not documented are ignored. */
        CredentialRequest: {
            /** @description The format of the credential, as the offered configuration names it. */
            format?: string;
            /** @description One of the `credential_identifiers` of the token response; the format and the types are then ignored. */
            credential_identifier?: string;
            /** @description Instead of `format`, as later drafts ask: a configuration of the offer. */
            credential_configuration_id?: string;
            /** @description Which credential of the offer. Open: members that are not documented are ignored. */
            credential_definition?: {
                /** @description All its types, in any order. */
                type?: string[];
            };
            /** @description The types as earlier drafts sent them. */
            types?: string[];
            /** @description The type of an SD-JWT VC. */
            vct?: string;
            /** @description The document type of an mdoc. */
            doctype?: string;
            /** @description Proof of possession of the key that the credential is issued to. Open: members that are not documented are ignored. */
            proof?: {
                /** @description `jwt` and `cwt` are supported. */
                proof_type?: string;
                /** @description The proof as JWT. */
                jwt?: string;
                /** @description The proof as CWT in base64url (draft 13 §7.2.1.3). */
                cwt?: string;
            };
        };
        /** @description Open: members that are not documented are ignored. */
        BatchCredentialRequest: {
            /** @description One for each credential. */
            credential_requests: components["schemas"]["CredentialRequest"][];
        };
        BatchCredentialResponse: {
            /** @description One for each request. */
            credential_responses: components["schemas"]["CredentialResponse"][];
            /** @description The nonce for the next proofs. */
            c_nonce?: string;
            /** @description Seconds until the nonce expires. */
            c_nonce_expires_in?: number;
        };
        /** @description Open: members that are not documented are ignored. */
        DeferredCredentialRequest: {
            /** @description The `transaction_id` of the credential response. */
            transaction_id: string;
        };
        /** @description Open: members that are not documented are ignored. */
        NotificationRequest: {
            /** @description The `notification_id` of a credential response. */
            notification_id: string;
            /** @description `credential_accepted`, `credential_failure` or `credential_deleted`. */
            event: string;
            /** @description What happened, for people. */
            event_description?: string;
        };
        CredentialResponse: {
            /** @description The format. */
            format: string;
            /** @description The credential; absent when its issuance is deferred. */
            credential?: string;
            /** @description Names the credential in notifications. */
            notification_id?: string;
            /** @description Of a deferred issuance: what the wallet asks with. */
            transaction_id?: string;
            /** @description Of a deferred issuance: seconds after which the wallet may ask. */
            interval?: number;
            /** @description The nonce for the next proof. */
            c_nonce?: string;
            /** @description Seconds until the nonce expires. */
            c_nonce_expires_in?: number;
        };
        IssuerKeySet: {
            /** @description The public keys. */
            keys: {
                /** @description The family of the key (RFC 7517 §4.1). */
                kty: string;
                /** @description The name of the key in signatures. */
                kid: string;
                /**
                 * @description The key is for signatures.
                 * @constant
                 */
                use: "sig";
                /** @description The algorithm of its signatures. */
                alg: string;
                /** @description The curve, for EC and OKP. */
                crv?: string;
                /** @description The coordinate x, for EC and OKP. */
                x?: string;
                /** @description The coordinate y, for EC. */
                y?: string;
                /** @description The modulus, for RSA. */
                n?: string;
                /** @description The exponent, for RSA. */
                e?: string;
            }[];
        };
        /** @description Open: more members of credential issuer metadata (OpenID4VCI draft 13 §11.2.3), and those of the authorization server. */
        IssuerMetadata: {
            /** @description The credential issuer identifier. */
            credential_issuer: string;
            /** @description Where credentials are claimed. */
            credential_endpoint: string;
            /** @description What can be offered, by id. */
            credential_configurations_supported: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
        } & {
            [key: string]: unknown;
        };
        /** @description Open: more members of authorization server metadata (RFC 8414 §2). */
        AuthorizationServerMetadata: {
            /** @description The identifier of the server. */
            issuer: string;
            /** @description Where codes are redeemed. */
            token_endpoint: string;
            /** @description Where its public keys are. */
            jwks_uri: string;
            /** @description How a token can be had. */
            grant_types_supported: string[];
            /** @description What an authorization request can ask for. */
            response_types_supported: string[];
        } & {
            [key: string]: unknown;
        };
        /** @description Open: more members of OpenID Connect Discovery 1.0 and of RFC 8414. */
        OpenidConfiguration: {
            /** @description The identifier of the server. */
            issuer: string;
            /** @description Where wallets get codes. */
            authorization_endpoint: string;
            /** @description Where codes are redeemed. */
            token_endpoint: string;
            /** @description Where its public keys are. */
            jwks_uri: string;
            /** @description How a token can be had. */
            grant_types_supported: string[];
            /** @description What an authorization request can ask for. */
            response_types_supported: string[];
            /** @description How subjects are named. */
            subject_types_supported: string[];
            /** @description The specification demands the list; no ID token is issued. */
            id_token_signing_alg_values_supported: string[];
        } & {
            [key: string]: unknown;
        };
        JwtVcIssuerMetadata: {
            /** @description The identifier of the issuer. */
            issuer: string;
            /** @description Where its public keys are. */
            jwks_uri: string;
        };
        /** @description Open: parameters that are not documented are ignored. */
        PushedAuthorization: {
            /** @description `code` */
            response_type?: string;
            /** @description The identifier of the wallet. */
            client_id?: string;
            /** @description Where the user is sent back to. */
            redirect_uri?: string;
            /** @description `query`, the default */
            response_mode?: string;
            /** @description Scopes of configurations of the offer. */
            scope?: string;
            /** @description Returned unchanged. */
            state?: string;
            /** @description The `issuer_state` of the offer. */
            issuer_state?: string;
            /** @description As at the authorization endpoint. */
            authorization_details?: string;
            /** @description JSON: its `authorization_endpoint` is where the wallet takes requests. */
            client_metadata?: string;
            /** @description The challenge of a proof key (RFC 7636). */
            code_challenge?: string;
            /** @description `S256` */
            code_challenge_method?: string;
            /** @description The credential issuer (RFC 8707); not needed. */
            resource?: string;
            /** @description Not supported. */
            request?: string;
        };
        /** @description Open: parameters that are not documented are ignored. */
        LoginAnswer: {
            /** @description The `state` of the request. */
            state: string;
            /** @description A self-issued ID token (SIOPv2 draft 13). */
            id_token?: string;
            /** @description A presentation (OpenID4VP draft 20). */
            vp_token?: string;
            /** @description What the presentation has for which descriptor. */
            presentation_submission?: string;
            /** @description Why there is neither. */
            error?: string;
        };
        /** @description A credential offer (OpenID4VCI draft 11 §4.1.1). */
        Draft11Offer: {
            /** @description The credential issuer identifier. */
            credential_issuer: string;
            /** @description What is offered. */
            credentials: (string | {
                /** @description The format. */
                format: string;
                /** @description The types of a W3C credential. */
                types?: string[];
                /** @description The document type of an mdoc. */
                doctype?: string;
            })[];
            /** @description How a wallet gets its access token. */
            grants: {
                /** @description The grant of the authorization code flow. */
                authorization_code?: {
                    /** @description What the wallet sends to the authorization endpoint, so that it finds the offer. */
                    issuer_state?: string;
                };
                /** @description The grant of the pre-authorized code flow. */
                "urn:ietf:params:oauth:grant-type:pre-authorized_code"?: {
                    /** @description The code; valid for one token. */
                    "pre-authorized_code": string;
                    /** @description Whether the holder enters a transaction code besides. */
                    user_pin_required: boolean;
                };
            };
        };
        /** @description Open: parameters that are not documented are ignored. */
        Draft11TokenRequest: {
            /** @description `urn:ietf:params:oauth:grant-type:pre-authorized_code` or `authorization_code` */
            grant_type: string;
            /** @description The code of the offer. */
            "pre-authorized_code"?: string;
            /** @description The transaction code, for an offer with `user_pin_required`; for any other it is refused. */
            user_pin?: string;
            /** @description The code of the authorization endpoint. */
            code?: string;
            /** @description That of the authorization request, for `authorization_code`. */
            redirect_uri?: string;
            /** @description The verifier of the proof key (RFC 7636), for `authorization_code`. */
            code_verifier?: string;
            /** @description The identifier of the wallet: that of the authorization request, for `authorization_code`; it is forwarded to the callback. */
            client_id?: string;
        };
        Draft11TokenResponse: {
            /** @description The token for the credential endpoint. */
            access_token: string;
            /**
             * @description How the token is sent.
             * @constant
             */
            token_type: "bearer";
            /** @description Seconds until the token expires. */
            expires_in: number;
            /** @description The nonce for the first proof. */
            c_nonce?: string;
            /** @description Seconds until the nonce expires. */
            c_nonce_expires_in?: number;
        };
        /** @description Open: members that are not documented are ignored. */
        Draft11CredentialRequest: {
            /** @description The format of the credential, as the metadata names it. */
            format?: string;
            /** @description All types of a W3C credential, in any order. */
            types?: string[];
            /** @description The document type of an mdoc. */
            doctype?: string;
            /** @description Proof of possession of the key that the credential is issued to. Open: members that are not documented are ignored. */
            proof?: {
                /** @description `jwt` and `cwt` are supported. */
                proof_type?: string;
                /** @description The proof as JWT. */
                jwt?: string;
                /** @description The proof as CWT in base64url. */
                cwt?: string;
            };
        };
        Draft11CredentialResponse: {
            /** @description The format. */
            format: string;
            /** @description The credential; absent when its issuance is deferred. */
            credential?: string;
            /** @description Of a deferred issuance: what the wallet asks with. */
            acceptance_token?: string;
            /** @description The nonce for the next proof. */
            c_nonce?: string;
            /** @description Seconds until the nonce expires. */
            c_nonce_expires_in?: number;
        };
        /** @description Open: more members of credential issuer metadata (OpenID4VCI draft 11 §10.2.3), and those of the authorization server. */
        Draft11IssuerMetadata: {
            /** @description The credential issuer identifier. */
            credential_issuer: string;
            /** @description Where credentials are claimed. */
            credential_endpoint: string;
            /** @description What can be offered. */
            credentials_supported: {
                [key: string]: unknown;
            }[];
        } & {
            [key: string]: unknown;
        };
        /** @description Open: more members of credential issuer metadata (OpenID4VCI 1.0 §12.2.4). */
        Openid4vciIssuerMetadata: {
            /** @description The credential issuer identifier. */
            credential_issuer: string;
            /** @description Where credentials are claimed. */
            credential_endpoint: string;
            /** @description Where nonces for proofs are fetched. */
            nonce_endpoint: string;
            /** @description Where credentials are claimed whose issuance was deferred. */
            deferred_credential_endpoint: string;
            /** @description Where wallets report what became of credentials. */
            notification_endpoint: string;
            /** @description How requests can be encrypted. Open: its members are those of OpenID4VCI 1.0 §12.2.4. */
            credential_request_encryption: {
                [key: string]: unknown;
            };
            /** @description How responses can be encrypted. Open: its members are those of OpenID4VCI 1.0 §12.2.4. */
            credential_response_encryption: {
                [key: string]: unknown;
            };
            /** @description How many credentials of the same data a request can ask for. */
            batch_credential_issuance?: {
                /** @description The most keys of one request. */
                batch_size: number;
            };
            /** @description What others state about the issuer, such as its registration certificate (ETSI TS 119 472-3). */
            issuer_info?: {
                [key: string]: unknown;
            }[];
            /** @description What can be offered, by id. */
            credential_configurations_supported: {
                [key: string]: {
                    [key: string]: unknown;
                };
            };
        } & {
            [key: string]: unknown;
        };
        /** @description A credential offer (OpenID4VCI 1.0 §4.1.1). */
        Openid4vciOffer: {
            /** @description The credential issuer identifier. */
            credential_issuer: string;
            /** @description The configurations of what is offered. */
            credential_configuration_ids: string[];
            /** @description How a wallet gets its access token. */
            grants: {
                /** @description The grant of the authorization code flow. */
                authorization_code?: {
                    /** @description What the wallet sends to the authorization endpoint, so that it finds the offer. */
                    issuer_state?: string;
                };
                /** @description The grant of the pre-authorized code flow. */
                "urn:ietf:params:oauth:grant-type:pre-authorized_code"?: {
                    /** @description The code; valid for one token. */
                    "pre-authorized_code": string;
                    /** @description What the holder enters besides; absent when nothing is needed. */
                    tx_code?: {
                        /**
                         * @description Which characters it has.
                         * @enum {string}
                         */
                        input_mode: "numeric" | "text";
                        /** @description How many characters it has. */
                        length: number;
                        /** @description How the holder gets it. */
                        description?: string;
                    };
                };
            };
        };
        /** @description Open: parameters that are not documented are ignored. */
        Openid4vciPushedRequest: {
            /** @description `code` */
            response_type?: string;
            /** @description The identifier of the wallet. */
            client_id?: string;
            /** @description Where the user is sent back to. */
            redirect_uri?: string;
            /** @description `query`, the default */
            response_mode?: string;
            /** @description Scopes of configurations of the offer. */
            scope?: string;
            /** @description Returned unchanged. */
            state?: string;
            /** @description The `issuer_state` of the offer. */
            issuer_state?: string;
            /** @description JSON (RFC 9396): a list of details of type `openid_credential` with a `credential_configuration_id` of the offer. */
            authorization_details?: string;
            /** @description The challenge (RFC 7636), which is required. */
            code_challenge?: string;
            /** @description `S256` */
            code_challenge_method?: string;
            /** @description The credential issuer (RFC 8707); not needed. */
            resource?: string;
            /** @description The thumbprint of the key that tokens are to be bound to (RFC 9449 §10). */
            dpop_jkt?: string;
            /** @description Not supported. */
            request?: string;
        };
        Openid4vciPushedResponse: {
            /** @description The reference. */
            request_uri: string;
            /** @description Seconds until it expires. */
            expires_in: number;
        };
        /** @description Open: parameters that are not documented are ignored. */
        Openid4vciTokenRequest: {
            /** @description `urn:ietf:params:oauth:grant-type:pre-authorized_code`, `authorization_code` or `refresh_token` */
            grant_type: string;
            /** @description The code of the offer. */
            "pre-authorized_code"?: string;
            /** @description The code of the authorization endpoint. */
            code?: string;
            /** @description That of the authorization request, for `authorization_code`. */
            redirect_uri?: string;
            /** @description The verifier of the proof key (RFC 7636), for `authorization_code`. */
            code_verifier?: string;
            /** @description The refresh token, for `refresh_token`. */
            refresh_token?: string;
            /** @description The transaction code, for an offer with `tx_code`; for any other it is refused. */
            tx_code?: string;
            /** @description The identifier of the wallet: that of the authorization request, for `authorization_code`; it is forwarded to the callback. */
            client_id?: string;
            /** @description JSON (RFC 9396): a list of details of type `openid_credential` with a `credential_configuration_id` of the offer. */
            authorization_details?: string;
        };
        Openid4vciTokenResponse: {
            /** @description The token for the credential endpoint. */
            access_token: string;
            /**
             * @description How the token is sent: `DPoP` when it is bound to the key of the DPoP proof.
             * @enum {string}
             */
            token_type: "bearer" | "DPoP";
            /** @description Gets the next access token, as long as the session lives. */
            refresh_token?: string;
            /** @description The scopes of the authorization request, if it had any. */
            scope?: string;
            /** @description Seconds until the token expires. */
            expires_in: number;
            /** @description For each configuration that the request named in its own `authorization_details`, all of its credentials. */
            authorization_details?: {
                /**
                 * @description The type of the details.
                 * @constant
                 */
                type: "openid_credential";
                /** @description The configuration. */
                credential_configuration_id: string;
                /** @description One for each of its credentials, for `credential_identifier` of a credential request. */
                credential_identifiers: string[];
            }[];
        };
        Openid4vciNonceResponse: {
            /** @description The nonce. */
            c_nonce: string;
        };
        Openid4vciChallengeResponse: {
            /** @description The challenge. */
            attestation_challenge: string;
        };
        /** @description Exactly one of `credential_configuration_id` and `credential_identifier` is required. Open: members that are not documented are ignored. */
        Openid4vciCredentialRequest: {
            /** @description A configuration of the offer. */
            credential_configuration_id?: string;
            /** @description One of the `credential_identifiers` of the token response. */
            credential_identifier?: string;
            /** @description The proofs of possession of the keys that the credentials are issued to. Open: types of proofs that are not supported are refused with `invalid_proof`. */
            proofs?: {
                /** @description JWTs, 1 to `batch_size` of the metadata. */
                jwt?: string[];
                /** @description One key attestation. */
                attestation?: string[];
            };
            credential_response_encryption?: components["schemas"]["Openid4vciResponseEncryption"];
        };
        /** @description Open: members that are not documented are ignored. */
        Openid4vciDeferredRequest: {
            /** @description The `transaction_id` of the credential response. */
            transaction_id: string;
            credential_response_encryption?: components["schemas"]["Openid4vciResponseEncryption"];
        };
        /** @description How the response is to be encrypted (OpenID4VCI 1.0 §8.2): an object with `jwk`, the public key of the wallet with its `alg`, `enc` and optionally `zip`. In a request that is not encrypted it is refused with `invalid_encryption_parameters`. */
        Openid4vciResponseEncryption: unknown;
        Openid4vciCredentialResponse: {
            /** @description The credentials, in the order of the proofs, or of the attested keys. */
            credentials: {
                /** @description The credential. */
                credential: string;
            }[];
            /** @description Names the credentials in notifications. */
            notification_id?: string;
        };
        Openid4vciDeferredResponse: {
            /** @description Names the issuance at the deferred credential endpoint. */
            transaction_id: string;
            /** @description After how many seconds the wallet may ask. */
            interval: number;
        };
        /** @description Open: members that are not documented are ignored. */
        Openid4vciNotification: {
            /** @description The `notification_id` of the credential response. */
            notification_id: string;
            /**
             * @description What became of the credentials.
             * @enum {string}
             */
            event: "credential_accepted" | "credential_failure" | "credential_deleted";
            /** @description More about it, for humans; sent to the callback of the issuer. */
            event_description?: string;
        };
        IssuanceProfile: {
            /** @description The id that offers name. */
            profileId: string;
            /** @description The name of the profile. */
            name: string;
            /** @description The configuration that wallets see. */
            credentialConfigurationId: string;
            /** @description The format of the credential. */
            format: string;
            /** @description The types of a W3C credential. */
            types?: string[];
            /** @description The type of an SD-JWT VC. */
            vct?: string;
            /** @description The document type of an mdoc. */
            doctype?: string;
            /** @description The OAuth scope by which wallets ask for it. */
            scope: string;
            /**
             * @description What is demanded of wallets; absent for OPEN.
             * @enum {string}
             */
            securityProfile?: "HAIP";
            /**
             * @description How the holder is authenticated at the authorization endpoint: not at all, or by a login at another server.
             * @enum {string}
             */
            authenticationMethod?: "NONE" | "PWD";
            /** @description Whether wallets get it without an offer. */
            walletInitiated?: boolean;
            /** @description The DID that the operator chose; without it the issuer is the `did:jwk` of the key, or the one that the certificate names. */
            issuerDid?: string;
            /** @description The certificates of the issuer as PEM, leaf first. */
            x5Chain?: string[];
            /** @description The data of a credential, or the element values of an mdoc by namespace. Open: the members of the credential. */
            credentialData: {
                [key: string]: unknown;
            };
            /** @description Laid over the data when the credential is claimed. Open: the members of the credential that it sets. */
            mapping?: {
                [key: string]: unknown;
            };
            /** @description What the holder may withhold. Open: the members of a level. */
            selectiveDisclosure?: {
                [key: string]: unknown;
            };
            /**
             * @description Whether a credential is made when the wallet asks a second time.
             * @constant
             */
            deferred?: true;
            /** @description How wallets show the credential. */
            display: {
                [key: string]: unknown;
            }[];
            /** @description How wallets show its claims. */
            claims: {
                [key: string]: unknown;
            }[];
        };
        CredentialOfferRequest: {
            /** @description The id of a profile. */
            profileId: string;
            /**
             * @description Whether the offer contains a code, or the wallet gets one at the authorization endpoint.
             * @enum {string}
             */
            authMethod: "PRE_AUTHORIZED" | "AUTHORIZED";
            /**
             * @description Whether an offer of AUTHORIZED names its session to the authorization endpoint; INCLUDE when left out. With OMIT the wallet asks for the profile by its scope and gets a session of its own: only for a profile with `walletInitiated`, and without `runtimeOverrides`. Only with AUTHORIZED.
             * @enum {string}
             */
            issuerStateMode?: "INCLUDE" | "OMIT";
            /**
             * @description Whether the URL names the offer or contains it.
             * @default BY_REFERENCE
             * @enum {string}
             */
            valueMode: "BY_REFERENCE" | "BY_VALUE";
            /** @description Seconds until the offer expires; 300 when left out, ten years for -1. 0 is refused. */
            expiresInSeconds?: number;
            /** @description The transaction code that the holder enters. Only with PRE_AUTHORIZED. */
            txCode?: {
                /**
                 * @description Which keyboard the wallet shows.
                 * @default numeric
                 * @enum {string}
                 */
                input_mode: "numeric" | "text";
                /** @description How many characters it has; those of `txCodeValue`, or 6, when left out. */
                length?: number;
                /** @description How the holder gets it. */
                description?: string;
            };
            /** @description The transaction code; generated when left out. Only with `txCode`. */
            txCodeValue?: string;
            /** @description The id of the new session, which must not be in use; a random UUID when left out. Take one that cannot be guessed: it shows the session. */
            sessionId?: string;
            /** @description What is different from the profile for this offer. */
            runtimeOverrides?: {
                issuerKey?: components["schemas"]["KeyReference"];
                /** @description The DID of the key. */
                issuerDid?: string;
                /** @description The certificates of the key as PEM, leaf first. */
                x5Chain?: string[];
                /** @description Merged into the data of the profile: objects member by member, everything else is replaced. Open: the members of the credential. */
                credentialData?: {
                    [key: string]: unknown;
                };
                /** @description Replaces the mapping of the profile. Open: the members of the credential that it sets. */
                mapping?: {
                    [key: string]: unknown;
                };
                /** @description Replaces that of the profile. Open: the members of a level. */
                selectiveDisclosure?: {
                    [key: string]: unknown;
                };
                /** @description Replaces the status of the profile. Open: the members of its status type. */
                credentialStatus?: {
                    [key: string]: unknown;
                };
                statusList?: components["schemas"]["ProfileStatusList"];
                /** @description Replaces the receiver of the events of the profile. */
                notifications?: {
                    /** @description Gets each event of the session. */
                    webhook: {
                        /** @description Where events are sent; `$id` in it becomes the id of the session. */
                        url: string;
                        /** @description Sent as `Authorization: Bearer`. */
                        bearerToken?: string;
                        /** @description The secret under which `X-Signature` is made. */
                        signingSecret?: string;
                    };
                };
            };
        };
        /** @description Gives the credential an entry of a status list that is opened, signed and published here. Not together with a status of the credential's own. */
        ProfileStatusList: {
            /**
             * @description The kind of list.
             * @enum {string}
             */
            type?: "BitstringStatusList" | "StatusList2021" | "TokenStatusList";
            /**
             * @description The form of the list: CWT for an mdoc, JWT for all others.
             * @enum {string}
             */
            format?: "JWT" | "CWT";
            /**
             * @description What a set bit means, in a list of the W3C.
             * @enum {string}
             */
            purpose?: "revocation" | "suspension";
            /**
             * @description Bits of one status.
             * @enum {integer}
             */
            statusSize?: 1 | 2 | 4 | 8;
        };
        /** @description An offer and the session that it belongs to. */
        CreatedCredentialOffer: {
            /** @description The id of the session: `/issuer2/sessions/{sessionId}`. */
            offerId: string;
            /** @description The profile. */
            profileId: string;
            /**
             * @description As requested.
             * @enum {string}
             */
            authMethod: "PRE_AUTHORIZED" | "AUTHORIZED";
            /**
             * @description Whether an offer of AUTHORIZED names its session.
             * @enum {string}
             */
            issuerStateMode?: "INCLUDE" | "OMIT";
            /** @description The end of the offer in milliseconds since 1970. */
            expiresAt: number;
            /** @description The transaction code, which is shown only here; bring it to the holder by another channel. */
            txCodeValue?: string;
            /** @description The URL for the wallet. */
            credentialOffer: string;
        };
        BulkOfferLine: {
            /** @description The number of the answered line: from 1, with blank ones. */
            line: number;
            /** @description The status of the single call: 201, or that of the error. */
            status: number;
            offer?: components["schemas"]["CreatedCredentialOffer"];
            error?: components["schemas"]["Problem"];
            /** @description When the line can be sent again, with 429 and 503. */
            retryAfterSeconds?: number;
        };
        IssuanceSession: {
            /** @description Its path, of a session of a service of a tenant. */
            _id?: string;
            /** @description The session. */
            sessionId: string;
            /** @description The profile that was offered. */
            profileId?: string;
            /**
             * @description How the wallet gets its access token.
             * @enum {string}
             */
            authenticationMethod?: "PRE_AUTHORIZED" | "AUTHORIZED";
            /** @description The configuration of the profile. */
            credentialConfigurationId?: string;
            /** @description The configurations of the offer. */
            credentialConfigurationIds: string[];
            /** @description The format of the issued credential. */
            issuedCredentialFormat?: string;
            /**
             * @description The state of the session.
             * @enum {string}
             */
            status: "ACTIVE" | "SUCCESSFUL" | "UNSUCCESSFUL" | "EXPIRED";
            /** @description Why the session ended. */
            statusReason?: string;
            /** @description Whether the session ended. */
            isClosed: boolean;
            /**
             * Format: date-time
             * @description When the offer and its tokens end.
             */
            expiresAt: string;
            /** @description How many credentials were offered. */
            offered: number;
            /** @description How many of them were issued. */
            issued: number;
            /** @description How many credentials were made: one for each key of a batch. While a batch is being made it grows every five seconds. */
            credentials: number;
            /**
             * Format: date-time
             * @description When the session was created.
             */
            createdDateTime: string;
            /**
             * Format: date-time
             * @description When it changed last.
             */
            updatedDateTime: string;
        };
        VerifyRequest: {
            /** @description The credentials that the wallet is asked for. */
            request_credentials: components["schemas"]["RequestedCredential"][];
            /** @description The policies for the presentation; `signature` when absent. */
            vp_policies?: components["schemas"]["PolicyList"];
            /** @description The policies for each credential without its own; `signature` when absent. */
            vc_policies?: components["schemas"]["PolicyList"];
            /** @description Replaces the generated definition; `id` is assigned when absent. The algorithms its `format` lists are enforced. Open: the members of DIF Presentation Exchange 2.0. */
            presentation_definition?: {
                [key: string]: unknown;
            };
            /** @description Takes precedence over the header `openId4VPProfile`. */
            openid_profile?: string;
            /** @description Certificates of authorities in PEM that the chains of issuers may end at, beside those of `trusted-issuers.conf`. An mdoc is accepted only below one of them. */
            trusted_root_cas?: string[];
        };
        /** @description When absent, `signature`. */
        PolicyList: components["schemas"]["Policy"][];
        /** @description A credential type; or `{credential, policies}`; or an object with `format` and its selector, or with an `input_descriptor`. */
        RequestedCredential: string | {
            /** @description The type in the older object form. */
            credential?: string;
            /** @description The type of a W3C JWT credential. */
            type?: string;
            /** @description The type of an SD-JWT VC. */
            vct?: string;
            /** @description The type of an mdoc. */
            doc_type?: string;
            /** @description `jwt_vc_json` or `jwt_vc`, `vc+sd-jwt`, `dc+sd-jwt`, `mso_mdoc`. */
            format?: string;
            /** @description Id of the generated descriptor, or of the descriptor of a given definition that the policies are for. */
            id?: string;
            /** @description Replaces the generated descriptor; has its own `id`. Open: the members of an input descriptor (DIF Presentation Exchange 2.0). */
            input_descriptor?: {
                [key: string]: unknown;
            };
            /** @description Its own policies instead of `vc_policies`. */
            policies?: components["schemas"]["PolicyList"];
        };
        /** @description Open: more members of DIF Presentation Exchange 2.0. */
        PresentationDefinition: {
            /** @description The id of the definition. */
            id: string;
            /** @description One for each credential that is asked for. */
            input_descriptors: {
                [key: string]: unknown;
            }[];
        } & {
            [key: string]: unknown;
        };
        VerificationSession: {
            /** @description The id of the session. */
            id: string;
            /** @description What was asked for. */
            presentationDefinition: components["schemas"]["PresentationDefinition"];
            /** @description What the wallet sent. Open: the parameters of its answer. */
            tokenResponse?: {
                [key: string]: unknown;
            };
            /** @description Whether every policy succeeded. */
            verificationResult?: boolean;
            /** @description The results of the policies. */
            policyResults?: {
                /** @description Of the presentation, then of each credential. */
                results: components["schemas"]["CredentialResult"][];
                /** @description How long the policies took (ISO 8601 duration). */
                time: string;
                /** @description How many policies were run. */
                policiesRun: number;
            };
            /** @description Of the presented credentials, without claims, when what was presented was deleted. */
            credentialHandles?: components["schemas"]["PresentedCredential"][];
            /** @description When what was presented was handed over and deleted, with `presentedData = deleteOnHandover`. */
            handoverDate?: components["schemas"]["DateTime"];
        };
        PresentedCredentials: {
            /** @description Views by format: `jwt_vc_json`, `vc+sd-jwt`, `dc+sd-jwt` and `mso_mdoc`. Open: the formats. */
            credentialsByFormat: {
                [key: string]: components["schemas"]["PresentationView"][];
            };
            /**
             * @description What was asked for.
             * @enum {string}
             */
            viewMode: "simple" | "verbose";
        };
        /** @description `jwt_vc_json_view_simple` has `holder` and `verifiableCredentials` of `header` and `payload`; verbose, `vp` of `raw`, `header` and `payload`, and credentials of `raw`, `header`, `fullPayload`, `undisclosedPayload` and `disclosures`. `sd_jwt_vc_view_…` has `vc`, and `keyBinding` when the holder signed. `mso_mdoc_view_…` has `version`, `status` and `documents`. Open: these members. */
        PresentationView: {
            /** @description The form of the view. */
            type: string;
        } & {
            [key: string]: unknown;
        };
        /** @description The first of the list is the presentation's, the others follow its credentials. */
        CredentialResult: {
            /** @description The last of its types. */
            credential: string;
            /** @description The result of each policy. */
            policies: components["schemas"]["PolicyResult"][];
            /** @description The same list again, where existing clients read it. */
            policyResults: components["schemas"]["PolicyResult"][];
        };
        PolicyResult: {
            /** @description The name of the policy. */
            policy: string;
            /** @description What the policy checks. */
            description?: string;
            /** @description Whether it succeeded. */
            is_success: boolean;
            /** @description The policy's argument without its secrets. */
            args?: unknown;
            code?: components["schemas"]["PolicyCode"];
            /** @description The outcome in a sentence for people. */
            reason?: string;
            /** @description The result of a policy that succeeded. */
            result?: unknown;
            /** @description Why a policy failed: a text, or an object with a `type`. */
            error?: unknown;
        };
        /**
         * @description Why the policy succeeded or failed, for programs. docs/verification.md has the meanings; more may be added.
         * @enum {string}
         */
        PolicyCode: "passed" | "nothing-to-check" | "not-run" | "unreachable" | "undetermined" | "internal-error" | "signer-unknown" | "signature-invalid" | "algorithm-not-allowed" | "digest-mismatch" | "wrong-token-type" | "not-signed-now" | "not-signed" | "issuer-untrusted" | "wrong-nonce" | "wrong-audience" | "transactions-mismatch" | "expired" | "not-yet-valid" | "malformed-date" | "missing-claim" | "schema-mismatch" | "refused" | "too-few-credentials" | "too-many-credentials" | "credentials-missing" | "relation-broken" | "discloses-too-much" | "holder-mismatch" | "issuer-not-allowed" | "list-not-accepted" | "status-set" | "status-missing" | "condition-not-met" | "pattern-mismatch" | "integrity-missing" | "integrity-malformed" | "integrity-mismatch";
        PolicyDescription: {
            /** @description The name of the policy. */
            name: string;
            /** @description Other names of the same policy. */
            aliases: string[];
            /** @description What the policy checks. */
            description: string;
            /** @description Where it may be listed: `vp` in `vp_policies`, `vc` in `vc_policies` and `policies`. */
            scopes: ("vp" | "vc")[];
            /**
             * @description Its place in the order: what was presented, lists and metadata that say whom to trust, status lists, services. A policy is not run when one of an earlier stage failed.
             * @enum {string}
             */
            stage: "presented" | "trust" | "status" | "service";
            /** @description Policies that must succeed first, listed or not. */
            dependsOn: string[];
            /** @description Absent when the policy takes no argument. */
            argument?: {
                /** @description Whether the policy cannot be listed without. */
                isRequired: boolean;
                /** @description Its JSON Schema (draft 2020-12), with examples. Open: the keywords of JSON Schema. */
                schema: {
                    [key: string]: unknown;
                };
            };
        };
        VerificationSessionSetup: {
            /**
             * @description How the request reaches the wallet: by a QR code, by a link on the device of the browser, or by the Digital Credentials API, there as OpenID4VP or as the protocol `org-iso-mdoc` (ISO/IEC TS 18013-7 annex C).
             * @enum {string}
             */
            flow_type: "cross_device" | "same_device" | "dc_api_openid4vp" | "dc_api_18013_7";
            /** @description What is asked for and how. */
            core_flow: components["schemas"]["VerificationCoreFlow"];
            /** @description How links begin. Not for the Digital Credentials API. */
            url_config?: {
                /** @description The start of the link for the wallet; `openid4vp://authorize` when left out. */
                url_host?: string;
                /** @description The URL at which wallets reach the endpoints of sessions, where it is not the public URL of this server with `/verification-session`. */
                url_prefix?: string;
            };
            /** @description More of the request. */
            openid?: {
                /** @description Transactions that the holder is asked to authorize (OpenID4VP 1.0 §8.4): each with `type` and `credential_ids`. */
                transactionData?: {
                    [key: string]: unknown;
                }[];
                /**
                 * @description What the wallet responds with.
                 * @enum {string}
                 */
                responseType?: "vp_token";
            };
            /** @description Where the wallet sends the user after its response. Not for the Digital Credentials API. */
            redirects?: {
                /** @description After success; `response_code` is added. Required on the same device. */
                success_redirect_uri?: string;
                /** @description After failure. */
                error_redirect_uri?: string;
            };
            /** @description The origins of the pages that may use the request; only, and required, for the Digital Credentials API. */
            expectedOrigins?: string[];
            /** @description Whether the session must be as HAIP 1.0 demands. */
            haip?: boolean;
        };
        VerificationCoreFlow: {
            /** @description The query (OpenID4VP 1.0 §6), required but for `dc_api_18013_7`. Open: members that the specification does not define are ignored. */
            dcql_query?: {
                [key: string]: unknown;
            };
            /** @description Only, and required, for `dc_api_18013_7`: lists of elements by document type and namespace, of at most 16 documents. Open: the document types. */
            requestedElements?: {
                [key: string]: unknown;
            };
            /** @description Whether the request is signed. */
            signed_request?: boolean;
            /** @description Whether the wallet encrypts its response, to a key that the session has for itself. */
            encrypted_response?: boolean;
            /** @description Who gets the events of the session. */
            notifications?: {
                /** @description Gets each event as a POST, with basic authentication or a bearer token. */
                webhook: {
                    /** @description Where events are sent; `$id` in it becomes the id of the session. */
                    url: string;
                    /** @description The user name of basic authentication. */
                    basic_auth_username?: string;
                    /** @description The password of basic authentication. */
                    basic_auth_password?: string;
                    /** @description Sent as `Authorization: Bearer`. */
                    bearer_token?: string;
                };
            };
            /** @description How long the request is good, as an ISO 8601 duration; ten minutes when left out, seven days at most. */
            expiration_duration?: string;
            /** @description When the request ends (RFC 3339); comes before the duration. */
            expiration_date?: string;
            /** @description What is checked besides. The checks of presentations always run, and so do the signature and the dates of each credential; `vp_policies` may name checks, which changes nothing. */
            policies?: {
                /** @description Names of checks of presentations: a list, or lists by format. */
                vp_policies?: unknown;
                /** @description For every credential; `signature` when left out. */
                vc_policies?: components["schemas"]["SessionPolicy"][];
                /** @description By the id of a query: for its credentials, besides. Open: the ids of queries. */
                specific_vc_policies?: {
                    [key: string]: components["schemas"]["SessionPolicy"][];
                };
            };
            /** @description What wallets learn of the verifier, such as `client_name` and `logo_uri`. With `vp_formats_supported`, presentations with other algorithms are refused. Open: the members of client metadata. */
            client_metadata?: {
                [key: string]: unknown;
            };
            /** @description The name of the verifier, with its prefix (OpenID4VP 1.0 §5.9). `openid_federation:` is not supported. */
            clientId?: string;
            /** @description The id of the new session, which must not be in use; a random UUID when left out. Take one that cannot be guessed: it shows the session. */
            sessionId?: string;
            key?: components["schemas"]["KeyReference"];
            /** @description The certificates of the key, as base64 or PEM, leaf first. */
            x5c?: string[];
            /** @description An attestation about the verifier and its key (OpenID4VP 1.0 §12), for the prefix of this name. */
            verifier_attestation?: string;
            /** @description What others state about the verifier, such as its registration certificate (OpenID4VP 1.0 §5.11). */
            verifier_info?: {
                [key: string]: unknown;
            }[];
        };
        /** @description A policy without argument is its name; with one, an object with `args` or with the members of the argument. */
        SessionPolicy: string | ({
            /** @description The name of the policy. */
            policy: string;
        } & {
            [key: string]: unknown;
        });
        CreatedVerificationSession: {
            /** @description The id of the session; only for the creator of the session. */
            sessionId: string;
            /** @description What is shown as a QR code or opened on the device. For a signed request it leads to the request; any other is in the link. */
            bootstrapAuthorizationRequestUrl?: string;
            /** @description The link with the whole request in it; absent for a signed request. */
            fullAuthorizationRequestUrl?: string;
            /** @description Where a page can get its request again; only for the Digital Credentials API. */
            requestUri?: string;
            /** @description Where a page posts what the browser gave it; only for the Digital Credentials API. */
            responseUri?: string;
            /** @description What a page passes to `navigator.credentials.get`; only for the Digital Credentials API. Open: the members of the request. */
            data?: {
                [key: string]: unknown;
            };
        };
        PresentationSession: {
            /** @description The session. */
            id: string;
            /**
             * @description How the request reaches the wallet.
             * @enum {string}
             */
            flow_type: "cross_device" | "same_device" | "dc_api_openid4vp" | "dc_api_18013_7";
            /**
             * @description UNUSED until a wallet has fetched the request, IN_USE until a response has arrived. PROCESSING_FLOW: the response is being verified, or waits for its response code.
             * @enum {string}
             */
            status: "UNUSED" | "IN_USE" | "PROCESSING_FLOW" | "EXPIRED" | "SUCCESSFUL" | "FAILED";
            /** @description Why the session failed. */
            statusReason?: string;
            /** @description Whether a presentation arrived. */
            attempted: boolean;
            creationDate: components["schemas"]["DateTime"];
            expirationDate: components["schemas"]["DateTime"];
            retentionDate: components["schemas"]["DateTime"];
            /**
             * @description How the wallet gets the request.
             * @enum {string}
             */
            requestMode: "URL_ENCODED" | "REQUEST_URI_SIGNED" | "DC_API" | "DC_API_SIGNED";
            /** @description Whether the session is as HAIP 1.0 demands. */
            isHaip: boolean;
            /** @description What is shown as a QR code, until a response has arrived. */
            bootstrapAuthorizationRequestUrl?: string;
            /** @description The link with the whole request in it. */
            fullAuthorizationRequestUrl?: string;
            /** @description Where a page gets its request, until a response has arrived. */
            requestUri?: string;
            /** @description Where a page posts what the browser gave it, until a response has arrived. */
            responseUri?: string;
            /** @description The parameters of the request. Open: those of OpenID4VP. */
            authorizationRequest: {
                [key: string]: unknown;
            };
            /** @description The listed policies. */
            policies: {
                /** @description For every credential. */
                vc_policies: components["schemas"]["ShownPolicy"][];
                /** @description By the id of a query. Open: the ids of queries. */
                specific_vc_policies: {
                    [key: string]: components["schemas"]["ShownPolicy"][];
                };
            };
            /** @description Where the wallet sends the user. */
            redirects?: {
                /** @description After success. */
                success_redirect_uri?: string;
                /** @description After failure. */
                error_redirect_uri?: string;
            };
            /** @description Who gets the events. */
            notifications?: {
                /** @description The receiver. */
                webhook?: {
                    /** @description Its URL. */
                    url?: string;
                };
            };
            /** @description What the wallet sent. */
            presented_raw_data?: {
                /** @description The presentations. Open: the ids of queries. */
                vpToken?: {
                    [key: string]: unknown;
                };
            };
            /** @description The presented credentials by the ids of their queries. Open: these ids. */
            presented_credentials?: {
                [key: string]: components["schemas"]["PresentedCredential"][];
            };
            /** @description What came of each check. */
            policy_results?: components["schemas"]["SessionPolicyResults"];
            /** @description Why the session failed. */
            failure?: components["schemas"]["SessionFailure"];
            /** @description When what was presented was handed over and deleted, with `presentedData = deleteOnHandover`. */
            handoverDate?: components["schemas"]["DateTime"];
        };
        ShownPolicy: {
            /** @description The name of the policy. */
            policy: string;
            /** @description Its argument, without secrets. */
            args?: unknown;
        };
        PresentedCredential: {
            /** @description The format. */
            format: string;
            /** @description The `vct`, the document type, or the most special type. */
            type: string;
            /** @description The DID, URL or certificate subject of the issuer. */
            issuer: string;
            /** @description The SHA-256 of what the issuer signed, in base64url: the JWT without disclosures, or the MobileSecurityObject. The same in every presentation. */
            digest?: string;
            /** @description Where the issuer publishes the status. With it the issuer can revoke the credential. */
            status?: {
                [key: string]: unknown;
            }[];
            /** @description What the holder showed, until it is deleted. Open: the claims of the credential. */
            claims?: {
                [key: string]: unknown;
            };
        };
        PresentationCheckResult: {
            /** @description Whether the check succeeded. */
            success: boolean;
            /** @description Why it failed. */
            errors: {
                /** @description The reason, for programs. */
                error: string;
                /** @description The same, for humans. */
                message: string;
            }[];
        };
        SessionPolicyResult: {
            /** @description The policy. */
            policy: components["schemas"]["ShownPolicy"];
            /** @description Whether the policy succeeded. */
            success: boolean;
            /** @description Why, for programs. */
            code: string;
            /** @description The same, for humans. */
            reason: string;
            /** @description The result of a policy that succeeded. */
            result?: unknown;
            /** @description Why a policy failed: a text, or an object with a `type`. */
            error?: unknown;
            /** @description The query that the credential was presented for. */
            query_id: string;
            /** @description Its place among the credentials for this query, from 0. */
            credential_index: number;
        };
        SessionPolicyResults: {
            /** @description By the id of a query, then by the name of a check. Open: both. */
            vp_policies: {
                [key: string]: {
                    [key: string]: components["schemas"]["PresentationCheckResult"];
                };
            };
            /** @description The policies for every credential. */
            vc_policies: components["schemas"]["SessionPolicyResult"][];
            /** @description Those of single queries. Open: the ids of queries. */
            specific_vc_policies: {
                [key: string]: components["schemas"]["SessionPolicyResult"][];
            };
            /** @description Whether all of them succeeded. */
            overallSuccess: boolean;
        };
        SessionFailure: {
            /**
             * @description What failed.
             * @enum {string}
             */
            type: "presentation_validation" | "dcql_fulfillment" | "vc_policy_violations" | "wallet_error_response";
            /** @description Why, for humans. */
            reason: string;
            /** @description With `presentation_validation`: query and check, such as `pid/dc+sd-jwt/nonce-check`. */
            failed_policies?: string[];
            /** @description With `dcql_fulfillment`. */
            failure?: {
                /** @description The queries that were not answered. */
                missing_query_ids: string[];
                /** @description The required credential sets of which no option was answered. */
                unsatisfied_sets: {
                    /** @description The combinations of queries. */
                    options: string[][];
                }[];
                /** @description The queries that were answered. */
                successfully_validated_query_ids: string[];
            };
            /** @description With `vc_policy_violations`. */
            violations?: components["schemas"]["SessionPolicyResult"][];
            /** @description With `wallet_error_response`: its code. */
            error?: string;
            /** @description Its text. */
            error_description?: string;
        };
        ResponseRefusal: {
            /** @description The code. */
            error: string;
            /** @description What is wrong, for humans. */
            error_description: string;
            /** @description Where the wallet sends the user. */
            redirect_uri?: string;
        };
        StatusTokenState: {
            /** @description The token or base token that was asked for. */
            token: string;
            /** @description Whether the credential is revoked. */
            isRevoked: boolean;
            /** @description When it was revoked, in milliseconds since the epoch. */
            timeOfRevocation?: number;
        };
        RevocationStatus: {
            /** @description Whether the credential is revoked. */
            isRevoked: boolean;
            /**
             * @description That the credential is suspended; absent for all others.
             * @constant
             */
            isSuspended?: true;
        };
        /**
         * @description The state of an entry.
         * @enum {string}
         */
        EntryState: "valid" | "revoked" | "suspended";
        /** @description An issuance session. */
        SessionName: string;
        /** @description The `id` of a W3C credential, or the `jti` of an SD-JWT VC. */
        CredentialName: string;
        NewStatusList: {
            issuerKey: components["schemas"]["KeyReference"];
            /** @description The DID of the issuer, which must resolve to `issuerKey`; lists of the W3C need one. Without it the list is of the URL that an SD-JWT VC without a DID would have. */
            issuerDid?: string;
            /** @description The certificates of the credentials, PEM, that of `issuerKey` first; a list as CWT needs them. */
            x5Chain?: string[];
            /**
             * @description The kind of list; `BitstringStatusList` when left out.
             * @enum {string}
             */
            type?: "BitstringStatusList" | "StatusList2021" | "TokenStatusList";
            /**
             * @description The form of the list; JWT when left out.
             * @enum {string}
             */
            format?: "JWT" | "CWT";
            /**
             * @description What a set bit means, in a list of the W3C; `revocation` when left out.
             * @enum {string}
             */
            purpose?: "revocation" | "suspension";
            /**
             * @description Bits of one status: 1 in a list of the W3C, 2 in a Token Status List when left out.
             * @enum {integer}
             */
            statusSize?: 1 | 2 | 4 | 8;
        };
        StatusList: {
            /** @description The id of the list. */
            listId: string;
            /** @description Where the list is published. */
            url: string;
            /** @description The kind of list. */
            type: string;
            /**
             * @description The form of the list.
             * @enum {string}
             */
            format: "JWT" | "CWT";
            /** @description What a set bit means, in a list of the W3C. */
            purpose?: string;
            /** @description Bits of one status. */
            statusSize: number;
            /** @description The issuer of the list and of the credentials that name it. */
            issuer: string;
            /** @description The number of entries. */
            size: number;
            /**
             * Format: date-time
             * @description When the list was opened.
             */
            createdDateTime: string;
        };
        /** @description By what the entry is found; both may be left out. */
        StatusEntryNames: {
            session?: components["schemas"]["SessionName"];
            credentialId?: components["schemas"]["CredentialName"];
        };
        StatusEntry: {
            /** @description The id of the list. */
            listId: string;
            /** @description The index of the entry in the list. */
            index: number;
            status: components["schemas"]["EntryState"];
            /** @description The issuance session of the credential. */
            session?: string;
            /** @description The id that the credential gives itself. */
            credentialId?: string;
            /** @description The changes, the oldest first: the last 100. */
            history: components["schemas"]["EntryChange"][];
            /**
             * Format: date-time
             * @description When the entry was allocated.
             */
            createdDateTime: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updatedDateTime: string;
        };
        AllocatedStatusEntry: {
            /** @description The entry. */
            entry: components["schemas"]["StatusEntry"];
            /** @description Open: the value of `credentialStatus` in a credential of the W3C, of `status` in all others. */
            reference: {
                [key: string]: unknown;
            };
        };
        EntryChange: {
            /**
             * Format: date-time
             * @description When it was changed.
             */
            changedAt: string;
            from: components["schemas"]["EntryState"];
            to: components["schemas"]["EntryState"];
            /** @description Why, as the caller stated it. */
            reason?: string;
            /** @description Who, as the caller stated it. */
            changedBy?: string;
        };
        /**
         * @description `revoke` for ever, `suspend`, or `lift` a suspension.
         * @enum {string}
         */
        EntryAction: "revoke" | "suspend" | "lift";
        /** @description Why; it is stored in the history and not published. */
        ChangeReason: string;
        /** @description Who wants it, by your own account; it is stored in the history and not checked. */
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
            /** @description Two UUIDs in 72 characters; it revokes the credential and is shown once. */
            baseToken: string;
            /** @description The SHA-256 digest of the base token in base32, without padding. */
            token: string;
            /** @description The `credentialStatus` of the credential. */
            credentialStatus: {
                /** @description The URL that answers the status. */
                id: string;
                /**
                 * @description The kind of status.
                 * @constant
                 */
                type: "SimpleCredentialStatus2022";
            };
        };
        /** @description Open: the members that the operator adds (SD-JWT VC §6). */
        TypeMetadata: {
            /** @description The type. */
            vct: string;
            /** @description Its name, for developers. */
            name: string;
            /** @description What it is, for developers. */
            description?: string;
            /** @description The type that it extends. */
            extends?: string;
            /** @description The digest of the metadata of that type, when it is published here. */
            "extends#integrity"?: string;
            /** @description How wallets show it. */
            display?: {
                [key: string]: unknown;
            }[];
            /** @description The claims and their labels. */
            claims?: {
                [key: string]: unknown;
            }[];
        } & {
            [key: string]: unknown;
        };
        /** @description One name of a target. */
        TargetSegment: string;
        /** @description A dotted path, `organization.tenant(.tenant)*.service.child`. */
        Target: string;
        /** @description A token of `superadmin-registration.conf`. */
        RegistrationToken: string;
        /** @description Open: any JSON. */
        FreeObject: {
            [key: string]: unknown;
        };
        /**
         * @description The kind of service.
         * @enum {string}
         */
        ServiceType: "kms" | "did-store" | "did-service" | "did-registry" | "credential-store" | "credential-status" | "policy-store" | "x509-service" | "x509-store" | "issuer" | "issuer2" | "verifier" | "verifier2" | "vical-service" | "client-attester" | "trust-registry" | "oidc-bridge" | "wallet";
        Dependencies: components["schemas"]["Target"][];
        EnterpriseToken: {
            /** @description A JWT, to be sent as `Authorization: Bearer …`. */
            token: string;
        };
        EnterpriseAccount: {
            /** @description The account. */
            _id: components["schemas"]["Uuid"];
            /** @description Facts about the account, without secrets. Open: any JSON. */
            profile: {
                [key: string]: unknown;
            };
            /** @description The targets of its roles. */
            roles: components["schemas"]["Target"][];
        };
        /** @description What may (`ADD`) or may not (`REMOVE`) be done at a target and below. A denial always wins. */
        Permission: {
            /** @description A target, in which `*` may replace a segment. */
            target: string;
            /** @description The name of an action, or `all`. */
            action: string;
            /**
             * @description Allow or deny.
             * @enum {string}
             */
            operation: "ADD" | "REMOVE";
        };
        Role: {
            /** @description The target of the role. */
            _id: components["schemas"]["Target"];
            /** @description The name for people. */
            name: string;
            /** @description What the role allows and denies. */
            permissions: components["schemas"]["Permission"][];
        };
        /** @description Something in the tree. Open: each kind adds members of its own. */
        AnyElement: {
            /** @description Its target. */
            _id: components["schemas"]["Target"];
            /** @description The target above; empty for an organization. */
            parent: string;
            /** @description When it was created. */
            createdDateTime: components["schemas"]["DateTime"];
            /** @description When it was last changed. */
            updatedDateTime: components["schemas"]["DateTime"];
        };
        Resource: components["schemas"]["AnyElement"] & {
            /** @description `organization`, `tenant` or the type of a service. */
            type: string;
        };
        KeyElement: components["schemas"]["AnyElement"] & {
            /**
             * @description The kind of element.
             * @constant
             */
            type: "key";
            /** @description The public part. Open: the members of a key reference of its backend. */
            key: {
                /** @description The backend. */
                type: string;
            } & {
                [key: string]: unknown;
            };
        };
        DidElement: components["schemas"]["AnyElement"] & {
            /** @description The DID. */
            did: string;
            /** @description Open: the members of a DID document. */
            document: {
                [key: string]: unknown;
            };
        };
        CredentialElement: components["schemas"]["AnyElement"] & {
            credential: components["schemas"]["StoredCredential"];
        };
        /** @description A credential as data, as issued, or both. */
        StoredCredential: {
            /** @description The kind of credential, such as `vc-w3c_1_1`, `vc-sd_jwt` or `vc-mdocs`. */
            type: string;
            /** @description Open: the members of the credential. */
            credentialData?: {
                [key: string]: unknown;
            };
            /** @description The issued credential, unchanged. */
            signed?: string;
        };
        /** @description A key management service, a DID store, a credential store or a policy store. */
        StoreConfiguration: {
            /** @description The kind of service. */
            type?: string;
            /** @description The services that it uses. */
            dependencies?: string[];
            /** @description Kept and shown; of no effect. */
            traversable?: boolean;
            /** @description A name for people. */
            name?: string;
            /** @description What it is for. */
            description?: string;
            /** @description Of a DID store: the key management service that it uses. */
            kms?: components["schemas"]["Target"];
        };
        StoredPolicyElement: components["schemas"]["AnyElement"] & {
            /** @description The name for people. */
            name: string;
            /** @description What it is for. */
            description?: string;
            /** @description The policy. */
            policy: {
                /** @description Its name in the table of policies. */
                policy: string;
                /** @description Its argument without secrets. Open: each policy has its own. */
                args?: unknown;
            };
        };
        /** @description A service of the type `credential-status`; the keys of its lists are those of the `kms` services that it depends on. */
        CredentialStatusServiceConfiguration: {
            type: components["schemas"]["ServiceType"];
            /** @description The services that it uses, of the type `kms`. */
            dependencies?: components["schemas"]["Target"][];
            /** @description Kept and shown; of no effect. */
            traversable?: boolean;
            /** @description A name for people. */
            name?: string;
            /** @description A description for people. */
            description?: string;
        };
        NewStatusCredential: {
            /** @description The target of the key that signs the list, in a `kms` service that this service depends on. */
            kid: components["schemas"]["Target"];
            /** @description The certificates of the credentials, PEM, that of `kid` first; a list as CWT needs them. */
            x5Chain?: string[];
            /** @description The DID of the issuer, which must resolve to the key; lists of the W3C need one. Without it `x5Chain` names the issuer. */
            issuerDid?: string;
            config: components["schemas"]["StatusCredentialConfig"];
        };
        /** @description The kind of list. */
        StatusCredentialConfig: {
            /**
             * @description The kind of list; `BitstringStatusList` when left out.
             * @enum {string}
             */
            type?: "BitstringStatusList" | "StatusList2021" | "TokenStatusList";
            /**
             * @description The form of the list; JWT when left out.
             * @enum {string}
             */
            format?: "JWT" | "CWT";
            /**
             * @description What a set bit means, in a list of the W3C; `revocation` when left out.
             * @enum {string}
             */
            purpose?: "revocation" | "suspension";
            /**
             * @description Bits of one status: 1 in a list of the W3C, 2 in a Token Status List when left out.
             * @enum {integer}
             */
            statusSize?: 1 | 2 | 4 | 8;
        };
        StatusCredentialElement: components["schemas"]["AnyElement"] & {
            /** @description The target of the key that signs the list. */
            kid: components["schemas"]["Target"];
            /** @description The certificates, PEM, that of the key first. */
            x5Chain?: string[];
            /** @description The DID of the issuer. */
            issuerDid?: string;
            /** @description The kind of list. */
            config: {
                /** @description The kind of list. */
                type: string;
                /** @description The form of the list. */
                format: string;
                /** @description What a set bit means, in a list of the W3C. */
                purpose?: string;
                /** @description Bits of one status. */
                statusSize: number;
            };
            /** @description The id of the list that was open when the status credential was created. */
            listId: string;
            /** @description Where that list is published. */
            url: string;
        };
        /** @description The new password; not only white space. */
        NewPassword: string;
        Account: {
            /** @description The account. */
            _id: components["schemas"]["Uuid"];
            /** @description Facts about the account with its address as `email`, without secrets. Open: any JSON. */
            profile: {
                [key: string]: unknown;
            };
            /** @description The targets of its roles. */
            roles: components["schemas"]["Target"][];
            /** @description Whether it may do everything. */
            superadmin: boolean;
            /** @description Whether it may do nothing for now. */
            disabled: boolean;
            /** @description When it was created; absent for accounts of version 0.7.0 and before that did not log in since. */
            createdDateTime?: components["schemas"]["DateTime"];
        };
        OwnAccount: {
            /** @description The account. */
            _id: components["schemas"]["Uuid"];
            /** @description Facts about the account with its address as `email`, without secrets. Open: any JSON. */
            profile: {
                [key: string]: unknown;
            };
            /** @description The targets of its roles. */
            roles: components["schemas"]["Target"][];
            /** @description Whether it may do everything. */
            superadmin: boolean;
            /** @description Whether it may do nothing for now. */
            disabled: boolean;
            /** @description When it was created; absent for accounts of version 0.7.0 and before that did not log in since. */
            createdDateTime?: components["schemas"]["DateTime"];
            /** @description What its roles allow and deny. */
            permissions: {
                /** @description The role. */
                role: components["schemas"]["Target"];
                /** @description A target, in which `*` may replace a segment. */
                target: string;
                /** @description The name of an action, or `all`. */
                action: string;
                /**
                 * @description Allow or deny.
                 * @enum {string}
                 */
                operation: "ADD" | "REMOVE";
            }[];
        };
        RoleAccount: {
            /** @description The account. */
            _id: components["schemas"]["Uuid"];
            /** @description Facts about the account, without secrets. Open: any JSON. */
            profile: {
                [key: string]: unknown;
            };
        };
        PasswordResetToken: {
            /** @description To be handed to the owner of the account; shown once. */
            token: string;
            /** @description Until when it is valid. */
            expiresDateTime: components["schemas"]["DateTime"];
        };
        PermissionDecision: {
            /** @description Whether the account may do it. */
            allowed: boolean;
            /** @description What decides; absent when nothing is granted. */
            decidedBy?: {
                /**
                 * @description The account may do everything.
                 * @constant
                 */
                superadmin?: true;
                /** @description The role, unless the caller may not see it. */
                role?: components["schemas"]["Target"];
                permission?: components["schemas"]["Permission"];
            };
        };
        ActionMeaning: {
            /** @description The name. */
            action: string;
            /** @description What it allows. */
            meaning: string;
        };
        /** @description A domain name of at least two labels, in ASCII, without a port. Upper and lower case are the same. */
        DomainName: string;
        HostAlias: {
            domain: components["schemas"]["DomainName"];
            /** @description What is reached under the domain. */
            target: components["schemas"]["Target"];
            /** @description The start of the URLs under the domain. */
            baseUrl: string;
            /** @description When the target got the domain. */
            createdDateTime: components["schemas"]["DateTime"];
        };
        /** @description The configuration of a service of the type `issuer2`. Keys are those of a `kms` among its dependencies, named by their targets. */
        IssuerServiceConfiguration: {
            /**
             * @description The type of the service.
             * @constant
             */
            type: "issuer2";
            /** @description The services that it uses. */
            dependencies?: components["schemas"]["Target"][];
            /** @description Kept and shown; of no effect. */
            traversable?: boolean;
            /** @description Kept and shown. */
            name?: string;
            /** @description Kept and shown. */
            description?: string;
            /** @description Kept and shown; of no effect: the issuer is below the public URL, or the domain of its tenant. */
            baseUrl?: string;
            /** @description A key management service that it depends on. */
            kms?: components["schemas"]["Target"];
            /** @description The target of the key that signs its metadata; one that is created here at first use when left out. */
            tokenKeyId?: components["schemas"]["Target"];
            /** @description How wallets show the issuer. */
            issuerDisplay?: components["schemas"]["WrittenDisplay"][];
            /** @description What it issues: by a name a list of W3C types, a `vct` or document type, or by its id a whole configuration. Nothing when left out. */
            supportedCredentialTypes?: {
                [key: string]: components["schemas"]["WrittenCredentialType"];
            };
            /** @description DIDs with their public keys: they may sign without the DID being resolved, and their keys are published. */
            issuers?: components["schemas"]["WrittenIssuerIdentity"][];
            /**
             * @description What it demands of wallets; OPEN when left out. A profile can be HAIP for itself.
             * @enum {string}
             */
            securityProfile?: "OPEN" | "HAIP";
            /** @description Whose attestations of clients it believes. */
            clientAttesters?: components["schemas"]["WrittenAttester"][];
            /** @description Whose attestations of keys it believes. */
            keyAttesters?: components["schemas"]["WrittenAttester"][];
            /** @description The most keys of one credential request; 20 when left out. */
            batchSize?: number;
            /** @description What others state about the issuer; published as `issuer_info`. */
            issuerInfo?: {
                /** @description The form of the statement. */
                format: string;
                /** @description The statement. */
                data: string;
            }[];
            /** @description By the ids of credential configurations: each credential gets an entry of a status list that is opened, signed and published here. */
            statusLists?: {
                [key: string]: components["schemas"]["ProfileStatusList"];
            };
            /** @description The target of the key of profiles without one. Without it such profiles have a key that is created here at first use. */
            defaultIssuerKey?: components["schemas"]["Target"];
            /** @description The DID of this key; its did:jwk where a credential needs a DID and there is none. */
            defaultIssuerDid?: components["schemas"]["WrittenDid"];
            /** @description The certificates of this key as PEM, leaf first. An mdoc needs them. */
            defaultIssuerX5chain?: components["schemas"]["WrittenChain"];
            /** @description The profiles by their ids; one for each credential configuration when left out. */
            profiles?: {
                [key: string]: components["schemas"]["WrittenProfile"];
            };
        };
        WrittenProfile: {
            /** @description The name of the profile. */
            name: string;
            /** @description The id of the credential configuration. */
            credentialConfigurationId: string;
            /** @description The target of the key that signs. */
            issuerKey?: components["schemas"]["Target"];
            /** @description The DID of the key. */
            issuerDid?: components["schemas"]["WrittenDid"];
            /** @description The certificates of the key as PEM, leaf first. */
            x5Chain?: components["schemas"]["WrittenChain"];
            /** @description Whether a credential is made when the wallet asks a second time, at the deferred credential endpoint. */
            deferred?: boolean;
            /** @description The data of a credential, or the element values of an mdoc by namespace. Open: the members of the credential. */
            credentialData: {
                [key: string]: unknown;
            };
            /** @description Laid over the data when the credential is claimed. Open: the members of the credential that it sets. */
            mapping?: {
                [key: string]: unknown;
            };
            /** @description What the holder may withhold. Open: the members of a level. */
            selectiveDisclosure?: {
                [key: string]: unknown;
            };
            /** @description The status of the credential. Open: the members of its status type. */
            credentialStatus?: {
                [key: string]: unknown;
            };
            statusList?: components["schemas"]["ProfileStatusList"];
            /**
             * @description What is demanded of wallets.
             * @enum {string}
             */
            securityProfile?: "HAIP";
            /**
             * @description How the holder is authenticated at the authorization endpoint.
             * @enum {string}
             */
            authenticationMethod?: "NONE";
            /** @description Whether wallets get it without an offer. */
            walletInitiated?: boolean;
            /** @description Who gets the events of its sessions. */
            notifications?: {
                /** @description Gets each event of a session. */
                webhook: {
                    /** @description Where events are sent; `$id` in it becomes the id of the session. */
                    url: string;
                    /** @description Sent as `Authorization: Bearer`. */
                    bearerToken?: string;
                    /** @description The secret under which `X-Signature` is made. */
                    signingSecret?: string;
                };
            };
        };
        /** @description A DID. */
        WrittenDid: string;
        /** @description Certificates as PEM, leaf first. */
        WrittenChain: string[];
        /** @description How something is shown in one language. Open: the members of a display object (OpenID4VCI 1.0 §12.2.4). */
        WrittenDisplay: {
            /** @description The name. */
            name?: string;
            /** @description The language. */
            locale?: string;
        } & {
            [key: string]: unknown;
        };
        WrittenIssuerIdentity: {
            /** @description The DID. */
            did: components["schemas"]["WrittenDid"];
            /** @description Its public key. Open: the members of a JWK. */
            jwk: {
                [key: string]: unknown;
            };
        };
        /** @description An attester with keys of its own, authorities that certify its keys, or both. */
        WrittenAttester: {
            /** @description The `iss` of its statements. */
            issuer?: string;
            /** @description Its keys. */
            jwks?: {
                /** @description The public keys. */
                keys: {
                    [key: string]: unknown;
                }[];
            };
            /** @description Authorities that certify its keys, as PEM. */
            certificates?: string[];
        } | unknown | unknown;
        /** @description A list of W3C types (published as `<name>_<format>` for every W3C format and SD-JWT VC), a text (a `vct` or a document type, published as `<name>_<format>`), or a whole credential configuration (OpenID4VCI 1.0 §12.2.4). */
        WrittenCredentialType: string[] | {
            /** @description The format of the credential; that of SD-JWT VCs when there is a `vct`. */
            format?: string;
            /** @description The OAuth scope by which wallets ask for it; its id when left out. */
            scope?: string;
            /** @description The type of an SD-JWT VC. */
            vct?: string;
            /** @description The document type of an mdoc. */
            doctype?: string;
            /** @description The types of a W3C credential. */
            credential_definition?: {
                /** @description The types. */
                type?: string[];
                /** @description The contexts. */
                "@context"?: unknown[];
            };
            /** @description How credentials are bound to keys. */
            cryptographic_binding_methods_supported?: string[];
            /** @description The algorithms of its signature. */
            credential_signing_alg_values_supported?: (string | number)[];
            /** @description The proofs that wallets send. */
            proof_types_supported?: {
                [key: string]: {
                    /** @description The algorithms of proofs. */
                    proof_signing_alg_values_supported: (string | number)[];
                    /** @description How well the keys must be protected. */
                    key_attestations_required?: {
                        /** @description The resistance of the storage of keys. */
                        key_storage?: string[];
                        /** @description The resistance of the authentication of users. */
                        user_authentication?: string[];
                    };
                } & {
                    [key: string]: unknown;
                };
            };
            /** @description How wallets show it. */
            display?: components["schemas"]["WrittenDisplay"][];
            /** @description How wallets show its claims. */
            claims?: components["schemas"]["WrittenClaims"];
            /** @description The same two, where 1.0 has them. */
            credential_metadata?: {
                /** @description How wallets show it. */
                display?: components["schemas"]["WrittenDisplay"][];
                /** @description How wallets show its claims. */
                claims?: components["schemas"]["WrittenClaims"];
            };
            /** @description More members of the published type metadata. Open: those of SD-JWT VC §6. */
            sdJwtVcTypeMetadata?: {
                [key: string]: unknown;
            };
            /** @description The content of the profile that there is when none is written. */
            example?: {
                /** @description Data. Open: the members of the credential. */
                credentialData?: {
                    [key: string]: unknown;
                };
                /** @description Element values. Open: by namespace. */
                mdocData?: {
                    [key: string]: unknown;
                };
                /** @description A mapping. Open: the members that it sets. */
                mapping?: {
                    [key: string]: unknown;
                };
                /** @description What the holder may withhold. Open: the members of a level. */
                selectiveDisclosure?: {
                    [key: string]: unknown;
                };
            };
        } | string;
        /** @description Descriptions of claims. */
        WrittenClaims: ({
            /** @description The path of the claim. */
            path: (string | number | null)[];
        } & {
            [key: string]: unknown;
        })[];
        VerificationSessionElement: components["schemas"]["AnyElement"] & {
            /** @description The session, as its own operations name it. */
            id: string;
            /**
             * @description How the request reaches the wallet.
             * @enum {string}
             */
            flow_type: "cross_device" | "same_device" | "dc_api_openid4vp" | "dc_api_18013_7";
            /**
             * @description How far the session is.
             * @enum {string}
             */
            status: "UNUSED" | "IN_USE" | "PROCESSING_FLOW" | "EXPIRED" | "SUCCESSFUL" | "FAILED";
            /** @description Why the session failed. */
            statusReason?: string;
            /** @description Whether a presentation arrived. */
            attempted: boolean;
            creationDate: components["schemas"]["DateTime"];
            expirationDate: components["schemas"]["DateTime"];
            retentionDate: components["schemas"]["DateTime"];
            /**
             * @description How the wallet gets the request.
             * @enum {string}
             */
            requestMode: "URL_ENCODED" | "REQUEST_URI_SIGNED" | "DC_API" | "DC_API_SIGNED";
            /** @description Whether the session is as HAIP 1.0 demands. */
            isHaip: boolean;
            /** @description The names of the listed policies. */
            policies: {
                /** @description For every credential. */
                vc_policies: components["schemas"]["ShownPolicy"][];
                /** @description By the id of a query. Open: the ids of queries. */
                specific_vc_policies: {
                    [key: string]: components["schemas"]["ShownPolicy"][];
                };
            };
            /** @description Handles of the presented credentials by the ids of their queries. Open: these ids. */
            presented_credentials?: {
                [key: string]: components["schemas"]["PresentedCredential"][];
            };
            /** @description What came of each check. */
            policy_results?: components["schemas"]["SessionPolicyResults"];
            /** @description Why the session failed. */
            failure?: components["schemas"]["SessionFailure"];
            /** @description When what was presented was handed over and deleted. */
            handoverDate?: components["schemas"]["DateTime"];
        };
        /** @description The configuration of a service of the type `verifier2`, with the members of `verifier-service.conf`. */
        VerifierServiceConfiguration: {
            /**
             * @description The type of the service.
             * @constant
             */
            type: "verifier2";
            /** @description The services that it uses: of the types `kms`, `policy-store`, `x509-store` and `trust-registry`. */
            dependencies?: components["schemas"]["Target"][];
            /**
             * @description Kept and shown; of no effect.
             * @default true
             */
            traversable: boolean;
            /** @description The name of the service for people. */
            name?: string;
            /** @description What the service is for. */
            description?: string;
            /** @description The name of the verifier in signed requests of sessions that bring none, with its prefix (OpenID4VP 1.0 §5.9). */
            clientId?: string;
            /** @description The key that signs requests of sessions that bring none: a key of a service of the type `kms` among the dependencies. */
            signingKey?: components["schemas"]["Target"];
            /** @description The certificates of this key, as base64 or PEM, leaf first. */
            x5c?: string[];
            /**
             * @description The start of links for wallets where a session names none.
             * @default openid4vp://authorize
             */
            urlHost: string;
            /** @description What wallets learn of the verifier where a session says nothing else. Open: the members of client metadata. */
            clientMetadata?: {
                [key: string]: unknown;
            };
            /** @description What others state about the verifier. */
            verifierInfo?: ({
                /** @description The form of the data. */
                format: string;
                /** @description What is stated. */
                data: unknown;
            } & {
                [key: string]: unknown;
            })[];
            /** @description Kinds of transaction data. Sessions must have exactly these fields in such data. */
            transactionDataProfiles?: {
                /** @description The type of the transactions. */
                type: string;
                /** @description Its name for people. */
                displayName: string;
                /** @description The names of its members. */
                fields: string[];
            }[];
            /** @description The policies for every credential of sessions that list none; `signature` when left out. The target of a policy in a `policy-store` among the dependencies stands for that policy, here and in sessions. */
            vcPolicies?: components["schemas"]["SessionPolicy"][];
            /**
             * @description How long sessions are kept after their response or their end.
             * @default 86400
             */
            retentionSeconds: number;
            /**
             * @description Whether what was presented is kept as long as its session, or deleted when its result is read; then handles of the credentials stay.
             * @default keep
             * @enum {string}
             */
            presentedData: "keep" | "deleteOnHandover";
        };
        /** @description The number of an event, counted from 1 in each organization. */
        AuditEventNumber: number;
        /** @description SHA-256 of the canonical JSON (RFC 8785) of an event without its hash, as base64url. */
        AuditHash: string;
        AuditEvent: {
            /** @description Its number. */
            sequence: components["schemas"]["AuditEventNumber"];
            /** @description When it was recorded; never before the event before it. */
            time: components["schemas"]["DateTime"];
            /**
             * @description `begun` before the call is worked on, then how it ended. A call whose end is missing was broken off.
             * @enum {string}
             */
            outcome: "begun" | "succeeded" | "refused" | "failed";
            /** @description The HTTP status of the answer; absent before there is one. */
            status?: number;
            /** @description The event that says that this call began; absent when it was refused before. */
            begun?: components["schemas"]["AuditEventNumber"];
            /** @description The name of the operation. */
            action: string;
            /** @description The target of the call, or the organization that its path names; empty for none. */
            target: string;
            /** @description The other names in the path of the call, by parameter. */
            parameters: {
                [key: string]: string;
            };
            /** @description What was created or changed, when the answer names another `_id` than the target. */
            resource?: string;
            /** @description The account or API key; that of the e-mail address for logins, empty for none. */
            account: string;
            /** @description The client address. */
            source: string;
            /** @description The `X-Request-Id` of the call. */
            requestId: string;
            /** @description The hash of the event before it; 43 times A for the first one. */
            previous: components["schemas"]["AuditHash"];
            /** @description Its hash. */
            hash: components["schemas"]["AuditHash"];
        };
        AuditPage: {
            /** @description The events. */
            events: components["schemas"]["AuditEvent"][];
            /** @description `after` for the next page; absent on the last one. */
            next?: components["schemas"]["AuditEventNumber"];
        };
        AuditCheck: {
            /** @description Whether nothing is wrong with the events that this call checked. */
            valid: boolean;
            /** @description How many events were checked. */
            checked: number;
            /** @description The last event that was found right. Noted elsewhere it proves later that nothing before it was rewritten. */
            last?: {
                /** @description Its number. */
                sequence: components["schemas"]["AuditEventNumber"];
                /** @description Its hash. */
                hash: components["schemas"]["AuditHash"];
            };
            /** @description The first event that is wrong. */
            break?: {
                /** @description Its number. */
                sequence: components["schemas"]["AuditEventNumber"];
                /** @description What is wrong with it. */
                reason: string;
            };
            /** @description `after` for the next call; absent when all events were checked. */
            next?: components["schemas"]["AuditEventNumber"];
        };
        HealthChecks: {
            /** @description What was checked: `http`, `store`. */
            name: string;
            /**
             * @description The result of the check.
             * @enum {string}
             */
            status: "Healthy" | "Unhealthy";
        }[];
    };
    responses: {
        /** @description The request is malformed; `details` names the field. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description No or bad credentials. */
        Unauthorized: {
            headers: {
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The caller has no permission. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Unknown, expired, or not visible to the caller. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description It exists already, or was used already. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is over 1 MiB. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The media type is not documented here. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description A limit is exceeded. `RateLimit` and `RateLimit-Policy` are in every answer of a limited operation. */
        TooManyRequests: {
            headers: {
                "Retry-After"?: number;
                RateLimit?: string;
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Another service failed. */
        BadGateway: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description Another service did not answer in time. */
        GatewayTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description A failure of the server: 500, or 503 while the store is down or, with `Retry-After`, while the server is busy. */
        Failure: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The protocol error its specification names. `use_dpop_nonce` and `use_attestation_challenge` come with what the next attempt needs. */
        OAuthBadRequest: {
            headers: {
                "DPoP-Nonce"?: string;
                "OAuth-Client-Attestation-Challenge"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The access token is missing or not valid. */
        OAuthUnauthorized: {
            headers: {
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The access token is missing, not valid, or not presented as it is bound. `use_dpop_nonce` comes with the nonce for the next DPoP proof. */
        OAuthTokenRefused: {
            headers: {
                "WWW-Authenticate"?: string;
                "DPoP-Nonce"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The client did not authenticate, or not as it must. */
        OAuthClientRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description Unknown or expired. */
        OAuthNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description Used already. */
        OAuthConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The body is over 1 MiB. */
        OAuthPayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The media type is not documented here. */
        OAuthUnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description Another request is being processed for the same session, or was interrupted, or the store is down. Send the same request again after `Retry-After` seconds, where given. */
        OAuthBusy: {
            headers: {
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description Another service failed. */
        OAuthBadGateway: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description Another service did not answer in time. */
        OAuthGatewayTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description A limit is exceeded. `RateLimit` and `RateLimit-Policy` are in every answer of a limited operation. */
        OAuthTooManyRequests: {
            headers: {
                "Retry-After"?: number;
                RateLimit?: string;
                "RateLimit-Policy"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description A failure of the server: 500, or 503 while the store is down. */
        OAuthFailure: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The account exists and can log in. */
        Registered: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** @example Registration succeeded */
                "text/plain": "Registration succeeded";
            };
        };
        /** @description Logged in. The cookie `login` carries the same token. */
        LoggedIn: {
            headers: {
                "Set-Cookie"?: string;
                "Cache-Control"?: string;
                Pragma?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "7f0c1de2-31a4-4c0e-8f0a-52b1a2b4e6d9",
                 *       "token": "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl"
                 *     }
                 */
                "application/json": components["schemas"]["LoginResult"];
            };
        };
        /** @description Logged in. The cookie `login` carries the same token. */
        LoggedInEither: {
            headers: {
                "Set-Cookie"?: string;
                "Cache-Control"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["LoginResult"];
            };
        };
        /** @description The presented tokens are no longer valid; the cookie `login` is cleared. */
        LoggedOut: {
            headers: {
                "Set-Cookie"?: string;
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The credentials. */
        WalletCredentials: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example [
                 *       {
                 *         "wallet": "2d0f3c1a-6a0b-4f7d-9a57-0f7d1f6c2b10",
                 *         "id": "urn:uuid:3ab26853-3313-4e53-9ed5-6c1d52e32c5f",
                 *         "document": "eyJhbGciOiJFUzI1NiJ9.eyJ2YyI6e319.c2lnbmF0dXJl",
                 *         "addedOn": "2026-11-21T09:30:00.000Z",
                 *         "pending": false,
                 *         "format": "jwt_vc_json",
                 *         "categories": [],
                 *         "parsedDocument": {
                 *           "@context": [
                 *             "https://www.w3.org/2018/credentials/v1"
                 *           ],
                 *           "id": "urn:uuid:3ab26853-3313-4e53-9ed5-6c1d52e32c5f",
                 *           "type": [
                 *             "VerifiableCredential",
                 *             "UniversityDegree"
                 *           ],
                 *           "issuer": {
                 *             "id": "did:key:zDnaerGBD7Zxzau2fdfEFaaaTDYBu5XEBYdGV2BmERp3MDSov"
                 *           },
                 *           "issuanceDate": "2026-11-21T09:30:00.000Z",
                 *           "credentialSubject": {
                 *             "id": "did:key:zDnaerGBD7Zxzau2fdfEFaaaTDYBu5XEBYdGV2BmERp3MDSov",
                 *             "degree": {
                 *               "name": "Bachelor of Science"
                 *             }
                 *           }
                 *         }
                 *       }
                 *     ]
                 */
                "application/json": components["schemas"]["WalletCredential"][];
            };
        };
        /** @description The verifier accepted the answer. */
        VerifierReply: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description Where the verifier sends the user. */
                    redirectUri?: string;
                };
            };
        };
        /** @description The error object as JSON text. Existing front ends read the text of a failed offer and show its `message`. */
        OfferFailure: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description The offer URL. */
        OfferUrl: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /** @example openid-credential-offer://?credential_offer_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fdraft13%2FcredentialOffer%3Fid%3Df5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44 */
                "text/plain": string;
            };
        };
        /** @description Credential issuer metadata. */
        IssuerMetadata: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "credential_issuer": "http://127.0.0.1:7001/draft13",
                 *       "authorization_servers": [
                 *         "http://127.0.0.1:7001/draft13"
                 *       ],
                 *       "credential_endpoint": "http://127.0.0.1:7001/draft13/credential",
                 *       "token_endpoint": "http://127.0.0.1:7001/draft13/token",
                 *       "credential_configurations_supported": {
                 *         "UniversityDegree_jwt_vc_json": {
                 *           "format": "jwt_vc_json",
                 *           "cryptographic_binding_methods_supported": [
                 *             "did:jwk",
                 *             "did:key",
                 *             "did:web",
                 *             "jwk"
                 *           ],
                 *           "proof_types_supported": {
                 *             "jwt": {
                 *               "proof_signing_alg_values_supported": [
                 *                 "EdDSA",
                 *                 "ES256"
                 *               ]
                 *             }
                 *           },
                 *           "credential_definition": {
                 *             "type": [
                 *               "VerifiableCredential",
                 *               "UniversityDegree"
                 *             ]
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["IssuerMetadata"];
            };
        };
        /** @description Authorization server metadata. */
        AuthorizationServerMetadata: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "issuer": "http://127.0.0.1:7001/draft13",
                 *       "token_endpoint": "http://127.0.0.1:7001/draft13/token",
                 *       "jwks_uri": "http://127.0.0.1:7001/draft13/jwks",
                 *       "authorization_endpoint": "http://127.0.0.1:7001/draft13/authorize",
                 *       "pushed_authorization_request_endpoint": "http://127.0.0.1:7001/draft13/par",
                 *       "grant_types_supported": [
                 *         "authorization_code",
                 *         "urn:ietf:params:oauth:grant-type:pre-authorized_code"
                 *       ],
                 *       "response_types_supported": [
                 *         "code"
                 *       ],
                 *       "code_challenge_methods_supported": [
                 *         "S256"
                 *       ],
                 *       "pre-authorized_grant_anonymous_access_supported": true
                 *     }
                 */
                "application/json": components["schemas"]["AuthorizationServerMetadata"];
            };
        };
        /** @description Metadata as OpenID Connect Discovery 1.0 has it. */
        OpenidConfiguration: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "issuer": "http://127.0.0.1:7001/draft13",
                 *       "authorization_endpoint": "http://127.0.0.1:7001/draft13/authorize",
                 *       "token_endpoint": "http://127.0.0.1:7001/draft13/token",
                 *       "jwks_uri": "http://127.0.0.1:7001/draft13/jwks",
                 *       "grant_types_supported": [
                 *         "authorization_code",
                 *         "urn:ietf:params:oauth:grant-type:pre-authorized_code"
                 *       ],
                 *       "response_types_supported": [
                 *         "code"
                 *       ],
                 *       "subject_types_supported": [
                 *         "public"
                 *       ],
                 *       "id_token_signing_alg_values_supported": [
                 *         "RS256"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["OpenidConfiguration"];
            };
        };
        /** @description To the redirect URI of the wallet, or to a login. */
        LoginRedirect: {
            headers: {
                Location?: string;
                "Cache-Control"?: string;
                Pragma?: string;
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The reference. */
        PushedReference: {
            headers: {
                "Cache-Control"?: string;
                Pragma?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "request_uri": "urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c6esc_11ACC5bwc01",
                 *       "expires_in": 60
                 *     }
                 */
                "application/json": {
                    /** @description The reference. */
                    request_uri: string;
                    /** @description Seconds until it expires. */
                    expires_in: number;
                };
            };
        };
        /** @description The list. */
        StatusList: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "listId": "3b5a0c0e-8a3c-4f2a-9d38-2b7f6c1e0d11",
                 *       "url": "http://127.0.0.1:7001/status-lists/3b5a0c0e-8a3c-4f2a-9d38-2b7f6c1e0d11",
                 *       "type": "TokenStatusList",
                 *       "format": "JWT",
                 *       "statusSize": 2,
                 *       "issuer": "did:key:zDnaerGBD7Zxzau2fdfEFaaaTDYBu5XEBYdGV2BmERp3MDSov",
                 *       "size": 131072,
                 *       "createdDateTime": "2026-11-22T13:40:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["StatusList"];
            };
        };
        /** @description The entry. */
        StatusEntry: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "listId": "3b5a0c0e-8a3c-4f2a-9d38-2b7f6c1e0d11",
                 *       "index": 70311,
                 *       "status": "revoked",
                 *       "session": "enrolment-2026-0042",
                 *       "credentialId": "urn:uuid:5f0b6b0c-2b5e-4ae8-9a53-1e0d1cbf3a7e",
                 *       "history": [
                 *         {
                 *           "changedAt": "2026-11-22T13:45:00.000Z",
                 *           "from": "valid",
                 *           "to": "revoked",
                 *           "reason": "The degree was withdrawn",
                 *           "changedBy": "registrar-7"
                 *         }
                 *       ],
                 *       "createdDateTime": "2026-11-22T13:41:00.000Z",
                 *       "updatedDateTime": "2026-11-22T13:45:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["StatusEntry"];
            };
        };
        /** @description Entries. */
        StatusEntries: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example [
                 *       {
                 *         "listId": "3b5a0c0e-8a3c-4f2a-9d38-2b7f6c1e0d11",
                 *         "index": 70311,
                 *         "status": "revoked",
                 *         "session": "enrolment-2026-0042",
                 *         "credentialId": "urn:uuid:5f0b6b0c-2b5e-4ae8-9a53-1e0d1cbf3a7e",
                 *         "history": [
                 *           {
                 *             "changedAt": "2026-11-22T13:45:00.000Z",
                 *             "from": "valid",
                 *             "to": "revoked",
                 *             "reason": "The degree was withdrawn",
                 *             "changedBy": "registrar-7"
                 *           }
                 *         ],
                 *         "createdDateTime": "2026-11-22T13:41:00.000Z",
                 *         "updatedDateTime": "2026-11-22T13:45:00.000Z"
                 *       }
                 *     ]
                 */
                "application/json": components["schemas"]["StatusEntry"][];
            };
        };
        /** @description The metadata. */
        TypeMetadata: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "vct": "http://127.0.0.1:7001/draft13/identity_credential",
                 *       "name": "Identity Credential",
                 *       "description": "Identity Credential Verifiable Credential",
                 *       "display": [
                 *         {
                 *           "locale": "en",
                 *           "name": "Identity Credential",
                 *           "rendering": {
                 *             "simple": {
                 *               "background_color": "#1f4e79",
                 *               "text_color": "#ffffff"
                 *             }
                 *           }
                 *         }
                 *       ],
                 *       "claims": [
                 *         {
                 *           "path": [
                 *             "given_name"
                 *           ],
                 *           "display": [
                 *             {
                 *               "locale": "en",
                 *               "label": "Given name"
                 *             }
                 *           ],
                 *           "mandatory": true
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["TypeMetadata"];
            };
        };
        /** @description A page of the events. */
        AuditPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         {
                 *           "sequence": 42,
                 *           "time": "2026-11-22T09:30:00.012Z",
                 *           "outcome": "succeeded",
                 *           "status": 201,
                 *           "begun": 41,
                 *           "action": "generateKey",
                 *           "target": "acme.t1.kms1",
                 *           "parameters": {},
                 *           "resource": "acme.t1.kms1.key1",
                 *           "account": "7f0c1de2-31a4-4c0e-8f0a-52b1a2b4e6d9",
                 *           "source": "192.0.2.7",
                 *           "requestId": "0b1f9f0e-5f54-4d3b-9e39-6f4f6f3b0c11",
                 *           "previous": "LPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ",
                 *           "hash": "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"
                 *         }
                 *       ],
                 *       "next": 42
                 *     }
                 */
                "application/json": components["schemas"]["AuditPage"];
            };
        };
        /** @description The events. */
        AuditLines: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example [
                 *       {
                 *         "sequence": 42,
                 *         "time": "2026-11-22T09:30:00.012Z",
                 *         "outcome": "succeeded",
                 *         "status": 201,
                 *         "begun": 41,
                 *         "action": "generateKey",
                 *         "target": "acme.t1.kms1",
                 *         "parameters": {},
                 *         "resource": "acme.t1.kms1.key1",
                 *         "account": "7f0c1de2-31a4-4c0e-8f0a-52b1a2b4e6d9",
                 *         "source": "192.0.2.7",
                 *         "requestId": "0b1f9f0e-5f54-4d3b-9e39-6f4f6f3b0c11",
                 *         "previous": "LPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ",
                 *         "hash": "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"
                 *       }
                 *     ]
                 */
                "application/x-ndjson": components["schemas"]["AuditEvent"][];
            };
        };
        /** @description What the check found. */
        AuditCheck: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AuditCheck"];
            };
        };
        /** @description The caller has this answer already. */
        NotModified: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        /** @description The id of a wallet of the caller. */
        WalletId: components["schemas"]["Uuid"];
        /** @description The id of the key. */
        KeyId: string;
        /** @description The id as the list gives it, percent-encoded. */
        WalletCredentialId: string;
        /** @description The name of a category, percent-encoded. */
        CategoryName: components["schemas"]["CategoryName"];
        /** @description The name of the issuer, percent-encoded. */
        WalletIssuerName: string;
        /** @description An http or https URL that receives each step as a POST of `{id, type, data}`; `$id` becomes the id of the issuance session. When it cannot be reached, the issuance stops. */
        StatusCallbackUri: string;
        /** @description Seconds until the offer expires; 300 when left out. */
        SessionTtl: string;
        /** @description `DPoP` and an access token that is bound to a key, or `Bearer` and any other. */
        Openid4vciAuthorization: string;
        /** @description A DPoP proof (RFC 9449 §4), signed with EdDSA or ES256. */
        Openid4vciDpop: string;
        /** @description A client attestation (draft-ietf-oauth-attestation-based-client-auth-11 §4) of an attester that the operator trusts. */
        Openid4vciClientAttestation: string;
        /** @description The proof of possession of its key (§5.1); without it the DPoP proof must be of that key. */
        Openid4vciClientAttestationPop: string;
        /** @description The `state` of the request URL. */
        VerificationState: string;
        /** @description The id of the session. */
        SessionId: string;
        /** @description The id of the request, as the links for wallets have it. */
        RequestId: string;
        /** @description The id of the list. */
        ListId: components["schemas"]["Uuid"];
        /** @description The index of the entry. */
        EntryIndex: string;
        /** @description What follows the issuer's identifier in the `vct`, or a whole `vct`. */
        Type: string;
        /**
         * @description A dotted path.
         * @example acme.tenant1.kms1
         */
        Target: components["schemas"]["Target"];
        /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
        Limit: string;
        /** @description How many elements to skip. Digits only. */
        Offset: string;
        /** @description The name alone, or with `-`, means latest first; `+`, to be written as `%2B`, means oldest first. Without it the elements are in the order of their targets. */
        Sort: "createdDateTime" | "createdDateTime-" | "createdDateTime+" | "updatedDateTime" | "updatedDateTime-" | "updatedDateTime+";
        /** @description The name of an action. */
        AskedAction: string;
        /** @description The account; the caller when absent. */
        AskedAccount: components["schemas"]["Uuid"];
        /** @description The number of an event: only those that follow it in the order of the answer. Digits only. */
        AfterEvent: string;
        /** @description Which events come first. */
        EventOrder: "newest" | "oldest";
        /** @description Only the events of this operation. */
        EventAction: string;
        /** @description Only the events of this account, or of this API key. */
        EventAccount: string;
        /** @description Only the events with this outcome; `ended` for all but `begun`. */
        EventOutcome: "begun" | "succeeded" | "refused" | "failed" | "ended";
        /** @description Only events of this time and later. */
        EventsFrom: components["schemas"]["DateTime"];
        /** @description Only events of this time and earlier. */
        EventsTo: components["schemas"]["DateTime"];
        /** @description With `false` only the events of exactly this target. */
        Subtree: "true" | "false";
        /** @description With `gzip` in it the answer is compressed. */
        AcceptEncoding: string;
        /** @description The `ETag` of the answer that the caller has; an unchanged one is not sent again. */
        IfNoneMatch: string;
    };
    requestBodies: {
        CertificateLogin: {
            content: {
                /**
                 * @example {
                 *       "type": "x5c",
                 *       "token": "eyJhbGciOiJSUzI1NiIsIng1YyI6WyIuLi4iXX0.e30.c2lnbmF0dXJl"
                 *     }
                 */
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
                /** @example openid-credential-offer://?credential_offer_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fdraft13%2FcredentialOffer%3Fid%3Df5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44 */
                "text/plain": components["schemas"]["Link"];
                /** @example openid-credential-offer://?credential_offer_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fdraft13%2FcredentialOffer%3Fid%3Df5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44 */
                "application/json": components["schemas"]["Link"];
            };
        };
        RequestLink: {
            content: {
                /** @example openid4vp://authorize?response_type=vp_token&client_id=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fverify%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&response_mode=direct_post&state=f5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&presentation_definition_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fpd%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&client_id_scheme=redirect_uri&client_metadata=%7B%7D&nonce=8a60c20a-a498-4c74-b570-b9ec188486dc&response_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fverify%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44 */
                "text/plain": components["schemas"]["Link"];
                /** @example openid4vp://authorize?response_type=vp_token&client_id=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fverify%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&response_mode=direct_post&state=f5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&presentation_definition_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fpd%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&client_id_scheme=redirect_uri&client_metadata=%7B%7D&nonce=8a60c20a-a498-4c74-b570-b9ec188486dc&response_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fverify%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44 */
                "application/json": components["schemas"]["Link"];
            };
        };
        RegistrationToken: {
            content: {
                /** @example 0f9c6a52-take-a-long-random-text */
                "text/plain": components["schemas"]["RegistrationToken"];
                /**
                 * @example {
                 *       "token": "0f9c6a52-take-a-long-random-text"
                 *     }
                 */
                "application/json": {
                    token: components["schemas"]["RegistrationToken"];
                } | components["schemas"]["RegistrationToken"];
            };
        };
        EnterpriseLogin: {
            content: {
                /**
                 * @example {
                 *       "email": "admin@example.org",
                 *       "password": "only an example"
                 *     }
                 */
                "application/json": {
                    /** @description The e-mail address of the account. */
                    email: string;
                    /** @description Its password. */
                    password: string;
                };
            };
        };
        NewOrganization: {
            content: {
                /**
                 * @example {
                 *       "_id": "acme",
                 *       "profile": {
                 *         "name": "Acme"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The name of the organization; its target. */
                    _id: components["schemas"]["TargetSegment"];
                    /** @description Facts about the organization. Open: any JSON. */
                    profile?: components["schemas"]["FreeObject"];
                };
            };
        };
        NewEnterpriseAccount: {
            content: {
                /**
                 * @example {
                 *       "profile": {
                 *         "name": "Ada"
                 *       },
                 *       "initialAuth": {
                 *         "type": "email",
                 *         "identifier": {
                 *           "type": "email",
                 *           "email": "ada@example.org"
                 *         },
                 *         "data": {
                 *           "type": "email",
                 *           "password": "only an example"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Facts about the account. Open: any JSON. */
                    profile?: components["schemas"]["FreeObject"];
                    /** @description Stored in the profile. Open: any JSON. */
                    preferences?: components["schemas"]["FreeObject"];
                    /** @description How the account logs in. */
                    initialAuth: {
                        /**
                         * @description The way to log in.
                         * @enum {string}
                         */
                        type: "email";
                        /** @description What the account is called. */
                        identifier: {
                            /**
                             * @description The same again.
                             * @enum {string}
                             */
                            type?: "email";
                            /** @description The e-mail address. */
                            email: string;
                        };
                        /** @description What proves it. */
                        data: {
                            /**
                             * @description The same again.
                             * @enum {string}
                             */
                            type?: "email";
                            /** @description The password. */
                            password: string;
                        };
                    };
                };
            };
        };
        NewRole: {
            content: {
                /**
                 * @example {
                 *       "name": "Keeper of keys",
                 *       "permissions": [
                 *         {
                 *           "target": "acme.tenant1",
                 *           "action": "list-keys",
                 *           "operation": "ADD"
                 *         },
                 *         {
                 *           "target": "acme.tenant1.kms2",
                 *           "action": "all",
                 *           "operation": "REMOVE"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description A name for people. */
                    name: string;
                    /** @description What the role allows and denies. */
                    permissions: components["schemas"]["Permission"][];
                };
            };
        };
        NewTenant: {
            content: {
                /**
                 * @example {
                 *       "name": "First tenant"
                 *     }
                 */
                "application/json": {
                    /** @description A name for people. */
                    name?: string;
                };
            };
        };
        NewService: {
            content: {
                /**
                 * @example {
                 *       "type": "kms"
                 *     }
                 */
                "application/json": ({
                    type: components["schemas"]["ServiceType"];
                    /** @description The services that it uses. */
                    dependencies?: components["schemas"]["Target"][];
                    /**
                     * @description Kept and shown; of no effect.
                     * @default true
                     */
                    traversable?: boolean;
                } & {
                    [key: string]: unknown;
                }) & (unknown & unknown & unknown);
            };
        };
        Dependency: {
            content: {
                /** @example acme.tenant1.kms1 */
                "text/plain": components["schemas"]["Target"];
                /**
                 * @example {
                 *       "dependency": "acme.tenant1.kms2"
                 *     }
                 */
                "application/json": {
                    dependency: components["schemas"]["Target"];
                } | components["schemas"]["Target"];
            };
        };
        NewKey: {
            content: {
                /**
                 * @example {
                 *       "backend": "jwk",
                 *       "keyType": "secp256r1"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Where the key lives; `jwk` is this server.
                     * @default jwk
                     */
                    backend?: string;
                    keyType?: components["schemas"]["KeyType"];
                    /** @description Open: what the backend needs. */
                    config?: components["schemas"]["FreeObject"];
                };
            };
        };
        NewDid: {
            content: {
                /**
                 * @example {
                 *       "did": "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK"
                 *     }
                 */
                "application/json": {
                    /** @description The DID. */
                    did: string;
                    /** @description The DID document; may be left out for did:key and did:jwk. Open: the members of a DID document. */
                    document?: components["schemas"]["FreeObject"];
                };
            };
        };
        NewCredential: {
            content: {
                /**
                 * @example {
                 *       "credential": {
                 *         "type": "vc-w3c_1_1",
                 *         "credentialData": {
                 *           "type": [
                 *             "VerifiableCredential"
                 *           ],
                 *           "credentialSubject": {
                 *             "id": "did:example:holder"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    credential: components["schemas"]["StoredCredential"];
                };
            };
        };
        PrivateJwk: {
            content: {
                /**
                 * @example {
                 *       "kty": "OKP",
                 *       "crv": "Ed25519",
                 *       "d": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
                 *       "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
                 *     }
                 */
                "application/json": {
                    /** @description The kind of key. */
                    kty: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        ContentToSign: {
            content: {
                "application/json": unknown;
            };
        };
        NewTenantDid: {
            content: {
                /**
                 * @example {
                 *       "method": "web",
                 *       "key": "acme.tenant1.kms1.key1",
                 *       "config": {
                 *         "domain": "issuer.example.org"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The DID method.
                     * @enum {string}
                     */
                    method: "key" | "jwk" | "web";
                    /** @description The target of the key. */
                    key: components["schemas"]["Target"];
                    /** @description Open: the options of the method, such as `domain` of `web`. */
                    config?: components["schemas"]["FreeObject"];
                };
            };
        };
        NewStoredPolicy: {
            content: {
                /**
                 * @example {
                 *       "name": "Adults only",
                 *       "description": "The birth date is old enough",
                 *       "policy": {
                 *         "policy": "schema",
                 *         "args": {
                 *           "type": "object",
                 *           "required": [
                 *             "birth_date"
                 *           ]
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description A name for people. */
                    name: string;
                    /** @description What it is for. */
                    description?: string;
                    /** @description The policy. Open: where there are no `args`, the other members are its argument. */
                    policy: {
                        /** @description Its name in the table of policies. */
                        policy: string;
                        /** @description Its argument. Open: each policy has its own. */
                        args?: unknown;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
        };
        OwnProfile: {
            content: {
                /**
                 * @example {
                 *       "profile": {
                 *         "name": "Ada"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Facts about the account. Open: any JSON. */
                    profile: components["schemas"]["FreeObject"];
                };
            };
        };
        PasswordChange: {
            content: {
                /**
                 * @example {
                 *       "current": "only an example",
                 *       "new": "another example"
                 *     }
                 */
                "application/json": {
                    /** @description The password until now. */
                    current: string;
                    new: components["schemas"]["NewPassword"];
                };
            };
        };
        PasswordResetRequest: {
            content: {
                /**
                 * @example {
                 *       "token": "Zm9yIGFuIGV4YW1wbGUgb25seSwgMzIgYnl0ZXMgbG9uZw",
                 *       "password": "another example"
                 *     }
                 */
                "application/json": {
                    /** @description The token. */
                    token: string;
                    password: components["schemas"]["NewPassword"];
                };
            };
        };
        RoleReplacement: {
            content: {
                /**
                 * @example {
                 *       "name": "Keeper of keys",
                 *       "permissions": [
                 *         {
                 *           "target": "acme.tenant1",
                 *           "action": "list-keys",
                 *           "operation": "ADD"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description A name for people. */
                    name: string;
                    /** @description What the role allows and denies. */
                    permissions: components["schemas"]["Permission"][];
                };
            };
        };
        NewHostAlias: {
            content: {
                /**
                 * @example {
                 *       "domain": "credentials.acme.example"
                 *     }
                 */
                "application/json": {
                    domain: components["schemas"]["DomainName"];
                };
            };
        };
    };
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    registerWithCertificate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["CertificateLogin"];
        responses: {
            201: components["responses"]["Registered"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failure"];
        };
    };
    loginWithCertificate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["CertificateLogin"];
        responses: {
            200: components["responses"]["LoggedIn"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failure"];
        };
    };
    logoutWithCertificate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["LoggedOut"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    createLoginNonce: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A fresh nonce. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "nonce": "C8bce4fMVuoYTsfk9PNpas9B29aCJhWV",
                     *       "expiresIn": 300
                     *     }
                     */
                    "application/json": components["schemas"]["LoginNonce"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failure"];
        };
    };
    registerAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["AnyLogin"];
        responses: {
            201: components["responses"]["Registered"];
            400: components["responses"]["BadRequest"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failure"];
        };
    };
    loginAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["AnyLogin"];
        responses: {
            200: components["responses"]["LoggedInEither"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failure"];
        };
    };
    logoutAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["LoggedOut"];
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Failure"];
        };
    };
    getLoginSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session is live. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": {
                     *         "accessToken": "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LoginSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["Failure"];
        };
    };
    getUserInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account of the session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tenant": "",
                     *       "id": "7f0c1de2-31a4-4c0e-8f0a-52b1a2b4e6d9",
                     *       "name": "Ada Lovelace",
                     *       "email": "ada@example.org",
                     *       "createdOn": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WalletAccount"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["Failure"];
        };
    };
    listAccountWallets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wallets, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "account": "7f0c1de2-31a4-4c0e-8f0a-52b1a2b4e6d9",
                     *       "wallets": [
                     *         {
                     *           "id": "2d0f3c1a-6a0b-4f7d-9a57-0f7d1f6c2b10",
                     *           "name": "Wallet of Ada Lovelace",
                     *           "createdOn": "2026-11-21T09:30:00.000Z",
                     *           "addedOn": "2026-11-21T09:30:00.000Z",
                     *           "permission": "ADMINISTRATE"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AccountWallets"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["Failure"];
        };
    };
    listWalletKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "algorithm": "secp256r1",
                     *         "cryptoProvider": "jwk",
                     *         "keyId": {
                     *           "id": "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U"
                     *         },
                     *         "keyPair": {},
                     *         "keysetHandle": null
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["WalletKey"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Failure"];
        };
    };
    generateWalletKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WalletKeyRequest"];
            };
        };
        responses: {
            /** @description The id of the key, the thumbprint of its public part (RFC 7638). */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U */
                    "text/plain": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    importWalletKey: {
        parameters: {
            query?: {
                /** @description A display name. */
                alias?: string;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/plain": components["schemas"]["KeyText"];
                /**
                 * @example -----BEGIN PRIVATE KEY-----
                 *     MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
                 *     -----END PRIVATE KEY-----
                 */
                "application/json": components["schemas"]["KeyText"];
            };
        };
        responses: {
            /** @description The id of the key, the thumbprint of its public part (RFC 7638). */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k */
                    "text/plain": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            /** @description The text is neither a JWK nor a PEM. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    verifyWithWalletKey: {
        parameters: {
            query: {
                /** @description The public key as JWK. A private key is refused. */
                JWK: string;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJhIjoxfQ.Zm9yIHRoZSBleGFtcGxl */
                "text/plain": components["schemas"]["Jws"];
                /** @example eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJhIjoxfQ.Zm9yIHRoZSBleGFtcGxl */
                "application/json": components["schemas"]["Jws"];
            };
        };
        responses: {
            /** @description Whether the signature is valid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example true */
                    "application/json": boolean;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            default: components["responses"]["Failure"];
        };
    };
    deleteWalletKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id of the key. */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is deleted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    loadWalletKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id of the key. */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The JWK. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kty": "EC",
                     *       "d": "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
                     *       "crv": "P-256",
                     *       "kid": "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U",
                     *       "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                     *       "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    describeWalletKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id of the key. */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The facts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "jwk",
                     *       "keyId": "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U",
                     *       "keyType": "secp256r1",
                     *       "algorithm": "ES256",
                     *       "createdOn": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WalletKeyFacts"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    exportWalletKey: {
        parameters: {
            query?: {
                /** @description The form of the text. */
                format?: "JWK" | "PEM";
                /** @description Whether to export the private key. A key in a key management service has none here, which is refused. */
                loadPrivateKey?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id of the key. */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example -----BEGIN PUBLIC KEY-----
                     *     MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=
                     *     -----END PUBLIC KEY-----
                     */
                    "text/plain": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    removeWalletKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id of the key. */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is removed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    signWithWalletKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id of the key, a DID of the wallet, or the DID URL of its key. */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description The compact JWS. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJhIjoxfQ.Zm9yIHRoZSBleGFtcGxl */
                    "text/plain": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    listWalletDids: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The DIDs, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "did": "did:key:zDnaerGBD7Zxzau2fdfEFaaaTDYBu5XEBYdGV2BmERp3MDSov",
                     *         "alias": "Onboarding",
                     *         "document": "{\"id\":\"did:key:zDnaerGBD7Zxzau2fdfEFaaaTDYBu5XEBYdGV2BmERp3MDSov\"}",
                     *         "keyId": "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U",
                     *         "default": true,
                     *         "createdOn": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["WalletDid"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Failure"];
        };
    };
    createWalletDid: {
        parameters: {
            query?: {
                /** @description The key of the DID; without it, or when empty, a key is created. */
                keyId?: string;
                /** @description A display name. */
                alias?: string;
                /** @description For did:key, encode the canonical JWK instead of the raw key. */
                useJwkJcsPub?: boolean;
                /** @description For did:web, the host, with a port where there is one; this server when left out or empty. */
                domain?: string;
                /** @description For did:web, a path; `[random-uuid]` in it becomes a fresh UUID. On this server it must be `/wallet-api/registry/` and one segment, by default a UUID; there the document is published. */
                path?: string;
                /** @description For a method of the registrar, its network; `testnet` for did:cheqd when left out. */
                network?: string;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The DID method: `key`, `jwk`, `web`, or one that `did-registrar.conf` names, such as `cheqd`. Every other one, such as `ebsi` and `iota`, is refused. */
                method: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The DID. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example did:key:zDnaerGBD7Zxzau2fdfEFaaaTDYBu5XEBYdGV2BmERp3MDSov */
                    "text/plain": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    importWalletDid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DidToImport"];
            };
        };
        responses: {
            /** @description The DID. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw */
                    "text/plain": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            /** @description The body is not JSON, or the key is neither a JWK nor a PEM. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    setDefaultWalletDid: {
        parameters: {
            query: {
                /** @description A DID of the wallet. */
                did: string;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The DID is the default one. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    getWalletDid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description A DID of the wallet. */
                did: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The DID document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "@context": [
                     *         "https://www.w3.org/ns/did/v1"
                     *       ],
                     *       "id": "did:key:zDnaerGBD7Zxzau2fdfEFaaaTDYBu5XEBYdGV2BmERp3MDSov",
                     *       "verificationMethod": [
                     *         {
                     *           "id": "did:key:zDnaerGBD7Zxzau2fdfEFaaaTDYBu5XEBYdGV2BmERp3MDSov#zDnaerGBD7Zxzau2fdfEFaaaTDYBu5XEBYdGV2BmERp3MDSov",
                     *           "type": "JsonWebKey2020",
                     *           "controller": "did:key:zDnaerGBD7Zxzau2fdfEFaaaTDYBu5XEBYdGV2BmERp3MDSov"
                     *         }
                     *       ],
                     *       "assertionMethod": [
                     *         "did:key:zDnaerGBD7Zxzau2fdfEFaaaTDYBu5XEBYdGV2BmERp3MDSov#zDnaerGBD7Zxzau2fdfEFaaaTDYBu5XEBYdGV2BmERp3MDSov"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    deleteWalletDid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description A DID of the wallet. */
                did: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The DID is deleted; its key is not. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    listPublishedDids: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to skip. Digits only. */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The DIDs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       "did:web:wallet.example.org:wallet-api:registry:holder"
                     *     ]
                     */
                    "application/json": string[];
                };
            };
            400: components["responses"]["BadRequest"];
            default: components["responses"]["Failure"];
        };
    };
    getPublishedDid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The last segment of the DID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The DID document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "@context": [
                     *         "https://www.w3.org/ns/did/v1"
                     *       ],
                     *       "id": "did:web:wallet.example.org:wallet-api:registry:holder",
                     *       "assertionMethod": [
                     *         "did:web:wallet.example.org:wallet-api:registry:holder#oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    listWalletCredentials: {
        parameters: {
            query?: {
                /** @description Only credentials in this category, or in one of several when repeated. */
                category?: components["schemas"]["CategoryName"][];
                /** @description Also those marked as deleted. */
                showDeleted?: boolean;
                /** @description Also those not yet accepted. */
                showPending?: boolean;
                /** @description What the list is ordered by. */
                sortBy?: "addedOn";
                /** @description Latest first. */
                descending?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WalletCredentials"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Failure"];
        };
    };
    getWalletCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id as the list gives it, percent-encoded. */
                credentialId: components["parameters"]["WalletCredentialId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credential. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "wallet": "2d0f3c1a-6a0b-4f7d-9a57-0f7d1f6c2b10",
                     *       "id": "urn:uuid:3ab26853-3313-4e53-9ed5-6c1d52e32c5f",
                     *       "document": "eyJhbGciOiJFUzI1NiJ9.eyJ2YyI6e319.c2lnbmF0dXJl",
                     *       "addedOn": "2026-11-21T09:30:00.000Z",
                     *       "pending": false,
                     *       "format": "jwt_vc_json",
                     *       "categories": [],
                     *       "parsedDocument": {
                     *         "@context": [
                     *           "https://www.w3.org/2018/credentials/v1"
                     *         ],
                     *         "id": "urn:uuid:3ab26853-3313-4e53-9ed5-6c1d52e32c5f",
                     *         "type": [
                     *           "VerifiableCredential",
                     *           "UniversityDegree"
                     *         ],
                     *         "issuer": {
                     *           "id": "did:key:zDnaerGBD7Zxzau2fdfEFaaaTDYBu5XEBYdGV2BmERp3MDSov"
                     *         },
                     *         "issuanceDate": "2026-11-21T09:30:00.000Z",
                     *         "credentialSubject": {
                     *           "id": "did:key:zDnaerGBD7Zxzau2fdfEFaaaTDYBu5XEBYdGV2BmERp3MDSov",
                     *           "degree": {
                     *             "name": "Bachelor of Science"
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WalletCredential"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    deleteWalletCredential: {
        parameters: {
            query?: {
                /** @description Delete the credential instead of marking it. */
                permanent?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id as the list gives it, percent-encoded. */
                credentialId: components["parameters"]["WalletCredentialId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credential is marked as deleted, or removed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    importWalletCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "jwt": "eyJhbGciOiJFUzI1NiJ9.eyJ2YyI6e319.c2lnbmF0dXJl",
                 *       "associated_did": "did:key:zDnaerGBD7Zxzau2fdfEFaaaTDYBu5XEBYdGV2BmERp3MDSov"
                 *     }
                 */
                "application/json": components["schemas"]["CredentialImport"];
            };
        };
        responses: {
            /** @description The credential. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "wallet": "2d0f3c1a-6a0b-4f7d-9a57-0f7d1f6c2b10",
                     *       "id": "urn:uuid:3ab26853-3313-4e53-9ed5-6c1d52e32c5f",
                     *       "document": "eyJhbGciOiJFUzI1NiJ9.eyJ2YyI6e319.c2lnbmF0dXJl",
                     *       "addedOn": "2026-11-21T09:30:00.000Z",
                     *       "pending": false,
                     *       "format": "jwt_vc_json",
                     *       "categories": []
                     *     }
                     */
                    "application/json": components["schemas"]["WalletCredential"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    acceptWalletCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id as the list gives it, percent-encoded. */
                credentialId: components["parameters"]["WalletCredentialId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credential is no longer pending. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    rejectWalletCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id as the list gives it, percent-encoded. */
                credentialId: components["parameters"]["WalletCredentialId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "note": "Not mine"
                 *     }
                 */
                "application/json": components["schemas"]["CredentialRejection"];
            };
        };
        responses: {
            /** @description The credential is removed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    restoreWalletCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id as the list gives it, percent-encoded. */
                credentialId: components["parameters"]["WalletCredentialId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credential. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "wallet": "2d0f3c1a-6a0b-4f7d-9a57-0f7d1f6c2b10",
                     *       "id": "urn:uuid:3ab26853-3313-4e53-9ed5-6c1d52e32c5f",
                     *       "document": "eyJhbGciOiJFUzI1NiJ9.eyJ2YyI6e319.c2lnbmF0dXJl",
                     *       "addedOn": "2026-11-21T09:30:00.000Z",
                     *       "pending": false,
                     *       "format": "jwt_vc_json",
                     *       "categories": []
                     *     }
                     */
                    "application/json": components["schemas"]["WalletCredential"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    getWalletCredentialStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id as the list gives it, percent-encoded. */
                credentialId: components["parameters"]["WalletCredentialId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One element for each status entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialStatus"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    addWalletCredentialCategories: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id as the list gives it, percent-encoded. */
                credentialId: components["parameters"]["WalletCredentialId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example [
                 *       "Studies"
                 *     ]
                 */
                "application/json": components["schemas"]["CategoryNames"];
            };
        };
        responses: {
            /** @description The credential is in these categories. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    removeWalletCredentialCategories: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id as the list gives it, percent-encoded. */
                credentialId: components["parameters"]["WalletCredentialId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example [
                 *       "Studies"
                 *     ]
                 */
                "application/json": components["schemas"]["CategoryNames"];
            };
        };
        responses: {
            /** @description The credential is in none of these categories. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    listWalletCategories: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The categories. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "name": "Studies"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["WalletCategory"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Failure"];
        };
    };
    addWalletCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The name of a category, percent-encoded. */
                name: components["parameters"]["CategoryName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The category exists. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Failure"];
        };
    };
    deleteWalletCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The name of a category, percent-encoded. */
                name: components["parameters"]["CategoryName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The category is deleted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    renameWalletCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The name of a category, percent-encoded. */
                name: components["parameters"]["CategoryName"];
                /** @description The new name, percent-encoded. */
                newName: components["schemas"]["CategoryName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The category has the new name. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Failure"];
        };
    };
    getWalletManifest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id as the list gives it, percent-encoded. */
                credentialId: components["parameters"]["WalletCredentialId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The manifest. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "display": {
                     *         "title": "University Degree",
                     *         "card": {
                     *           "title": "University Degree",
                     *           "issuedBy": "Example University",
                     *           "backgroundColor": "#12107c",
                     *           "textColor": "#ffffff",
                     *           "logo": {
                     *             "uri": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
                     *             "description": "A shield"
                     *           }
                     *         },
                     *         "claims": {
                     *           "vc.credentialSubject.level": {
                     *             "type": "String",
                     *             "label": "Level"
                     *           }
                     *         }
                     *       },
                     *       "issuer": {
                     *         "id": "did:key:zDnaerGBD7Zxzau2fdfEFaaaTDYBu5XEBYdGV2BmERp3MDSov",
                     *         "name": "Example University"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Manifest"];
                };
            };
            /** @description The issuer published no display data. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    getWalletManifestDisplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id as the list gives it, percent-encoded. */
                credentialId: components["parameters"]["WalletCredentialId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How the credential is shown. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "title": "University Degree",
                     *       "card": {
                     *         "title": "University Degree",
                     *         "issuedBy": "Example University",
                     *         "backgroundColor": "#12107c",
                     *         "textColor": "#ffffff",
                     *         "logo": {
                     *           "uri": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
                     *           "description": "A shield"
                     *         }
                     *       },
                     *       "claims": {
                     *         "vc.credentialSubject.level": {
                     *           "type": "String",
                     *           "label": "Level"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ManifestDisplay"];
                };
            };
            /** @description The issuer published no display data. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    getWalletManifestIssuer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id as the list gives it, percent-encoded. */
                credentialId: components["parameters"]["WalletCredentialId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How the issuer is shown. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "did:key:zDnaerGBD7Zxzau2fdfEFaaaTDYBu5XEBYdGV2BmERp3MDSov",
                     *       "name": "Example University"
                     *     }
                     */
                    "application/json": components["schemas"]["ManifestIssuer"];
                };
            };
            /** @description The issuer published no display data. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    extractManifest: {
        parameters: {
            query: {
                /** @description The offer link, percent-encoded. */
                offer: string;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The manifest. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "display": {
                     *         "title": "University Degree",
                     *         "card": {
                     *           "title": "University Degree",
                     *           "issuedBy": "Example University",
                     *           "backgroundColor": "#12107c",
                     *           "textColor": "#ffffff",
                     *           "logo": {
                     *             "uri": "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
                     *             "description": "A shield"
                     *           }
                     *         },
                     *         "claims": {
                     *           "vc.credentialSubject.level": {
                     *             "type": "String",
                     *             "label": "Level"
                     *           }
                     *         }
                     *       },
                     *       "issuer": {
                     *         "id": "http://127.0.0.1:7001/draft13",
                     *         "name": "Example University"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Manifest"];
                };
            };
            /** @description The issuer published no display data. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    resolveCredentialOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["OfferLink"];
        responses: {
            /** @description The credential offer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "credential_issuer": "http://127.0.0.1:7001/draft13",
                     *       "credential_configuration_ids": [
                     *         "UniversityDegree_jwt_vc_json"
                     *       ],
                     *       "grants": {
                     *         "urn:ietf:params:oauth:grant-type:pre-authorized_code": {
                     *           "pre-authorized_code": "SrcMN3CwJY2ZwTkx4HEbry7NvgIudxHnI66TMLwyk3Q"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ResolvedOffer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    acceptCredentialOffer: {
        parameters: {
            query?: {
                /** @description The DID that the credentials are issued to; without it the default one. */
                did?: string;
                /** @description The credentials stay pending until they are accepted. */
                requireUserInput?: boolean;
                /** @description The transaction code, when the offer asks for one. */
                pinOrTxCode?: string;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["OfferLink"];
        responses: {
            200: components["responses"]["WalletCredentials"];
            400: components["responses"]["OfferFailure"];
            401: components["responses"]["OfferFailure"];
            403: components["responses"]["OfferFailure"];
            413: components["responses"]["OfferFailure"];
            502: components["responses"]["OfferFailure"];
            504: components["responses"]["OfferFailure"];
            default: components["responses"]["OfferFailure"];
        };
    };
    resolveIssuerMetadata: {
        parameters: {
            query: {
                /** @description The credential issuer identifier. */
                issuer: string;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metadata as the issuer publishes it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "credential_issuer": "http://127.0.0.1:7001/draft13",
                     *       "credential_endpoint": "http://127.0.0.1:7001/draft13/credential"
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    resolvePresentationRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RequestLink"];
        responses: {
            /** @description The link with the presentation definition in it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example openid4vp://authorize?response_type=vp_token&client_id=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fverify%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&response_mode=direct_post&state=f5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&presentation_definition=%7B%22id%22%3A%22degrees%22%2C%22input_descriptors%22%3A%5B%5D%7D&client_id_scheme=redirect_uri&client_metadata=%7B%7D&nonce=8a60c20a-a498-4c74-b570-b9ec188486dc&response_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fverify%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44 */
                    "text/plain": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    describePresentationRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RequestLink"];
        responses: {
            /** @description The request as the user decides on it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "verifier": {
                     *         "clientId": "http://127.0.0.1:7001/openid4vc/verify/f5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44",
                     *         "name": "Shop",
                     *         "responseHost": "127.0.0.1:7001"
                     *       },
                     *       "proof": {
                     *         "kind": "redirect-uri",
                     *         "host": "127.0.0.1:7001"
                     *       },
                     *       "purposes": [
                     *         "Proof of graduation"
                     *       ],
                     *       "isAnswerable": true,
                     *       "queries": [
                     *         {
                     *           "id": "UniversityDegree",
                     *           "purpose": "To grant the discount",
                     *           "isRequired": true,
                     *           "isMultiple": false,
                     *           "formats": [
                     *             "jwt_vc_json"
                     *           ],
                     *           "credentials": [
                     *             {
                     *               "id": "urn:uuid:3ab26853-3313-4e53-9ed5-6c1d52e32c5f",
                     *               "type": "UniversityDegree",
                     *               "format": "jwt_vc_json",
                     *               "issuer": "did:jwk:eyJrdHkiOiJFQyJ9",
                     *               "isWhole": true,
                     *               "disclosed": [
                     *                 {
                     *                   "path": [
                     *                     "vc",
                     *                     "credentialSubject",
                     *                     "level"
                     *                   ],
                     *                   "value": "master"
                     *                 }
                     *               ],
                     *               "withheld": []
                     *             }
                     *           ],
                     *           "omitted": 0
                     *         }
                     *       ],
                     *       "choices": [],
                     *       "transactions": []
                     *     }
                     */
                    "application/json": components["schemas"]["RequestDescription"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    declinePresentationRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "presentationRequest": "openid4vp://authorize?response_type=vp_token&client_id=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fverify%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&response_mode=direct_post&state=f5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&presentation_definition_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fpd%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&client_id_scheme=redirect_uri&client_metadata=%7B%7D&nonce=8a60c20a-a498-4c74-b570-b9ec188486dc&response_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fverify%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44",
                 *       "note": "I do not know this shop"
                 *     }
                 */
                "application/json": {
                    /** @description The request link, resolved or not. */
                    presentationRequest: string;
                    /** @description For the event log of the wallet; never sent. */
                    note?: string;
                };
            };
        };
        responses: {
            200: components["responses"]["VerifierReply"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    matchWalletCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "degrees",
                 *       "input_descriptors": [
                 *         {
                 *           "id": "UniversityDegree",
                 *           "format": {
                 *             "jwt_vc_json": {
                 *               "alg": [
                 *                 "ES256"
                 *               ]
                 *             }
                 *           },
                 *           "constraints": {
                 *             "fields": [
                 *               {
                 *                 "path": [
                 *                   "$.vc.type"
                 *                 ],
                 *                 "filter": {
                 *                   "type": "string",
                 *                   "pattern": "UniversityDegree"
                 *                 }
                 *               }
                 *             ]
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            200: components["responses"]["WalletCredentials"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    listMissingCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "degrees",
                 *       "input_descriptors": [
                 *         {
                 *           "id": "UniversityDegree",
                 *           "format": {
                 *             "jwt_vc_json": {
                 *               "alg": [
                 *                 "ES256"
                 *               ]
                 *             }
                 *           },
                 *           "constraints": {
                 *             "fields": [
                 *               {
                 *                 "path": [
                 *                   "$.vc.type"
                 *                 ],
                 *                 "filter": {
                 *                   "type": "string",
                 *                   "pattern": "UniversityDegree"
                 *                 }
                 *               }
                 *             ]
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description What is missing; nothing when the wallet has a credential for each descriptor. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "credential": "UniversityDegree",
                     *         "filters": [
                     *           {
                     *             "path": [
                     *               "$.vc.type"
                     *             ],
                     *             "type": "string",
                     *             "pattern": "UniversityDegree"
                     *           }
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": {
                        /** @description The name of the descriptor, else its id. */
                        credential: string;
                        /** @description One for each field of the descriptor. */
                        filters: {
                            /** @description JSONPaths in order of preference. */
                            path: string[];
                            /** @description The JSON type, when the filter names one. */
                            type?: string;
                            /** @description The pattern of the filter; that of its constant when it has none. */
                            pattern: string;
                        }[];
                    }[];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    matchRequestedCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RequestLink"];
        responses: {
            200: components["responses"]["WalletCredentials"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    presentCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "presentationRequest": "openid4vp://authorize?response_type=vp_token&client_id=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fverify%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&response_mode=direct_post&state=f5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&presentation_definition_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fpd%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&client_id_scheme=redirect_uri&client_metadata=%7B%7D&nonce=8a60c20a-a498-4c74-b570-b9ec188486dc&response_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fverify%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44",
                 *       "selectedCredentials": [
                 *         "urn:uuid:3ab26853-3313-4e53-9ed5-6c1d52e32c5f"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["WalletPresentation"];
            };
        };
        responses: {
            200: components["responses"]["VerifierReply"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    prepareExternalPresentation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "did": "did:jwk:eyJrdHkiOiJFQyJ9",
                 *       "presentationRequest": "openid4vp://authorize?response_type=vp_token&client_id=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fverify%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&response_mode=direct_post&state=f5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&presentation_definition_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fpd%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&client_id_scheme=redirect_uri&client_metadata=%7B%7D&nonce=8a60c20a-a498-4c74-b570-b9ec188486dc&response_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fverify%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44",
                 *       "selectedCredentialIdList": [
                 *         "urn:uuid:3ab26853-3313-4e53-9ed5-6c1d52e32c5f"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["NewExternalPresentation"];
            };
        };
        responses: {
            /** @description What is to be signed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "did": "did:jwk:eyJrdHkiOiJFQyJ9",
                     *       "presentationRequest": "openid4vp://authorize?response_type=vp_token&client_id=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fverify%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&response_mode=direct_post&state=f5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&presentation_definition_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fpd%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&client_id_scheme=redirect_uri&client_metadata=%7B%7D&nonce=8a60c20a-a498-4c74-b570-b9ec188486dc&response_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fverify%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44",
                     *       "selectedCredentialIdList": [
                     *         "urn:uuid:3ab26853-3313-4e53-9ed5-6c1d52e32c5f"
                     *       ],
                     *       "presentationSubmission": {
                     *         "id": "f5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44",
                     *         "definition_id": "86f4b196-9a17-4f02-9c84-29cdda7142c5",
                     *         "descriptor_map": [
                     *           {
                     *             "id": "UniversityDegree",
                     *             "format": "jwt_vp",
                     *             "path": "$",
                     *             "path_nested": {
                     *               "id": "UniversityDegree",
                     *               "format": "jwt_vc_json",
                     *               "path": "$.vp.verifiableCredential[0]"
                     *             }
                     *           }
                     *         ]
                     *       },
                     *       "w3CJwtVpProofParameters": {
                     *         "header": {
                     *           "alg": "ES256",
                     *           "kid": "did:jwk:eyJrdHkiOiJFQyJ9#0",
                     *           "typ": "JWT"
                     *         },
                     *         "payload": {
                     *           "iss": "did:jwk:eyJrdHkiOiJFQyJ9",
                     *           "sub": "did:jwk:eyJrdHkiOiJFQyJ9",
                     *           "jti": "urn:uuid:8a60c20a-a498-4c74-b570-b9ec188486dc",
                     *           "iat": 1767225600,
                     *           "nonce": "8a60c20a-a498-4c74-b570-b9ec188486dc",
                     *           "vp": {
                     *             "holder": "did:jwk:eyJrdHkiOiJFQyJ9",
                     *             "verifiableCredential": [
                     *               "eyJhbGciOiJFUzI1NiJ9.eyJhIjoxfQ.c2lnbmF0dXJl"
                     *             ]
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PreparedExternalPresentation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    submitExternalPresentation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "did": "did:jwk:eyJrdHkiOiJFQyJ9",
                 *       "presentationRequest": "openid4vp://authorize?response_type=vp_token&client_id=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fverify%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&response_mode=direct_post&state=f5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&presentation_definition_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fpd%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&client_id_scheme=redirect_uri&client_metadata=%7B%7D&nonce=8a60c20a-a498-4c74-b570-b9ec188486dc&response_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fverify%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44",
                 *       "selectedCredentialIdList": [
                 *         "urn:uuid:3ab26853-3313-4e53-9ed5-6c1d52e32c5f"
                 *       ],
                 *       "presentationSubmission": {
                 *         "id": "f5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44",
                 *         "definition_id": "86f4b196-9a17-4f02-9c84-29cdda7142c5",
                 *         "descriptor_map": [
                 *           {
                 *             "id": "UniversityDegree",
                 *             "format": "jwt_vp",
                 *             "path": "$",
                 *             "path_nested": {
                 *               "id": "UniversityDegree",
                 *               "format": "jwt_vc_json",
                 *               "path": "$.vp.verifiableCredential[0]"
                 *             }
                 *           }
                 *         ]
                 *       },
                 *       "w3cJwtVpProof": "eyJhbGciOiJFUzI1NiJ9.eyJhIjoxfQ.c2lnbmF0dXJl"
                 *     }
                 */
                "application/json": components["schemas"]["SignedExternalPresentation"];
            };
        };
        responses: {
            200: components["responses"]["VerifierReply"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    prepareExternalOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "did": "did:jwk:eyJrdHkiOiJFQyJ9",
                 *       "offerURL": "openid-credential-offer://?credential_offer_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fdraft13%2FcredentialOffer%3Fid%3Df5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44"
                 *     }
                 */
                "application/json": components["schemas"]["NewExternalOffer"];
            };
        };
        responses: {
            /** @description What is to be signed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "did": "did:jwk:eyJrdHkiOiJFQyJ9",
                     *       "offerURL": "openid-credential-offer://?credential_offer_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fdraft13%2FcredentialOffer%3Fid%3Df5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44",
                     *       "accessToken": "f5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44",
                     *       "offeredCredentialsProofRequests": [
                     *         {
                     *           "offeredCredential": {
                     *             "format": "jwt_vc_json",
                     *             "credential_definition": {
                     *               "type": [
                     *                 "VerifiableCredential",
                     *                 "UniversityDegree"
                     *               ]
                     *             }
                     *           },
                     *           "proofOfPossessionParameters": {
                     *             "proofType": "jwt",
                     *             "header": {
                     *               "typ": "openid4vci-proof+jwt",
                     *               "kid": "did:jwk:eyJrdHkiOiJFQyJ9#0"
                     *             },
                     *             "payload": {
                     *               "aud": "http://127.0.0.1:7001/draft13",
                     *               "iat": 1767225600
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "credentialIssuer": "http://127.0.0.1:7001/draft13"
                     *     }
                     */
                    "application/json": components["schemas"]["PreparedExternalOffer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    submitExternalOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "did": "did:jwk:eyJrdHkiOiJFQyJ9",
                 *       "offerURL": "openid-credential-offer://?credential_offer_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fdraft13%2FcredentialOffer%3Fid%3Df5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44",
                 *       "accessToken": "f5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44",
                 *       "credentialIssuer": "http://127.0.0.1:7001/draft13",
                 *       "offeredCredentialProofsOfPossession": [
                 *         {
                 *           "offeredCredential": {
                 *             "format": "jwt_vc_json",
                 *             "credential_definition": {
                 *               "type": [
                 *                 "VerifiableCredential",
                 *                 "UniversityDegree"
                 *               ]
                 *             }
                 *           },
                 *           "proofType": "jwt",
                 *           "signedProofOfPossession": "eyJhbGciOiJFUzI1NiJ9.eyJhIjoxfQ.c2lnbmF0dXJl"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SignedExternalOffer"];
            };
        };
        responses: {
            200: components["responses"]["WalletCredentials"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    listTransactionDataProfiles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The profiles. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example [] */
                    "application/json": {
                        [key: string]: unknown;
                    }[];
                };
            };
            400: components["responses"]["BadRequest"];
            default: components["responses"]["Failure"];
        };
    };
    listWalletEvents: {
        parameters: {
            query?: {
                /** @description How many events to return, as digits. */
                limit?: number;
                /** @description `key=value`, where the key is `event`, `action`, `tenant`, `originator`, `credentialId` or, with a date in UTC such as `2026-11-22`, `timestamp`, `addedOn` or `createdOn`, which mean the same. May be repeated: values of one key are alternatives, different keys all have to match. */
                filter?: string[];
                /** @description The `nextStartingAfter` of the page before, with the same `sortBy`, `sortOrder` and `filter`. A whole number is the index of the last event that the caller has in the filtered list, counted from 0: -1 starts at the first event. An index moves when events are added or removed before it; a cursor does not. */
                startingAfter?: string;
                /** @description What the list is ordered by: `timestamp`, `addedOn` or `createdOn`, which mean the same, or `event`, `action`, `originator`, `credentialId` or `tenant`. Events with the same value are ordered by time. */
                sortBy?: string;
                /** @description `asc` or `desc`, in upper or lower case. One is the reverse of the other. */
                sortOrder?: string;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the event log. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "6a7f1f2e-30c5-4a55-8f0b-3a3f1f6d7c11",
                     *           "event": "Account",
                     *           "action": "Login",
                     *           "timestamp": "2026-11-21T09:30:00.000Z",
                     *           "tenant": "",
                     *           "originator": "wallet",
                     *           "account": "0b6a2f5e-5f0e-4c57-9d0f-7a2c1b9e8d33",
                     *           "wallet": "2d0f3c1a-6a0b-4f7d-9a57-0f7d1f6c2b10",
                     *           "data": {
                     *             "accountId": "0b6a2f5e-5f0e-4c57-9d0f-7a2c1b9e8d33",
                     *             "walletId": "2d0f3c1a-6a0b-4f7d-9a57-0f7d1f6c2b10"
                     *           }
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "nextStartingAfter": "WyJ0aW1lc3RhbXAiLCIiLDE3NjM3MTc0MDAwMDBd"
                     *     }
                     */
                    "application/json": components["schemas"]["WalletEventPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Failure"];
        };
    };
    deleteWalletEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id of the event. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many events were deleted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example 1 */
                    "application/json": number;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Failure"];
        };
    };
    listWalletHistory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The last operations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "tenant": "",
                     *         "id": "6a7f1f2e-30c5-4a55-8f0b-3a3f1f6d7c11",
                     *         "account": "0b6a2f5e-5f0e-4c57-9d0f-7a2c1b9e8d33",
                     *         "wallet": "2d0f3c1a-6a0b-4f7d-9a57-0f7d1f6c2b10",
                     *         "timestamp": "2026-11-21T09:30:00.000Z",
                     *         "operation": "Account Login",
                     *         "data": {
                     *           "accountId": "0b6a2f5e-5f0e-4c57-9d0f-7a2c1b9e8d33",
                     *           "walletId": "2d0f3c1a-6a0b-4f7d-9a57-0f7d1f6c2b10"
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["WalletOperation"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Failure"];
        };
    };
    getWalletSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings; an empty object until they are set. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "settings": {
                     *         "theme": "dark"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Open: as they were set. */
                        settings: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Failure"];
        };
    };
    setWalletSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "theme": "dark"
                 *     }
                 */
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The settings are stored. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    listWalletIssuers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The issuers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "wallet": "2d0f3c1a-6a0b-4f7d-9a57-0f7d1f6c2b10",
                     *         "did": "University",
                     *         "description": "The university of the town",
                     *         "uiEndpoint": "https://university.example.org/credentials",
                     *         "configurationEndpoint": "https://university.example.org/.well-known/openid-credential-issuer",
                     *         "authorized": false
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["WalletIssuer"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Failure"];
        };
    };
    addWalletIssuer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "University",
                 *       "description": "The university of the town",
                 *       "uiEndpoint": "https://university.example.org/credentials",
                 *       "configurationEndpoint": "https://university.example.org/.well-known/openid-credential-issuer"
                 *     }
                 */
                "application/json": {
                    /** @description The name of the issuer in this wallet: its DID, its URL or any other text. */
                    name: string;
                    /** @description What the user knows about it. */
                    description?: string;
                    /** @description The page where it offers credentials, an http or https URL; empty when unknown. */
                    uiEndpoint?: string;
                    /** @description The URL of its metadata (OpenID4VCI), or its credential issuer identifier; empty when unknown. */
                    configurationEndpoint?: string;
                };
            };
        };
        responses: {
            /** @description The issuer is added. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    getWalletIssuer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The name of the issuer, percent-encoded. */
                issuer: components["parameters"]["WalletIssuerName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The issuer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "wallet": "2d0f3c1a-6a0b-4f7d-9a57-0f7d1f6c2b10",
                     *       "did": "University",
                     *       "description": "The university of the town",
                     *       "uiEndpoint": "https://university.example.org/credentials",
                     *       "configurationEndpoint": "https://university.example.org/.well-known/openid-credential-issuer",
                     *       "authorized": false
                     *     }
                     */
                    "application/json": components["schemas"]["WalletIssuer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    authorizeWalletIssuer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The name of the issuer, percent-encoded. */
                issuer: components["parameters"]["WalletIssuerName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The issuer is authorized. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    listIssuerCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The name of the issuer, percent-encoded. */
                issuer: components["parameters"]["WalletIssuerName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The issuer and what it offers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issuer": {
                     *         "wallet": "2d0f3c1a-6a0b-4f7d-9a57-0f7d1f6c2b10",
                     *         "did": "University",
                     *         "description": "The university of the town",
                     *         "uiEndpoint": "https://university.example.org/credentials",
                     *         "configurationEndpoint": "http://127.0.0.1:7001/draft13",
                     *         "authorized": true
                     *       },
                     *       "credentials": [
                     *         {
                     *           "id": "UniversityDegree_jwt_vc_json",
                     *           "format": "jwt_vc_json",
                     *           "types": [
                     *             "VerifiableCredential",
                     *             "UniversityDegree"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The issuer. */
                        issuer: components["schemas"]["WalletIssuer"];
                        /** @description One for each credential configuration that names a format. */
                        credentials: {
                            /** @description The id of the configuration. */
                            id: string;
                            /** @description The format of OpenID4VCI. */
                            format: string;
                            /** @description The types of the credential, its `vct` or its `doctype`. */
                            types: string[];
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    listFrequentCredentials: {
        parameters: {
            query?: {
                /** @description How many credentials to return, as digits. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["WalletCredentials"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Failure"];
        };
    };
    resolveTypeMetadata: {
        parameters: {
            query: {
                /** @description The type of an SD-JWT VC; an http or https URL. */
                vct: string;
                /** @description The claim of that name, where the credential has it: digests of the metadata. */
                "vct#integrity"?: string;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metadata as it is published. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "vct": "http://127.0.0.1:8080/identity",
                     *       "name": "Identity"
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    listRejectionReasons: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The reasons. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       "I did not ask for it"
                     *     ]
                     */
                    "application/json": string[];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    parseMdoc: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example a267646f6354797065756f72672e69736f2e31383031332e352e312e6d444c6c6973737565725369676e6564a26a6e616d65537061636573a1716f72672e69736f2e31383031332e352e3183d8185852a4686469676573744944006672616e646f6d50fce6b21d930b5b99fad34980ab06c8ee71656c656d656e744964656e7469666965726b66616d696c795f6e616d656c656c656d656e7456616c756563446f65d8185852a4686469676573744944016672616e646f6d5058daba0e58ae65726d9ba1aaa62256ee71656c656d656e744964656e7469666965726a676976656e5f6e616d656c656c656d656e7456616c7565644a6f686ed8185858a4686469676573744944026672616e646f6d5063fd5066277bce71963369771b78c1f671656c656d656e744964656e7469666965726a62697274685f646174656c656c656d656e7456616c75656a313938302d30312d30316a697373756572417574688443a10126a1182159014b308201473081eea003020102020839edc87a9a78f92a300a06082a8648ce3d04030230173115301306035504030c0c4d444f4320524f4f54204341301e170d3234303530323133313333305a170d3235303530323133313333305a301b3119301706035504030c104d444f432054657374204973737565723059301306072a8648ce3d020106082a8648ce3d030107034200041b4448341885fa84140f77790c69de810b977a7236f490da306a0cbe2a0a441379ddde146b36a44b6ba7bbc067b04b71bad4b692a4616013d893d440ae253781a320301e300c0603551d130101ff04023000300e0603551d0f0101ff040403020780300a06082a8648ce3d04030203480030450221008e70041000ddec2a230b2586ecc59f8acd156f5d933d9363bc5e2263bb0ab69802201885a8b537327a69b022620f07c5c45d6293b86eed927a3f04e82cc51cadf8635901c3d8185901bea66776657273696f6e63312e306f646967657374416c676f726974686d675348412d3235366c76616c756544696765737473a1716f72672e69736f2e31383031332e352e31a3005820ac6801aa40d9871db115c9ba804bbccbddf7f29a6773d626cb6604d468e8714e015820066fc7c19bce2aeaf2d655351da21dbb12561db212e21e8c3e969fa469fd1c7c025820dbf831a97d5b504ca70c212224109e243f01f82cb4cde7c704a7166fd671ed326d6465766963654b6579496e666fa1696465766963654b6579a4010220012158200f08fd91a6b62e757e090514cd54d506ea4fb4354e10cdaa24c7748f59fb5e10225820ffa4113b5aef1a4dbd3fb4b9da126bc1ffc09b9cc679b4673dd321f021f2fc2167646f6354797065756f72672e69736f2e31383031332e352e312e6d444c6c76616c6964697479496e666fa3667369676e6564c0781e323032342d30372d32355431333a30353a33312e3438333237373433355a6976616c696446726f6dc0781e323032342d30372d32355431333a30353a33312e3438333237373738305a6a76616c6964556e74696cc0781e323032352d30372d32355431333a30353a33312e3438333237373836335a5840d57ee4f1a38cf49860b2f9b7c8f2469faa68720a8b731eae1d727e681bf0299fe86c0c120407cc8f0a7b951a6db6eac4c1905f07436fc556be1a65c13e432490 */
                "text/plain": string;
            };
        };
        responses: {
            /** @description The same members as JSON. Byte strings are base64url without padding, dates ISO 8601, numbers as names are texts. Embedded CBOR is decoded: tag 24, and the protected header and the payload of the COSE structures `issuerAuth`, `deviceSignature` and `deviceMac`, which are arrays of four. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "docType": "org.iso.18013.5.1.mDL",
                     *       "issuerSigned": {
                     *         "nameSpaces": {
                     *           "org.iso.18013.5.1": [
                     *             {
                     *               "digestID": 0,
                     *               "random": "_OayHZMLW5n600mAqwbI7g",
                     *               "elementIdentifier": "family_name",
                     *               "elementValue": "Doe"
                     *             }
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            default: components["responses"]["Failure"];
        };
    };
    onboardIssuer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OnboardingRequest"];
            };
        };
        responses: {
            /** @description The issuer. The key reference is what issuance requests carry; the service stores the DID and the public key, and no copy of the private one. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issuerKey": {
                     *         "type": "jwk",
                     *         "jwk": {
                     *           "kty": "EC",
                     *           "d": "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
                     *           "crv": "P-256",
                     *           "kid": "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U",
                     *           "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                     *           "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
                     *         }
                     *       },
                     *       "issuerDid": "did:key:zDnaerGBD7Zxzau2fdfEFaaaTDYBu5XEBYdGV2BmERp3MDSov"
                     *     }
                     */
                    "application/json": components["schemas"]["OnboardingResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    onboardIaca: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IacaRequest"];
            };
        };
        responses: {
            /** @description The authority. Keep the key reference; the certificate is what verifiers trust. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "iacaKey": {
                     *         "type": "jwk",
                     *         "jwk": {
                     *           "kty": "EC",
                     *           "crv": "P-256",
                     *           "d": "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
                     *           "kid": "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U",
                     *           "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                     *           "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
                     *         }
                     *       },
                     *       "certificatePEM": "-----BEGIN CERTIFICATE-----\nMIIB…\n-----END CERTIFICATE-----\n",
                     *       "certificateData": {
                     *         "country": "AT",
                     *         "commonName": "Example IACA",
                     *         "issuerAlternativeNameConf": {
                     *           "uri": "https://authority.example.org"
                     *         },
                     *         "notBefore": "2026-11-21T09:30:00.000Z",
                     *         "notAfter": "2046-11-21T09:30:00.000Z"
                     *       },
                     *       "certificateValidationResult": [
                     *         {
                     *           "validatorId": "certification-path",
                     *           "severity": "INFO",
                     *           "message": "The path to the trust anchor is valid"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["IacaResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    onboardDocumentSigner: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignerRequest"];
            };
        };
        responses: {
            /** @description The signer. Issuance requests carry its key reference as `issuerKey` and its certificates as `x5Chain`. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "documentSignerKey": {
                     *         "type": "jwk",
                     *         "jwk": {
                     *           "kty": "EC",
                     *           "crv": "P-256",
                     *           "d": "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
                     *           "kid": "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U",
                     *           "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                     *           "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
                     *         }
                     *       },
                     *       "certificatePEM": "-----BEGIN CERTIFICATE-----\nMIIB…\n-----END CERTIFICATE-----\n",
                     *       "x5Chain": [
                     *         "-----BEGIN CERTIFICATE-----\nMIIB…\n-----END CERTIFICATE-----\n"
                     *       ],
                     *       "certificateData": {
                     *         "country": "AT",
                     *         "commonName": "Example signer",
                     *         "notBefore": "2026-11-21T09:30:00.000Z",
                     *         "notAfter": "2028-02-20T09:30:00.000Z"
                     *       },
                     *       "certificateValidationResult": [
                     *         {
                     *           "validatorId": "certification-path",
                     *           "severity": "INFO",
                     *           "message": "The path to the trust anchor is valid"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SignerResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    issueJwtCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description An http or https URL that receives each step as a POST of `{id, type, data}`; `$id` becomes the id of the issuance session. When it cannot be reached, the issuance stops. */
                statusCallbackUri?: components["parameters"]["StatusCallbackUri"];
                /** @description Seconds until the offer expires; 300 when left out. */
                sessionTtl?: components["parameters"]["SessionTtl"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssuanceRequest"];
            };
        };
        responses: {
            200: components["responses"]["OfferUrl"];
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    issueJwtCredentialBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description An http or https URL that receives each step as a POST of `{id, type, data}`; `$id` becomes the id of the issuance session. When it cannot be reached, the issuance stops. */
                statusCallbackUri?: components["parameters"]["StatusCallbackUri"];
                /** @description Seconds until the offer expires; 300 when left out. */
                sessionTtl?: components["parameters"]["SessionTtl"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssuanceRequest"][];
            };
        };
        responses: {
            200: components["responses"]["OfferUrl"];
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    issueSdJwtCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description An http or https URL that receives each step as a POST of `{id, type, data}`; `$id` becomes the id of the issuance session. When it cannot be reached, the issuance stops. */
                statusCallbackUri?: components["parameters"]["StatusCallbackUri"];
                /** @description Seconds until the offer expires; 300 when left out. */
                sessionTtl?: components["parameters"]["SessionTtl"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssuanceRequest"];
            };
        };
        responses: {
            200: components["responses"]["OfferUrl"];
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    issueSdJwtCredentialBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description An http or https URL that receives each step as a POST of `{id, type, data}`; `$id` becomes the id of the issuance session. When it cannot be reached, the issuance stops. */
                statusCallbackUri?: components["parameters"]["StatusCallbackUri"];
                /** @description Seconds until the offer expires; 300 when left out. */
                sessionTtl?: components["parameters"]["SessionTtl"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssuanceRequest"][];
            };
        };
        responses: {
            200: components["responses"]["OfferUrl"];
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    issueMdoc: {
        parameters: {
            query?: never;
            header?: {
                /** @description An http or https URL that receives each step as a POST of `{id, type, data}`; `$id` becomes the id of the issuance session. When it cannot be reached, the issuance stops. */
                statusCallbackUri?: components["parameters"]["StatusCallbackUri"];
                /** @description Seconds until the offer expires; 300 when left out. */
                sessionTtl?: components["parameters"]["SessionTtl"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssuanceRequest"];
            };
        };
        responses: {
            200: components["responses"]["OfferUrl"];
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    issueMdocBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description An http or https URL that receives each step as a POST of `{id, type, data}`; `$id` becomes the id of the issuance session. When it cannot be reached, the issuance stops. */
                statusCallbackUri?: components["parameters"]["StatusCallbackUri"];
                /** @description Seconds until the offer expires; 300 when left out. */
                sessionTtl?: components["parameters"]["SessionTtl"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssuanceRequest"][];
            };
        };
        responses: {
            200: components["responses"]["OfferUrl"];
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    signJwtCredential: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SigningRequest"];
            };
        };
        responses: {
            /** @description The credential. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content: {
                    /** @example eyJhbGciOiJFUzI1NiJ9.eyJ2YyI6e319.c2lnbmF0dXJl */
                    "text/plain": string;
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    getCredentialOffer: {
        parameters: {
            query: {
                /** @description The issuance session. */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The offer. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "credential_issuer": "http://127.0.0.1:7001/draft13",
                     *       "credential_configuration_ids": [
                     *         "UniversityDegree_jwt_vc_json"
                     *       ],
                     *       "grants": {
                     *         "urn:ietf:params:oauth:grant-type:pre-authorized_code": {
                     *           "pre-authorized_code": "SrcMN3CwJY2ZwTkx4HEbry7NvgIudxHnI66TMLwyk3Q"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["IssuerOffer"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    requestAccessToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "grant_type": "urn:ietf:params:oauth:grant-type:pre-authorized_code",
                 *       "pre-authorized_code": "SrcMN3CwJY2ZwTkx4HEbry7NvgIudxHnI66TMLwyk3Q"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["IssuanceTokenRequest"];
            };
        };
        responses: {
            /** @description The access token and the nonce for the first proof. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "NVp_Udsi4_WbBXQfZvtADcO_ePOBn84u67ayWzkEZ8Q",
                     *       "token_type": "bearer",
                     *       "expires_in": 300,
                     *       "c_nonce": "rI-Un9uwzEjkjn5dcR0JUV-JYCUV3YEgD7NbFsj09yo",
                     *       "c_nonce_expires_in": 300
                     *     }
                     */
                    "application/json": components["schemas"]["IssuanceTokenResponse"];
                };
            };
            400: components["responses"]["OAuthBadRequest"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            429: components["responses"]["OAuthTooManyRequests"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    requestCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description `Bearer` and the access token. */
                Authorization?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CredentialRequest"];
            };
        };
        responses: {
            /** @description The credential; with the next nonce while there is more to claim. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialResponse"];
                };
            };
            400: components["responses"]["OAuthBadRequest"];
            401: components["responses"]["OAuthUnauthorized"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            503: components["responses"]["OAuthBusy"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    requestCredentialBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description `Bearer` and the access token. */
                Authorization?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "credential_requests": [
                 *         {
                 *           "format": "jwt_vc_json",
                 *           "credential_definition": {
                 *             "type": [
                 *               "VerifiableCredential",
                 *               "UniversityDegree"
                 *             ]
                 *           },
                 *           "proof": {
                 *             "proof_type": "jwt",
                 *             "jwt": "eyJ0eXAiOiJvcGVuaWQ0dmNpLXByb29mK2p3dCIsImFsZyI6IkVTMjU2In0.eyJhdWQiOiJodHRwOi8vMTI3LjAuMC4xOjcwMDEvZHJhZnQxMyJ9.c2lnbmF0dXJl"
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["BatchCredentialRequest"];
            };
        };
        responses: {
            /** @description The credentials in the order of their requests; with the next nonce while there is more to claim. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "credential_responses": [
                     *         {
                     *           "format": "jwt_vc_json",
                     *           "credential": "eyJhbGciOiJFUzI1NiJ9.eyJ2YyI6e319.c2lnbmF0dXJl",
                     *           "notification_id": "f5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44.0"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BatchCredentialResponse"];
                };
            };
            400: components["responses"]["OAuthBadRequest"];
            401: components["responses"]["OAuthUnauthorized"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            503: components["responses"]["OAuthBusy"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    requestDeferredCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description `Bearer` and the access token. */
                Authorization?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transaction_id": "rI-Un9uwzEjkjn5dcR0JUV-JYCUV3YEgD7NbFsj09yo"
                 *     }
                 */
                "application/json": components["schemas"]["DeferredCredentialRequest"];
            };
        };
        responses: {
            /** @description The credential. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "format": "jwt_vc_json",
                     *       "credential": "eyJhbGciOiJFUzI1NiJ9.eyJ2YyI6e319.c2lnbmF0dXJl",
                     *       "notification_id": "f5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44.0"
                     *     }
                     */
                    "application/json": components["schemas"]["CredentialResponse"];
                };
            };
            400: components["responses"]["OAuthBadRequest"];
            401: components["responses"]["OAuthUnauthorized"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    notifyIssuer: {
        parameters: {
            query?: never;
            header?: {
                /** @description `Bearer` and the access token. */
                Authorization?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "notification_id": "f5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44.0",
                 *       "event": "credential_accepted"
                 *     }
                 */
                "application/json": components["schemas"]["NotificationRequest"];
            };
        };
        responses: {
            /** @description The notification was accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["OAuthBadRequest"];
            401: components["responses"]["OAuthUnauthorized"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    getIssuerKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JWK Set (RFC 7517). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kty": "EC",
                     *           "crv": "P-256",
                     *           "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                     *           "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
                     *           "kid": "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U",
                     *           "use": "sig",
                     *           "alg": "ES256"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["IssuerKeySet"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    getIssuerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["IssuerMetadata"];
            default: components["responses"]["Failure"];
        };
    };
    getIssuerMetadataOfHost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["IssuerMetadata"];
            default: components["responses"]["Failure"];
        };
    };
    getAuthorizationServerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AuthorizationServerMetadata"];
            default: components["responses"]["Failure"];
        };
    };
    getAuthorizationServerMetadataOfHost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AuthorizationServerMetadata"];
            default: components["responses"]["Failure"];
        };
    };
    getOpenidConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OpenidConfiguration"];
            default: components["responses"]["Failure"];
        };
    };
    getOpenidConfigurationOfHost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OpenidConfiguration"];
            default: components["responses"]["Failure"];
        };
    };
    getJwtVcIssuerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JWT VC issuer metadata. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issuer": "http://127.0.0.1:7001/draft13",
                     *       "jwks_uri": "http://127.0.0.1:7001/draft13/jwks"
                     *     }
                     */
                    "application/json": components["schemas"]["JwtVcIssuerMetadata"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    requestAuthorization: {
        parameters: {
            query?: {
                /** @description `code` */
                response_type?: string;
                /** @description The identifier of the wallet. */
                client_id?: string;
                /** @description Where the user is sent back to. */
                redirect_uri?: string;
                /** @description `query`, the default */
                response_mode?: string;
                /** @description Scopes of configurations of the offer. */
                scope?: string;
                /** @description Returned unchanged. */
                state?: string;
                /** @description The `issuer_state` of the offer. */
                issuer_state?: string;
                /** @description JSON (RFC 9396): a list of details of type `openid_credential` that name credentials of the offer, by `credential_configuration_id` or by `format` and type. */
                authorization_details?: string;
                /** @description JSON: its `authorization_endpoint` is where the wallet takes requests. */
                client_metadata?: string;
                /** @description The challenge of a proof key (RFC 7636). */
                code_challenge?: string;
                /** @description `S256` */
                code_challenge_method?: string;
                /** @description The credential issuer (RFC 8707); not needed. */
                resource?: string;
                /** @description Not supported. */
                request?: string;
                /** @description The reference to a pushed request; with it only `client_id` is read. */
                request_uri?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            302: components["responses"]["LoginRedirect"];
            400: components["responses"]["OAuthBadRequest"];
            429: components["responses"]["OAuthTooManyRequests"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    pushAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "response_type": "code",
                 *       "client_id": "wallet",
                 *       "redirect_uri": "https://wallet.example/callback",
                 *       "issuer_state": "f5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44",
                 *       "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
                 *       "code_challenge_method": "S256",
                 *       "state": "7f3a"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["PushedAuthorization"];
            };
        };
        responses: {
            201: components["responses"]["PushedReference"];
            400: components["responses"]["OAuthBadRequest"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            429: components["responses"]["OAuthTooManyRequests"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    answerLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["LoginAnswer"];
            };
        };
        responses: {
            302: components["responses"]["LoginRedirect"];
            400: components["responses"]["OAuthBadRequest"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            429: components["responses"]["OAuthTooManyRequests"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    requestDraft11Authorization: {
        parameters: {
            query?: {
                /** @description `code` */
                response_type?: string;
                /** @description The identifier of the wallet. */
                client_id?: string;
                /** @description Where the user is sent back to. */
                redirect_uri?: string;
                /** @description `query`, the default */
                response_mode?: string;
                /** @description Scopes of configurations of the offer. */
                scope?: string;
                /** @description Returned unchanged. */
                state?: string;
                /** @description The `issuer_state` of the offer. */
                issuer_state?: string;
                /** @description JSON (RFC 9396): a list of details of type `openid_credential` that name credentials of the offer, by `credential_configuration_id` or by `format` and type. */
                authorization_details?: string;
                /** @description JSON: its `authorization_endpoint` is where the wallet takes requests. */
                client_metadata?: string;
                /** @description The challenge of a proof key (RFC 7636). */
                code_challenge?: string;
                /** @description `S256` */
                code_challenge_method?: string;
                /** @description The credential issuer (RFC 8707); not needed. */
                resource?: string;
                /** @description Not supported. */
                request?: string;
                /** @description The reference to a pushed request; with it only `client_id` is read. */
                request_uri?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            302: components["responses"]["LoginRedirect"];
            400: components["responses"]["OAuthBadRequest"];
            429: components["responses"]["OAuthTooManyRequests"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    pushDraft11Authorization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "response_type": "code",
                 *       "client_id": "wallet",
                 *       "redirect_uri": "https://wallet.example/callback",
                 *       "issuer_state": "f5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44",
                 *       "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
                 *       "code_challenge_method": "S256",
                 *       "state": "7f3a"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["PushedAuthorization"];
            };
        };
        responses: {
            201: components["responses"]["PushedReference"];
            400: components["responses"]["OAuthBadRequest"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            429: components["responses"]["OAuthTooManyRequests"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    answerDraft11Login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["LoginAnswer"];
            };
        };
        responses: {
            302: components["responses"]["LoginRedirect"];
            400: components["responses"]["OAuthBadRequest"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            429: components["responses"]["OAuthTooManyRequests"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    finishExternalLogin: {
        parameters: {
            query?: {
                /** @description The login. */
                state?: string;
                /** @description The code of the login server. */
                code?: string;
                /** @description Why there is none. */
                error?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            302: components["responses"]["LoginRedirect"];
            400: components["responses"]["OAuthBadRequest"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    getDraft11Offer: {
        parameters: {
            query: {
                /** @description The issuance session. */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The offer. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "credential_issuer": "http://127.0.0.1:7001/draft11",
                     *       "credentials": [
                     *         "UniversityDegree_jwt_vc_json"
                     *       ],
                     *       "grants": {
                     *         "urn:ietf:params:oauth:grant-type:pre-authorized_code": {
                     *           "pre-authorized_code": "SrcMN3CwJY2ZwTkx4HEbry7NvgIudxHnI66TMLwyk3Q",
                     *           "user_pin_required": false
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Draft11Offer"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    requestDraft11Token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "grant_type": "urn:ietf:params:oauth:grant-type:pre-authorized_code",
                 *       "pre-authorized_code": "SrcMN3CwJY2ZwTkx4HEbry7NvgIudxHnI66TMLwyk3Q",
                 *       "user_pin": "493536"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["Draft11TokenRequest"];
            };
        };
        responses: {
            /** @description The access token and the nonce for the first proof. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "NVp_Udsi4_WbBXQfZvtADcO_ePOBn84u67ayWzkEZ8Q",
                     *       "token_type": "bearer",
                     *       "expires_in": 300,
                     *       "c_nonce": "rI-Un9uwzEjkjn5dcR0JUV-JYCUV3YEgD7NbFsj09yo",
                     *       "c_nonce_expires_in": 300
                     *     }
                     */
                    "application/json": components["schemas"]["Draft11TokenResponse"];
                };
            };
            400: components["responses"]["OAuthBadRequest"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            429: components["responses"]["OAuthTooManyRequests"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    requestDraft11Credential: {
        parameters: {
            query?: never;
            header?: {
                /** @description `Bearer` and the access token. */
                Authorization?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "format": "jwt_vc_json",
                 *       "types": [
                 *         "VerifiableCredential",
                 *         "UniversityDegree"
                 *       ],
                 *       "proof": {
                 *         "proof_type": "jwt",
                 *         "jwt": "eyJ0eXAiOiJvcGVuaWQ0dmNpLXByb29mK2p3dCIsImFsZyI6IkVTMjU2In0.eyJhdWQiOiJodHRwOi8vMTI3LjAuMC4xOjcwMDEvZHJhZnQxMSJ9.c2lnbmF0dXJl"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Draft11CredentialRequest"];
            };
        };
        responses: {
            /** @description The credential, or what the wallet asks for it with later; with the next nonce while there is more to claim. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Draft11CredentialResponse"];
                };
            };
            400: components["responses"]["OAuthBadRequest"];
            401: components["responses"]["OAuthUnauthorized"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            503: components["responses"]["OAuthBusy"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    requestDraft11CredentialBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description `Bearer` and the access token. */
                Authorization?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "credential_requests": [
                 *         {
                 *           "format": "jwt_vc_json",
                 *           "types": [
                 *             "VerifiableCredential",
                 *             "UniversityDegree"
                 *           ],
                 *           "proof": {
                 *             "proof_type": "jwt",
                 *             "jwt": "eyJ0eXAiOiJvcGVuaWQ0dmNpLXByb29mK2p3dCIsImFsZyI6IkVTMjU2In0.eyJhdWQiOiJodHRwOi8vMTI3LjAuMC4xOjcwMDEvZHJhZnQxMSJ9.c2lnbmF0dXJl"
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description One for each credential. */
                    credential_requests: components["schemas"]["Draft11CredentialRequest"][];
                };
            };
        };
        responses: {
            /** @description The credentials in the order of their requests; with the next nonce while there is more to claim. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "credential_responses": [
                     *         {
                     *           "format": "jwt_vc_json",
                     *           "credential": "eyJhbGciOiJFUzI1NiJ9.eyJ2YyI6e319.c2lnbmF0dXJl"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description One for each request. */
                        credential_responses: components["schemas"]["Draft11CredentialResponse"][];
                        /** @description The nonce for the next proofs. */
                        c_nonce?: string;
                        /** @description Seconds until the nonce expires. */
                        c_nonce_expires_in?: number;
                    };
                };
            };
            400: components["responses"]["OAuthBadRequest"];
            401: components["responses"]["OAuthUnauthorized"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            503: components["responses"]["OAuthBusy"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    requestDraft11DeferredCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description `Bearer` and the acceptance token. */
                Authorization?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credential. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "format": "jwt_vc_json",
                     *       "credential": "eyJhbGciOiJFUzI1NiJ9.eyJ2YyI6e319.c2lnbmF0dXJl"
                     *     }
                     */
                    "application/json": components["schemas"]["Draft11CredentialResponse"];
                };
            };
            400: components["responses"]["OAuthBadRequest"];
            401: components["responses"]["OAuthUnauthorized"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    listDraft11Keys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JWK Set (RFC 7517). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kty": "EC",
                     *           "crv": "P-256",
                     *           "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                     *           "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
                     *           "kid": "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U",
                     *           "use": "sig",
                     *           "alg": "ES256"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["IssuerKeySet"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    getDraft11IssuerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Credential issuer metadata. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "credential_issuer": "http://127.0.0.1:7001/draft11",
                     *       "authorization_server": "http://127.0.0.1:7001/draft11",
                     *       "credential_endpoint": "http://127.0.0.1:7001/draft11/credential",
                     *       "token_endpoint": "http://127.0.0.1:7001/draft11/token",
                     *       "credentials_supported": [
                     *         {
                     *           "id": "UniversityDegree_jwt_vc_json",
                     *           "format": "jwt_vc_json",
                     *           "cryptographic_binding_methods_supported": [
                     *             "did:jwk",
                     *             "did:key",
                     *             "did:web",
                     *             "jwk"
                     *           ],
                     *           "types": [
                     *             "VerifiableCredential",
                     *             "UniversityDegree"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Draft11IssuerMetadata"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    getDraft11ServerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AuthorizationServerMetadata"];
            default: components["responses"]["Failure"];
        };
    };
    getDraft11ServerMetadataOfHost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AuthorizationServerMetadata"];
            default: components["responses"]["Failure"];
        };
    };
    getDraft11OpenidConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["OpenidConfiguration"];
            default: components["responses"]["Failure"];
        };
    };
    getDraft11JwtVcIssuer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JWT VC issuer metadata. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issuer": "http://127.0.0.1:7001/draft11",
                     *       "jwks_uri": "http://127.0.0.1:7001/draft11/jwks"
                     *     }
                     */
                    "application/json": components["schemas"]["JwtVcIssuerMetadata"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    getOpenid4vciIssuerMetadata: {
        parameters: {
            query?: never;
            header?: {
                /** @description `application/jwt` for signed metadata. */
                Accept?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Credential issuer metadata. */
            200: {
                headers: {
                    Vary?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "credential_issuer": "http://127.0.0.1:7001/openid4vci",
                     *       "credential_endpoint": "http://127.0.0.1:7001/openid4vci/credential",
                     *       "nonce_endpoint": "http://127.0.0.1:7001/openid4vci/nonce",
                     *       "deferred_credential_endpoint": "http://127.0.0.1:7001/openid4vci/deferred_credential",
                     *       "notification_endpoint": "http://127.0.0.1:7001/openid4vci/notification",
                     *       "batch_credential_issuance": {
                     *         "batch_size": 20
                     *       },
                     *       "credential_request_encryption": {
                     *         "jwks": {
                     *           "keys": [
                     *             {
                     *               "kty": "EC",
                     *               "crv": "P-256",
                     *               "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                     *               "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
                     *               "kid": "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U",
                     *               "use": "enc",
                     *               "alg": "ECDH-ES"
                     *             }
                     *           ]
                     *         },
                     *         "enc_values_supported": [
                     *           "A128GCM",
                     *           "A256GCM"
                     *         ],
                     *         "zip_values_supported": [
                     *           "DEF"
                     *         ],
                     *         "encryption_required": false
                     *       },
                     *       "credential_response_encryption": {
                     *         "alg_values_supported": [
                     *           "ECDH-ES"
                     *         ],
                     *         "enc_values_supported": [
                     *           "A128GCM",
                     *           "A256GCM"
                     *         ],
                     *         "zip_values_supported": [
                     *           "DEF"
                     *         ],
                     *         "encryption_required": false
                     *       },
                     *       "credential_configurations_supported": {
                     *         "UniversityDegree_jwt_vc_json": {
                     *           "format": "jwt_vc_json",
                     *           "scope": "UniversityDegree_jwt_vc_json",
                     *           "cryptographic_binding_methods_supported": [
                     *             "did:jwk",
                     *             "did:key",
                     *             "did:web",
                     *             "jwk"
                     *           ],
                     *           "proof_types_supported": {
                     *             "jwt": {
                     *               "proof_signing_alg_values_supported": [
                     *                 "EdDSA",
                     *                 "ES256"
                     *               ]
                     *             }
                     *           },
                     *           "credential_definition": {
                     *             "type": [
                     *               "VerifiableCredential",
                     *               "UniversityDegree"
                     *             ]
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Openid4vciIssuerMetadata"];
                    /** @example eyJ0eXAiOiJvcGVuaWR2Y2ktaXNzdWVyLW1ldGFkYXRhK2p3dCIsImFsZyI6IkVTMjU2In0.eyJzdWIiOiJodHRwOi8vMTI3LjAuMC4xOjcwMDEvb3BlbmlkNHZjaSJ9.c2lnbmF0dXJl */
                    "application/jwt": string;
                };
            };
            400: components["responses"]["BadRequest"];
            default: components["responses"]["Failure"];
        };
    };
    getOpenid4vciServerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Authorization server metadata. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issuer": "http://127.0.0.1:7001/openid4vci",
                     *       "token_endpoint": "http://127.0.0.1:7001/openid4vci/token",
                     *       "jwks_uri": "http://127.0.0.1:7001/openid4vci/jwks",
                     *       "authorization_endpoint": "http://127.0.0.1:7001/openid4vci/authorize",
                     *       "pushed_authorization_request_endpoint": "http://127.0.0.1:7001/openid4vci/par",
                     *       "grant_types_supported": [
                     *         "authorization_code",
                     *         "urn:ietf:params:oauth:grant-type:pre-authorized_code",
                     *         "refresh_token"
                     *       ],
                     *       "response_types_supported": [
                     *         "code"
                     *       ],
                     *       "code_challenge_methods_supported": [
                     *         "S256"
                     *       ],
                     *       "authorization_response_iss_parameter_supported": true,
                     *       "dpop_signing_alg_values_supported": [
                     *         "EdDSA",
                     *         "ES256"
                     *       ],
                     *       "pre-authorized_grant_anonymous_access_supported": true
                     *     }
                     */
                    "application/json": components["schemas"]["AuthorizationServerMetadata"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    getOpenid4vciJwtVcIssuer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JWT VC issuer metadata. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issuer": "http://127.0.0.1:7001/openid4vci",
                     *       "jwks_uri": "http://127.0.0.1:7001/openid4vci/jwks"
                     *     }
                     */
                    "application/json": components["schemas"]["JwtVcIssuerMetadata"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    listOpenid4vciKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JWK Set (RFC 7517). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kty": "EC",
                     *           "crv": "P-256",
                     *           "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                     *           "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
                     *           "kid": "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U",
                     *           "use": "sig",
                     *           "alg": "ES256"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["IssuerKeySet"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    getOpenid4vciOffer: {
        parameters: {
            query: {
                /** @description The id of the offer. */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The offer. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "credential_issuer": "http://127.0.0.1:7001/openid4vci",
                     *       "credential_configuration_ids": [
                     *         "UniversityDegree_jwt_vc_json"
                     *       ],
                     *       "grants": {
                     *         "urn:ietf:params:oauth:grant-type:pre-authorized_code": {
                     *           "pre-authorized_code": "SrcMN3CwJY2ZwTkx4HEbry7NvgIudxHnI66TMLwyk3Q",
                     *           "tx_code": {
                     *             "input_mode": "numeric",
                     *             "length": 6
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Openid4vciOffer"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    pushOpenid4vciAuthorization: {
        parameters: {
            query?: never;
            header?: {
                /** @description A DPoP proof (RFC 9449 §4), signed with EdDSA or ES256. */
                DPoP?: components["parameters"]["Openid4vciDpop"];
                /** @description A client attestation (draft-ietf-oauth-attestation-based-client-auth-11 §4) of an attester that the operator trusts. */
                "OAuth-Client-Attestation"?: components["parameters"]["Openid4vciClientAttestation"];
                /** @description The proof of possession of its key (§5.1); without it the DPoP proof must be of that key. */
                "OAuth-Client-Attestation-PoP"?: components["parameters"]["Openid4vciClientAttestationPop"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "response_type": "code",
                 *       "client_id": "wallet",
                 *       "redirect_uri": "https://wallet.example/callback",
                 *       "issuer_state": "mUKGiLmhd-xHvCzNqPZ2ZHrUqQbvRZBrwOHhXKQ-3n4",
                 *       "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
                 *       "code_challenge_method": "S256",
                 *       "state": "7f3a"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["Openid4vciPushedRequest"];
            };
        };
        responses: {
            /** @description The reference. */
            201: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    "DPoP-Nonce"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "request_uri": "urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c6esc_11ACC5bwc01",
                     *       "expires_in": 60
                     *     }
                     */
                    "application/json": components["schemas"]["Openid4vciPushedResponse"];
                };
            };
            400: components["responses"]["OAuthBadRequest"];
            401: components["responses"]["OAuthClientRefused"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            429: components["responses"]["OAuthTooManyRequests"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    authorizeOpenid4vci: {
        parameters: {
            query?: {
                /** @description `code` */
                response_type?: string;
                /** @description The identifier of the wallet. */
                client_id?: string;
                /** @description Where the user is sent back to. */
                redirect_uri?: string;
                /** @description `query`, the default */
                response_mode?: string;
                /** @description Scopes of configurations of the offer. */
                scope?: string;
                /** @description Returned unchanged. */
                state?: string;
                /** @description The `issuer_state` of the offer. */
                issuer_state?: string;
                /** @description JSON (RFC 9396): a list of details of type `openid_credential` with a `credential_configuration_id` of the offer. */
                authorization_details?: string;
                /** @description The challenge (RFC 7636), which is required. */
                code_challenge?: string;
                /** @description `S256` */
                code_challenge_method?: string;
                /** @description The credential issuer (RFC 8707); not needed. */
                resource?: string;
                /** @description The thumbprint of the key that tokens are to be bound to (RFC 9449 §10). */
                dpop_jkt?: string;
                /** @description Not supported. */
                request?: string;
                /** @description The reference to a pushed request; with it only `client_id` is read. */
                request_uri?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the redirect URI of the wallet, or to the login. */
            302: {
                headers: {
                    Location?: string;
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["OAuthBadRequest"];
            429: components["responses"]["OAuthTooManyRequests"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    requestOpenid4vciToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description A DPoP proof (RFC 9449 §4), signed with EdDSA or ES256. */
                DPoP?: components["parameters"]["Openid4vciDpop"];
                /** @description A client attestation (draft-ietf-oauth-attestation-based-client-auth-11 §4) of an attester that the operator trusts. */
                "OAuth-Client-Attestation"?: components["parameters"]["Openid4vciClientAttestation"];
                /** @description The proof of possession of its key (§5.1); without it the DPoP proof must be of that key. */
                "OAuth-Client-Attestation-PoP"?: components["parameters"]["Openid4vciClientAttestationPop"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "grant_type": "urn:ietf:params:oauth:grant-type:pre-authorized_code",
                 *       "pre-authorized_code": "SrcMN3CwJY2ZwTkx4HEbry7NvgIudxHnI66TMLwyk3Q",
                 *       "tx_code": "493536"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["Openid4vciTokenRequest"];
            };
        };
        responses: {
            /** @description The access token. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    "DPoP-Nonce"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "NVp_Udsi4_WbBXQfZvtADcO_ePOBn84u67ayWzkEZ8Q",
                     *       "token_type": "bearer",
                     *       "expires_in": 300
                     *     }
                     */
                    "application/json": components["schemas"]["Openid4vciTokenResponse"];
                };
            };
            400: components["responses"]["OAuthBadRequest"];
            401: components["responses"]["OAuthClientRefused"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            429: components["responses"]["OAuthTooManyRequests"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    requestOpenid4vciNonce: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The nonce. Where DPoP proofs need a nonce of this server, one is in `DPoP-Nonce`. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    "DPoP-Nonce"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "c_nonce": "AZL5jLQAd9_mDs8yVvfnVcRJIUzwZyLC1dY9Y3AbM7pl8a0xYlM5Hk4ZQf2k3w"
                     *     }
                     */
                    "application/json": components["schemas"]["Openid4vciNonceResponse"];
                };
            };
            default: components["responses"]["OAuthFailure"];
        };
    };
    requestOpenid4vciChallenge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The challenge. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "attestation_challenge": "AZL5jLQAd9_mDs8yVvfnVcRJIUzwZyLC1dY9Y3AbM7p"
                     *     }
                     */
                    "application/json": components["schemas"]["Openid4vciChallengeResponse"];
                };
            };
            default: components["responses"]["OAuthFailure"];
        };
    };
    requestOpenid4vciCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description `DPoP` and an access token that is bound to a key, or `Bearer` and any other. */
                Authorization?: components["parameters"]["Openid4vciAuthorization"];
                /** @description A DPoP proof (RFC 9449 §4), signed with EdDSA or ES256. */
                DPoP?: components["parameters"]["Openid4vciDpop"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Openid4vciCredentialRequest"];
                /** @example eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTEyOEdDTSIsImtpZCI6Im9LSXl3dkdVcFRWVHl4TVEzYndJSWVRVXVkZnJfQ2tMTWpDRTE5RUNELVUifQ..aXY.Y2lwaGVydGV4dA.dGFn */
                "application/jwt": string;
            };
        };
        responses: {
            /** @description The credentials, one for each key. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    "DPoP-Nonce"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "credentials": [
                     *         {
                     *           "credential": "eyJhbGciOiJFUzI1NiJ9.eyJ2YyI6e319.c2lnbmF0dXJl"
                     *         }
                     *       ],
                     *       "notification_id": "f5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44.0"
                     *     }
                     */
                    "application/json": components["schemas"]["Openid4vciCredentialResponse"];
                    /** @example eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTEyOEdDTSJ9..aXY.Y2lwaGVydGV4dA.dGFn */
                    "application/jwt": string;
                };
            };
            /** @description The credentials are made when the wallet asks for them at the deferred credential endpoint. */
            202: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    "DPoP-Nonce"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transaction_id": "rI-Un9uwzEjkjn5dcR0JUV-JYCUV3YEgD7NbFsj09yo",
                     *       "interval": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Openid4vciDeferredResponse"];
                    /** @example eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTEyOEdDTSJ9..aXY.Y2lwaGVydGV4dA.dGFn */
                    "application/jwt": string;
                };
            };
            400: components["responses"]["OAuthBadRequest"];
            401: components["responses"]["OAuthTokenRefused"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            429: components["responses"]["OAuthTooManyRequests"];
            503: components["responses"]["OAuthBusy"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    requestOpenid4vciDeferredCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description `DPoP` and an access token that is bound to a key, or `Bearer` and any other. */
                Authorization?: components["parameters"]["Openid4vciAuthorization"];
                /** @description A DPoP proof (RFC 9449 §4), signed with EdDSA or ES256. */
                DPoP?: components["parameters"]["Openid4vciDpop"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transaction_id": "rI-Un9uwzEjkjn5dcR0JUV-JYCUV3YEgD7NbFsj09yo"
                 *     }
                 */
                "application/json": components["schemas"]["Openid4vciDeferredRequest"];
                /** @example eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTEyOEdDTSIsImtpZCI6Im9LSXl3dkdVcFRWVHl4TVEzYndJSWVRVXVkZnJfQ2tMTWpDRTE5RUNELVUifQ..aXY.Y2lwaGVydGV4dA.dGFn */
                "application/jwt": string;
            };
        };
        responses: {
            /** @description The credentials, one for each proof of the credential request. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    "DPoP-Nonce"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "credentials": [
                     *         {
                     *           "credential": "eyJhbGciOiJFUzI1NiJ9.eyJ2YyI6e319.c2lnbmF0dXJl"
                     *         }
                     *       ],
                     *       "notification_id": "f5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44.0"
                     *     }
                     */
                    "application/json": components["schemas"]["Openid4vciCredentialResponse"];
                    /** @example eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTEyOEdDTSJ9..aXY.Y2lwaGVydGV4dA.dGFn */
                    "application/jwt": string;
                };
            };
            /** @description Another request is making the credentials; ask again after the interval. */
            202: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    "DPoP-Nonce"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transaction_id": "rI-Un9uwzEjkjn5dcR0JUV-JYCUV3YEgD7NbFsj09yo",
                     *       "interval": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Openid4vciDeferredResponse"];
                    /** @example eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTEyOEdDTSJ9..aXY.Y2lwaGVydGV4dA.dGFn */
                    "application/jwt": string;
                };
            };
            400: components["responses"]["OAuthBadRequest"];
            401: components["responses"]["OAuthTokenRefused"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            429: components["responses"]["OAuthTooManyRequests"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    notifyOpenid4vciIssuer: {
        parameters: {
            query?: never;
            header?: {
                /** @description `DPoP` and an access token that is bound to a key, or `Bearer` and any other. */
                Authorization?: components["parameters"]["Openid4vciAuthorization"];
                /** @description A DPoP proof (RFC 9449 §4), signed with EdDSA or ES256. */
                DPoP?: components["parameters"]["Openid4vciDpop"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Openid4vciNotification"];
            };
        };
        responses: {
            /** @description The notification is accepted. */
            204: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    "DPoP-Nonce"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["OAuthBadRequest"];
            401: components["responses"]["OAuthTokenRefused"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    listIssuanceProfiles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All profiles. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "profileId": "UniversityDegree_jwt_vc_json",
                     *         "name": "UniversityDegree_jwt_vc_json",
                     *         "credentialConfigurationId": "UniversityDegree_jwt_vc_json",
                     *         "format": "jwt_vc_json",
                     *         "types": [
                     *           "VerifiableCredential",
                     *           "UniversityDegree"
                     *         ],
                     *         "scope": "UniversityDegree_jwt_vc_json",
                     *         "credentialData": {
                     *           "@context": [
                     *             "https://www.w3.org/2018/credentials/v1"
                     *           ],
                     *           "type": [
                     *             "VerifiableCredential",
                     *             "UniversityDegree"
                     *           ],
                     *           "credentialSubject": {
                     *             "given_name": "Alex",
                     *             "family_name": "Example",
                     *             "birthdate": "1990-01-31"
                     *           }
                     *         },
                     *         "mapping": {
                     *           "id": "<uuid>",
                     *           "issuer": {
                     *             "id": "<issuerDid>"
                     *           },
                     *           "issuanceDate": "<timestamp>",
                     *           "expirationDate": "<timestamp-in:365d>"
                     *         },
                     *         "display": [],
                     *         "claims": []
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["IssuanceProfile"][];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    getIssuanceProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the profile. */
                profileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The profile. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "profileId": "membership",
                     *       "name": "Membership card",
                     *       "credentialConfigurationId": "MembershipCard_dc+sd-jwt",
                     *       "format": "dc+sd-jwt",
                     *       "vct": "urn:example:membership",
                     *       "scope": "membership",
                     *       "issuerDid": "did:web:university.example.org",
                     *       "credentialData": {
                     *         "given_name": "Alex",
                     *         "level": "gold"
                     *       },
                     *       "selectiveDisclosure": {
                     *         "fields": {
                     *           "given_name": {
                     *             "sd": true
                     *           }
                     *         }
                     *       },
                     *       "display": [
                     *         {
                     *           "name": "Membership card",
                     *           "locale": "en-US"
                     *         }
                     *       ],
                     *       "claims": [
                     *         {
                     *           "path": [
                     *             "given_name"
                     *           ],
                     *           "mandatory": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["IssuanceProfile"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    createCredentialOffer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CredentialOfferRequest"];
            };
        };
        responses: {
            /** @description The offer. */
            201: {
                headers: {
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "offerId": "0f0e7a4c-5d4f-4f0e-9d55-3a3c5c1f5b11",
                     *       "profileId": "UniversityDegree_jwt_vc_json",
                     *       "authMethod": "PRE_AUTHORIZED",
                     *       "expiresAt": 1795253400000,
                     *       "txCodeValue": "493536",
                     *       "credentialOffer": "openid-credential-offer://?credential_offer_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vci%2Fcredential-offer%3Fid%3DtCxv3jCY5qD9mPq0c1DNRXbhAZmRrN2Cj0xYcQ8gk5E"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedCredentialOffer"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    createCredentialOffersInBulk: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "profileId": "UniversityDegree_jwt_vc_json",
                 *         "authMethod": "PRE_AUTHORIZED",
                 *         "sessionId": "7c0c1ad0e52746f6b6ab3ee0a4f4a7ef"
                 *       },
                 *       {
                 *         "profileId": "UniversityDegree_jwt_vc_json",
                 *         "authMethod": "PRE_AUTHORIZED",
                 *         "sessionId": "e0f1a3b2c4d54e5f8091a2b3c4d5e6f7"
                 *       }
                 *     ]
                 */
                "application/x-ndjson": components["schemas"]["CredentialOfferRequest"][];
            };
        };
        responses: {
            /** @description A line for each line. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    "X-Accel-Buffering"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "line": 1,
                     *         "status": 201,
                     *         "offer": {
                     *           "offerId": "7c0c1ad0e52746f6b6ab3ee0a4f4a7ef",
                     *           "profileId": "UniversityDegree_jwt_vc_json",
                     *           "authMethod": "PRE_AUTHORIZED",
                     *           "expiresAt": 1795253400000,
                     *           "credentialOffer": "openid-credential-offer://?credential_offer_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vci%2Fcredential-offer%3Fid%3DtCxv3jCY5qD9mPq0c1DNRXbhAZmRrN2Cj0xYcQ8gk5E"
                     *         }
                     *       },
                     *       {
                     *         "line": 2,
                     *         "status": 400,
                     *         "error": {
                     *           "exception": true,
                     *           "id": "BadRequest",
                     *           "status": "Bad Request",
                     *           "code": "400",
                     *           "message": "/body/profileId: is required",
                     *           "requestId": "0f0e7a4c-5d4f-4f0e-9d55-3a3c5c1f5b11",
                     *           "details": [
                     *             {
                     *               "path": "/body/profileId",
                     *               "message": "is required"
                     *             }
                     *           ]
                     *         }
                     *       }
                     *     ]
                     */
                    "application/x-ndjson": components["schemas"]["BulkOfferLine"][];
                };
            };
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failure"];
        };
    };
    listIssuanceSessions: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to skip. Digits only. */
                offset?: components["parameters"]["Offset"];
                /** @description The name alone, or with `-`, means latest first; `+`, to be written as `%2B`, means oldest first. Without it the elements are in the order of their targets. */
                sort?: components["parameters"]["Sort"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "sessionId": "enrolment-2026-0042",
                     *         "profileId": "UniversityDegree_jwt_vc_json",
                     *         "authenticationMethod": "PRE_AUTHORIZED",
                     *         "credentialConfigurationId": "UniversityDegree_jwt_vc_json",
                     *         "credentialConfigurationIds": [
                     *           "UniversityDegree_jwt_vc_json"
                     *         ],
                     *         "status": "ACTIVE",
                     *         "isClosed": false,
                     *         "expiresAt": "2026-11-21T09:35:00.000Z",
                     *         "offered": 1,
                     *         "issued": 0,
                     *         "credentials": 0,
                     *         "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *         "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["IssuanceSession"][];
                };
            };
            400: components["responses"]["BadRequest"];
            default: components["responses"]["Failure"];
        };
    };
    getIssuanceSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The issuance session. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessionId": "0f0e7a4c-5d4f-4f0e-9d55-3a3c5c1f5b11",
                     *       "profileId": "UniversityDegree_jwt_vc_json",
                     *       "authenticationMethod": "PRE_AUTHORIZED",
                     *       "credentialConfigurationId": "UniversityDegree_jwt_vc_json",
                     *       "credentialConfigurationIds": [
                     *         "UniversityDegree_jwt_vc_json"
                     *       ],
                     *       "status": "EXPIRED",
                     *       "statusReason": "The issuance session expired",
                     *       "isClosed": true,
                     *       "expiresAt": "2026-11-21T09:35:00.000Z",
                     *       "offered": 1,
                     *       "issued": 0,
                     *       "credentials": 0,
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *       "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["IssuanceSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    streamIssuanceSessionEvents: {
        parameters: {
            query?: {
                /** @description The same, for pages that cannot set the header. The header comes first. */
                lastEventId?: components["schemas"]["EventNumber"];
            };
            header?: {
                /** @description The number of the last event that was received. */
                "Last-Event-ID"?: components["schemas"]["EventNumber"];
            };
            path: {
                /** @description The issuance session. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, as they come. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    "X-Accel-Buffering"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example retry: 1000
                     *
                     *     id: 1
                     *     data: {"target":"0f0e7a4c-5d4f-4f0e-9d55-3a3c5c1f5b11","event":"credential_offer_created","session":{"sessionId":"0f0e7a4c-5d4f-4f0e-9d55-3a3c5c1f5b11","status":"ACTIVE"}}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failure"];
        };
    };
    startVerification: {
        parameters: {
            query?: never;
            header?: {
                /** @description Start of the request URL. Its own query is kept; it must not contain parameters of the request. */
                authorizeBaseUrl?: string;
                /** @description How the wallet answers: `direct_post`, or encrypted by `direct_post.jwt`. Mdocs and `ISO_18013_7_MDOC` need `direct_post.jwt`, which is then the default; otherwise it is `direct_post`. */
                responseMode?: string;
                /** @description Where the user is sent after success; `$id` becomes the session id. */
                successRedirectUri?: string;
                /** @description Where the user is sent after failure; `$id` becomes the session id. */
                errorRedirectUri?: string;
                /** @description Receives the session with its result as a POST once a wallet has answered. */
                statusCallbackUri?: string;
                /** @description Sent unchanged in the `Authorization` header of the callback. */
                statusCallbackApiKey?: string;
                /** @description The `state` of the session instead of a generated one. */
                stateId?: string;
                /** @description The profile of OpenID4VP: `DEFAULT`; `HAIP`, the older one of this name, with the definition in the URL (HAIP 1.0 has DCQL only); `ISO_18013_7_MDOC` and `EBSIV3`, whose requests are by reference and signed. When absent, the scheme of `authorizeBaseUrl` decides: `mdoc-openid4vp://` and `haip://` are those of their profiles. */
                openId4VPProfile?: string;
                /** @description Seconds until the request expires, 300 when absent. */
                sessionTtl?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyRequest"];
            };
        };
        responses: {
            /** @description The request URL. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example openid4vp://authorize?response_type=vp_token&client_id=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fverify%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&response_mode=direct_post&state=f5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&presentation_definition_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fpd%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44&client_id_scheme=redirect_uri&client_metadata=%7B%7D&nonce=8a60c20a-a498-4c74-b570-b9ec188486dc&response_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vc%2Fverify%2Ff5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44 */
                    "text/plain": string;
                };
            };
            400: components["responses"]["BadRequest"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failure"];
        };
    };
    getPresentationDefinition: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `state` of the request URL. */
                state: components["parameters"]["VerificationState"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The definition. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "86f4b196-9a17-4f02-9c84-29cdda7142c5",
                     *       "input_descriptors": [
                     *         {
                     *           "id": "UniversityDegree",
                     *           "format": {
                     *             "jwt_vc_json": {
                     *               "alg": [
                     *                 "EdDSA",
                     *                 "ES256K",
                     *                 "ES256",
                     *                 "ES384",
                     *                 "ES512",
                     *                 "RS256",
                     *                 "RS384",
                     *                 "RS512"
                     *               ]
                     *             }
                     *           },
                     *           "constraints": {
                     *             "fields": [
                     *               {
                     *                 "path": [
                     *                   "$.vc.type"
                     *                 ]
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PresentationDefinition"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    getRequestObject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `state` of the request URL. */
                state: components["parameters"]["VerificationState"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example eyJ0eXAiOiJvYXV0aC1hdXRoei1yZXErand0IiwiYWxnIjoiRVMyNTYifQ.eyJjbGllbnRfaWQiOiJ2ZXJpZmllci5leGFtcGxlLm9yZyJ9.c2lnbmF0dXJl */
                    "application/oauth-authz-req+jwt": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    getVerifierJwks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JWK set. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kty": "EC",
                     *           "crv": "P-256",
                     *           "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                     *           "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
                     *           "kid": "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The keys. */
                        keys: {
                            [key: string]: unknown;
                        }[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            default: components["responses"]["Failure"];
        };
    };
    getVerifierConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metadata. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issuer": "http://127.0.0.1:7001",
                     *       "authorization_endpoint": "http://127.0.0.1:7001/authorize",
                     *       "jwks_uri": "http://127.0.0.1:7001/jwks",
                     *       "response_types_supported": [
                     *         "code",
                     *         "id_token",
                     *         "vp_token"
                     *       ],
                     *       "subject_types_supported": [
                     *         "public"
                     *       ],
                     *       "id_token_signing_alg_values_supported": [
                     *         "ES256"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The URL of the verifier. */
                        issuer: string;
                        /** @description Where wallets begin a verification themselves. */
                        authorization_endpoint: string;
                        /** @description The keys that sign requests. */
                        jwks_uri: string;
                        /** @description Response types. */
                        response_types_supported?: string[];
                        /** @description Subject types. */
                        subject_types_supported?: string[];
                        /** @description Algorithms of ID tokens. */
                        id_token_signing_alg_values_supported?: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            default: components["responses"]["Failure"];
        };
    };
    authorizeWallet: {
        parameters: {
            query: {
                /** @description `openid ver_test:vp_token` */
                scope: string;
                /** @description Returned unchanged. */
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the wallet. */
            302: {
                headers: {
                    /** @description The request. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failure"];
        };
    };
    submitPresentation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `state` of the request URL. */
                state: components["parameters"]["VerificationState"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description One JWT presentation. */
                    vp_token?: string;
                    /** @description The other parameters as a JWE, to a session of `direct_post.jwt`; ECDH-ES with A128GCM or A256GCM to the key in `client_metadata`. */
                    response?: string;
                    /** @description The submission as JSON. */
                    presentation_submission?: string;
                    /** @description The `state` of the request. */
                    state?: string;
                    /** @description The error that the wallet sends instead of a presentation. */
                    error?: string;
                    /** @description The reason, for humans. */
                    error_description?: string;
                    /** @description A page about the error. */
                    error_uri?: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description All policies succeeded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Where the wallet sends the user. */
                        redirect_uri?: string;
                    };
                };
            };
            /** @description The answer to a wallet that began the verification itself, by `/authorize`. */
            302: {
                headers: {
                    /** @description `openid://` with `code` or `error`, and `state`. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The answer cannot be read, the wallet refused, or a policy failed; then `error_uri` is where the wallet sends the user, if the verifier gave a URL. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"];
                };
            };
            404: components["responses"]["OAuthNotFound"];
            409: components["responses"]["OAuthConflict"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            503: components["responses"]["OAuthBusy"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    getVerificationResult: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `state` of the request URL. */
                state: components["parameters"]["VerificationState"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerificationSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    getPresentedCredentials: {
        parameters: {
            query?: {
                /** @description `simple`, the default, or `verbose`. */
                viewMode?: "simple" | "verbose";
            };
            header?: never;
            path: {
                /** @description The `state` of the request URL. */
                state: components["parameters"]["VerificationState"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One view for each presentation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "credentialsByFormat": {
                     *         "jwt_vc_json": [
                     *           {
                     *             "type": "jwt_vc_json_view_simple",
                     *             "holder": "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK",
                     *             "verifiableCredentials": [
                     *               {
                     *                 "header": {
                     *                   "alg": "ES256",
                     *                   "typ": "JWT"
                     *                 },
                     *                 "payload": {
                     *                   "iss": "did:jwk:eyJrdHkiOiJFQyJ9",
                     *                   "vc": {
                     *                     "type": [
                     *                       "VerifiableCredential",
                     *                       "UniversityDegree"
                     *                     ]
                     *                   }
                     *                 }
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "viewMode": "simple"
                     *     }
                     */
                    "application/json": components["schemas"]["PresentedCredentials"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    listVerifierTransactionDataProfiles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The profiles. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "type": "org.example.payment",
                     *         "displayName": "Payment",
                     *         "fields": [
                     *           "amount",
                     *           "currency",
                     *           "payee"
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": {
                        /** @description The `type` of the transaction data. */
                        type: string;
                        /** @description What it is, for humans. */
                        displayName: string;
                        /** @description The names of its members. */
                        fields: string[];
                    }[];
                };
            };
            400: components["responses"]["BadRequest"];
            default: components["responses"]["Failure"];
        };
    };
    listPolicies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Descriptions by name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "signature": "Checks the signature with a key of the issuer, or of the holder for a presentation",
                     *       "expired": "Fails when the credential or presentation has expired"
                     *     }
                     */
                    "application/json": {
                        [key: string]: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            default: components["responses"]["Failure"];
        };
    };
    describePolicies: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The policies. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "name": "expired",
                     *         "aliases": [
                     *           "expiration"
                     *         ],
                     *         "description": "Fails when the credential or presentation has expired",
                     *         "scopes": [
                     *           "vp",
                     *           "vc"
                     *         ],
                     *         "stage": "presented",
                     *         "dependsOn": [],
                     *         "argument": {
                     *           "isRequired": false,
                     *           "schema": {
                     *             "type": "object",
                     *             "additionalProperties": false,
                     *             "properties": {
                     *               "requireField": {
                     *                 "type": "boolean",
                     *                 "default": false,
                     *                 "description": "Refuses what has no such date."
                     *               }
                     *             },
                     *             "examples": [
                     *               {
                     *                 "requireField": true
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["PolicyDescription"][];
                };
            };
            400: components["responses"]["BadRequest"];
            default: components["responses"]["Failure"];
        };
    };
    createVerificationSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerificationSessionSetup"];
            };
        };
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessionId": "0f0e7a4c-5d4f-4f0e-9d55-3a3c5c1f5b11",
                     *       "bootstrapAuthorizationRequestUrl": "openid4vp://authorize?response_type=vp_token&client_id=redirect_uri%3Ahttp%3A%2F%2F127.0.0.1%3A7001%2Fverification-session%2FtCxv3jCY5qD9mPq0c1DNRXbhAZmRrN2Cj0xYcQ8gk5E%2Fresponse&response_mode=direct_post&response_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fverification-session%2FtCxv3jCY5qD9mPq0c1DNRXbhAZmRrN2Cj0xYcQ8gk5E%2Fresponse&nonce=qPmxiNFCR3QTm19POc8u&state=wKcLq8bYyDPRrRaYVu8cRoT3yGkT3kP0m3iOBAdnRBc&client_metadata=%7B%7D&dcql_query=%7B%7D",
                     *       "fullAuthorizationRequestUrl": "openid4vp://authorize?response_type=vp_token&client_id=redirect_uri%3Ahttp%3A%2F%2F127.0.0.1%3A7001%2Fverification-session%2FtCxv3jCY5qD9mPq0c1DNRXbhAZmRrN2Cj0xYcQ8gk5E%2Fresponse&response_mode=direct_post&response_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fverification-session%2FtCxv3jCY5qD9mPq0c1DNRXbhAZmRrN2Cj0xYcQ8gk5E%2Fresponse&nonce=qPmxiNFCR3QTm19POc8u&state=wKcLq8bYyDPRrRaYVu8cRoT3yGkT3kP0m3iOBAdnRBc&client_metadata=%7B%7D&dcql_query=%7B%7D"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedVerificationSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    getVerificationSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the session. */
                sessionId: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0f0e7a4c-5d4f-4f0e-9d55-3a3c5c1f5b11",
                     *       "flow_type": "cross_device",
                     *       "status": "SUCCESSFUL",
                     *       "attempted": true,
                     *       "creationDate": "2026-11-21T09:30:00.000Z",
                     *       "expirationDate": "2026-11-21T09:40:00.000Z",
                     *       "retentionDate": "2026-11-22T09:30:07.000Z",
                     *       "requestMode": "URL_ENCODED",
                     *       "isHaip": false,
                     *       "authorizationRequest": {
                     *         "response_type": "vp_token"
                     *       },
                     *       "policies": {
                     *         "vc_policies": [
                     *           {
                     *             "policy": "signature"
                     *           }
                     *         ],
                     *         "specific_vc_policies": {}
                     *       },
                     *       "redirects": {},
                     *       "presented_raw_data": {
                     *         "vpToken": {
                     *           "degree": [
                     *             "eyJhbGciOiJFUzI1NiJ9.eyJ2cCI6e319.c2lnbmF0dXJl"
                     *           ]
                     *         }
                     *       },
                     *       "presented_credentials": {
                     *         "degree": [
                     *           {
                     *             "format": "jwt_vc_json",
                     *             "type": "UniversityDegree",
                     *             "issuer": "did:web:university.example.org",
                     *             "digest": "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU",
                     *             "claims": {
                     *               "credentialSubject": {
                     *                 "degree": {
                     *                   "type": "BachelorDegree"
                     *                 }
                     *               }
                     *             }
                     *           }
                     *         ]
                     *       },
                     *       "policy_results": {
                     *         "vp_policies": {
                     *           "degree": {
                     *             "jwt_vc_json/nonce-check": {
                     *               "success": true,
                     *               "errors": []
                     *             }
                     *           }
                     *         },
                     *         "vc_policies": [
                     *           {
                     *             "policy": {
                     *               "policy": "signature"
                     *             },
                     *             "success": true,
                     *             "code": "passed",
                     *             "reason": "The signature is valid",
                     *             "query_id": "degree",
                     *             "credential_index": 0
                     *           }
                     *         ],
                     *         "specific_vc_policies": {},
                     *         "overallSuccess": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PresentationSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    redeemResponseCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the session. */
                sessionId: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "response_code": "r3sponse-c0de"
                 *     }
                 */
                "application/json": {
                    /** @description The code of the redirect. */
                    response_code: string;
                };
            };
        };
        responses: {
            /** @description The session with its outcome. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0f0e7a4c-5d4f-4f0e-9d55-3a3c5c1f5b11",
                     *       "flow_type": "cross_device",
                     *       "status": "SUCCESSFUL",
                     *       "attempted": true,
                     *       "creationDate": "2026-11-21T09:30:00.000Z",
                     *       "expirationDate": "2026-11-21T09:40:00.000Z",
                     *       "retentionDate": "2026-11-22T09:30:07.000Z",
                     *       "requestMode": "URL_ENCODED",
                     *       "isHaip": false,
                     *       "authorizationRequest": {
                     *         "response_type": "vp_token"
                     *       },
                     *       "policies": {
                     *         "vc_policies": [
                     *           {
                     *             "policy": "signature"
                     *           }
                     *         ],
                     *         "specific_vc_policies": {}
                     *       },
                     *       "redirects": {},
                     *       "presented_raw_data": {
                     *         "vpToken": {
                     *           "degree": [
                     *             "eyJhbGciOiJFUzI1NiJ9.eyJ2cCI6e319.c2lnbmF0dXJl"
                     *           ]
                     *         }
                     *       },
                     *       "presented_credentials": {
                     *         "degree": [
                     *           {
                     *             "format": "jwt_vc_json",
                     *             "type": "UniversityDegree",
                     *             "issuer": "did:web:university.example.org",
                     *             "digest": "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU",
                     *             "claims": {
                     *               "credentialSubject": {
                     *                 "degree": {
                     *                   "type": "BachelorDegree"
                     *                 }
                     *               }
                     *             }
                     *           }
                     *         ]
                     *       },
                     *       "policy_results": {
                     *         "vp_policies": {
                     *           "degree": {
                     *             "jwt_vc_json/nonce-check": {
                     *               "success": true,
                     *               "errors": []
                     *             }
                     *           }
                     *         },
                     *         "vc_policies": [
                     *           {
                     *             "policy": {
                     *               "policy": "signature"
                     *             },
                     *             "success": true,
                     *             "code": "passed",
                     *             "reason": "The signature is valid",
                     *             "query_id": "degree",
                     *             "credential_index": 0
                     *           }
                     *         ],
                     *         "specific_vc_policies": {},
                     *         "overallSuccess": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PresentationSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failure"];
        };
    };
    streamVerificationSessionEvents: {
        parameters: {
            query?: {
                /** @description The same, for pages that cannot set the header. The header comes first. */
                lastEventId?: components["schemas"]["EventNumber"];
            };
            header?: {
                /** @description The number of the last event that was received. */
                "Last-Event-ID"?: components["schemas"]["EventNumber"];
            };
            path: {
                /** @description The id of the session. */
                sessionId: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, as they come. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    "X-Accel-Buffering"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example retry: 1000
                     *
                     *     id: 1
                     *     data: {"target":"0f0e7a4c-5d4f-4f0e-9d55-3a3c5c1f5b11","event":"authorization_request_requested","session":{"id":"0f0e7a4c-5d4f-4f0e-9d55-3a3c5c1f5b11","status":"IN_USE"}}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failure"];
        };
    };
    getAuthorizationRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the request, as the links for wallets have it. */
                requestId: components["parameters"]["RequestId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /** @example eyJhbGciOiJFUzI1NiIsInR5cCI6Im9hdXRoLWF1dGh6LXJlcStqd3QifQ.eyJyZXNwb25zZV90eXBlIjoidnBfdG9rZW4ifQ.c2lnbmF0dXJl */
                    "application/oauth-authz-req+jwt": string;
                    /**
                     * @example {
                     *       "response_type": "vp_token"
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["OAuthBadRequest"];
            404: components["responses"]["OAuthNotFound"];
            409: components["responses"]["OAuthConflict"];
            429: components["responses"]["OAuthTooManyRequests"];
            502: components["responses"]["OAuthBadGateway"];
            504: components["responses"]["OAuthGatewayTimeout"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    postAuthorizationRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the request, as the links for wallets have it. */
                requestId: components["parameters"]["RequestId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "wallet_nonce": "qPmxiNFCR3QTm19POc8u",
                 *       "wallet_metadata": "{\"vp_formats_supported\":{\"jwt_vc_json\":{}}}"
                 *     }
                 */
                "application/x-www-form-urlencoded": {
                    /** @description What the signed request repeats, so that it is no replay. */
                    wallet_nonce?: string;
                    /** @description What the wallet can do, as JSON. */
                    wallet_metadata?: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The request. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /** @example eyJhbGciOiJFUzI1NiIsInR5cCI6Im9hdXRoLWF1dGh6LXJlcStqd3QifQ.eyJyZXNwb25zZV90eXBlIjoidnBfdG9rZW4ifQ.c2lnbmF0dXJl */
                    "application/oauth-authz-req+jwt": string;
                    /**
                     * @example {
                     *       "response_type": "vp_token"
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["OAuthBadRequest"];
            404: components["responses"]["OAuthNotFound"];
            409: components["responses"]["OAuthConflict"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            429: components["responses"]["OAuthTooManyRequests"];
            502: components["responses"]["OAuthBadGateway"];
            504: components["responses"]["OAuthGatewayTimeout"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    submitAuthorizationResponse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the request, as the links for wallets have it. */
                requestId: components["parameters"]["RequestId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description Presentations by the ids of their queries, as JSON. */
                    vp_token?: string;
                    /** @description The `state` of the request. */
                    state?: string;
                    /** @description The same members, encrypted to the key of the request. */
                    response?: string;
                    /** @description The error that the wallet sends instead of a presentation. */
                    error?: string;
                    /** @description The reason, for humans. */
                    error_description?: string;
                } & {
                    [key: string]: unknown;
                };
                "application/json": {
                    /** @description Open: the members of a response. */
                    data?: {
                        [key: string]: unknown;
                    };
                    /** @description The same below `data`. Open: the members of a digital credential. */
                    credential?: {
                        [key: string]: unknown;
                    };
                    /** @description The origin of the page, one of `expectedOrigins`; the first one when left out. */
                    origin?: string;
                    /** @description The error that the page got instead. */
                    error?: string;
                    /** @description The reason, for humans. */
                    error_description?: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The response was received, and what was presented is as requested. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Where the wallet sends the user, with the response code. */
                        redirect_uri?: string;
                        /**
                         * @description What was received: a presentation or an error.
                         * @enum {string}
                         */
                        status?: "received" | "acknowledged";
                        /** @description The same for humans. */
                        message?: string;
                    };
                };
            };
            /** @description The response cannot be read, or what was presented is not as requested; then the session has failed, and `redirect_uri` is where the wallet sends the user, if the session has a URL for that. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "error_description": "Presentation validation failed. Failed VP policies: degree/jwt_vc_json/nonce-check"
                     *     }
                     */
                    "application/json": components["schemas"]["ResponseRefusal"];
                };
            };
            404: components["responses"]["OAuthNotFound"];
            409: components["responses"]["OAuthConflict"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            429: components["responses"]["OAuthTooManyRequests"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    fetchVical: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "vicalUrl": "https://vical.example.org/current"
                 *     }
                 */
                "application/json": {
                    /** @description Where the VICAL is published. */
                    vicalUrl: string;
                };
            };
        };
        responses: {
            /** @description The VICAL. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "vicalBase64": "hEOhASagQIBA"
                     *     }
                     */
                    "application/json": {
                        /** @description The VICAL in base64. */
                        vicalBase64: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    validateVical: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "verificationKey": {
                 *         "kty": "EC",
                 *         "crv": "P-256",
                 *         "x": "oqjG2QtSvduhLrringkY9iYOrCQtWAdKyUnj1cY5VWg",
                 *         "y": "ruXSbpabRD5AuoXU7w0xXB3_e_d-V4V0cSUbtpUwSCw"
                 *       },
                 *       "vicalBase64": "hEOhASagQIBA"
                 *     }
                 */
                "application/json": {
                    /** @description The key of the signer. */
                    verificationKey: {
                        [key: string]: unknown;
                    } | string;
                    /** @description The VICAL in base64. */
                    vicalBase64: string;
                };
            };
        };
        responses: {
            /** @description What was found. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "vicalValid": true,
                     *       "vicalProvider": "Example provider",
                     *       "date": "2026-11-01T00:00:00.000Z",
                     *       "nextUpdate": "2026-12-01T00:00:00.000Z",
                     *       "certificates": 2,
                     *       "documentTypes": [
                     *         "org.iso.18013.5.1.mDL"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Whether the key signed the VICAL and it counts now. */
                        vicalValid: boolean;
                        /** @description Why it is not valid. */
                        reason?: string;
                        /** @description The name of its provider. */
                        vicalProvider?: string;
                        /**
                         * Format: date-time
                         * @description When it was issued.
                         */
                        date: string;
                        /**
                         * Format: date-time
                         * @description Until when it counts.
                         */
                        nextUpdate?: string;
                        /** @description How many certificates in it can be read. */
                        certificates: number;
                        /** @description The document types of its certificates. */
                        documentTypes: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failure"];
        };
    };
    checkRevocation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {"@context": ["https://www.w3.org/2018/credentials/v1"], "type": ["VerifiableCredential"], "issuer": "did:example:issuer", "issuanceDate": "2026-01-01T00:00:00Z", "credentialSubject": {"id": "did:example:holder"}} */
                "text/plain": string;
                /**
                 * @example {
                 *       "@context": [
                 *         "https://www.w3.org/2018/credentials/v1"
                 *       ],
                 *       "type": [
                 *         "VerifiableCredential"
                 *       ],
                 *       "issuer": "did:example:issuer",
                 *       "issuanceDate": "2026-01-01T00:00:00Z",
                 *       "credentialSubject": {
                 *         "id": "did:example:holder"
                 *       }
                 *     }
                 */
                "application/json": {
                    [key: string]: unknown;
                } | string;
                /** @example eyJhbGciOiJFUzI1NiJ9.eyJ2YyI6e319.c2lnbmF0dXJl */
                "application/vc+jwt": string;
            };
        };
        responses: {
            /** @description The status, or that the credential has none. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevocationStatus"] | components["schemas"]["StatusTokenState"] | "Verifiable credential has no credential-status property";
                };
            };
            /** @description The credential or its list cannot be accepted. `id` is `MALFORMED_VALUE_ERROR`, `STATUS_VERIFICATION_ERROR`, `RANGE_ERROR` or `STATUS_LIST_LENGTH_ERROR` for the status, `AddressRefused` for a list at an address that is not public, `BadRequest` for a body that is no credential. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    revokeCredential: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example 6f1d7f0c-6b6d-4c57-9c39-6b1f0d1e2a3b0b7c9a52-7c4e-4d7f-8a55-9e0c1d2b3a4f */
                "text/plain": string;
                /** @example eyJhbGciOiJFUzI1NiJ9.eyJ2YyI6e319.c2lnbmF0dXJl */
                "application/json": string;
                /** @example eyJhbGciOiJFUzI1NiJ9.eyJ2YyI6e319.c2lnbmF0dXJl */
                "application/vc+jwt": string;
            };
        };
        responses: {
            /** @description It is revoked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example  */
                    "application/json": "";
                };
            };
            /** @description The credential cannot be accepted; `id` as for the check. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description It has no status that can be revoked here. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    getStatusCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the list. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list. */
            200: {
                headers: {
                    /** @description How long the list may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /** @example eyJhbGciOiJFUzI1NiIsInR5cCI6InN0YXR1c2xpc3Qrand0In0.eyJzdWIiOiJodHRwOi8vMTI3LjAuMC4xOjcwMDEvc3RhdHVzLWxpc3RzLzEifQ.c2lnbmF0dXJl */
                    "application/statuslist+jwt": string;
                    /** @example CBOR */
                    "application/statuslist+cwt": string;
                    /** @example eyJhbGciOiJFUzI1NiIsInR5cCI6InN0YXR1c2xpc3Qrand0In0.eyJzdWIiOiJodHRwOi8vMTI3LjAuMC4xOjcwMDEvc3RhdHVzLWxpc3RzLzEifQ.c2lnbmF0dXJl */
                    "application/vc+jwt": string;
                    /** @example eyJhbGciOiJFUzI1NiIsInR5cCI6InN0YXR1c2xpc3Qrand0In0.eyJzdWIiOiJodHRwOi8vMTI3LjAuMC4xOjcwMDEvc3RhdHVzLWxpc3RzLzEifQ.c2lnbmF0dXJl */
                    "application/jwt": string;
                };
            };
            404: components["responses"]["NotFound"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    getStatusToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The token of 52 characters or the base token of 72. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The status. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusTokenState"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    getStatusList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the list, as credentials name it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list. */
            200: {
                headers: {
                    /** @description How long the list may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /** @example eyJhbGciOiJFUzI1NiIsInR5cCI6InN0YXR1c2xpc3Qrand0In0.eyJzdWIiOiJodHRwOi8vMTI3LjAuMC4xOjcwMDEvc3RhdHVzLWxpc3RzLzEifQ.c2lnbmF0dXJl */
                    "application/statuslist+jwt": string;
                    /** @example CBOR */
                    "application/statuslist+cwt": string;
                    /** @example eyJhbGciOiJFUzI1NiIsInR5cCI6InN0YXR1c2xpc3Qrand0In0.eyJzdWIiOiJodHRwOi8vMTI3LjAuMC4xOjcwMDEvc3RhdHVzLWxpc3RzLzEifQ.c2lnbmF0dXJl */
                    "application/vc+jwt": string;
                    /** @example eyJhbGciOiJFUzI1NiIsInR5cCI6InN0YXR1c2xpc3Qrand0In0.eyJzdWIiOiJodHRwOi8vMTI3LjAuMC4xOjcwMDEvc3RhdHVzLWxpc3RzLzEifQ.c2lnbmF0dXJl */
                    "application/jwt": string;
                };
            };
            404: components["responses"]["NotFound"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    listStatusLists: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to skip. Digits only. */
                offset?: components["parameters"]["Offset"];
                /** @description The name alone, or with `-`, means latest first; `+`, to be written as `%2B`, means oldest first. Without it the elements are in the order of their targets. */
                sort?: components["parameters"]["Sort"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "listId": "3b5a0c0e-8a3c-4f2a-9d38-2b7f6c1e0d11",
                     *         "url": "http://127.0.0.1:7001/status-lists/3b5a0c0e-8a3c-4f2a-9d38-2b7f6c1e0d11",
                     *         "type": "TokenStatusList",
                     *         "format": "JWT",
                     *         "statusSize": 2,
                     *         "issuer": "did:key:zDnaerGBD7Zxzau2fdfEFaaaTDYBu5XEBYdGV2BmERp3MDSov",
                     *         "size": 131072,
                     *         "createdDateTime": "2026-11-22T13:40:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["StatusList"][];
                };
            };
            400: components["responses"]["BadRequest"];
            default: components["responses"]["Failure"];
        };
    };
    createStatusList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "issuerKey": {
                 *         "type": "jwk",
                 *         "jwk": {
                 *           "kty": "EC",
                 *           "crv": "P-256",
                 *           "kid": "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U",
                 *           "d": "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
                 *           "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                 *           "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
                 *         }
                 *       },
                 *       "issuerDid": "did:key:zDnaerGBD7Zxzau2fdfEFaaaTDYBu5XEBYdGV2BmERp3MDSov",
                 *       "type": "TokenStatusList",
                 *       "format": "JWT"
                 *     }
                 */
                "application/json": components["schemas"]["NewStatusList"];
            };
        };
        responses: {
            200: components["responses"]["StatusList"];
            201: components["responses"]["StatusList"];
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    getStatusListFacts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the list. */
                listId: components["parameters"]["ListId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatusList"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    listStatusEntries: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to skip. Digits only. */
                offset?: components["parameters"]["Offset"];
                /** @description The name alone, or with `-`, means latest first; `+`, to be written as `%2B`, means oldest first. Without it the elements are in the order of their targets. */
                sort?: components["parameters"]["Sort"];
                /** @description Only the entries in this state. */
                status?: components["schemas"]["EntryState"];
            };
            header?: never;
            path: {
                /** @description The id of the list. */
                listId: components["parameters"]["ListId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatusEntries"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    allocateStatusEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the list. */
                listId: components["parameters"]["ListId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "credentialId": "urn:uuid:5f0b6b0c-2b5e-4ae8-9a53-1e0d1cbf3a7e"
                 *     }
                 */
                "application/json": components["schemas"]["StatusEntryNames"];
            };
        };
        responses: {
            /** @description The entry, and what its credential must say. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entry": {
                     *         "listId": "3b5a0c0e-8a3c-4f2a-9d38-2b7f6c1e0d11",
                     *         "index": 70311,
                     *         "status": "valid",
                     *         "credentialId": "urn:uuid:5f0b6b0c-2b5e-4ae8-9a53-1e0d1cbf3a7e",
                     *         "history": [],
                     *         "createdDateTime": "2026-11-22T13:41:00.000Z",
                     *         "updatedDateTime": "2026-11-22T13:41:00.000Z"
                     *       },
                     *       "reference": {
                     *         "status_list": {
                     *           "idx": 70311,
                     *           "uri": "http://127.0.0.1:7001/status-lists/3b5a0c0e-8a3c-4f2a-9d38-2b7f6c1e0d11"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AllocatedStatusEntry"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failure"];
        };
    };
    getStatusEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the list. */
                listId: components["parameters"]["ListId"];
                /** @description The index of the entry. */
                index: components["parameters"]["EntryIndex"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatusEntry"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    changeStatusEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the list. */
                listId: components["parameters"]["ListId"];
                /** @description The index of the entry. */
                index: components["parameters"]["EntryIndex"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "revoke",
                 *       "reason": "The degree was withdrawn",
                 *       "changedBy": "registrar-7"
                 *     }
                 */
                "application/json": components["schemas"]["StatusEntryChange"];
            };
        };
        responses: {
            200: components["responses"]["StatusEntry"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            /** @description The entry is revoked, or is to be lifted and is not suspended. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    findStatusEntries: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to skip. Digits only. */
                offset?: components["parameters"]["Offset"];
                /** @description The issuance session. */
                session?: components["schemas"]["SessionName"];
                /** @description The id that the credential gives itself. */
                credentialId?: components["schemas"]["CredentialName"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatusEntries"];
            400: components["responses"]["BadRequest"];
            default: components["responses"]["Failure"];
        };
    };
    changeStatusEntries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "session": "enrolment-2026-0042",
                 *       "action": "suspend",
                 *       "reason": "Fees are not paid"
                 *     }
                 */
                "application/json": components["schemas"]["NamedEntriesChange"];
            };
        };
        responses: {
            200: components["responses"]["StatusEntries"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            /** @description None of the entries can be changed in this way. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    createStatusToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token, and what its credential must say. */
            201: {
                headers: {
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "baseToken": "6f1d7f0c-6b6d-4c57-9c39-6b1f0d1e2a3b0b7c9a52-7c4e-4d7f-8a55-9e0c1d2b3a4f",
                     *       "token": "HBCT3XV4DFSXWFYL2XT7GYPQ5OTUHVJAVZYJDVY3CJOJYF3XEUKA",
                     *       "credentialStatus": {
                     *         "id": "http://127.0.0.1:7001/v1/credentials/token/HBCT3XV4DFSXWFYL2XT7GYPQ5OTUHVJAVZYJDVY3CJOJYF3XEUKA",
                     *         "type": "SimpleCredentialStatus2022"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedStatusToken"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failure"];
        };
    };
    getDraft13CredentialType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description What follows the issuer's identifier in the `vct`, or a whole `vct`. */
                type: components["parameters"]["Type"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["TypeMetadata"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    getFinalCredentialType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description What follows the issuer's identifier in the `vct`, or a whole `vct`. */
                type: components["parameters"]["Type"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["TypeMetadata"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    getCredentialType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The issuer, by the last segment of its identifier; `draft13` or `openid4vci`. */
                version: string;
                /** @description What follows the issuer's identifier in the `vct`, or a whole `vct`. */
                type: components["parameters"]["Type"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["TypeMetadata"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    createSuperadmin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RegistrationToken"];
        responses: {
            /** @description The account can log in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example account activated */
                    "text/plain": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failure"];
        };
    };
    loginEnterpriseAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["EnterpriseLogin"];
        responses: {
            /** @description The bearer token. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl"
                     *     }
                     */
                    "application/json": components["schemas"]["EnterpriseToken"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failure"];
        };
    };
    createOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["NewOrganization"];
        responses: {
            /** @description The organization. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "acme",
                     *       "parent": "",
                     *       "type": "organization",
                     *       "profile": {
                     *         "name": "Acme"
                     *       },
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *       "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Resource"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    registerEnterpriseAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["NewEnterpriseAccount"];
        responses: {
            /** @description The account. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "7f0c1de2-31a4-4c0e-8f0a-52b1a2b4e6d9",
                     *       "profile": {
                     *         "name": "Ada",
                     *         "email": "ada@example.org"
                     *       },
                     *       "roles": []
                     *     }
                     */
                    "application/json": components["schemas"]["EnterpriseAccount"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failure"];
        };
    };
    assignRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `_id` of the account. */
                accountId: components["schemas"]["Uuid"];
                /** @description The organization of the role. */
                org: components["schemas"]["TargetSegment"];
                /** @description The target of the role, or what follows the organization in it. */
                roleId: components["schemas"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account with all its roles. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "7f0c1de2-31a4-4c0e-8f0a-52b1a2b4e6d9",
                     *       "profile": {
                     *         "name": "Ada",
                     *         "email": "ada@example.org"
                     *       },
                     *       "roles": [
                     *         "acme.keepers"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EnterpriseAccount"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    createRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["NewRole"];
        responses: {
            /** @description The role. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "acme.keepers",
                     *       "name": "Keeper of keys",
                     *       "permissions": [
                     *         {
                     *           "target": "acme.tenant1",
                     *           "action": "list-keys",
                     *           "operation": "ADD"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Role"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    createTenant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["NewTenant"];
        responses: {
            /** @description The tenant. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "acme.tenant1",
                     *       "parent": "acme",
                     *       "type": "tenant",
                     *       "name": "First tenant",
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *       "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Resource"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    createService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["NewService"];
        responses: {
            /** @description The service. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "acme.tenant1.kms1",
                     *       "parent": "acme.tenant1",
                     *       "type": "kms",
                     *       "dependencies": [],
                     *       "traversable": true,
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *       "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Resource"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    updateService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["NewService"];
        responses: {
            /** @description The service. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "acme.tenant1.kms1",
                     *       "parent": "acme.tenant1",
                     *       "type": "kms",
                     *       "dependencies": [],
                     *       "traversable": true,
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *       "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Resource"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    addDependency: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Dependency"];
        responses: {
            /** @description The targets of all services that it depends on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       "acme.tenant1.kms1"
                     *     ]
                     */
                    "application/json": components["schemas"]["Dependencies"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    removeDependency: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Dependency"];
        responses: {
            /** @description The targets of the services that it still depends on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example [] */
                    "application/json": components["schemas"]["Dependencies"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    listDependencies: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The targets of the services. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       "acme.tenant1.kms1"
                     *     ]
                     */
                    "application/json": components["schemas"]["Dependencies"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    getResource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An organization, tenant or service, or a child of a service. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "acme.tenant1",
                     *       "parent": "acme",
                     *       "type": "tenant",
                     *       "name": "First tenant",
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *       "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AnyElement"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    deleteResource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Failure"];
        };
    };
    listResources: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to skip. Digits only. */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "acme.tenant1",
                     *         "parent": "acme",
                     *         "type": "tenant",
                     *         "name": "First tenant",
                     *         "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *         "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AnyElement"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    generateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["NewKey"];
        responses: {
            /** @description The key, with its public part only. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "acme.tenant1.kms1.key1",
                     *       "parent": "acme.tenant1.kms1",
                     *       "type": "key",
                     *       "key": {
                     *         "type": "jwk",
                     *         "jwk": {
                     *           "kty": "EC",
                     *           "crv": "P-256",
                     *           "kid": "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U",
                     *           "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                     *           "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
                     *         }
                     *       },
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *       "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["KeyElement"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to skip. Digits only. */
                offset?: components["parameters"]["Offset"];
                /** @description The name alone, or with `-`, means latest first; `+`, to be written as `%2B`, means oldest first. Without it the elements are in the order of their targets. */
                sort?: components["parameters"]["Sort"];
            };
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "acme.tenant1.kms1.key1",
                     *         "parent": "acme.tenant1.kms1",
                     *         "type": "key",
                     *         "key": {
                     *           "type": "jwk",
                     *           "jwk": {
                     *             "kty": "EC",
                     *             "crv": "P-256",
                     *             "kid": "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U",
                     *             "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                     *             "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
                     *           }
                     *         },
                     *         "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *         "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["KeyElement"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    listDids: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to skip. Digits only. */
                offset?: components["parameters"]["Offset"];
                /** @description The name alone, or with `-`, means latest first; `+`, to be written as `%2B`, means oldest first. Without it the elements are in the order of their targets. */
                sort?: components["parameters"]["Sort"];
            };
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "acme.tenant1.dids1.did1",
                     *         "parent": "acme.tenant1.dids1",
                     *         "did": "did:web:issuer.example.org",
                     *         "document": {
                     *           "id": "did:web:issuer.example.org"
                     *         },
                     *         "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *         "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["DidElement"][] | components["schemas"]["DidElement"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    replaceTenantDid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["NewDid"];
        responses: {
            /** @description The entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "acme.tenant1.dids1.did1",
                     *       "parent": "acme.tenant1.dids1",
                     *       "did": "did:web:issuer.example.org",
                     *       "document": {
                     *         "id": "did:web:issuer.example.org"
                     *       },
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *       "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DidElement"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    addDid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["NewDid"];
        responses: {
            /** @description The entry. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "acme.tenant1.dids1.did1",
                     *       "parent": "acme.tenant1.dids1",
                     *       "did": "did:web:issuer.example.org",
                     *       "document": {
                     *         "id": "did:web:issuer.example.org"
                     *       },
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *       "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DidElement"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    deleteTenantDid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    listDidIds: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to skip. Digits only. */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       "did1"
                     *     ]
                     */
                    "application/json": components["schemas"]["TargetSegment"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    getTenantCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "acme.tenant1.credentials1.degree1",
                     *       "parent": "acme.tenant1.credentials1",
                     *       "credential": {
                     *         "type": "vc-w3c_1_1",
                     *         "credentialData": {
                     *           "type": [
                     *             "VerifiableCredential"
                     *           ],
                     *           "credentialSubject": {
                     *             "id": "did:example:holder"
                     *           }
                     *         }
                     *       },
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *       "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CredentialElement"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    replaceTenantCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["NewCredential"];
        responses: {
            /** @description The entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "acme.tenant1.credentials1.degree1",
                     *       "parent": "acme.tenant1.credentials1",
                     *       "credential": {
                     *         "type": "vc-w3c_1_1",
                     *         "credentialData": {
                     *           "type": [
                     *             "VerifiableCredential"
                     *           ],
                     *           "credentialSubject": {
                     *             "id": "did:example:holder"
                     *           }
                     *         }
                     *       },
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *       "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CredentialElement"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    addCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["NewCredential"];
        responses: {
            /** @description The entry. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "acme.tenant1.credentials1.degree1",
                     *       "parent": "acme.tenant1.credentials1",
                     *       "credential": {
                     *         "type": "vc-w3c_1_1",
                     *         "credentialData": {
                     *           "type": [
                     *             "VerifiableCredential"
                     *           ],
                     *           "credentialSubject": {
                     *             "id": "did:example:holder"
                     *           }
                     *         }
                     *       },
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *       "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CredentialElement"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    deleteTenantCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    listCredentials: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to skip. Digits only. */
                offset?: components["parameters"]["Offset"];
                /** @description The name alone, or with `-`, means latest first; `+`, to be written as `%2B`, means oldest first. Without it the elements are in the order of their targets. */
                sort?: components["parameters"]["Sort"];
            };
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "acme.tenant1.credentials1.degree1",
                     *         "parent": "acme.tenant1.credentials1",
                     *         "credential": {
                     *           "type": "vc-w3c_1_1",
                     *           "credentialData": {
                     *             "type": [
                     *               "VerifiableCredential"
                     *             ],
                     *             "credentialSubject": {
                     *               "id": "did:example:holder"
                     *             }
                     *           }
                     *         },
                     *         "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *         "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["CredentialElement"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    listCredentialIds: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to skip. Digits only. */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       "acme.tenant1.credentials1.degree1"
                     *     ]
                     */
                    "application/json": components["schemas"]["Target"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    importTenantKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["PrivateJwk"];
        responses: {
            /** @description The key, with its public part only. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "acme.tenant1.kms1.key1",
                     *       "parent": "acme.tenant1.kms1",
                     *       "type": "key",
                     *       "key": {
                     *         "type": "jwk",
                     *         "jwk": {
                     *           "kty": "OKP",
                     *           "crv": "Ed25519",
                     *           "kid": "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
                     *           "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
                     *         }
                     *       },
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *       "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["KeyElement"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    signWithTenantKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["ContentToSign"];
        responses: {
            /** @description The compact JWS. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCIsImtpZCI6ImtQcktfcW14VldhWVZBOXd3QkY2SXVvM3ZWeno3VHhIQ1R3WEJ5Z3JTNGsifQ.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl */
                    "text/plain": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    getTenantKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "acme.tenant1.kms1.key1",
                     *       "parent": "acme.tenant1.kms1",
                     *       "type": "key",
                     *       "key": {
                     *         "type": "jwk",
                     *         "jwk": {
                     *           "kty": "OKP",
                     *           "crv": "Ed25519",
                     *           "kid": "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
                     *           "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
                     *         }
                     *       },
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *       "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["KeyElement"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    deleteTenantKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    createTenantDid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["NewTenantDid"];
        responses: {
            /** @description The entry. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "acme.tenant1.dids1.did1",
                     *       "parent": "acme.tenant1.dids1",
                     *       "did": "did:web:issuer.example.org",
                     *       "document": {
                     *         "id": "did:web:issuer.example.org"
                     *       },
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *       "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DidElement"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    getStoredPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "acme.tenant1.policies1.adults",
                     *       "parent": "acme.tenant1.policies1",
                     *       "name": "Adults only",
                     *       "description": "The birth date is old enough",
                     *       "policy": {
                     *         "policy": "schema",
                     *         "args": {
                     *           "type": "object",
                     *           "required": [
                     *             "birth_date"
                     *           ]
                     *         }
                     *       },
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *       "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StoredPolicyElement"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    replaceStoredPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["NewStoredPolicy"];
        responses: {
            /** @description The entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "acme.tenant1.policies1.adults",
                     *       "parent": "acme.tenant1.policies1",
                     *       "name": "Adults only",
                     *       "description": "The birth date is old enough",
                     *       "policy": {
                     *         "policy": "schema",
                     *         "args": {
                     *           "type": "object",
                     *           "required": [
                     *             "birth_date"
                     *           ]
                     *         }
                     *       },
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *       "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StoredPolicyElement"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    addStoredPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["NewStoredPolicy"];
        responses: {
            /** @description The entry. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "acme.tenant1.policies1.adults",
                     *       "parent": "acme.tenant1.policies1",
                     *       "name": "Adults only",
                     *       "description": "The birth date is old enough",
                     *       "policy": {
                     *         "policy": "schema",
                     *         "args": {
                     *           "type": "object",
                     *           "required": [
                     *             "birth_date"
                     *           ]
                     *         }
                     *       },
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *       "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StoredPolicyElement"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    deleteStoredPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    listStoredPolicies: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to skip. Digits only. */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "acme.tenant1.policies1.adults",
                     *         "parent": "acme.tenant1.policies1",
                     *         "name": "Adults only",
                     *         "description": "The birth date is old enough",
                     *         "policy": {
                     *           "policy": "schema",
                     *           "args": {
                     *             "type": "object",
                     *             "required": [
                     *               "birth_date"
                     *             ]
                     *           }
                     *         },
                     *         "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *         "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["StoredPolicyElement"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    listStoredPolicyIds: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to skip. Digits only. */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       "acme.tenant1.policies1.adults"
                     *     ]
                     */
                    "application/json": components["schemas"]["Target"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    createStatusCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kid": "acme.tenant1.kms1.key1",
                 *       "issuerDid": "did:key:zDnaerGBD7Zxzau2fdfEFaaaTDYBu5XEBYdGV2BmERp3MDSov",
                 *       "config": {
                 *         "type": "TokenStatusList",
                 *         "format": "JWT"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewStatusCredential"];
            };
        };
        responses: {
            /** @description The status credential. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "acme.tenant1.status1.badges",
                     *       "parent": "acme.tenant1.status1",
                     *       "kid": "acme.tenant1.kms1.key1",
                     *       "issuerDid": "did:key:zDnaerGBD7Zxzau2fdfEFaaaTDYBu5XEBYdGV2BmERp3MDSov",
                     *       "config": {
                     *         "type": "TokenStatusList",
                     *         "format": "JWT",
                     *         "statusSize": 2
                     *       },
                     *       "listId": "3b5a0c0e-8a3c-4f2a-9d38-2b7f6c1e0d11",
                     *       "url": "http://127.0.0.1:7001/v1/acme.tenant1.status1/status-lists/3b5a0c0e-8a3c-4f2a-9d38-2b7f6c1e0d11",
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *       "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StatusCredentialElement"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    listStatusCredentials: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to skip. Digits only. */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "acme.tenant1.status1.badges",
                     *         "parent": "acme.tenant1.status1",
                     *         "kid": "acme.tenant1.kms1.key1",
                     *         "issuerDid": "did:key:zDnaerGBD7Zxzau2fdfEFaaaTDYBu5XEBYdGV2BmERp3MDSov",
                     *         "config": {
                     *           "type": "TokenStatusList",
                     *           "format": "JWT",
                     *           "statusSize": 2
                     *         },
                     *         "listId": "3b5a0c0e-8a3c-4f2a-9d38-2b7f6c1e0d11",
                     *         "url": "http://127.0.0.1:7001/v1/acme.tenant1.status1/status-lists/3b5a0c0e-8a3c-4f2a-9d38-2b7f6c1e0d11",
                     *         "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *         "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["StatusCredentialElement"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    updateSessionStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "session": "acme.tenant1.issuer1.3f1b2c4e-3c0d-4a47-9a0e-0d6f3f0a7e55",
                 *       "status": "0x1"
                 *     }
                 */
                "application/json": {
                    /** @description The target of the issuer and, after a dot, the session. */
                    session: components["schemas"]["Target"];
                    /** @description The value of the status in hexadecimal. */
                    status: string;
                };
            };
        };
        responses: {
            200: components["responses"]["StatusEntries"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    tenantGetStatusList: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
                /** @description The id of the list, as credentials name it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list. */
            200: {
                headers: {
                    /** @description How long the list may be kept. */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /** @example eyJhbGciOiJFUzI1NiIsInR5cCI6InN0YXR1c2xpc3Qrand0In0.eyJzdWIiOiJodHRwOi8vMTI3LjAuMC4xOjcwMDEvc3RhdHVzLWxpc3RzLzEifQ.c2lnbmF0dXJl */
                    "application/statuslist+jwt": string;
                    /** @example CBOR */
                    "application/statuslist+cwt": string;
                    /** @example eyJhbGciOiJFUzI1NiIsInR5cCI6InN0YXR1c2xpc3Qrand0In0.eyJzdWIiOiJodHRwOi8vMTI3LjAuMC4xOjcwMDEvc3RhdHVzLWxpc3RzLzEifQ.c2lnbmF0dXJl */
                    "application/vc+jwt": string;
                    /** @example eyJhbGciOiJFUzI1NiIsInR5cCI6InN0YXR1c2xpc3Qrand0In0.eyJzdWIiOiJodHRwOi8vMTI3LjAuMC4xOjcwMDEvc3RhdHVzLWxpc3RzLzEifQ.c2lnbmF0dXJl */
                    "application/jwt": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    tenantListStatusLists: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to skip. Digits only. */
                offset?: components["parameters"]["Offset"];
                /** @description The name alone, or with `-`, means latest first; `+`, to be written as `%2B`, means oldest first. Without it the elements are in the order of their targets. */
                sort?: components["parameters"]["Sort"];
            };
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "listId": "3b5a0c0e-8a3c-4f2a-9d38-2b7f6c1e0d11",
                     *         "url": "http://127.0.0.1:7001/status-lists/3b5a0c0e-8a3c-4f2a-9d38-2b7f6c1e0d11",
                     *         "type": "TokenStatusList",
                     *         "format": "JWT",
                     *         "statusSize": 2,
                     *         "issuer": "did:key:zDnaerGBD7Zxzau2fdfEFaaaTDYBu5XEBYdGV2BmERp3MDSov",
                     *         "size": 131072,
                     *         "createdDateTime": "2026-11-22T13:40:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["StatusList"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    tenantGetStatusListFacts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
                /** @description The id of the list. */
                listId: components["parameters"]["ListId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatusList"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    tenantListStatusEntries: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to skip. Digits only. */
                offset?: components["parameters"]["Offset"];
                /** @description The name alone, or with `-`, means latest first; `+`, to be written as `%2B`, means oldest first. Without it the elements are in the order of their targets. */
                sort?: components["parameters"]["Sort"];
                /** @description Only the entries in this state. */
                status?: components["schemas"]["EntryState"];
            };
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
                /** @description The id of the list. */
                listId: components["parameters"]["ListId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatusEntries"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    tenantAllocateStatusEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
                /** @description The id of the list. */
                listId: components["parameters"]["ListId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "credentialId": "urn:uuid:5f0b6b0c-2b5e-4ae8-9a53-1e0d1cbf3a7e"
                 *     }
                 */
                "application/json": components["schemas"]["StatusEntryNames"];
            };
        };
        responses: {
            /** @description The entry, and what its credential must say. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entry": {
                     *         "listId": "3b5a0c0e-8a3c-4f2a-9d38-2b7f6c1e0d11",
                     *         "index": 70311,
                     *         "status": "valid",
                     *         "credentialId": "urn:uuid:5f0b6b0c-2b5e-4ae8-9a53-1e0d1cbf3a7e",
                     *         "history": [],
                     *         "createdDateTime": "2026-11-22T13:41:00.000Z",
                     *         "updatedDateTime": "2026-11-22T13:41:00.000Z"
                     *       },
                     *       "reference": {
                     *         "status_list": {
                     *           "idx": 70311,
                     *           "uri": "http://127.0.0.1:7001/status-lists/3b5a0c0e-8a3c-4f2a-9d38-2b7f6c1e0d11"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AllocatedStatusEntry"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    tenantGetStatusEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
                /** @description The id of the list. */
                listId: components["parameters"]["ListId"];
                /** @description The index of the entry. */
                index: components["parameters"]["EntryIndex"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatusEntry"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    tenantChangeStatusEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
                /** @description The id of the list. */
                listId: components["parameters"]["ListId"];
                /** @description The index of the entry. */
                index: components["parameters"]["EntryIndex"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "revoke",
                 *       "reason": "The degree was withdrawn",
                 *       "changedBy": "registrar-7"
                 *     }
                 */
                "application/json": components["schemas"]["StatusEntryChange"];
            };
        };
        responses: {
            200: components["responses"]["StatusEntry"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The entry is revoked, or is to be lifted and is not suspended. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    tenantFindStatusEntries: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to skip. Digits only. */
                offset?: components["parameters"]["Offset"];
                /** @description The issuance session. */
                session?: components["schemas"]["SessionName"];
                /** @description The id that the credential gives itself. */
                credentialId?: components["schemas"]["CredentialName"];
            };
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["StatusEntries"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    tenantChangeStatusEntries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "session": "enrolment-2026-0042",
                 *       "action": "suspend",
                 *       "reason": "Fees are not paid"
                 *     }
                 */
                "application/json": components["schemas"]["NamedEntriesChange"];
            };
        };
        responses: {
            200: components["responses"]["StatusEntries"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description None of the entries can be changed in this way. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    createHostAlias: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["NewHostAlias"];
        responses: {
            /** @description The domain. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "domain": "credentials.acme.example",
                     *       "target": "acme.tenant1",
                     *       "baseUrl": "https://credentials.acme.example",
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["HostAlias"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    listHostAliases: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to skip. Digits only. */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "domain": "credentials.acme.example",
                     *         "target": "acme.tenant1",
                     *         "baseUrl": "https://credentials.acme.example",
                     *         "createdDateTime": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["HostAlias"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    deleteHostAlias: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
                /** @description The domain. */
                domain: components["schemas"]["DomainName"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain is free. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    getOwnAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "7f0c1de2-31a4-4c0e-8f0a-52b1a2b4e6d9",
                     *       "profile": {
                     *         "name": "Ada",
                     *         "email": "ada@example.org"
                     *       },
                     *       "roles": [
                     *         "acme.keepers"
                     *       ],
                     *       "superadmin": false,
                     *       "disabled": false,
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *       "permissions": [
                     *         {
                     *           "role": "acme.keepers",
                     *           "target": "acme.tenant1",
                     *           "action": "list-keys",
                     *           "operation": "ADD"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OwnAccount"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    replaceOwnProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["OwnProfile"];
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "7f0c1de2-31a4-4c0e-8f0a-52b1a2b4e6d9",
                     *       "profile": {
                     *         "name": "Ada",
                     *         "email": "ada@example.org"
                     *       },
                     *       "roles": [
                     *         "acme.keepers"
                     *       ],
                     *       "superadmin": false,
                     *       "disabled": false,
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    changeOwnPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["PasswordChange"];
        responses: {
            /** @description The new password is valid. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failure"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["PasswordResetRequest"];
        responses: {
            /** @description The new password is valid. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failure"];
        };
    };
    listAccounts: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to skip. Digits only. */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "7f0c1de2-31a4-4c0e-8f0a-52b1a2b4e6d9",
                     *         "profile": {
                     *           "name": "Ada",
                     *           "email": "ada@example.org"
                     *         },
                     *         "roles": [
                     *           "acme.keepers"
                     *         ],
                     *         "superadmin": false,
                     *         "disabled": false,
                     *         "createdDateTime": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Account"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Failure"];
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `_id` of the account. */
                accountId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "7f0c1de2-31a4-4c0e-8f0a-52b1a2b4e6d9",
                     *       "profile": {
                     *         "name": "Ada",
                     *         "email": "ada@example.org"
                     *       },
                     *       "roles": [
                     *         "acme.keepers"
                     *       ],
                     *       "superadmin": false,
                     *       "disabled": false,
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `_id` of the account. */
                accountId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Failure"];
        };
    };
    disableAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `_id` of the account. */
                accountId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "7f0c1de2-31a4-4c0e-8f0a-52b1a2b4e6d9",
                     *       "profile": {
                     *         "name": "Ada",
                     *         "email": "ada@example.org"
                     *       },
                     *       "roles": [
                     *         "acme.keepers"
                     *       ],
                     *       "superadmin": false,
                     *       "disabled": true,
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            default: components["responses"]["Failure"];
        };
    };
    enableAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `_id` of the account. */
                accountId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "7f0c1de2-31a4-4c0e-8f0a-52b1a2b4e6d9",
                     *       "profile": {
                     *         "name": "Ada",
                     *         "email": "ada@example.org"
                     *       },
                     *       "roles": [
                     *         "acme.keepers"
                     *       ],
                     *       "superadmin": false,
                     *       "disabled": false,
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Account"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    createPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `_id` of the account. */
                accountId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token. */
            201: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "Zm9yIGFuIGV4YW1wbGUgb25seSwgMzIgYnl0ZXMgbG9uZw",
                     *       "expiresDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PasswordResetToken"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    unassignRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `_id` of the account. */
                accountId: components["schemas"]["Uuid"];
                /** @description The organization of the role. */
                org: components["schemas"]["TargetSegment"];
                /** @description The target of the role, or what follows the organization in it. */
                roleId: components["schemas"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account with its other roles. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "7f0c1de2-31a4-4c0e-8f0a-52b1a2b4e6d9",
                     *       "profile": {
                     *         "name": "Ada",
                     *         "email": "ada@example.org"
                     *       },
                     *       "roles": []
                     *     }
                     */
                    "application/json": components["schemas"]["EnterpriseAccount"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    listRoles: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to skip. Digits only. */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "acme.keepers",
                     *         "name": "Keeper of keys",
                     *         "permissions": [
                     *           {
                     *             "target": "acme.tenant1",
                     *             "action": "list-keys",
                     *             "operation": "ADD"
                     *           }
                     *         ]
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Role"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    getRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The role. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "acme.keepers",
                     *       "name": "Keeper of keys",
                     *       "permissions": [
                     *         {
                     *           "target": "acme.tenant1",
                     *           "action": "list-keys",
                     *           "operation": "ADD"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Role"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    replaceRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RoleReplacement"];
        responses: {
            /** @description The role. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "_id": "acme.keepers",
                     *       "name": "Keeper of keys",
                     *       "permissions": [
                     *         {
                     *           "target": "acme.tenant1",
                     *           "action": "list-keys",
                     *           "operation": "ADD"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Role"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    deleteRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    listRoleAccounts: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to skip. Digits only. */
                offset?: components["parameters"]["Offset"];
            };
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "7f0c1de2-31a4-4c0e-8f0a-52b1a2b4e6d9",
                     *         "profile": {
                     *           "name": "Ada",
                     *           "email": "ada@example.org"
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["RoleAccount"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    decidePermission: {
        parameters: {
            query: {
                /** @description The name of an action. */
                action: components["parameters"]["AskedAction"];
                /** @description The account; the caller when absent. */
                account?: components["parameters"]["AskedAccount"];
            };
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The decision. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "allowed": true,
                     *       "decidedBy": {
                     *         "role": "acme.keepers",
                     *         "permission": {
                     *           "target": "acme.tenant1",
                     *           "action": "list-keys",
                     *           "operation": "ADD"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PermissionDecision"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    listActions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All actions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "action": "list-keys",
                     *         "meaning": "list keys"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ActionMeaning"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["Failure"];
        };
    };
    tenantGetOpenid4vciIssuerMetadata: {
        parameters: {
            query?: never;
            header?: {
                /** @description `application/jwt` for signed metadata. */
                Accept?: string;
            };
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Credential issuer metadata. */
            200: {
                headers: {
                    Vary?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "credential_issuer": "http://127.0.0.1:7001/openid4vci",
                     *       "credential_endpoint": "http://127.0.0.1:7001/openid4vci/credential",
                     *       "nonce_endpoint": "http://127.0.0.1:7001/openid4vci/nonce",
                     *       "deferred_credential_endpoint": "http://127.0.0.1:7001/openid4vci/deferred_credential",
                     *       "notification_endpoint": "http://127.0.0.1:7001/openid4vci/notification",
                     *       "batch_credential_issuance": {
                     *         "batch_size": 20
                     *       },
                     *       "credential_request_encryption": {
                     *         "jwks": {
                     *           "keys": [
                     *             {
                     *               "kty": "EC",
                     *               "crv": "P-256",
                     *               "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                     *               "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
                     *               "kid": "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U",
                     *               "use": "enc",
                     *               "alg": "ECDH-ES"
                     *             }
                     *           ]
                     *         },
                     *         "enc_values_supported": [
                     *           "A128GCM",
                     *           "A256GCM"
                     *         ],
                     *         "zip_values_supported": [
                     *           "DEF"
                     *         ],
                     *         "encryption_required": false
                     *       },
                     *       "credential_response_encryption": {
                     *         "alg_values_supported": [
                     *           "ECDH-ES"
                     *         ],
                     *         "enc_values_supported": [
                     *           "A128GCM",
                     *           "A256GCM"
                     *         ],
                     *         "zip_values_supported": [
                     *           "DEF"
                     *         ],
                     *         "encryption_required": false
                     *       },
                     *       "credential_configurations_supported": {
                     *         "UniversityDegree_jwt_vc_json": {
                     *           "format": "jwt_vc_json",
                     *           "scope": "UniversityDegree_jwt_vc_json",
                     *           "cryptographic_binding_methods_supported": [
                     *             "did:jwk",
                     *             "did:key",
                     *             "did:web",
                     *             "jwk"
                     *           ],
                     *           "proof_types_supported": {
                     *             "jwt": {
                     *               "proof_signing_alg_values_supported": [
                     *                 "EdDSA",
                     *                 "ES256"
                     *               ]
                     *             }
                     *           },
                     *           "credential_definition": {
                     *             "type": [
                     *               "VerifiableCredential",
                     *               "UniversityDegree"
                     *             ]
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Openid4vciIssuerMetadata"];
                    /** @example eyJ0eXAiOiJvcGVuaWR2Y2ktaXNzdWVyLW1ldGFkYXRhK2p3dCIsImFsZyI6IkVTMjU2In0.eyJzdWIiOiJodHRwOi8vMTI3LjAuMC4xOjcwMDEvb3BlbmlkNHZjaSJ9.c2lnbmF0dXJl */
                    "application/jwt": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    tenantGetOpenid4vciServerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Authorization server metadata. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issuer": "http://127.0.0.1:7001/openid4vci",
                     *       "token_endpoint": "http://127.0.0.1:7001/openid4vci/token",
                     *       "jwks_uri": "http://127.0.0.1:7001/openid4vci/jwks",
                     *       "authorization_endpoint": "http://127.0.0.1:7001/openid4vci/authorize",
                     *       "pushed_authorization_request_endpoint": "http://127.0.0.1:7001/openid4vci/par",
                     *       "grant_types_supported": [
                     *         "authorization_code",
                     *         "urn:ietf:params:oauth:grant-type:pre-authorized_code",
                     *         "refresh_token"
                     *       ],
                     *       "response_types_supported": [
                     *         "code"
                     *       ],
                     *       "code_challenge_methods_supported": [
                     *         "S256"
                     *       ],
                     *       "authorization_response_iss_parameter_supported": true,
                     *       "dpop_signing_alg_values_supported": [
                     *         "EdDSA",
                     *         "ES256"
                     *       ],
                     *       "pre-authorized_grant_anonymous_access_supported": true
                     *     }
                     */
                    "application/json": components["schemas"]["AuthorizationServerMetadata"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    tenantGetOpenid4vciJwtVcIssuer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JWT VC issuer metadata. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issuer": "http://127.0.0.1:7001/openid4vci",
                     *       "jwks_uri": "http://127.0.0.1:7001/openid4vci/jwks"
                     *     }
                     */
                    "application/json": components["schemas"]["JwtVcIssuerMetadata"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    tenantListOpenid4vciKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JWK Set (RFC 7517). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kty": "EC",
                     *           "crv": "P-256",
                     *           "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                     *           "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
                     *           "kid": "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U",
                     *           "use": "sig",
                     *           "alg": "ES256"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["IssuerKeySet"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    tenantGetOpenid4vciOffer: {
        parameters: {
            query: {
                /** @description The id of the offer. */
                id: string;
            };
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The offer. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "credential_issuer": "http://127.0.0.1:7001/openid4vci",
                     *       "credential_configuration_ids": [
                     *         "UniversityDegree_jwt_vc_json"
                     *       ],
                     *       "grants": {
                     *         "urn:ietf:params:oauth:grant-type:pre-authorized_code": {
                     *           "pre-authorized_code": "SrcMN3CwJY2ZwTkx4HEbry7NvgIudxHnI66TMLwyk3Q",
                     *           "tx_code": {
                     *             "input_mode": "numeric",
                     *             "length": 6
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Openid4vciOffer"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    tenantPushOpenid4vciAuthorization: {
        parameters: {
            query?: never;
            header?: {
                /** @description A DPoP proof (RFC 9449 §4), signed with EdDSA or ES256. */
                DPoP?: components["parameters"]["Openid4vciDpop"];
                /** @description A client attestation (draft-ietf-oauth-attestation-based-client-auth-11 §4) of an attester that the operator trusts. */
                "OAuth-Client-Attestation"?: components["parameters"]["Openid4vciClientAttestation"];
                /** @description The proof of possession of its key (§5.1); without it the DPoP proof must be of that key. */
                "OAuth-Client-Attestation-PoP"?: components["parameters"]["Openid4vciClientAttestationPop"];
            };
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "response_type": "code",
                 *       "client_id": "wallet",
                 *       "redirect_uri": "https://wallet.example/callback",
                 *       "issuer_state": "mUKGiLmhd-xHvCzNqPZ2ZHrUqQbvRZBrwOHhXKQ-3n4",
                 *       "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
                 *       "code_challenge_method": "S256",
                 *       "state": "7f3a"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["Openid4vciPushedRequest"];
            };
        };
        responses: {
            /** @description The reference. */
            201: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    "DPoP-Nonce"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "request_uri": "urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c6esc_11ACC5bwc01",
                     *       "expires_in": 60
                     *     }
                     */
                    "application/json": components["schemas"]["Openid4vciPushedResponse"];
                };
            };
            400: components["responses"]["OAuthBadRequest"];
            401: components["responses"]["OAuthClientRefused"];
            404: components["responses"]["OAuthNotFound"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            429: components["responses"]["OAuthTooManyRequests"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    tenantAuthorizeOpenid4vci: {
        parameters: {
            query?: {
                /** @description `code` */
                response_type?: string;
                /** @description The identifier of the wallet. */
                client_id?: string;
                /** @description Where the user is sent back to. */
                redirect_uri?: string;
                /** @description `query`, the default */
                response_mode?: string;
                /** @description Scopes of configurations of the offer. */
                scope?: string;
                /** @description Returned unchanged. */
                state?: string;
                /** @description The `issuer_state` of the offer. */
                issuer_state?: string;
                /** @description JSON (RFC 9396): a list of details of type `openid_credential` with a `credential_configuration_id` of the offer. */
                authorization_details?: string;
                /** @description The challenge (RFC 7636), which is required. */
                code_challenge?: string;
                /** @description `S256` */
                code_challenge_method?: string;
                /** @description The credential issuer (RFC 8707); not needed. */
                resource?: string;
                /** @description The thumbprint of the key that tokens are to be bound to (RFC 9449 §10). */
                dpop_jkt?: string;
                /** @description Not supported. */
                request?: string;
                /** @description The reference to a pushed request; with it only `client_id` is read. */
                request_uri?: string;
            };
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the redirect URI of the wallet, or to the login. */
            302: {
                headers: {
                    Location?: string;
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["OAuthBadRequest"];
            404: components["responses"]["OAuthNotFound"];
            429: components["responses"]["OAuthTooManyRequests"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    tenantRequestOpenid4vciToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description A DPoP proof (RFC 9449 §4), signed with EdDSA or ES256. */
                DPoP?: components["parameters"]["Openid4vciDpop"];
                /** @description A client attestation (draft-ietf-oauth-attestation-based-client-auth-11 §4) of an attester that the operator trusts. */
                "OAuth-Client-Attestation"?: components["parameters"]["Openid4vciClientAttestation"];
                /** @description The proof of possession of its key (§5.1); without it the DPoP proof must be of that key. */
                "OAuth-Client-Attestation-PoP"?: components["parameters"]["Openid4vciClientAttestationPop"];
            };
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "grant_type": "urn:ietf:params:oauth:grant-type:pre-authorized_code",
                 *       "pre-authorized_code": "SrcMN3CwJY2ZwTkx4HEbry7NvgIudxHnI66TMLwyk3Q",
                 *       "tx_code": "493536"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["Openid4vciTokenRequest"];
            };
        };
        responses: {
            /** @description The access token. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    "DPoP-Nonce"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "NVp_Udsi4_WbBXQfZvtADcO_ePOBn84u67ayWzkEZ8Q",
                     *       "token_type": "bearer",
                     *       "expires_in": 300
                     *     }
                     */
                    "application/json": components["schemas"]["Openid4vciTokenResponse"];
                };
            };
            400: components["responses"]["OAuthBadRequest"];
            401: components["responses"]["OAuthClientRefused"];
            404: components["responses"]["OAuthNotFound"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            429: components["responses"]["OAuthTooManyRequests"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    tenantRequestOpenid4vciNonce: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The nonce. Where DPoP proofs need a nonce of this server, one is in `DPoP-Nonce`. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    "DPoP-Nonce"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "c_nonce": "AZL5jLQAd9_mDs8yVvfnVcRJIUzwZyLC1dY9Y3AbM7pl8a0xYlM5Hk4ZQf2k3w"
                     *     }
                     */
                    "application/json": components["schemas"]["Openid4vciNonceResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["OAuthNotFound"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    tenantRequestOpenid4vciChallenge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The challenge. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "attestation_challenge": "AZL5jLQAd9_mDs8yVvfnVcRJIUzwZyLC1dY9Y3AbM7p"
                     *     }
                     */
                    "application/json": components["schemas"]["Openid4vciChallengeResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["OAuthNotFound"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    tenantRequestOpenid4vciCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description `DPoP` and an access token that is bound to a key, or `Bearer` and any other. */
                Authorization?: components["parameters"]["Openid4vciAuthorization"];
                /** @description A DPoP proof (RFC 9449 §4), signed with EdDSA or ES256. */
                DPoP?: components["parameters"]["Openid4vciDpop"];
            };
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Openid4vciCredentialRequest"];
                /** @example eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTEyOEdDTSIsImtpZCI6Im9LSXl3dkdVcFRWVHl4TVEzYndJSWVRVXVkZnJfQ2tMTWpDRTE5RUNELVUifQ..aXY.Y2lwaGVydGV4dA.dGFn */
                "application/jwt": string;
            };
        };
        responses: {
            /** @description The credentials, one for each key. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    "DPoP-Nonce"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "credentials": [
                     *         {
                     *           "credential": "eyJhbGciOiJFUzI1NiJ9.eyJ2YyI6e319.c2lnbmF0dXJl"
                     *         }
                     *       ],
                     *       "notification_id": "f5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44.0"
                     *     }
                     */
                    "application/json": components["schemas"]["Openid4vciCredentialResponse"];
                    /** @example eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTEyOEdDTSJ9..aXY.Y2lwaGVydGV4dA.dGFn */
                    "application/jwt": string;
                };
            };
            /** @description The credentials are made when the wallet asks for them at the deferred credential endpoint. */
            202: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    "DPoP-Nonce"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transaction_id": "rI-Un9uwzEjkjn5dcR0JUV-JYCUV3YEgD7NbFsj09yo",
                     *       "interval": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Openid4vciDeferredResponse"];
                    /** @example eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTEyOEdDTSJ9..aXY.Y2lwaGVydGV4dA.dGFn */
                    "application/jwt": string;
                };
            };
            400: components["responses"]["OAuthBadRequest"];
            401: components["responses"]["OAuthTokenRefused"];
            404: components["responses"]["OAuthNotFound"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            429: components["responses"]["OAuthTooManyRequests"];
            503: components["responses"]["OAuthBusy"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    tenantRequestOpenid4vciDeferredCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description `DPoP` and an access token that is bound to a key, or `Bearer` and any other. */
                Authorization?: components["parameters"]["Openid4vciAuthorization"];
                /** @description A DPoP proof (RFC 9449 §4), signed with EdDSA or ES256. */
                DPoP?: components["parameters"]["Openid4vciDpop"];
            };
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transaction_id": "rI-Un9uwzEjkjn5dcR0JUV-JYCUV3YEgD7NbFsj09yo"
                 *     }
                 */
                "application/json": components["schemas"]["Openid4vciDeferredRequest"];
                /** @example eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTEyOEdDTSIsImtpZCI6Im9LSXl3dkdVcFRWVHl4TVEzYndJSWVRVXVkZnJfQ2tMTWpDRTE5RUNELVUifQ..aXY.Y2lwaGVydGV4dA.dGFn */
                "application/jwt": string;
            };
        };
        responses: {
            /** @description The credentials, one for each proof of the credential request. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    "DPoP-Nonce"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "credentials": [
                     *         {
                     *           "credential": "eyJhbGciOiJFUzI1NiJ9.eyJ2YyI6e319.c2lnbmF0dXJl"
                     *         }
                     *       ],
                     *       "notification_id": "f5b2d9c0-8a55-4d5c-9d6e-2b1f0a9c7e44.0"
                     *     }
                     */
                    "application/json": components["schemas"]["Openid4vciCredentialResponse"];
                    /** @example eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTEyOEdDTSJ9..aXY.Y2lwaGVydGV4dA.dGFn */
                    "application/jwt": string;
                };
            };
            /** @description Another request is making the credentials; ask again after the interval. */
            202: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    "DPoP-Nonce"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transaction_id": "rI-Un9uwzEjkjn5dcR0JUV-JYCUV3YEgD7NbFsj09yo",
                     *       "interval": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Openid4vciDeferredResponse"];
                    /** @example eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTEyOEdDTSJ9..aXY.Y2lwaGVydGV4dA.dGFn */
                    "application/jwt": string;
                };
            };
            400: components["responses"]["OAuthBadRequest"];
            401: components["responses"]["OAuthTokenRefused"];
            404: components["responses"]["OAuthNotFound"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            429: components["responses"]["OAuthTooManyRequests"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    tenantNotifyOpenid4vciIssuer: {
        parameters: {
            query?: never;
            header?: {
                /** @description `DPoP` and an access token that is bound to a key, or `Bearer` and any other. */
                Authorization?: components["parameters"]["Openid4vciAuthorization"];
                /** @description A DPoP proof (RFC 9449 §4), signed with EdDSA or ES256. */
                DPoP?: components["parameters"]["Openid4vciDpop"];
            };
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Openid4vciNotification"];
            };
        };
        responses: {
            /** @description The notification is accepted. */
            204: {
                headers: {
                    "Cache-Control"?: string;
                    Pragma?: string;
                    "DPoP-Nonce"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["OAuthBadRequest"];
            401: components["responses"]["OAuthTokenRefused"];
            404: components["responses"]["OAuthNotFound"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    tenantGetFinalCredentialType: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
                /** @description What follows the issuer's identifier in the `vct`, or a whole `vct`. */
                type: components["parameters"]["Type"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["TypeMetadata"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    tenantListIssuanceProfiles: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All profiles. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "profileId": "UniversityDegree_jwt_vc_json",
                     *         "name": "UniversityDegree_jwt_vc_json",
                     *         "credentialConfigurationId": "UniversityDegree_jwt_vc_json",
                     *         "format": "jwt_vc_json",
                     *         "types": [
                     *           "VerifiableCredential",
                     *           "UniversityDegree"
                     *         ],
                     *         "scope": "UniversityDegree_jwt_vc_json",
                     *         "credentialData": {
                     *           "@context": [
                     *             "https://www.w3.org/2018/credentials/v1"
                     *           ],
                     *           "type": [
                     *             "VerifiableCredential",
                     *             "UniversityDegree"
                     *           ],
                     *           "credentialSubject": {
                     *             "given_name": "Alex",
                     *             "family_name": "Example",
                     *             "birthdate": "1990-01-31"
                     *           }
                     *         },
                     *         "mapping": {
                     *           "id": "<uuid>",
                     *           "issuer": {
                     *             "id": "<issuerDid>"
                     *           },
                     *           "issuanceDate": "<timestamp>",
                     *           "expirationDate": "<timestamp-in:365d>"
                     *         },
                     *         "display": [],
                     *         "claims": []
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["IssuanceProfile"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    tenantGetIssuanceProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
                /** @description The id of the profile. */
                profileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The profile. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "profileId": "membership",
                     *       "name": "Membership card",
                     *       "credentialConfigurationId": "MembershipCard_dc+sd-jwt",
                     *       "format": "dc+sd-jwt",
                     *       "vct": "urn:example:membership",
                     *       "scope": "membership",
                     *       "issuerDid": "did:web:university.example.org",
                     *       "credentialData": {
                     *         "given_name": "Alex",
                     *         "level": "gold"
                     *       },
                     *       "selectiveDisclosure": {
                     *         "fields": {
                     *           "given_name": {
                     *             "sd": true
                     *           }
                     *         }
                     *       },
                     *       "display": [
                     *         {
                     *           "name": "Membership card",
                     *           "locale": "en-US"
                     *         }
                     *       ],
                     *       "claims": [
                     *         {
                     *           "path": [
                     *             "given_name"
                     *           ],
                     *           "mandatory": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["IssuanceProfile"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    tenantCreateCredentialOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CredentialOfferRequest"];
            };
        };
        responses: {
            /** @description The offer. */
            201: {
                headers: {
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "offerId": "0f0e7a4c-5d4f-4f0e-9d55-3a3c5c1f5b11",
                     *       "profileId": "UniversityDegree_jwt_vc_json",
                     *       "authMethod": "PRE_AUTHORIZED",
                     *       "expiresAt": 1795253400000,
                     *       "txCodeValue": "493536",
                     *       "credentialOffer": "openid-credential-offer://?credential_offer_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vci%2Fcredential-offer%3Fid%3DtCxv3jCY5qD9mPq0c1DNRXbhAZmRrN2Cj0xYcQ8gk5E"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedCredentialOffer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    tenantCreateCredentialOffersInBulk: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "profileId": "UniversityDegree_jwt_vc_json",
                 *         "authMethod": "PRE_AUTHORIZED",
                 *         "sessionId": "7c0c1ad0e52746f6b6ab3ee0a4f4a7ef"
                 *       },
                 *       {
                 *         "profileId": "UniversityDegree_jwt_vc_json",
                 *         "authMethod": "PRE_AUTHORIZED",
                 *         "sessionId": "e0f1a3b2c4d54e5f8091a2b3c4d5e6f7"
                 *       }
                 *     ]
                 */
                "application/x-ndjson": components["schemas"]["CredentialOfferRequest"][];
            };
        };
        responses: {
            /** @description A line for each line. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    "X-Accel-Buffering"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "line": 1,
                     *         "status": 201,
                     *         "offer": {
                     *           "offerId": "7c0c1ad0e52746f6b6ab3ee0a4f4a7ef",
                     *           "profileId": "UniversityDegree_jwt_vc_json",
                     *           "authMethod": "PRE_AUTHORIZED",
                     *           "expiresAt": 1795253400000,
                     *           "credentialOffer": "openid-credential-offer://?credential_offer_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fopenid4vci%2Fcredential-offer%3Fid%3DtCxv3jCY5qD9mPq0c1DNRXbhAZmRrN2Cj0xYcQ8gk5E"
                     *         }
                     *       },
                     *       {
                     *         "line": 2,
                     *         "status": 400,
                     *         "error": {
                     *           "exception": true,
                     *           "id": "BadRequest",
                     *           "status": "Bad Request",
                     *           "code": "400",
                     *           "message": "/body/profileId: is required",
                     *           "requestId": "0f0e7a4c-5d4f-4f0e-9d55-3a3c5c1f5b11",
                     *           "details": [
                     *             {
                     *               "path": "/body/profileId",
                     *               "message": "is required"
                     *             }
                     *           ]
                     *         }
                     *       }
                     *     ]
                     */
                    "application/x-ndjson": components["schemas"]["BulkOfferLine"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    tenantListIssuanceSessions: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to skip. Digits only. */
                offset?: components["parameters"]["Offset"];
                /** @description The name alone, or with `-`, means latest first; `+`, to be written as `%2B`, means oldest first. Without it the elements are in the order of their targets. */
                sort?: components["parameters"]["Sort"];
            };
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "sessionId": "enrolment-2026-0042",
                     *         "profileId": "UniversityDegree_jwt_vc_json",
                     *         "authenticationMethod": "PRE_AUTHORIZED",
                     *         "credentialConfigurationId": "UniversityDegree_jwt_vc_json",
                     *         "credentialConfigurationIds": [
                     *           "UniversityDegree_jwt_vc_json"
                     *         ],
                     *         "status": "ACTIVE",
                     *         "isClosed": false,
                     *         "expiresAt": "2026-11-21T09:35:00.000Z",
                     *         "offered": 1,
                     *         "issued": 0,
                     *         "credentials": 0,
                     *         "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *         "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["IssuanceSession"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    tenantGetIssuanceSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
                /** @description The issuance session. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessionId": "0f0e7a4c-5d4f-4f0e-9d55-3a3c5c1f5b11",
                     *       "profileId": "UniversityDegree_jwt_vc_json",
                     *       "authenticationMethod": "PRE_AUTHORIZED",
                     *       "credentialConfigurationId": "UniversityDegree_jwt_vc_json",
                     *       "credentialConfigurationIds": [
                     *         "UniversityDegree_jwt_vc_json"
                     *       ],
                     *       "status": "EXPIRED",
                     *       "statusReason": "The issuance session expired",
                     *       "isClosed": true,
                     *       "expiresAt": "2026-11-21T09:35:00.000Z",
                     *       "offered": 1,
                     *       "issued": 0,
                     *       "credentials": 0,
                     *       "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *       "updatedDateTime": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["IssuanceSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    tenantStreamIssuanceSessionEvents: {
        parameters: {
            query?: {
                /** @description The same, for pages that cannot set the header. The header comes first. */
                lastEventId?: components["schemas"]["EventNumber"];
            };
            header?: {
                /** @description The number of the last event that was received. */
                "Last-Event-ID"?: components["schemas"]["EventNumber"];
            };
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
                /** @description The issuance session. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, as they come. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    "X-Accel-Buffering"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example retry: 1000
                     *
                     *     id: 1
                     *     data: {"target":"0f0e7a4c-5d4f-4f0e-9d55-3a3c5c1f5b11","event":"credential_offer_created","session":{"sessionId":"0f0e7a4c-5d4f-4f0e-9d55-3a3c5c1f5b11","status":"ACTIVE"}}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failure"];
        };
    };
    listVerificationSessions: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to skip. Digits only. */
                offset?: components["parameters"]["Offset"];
                /** @description The name alone, or with `-`, means latest first; `+`, to be written as `%2B`, means oldest first. Without it the elements are in the order of their targets. */
                sort?: components["parameters"]["Sort"];
            };
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "_id": "acme.tenant1.verifier1.0f0e7a4c-5d4f-4f0e-9d55-3a3c5c1f5b11",
                     *         "parent": "acme.tenant1.verifier1",
                     *         "id": "0f0e7a4c-5d4f-4f0e-9d55-3a3c5c1f5b11",
                     *         "flow_type": "cross_device",
                     *         "status": "SUCCESSFUL",
                     *         "attempted": true,
                     *         "creationDate": "2026-11-21T09:30:00.000Z",
                     *         "expirationDate": "2026-11-21T09:40:00.000Z",
                     *         "retentionDate": "2026-11-22T09:30:07.000Z",
                     *         "requestMode": "URL_ENCODED",
                     *         "isHaip": false,
                     *         "policies": {
                     *           "vc_policies": [
                     *             {
                     *               "policy": "signature"
                     *             }
                     *           ],
                     *           "specific_vc_policies": {}
                     *         },
                     *         "presented_credentials": {
                     *           "degree": [
                     *             {
                     *               "format": "jwt_vc_json",
                     *               "type": "UniversityDegree",
                     *               "issuer": "did:web:university.example.org",
                     *               "digest": "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"
                     *             }
                     *           ]
                     *         },
                     *         "policy_results": {
                     *           "vp_policies": {
                     *             "degree": {
                     *               "jwt_vc_json/nonce-check": {
                     *                 "success": true,
                     *                 "errors": []
                     *               }
                     *             }
                     *           },
                     *           "vc_policies": [
                     *             {
                     *               "policy": {
                     *                 "policy": "signature"
                     *               },
                     *               "success": true,
                     *               "code": "passed",
                     *               "reason": "The check succeeded",
                     *               "query_id": "degree",
                     *               "credential_index": 0
                     *             }
                     *           ],
                     *           "specific_vc_policies": {},
                     *           "overallSuccess": true
                     *         },
                     *         "createdDateTime": "2026-11-21T09:30:00.000Z",
                     *         "updatedDateTime": "2026-11-21T09:30:07.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["VerificationSessionElement"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    tenantCreateVerificationSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerificationSessionSetup"];
            };
        };
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessionId": "0f0e7a4c-5d4f-4f0e-9d55-3a3c5c1f5b11",
                     *       "bootstrapAuthorizationRequestUrl": "openid4vp://authorize?response_type=vp_token&client_id=redirect_uri%3Ahttp%3A%2F%2F127.0.0.1%3A7001%2Fverification-session%2FtCxv3jCY5qD9mPq0c1DNRXbhAZmRrN2Cj0xYcQ8gk5E%2Fresponse&response_mode=direct_post&response_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fverification-session%2FtCxv3jCY5qD9mPq0c1DNRXbhAZmRrN2Cj0xYcQ8gk5E%2Fresponse&nonce=qPmxiNFCR3QTm19POc8u&state=wKcLq8bYyDPRrRaYVu8cRoT3yGkT3kP0m3iOBAdnRBc&client_metadata=%7B%7D&dcql_query=%7B%7D",
                     *       "fullAuthorizationRequestUrl": "openid4vp://authorize?response_type=vp_token&client_id=redirect_uri%3Ahttp%3A%2F%2F127.0.0.1%3A7001%2Fverification-session%2FtCxv3jCY5qD9mPq0c1DNRXbhAZmRrN2Cj0xYcQ8gk5E%2Fresponse&response_mode=direct_post&response_uri=http%3A%2F%2F127.0.0.1%3A7001%2Fverification-session%2FtCxv3jCY5qD9mPq0c1DNRXbhAZmRrN2Cj0xYcQ8gk5E%2Fresponse&nonce=qPmxiNFCR3QTm19POc8u&state=wKcLq8bYyDPRrRaYVu8cRoT3yGkT3kP0m3iOBAdnRBc&client_metadata=%7B%7D&dcql_query=%7B%7D"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedVerificationSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            502: components["responses"]["BadGateway"];
            504: components["responses"]["GatewayTimeout"];
            default: components["responses"]["Failure"];
        };
    };
    tenantGetVerificationSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
                /** @description The id of the session. */
                sessionId: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0f0e7a4c-5d4f-4f0e-9d55-3a3c5c1f5b11",
                     *       "flow_type": "cross_device",
                     *       "status": "SUCCESSFUL",
                     *       "attempted": true,
                     *       "creationDate": "2026-11-21T09:30:00.000Z",
                     *       "expirationDate": "2026-11-21T09:40:00.000Z",
                     *       "retentionDate": "2026-11-22T09:30:07.000Z",
                     *       "requestMode": "URL_ENCODED",
                     *       "isHaip": false,
                     *       "authorizationRequest": {
                     *         "response_type": "vp_token"
                     *       },
                     *       "policies": {
                     *         "vc_policies": [
                     *           {
                     *             "policy": "signature"
                     *           }
                     *         ],
                     *         "specific_vc_policies": {}
                     *       },
                     *       "redirects": {},
                     *       "presented_raw_data": {
                     *         "vpToken": {
                     *           "degree": [
                     *             "eyJhbGciOiJFUzI1NiJ9.eyJ2cCI6e319.c2lnbmF0dXJl"
                     *           ]
                     *         }
                     *       },
                     *       "presented_credentials": {
                     *         "degree": [
                     *           {
                     *             "format": "jwt_vc_json",
                     *             "type": "UniversityDegree",
                     *             "issuer": "did:web:university.example.org",
                     *             "digest": "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU",
                     *             "claims": {
                     *               "credentialSubject": {
                     *                 "degree": {
                     *                   "type": "BachelorDegree"
                     *                 }
                     *               }
                     *             }
                     *           }
                     *         ]
                     *       },
                     *       "policy_results": {
                     *         "vp_policies": {
                     *           "degree": {
                     *             "jwt_vc_json/nonce-check": {
                     *               "success": true,
                     *               "errors": []
                     *             }
                     *           }
                     *         },
                     *         "vc_policies": [
                     *           {
                     *             "policy": {
                     *               "policy": "signature"
                     *             },
                     *             "success": true,
                     *             "code": "passed",
                     *             "reason": "The signature is valid",
                     *             "query_id": "degree",
                     *             "credential_index": 0
                     *           }
                     *         ],
                     *         "specific_vc_policies": {},
                     *         "overallSuccess": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PresentationSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    tenantRedeemResponseCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
                /** @description The id of the session. */
                sessionId: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "response_code": "r3sponse-c0de"
                 *     }
                 */
                "application/json": {
                    /** @description The code of the redirect. */
                    response_code: string;
                };
            };
        };
        responses: {
            /** @description The session with its outcome. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0f0e7a4c-5d4f-4f0e-9d55-3a3c5c1f5b11",
                     *       "flow_type": "cross_device",
                     *       "status": "SUCCESSFUL",
                     *       "attempted": true,
                     *       "creationDate": "2026-11-21T09:30:00.000Z",
                     *       "expirationDate": "2026-11-21T09:40:00.000Z",
                     *       "retentionDate": "2026-11-22T09:30:07.000Z",
                     *       "requestMode": "URL_ENCODED",
                     *       "isHaip": false,
                     *       "authorizationRequest": {
                     *         "response_type": "vp_token"
                     *       },
                     *       "policies": {
                     *         "vc_policies": [
                     *           {
                     *             "policy": "signature"
                     *           }
                     *         ],
                     *         "specific_vc_policies": {}
                     *       },
                     *       "redirects": {},
                     *       "presented_raw_data": {
                     *         "vpToken": {
                     *           "degree": [
                     *             "eyJhbGciOiJFUzI1NiJ9.eyJ2cCI6e319.c2lnbmF0dXJl"
                     *           ]
                     *         }
                     *       },
                     *       "presented_credentials": {
                     *         "degree": [
                     *           {
                     *             "format": "jwt_vc_json",
                     *             "type": "UniversityDegree",
                     *             "issuer": "did:web:university.example.org",
                     *             "digest": "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU",
                     *             "claims": {
                     *               "credentialSubject": {
                     *                 "degree": {
                     *                   "type": "BachelorDegree"
                     *                 }
                     *               }
                     *             }
                     *           }
                     *         ]
                     *       },
                     *       "policy_results": {
                     *         "vp_policies": {
                     *           "degree": {
                     *             "jwt_vc_json/nonce-check": {
                     *               "success": true,
                     *               "errors": []
                     *             }
                     *           }
                     *         },
                     *         "vc_policies": [
                     *           {
                     *             "policy": {
                     *               "policy": "signature"
                     *             },
                     *             "success": true,
                     *             "code": "passed",
                     *             "reason": "The signature is valid",
                     *             "query_id": "degree",
                     *             "credential_index": 0
                     *           }
                     *         ],
                     *         "specific_vc_policies": {},
                     *         "overallSuccess": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PresentationSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    tenantStreamVerificationSessionEvents: {
        parameters: {
            query?: {
                /** @description The same, for pages that cannot set the header. The header comes first. */
                lastEventId?: components["schemas"]["EventNumber"];
            };
            header?: {
                /** @description The number of the last event that was received. */
                "Last-Event-ID"?: components["schemas"]["EventNumber"];
            };
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
                /** @description The id of the session. */
                sessionId: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, as they come. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    "X-Accel-Buffering"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example retry: 1000
                     *
                     *     id: 1
                     *     data: {"target":"0f0e7a4c-5d4f-4f0e-9d55-3a3c5c1f5b11","event":"authorization_request_requested","session":{"id":"0f0e7a4c-5d4f-4f0e-9d55-3a3c5c1f5b11","status":"IN_USE"}}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["Failure"];
        };
    };
    tenantGetAuthorizationRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
                /** @description The id of the request, as the links for wallets have it. */
                requestId: components["parameters"]["RequestId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /** @example eyJhbGciOiJFUzI1NiIsInR5cCI6Im9hdXRoLWF1dGh6LXJlcStqd3QifQ.eyJyZXNwb25zZV90eXBlIjoidnBfdG9rZW4ifQ.c2lnbmF0dXJl */
                    "application/oauth-authz-req+jwt": string;
                    /**
                     * @example {
                     *       "response_type": "vp_token"
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["OAuthBadRequest"];
            404: components["responses"]["OAuthNotFound"];
            409: components["responses"]["OAuthConflict"];
            429: components["responses"]["OAuthTooManyRequests"];
            502: components["responses"]["OAuthBadGateway"];
            504: components["responses"]["OAuthGatewayTimeout"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    tenantPostAuthorizationRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
                /** @description The id of the request, as the links for wallets have it. */
                requestId: components["parameters"]["RequestId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "wallet_nonce": "qPmxiNFCR3QTm19POc8u",
                 *       "wallet_metadata": "{\"vp_formats_supported\":{\"jwt_vc_json\":{}}}"
                 *     }
                 */
                "application/x-www-form-urlencoded": {
                    /** @description What the signed request repeats, so that it is no replay. */
                    wallet_nonce?: string;
                    /** @description What the wallet can do, as JSON. */
                    wallet_metadata?: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The request. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /** @example eyJhbGciOiJFUzI1NiIsInR5cCI6Im9hdXRoLWF1dGh6LXJlcStqd3QifQ.eyJyZXNwb25zZV90eXBlIjoidnBfdG9rZW4ifQ.c2lnbmF0dXJl */
                    "application/oauth-authz-req+jwt": string;
                    /**
                     * @example {
                     *       "response_type": "vp_token"
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["OAuthBadRequest"];
            404: components["responses"]["OAuthNotFound"];
            409: components["responses"]["OAuthConflict"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            429: components["responses"]["OAuthTooManyRequests"];
            502: components["responses"]["OAuthBadGateway"];
            504: components["responses"]["OAuthGatewayTimeout"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    tenantSubmitAuthorizationResponse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
                /** @description The id of the request, as the links for wallets have it. */
                requestId: components["parameters"]["RequestId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @description Presentations by the ids of their queries, as JSON. */
                    vp_token?: string;
                    /** @description The `state` of the request. */
                    state?: string;
                    /** @description The same members, encrypted to the key of the request. */
                    response?: string;
                    /** @description The error that the wallet sends instead of a presentation. */
                    error?: string;
                    /** @description The reason, for humans. */
                    error_description?: string;
                } & {
                    [key: string]: unknown;
                };
                "application/json": {
                    /** @description Open: the members of a response. */
                    data?: {
                        [key: string]: unknown;
                    };
                    /** @description The same below `data`. Open: the members of a digital credential. */
                    credential?: {
                        [key: string]: unknown;
                    };
                    /** @description The origin of the page, one of `expectedOrigins`; the first one when left out. */
                    origin?: string;
                    /** @description The error that the page got instead. */
                    error?: string;
                    /** @description The reason, for humans. */
                    error_description?: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The response was received, and what was presented is as requested. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Where the wallet sends the user, with the response code. */
                        redirect_uri?: string;
                        /**
                         * @description What was received: a presentation or an error.
                         * @enum {string}
                         */
                        status?: "received" | "acknowledged";
                        /** @description The same for humans. */
                        message?: string;
                    };
                };
            };
            /** @description The response cannot be read, or what was presented is not as requested; then the session has failed, and `redirect_uri` is where the wallet sends the user, if the session has a URL for that. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_request",
                     *       "error_description": "Presentation validation failed. Failed VP policies: degree/jwt_vc_json/nonce-check"
                     *     }
                     */
                    "application/json": components["schemas"]["ResponseRefusal"];
                };
            };
            404: components["responses"]["OAuthNotFound"];
            409: components["responses"]["OAuthConflict"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
            429: components["responses"]["OAuthTooManyRequests"];
            default: components["responses"]["OAuthFailure"];
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description The number of an event: only those that follow it in the order of the answer. Digits only. */
                after?: components["parameters"]["AfterEvent"];
                /** @description Which events come first. */
                order?: components["parameters"]["EventOrder"];
                /** @description Only the events of this operation. */
                action?: components["parameters"]["EventAction"];
                /** @description Only the events of this account, or of this API key. */
                account?: components["parameters"]["EventAccount"];
                /** @description Only the events with this outcome; `ended` for all but `begun`. */
                outcome?: components["parameters"]["EventOutcome"];
                /** @description Only events of this time and later. */
                from?: components["parameters"]["EventsFrom"];
                /** @description Only events of this time and earlier. */
                to?: components["parameters"]["EventsTo"];
                /** @description With `false` only the events of exactly this target. */
                subtree?: components["parameters"]["Subtree"];
            };
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AuditPage"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    exportAuditEvents: {
        parameters: {
            query?: {
                /** @description Only the events of this operation. */
                action?: components["parameters"]["EventAction"];
                /** @description Only the events of this account, or of this API key. */
                account?: components["parameters"]["EventAccount"];
                /** @description Only the events with this outcome; `ended` for all but `begun`. */
                outcome?: components["parameters"]["EventOutcome"];
                /** @description Only events of this time and later. */
                from?: components["parameters"]["EventsFrom"];
                /** @description Only events of this time and earlier. */
                to?: components["parameters"]["EventsTo"];
                /** @description With `false` only the events of exactly this target. */
                subtree?: components["parameters"]["Subtree"];
            };
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AuditLines"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    checkAuditTrail: {
        parameters: {
            query?: {
                /** @description The number of an event: only those that follow it in the order of the answer. Digits only. */
                after?: components["parameters"]["AfterEvent"];
            };
            header?: never;
            path: {
                /**
                 * @description A dotted path.
                 * @example acme.tenant1.kms1
                 */
                target: components["parameters"]["Target"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AuditCheck"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Failure"];
        };
    };
    listInstallationEvents: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description The number of an event: only those that follow it in the order of the answer. Digits only. */
                after?: components["parameters"]["AfterEvent"];
                /** @description Which events come first. */
                order?: components["parameters"]["EventOrder"];
                /** @description Only the events of this operation. */
                action?: components["parameters"]["EventAction"];
                /** @description Only the events of this account, or of this API key. */
                account?: components["parameters"]["EventAccount"];
                /** @description Only the events with this outcome; `ended` for all but `begun`. */
                outcome?: components["parameters"]["EventOutcome"];
                /** @description Only events of this time and later. */
                from?: components["parameters"]["EventsFrom"];
                /** @description Only events of this time and earlier. */
                to?: components["parameters"]["EventsTo"];
                /** @description With `false` only the events of exactly this target. */
                subtree?: components["parameters"]["Subtree"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AuditPage"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Failure"];
        };
    };
    exportInstallationEvents: {
        parameters: {
            query?: {
                /** @description Only the events of this operation. */
                action?: components["parameters"]["EventAction"];
                /** @description Only the events of this account, or of this API key. */
                account?: components["parameters"]["EventAccount"];
                /** @description Only the events with this outcome; `ended` for all but `begun`. */
                outcome?: components["parameters"]["EventOutcome"];
                /** @description Only events of this time and later. */
                from?: components["parameters"]["EventsFrom"];
                /** @description Only events of this time and earlier. */
                to?: components["parameters"]["EventsTo"];
                /** @description With `false` only the events of exactly this target. */
                subtree?: components["parameters"]["Subtree"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AuditLines"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Failure"];
        };
    };
    checkInstallationTrail: {
        parameters: {
            query?: {
                /** @description The number of an event: only those that follow it in the order of the answer. Digits only. */
                after?: components["parameters"]["AfterEvent"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["AuditCheck"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Failure"];
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process answers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "name": "http",
                     *         "status": "Healthy"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["HealthChecks"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The store answers, its data can be decrypted, and it accepts writes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "name": "store",
                     *         "status": "Healthy"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["HealthChecks"];
                };
            };
            /** @description The store does not answer, does not accept writes, has data sealed with another master key or an unfinished copy, or the server is stopping. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "name": "store",
                     *         "status": "Unhealthy"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["HealthChecks"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counters. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example # TYPE credenza_request_seconds histogram
                     *     credenza_request_seconds_count{operation="getLiveness",status="200"} 1
                     */
                    "text/plain": string;
                };
            };
            default: components["responses"]["Failure"];
        };
    };
    getContract: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `gzip` in it the answer is compressed. */
                "Accept-Encoding"?: components["parameters"]["AcceptEncoding"];
                /** @description The `ETag` of the answer that the caller has; an unchanged one is not sent again. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.0",
                     *       "info": {
                     *         "title": "Credenza",
                     *         "license": {
                     *           "name": "Apache-2.0"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Failure"];
        };
    };
    getDocsPage: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `gzip` in it the answer is compressed. */
                "Accept-Encoding"?: components["parameters"]["AcceptEncoding"];
                /** @description The `ETag` of the answer that the caller has; an unchanged one is not sent again. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html> */
                    "text/html": string;
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Failure"];
        };
    };
    getDocsAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description With `gzip` in it the answer is compressed. */
                "Accept-Encoding"?: components["parameters"]["AcceptEncoding"];
                /** @description The `ETag` of the answer that the caller has; an unchanged one is not sent again. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description The name of the file. */
                asset: "swagger-ui.css" | "swagger-ui-bundle.js" | "page.js" | "favicon.svg";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example SwaggerUIBundle({}); */
                    "text/javascript": string;
                    /** @example .swagger-ui { color: #3b4151 } */
                    "text/css": string;
                    /** @example <svg xmlns="http://www.w3.org/2000/svg"/> */
                    "image/svg+xml": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            default: components["responses"]["Failure"];
        };
    };
}
