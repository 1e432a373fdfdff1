import { IssuerTrust } from '../domain/trust/issuer-trust.ts';
import type { Platform } from './platform.ts';

/** Which issuers the verifier believes. */
export function issuerTrust({
  settings: { trustedIssuers },
  clock,
  certificates,
}: Pick<Platform, 'settings' | 'clock' | 'certificates'>): IssuerTrust {
  const { certificates: configured, acceptUnanchored } = trustedIssuers;
  return new IssuerTrust({ clock, certificates, configured, acceptUnanchored });
}
