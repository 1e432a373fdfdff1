import type { Certificates, ParsedCertificate } from '../../ports/certificates.ts';
import type { ListSignature } from '../../ports/codecs/token-lists.ts';
import type { IssuerReference } from '../../ports/credential-formats.ts';
import type { Clock } from '../../ports/system.ts';
import type { ListedStatus } from '../credentials/credential-status.ts';
import { DomainError } from '../foundation/errors.ts';
import type { IssuerTrust } from '../trust/issuer-trust.ts';
import { sharesEntity } from '../trust/listed-services.ts';
import type { TrustLists } from '../trust/trust-lists.ts';
import { isSameName } from '../x509/name-constraints.ts';
import { validatePath } from '../x509/path-validation.ts';
import { STATUS_SIGNING } from '../x509/signer-profiles.ts';

export interface ListAuthorityParts {
  certificates: Certificates;
  clock: Clock;
  trust: Pick<IssuerTrust, 'anchors'>;
  trustLists: Pick<TrustLists, 'etsiLists'>;
  /** Object identifiers of extended key usages that also say that a certificate signs lists. */
  statusSigningUsages: readonly string[];
}

/** The credential that a list is read for. */
export interface ListedCredential {
  issuer: IssuerReference;
  /** The certificate, DER, above that of the signer of the list, which the credential names. */
  anchor?: Uint8Array;
  anchors?: ListedStatus['anchors'];
}

/**
 * Decides whether the signer of a Token Status List or of an identifier list acts for the issuer of a credential. It is the
 * issuer itself; or one below the certificate that the credential names (ISO 18013-5 second edition §12.3.6); or one with
 * the purpose of signing lists whose certificate the authority of the issuer's certificate issued
 * (draft-ietf-oauth-status-list-21 §10 and §11.3); or the revocation service of the entity that is listed with the issuer's
 * issuance service (ETSI TS 119 602 annexes D to H: `…/Issuance` and `…/Revocation` of one entity). No other one is believed.
 */
export class ListAuthority {
  constructor(private readonly parts: ListAuthorityParts) {}

  /** @throws DomainError `MalformedValue` when the credential names an anchor that is no certificate */
  async isOf({ issuer: name, chain = [] }: ListSignature, credential: ListedCredential): Promise<boolean> {
    const { issuer, anchor } = credential;
    if (name !== undefined && name === issuer.id) return true;
    // A named signer is the issuer or not; a certificate has no name here.
    const ders = name === undefined && issuer.kind === 'certificates' ? issuer.chain : [];
    const own = ders.map((der) => this.parts.certificates.parse(der));
    if (own[0] && chain[0]?.fingerprint === own[0].fingerprint) return true;
    if (anchor && this.#isBelow(chain, readAnchor(anchor, this.parts.certificates))) return true;
    return (await this.#isDelegate({ own, chain, anchors: credential.anchors })) || this.#isListed(ders, chain);
  }

  #isBelow(chain: readonly ParsedCertificate[], anchor: ParsedCertificate): boolean {
    const { certificates, clock } = this.parts;
    const { signedBy } = certificates;
    return validatePath({ chain, anchors: [anchor], now: clock.now(), signedBy: signedBy.bind(certificates) }).valid;
  }

  /**
   * Whether one authority issued both certificates, that of the list for signing lists. An authority that only the two
   * tokens bring must have an EC or Ed25519 key: for RSA a second key can be made under which a signature is valid, too.
   */
  async #isDelegate({ own, chain, anchors }: DelegationQuestion): Promise<boolean> {
    const { certificates, trust, statusSigningUsages } = this.parts;
    const [[leaf], [signer]] = [own, chain];
    const usages = [STATUS_SIGNING, ...statusSigningUsages];
    if (!leaf || !signer?.extendedKeyUsage?.some((usage) => usages.includes(usage))) return false;
    if (signer.keyUsage && !signer.keyUsage.includes('digitalSignature')) return false;
    const known = anchors ? await anchors() : (await trust.anchors()).anchors.map(({ certificate }) => certificate);
    const authorities = [
      ...known,
      ...[...own.slice(1), ...chain.slice(1)].filter(({ publicKey }) => publicKey.kind !== 'RSA'),
    ];
    return authorities
      .filter((authority) => isSameName(leaf.issuer, authority.subject) && certificates.signedBy(leaf, authority))
      .some((authority) => this.#isBelow([signer], authority));
  }

  async #isListed(issuer: readonly Uint8Array[], chain: readonly ParsedCertificate[]): Promise<boolean> {
    const { trustLists, certificates, clock } = this.parts;
    if (issuer.length === 0 || chain.length === 0) return false;
    const question = { issuer, revoker: chain.map(({ der }) => der), now: clock.now() };
    return (await trustLists.etsiLists(question.now)).some((list) => sharesEntity(list, question, certificates));
  }
}

/** The certificates of the issuer and of the signer of the list, leaf first. */
interface DelegationQuestion extends Pick<ListedCredential, 'anchors'> {
  own: readonly ParsedCertificate[];
  chain: readonly ParsedCertificate[];
}

function readAnchor(der: Uint8Array, certificates: Certificates): ParsedCertificate {
  try {
    return certificates.parse(der);
  } catch (cause) {
    throw new DomainError('MalformedValue', '/status: the certificate of the list is not a certificate', { cause });
  }
}
