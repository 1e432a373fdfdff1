import { X509Certificate } from 'node:crypto';
import type { ConfigurationProblem } from './configuration-error.ts';

/**
 * What would keep the configured certificates from being trusted, told before the server starts; the login itself
 * decides by its own, stricter rules.
 */
export function checkTrustAnchors(certificates: readonly string[], now: number): ConfigurationProblem[] {
  const problem = (field: string, message: string) => ({ file: 'trusted-ca.conf', field, message });
  if (certificates.length === 0)
    return [problem('certificates', 'must hold at least one certificate, since the feature trusted-ca is on')];
  return certificates.flatMap((pem, index) => {
    const message = defectOf(pem, now);
    return message === undefined ? [] : [problem(`certificates[${index}]`, message)];
  });
}

function defectOf(pem: string, now: number): string | undefined {
  try {
    const certificate = new X509Certificate(pem);
    if (!certificate.ca) return 'is not the certificate of a certificate authority';
    if (Date.parse(certificate.validTo) < now) return 'has expired';
    return Date.parse(certificate.validFrom) > now ? 'is not valid yet' : undefined;
  } catch {
    return 'is not an X.509 certificate';
  }
}
