/** Generated from openapi/accounts.yaml by `npm run types`. Do not edit. */

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
         * @description Makes an account with one wallet for the key of the leaf certificate. A key has one account; a renewed certificate keeps it.
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
         * @description The nonce goes into the payload of the token as `nonce` and is good for one registration or login.
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
         * @description For web pages that must know whether their cookie still counts.
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
         * @description An account has one wallet from its registration on. Its id stands in the paths of all wallet calls.
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
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
            /** @description Goes into the payload of the next login token. */
            nonce: string;
            /** @description Seconds until the nonce expires. */
            expiresIn: number;
        };
        LoginSession: {
            /** @description The login. */
            token: {
                /** @description The token this call was made with. */
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
         * Format: uuid
         * @description A UUID (RFC 9562).
         */
        Uuid: string;
        /** @description An instant (RFC 3339) in UTC with three fraction digits. */
        DateTime: string;
    };
    responses: {
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
        /** @description No presented token is good any more; the cookie `login` is cleared. */
        LoggedOut: {
            headers: {
                "Set-Cookie"?: string;
                [name: string]: unknown;
            };
            content?: never;
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
    };
    parameters: never;
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
}
