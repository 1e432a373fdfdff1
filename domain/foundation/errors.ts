import { type FieldPath, readablePath } from './field-paths.ts';

/** The error codes of the API; also the stable `id` of the error body (decisions §2). */
export type ErrorCode =
  | 'BadRequest'
  | 'TokenRejected'
  | 'LoginRequired'
  | 'CodeRequired'
  | 'EnrolmentRequired'
  | 'Forbidden'
  | 'NotFound'
  | 'MethodNotAllowed'
  | 'RequestTimeout'
  | 'Conflict'
  | 'Gone'
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

/** One thing wrong with the input. */
export interface ErrorDetail {
  /** Relative to the value that was read; the code that knows the position of that value adds it with `at`. */
  path: FieldPath;
  message: string;
}

/** How an access token is sent (RFC 6750 §2.1, RFC 9449 §7.1). */
export type TokenScheme = 'Bearer' | 'DPoP';

/** What a client needs for its next attempt; it is sent in the headers of the specification. */
interface NextAttempt {
  /** RFC 9449 §8. */
  dpopNonce?: string;
  /** Attestation-based client authentication §6.1. */
  attestationChallenge?: string;
}

/** What an error carries besides its code and message. */
export interface ErrorContext {
  cause?: unknown;
  /** For the log only. */
  detail?: string;
  /** The account that tried to log in, for the record of the call. */
  account?: string;
  /** For the caller: one entry for each field. */
  details?: ErrorDetail[];
  /** Seconds to wait (`TooManyRequests`, `Overloaded`, `Busy`). */
  retryAfterSeconds?: number;
  /** The error code of the endpoint's own specification (RFC 6749 §5.2, OpenID4VCI §8.3.1). */
  oauthError?: string;
  /** More members of the error body that the endpoint's specification defines (`c_nonce`, `error_uri`). */
  extra?: Record<string, unknown>;
  next?: NextAttempt;
  /** The schemes in which a protected resource takes access tokens; Bearer when absent, and none where clients authenticate. */
  schemes?: readonly TokenScheme[];
}

/** A failure that is part of the contract. `message` is safe for callers. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly detail: string | undefined;
  readonly account: string | undefined;
  readonly details: ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly oauthError: string | undefined;
  readonly extra: Record<string, unknown> | undefined;
  readonly next: NextAttempt | undefined;
  readonly schemes: readonly TokenScheme[] | undefined;

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.name = 'DomainError';
    this.code = code;
    this.detail = context.detail;
    this.account = context.account;
    this.details = context.details;
    this.retryAfterSeconds = context.retryAfterSeconds;
    this.oauthError = context.oauthError;
    this.extra = context.extra;
    this.next = context.next;
    this.schemes = context.schemes;
  }
}

/** The message of an error that names fields, for people: the first three. */
export const summaryOf = (details: readonly ErrorDetail[]): string =>
  details
    .slice(0, 3)
    .map(({ path, message }) => (path.length > 0 ? `${readablePath(path)}: ${message}` : message))
    .join('; ');

/** An error that names one or more fields. */
export const fieldErrors = (details: ErrorDetail[], { code = 'BadRequest', ...context }: FieldErrorContext = {}) =>
  new DomainError(code, summaryOf(details), { ...context, details });

type FieldErrorContext = Omit<ErrorContext, 'details'> & { code?: ErrorCode };

/** A `BadRequest` that names no field. */
export const badRequest = (message: string, cause?: unknown): DomainError =>
  new DomainError('BadRequest', message, { cause });

/** A `BadRequest` that names one field. */
export const invalidField = (path: FieldPath, message: string): DomainError => fieldErrors([{ path, message }]);

/** The position of a value in its container: one path, or one path for each of its members. */
type FieldPosition = FieldPath | Readonly<Record<string, FieldPath>>;

/**
 * Runs `read` and adds the position of its value to the fields that its errors name: a function names fields relative to
 * its value, its caller knows the position of that value. Works for promises too.
 */
export function at<T>(place: FieldPosition, read: () => T): T {
  try {
    const result = read();
    return result instanceof Promise ? (result.catch((error) => rethrow(place, error)) as T) : result;
  } catch (error) {
    return rethrow(place, error);
  }
}

function rethrow(place: FieldPosition, error: unknown): never {
  if (!(error instanceof DomainError) || !error.details) throw error;
  const details = error.details.map(({ path, message }) => ({ path: placed(place, path), message }));
  throw new DomainError(error.code, summaryOf(details), { ...error, cause: error.cause, details });
}

const isPath = (place: FieldPosition): place is FieldPath => Array.isArray(place);

function placed(place: FieldPosition, path: FieldPath): FieldPath {
  if (isPath(place)) return [...place, ...path];
  const [member = '', ...rest] = path;
  return Object.hasOwn(place, member) ? [...(place[member] ?? []), ...rest] : path;
}

/** An error of an OAuth or OpenID endpoint with the code its specification names. */
export function oauthError(error: string, description: string, context: ErrorContext = {}): DomainError {
  // No scheme of HTTP authentication authenticates a client here.
  const isClient = error === 'invalid_client';
  const code = isClient || error === 'invalid_token' ? 'LoginRequired' : 'BadRequest';
  return new DomainError(code, description, { ...(isClient && { schemes: [] }), ...context, oauthError: error });
}

/** An error of a protected resource that wants tokens bound to a key, with its code if it has one (RFC 9449 §7.1). */
export const resourceError = (
  error: string | undefined,
  description: string,
  context: ErrorContext = {},
): DomainError => new DomainError('LoginRequired', description, { ...context, oauthError: error, schemes: ['DPoP'] });

/** Whether `error` is a DomainError, optionally with this code. */
export const isDomainError = (error: unknown, code?: ErrorCode): error is DomainError =>
  error instanceof DomainError && (code === undefined || error.code === code);

/** For `catch`: an error with this code is none. */
export const ignoring =
  (code: ErrorCode) =>
  (error: unknown): undefined => {
    if (!isDomainError(error, code)) throw error;
  };

/** For `catch`: an error with this code, any of the domain when undefined, is replaced by what `make` returns. */
export const replacing =
  (code: ErrorCode | undefined, make: (error: DomainError) => unknown) =>
  (error: unknown): never => {
    throw isDomainError(error, code) ? make(error) : error;
  };

/** Runs `read`, which is no promise; `failed` throws in place of what it throws. */
export function catching<T>(failed: (error: unknown) => never, read: () => T): T {
  try {
    return read();
  } catch (error) {
    return failed(error);
  }
}

/** For `catch`: what was accepted when it was configured, and no longer works, is a conflict. */
export const asConflict = replacing('BadRequest', ({ message }) => new DomainError('Conflict', message));

/** The reason of a failure for the log: the detail, or else the message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return error instanceof DomainError ? (error.detail ?? error.message) : error.message;
}

/** A failure for operators: the message, and the detail that callers are not shown. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof DomainError && error.detail !== undefined
    ? `${error.message}: ${error.detail}`
    : error.message;
}
