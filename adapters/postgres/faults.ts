import { DomainError } from '../../domain/foundation/errors.ts';

/** What PostgreSQL says of a failure; `code` is its SQLSTATE. */
interface Reply extends Error {
  code: string;
  severity: string;
}

/** A login that is refused, by SQLSTATE, or that the library does not try without a password. */
const REFUSED = /^(28... |SASL: .* password must be )/;

/** Advice for the operator, by the beginning of a failure, which is a SQLSTATE where the server replied. */
const MEANINGS: readonly [RegExp, string][] = [
  [REFUSED, 'the user or the password is refused'],
  [/^3D000 /, 'the database does not exist'],
  [/^42501 /, 'the user lacks a permission'],
  [/^53100 /, 'its disk is full'],
  [/^53200 /, 'its memory is full'],
  [/^53300 /, 'it has too many connections'],
  [/^25006 /, 'it is read-only'],
  [/^57P0[123] /, 'it is starting or stopping'],
  [/^(57014|55P03) /, 'a statement took too long'],
];

/** What a standby fails with when a connection to it is opened. */
export const STANDBY = 'It is a standby, which takes no writes';

/** Whether an error is a reply of the server and not a failure of the connection. */
export const isReply = (error: unknown): error is Reply =>
  error instanceof Error && 'severity' in error && 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code));

/** Whether the connection can be used again after a failure: a read-only server may be one that was taken out of service. */
export const isKept = (error: unknown): boolean =>
  isReply(error) && error.severity === 'ERROR' && !['25006', '0A000'].includes(error.code);

/** Whether what the store made at its start is gone: the schema, a table or a function. */
export const isEmptied = (error: unknown): boolean => isReply(error) && /^(3F000|42P01|42883)$/.test(error.code);

/**
 * The failure with its code, without anything else that a reply has: details and positions may hold values of a statement.
 */
export function withoutValues(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  return new Error(isReply(error) ? `${error.code} ${message}` : message || 'No connection');
}

/** The text of a failure for the operator. */
export function explain({ message }: Error): string {
  const meaning = MEANINGS.find(([pattern]) => pattern.test(message))?.[1];
  return meaning === undefined ? message : `${meaning} (${message})`;
}

const causeOf = (error: unknown): string =>
  error instanceof DomainError && error.cause instanceof Error ? error.cause.message : '';

/** The setting that the server refuses; undefined for an outage. */
export function refusedField(error: unknown): string | undefined {
  if (REFUSED.test(causeOf(error))) return 'password';
  return causeOf(error).startsWith('3D000 ') ? 'database' : undefined;
}

/** Whether the database, or the way to it, was too slow to answer, which is no proof that it is down. */
export const isLate = (error: unknown): boolean =>
  /^(57P03|57014|55P03) |No answer within|ETIMEDOUT|timeout|^Connection terminated/i.test(causeOf(error));
