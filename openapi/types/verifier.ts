/** Generated from openapi/verifier.yaml by `npm run types`. Do not edit. */

export interface paths {
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
         * @description Takes the one presentation of a session, or the error the wallet has instead. An answer that cannot be read, or a token that names two issuers, subjects, holders or ids, does not use the session up. While one answer is verified, another is put off with 503; when the process that verifies it dies, the session takes an answer again within 15 seconds.
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
         * @description The result is kept for a day.
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
    "/transaction-data-profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the profiles of transaction data
         * @description Requests carry no transaction data, so there are none. Existing portals ask for this list.
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
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
            /** @description Goes before the header `openId4VPProfile`. */
            openid_profile?: string;
        };
        /** @description When absent, `signature`. */
        PolicyList: components["schemas"]["Policy"][];
        /** @description A credential type; or `{credential, policies}`; or an object with `format` and the selector that goes with it, or with an `input_descriptor`. */
        RequestedCredential: string | {
            /** @description The type in the older object form. */
            credential?: string;
            /** @description The type of a W3C JWT credential. */
            type?: string;
            /** @description The type of an SD-JWT VC. */
            vct?: string;
            /** @description The type of an mdoc. */
            doc_type?: string;
            /** @description `jwt_vc_json` is supported. */
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
            /** @description What came of the policies. */
            policyResults?: {
                /** @description Of the presentation, then of each credential. */
                results: components["schemas"]["CredentialResult"][];
                /** @description How long the policies took (ISO 8601 duration). */
                time: string;
                /** @description How many policies were run. */
                policiesRun: number;
            };
        };
        /** @description The first of the list is the presentation's, the others follow its credentials. */
        CredentialResult: {
            /** @description The last of its types. */
            credential: string;
            /** @description What came of each policy. */
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
            /** @description The policy's argument. */
            args?: unknown;
            /** @description What a policy that succeeded has to say. */
            result?: unknown;
            /** @description Why a policy failed: a text, or an object with a `type`. */
            error?: unknown;
        };
        /** @description A policy without argument is its name; with one, an object. */
        Policy: string | {
            /** @description The name of the policy. */
            policy: string;
            /** @description The policy's argument; any JSON. */
            args?: unknown;
        };
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
        /** @description It exists already or was used already. */
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
        /** @description The `state` of the request URL. */
        VerificationState: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    startVerification: {
        parameters: {
            query?: never;
            header?: {
                /** @description Start of the request URL. A query it already has is kept; it may not hold parameters of the request itself. */
                authorizeBaseUrl?: string;
                /** @description How the wallet answers; `direct_post` is supported. */
                responseMode?: string;
                /** @description Where the user goes after success; `$id` becomes the session id. */
                successRedirectUri?: string;
                /** @description Where the user goes after failure; `$id` becomes the session id. */
                errorRedirectUri?: string;
                /** @description Receives the session with its result as a POST once a wallet has answered. */
                statusCallbackUri?: string;
                /** @description Sent as it is in the `Authorization` header of the callback. */
                statusCallbackApiKey?: string;
                /** @description The `state` of the session instead of a generated one. */
                stateId?: string;
                /** @description The profile of OpenID4VP; `DEFAULT` is supported. */
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
                    /** @description The submission as JSON. */
                    presentation_submission?: string;
                    /** @description The `state` of the request. */
                    state?: string;
                    /** @description What the wallet has instead of a presentation. */
                    error?: string;
                    /** @description Why, in words for people. */
                    error_description?: string;
                    /** @description Where more is said of the error. */
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
            /** @description The answer cannot be read, the wallet refused, or a policy failed; then `error_uri` is where the wallet sends the user, if the verifier named a place. */
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
    listVerifierTransactionDataProfiles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No profile. */
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
}
