import type { Certificates, ParsedCertificate } from '../../../../ports/certificates.ts';
import { at, invalidField } from '../../../foundation/errors.ts';
import { readCertificate } from '../../../x509/certificate-chain.ts';
import { authorityViolation } from '../../../x509/certificate-rules.ts';
import { pemOf } from '../../../x509/pem.ts';
import { childOf, type Target } from '../../access/targets.ts';
import { type CertificateContent, RESOURCE_KINDS } from '../../tree/resource-kinds.ts';
import type { TreeResource } from '../../tree/resource-repository.ts';
import { refusePrivateKeys } from '../../tree/secrets.ts';
import { SERVICE_TYPES } from '../../tree/service-types.ts';
import { ChildStore, type ServiceParts } from '../child-creation.ts';

/** A certificate to store. */
export interface NewCertificate {
  /** `vical-entry`: an issuing authority that VICALs list, with the document types that it issues. */
  type: 'base' | 'vical-entry';
  /** One certificate in PEM form. */
  certificatePem: string;
  complementaryMetadata?: { docType: string[] };
}

/**
 * Certificate stores: services of the type `x509-store`. Certificates are public; private keys are refused. The default name of
 * a certificate is its digest, so that a store contains it once.
 */
export class CertificateStores extends ChildStore<NewCertificate, CertificateContent> {
  constructor(private readonly parts: ServiceParts & { certificates: Certificates }) {
    super(parts, SERVICE_TYPES['x509-store'].children);
  }

  /** Stores a certificate for another service that depends on the store. @throws DomainError as `add` */
  async addTo(store: Target, wanted: NewCertificate & { name?: string }): Promise<TreeResource<CertificateContent>> {
    const target = childOf(store, wanted.name ?? this.defaultName(wanted));
    return this.parts.tree.add(RESOURCE_KINDS.certificates, target, this.read(wanted));
  }

  protected override defaultName({ certificatePem }: NewCertificate): string {
    return this.#parse(certificatePem).fingerprint;
  }

  protected read({ type, certificatePem, complementaryMetadata }: NewCertificate): { content: CertificateContent } {
    const certificate = this.#parse(certificatePem);
    const isEntry = type === 'vical-entry';
    if (isEntry !== (complementaryMetadata !== undefined))
      throw invalidField(
        ['complementaryMetadata'],
        isEntry ? 'is required: the document types of the entry' : 'is for entries of VICALs only',
      );
    const violation = isEntry ? entryViolation(certificate) : undefined;
    if (violation !== undefined) throw invalidField(['certificatePem'], violation);
    const pem = pemOf(certificate.der, 'CERTIFICATE');
    return { content: { data: { type, pem, complementaryMetadata } } };
  }

  #parse(certificatePem: string): ParsedCertificate {
    refusePrivateKeys({ certificatePem });
    return at(['certificatePem'], () => readCertificate(certificatePem, this.parts.certificates));
  }
}

/** Why a certificate cannot be listed in a VICAL (ISO 18013-5 C.1.7.1); undefined when it can. */
const entryViolation = (certificate: ParsedCertificate): string | undefined =>
  authorityViolation(certificate) ??
  (certificate.subjectKeyId === undefined ? 'has no subject key identifier, by which VICALs name it' : undefined);
