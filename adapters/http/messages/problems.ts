import { STATUS_CODES } from 'node:http';
import { DomainError, type ErrorCode, summaryOf, type TokenScheme } from '../../../domain/foundation/errors.ts';
import { type FieldPath, jsonPointer } from '../../../domain/foundation/field-paths.ts';
import { isObject } from '../../../domain/foundation/json.ts';
import { FAPI_ALGORITHMS } from '../../../domain/jose/key-types.ts';
import { errorDescription } from '../../../domain/oauth/error-description.ts';
import { type Headers, NO_STORE } from './operations.ts';

/** The one map from errors to HTTP (decisions §2). */
const STATUS = {
  BadRequest: 400,
  TokenRejected: 401,
  LoginRequired: 401,
  CodeRequired: 401,
  EnrolmentRequired: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  RequestTimeout: 408,
  Conflict: 409,
  Gone: 410,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  TooManyRequests: 429,
  AddressRefused: 400,
  Busy: 503,
  CallbackFailed: 400,
  MalformedValue: 400,
  StatusVerification: 400,
  StatusRange: 400,
  StatusListLength: 400,
  StatusRetrieval: 502,
  StatusRetrievalTimeout: 504,
  UpstreamFailed: 502,
  UpstreamTimeout: 504,
  StoreUnavailable: 503,
  Overloaded: 503,
} satisfies Record<ErrorCode, number>;

/** Codes whose `id` on the wire is a name of the Bitstring Status List specification (§3.5). */
const WIRE_IDS: Partial<Record<ErrorCode, string>> = {
  MalformedValue: 'MALFORMED_VALUE_ERROR',
  StatusVerification: 'STATUS_VERIFICATION_ERROR',
  StatusRange: 'RANGE_ERROR',
  StatusListLength: 'STATUS_LIST_LENGTH_ERROR',
  StatusRetrieval: 'STATUS_RETRIEVAL_ERROR',
  StatusRetrievalTimeout: 'STATUS_RETRIEVAL_ERROR',
};

/** RFC 6749 §5.2 codes for failures that have no code of their own. */
const OAUTH_CODES: Record<number, string> = { 401: 'invalid_token', 429: 'slow_down', 503: 'temporarily_unavailable' };

/** The answer to an error. */
export interface Problem {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** A failure of the server that a person gets as a page. */
export class ShownFailure extends Error {
  constructor(
    readonly failure: unknown,
    readonly page: { body: string; headers: Headers },
  ) {
    super('A failure with a page', { cause: failure });
  }
}

/** An error, and what its answer depends on. */
interface ProblemRequest {
  error: unknown;
  requestId: string;
  /** The code of a malformed request, where the endpoint answers in the form of OAuth and OpenID. */
  oauth?: string;
}

/** The HTTP status of an error. */
export const statusOf = ({ code }: DomainError): number => STATUS[code];

/** The parts of a request in which fields stand. */
const PLACES: readonly unknown[] = ['body', 'query', 'path', 'header'];

/** The message for people, who know the fields and not where they stand in the request: that is in `details`. */
export function messageFor({ message, details }: DomainError): string {
  if (!details || message !== summaryOf(details)) return message;
  return summaryOf(details.map(({ path, message: text }) => ({ path: withoutPlace(path), message: text })));
}

const withoutPlace = (path: FieldPath): FieldPath => (PLACES.includes(path[0]) ? path.slice(1) : path);

/** Returns the answer of any error; one that is not part of the contract is a 500 without details. */
export function toProblem({ error, requestId, oauth }: ProblemRequest): Problem {
  const known = fromTransport(error);
  const status = known ? statusOf(known) : 500;
  const message = known ? messageFor(known) : 'Something went wrong on our side';
  const body = oauth
    ? { error: known?.oauthError ?? oauthCode(status, oauth), error_description: errorDescription(message) }
    : problemBody({ status, id: known ? (WIRE_IDS[known.code] ?? known.code) : 'InternalError', message, requestId });
  if (!oauth && known?.details)
    body.details = known.details.map(({ path, message }) => ({ path: jsonPointer(path), message }));
  return { status, headers: headersOf(status, known), body: { ...body, ...known?.extra } };
}

function problemBody({
  status,
  id,
  message,
  requestId,
}: {
  status: number;
  id: string;
  message: string;
  requestId: string;
}) {
  const reason = STATUS_CODES[status] ?? '';
  return { exception: true, id, status: reason, code: String(status), message, requestId } as Record<string, unknown>;
}

const oauthCode = (status: number, malformed: string): string =>
  OAUTH_CODES[status] ?? (status < 500 ? malformed : 'server_error');

/** The challenges of a 401, one for each scheme (RFC 6750 §3, RFC 9449 §7.1); empty without any. */
function challengesOf({ oauthError, schemes = ['Bearer'] }: Partial<DomainError> = {}): string {
  const challenge = (scheme: TokenScheme) => {
    const members = [
      ...(oauthError ? [`error="${oauthError}"`] : []),
      ...(scheme === 'DPoP' ? [`algs="${FAPI_ALGORITHMS.join(' ')}"`] : []),
    ];
    return [scheme, members.join(', ')].join(' ').trim();
  };
  return schemes.map(challenge).join(', ');
}

function headersOf(status: number, error: DomainError | undefined): Record<string, string> {
  const headers: Record<string, string> = status === 200 ? {} : { ...NO_STORE };
  const challenges = status === 401 ? challengesOf(error) : '';
  if (challenges !== '') headers['www-authenticate'] = challenges;
  const { dpopNonce, attestationChallenge } = error?.next ?? {};
  if (dpopNonce !== undefined) headers['dpop-nonce'] = dpopNonce;
  if (attestationChallenge !== undefined) headers['oauth-client-attestation-challenge'] = attestationChallenge;
  if (status === 413) headers.connection = 'close';
  if (error?.retryAfterSeconds !== undefined) headers['retry-after'] = String(error.retryAfterSeconds);
  return headers;
}

/** Node reports a request that is broken off. */
function fromTransport(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  const aborted = isObject(error) && (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE');
  return aborted ? new DomainError('BadRequest', 'The request broke off', { cause: error }) : undefined;
}
