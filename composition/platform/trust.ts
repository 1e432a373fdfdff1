import type { Settings, TrustedIssuerSettings } from '../../adapters/config/settings.ts';
import { Vicals } from '../../adapters/formats/vical/vical.ts';
import { EtsiLists } from '../../adapters/trust-lists/etsi-lists.ts';
import type { CredentialFormats } from '../../domain/credentials/formats/formats.ts';
import { signatureKeys } from '../../domain/jose/key-set.ts';
import type { FederationAnchor } from '../../domain/trust/federation/trust-chain.ts';
import { TrustChains } from '../../domain/trust/federation/trust-chains.ts';
import { IssuerTrust } from '../../domain/trust/issuer-trust.ts';
import { TrustLists } from '../../domain/trust/trust-lists.ts';
import type { Certificates } from '../../ports/certificates.ts';
import type { Outbound } from '../../ports/outbound.ts';
import type { Signatures } from '../../ports/signatures.ts';
import type { System } from './system.ts';

/** What issuers are judged with. */
interface TrustParts extends Pick<System, 'clock'> {
  formats: CredentialFormats;
  settings: Pick<Settings, 'trustedIssuers'>;
  certificates: Certificates;
  outbound: Outbound;
  signatures: Signatures;
}

/** Of one issuer, since a query may name any entity above it. */
const MAX_CHAINS = 4;

/** Which issuers the verifier believes, and the lists that say so. */
export function createTrust(parts: TrustParts): { trust: IssuerTrust; trustLists: TrustLists } {
  const { certificates: configured, acceptUnanchored, vicals, trustLists: etsi } = parts.settings.trustedIssuers;
  const readers = { vical: new Vicals(parts), etsi: new EtsiLists(parts) };
  const lists = [
    ...vicals.map((list) => ({ kind: 'vical', ...list }) as const),
    ...etsi.map((list) => ({ kind: 'etsi', ...list }) as const),
  ];
  const trustLists = new TrustLists({ ...parts, readers, configured: lists });
  const federations = federationAnchors(parts.settings.trustedIssuers);
  const trustChains = new TrustChains({ ...parts, federations, most: MAX_CHAINS });
  const trust = new IssuerTrust({ ...parts, configured, acceptUnanchored, lists: trustLists, trustChains });
  return { trust, trustLists };
}

/** The trust anchors of the federations of a file. */
export const federationAnchors = ({ federations }: Pick<TrustedIssuerSettings, 'federations'>): FederationAnchor[] =>
  federations.map(({ entityId, jwks }) => ({ entityId, keys: signatureKeys(jwks) ?? [] }));
