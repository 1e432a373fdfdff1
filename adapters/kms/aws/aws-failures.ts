import { withoutSecrets } from '../remote/failures.ts';
import { KmsFailure, type KmsFault } from '../remote/kms.ts';
import { guardErrorIn } from '../remote/transport.ts';
import type { AwsCredentials } from './client.ts';

/** The names of errors that AWS KMS answers with (its API reference: Common Errors, and the errors of each operation). */
const NAMES: Readonly<Partial<Record<KmsFault, readonly string[]>>> = {
  credentials: [
    'AccessDenied',
    'AccessDeniedException',
    'ExpiredToken',
    'ExpiredTokenException',
    'IncompleteSignature',
    'IncompleteSignatureException',
    'InvalidClientTokenId',
    'InvalidSignatureException',
    'MissingAuthenticationToken',
    'MissingAuthenticationTokenException',
    'NotAuthorized',
    'OptInRequired',
    'RequestExpired',
    'SignatureDoesNotMatch',
    'UnrecognizedClientException',
  ],
  'unknown-key': ['NotFoundException', 'InvalidArnException'],
  'unusable-key': [
    'DisabledException',
    'InvalidKeyUsageException',
    'KMSInvalidStateException',
    'UnsupportedOperationException',
  ],
  throttled: [
    'LimitExceededException',
    'RequestLimitExceeded',
    'Throttling',
    'ThrottlingException',
    'TooManyRequestsException',
  ],
  unavailable: [
    'DependencyTimeoutException',
    'InternalFailure',
    'KMSInternalException',
    'KeyUnavailableException',
    'ServiceUnavailable',
    'ServiceUnavailableException',
  ],
};

const FAULTS: Readonly<Record<string, KmsFault>> = Object.fromEntries(
  Object.entries(NAMES).flatMap(([fault, names]) => names.map((name) => [name, fault as KmsFault])),
);

/** An error of the vendor's library, as far as it says what the service answered. */
interface ServiceError extends Error {
  $metadata?: { httpStatusCode?: number };
}

/**
 * Translates an error of the vendor's library; the reason has nothing of the credentials. Errors of the network guard
 * are returned as they are.
 */
export function toFailure(error: unknown, credentials: Partial<AwsCredentials> = {}): unknown {
  if (error instanceof KmsFailure || guardErrorIn(error)) return error;
  if (!(error instanceof Error)) return new KmsFailure('unavailable', 'an error without a name', error);
  return new KmsFailure(faultOf(error), withoutSecrets(`${error.name}: ${error.message}`, { ...credentials }), error);
}

function faultOf({ name, $metadata }: ServiceError): KmsFault {
  const status = $metadata?.httpStatusCode ?? 0;
  if (Object.hasOwn(FAULTS, name)) return FAULTS[name] ?? 'unavailable';
  if (status === 429) return 'throttled';
  return status >= 400 && status < 500 ? 'request' : 'unavailable';
}
