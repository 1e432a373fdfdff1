import { DomainError } from '../../domain/foundation/errors.ts';
import type { RedisAddress } from './connection-options.ts';

/** What an operator needs to know beside the words of Redis, by how its answer starts or what it contains. */
const MEANINGS: readonly [RegExp, string][] = [
  [/\b(WRONGPASS|NOAUTH)\b|invalid password|without any password/, 'the user or the password is refused'],
  [/\bNOPERM\b/, 'the user lacks a permission'],
  [/\bOOM\b/, 'its memory is full'],
  [/\bREADONLY\b/, 'it is a replica, which takes no writes'],
  [/\bNOREPLICAS\b/, 'it has too few replicas to take writes'],
  [/\bMISCONF\b/, 'it cannot save to its disk and takes no writes'],
];

/** A database as the log names it: kind and nodes, never who logs in. */
export function describeRedis({ cluster, nodes }: RedisAddress): string {
  const places = nodes.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`);
  return `${cluster ? 'Redis Cluster' : 'Redis'} ${places.join(', ')}`;
}

/** A failure without the command: ioredis hangs it on its errors, Redis puts arguments into some, and both may be secret. */
export function withoutArguments(error: unknown): Error {
  const cause = lastNodeError(error);
  const message = cause instanceof Error ? cause.message : String(cause);
  return new Error(message.split(', with args beginning with')[0]);
}

/** A failure in words for the operator. */
export function explain(error: unknown): string {
  const { message } = withoutArguments(error);
  const meaning = MEANINGS.find(([pattern]) => pattern.test(message))?.[1];
  return meaning === undefined ? message : `${meaning} (${message})`;
}

/** Whether Redis answered that it does not let us in: that is no outage but a wrong setting. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof DomainError &&
  error.cause instanceof Error &&
  /\b(WRONGPASS|NOAUTH|NOPERM)\b/.test(error.cause.message);

/** Whether an error is what Redis answered, not what became of the connection. */
export const isReply = (error: unknown): boolean => error instanceof Error && error.name === 'ReplyError';

/** A cluster client says that it found no node; why is in the error of the last one it tried. */
function lastNodeError(error: unknown): unknown {
  const last = error instanceof Error && 'lastNodeError' in error ? error.lastNodeError : undefined;
  return last instanceof Error ? last : error;
}
