/** Generated from openapi/system.yaml by `npm run types`. Do not edit. */

export interface paths {
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tell that the process runs
         * @description Waits for no store. A platform restarts a process that does not answer.
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
         * Tell whether requests can be served
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
         * @description Requests by operation and status, and what the services count of their own.
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
        HealthChecks: {
            /** @description What was checked: `http`, `store`. */
            name: string;
            /**
             * @description The result of the check.
             * @enum {string}
             */
            status: "Healthy" | "Unhealthy";
        }[];
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
        /** @description The caller has this answer already. */
        NotModified: {
            headers: {
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
    };
    parameters: {
        /** @description With `gzip` in it the answer is compressed. */
        AcceptEncoding: string;
        /** @description The `ETag` of the answer that the caller has; an unchanged one is not sent again. */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
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
            /** @description The store answers, its data can be opened, and it takes writes. */
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
            /** @description The store does not answer, does not take writes, holds data of another master key or a half-finished copy, or the server is stopping. */
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
