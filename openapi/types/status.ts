/** Generated from openapi/status.yaml by `npm run types`. Do not edit. */

export interface paths {
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
         * @description Takes a credential as JSON text or as a JWT and looks its `credentialStatus` up: entries of the types `StatusList2021Entry` and `BitstringStatusListEntry`. Every list must be a JWT signed by the issuer of the credential, valid now and long enough; the signature of the credential itself is checked when it is a JWT. With several entries the credential is revoked when one of purpose `revocation` says so, and every one of them must be readable.
         */
        post: operations["checkRevocation"];
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
        RevocationStatus: {
            /** @description Whether the credential is revoked. */
            isRevoked: boolean;
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
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
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
                    "application/json": components["schemas"]["RevocationStatus"] | "Verifiable credential has no credential-status property";
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
}
