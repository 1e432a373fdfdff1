import { invalidField } from '../foundation/errors.ts';

/** For ever, as callers write it. */
const NEVER = -1;

/**
 * The life in seconds that a caller gets for what it keeps: the wanted one, and the longest it may have for -1.
 * @throws DomainError `BadRequest` without a path for a longer one
 */
export function boundedLife(wanted: number | undefined, longest: number | undefined): number | undefined {
  if (wanted === undefined || longest === undefined || (wanted !== NEVER && !(wanted > longest))) return wanted;
  if (wanted === NEVER) return longest;
  throw invalidField(
    [],
    `may be at most ${longest} without a login (open_endpoints.longestSeconds of rate-limit.conf)`,
  );
}
