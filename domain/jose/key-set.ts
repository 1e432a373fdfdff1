import type { PublishedKey } from '../../ports/published-keys.ts';
import { isDomainError } from '../foundation/errors.ts';
import { isObject, isText } from '../foundation/json.ts';
import { readVerificationKey } from './verification-keys.ts';

/** The most keys of a JWK Set from outside. */
export const MAX_KEYS = 32;

/** The keys of a JWK Set (RFC 7517 §5) that can verify signatures here; undefined for anything but a set of at most 32. */
export function signatureKeys(set: unknown): PublishedKey[] | undefined {
  const keys = isObject(set) ? set.keys : undefined;
  return Array.isArray(keys) && keys.length <= MAX_KEYS ? keys.flatMap((key) => readKey(key) ?? []) : undefined;
}

function readKey(key: unknown): PublishedKey | undefined {
  if (!isObject(key)) return undefined;
  try {
    return { ...(isText(key.kid) && { kid: key.kid }), jwk: readVerificationKey(key) };
  } catch (error) {
    if (!isDomainError(error)) throw error;
    return undefined;
  }
}
