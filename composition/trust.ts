import type { Settings } from '../adapters/config/settings.ts';
import { IssuerTrust } from '../domain/trust/issuer-trust.ts';
import type { Certificates } from '../ports/certificates.ts';
import type { System } from './system.ts';

/** What issuers are judged with. */
interface TrustParts extends Pick<System, 'clock'> {
  settings: Pick<Settings, 'trustedIssuers'>;
  certificates: Certificates;
}

/** Which issuers the verifier believes. */
export function issuerTrust({ settings: { trustedIssuers }, clock, certificates }: TrustParts): IssuerTrust {
  const { certificates: configured, acceptUnanchored } = trustedIssuers;
  return new IssuerTrust({ clock, certificates, configured, acceptUnanchored });
}
