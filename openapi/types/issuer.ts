/** Generated from openapi/issuer.yaml by `npm run types`. Do not edit. */

export interface paths {
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
         * Make an issuer
         * @description Creates a key and a DID. Both parts of the body may be left out: the default is an `Ed25519` key of the backend `jwk` and a `did:jwk`. Everything is checked before the key is created.
         */
        post: operations["onboardIssuer"];
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
         * @description Checks the request and answers with the URL of an offer by reference, to be shown as a QR code or given to a wallet. The credential is made when a wallet claims it: only then the data functions of `mapping` are evaluated.
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
    "/draft13/credentialOffer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an offer
         * @description Tells the issuer's callback `resolved_credential_offer`. When that cannot be reached, 400; the offer stays.
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
         * Redeem a pre-authorized code
         * @description A code is good for one token. When the issuer's callback cannot be told of `requested_token`, the answer is 400 with `server_error` and the code stays good. Unknown parameters are ignored.
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
         * @description The proof is a JWT with `typ` openid4vci-proof+jwt, the holder's key as `jwk` or by a DID URL as `kid`, `aud` the issuer identifier, `iat` at most five minutes old and `nonce` the last `c_nonce`. A nonce is good for one proof; `invalid_proof` comes with the next one. While a proof is at work, the same request is put off with 503; when the process that works on it dies, the proof is good again within 15 seconds.
         */
        post: operations["requestCredential"];
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
        /** Describe the credential issuer */
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
        /** Describe the credential issuer, where RFC 8615 puts it */
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
        /** Describe the authorization server */
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
        /** Describe the authorization server, where RFC 8414 puts it */
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
        /** Describe the authorization server to OpenID clients */
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
        /** Describe the authorization server to OpenID clients, below the host's well-known path */
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
        /** Say where the issuer's keys are */
        get: operations["getJwtVcIssuerMetadata"];
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
        OnboardingRequest: {
            key?: {
                /**
                 * @description Where the key lives; `jwk` hands it to the caller.
                 * @default jwk
                 */
                backend: string;
                keyType?: components["schemas"]["KeyType"];
                name?: string;
                /** @description What the backend needs; nothing for `jwk`. */
                config?: {
                    [key: string]: unknown;
                };
            };
            did?: {
                /**
                 * @description `jwk`, `key` or `web`.
                 * @default jwk
                 */
                method: string;
                config?: {
                    /** @description For `web`: the host, with a port where there is one. */
                    domain?: string;
                    /** @description For `web`: a path; `[random-uuid]` in it becomes a fresh UUID. */
                    path?: string;
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
            issuerDid: string;
        };
        IssuanceRequest: {
            issuerKey: components["schemas"]["KeyReference"];
            /** @description The DID to sign under. It must resolve to `issuerKey`, unless both were onboarded here together or the operator names them. One call may have at most eight DIDs whose documents are fetched. */
            issuerDid: string;
            /** @description One of the issuer's configurations; derived from the last type of `credentialData` when left out. */
            credentialConfigurationId?: string;
            /** @description The credential before the mapping. */
            credentialData: {
                type: string | string[];
            } & {
                [key: string]: unknown;
            };
            /** @description Laid over `credentialData` when the credential is claimed. Strings such as `<uuid>`, `<subjectDid>`, `<timestamp-in:365d>` are data functions; members `jwt:NAME` become claims of the JWT. */
            mapping?: {
                [key: string]: unknown;
            };
            /**
             * @default PRE_AUTHORIZED
             * @enum {string}
             */
            authenticationMethod: "PRE_AUTHORIZED";
            /** @description Belongs to authentication by presentation; of no effect with PRE_AUTHORIZED. */
            vpRequestValue?: string;
            /** @description Belongs to authentication by presentation; of no effect with PRE_AUTHORIZED. */
            vpProfile?: string;
            /**
             * @default DRAFT13
             * @enum {string}
             */
            standardVersion: "DRAFT13";
            /** @description Becomes `credentialStatus` of the credential. */
            credentialStatus?: {
                [key: string]: unknown;
            };
            /** @description Display metadata for the function `<display>`. */
            display?: {
                [key: string]: unknown;
            }[];
            /** @description The issuer's certificates as PEM, leaf first; sent as `x5c`. */
            x5Chain?: string[];
        };
        IssuerOffer: {
            credential_issuer: string;
            credential_configuration_ids: string[];
            grants: {
                "urn:ietf:params:oauth:grant-type:pre-authorized_code": {
                    "pre-authorized_code": string;
                };
            };
        };
        IssuanceTokenRequest: {
            /** @description `urn:ietf:params:oauth:grant-type:pre-authorized_code` */
            grant_type: string;
            "pre-authorized_code"?: string;
            /** @description No offer has one; sending one is refused. */
            tx_code?: string;
            client_id?: string;
            /** @description JSON (RFC 9396): details of type `openid_credential` with a `credential_configuration_id` of the offer are answered with the identifiers of its credentials, others are ignored. */
            authorization_details?: string;
        };
        IssuanceTokenResponse: {
            access_token: string;
            /** @constant */
            token_type: "bearer";
            /** @description Seconds. */
            expires_in: number;
            c_nonce: string;
            /** @description Seconds. */
            c_nonce_expires_in: number;
            /** @description For each configuration that the request named in its own `authorization_details`, all of its credentials. */
            authorization_details?: {
                /** @constant */
                type: "openid_credential";
                credential_configuration_id: string;
                credential_identifiers: string[];
            }[];
        };
        /** @description Unknown members are ignored. */
        CredentialRequest: {
            format?: string;
            /** @description One of the `credential_identifiers` of the token response; the format and the types then say nothing. */
            credential_identifier?: string;
            credential_definition?: {
                type?: string[];
            };
            /** @description The types as earlier drafts sent them. */
            types?: string[];
            proof?: {
                proof_type?: string;
                jwt?: string;
            };
        };
        CredentialResponse: {
            format: string;
            credential: string;
            c_nonce?: string;
            /** @description Seconds. */
            c_nonce_expires_in?: number;
        };
        IssuerKeySet: {
            keys: {
                kty: string;
                kid: string;
                /** @constant */
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
                [key: string]: {
                    [key: string]: unknown;
                };
            };
        } & {
            [key: string]: unknown;
        };
        AuthorizationServerMetadata: {
            issuer: string;
            token_endpoint: string;
            jwks_uri: string;
            grant_types_supported: string[];
            response_types_supported: string[];
        } & {
            [key: string]: unknown;
        };
        JwtVcIssuerMetadata: {
            issuer: string;
            jwks_uri: string;
        };
        /** @enum {string} */
        KeyType: "Ed25519" | "secp256k1" | "secp256r1" | "secp384r1" | "secp521r1" | "RSA" | "RSA3072" | "RSA4096";
        /** @description The body of every error outside the OAuth and OpenID endpoints. */
        Problem: {
            /** @constant */
            exception: true;
            /** @description A stable name of the kind of error. */
            id: string;
            /** @description The reason phrase. */
            status: string;
            /** @description The status as a string. */
            code: string;
            message: string;
            requestId: string;
            /** @description The message again, where existing clients look for it. */
            errorMessage?: string;
            /** @description Where to send the user after a failed presentation. */
            redirectUri?: string;
            details?: {
                /** @description JSON Pointer to the part of the request. */
                path: string;
                message: string;
            }[];
        };
        /** @description A key reference object; `type` names the backend, the other members are that backend's. */
        KeyReference: {
            type: string;
            id?: string;
            /** @description The private JWK of a `jwk` key, as an object or as JSON text. */
            jwk?: {
                [key: string]: unknown;
            } | string;
            config?: {
                [key: string]: unknown;
            };
            auth?: {
                [key: string]: unknown;
            };
            _publicKey?: {
                [key: string]: unknown;
            } | string;
            _keyType?: string;
        };
        /** @description The body of every error of an OAuth or OpenID endpoint. */
        OAuthError: {
            error: string;
            error_description: string;
            error_uri?: string;
            c_nonce?: string;
            c_nonce_expires_in?: number;
        };
    };
    responses: {
        /** @description The offer URL. */
        OfferUrl: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "text/plain": string;
            };
        };
        /** @description Credential issuer metadata. */
        IssuerMetadata: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IssuerMetadata"];
            };
        };
        /** @description Authorization server metadata. */
        AuthorizationServerMetadata: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AuthorizationServerMetadata"];
            };
        };
        /** @description Anything that is our fault: 500, or 503 while the store is down. */
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
        /** @description Anything that is our fault: 500, or 503 while the store is down. */
        OAuthFailure: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
        /** @description The protocol error its specification names. */
        OAuthBadRequest: {
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
        /** @description Another request is working on the same thing and may have died at it, or the store is down. Try again after `Retry-After` seconds where it is given, with the same request. */
        OAuthBusy: {
            headers: {
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OAuthError"];
            };
        };
    };
    parameters: {
        /** @description An http or https URL that is told of each step by a POST of `{id, type, data}`; `$id` becomes the id of the issuance session. When it cannot be reached, the issuance does not go on. */
        StatusCallbackUri: string;
        /** @description Seconds the offer is good for; 300 when left out. */
        SessionTtl: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
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
            /** @description The issuer. The key reference is what issuance requests carry; the service keeps the DID and the public key, and no copy of the private one. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnboardingResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            default: components["responses"]["Failure"];
        };
    };
    issueJwtCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description An http or https URL that is told of each step by a POST of `{id, type, data}`; `$id` becomes the id of the issuance session. When it cannot be reached, the issuance does not go on. */
                statusCallbackUri?: components["parameters"]["StatusCallbackUri"];
                /** @description Seconds the offer is good for; 300 when left out. */
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
            default: components["responses"]["Failure"];
        };
    };
    issueJwtCredentialBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description An http or https URL that is told of each step by a POST of `{id, type, data}`; `$id` becomes the id of the issuance session. When it cannot be reached, the issuance does not go on. */
                statusCallbackUri?: components["parameters"]["StatusCallbackUri"];
                /** @description Seconds the offer is good for; 300 when left out. */
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
                    [name: string]: unknown;
                };
                content: {
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
                "application/x-www-form-urlencoded": components["schemas"]["IssuanceTokenRequest"];
            };
        };
        responses: {
            /** @description The access token and the nonce for the first proof. */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuanceTokenResponse"];
                };
            };
            400: components["responses"]["OAuthBadRequest"];
            413: components["responses"]["OAuthPayloadTooLarge"];
            415: components["responses"]["OAuthUnsupportedMediaType"];
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
            200: components["responses"]["AuthorizationServerMetadata"];
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
            200: components["responses"]["AuthorizationServerMetadata"];
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
                    "application/json": components["schemas"]["JwtVcIssuerMetadata"];
                };
            };
            default: components["responses"]["Failure"];
        };
    };
}
