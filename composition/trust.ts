import type { Settings } from '../adapters/config/settings.ts';
import { Vicals } from '../adapters/formats/vical/vical.ts';
import { EtsiLists } from '../adapters/trust-lists/etsi-lists.ts';
import { IssuerTrust } from '../domain/trust/issuer-trust.ts';
import { TrustLists } from '../domain/trust/trust-lists.ts';
import type { Certificates } from '../ports/certificates.ts';
import type { Outbound } from '../ports/outbound.ts';
import type { Signatures } from '../ports/signatures.ts';
import type { System } from './system.ts';

/** What issuers are judged with. */
interface TrustParts extends Pick<System, 'clock'> {
  settings: Pick<Settings, 'trustedIssuers'>;
  certificates: Certificates;
  outbound: Outbound;
  signatures: Signatures;
}

/** Which issuers the verifier believes, and the lists that say so. */
export function createTrust(parts: TrustParts): { trust: IssuerTrust; trustLists: TrustLists } {
  const { certificates: configured, acceptUnanchored, vicals, trustLists: etsi } = parts.settings.trustedIssuers;
  const readers = { vical: new Vicals(parts), etsi: new EtsiLists(parts) };
  const lists = [
    ...vicals.map((list) => ({ kind: 'vical', ...list }) as const),
    ...etsi.map((list) => ({ kind: 'etsi', ...list }) as const),
  ];
  const trustLists = new TrustLists({ ...parts, readers, configured: lists });
  return { trust: new IssuerTrust({ ...parts, configured, acceptUnanchored, lists: trustLists }), trustLists };
}
