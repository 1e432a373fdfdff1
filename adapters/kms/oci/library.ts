import { createRequire, Module } from 'node:module';
import type { AuthParams, ClientConfiguration, HttpRequest } from 'oci-common';
import type * as keymanagement from 'oci-keymanagement';

/** Oracle's library. */
export type OciLibrary = typeof keymanagement;

/** Takes the place of the library's module that reads ~/.oci/developer-tool-configuration.json: there is no such file. */
const NO_TOOL_CONFIGURATION = {
  __esModule: true,
  developerToolConfiguration: () => undefined,
  doesDeveloperToolConfigurationFileExist: () => false,
  getDeveloperToolConfigurationFilePath: () => '',
  isServiceEnabled: () => true,
  isociAllowOnlyDeveloperToolConfigurationRegionsEnabled: () => false,
  reInitialize: () => undefined,
  useOnlyDeveloperToolConfigurationRegions: () => false,
};

/** Loads Oracle's library at the first call, in about a tenth of a second. */
export function loadLibrary(): OciLibrary {
  const require = createRequire(import.meta.url);
  const path = require.resolve('oci-common/lib/developertoolconfiguration');
  require.cache[path] ??= Object.assign(new Module(path), { exports: NO_TOOL_CONFIGURATION, loaded: true });
  return require('oci-keymanagement') as OciLibrary;
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
