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
    "/draft13/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Refuse an authorization request
         * @description Credentials are issued by pre-authorized codes only, so every authorization request is answered with `unsupported_response_type` (RFC 6749 §4.1.2.1). It is not sent on to the redirect URI, since no client is registered.
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
         * Say where the issuer's keys are
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        OnboardingRequest: {
            /** @description What key to make. */
            key?: {
                /**
                 * @description Where the key lives; `jwk` hands it to the caller.
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
            /** @description What DID to make. */
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
        IssuanceRequest: {
            issuerKey: components["schemas"]["KeyReference"];
            /** @description The DID to sign under. It must resolve to `issuerKey`, unless both were onboarded here together or the operator names them. One call may have at most eight DIDs whose documents are fetched. */
            issuerDid: string;
            /** @description One of the issuer's configurations; derived from the last type of `credentialData` when left out. */
            credentialConfigurationId?: string;
            /** @description The credential before the mapping. The id of its `issuer` becomes `issuerDid`; `sub` is the id of its subject, the holder's DID when it has none. Open: the members of a W3C credential. */
            credentialData: {
                /** @description The types of the credential, the most special one last. */
                type: string | string[];
            } & {
                [key: string]: unknown;
            };
            /** @description Laid over `credentialData` when the credential is claimed. Strings such as `<uuid>`, `<subjectDid>`, `<timestamp-in:365d>` are data functions; members `jwt:NAME` become claims of the JWT. Open: the members of the credential that it sets. */
            mapping?: {
                [key: string]: unknown;
            };
            /**
             * @description How the holder is known; an offer carries a pre-authorized code.
             * @default PRE_AUTHORIZED
             * @enum {string}
             */
            authenticationMethod: "PRE_AUTHORIZED";
            /** @description Belongs to authentication by presentation; of no effect with PRE_AUTHORIZED. */
            vpRequestValue?: string;
            /** @description Belongs to authentication by presentation; of no effect with PRE_AUTHORIZED. */
            vpProfile?: string;
            /**
             * @description The draft of OpenID4VCI.
             * @default DRAFT13
             * @enum {string}
             */
            standardVersion: "DRAFT13";
            /** @description Becomes `credentialStatus` of the credential. Open: the members of its status type. */
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
        /** @description One step of an issuance. */
        IssuanceEvent: {
            /** @description The issuance session. */
            id: components["schemas"]["Uuid"];
            /**
             * @description A wallet fetched the offer.
             * @constant
             */
            type: "resolved_credential_offer";
            /** @description The offer. */
            data: components["schemas"]["IssuerOffer"];
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
                /** @description Who the wallet is, if it says so. */
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
        };
        /** @description A credential offer (OpenID4VCI draft 13 §4.1.1). */
        IssuerOffer: {
            /** @description The credential issuer identifier. */
            credential_issuer: string;
            /** @description What is offered. */
            credential_configuration_ids: string[];
            /** @description How a wallet gets its access token. */
            grants: {
                /** @description The grant of the pre-authorized code flow. */
                "urn:ietf:params:oauth:grant-type:pre-authorized_code": {
                    /** @description The code; good for one token. */
                    "pre-authorized_code": string;
                };
            };
        };
        /** @description Open: parameters that are not documented are ignored. */
        IssuanceTokenRequest: {
            /** @description `urn:ietf:params:oauth:grant-type:pre-authorized_code` */
            grant_type: string;
            /** @description The code of the offer. */
            "pre-authorized_code"?: string;
            /** @description No offer has one; sending one is refused. */
            tx_code?: string;
            /** @description Who the wallet is; only passed on to the callback. */
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
            c_nonce: string;
            /** @description Seconds until the nonce expires. */
            c_nonce_expires_in: number;
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
            /** @description The format; `jwt_vc_json` is supported. */
            format?: string;
            /** @description One of the `credential_identifiers` of the token response; the format and the types then say nothing. */
            credential_identifier?: string;
            /** @description Which credential of the offer. Open: members that are not documented are ignored. */
            credential_definition?: {
                /** @description All its types, in any order. */
                type?: string[];
            };
            /** @description The types as earlier drafts sent them. */
            types?: string[];
            /** @description Proof of possession of the key that the credential is issued to. Open: members that are not documented are ignored. */
            proof?: {
                /** @description `jwt` is supported. */
                proof_type?: string;
                /** @description The proof. */
                jwt?: string;
            };
        };
        CredentialResponse: {
            /** @description The format. */
            format: string;
            /** @description The credential. */
            credential: string;
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
                /** @description What signatures call the key. */
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
            /** @description Answers every request with `unsupported_response_type`. */
            authorization_endpoint: string;
            /** @description Where codes are redeemed. */
            token_endpoint: string;
            /** @description Where its public keys are. */
            jwks_uri: string;
            /** @description How a token can be had. */
            grant_types_supported: string[];
            /** @description Empty; the issuer takes pre-authorized codes only. */
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
        /**
         * @description The kind of key: an elliptic curve, or RSA with 2048 bits or the number of bits it names.
         * @enum {string}
         */
        KeyType: "Ed25519" | "secp256k1" | "secp256r1" | "secp384r1" | "secp521r1" | "RSA" | "RSA3072" | "RSA4096";
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
        /** @description A key reference object; `type` names the backend, the other members are that backend's. */
        KeyReference: {
            /** @description The backend; `jwk` for a key that the caller keeps. */
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
            /** @description Open: the credentials for the backend, where they do not stand in `config`. */
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
        /**
         * Format: uuid
         * @description A UUID (RFC 9562).
         */
        Uuid: string;
        /** @description The body of every error of an OAuth or OpenID endpoint. */
        OAuthError: {
            /** @description The code that the specification of the endpoint names. */
            error: string;
            /** @description What is wrong, in words for people. */
            error_description: string;
            /** @description Where the wallet sends the user after a failed presentation. */
            error_uri?: string;
            /** @description The nonce for the next proof, with `invalid_proof`. */
            c_nonce?: string;
            /** @description Seconds until that nonce expires. */
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
                 *       "grant_types_supported": [
                 *         "urn:ietf:params:oauth:grant-type:pre-authorized_code"
                 *       ],
                 *       "response_types_supported": [],
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
                 *         "urn:ietf:params:oauth:grant-type:pre-authorized_code"
                 *       ],
                 *       "response_types_supported": [],
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
        /** @description A limit is exceeded. `RateLimit` and `RateLimit-Policy` come with every answer of a limited operation. */
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
            429: components["responses"]["TooManyRequests"];
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
            429: components["responses"]["TooManyRequests"];
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
    requestAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            400: components["responses"]["OAuthBadRequest"];
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
}
