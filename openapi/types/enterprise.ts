/** Generated from openapi/enterprise.yaml by `npm run types`. Do not edit. */

export interface paths {
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
         * Make the account of a superadmin
         * @description The tokens and their accounts stand in `superadmin-registration.conf`. A token is good once; one that is unknown and one that is expired are answered alike.
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
         * @description The token is sent as `Authorization: Bearer` with every other call here. It is none for the wallet, and a token of the wallet is none here.
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
         * Make an organization
         * @description For superadmins. With it comes the role `{organization}.admin`, which may do everything in it.
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
         * Make an account
         * @description For superadmins. The account may do nothing until it is given roles.
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
         * @description For those who may do everything the role allows and everything where it stands.
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
         * Make a role
         * @description The target is that of the new role, below an organization or a tenant. For those who may do everything there; what the role allows must lie within what they may do.
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
         * Make a tenant
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
         * Make a service
         * @description The target is that of the new service, below an organization or a tenant. Members beside `type` are its configuration. `dependencies`, `traversable`, `name`, `description`, `baseUrl`, `kms` and `tokenKeyId` are shown; all others are kept sealed and never shown. Permission `service-create`.
         */
        post: operations["createService"];
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
         * Show what stands at a target
         * @description Permission `resource-view`.
         */
        get: operations["getResource"];
        put?: never;
        post?: never;
        /**
         * Remove what stands at a target
         * @description It must be empty. A key goes from its backend too. Permission `resource-delete`.
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
         * List what stands below a target
         * @description The tenants and services of an organization or tenant, or what a service holds. Permission `resource-list`, and for what a service holds that of its own list too.
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
         * Make a key
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
         * List the DIDs of a DID store
         * @description Permission `did-list`.
         */
        get: operations["listDids"];
        put?: never;
        /**
         * Keep a DID
         * @description The target is that of the store, or that of the new entry below it. Permission `did-create`.
         */
        post: operations["addDid"];
        delete?: never;
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
        get?: never;
        put?: never;
        /**
         * Keep a credential
         * @description The target is that of the store, or that of the new entry below it. Permission `credential-create`.
         */
        post: operations["addCredential"];
        delete?: never;
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
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
        EnterpriseToken: {
            /** @description A JWT, to be sent as `Authorization: Bearer …`. */
            token: string;
        };
        EnterpriseAccount: {
            /** @description The account. */
            _id: components["schemas"]["Uuid"];
            /** @description Who it is. Open: what was kept of it. */
            profile: {
                [key: string]: unknown;
            };
            /** @description The targets of its roles. */
            roles: components["schemas"]["Target"][];
        };
        /** @description What may (`ADD`) or may not (`REMOVE`) be done at a target and below. A denial always wins. */
        Permission: {
            /** @description A target, in which `*` may stand for one segment. */
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
            /** @description When it was made. */
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
        /** @description A credential, as data, as it was issued, or both. */
        StoredCredential: {
            /** @description The kind of credential, such as `vc-w3c_1_1`, `vc-sd_jwt` or `vc-mdocs`. */
            type: string;
            /** @description Open: the members of the credential. */
            credentialData?: {
                [key: string]: unknown;
            };
            /** @description The credential as it was issued. */
            signed?: string;
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
        /** @description An instant (RFC 3339) in UTC with three fraction digits. */
        DateTime: string;
        /**
         * Format: uuid
         * @description A UUID (RFC 9562).
         */
        Uuid: string;
        /**
         * @description The kind of key: an elliptic curve, or RSA with 2048 bits or the number of bits it names.
         * @enum {string}
         */
        KeyType: "Ed25519" | "secp256k1" | "secp256r1" | "secp384r1" | "secp521r1" | "RSA" | "RSA3072" | "RSA4096";
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
        /** @description Not yours. */
        Forbidden: {
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
    };
    parameters: {
        /**
         * @description A dotted path.
         * @example acme.tenant1.kms1
         */
        Target: components["schemas"]["Target"];
        /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
        Limit: number;
        /** @description How many elements to pass over. Digits only. */
        Offset: number;
        /** @description The name alone, or with `-`, means latest first; `+`, to be written as `%2B`, means oldest first. Without it the elements come in the order of their targets. */
        Sort: "createdDateTime" | "createdDateTime-" | "createdDateTime+" | "updatedDateTime" | "updatedDateTime-" | "updatedDateTime+";
    };
    requestBodies: {
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
                    /** @description What is known of it. Open: whatever the caller keeps. */
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
                    /** @description Who it is. Open: whatever the caller keeps. */
                    profile?: components["schemas"]["FreeObject"];
                    /** @description Kept in the profile. Open: whatever the caller sends. */
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
                "application/json": {
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
                };
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
    };
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createSuperadmin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: components["requestBodies"]["RegistrationToken"];
        responses: {
            /** @description The account can log in now. */
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
            /** @description An organization, tenant or service, or what a service holds. */
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
            /** @description It is gone. */
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
                /** @description How many elements to pass over. Digits only. */
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
            default: components["responses"]["Failure"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to pass over. Digits only. */
                offset?: components["parameters"]["Offset"];
                /** @description The name alone, or with `-`, means latest first; `+`, to be written as `%2B`, means oldest first. Without it the elements come in the order of their targets. */
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
                /** @description How many elements to pass over. Digits only. */
                offset?: components["parameters"]["Offset"];
                /** @description The name alone, or with `-`, means latest first; `+`, to be written as `%2B`, means oldest first. Without it the elements come in the order of their targets. */
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
                    "application/json": components["schemas"]["DidElement"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
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
    listDidIds: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to pass over. Digits only. */
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
    listCredentials: {
        parameters: {
            query?: {
                /** @description How many elements at most; from 1 to `maxLimit` of `pagination.conf`, and `defaultLimit` without it. Digits only: no sign, leading zero, fraction or exponent. */
                limit?: components["parameters"]["Limit"];
                /** @description How many elements to pass over. Digits only. */
                offset?: components["parameters"]["Offset"];
                /** @description The name alone, or with `-`, means latest first; `+`, to be written as `%2B`, means oldest first. Without it the elements come in the order of their targets. */
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
                /** @description How many elements to pass over. Digits only. */
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
}
