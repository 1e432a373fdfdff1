import { fromBase64url, fromHex } from '../foundation/bytes.ts';
import { invalidField } from '../foundation/errors.ts';

/** Reads the bytes of an mdoc from hexadecimal or base64url text; a text that is both is hexadecimal. @throws DomainError `BadRequest` */
export function readMdocText(text: string): Uint8Array {
  const trimmed = text.trim();
  const bytes = fromHex(trimmed) ?? fromBase64url(trimmed);
  if (!bytes || bytes.length === 0) throw invalidField([], 'must be an mdoc in hexadecimal or base64url');
  return bytes;
}
