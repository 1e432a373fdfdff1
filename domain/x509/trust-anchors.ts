import type { ParsedCertificate } from '../../ports/certificates.ts';
import { DomainError, type ErrorDetail } from '../foundation/errors.ts';
import { readablePath } from '../foundation/field-paths.ts';
import { checkAnchor } from './path-validation.ts';
import { derOfPem } from './pem.ts';

/** The trusted certificates as configured. */
interface AnchorSource {
  /** PEM texts (RFC 7468), one certificate each. */
  certificates: readonly string[];
  /** Milliseconds since the epoch. */
  now: number;
  parse(der: Uint8Array): ParsedCertificate;
}

/** Reads the trust anchors. @throws DomainError `BadRequest` naming every entry that cannot be trusted now */
export function readAnchors(source: AnchorSource): ParsedCertificate[] {
  const read = source.certificates.map((pem) => anchorOf(pem, source));
  const details: ErrorDetail[] = read.flatMap((outcome, index) =>
    typeof outcome === 'string' ? [{ path: ['certificates', index], message: outcome }] : [],
  );
  if (read.length === 0) details.push({ path: ['certificates'], message: 'must contain at least one certificate' });
  if (details.length === 0) return read.filter((outcome) => typeof outcome !== 'string');
  const reasons = details.map(({ path, message }) => `${readablePath(path)} ${message}`).join('; ');
  throw new DomainError('BadRequest', `trusted-ca.conf: ${reasons}`, { details });
}

/** Returns the certificate, or why it is no trust anchor, as the end of a sentence. */
export function anchorOf(pem: string, { now, parse }: Pick<AnchorSource, 'now' | 'parse'>): ParsedCertificate | string {
  const der = derOfPem(pem);
  if (!der) return 'is not one certificate in PEM form';
  try {
    const certificate = parse(der);
    return checkAnchor(certificate, now) ?? certificate;
  } catch {
    return 'is not an X.509 certificate';
  }
}
