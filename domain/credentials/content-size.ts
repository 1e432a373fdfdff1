import { invalidField } from '../foundation/errors.ts';
import { countBelow } from '../foundation/json.ts';
import { MAX_JSON_VALUES } from '../foundation/strict-json.ts';

/**
 * The most values and names of members in the content of a credential: half of what readers of JSON take. The other half is
 * for what issuing adds (holder, status, digests) and for a presentation around it, whose text verifiers count, too.
 */
export const MAX_CONTENT_VALUES = MAX_JSON_VALUES / 2;

/**
 * Refuses what wallets and verifiers could not read. @throws DomainError `BadRequest` naming the part with which a content
 * has too many values
 */
export function checkContentSize(parts: Readonly<Record<string, unknown>>): void {
  let size = 0;
  for (const [name, part] of Object.entries(parts)) {
    size += countBelow(part);
    if (size > MAX_CONTENT_VALUES)
      throw invalidField([name], `a credential may have at most ${MAX_CONTENT_VALUES} values and names of members`);
  }
}
