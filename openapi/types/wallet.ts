/** Generated from openapi/wallet.yaml by `npm run types`. Do not edit. */

export interface paths {
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
         * @description What a key can do stays at its backend; the list has no key material.
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
         * Make a key
         * @description The key is ready for a DID. Its private part never leaves its backend.
         */
        post: operations["generateWalletKey"];
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
                keyId: string;
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
                /** @description The key of the DID; without it, or when empty, one is made. */
                keyId?: string;
                /** @description A name for people. */
                alias?: string;
                /** @description For did:key, encode the canonical JWK instead of the raw key. */
                useJwkJcsPub?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The DID method. */
                method: "jwk" | "key";
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a DID
         * @description For a key of the wallet, or for a new one.
         */
        post: operations["createWalletDid"];
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
         * @description Only DIDs of this wallet are answered.
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
    "/wallet-api/wallet/{wallet}/credentials": {
        parameters: {
            query?: {
                /** @description Also those put aside. */
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
         * @description Without parameters those that are neither put aside nor pending, oldest first.
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
         * @description Also one that is put aside or pending.
         */
        get: operations["getWalletCredential"];
        put?: never;
        post?: never;
        /**
         * Put a credential aside, or delete it for good
         * @description A credential that is put aside is in the list with `showDeleted` only.
         */
        delete: operations["deleteWalletCredential"];
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
         * @description Refusing one is deleting it for good.
         */
        post: operations["acceptWalletCredential"];
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
         * @description The body is the offer link itself, whatever its media type says. The offer is kept for 15 minutes, so that accepting it does not fetch it again.
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
                /** @description The DID to hold the credentials; without it the default one. */
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
         * @description The body is the offer link itself, whatever its media type says. All credentials of the offer come into the wallet, or none.
         */
        post: operations["acceptCredentialOffer"];
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
         * List the issuers that the wallet trusts
         * @description Existing front ends ask for this list. It is empty as long as no issuer can be added to a wallet.
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
         * @description The body is the request link itself, whatever its media type says.
         */
        post: operations["resolvePresentationRequest"];
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
         * @description A credential that is put aside or pending answers none.
         */
        post: operations["matchWalletCredentials"];
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description An offer or request link with the scheme openid-credential-offer, openid-initiate-issuance, openid4vp, openid, haip, mdoc-openid4vp, https or http. The URIs in it may be percent-encoded or not. */
        Link: string;
        WalletKeyRequest: {
            /**
             * @description Where the key lives; `jwk` is this server.
             * @default jwk
             */
            backend: string;
            keyType?: components["schemas"]["KeyType"];
            /** @description A name for people. */
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
            /** @description Which key it is. */
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
            /** @description The name for people. */
            alias: string;
            /** @description The DID document as JSON text. */
            document: string;
            /** @description The id of its key. */
            keyId: string;
            /** @description Whether credentials are issued to it unless a call names another one. */
            default: boolean;
            /** @description When it was made. */
            createdOn: components["schemas"]["DateTime"];
        };
        WalletCredential: {
            /** @description The wallet that holds it. */
            wallet: components["schemas"]["Uuid"];
            /** @description The id of the credential. */
            id: string;
            /** @description The credential as it was issued. */
            document: string;
            /** @description Selective disclosures, joined by a tilde. */
            disclosures?: string;
            /** @description When it came into the wallet. */
            addedOn: components["schemas"]["DateTime"];
            /** @description When it was put aside, if it was. */
            deletedOn?: components["schemas"]["DateTime"];
            /** @description Whether it waits to be accepted. */
            pending: boolean;
            /** @description The format of OpenID4VCI. */
            format: string;
            /** @description The credential inside the document. Open: whatever the issuer says in it. */
            parsedDocument?: {
                [key: string]: unknown;
            };
        };
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
            /** @description Of no effect. */
            note?: string;
        };
        /**
         * Format: uuid
         * @description A UUID (RFC 9562).
         */
        Uuid: string;
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
            /** @description What is wrong, in words for people. */
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
        /**
         * @description The kind of key: an elliptic curve, or RSA with 2048 bits or the number of bits it names.
         * @enum {string}
         */
        KeyType: "Ed25519" | "secp256k1" | "secp256r1" | "secp384r1" | "secp521r1" | "RSA" | "RSA3072" | "RSA4096";
        /** @description An instant (RFC 3339) in UTC with three fraction digits. */
        DateTime: string;
    };
    responses: {
        /** @description The error object as JSON text. Existing front ends read the text of a failed offer and show its `message`. */
        OfferFailure: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
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
        /** @description Anything that is our fault: 500, or 503 while the store is down or, with `Retry-After`, while the server is busy. */
        Failure: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
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
        /** @description Not yours. */
        Forbidden: {
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
        /** @description Unknown, expired, or not for you to know. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description It exists already or was used already. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description A foreign service failed. */
        BadGateway: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description A foreign service did not answer in time. */
        GatewayTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @description The id of a wallet of the caller. */
        WalletId: components["schemas"]["Uuid"];
        /** @description The id as the list gives it, percent-encoded. */
        WalletCredentialId: string;
    };
    requestBodies: {
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
    };
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
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
    deleteWalletKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The id of the key. */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is gone. */
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
                /** @description The key of the DID; without it, or when empty, one is made. */
                keyId?: string;
                /** @description A name for people. */
                alias?: string;
                /** @description For did:key, encode the canonical JWK instead of the raw key. */
                useJwkJcsPub?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of a wallet of the caller. */
                wallet: components["parameters"]["WalletId"];
                /** @description The DID method. */
                method: "jwk" | "key";
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
            /** @description The DID is gone; its key stays. */
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
    listWalletCredentials: {
        parameters: {
            query?: {
                /** @description Also those put aside. */
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
                /** @description Delete the credential for good. */
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
            /** @description The credential is put aside or gone. */
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
                /** @description The DID to hold the credentials; without it the default one. */
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
            /** @description No issuer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example [] */
                    "application/json": unknown[];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            default: components["responses"]["Failure"];
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
            /** @description The verifier took the presentation. */
            200: {
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
}
