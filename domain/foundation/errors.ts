/** Every kind of failure a caller can be told of; also the stable `id` of the error body (decisions §2). */
export type ErrorCode =
  | 'BadRequest'
  | 'TokenRejected'
  | 'LoginRequired'
  | 'Forbidden'
  | 'NotFound'
  | 'MethodNotAllowed'
  | 'RequestTimeout'
  | 'Conflict'
  | 'PayloadTooLarge'
  | 'UnsupportedMediaType'
  | 'TooManyRequests'
  | 'AddressRefused'
  | 'Busy'
  | 'CallbackFailed'
  | 'MalformedValue'
  | 'StatusVerification'
  | 'StatusRange'
  | 'StatusListLength'
  | 'StatusRetrieval'
  | 'StatusRetrievalTimeout'
  | 'UpstreamFailed'
  | 'UpstreamTimeout'
  | 'StoreUnavailable'
  | 'Overloaded';

/** One thing wrong with the input; `path` is a JSON Pointer below the part it names (`/body/key/keyType`). */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** What an error carries besides its code and message. */
export interface ErrorContext {
  cause?: unknown;
  /** For the log only. */
  detail?: string;
  /** For the caller: what is wrong, field by field. */
  details?: ErrorDetail[];
  /** Seconds to wait (`TooManyRequests`, `Overloaded`, `Busy`). */
  retryAfterSeconds?: number;
  /** The error code of the endpoint's own specification (RFC 6749 §5.2, OpenID4VCI §8.3.1). */
  oauthError?: string;
  /** More members of the error body that the endpoint's specification defines (`c_nonce`, `error_uri`). */
  extra?: Record<string, unknown>;
}

/** A failure that is part of the contract. `message` is safe for callers. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly detail: string | undefined;
  readonly details: ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly oauthError: string | undefined;
  readonly extra: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.name = 'DomainError';
    this.code = code;
    this.detail = context.detail;
    this.details = context.details;
    this.retryAfterSeconds = context.retryAfterSeconds;
    this.oauthError = context.oauthError;
    this.extra = context.extra;
  }
}

/** A `BadRequest` that names one field by its JSON Pointer. */
export const invalidField = (path: string, message: string): DomainError =>
  new DomainError('BadRequest', `${path}: ${message}`, { details: [{ path, message }] });

/** An error of an OAuth or OpenID endpoint with the code its specification names. */
export const oauthError = (error: string, description: string, context: ErrorContext = {}): DomainError =>
  new DomainError(error === 'invalid_token' ? 'LoginRequired' : 'BadRequest', description, {
    ...context,
    oauthError: error,
  });

/** Whether `error` is a DomainError, optionally with this code. */
export const isDomainError = (error: unknown, code?: ErrorCode): error is DomainError =>
  error instanceof DomainError && (code === undefined || error.code === code);

/** Why something failed, for the log: the detail where there is one. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return error instanceof DomainError ? (error.detail ?? error.message) : error.message;
}
