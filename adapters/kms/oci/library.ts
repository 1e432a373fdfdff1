import { createRequire } from 'node:module';
import type { AuthParams, ClientConfiguration, HttpRequest } from 'oci-common';
import type * as keymanagement from 'oci-keymanagement';

/** Oracle's library. */
export type OciLibrary = typeof keymanagement;

/** Loads Oracle's library at the first call, in about a tenth of a second. */
export function loadLibrary(): OciLibrary {
  const require = createRequire(import.meta.url);
  const library = require('oci-keymanagement') as OciLibrary;
  const tools = require('oci-common/lib/developertoolconfiguration') as { isServiceEnabled(): boolean };
  // The library's own function reads ~/.oci/developer-tool-configuration.json, which can forbid a service.
  tools.isServiceEnabled = () => true;
  return library;
}

/**
 * The arguments of a client for one call. Nothing of the library's own is used between its models and the network: no
 * signer, no circuit breaker, and no retrier, which prints warnings and loses the cause of a failure.
 */
export function forOneCall(send: (request: HttpRequest) => Promise<Response>): [AuthParams, ClientConfiguration] {
  let failure: unknown;
  const noteFailure = (error: unknown): never => {
    failure = error;
    throw error;
  };
  const shouldTerminate = (): never => {
    throw failure;
  };
  return [
    { httpClient: { send: (request) => send(request).catch(noteFailure) } },
    {
      circuitBreaker: { circuit: null, noCircuit: true },
      retryConfiguration: { retryCondition: () => true, terminationStrategy: { shouldTerminate } },
    },
  ];
}
