import type { Certificates } from '../../ports/certificates.ts';
import type { Credential } from '../../ports/credential-formats.ts';
import type { Clock } from '../../ports/system.ts';
import type { CredentialFormats } from '../credentials/formats/formats.ts';
import type { DcqlQuery } from '../presentation/dcql/query.ts';
import type { AuthorityCheck, AuthoritySource, TrustedAuthority } from '../presentation/matching/compiled-query.ts';
import { decideChain, type TrustDecision } from './chain-trust.ts';
import { type FederatedCredential, findIssuerPaths } from './federation/issuer-paths.ts';
import type { TrustChains } from './federation/trust-chains.ts';
import { countryViolation } from './issuing-country.ts';
import { readRootCertificates, rootAnchors, type TrustAnchors } from './trust-anchors.ts';
import type { BelievedList, TrustLists } from './trust-lists.ts';
import { checkAuthorities, isBelowAuthority } from './trusted-authorities.ts';

/** A credential whose issuer is judged. */
export type IssuedCredential = Pick<Credential, 'format' | 'type' | 'issuer'>;

/** Decides which issuers a verifier believes. That the key of the leaf signed the credential is verified elsewhere. */
export class IssuerTrust implements AuthoritySource {
  constructor(
    private readonly parts: {
      certificates: Certificates;
      clock: Clock;
      formats: CredentialFormats;
      /** The authorities of the configuration, in PEM. */
      configured: readonly string[];
      lists: TrustLists;
      /** Whether certificates are believed as long as there is no anchor at all. */
      acceptUnanchored: boolean;
      trustChains: Pick<TrustChains, 'all' | 'hasAnchors'>;
    },
  ) {}

  /** Reads `trusted_root_cas` of a request, which is stored as it is. @throws DomainError as `readRootCertificates` */
  readRoots(value: unknown): string[] {
    const { certificates, clock } = this.parts;
    return readRootCertificates(value, { certificates, now: clock.now() });
  }

  /** What one verification believes: the anchors of the configuration, of its lists and others, and those of the request. */
  async anchors(requested: readonly string[] = [], others?: readonly BelievedList[]): Promise<TrustAnchors> {
    const { certificates, configured, lists, clock } = this.parts;
    const { anchors, missing } = await lists.anchors(clock.now(), others);
    return { anchors: [...rootAnchors([...configured, ...requested], certificates), ...anchors], missing };
  }

  /**
   * Decides on the issuer of a credential. An issuer without certificates is named by a DID or URL, whose key signed the
   * credential. A chain must end at an anchor. Where a verification has no anchors, a certificate proves nothing, since
   * an attacker can make one with any name; then only a DID that lists the key vouches for it.
   */
  decide({ format, type, issuer }: IssuedCredential, { anchors, missing }: TrustAnchors): TrustDecision {
    if (issuer.kind !== 'certificates') return { trusted: true };
    const { chainPurpose: purpose } = this.parts.formats.get(format);
    const hasNone = anchors.length === 0 && missing.length === 0;
    if (hasNone && (this.parts.acceptUnanchored || (purpose !== 'mdoc' && issuer.id.startsWith('did:'))))
      return { trusted: true };
    const { certificates, clock } = this.parts;
    const question = { chain: issuer.chain, anchors, purpose, docType: type, now: clock.now() } as const;
    const decision = decideChain(question, certificates);
    if (decision.trusted || missing.length === 0) return decision;
    return { ...decision, reason: [decision.reason, ...missing].join('; ') };
  }

  /** Why a credential is not one of its signer's country, as `countryViolation`. */
  countryViolation(credential: Pick<Credential, 'format' | 'claims' | 'issuer'>): string | undefined {
    const { formats, certificates } = this.parts;
    return countryViolation(credential, formats.get(credential.format), certificates);
  }

  async check(
    named: readonly TrustedAuthority[],
    credentials: readonly FederatedCredential[],
  ): Promise<AuthorityCheck> {
    const { certificates, clock, lists, trustChains } = this.parts;
    const now = clock.now();
    const urls = named.flatMap(({ type, values }) => (type === 'etsi_tl' ? values : []));
    const asked = named.some(({ type }) => type === 'openid_federation') ? credentials : [];
    const [listed, { entities, missing }] = await Promise.all([
      lists.anchorsAt(urls, now),
      findIssuerPaths(asked, trustChains),
    ]);
    const parts = { certificates, now, lists: listed, entities };
    return { isBelow: (issuer, authorities) => isBelowAuthority(issuer, authorities, parts), missing };
  }

  /** Checks the trusted authorities of a new request. @throws DomainError as `checkAuthorities` */
  checkAuthorities(query: DcqlQuery): void {
    const { lists, trustChains } = this.parts;
    checkAuthorities(query, { lists: lists.etsi.map(({ source }) => source), hasFederations: trustChains.hasAnchors });
  }
}
