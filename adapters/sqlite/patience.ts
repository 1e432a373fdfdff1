import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../domain/foundation/errors.ts';

/** How long an operation is retried while another process has locked the database, in milliseconds. */
const PATIENCE_MS = 800;
/** Pauses double from one millisecond to this. */
const LONGEST_PAUSE_MS = 25;

/** Errors of a lock of another process or connection; a retry may succeed. */
const LOCKED = /^SQLITE_(BUSY|LOCKED|PROTOCOL)/;

/**
 * Runs work on a database at once and, while another process has locked it, again; the pauses leave the event loop free.
 * Work that met a lock has changed nothing. Rejects with DomainError `StoreUnavailable` after 0.8 s, or at once for every
 * other failure of the database.
 */
export function patiently<R>(file: string, work: () => R): Promise<R> {
  try {
    return Promise.resolve(work());
  } catch (cause) {
    return again(file, work, cause);
  }
}

async function again<R>(file: string, work: () => R, first: unknown): Promise<R> {
  const end = performance.now() + PATIENCE_MS;
  let cause = first;
  for (
    let pause = 1;
    isLocked(cause) && performance.now() + pause <= end;
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
  ) {
    await sleep(pause);
    try {
      return work();
    } catch (error) {
      cause = error;
    }
  }
  throw unavailable(file, cause);
}

/** Whether a failure is a lock of another process or connection. */
export const isLocked = (error: unknown): boolean => LOCKED.test(codeOf(error));

/** `StoreUnavailable` with the file and the cause for the log; errors of the domain are returned unchanged. */
export function unavailable(file: string, cause: unknown): DomainError {
  if (cause instanceof DomainError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const code = codeOf(cause);
  const detail = `SQLite ${file}: ${reason}${code === '' ? '' : ` (${code})`}`;
  return new DomainError('StoreUnavailable', 'The store cannot be reached', { cause, detail });
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
