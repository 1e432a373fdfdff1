import type { Certificates, ParsedCertificate } from '../../ports/certificates.ts';
import { fromBase64 } from '../foundation/bytes.ts';
import { DomainError, isDomainError } from '../foundation/errors.ts';
import { isText } from '../foundation/json.ts';
import { MAX_CHAIN_LENGTH } from './path-validation.ts';

/** The certificates of a header member `x5c` (RFC 7515 §4.1.6), leaf first; nothing is validated. @throws DomainError `BadRequest` */
export function parseX5c(x5c: unknown, certificates: Certificates): ParsedCertificate[] {
  if (!Array.isArray(x5c) || x5c.length < 1 || x5c.length > MAX_CHAIN_LENGTH)
    throw new DomainError(
      'BadRequest',
      `The header member x5c must be a list of 1 to ${MAX_CHAIN_LENGTH} certificates`,
    );
  return x5c.map((entry: unknown, index) => parseEntry(entry, index, certificates));
}

function parseEntry(entry: unknown, index: number, certificates: Certificates): ParsedCertificate {
  const der = isText(entry) ? fromBase64(entry) : undefined;
  try {
    if (der) return certificates.parse(der);
  } catch (error) {
    if (!isDomainError(error)) throw error;
  }
  throw new DomainError('BadRequest', `The header member x5c[${index}] is not a certificate in standard base64`);
}
