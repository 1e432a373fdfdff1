import { PeculiarCertificates } from '../../adapters/crypto/certificate-maker.ts';
import { SignedVicals } from '../../adapters/formats/vical/vical-writer.ts';
import type { TenantCertificateServices } from '../../adapters/http/handlers/tenancy/tenant-certificates.ts';
import { CertificateOnboarding } from '../../domain/issuer/onboarding/certificate-onboarding.ts';
import type { ServiceParts } from '../../domain/tenancy/services/child-creation.ts';
import type { TenantServices } from '../../domain/tenancy/services/tenant-services.ts';
import { TrustRegistries } from '../../domain/tenancy/services/trust-registry.ts';
import { VicalServices } from '../../domain/tenancy/services/vical-service.ts';
import { CertificateServices } from '../../domain/tenancy/services/x509-service.ts';
import { CertificateStores } from '../../domain/tenancy/services/x509-store.ts';
import type { ResourceRepository } from '../../domain/tenancy/tree/resource-repository.ts';
import type { Platform } from '../platform/platform.ts';

interface TenantParts extends ServiceParts {
  services: TenantServices;
  repository: ResourceRepository;
}

/** The certificates of tenants, their VICALs, and whom they trust. */
export function tenantCertificates(
  platform: Platform,
  tree: TenantParts,
): Omit<TenantCertificateServices, 'lists' | 'resources'> {
  const parts = { ...platform, ...tree };
  const stores = new CertificateStores(parts);
  const onboarding = new CertificateOnboarding({ ...platform, maker: new PeculiarCertificates() });
  return {
    certificateStores: stores,
    certificateServices: new CertificateServices({ ...parts, stores, onboarding }),
    vicals: new VicalServices({ ...parts, writer: new SignedVicals() }),
    trustRegistries: new TrustRegistries(parts),
  };
}
