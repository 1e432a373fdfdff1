import { base64, fromBase64 } from '../foundation/bytes.ts';

const CERTIFICATE = /^\s*-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----\s*$/;

/** The DER of a text that is one certificate in PEM form (RFC 7468 §5.1), without text around it; else undefined. */
export function derOfPem(text: string): Uint8Array | undefined {
  const der = fromBase64(CERTIFICATE.exec(text)?.[1]?.replaceAll(/\s/g, '') ?? '');
  return der?.length ? der : undefined;
}

/** The PEM form of DER (RFC 7468 §2). */
export function pemOf(der: Uint8Array, label: 'CERTIFICATE' | 'CERTIFICATE REQUEST'): string {
  const lines = base64(der).match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
