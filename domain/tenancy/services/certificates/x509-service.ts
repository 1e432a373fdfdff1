import type { RevocationReason } from '../../../../ports/certificate-maker.ts';
import type { KeyReference } from '../../../../ports/key-service.ts';
import { at, ignoring, invalidField, replacing } from '../../../foundation/errors.ts';
import {
  type IacaCertificateData,
  readSubject,
  type SignerCertificateData,
} from '../../../issuer/onboarding/certificate-data.ts';
import type {
  CertificateOnboarding,
  IacaCertificate,
  SignerCertificate,
} from '../../../issuer/onboarding/certificate-onboarding.ts';
import type { KeyBackends } from '../../../keys/key-backends.ts';
import { CERTIFIED_KEY_TYPES, type SignerPurpose } from '../../../x509/signer-profiles.ts';
import { nameOf, nothingAt, parentOf, type Target } from '../../access/targets.ts';
import type { CertificateContent } from '../../tree/resource-kinds.ts';
import type { TreeResource } from '../../tree/resource-repository.ts';
import type { ServiceParts } from '../child-creation.ts';
import { dependencyCertificate, dependencyKey } from '../dependency-keys.ts';
import type { TenantService, TenantServices } from '../tenant-services.ts';
import type { CertificateRevocation, Revocation } from './certificate-revocation.ts';
import type { CertificateStores, NewCertificate } from './x509-store.ts';

/** What both requests have. */
interface WantedCertificate {
  /** The target of the key that the certificate is for. */
  kid: Target;
  /** The name of the certificate in the store; its digest when absent. */
  certificateId?: string;
}

/** An issuing authority to certify. */
interface WantedIaca extends WantedCertificate {
  certificateData: IacaCertificateData;
  /** The document types that VICALs list it for; it is stored as an entry of VICALs then. */
  docType?: string[];
}

/** A signer to certify. */
interface WantedSigner extends WantedCertificate {
  purpose?: SignerPurpose;
  certificateData: SignerCertificateData;
  /** The authority: the target of its key, and its certificate as PEM or by its target in the store. */
  iaca: { kid: Target; certificate?: Target; certificatePem?: string };
}

/** A certificate to revoke: its target in the store, and that of the certificate of its authority. */
interface UnwantedCertificate {
  certificate: Target;
  iaca: Target;
  reason?: RevocationReason;
}

/** A certificate as it is stored, with what was checked. */
type IssuedCertificate<C> = Omit<C, 'certificatePEM'> & { certificate: TreeResource<CertificateContent> };

/** Certificate services: services of the type `x509-service`, which certify keys of tenants and store the certificates. */
export class CertificateServices {
  constructor(
    private readonly parts: ServiceParts & {
      services: TenantServices;
      stores: CertificateStores;
      onboarding: CertificateOnboarding;
      keys: KeyBackends;
      revocation: CertificateRevocation;
    },
  ) {}

  /** Certifies an issuing authority, and opens its list of revoked certificates. @throws DomainError `BadRequest` naming the member, `NotFound`, `Conflict` */
  async createIaca(target: Target, wanted: WantedIaca): Promise<IssuedCertificate<IacaCertificate>> {
    const { kid, certificateData, docType } = wanted;
    const { service, certificateId } = await this.#serviceOf(target, wanted);
    const key = await this.#key(service, kid, ['kid']);
    const { onboarding, revocation } = this.parts;
    const name = at(['certificateData'], () => readSubject(certificateData));
    const authority = { name, publicJwk: key.publicJwk };
    const data = { crlDistributionPointUri: await revocation.urlOf(service.target, authority), ...certificateData };
    const { certificatePEM: certificatePem, ...made } = await onboarding.certifyIaca(data, key);
    await revocation.open(service, authority, { kid, pem: certificatePem });
    const complementaryMetadata = docType && { docType };
    const type = docType ? 'vical-entry' : 'base';
    return {
      ...made,
      certificate: await this.#store(service, { type, certificatePem, complementaryMetadata, name: certificateId }),
    };
  }

  /**
   * Certifies a signer. Without a URL in the request the certificate names the list of its authority, if that was made here.
   * @throws DomainError as `createIaca`
   */
  async createSigner(target: Target, wanted: WantedSigner): Promise<IssuedCertificate<SignerCertificate>> {
    const { kid, purpose, iaca } = wanted;
    const { keys, onboarding, revocation } = this.parts;
    const { service, certificateId: name } = await this.#serviceOf(target, wanted);
    const key = await this.#key(service, kid, ['kid']);
    const authority = await this.#key(service, iaca.kid, ['iaca', 'kid']);
    const { certificate, certificatePem: iacaPem = await this.#authority(service, certificate) } = iaca;
    const iacaSigner = { iacaKey: keys.write(authority, authority.backend), iacaPem };
    const { crlDistributionPointUri = await revocation.listOf(service, iacaPem), ...data } = wanted.certificateData;
    const certificateData = { ...data, ...(crlDistributionPointUri !== undefined && { crlDistributionPointUri }) };
    const signer = { purpose, certificateData, iacaSigner };
    const { certificatePEM: certificatePem, ...made } = await at(PLACES, () => onboarding.certifySigner(signer, key));
    return { ...made, certificate: await this.#store(service, { type: 'base', certificatePem, name }) };
  }

  /** The service at a target, or above one that names a certificate too. @throws DomainError `NotFound`, `BadRequest` for two names */
  async #serviceOf(target: Target, { certificateId }: WantedCertificate) {
    const { services } = this.parts;
    const here = await services.at(target, 'x509-service').catch(ignoring('NotFound'));
    if (here) return { service: here, certificateId };
    const service = await services
      .at(parentOf(target), 'x509-service')
      .catch(replacing('NotFound', () => nothingAt(target)));
    if (certificateId !== undefined) throw invalidField(['certificateId'], 'is in the path already');
    return { service, certificateId: nameOf(target) };
  }

  #authority(service: TenantService, certificate: Target = ''): Promise<string> {
    return at(['iaca', 'certificate'], () => this.#certificate(service, certificate));
  }

  /** Revokes a certificate that the service issued. @throws DomainError as `CertificateRevocation.revoke`, `NotFound` */
  async revoke(target: Target, { reason = 'unspecified', ...wanted }: UnwantedCertificate): Promise<Revocation> {
    const service = await this.parts.services.at(target, 'x509-service');
    const read = (member: 'certificate' | 'iaca') => at([member], () => this.#certificate(service, wanted[member]));
    return this.parts.revocation.revoke(service, {
      certificate: await read('certificate'),
      iaca: await read('iaca'),
      reason,
    });
  }

  async #key(service: TenantService, kid: Target, place: string[]): Promise<KeyReference> {
    const key = await at(place, () => dependencyKey(this.parts.tree, service, kid));
    if (CERTIFIED_KEY_TYPES.includes(key.keyType)) return key;
    throw invalidField(place, `must be of one of the types ${CERTIFIED_KEY_TYPES.join(', ')}`);
  }

  #certificate(service: TenantService, target: Target): Promise<string> {
    return dependencyCertificate(this.parts.tree, service, target);
  }

  async #store(
    service: TenantService,
    wanted: NewCertificate & { name?: string },
  ): Promise<TreeResource<CertificateContent>> {
    const { services, stores } = this.parts;
    return stores.addTo(await services.dependency(service, 'x509-store'), wanted);
  }
}

/** Where the request has what certifying a signer names. */
const PLACES = { iacaSigner: ['iaca'] };
