import type { ParsedCertificate } from '../../ports/certificates.ts';
import { fromBase64 } from '../bytes.ts';
import { checkAnchor } from '../x509/path-validation.ts';

/** The trusted certificates as configured. */
export interface AnchorSource {
  /** PEM texts (RFC 7468), one certificate each. */
  certificates: readonly string[];
  /** Milliseconds since the epoch. */
  now: number;
  parse(der: Uint8Array): ParsedCertificate;
}

const PEM = /^\s*-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----\s*$/;

/** Reads the trust anchors. @throws Error naming the file and the entry when one of them cannot be trusted now */
export function readAnchors({ certificates, now, parse }: AnchorSource): ParsedCertificate[] {
  if (certificates.length === 0) throw new Error('trusted-ca.conf: certificates: at least one is needed');
  return certificates.map((pem, index) => {
    const fail = (why: string, cause?: unknown) =>
      new Error(`trusted-ca.conf: certificates[${index}]: ${why}`, { cause });
    const der = fromBase64(PEM.exec(pem)?.[1]?.replaceAll(/\s/g, '') ?? '');
    if (!der?.length) throw fail('is not one certificate in PEM form');
    const certificate = tryParse(parse, der, fail);
    const defect = checkAnchor(certificate, now);
    if (defect !== undefined) throw fail(defect);
    return certificate;
  });
}

function tryParse(
  parse: AnchorSource['parse'],
  der: Uint8Array,
  fail: (why: string, cause: unknown) => Error,
): ParsedCertificate {
  try {
    return parse(der);
  } catch (cause) {
    throw fail('is not an X.509 certificate', cause);
  }
}
