import type { KMS } from '@aws-sdk/client-kms';
import { guardedHandler, type HandlerParts } from './guarded-handler.ts';

export type Sdk = typeof import('@aws-sdk/client-kms');

/** Credentials that requests are signed with. */
export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  /** Of temporary credentials. */
  sessionToken?: string;
}

/** What a client is created from. */
export interface ClientParts extends HandlerParts {
  region: string;
  /** Called instead of the region's public endpoint. */
  endpoint?: string;
}

/**
 * Creates a client of the vendor's library. Everything that the library would read from the environment, from profiles
 * or from the metadata of the instance is given here, so that it reads nothing.
 */
export function createClient(
  sdk: Sdk,
  { region, endpoint, ...handler }: ClientParts,
  credentials: AwsCredentials,
): KMS {
  const client = new sdk.KMS({
    region,
    ...(endpoint !== undefined && { endpoint }),
    ignoreConfiguredEndpointUrls: true,
    credentials,
    requestHandler: guardedHandler(handler),
    // Attempts are repeated by `RemoteKeys`, within one deadline for all.
    maxAttempts: 1,
    retryMode: 'standard',
    defaultsMode: 'standard',
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    // The steps of an operation are put together once: a fifth of the time that the library takes for a signature.
    cacheMiddleware: true,
    disableClockSkewCorrection: false,
    authSchemePreference: ['sigv4'],
    userAgentAppId: async () => undefined,
    defaultUserAgentProvider: async () => [['credenza']],
  });
  // It copies a trace id of the environment into requests.
  client.middlewareStack.remove('recursionDetectionMiddleware');
  return client;
}
