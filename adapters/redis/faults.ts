import { DomainError } from '../../domain/foundation/errors.ts';
import type { RedisAddress } from './connection-options.ts';

/** Advice for the operator, by the beginning or a part of the error that Redis returns. */
const MEANINGS: readonly [RegExp, string][] = [
  [/\b(WRONGPASS|NOAUTH)\b|invalid password|without any password/, 'the user or the password is refused'],
  [/\bNOPERM\b/, 'the user lacks a permission'],
  [/\bOOM\b/, 'its memory is full'],
  [/\bREADONLY\b/, 'it is a replica, which takes no writes'],
  [/\bNOREPLICAS\b/, 'it has too few replicas to take writes'],
  [/\bMISCONF\b/, 'it cannot save to its disk and takes no writes'],
];

/** The name of a database in the log: kind and nodes, without the user. */
export function describeRedis({ cluster, nodes }: RedisAddress): string {
  const places = nodes.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`);
  return `${cluster ? 'Redis Cluster' : 'Redis'} ${places.join(', ')}`;
}

/** The failure without the command and its arguments, which may be secret: ioredis and Redis add them to some errors. */
export function withoutArguments(error: unknown): Error {
  const cause = lastNodeError(error);
  const message = cause instanceof Error ? cause.message : String(cause);
  return new Error(message.split(', with args beginning with')[0]);
}

/** The text of a failure for the operator. */
export function explain(error: unknown): string {
  const { message } = withoutArguments(error);
  const meaning = MEANINGS.find(([pattern]) => pattern.test(message))?.[1];
  return meaning === undefined ? message : `${meaning} (${message})`;
}

/** Whether Redis refused the login: a wrong setting, not an outage. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof DomainError &&
  error.cause instanceof Error &&
  /\b(WRONGPASS|NOAUTH|NOPERM)\b/.test(error.cause.message);

const LATE = /No answer within|ETIMEDOUT|socket timeout|^timeout$|stream isn't writeable|connection is closed/i;

/** Whether Redis, or the way to it, was too slow to answer, which is no proof that it is down. */
export const isLate = (error: unknown): boolean =>
  error instanceof DomainError && error.cause instanceof Error && LATE.test(error.cause.message);

/** Whether an error is a reply of Redis and not a failure of the connection. */
export const isReply = (error: unknown): boolean => error instanceof Error && error.name === 'ReplyError';

/** A cluster client reports that it found no node; the cause is the error of the last node that it tried. */
function lastNodeError(error: unknown): unknown {
  const last = error instanceof Error && 'lastNodeError' in error ? error.lastNodeError : undefined;
  return last instanceof Error ? last : error;
}
