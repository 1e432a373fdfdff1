import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../domain/foundation/errors.ts';

/** How long an operation on a database that another process has locked is tried again, in milliseconds. */
const PATIENCE_MS = 800;
/** Pauses double from one millisecond to this. */
const LONGEST_PAUSE_MS = 25;

/** A lock of another process or connection: the same work may succeed a moment later. */
const LOCKED = /^SQLITE_(BUSY|LOCKED|PROTOCOL)/;

/**
 * Runs work on a database, at once and, while another process holds its lock, again after pauses that leave the event
 * loop free. Work that met a lock has changed nothing. @throws DomainError `StoreUnavailable` after 0.8 s, or at once
 * for every other failure of the database
 */
export async function patiently<R>(file: string, work: () => R): Promise<R> {
  let end = 0;
  for (let pause = 1; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return work();
    } catch (cause) {
      end ||= performance.now() + PATIENCE_MS;
      if (!isLocked(cause) || performance.now() + pause > end) throw unavailable(file, cause);
    }
    await sleep(pause);
  }
}

/** Whether a failure is a lock that another process or connection holds. */
export const isLocked = (error: unknown): boolean => LOCKED.test(codeOf(error));

/** `StoreUnavailable` that names the file and the cause for the log; an error of the domain stays what it is. */
export function unavailable(file: string, cause: unknown): DomainError {
  if (cause instanceof DomainError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const code = codeOf(cause);
  const detail = `SQLite ${file}: ${reason}${code === '' ? '' : ` (${code})`}`;
  return new DomainError('StoreUnavailable', 'The store cannot be reached', { cause, detail });
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
