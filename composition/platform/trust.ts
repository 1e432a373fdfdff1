import type { Settings, TrustedIssuerSettings } from '../../adapters/config/settings.ts';
import { Vicals } from '../../adapters/formats/vical/vical.ts';
import { EtsiLists } from '../../adapters/trust-lists/etsi-lists.ts';
import type { CredentialFormats } from '../../domain/credentials/formats/formats.ts';
import { signatureKeys } from '../../domain/jose/key-set.ts';
import type { FederationAnchor } from '../../domain/trust/federation/trust-chain.ts';
import { TrustChains } from '../../domain/trust/federation/trust-chains.ts';
import { IssuerTrust } from '../../domain/trust/issuer-trust.ts';
import { type ConfiguredList, TrustLists } from '../../domain/trust/trust-lists.ts';
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
interface Trust {
  trust: IssuerTrust;
  trustLists: TrustLists;
  /** Reads another version of the file; returns what believes it from then on, with what was fetched for lists that stay. */
  followTrustedIssuers(next: Pick<Settings, 'trustedIssuers'>): () => void;
}

/** Creates what the file says; its objects stay the same when another version of it is followed. */
export function createTrust(parts: TrustParts): Trust {
  const readers = { vical: new Vicals(parts), etsi: new EtsiLists(parts) };
  let file = read(parts.settings.trustedIssuers, parts);
  const trustLists = new TrustLists({
    ...parts,
    readers,
    get configured() {
      return file.lists;
    },
  });
  const trust = new IssuerTrust({
    ...parts,
    lists: trustLists,
    get configured() {
      return file.certificates;
    },
    get acceptUnanchored() {
      return file.acceptUnanchored;
    },
    get trustChains() {
      return file.trustChains;
    },
  });
  const followTrustedIssuers: Trust['followTrustedIssuers'] = ({ trustedIssuers }) => {
    const next = read(trustedIssuers, parts);
    return () => {
      file = next;
    };
  };
  return { trust, trustLists, followTrustedIssuers };
}

/** What the parts of trust need of one version of the file. */
function read(settings: TrustedIssuerSettings, parts: TrustParts) {
  const { certificates, acceptUnanchored, vicals, trustLists: etsi } = settings;
  const lists: ConfiguredList[] = [
    ...vicals.map((list) => ({ kind: 'vical', ...list }) as const),
    ...etsi.map((list) => ({ kind: 'etsi', ...list }) as const),
  ];
  const federations = federationAnchors(settings);
  return {
    certificates,
    acceptUnanchored,
    lists,
    trustChains: new TrustChains({ ...parts, federations, most: MAX_CHAINS }),
  };
}

/** The trust anchors of the federations of a file. */
export const federationAnchors = ({ federations }: Pick<TrustedIssuerSettings, 'federations'>): FederationAnchor[] =>
  federations.map(({ entityId, jwks }) => ({ entityId, keys: signatureKeys(jwks) ?? [] }));
