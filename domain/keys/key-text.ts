import type { PemKeys } from '../../ports/pem-keys.ts';
import { DomainError } from '../foundation/errors.ts';
import { parseJson } from '../foundation/strict-json.ts';

/**
 * Reads a private key that a caller sends as JWK or PEM; a JWK is not validated.
 * @throws DomainError `BadRequest`, `UnsupportedMediaType` for a text of another form
 */
export function readKeyText(text: string, pems: PemKeys): unknown {
  const trimmed = text.trim();
  if (trimmed.startsWith('-----BEGIN ')) return pems.parse(trimmed);
  if (trimmed.startsWith('{')) return parseJson(trimmed);
  throw new DomainError('UnsupportedMediaType', 'A key must be a JWK or a PEM');
}
