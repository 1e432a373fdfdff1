import { fromBase64url } from '../../foundation/bytes.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import { isObject, isText } from '../../foundation/json.ts';
import type { TrustedAuthority } from '../matching/compiled-query.ts';
import { readList } from './lists.ts';

const MAX_AUTHORITIES = 16;
const MAX_VALUES = 64;
const MAX_VALUE_LENGTH = 2048;

/** Reads `trusted_authorities`. @throws DomainError `BadRequest` */
export const readTrustedAuthorities = (value: unknown): TrustedAuthority[] =>
  readList(value, MAX_AUTHORITIES).map((item, index) => at([index], () => readAuthority(item)));

function readAuthority(value: unknown): TrustedAuthority {
  if (!isObject(value)) throw invalidField([], 'must be a trusted authorities query object');
  const { type } = value;
  if (!isText(type)) throw invalidField(['type'], 'must be the name of a kind of authority');
  const values = at(['values'], () => readList(value.values, MAX_VALUES)).map((item, index) => {
    if (!isText(item) || item.length > MAX_VALUE_LENGTH)
      throw invalidField(['values', index], `must be a string of 1 to ${MAX_VALUE_LENGTH} characters`);
    if (type === 'aki' && !fromBase64url(item))
      throw invalidField(['values', index], 'must be a key identifier in base64url');
    return item;
  });
  return { type, values };
}
