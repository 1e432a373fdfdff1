import { at } from '../../../../domain/foundation/errors.ts';
import type { Rights } from '../../../../domain/tenancy/access/permissions.ts';
import { LISTS, type Lists } from '../../../../domain/tenancy/services/lists.ts';
import type { TrustRegistries } from '../../../../domain/tenancy/services/trust-registry.ts';
import type { VicalServices } from '../../../../domain/tenancy/services/vical-service.ts';
import type { CertificateServices } from '../../../../domain/tenancy/services/x509-service.ts';
import type { CertificateStores } from '../../../../domain/tenancy/services/x509-store.ts';
import { RESOURCE_KINDS } from '../../../../domain/tenancy/tree/resource-kinds.ts';
import type { Resources } from '../../../../domain/tenancy/tree/resources.ts';
import type { Handlers } from '../../messages/operations.ts';
import { listOrElement, listPages } from './list-pages.ts';

/** What the handlers of the document `tenant-certificates` need. */
export interface TenantCertificateServices {
  resources: Resources;
  certificateStores: CertificateStores;
  certificateServices: CertificateServices;
  vicals: VicalServices;
  trustRegistries: TrustRegistries;
  lists: Lists;
}

type Part = Partial<Handlers<'tenant-certificates'>>;

/** How long a VICAL may be kept, in seconds: a new version may be published at any time. */
const VICAL_SECONDS = 60;

/** The certificates of tenants, and whom they trust. */
export const tenantCertificateHandlers = (services: TenantCertificateServices): Handlers<'tenant-certificates'> => ({
  ...storeHandlers(services),
  ...serviceHandlers(services),
  ...listHandlers(services),
});

const requestOf = ({ path, rights }: { path: { target: string }; rights: Rights }) => ({ rights, target: path.target });

const storeHandlers = ({ certificateStores, resources, trustRegistries }: TenantCertificateServices) =>
  ({
    addCertificate: async ({ body, ...input }) => ({
      status: 201,
      body: await at(['body'], () => certificateStores.add(requestOf(input), body)),
    }),
    replaceCertificate: async ({ body, ...input }) => ({
      status: 200,
      body: await at(['body'], () => certificateStores.replace(requestOf(input), body)),
    }),
    deleteCertificate: async ({ path, rights }) => {
      await resources.remove(rights, path.target, RESOURCE_KINDS.certificates);
      return { status: 204 };
    },
    addTrustedIssuer: async ({ body, ...input }) => ({
      status: 201,
      body: await at(['body'], () => trustRegistries.add(requestOf(input), body)),
    }),
  }) satisfies Part;

const serviceHandlers = ({ certificateServices, vicals }: TenantCertificateServices) =>
  ({
    createTenantIaca: async ({ body, ...input }) => ({
      status: 201,
      body: await at(['body'], () => certificateServices.createIaca(input.path.target, body)),
    }),
    createTenantSigner: async ({ body, ...input }) => ({
      status: 201,
      body: await at(['body'], () => certificateServices.createSigner(input.path.target, body)),
    }),
    publishVical: async ({ body, ...input }) => ({
      status: 201,
      body: await at(['body'], () => vicals.publish(requestOf(input), body)),
    }),
    getTenantVical: async ({ path }) => ({
      status: 200,
      body: await vicals.vical(path.target),
      headers: { 'content-type': 'application/cbor', 'cache-control': `public, max-age=${VICAL_SECONDS}` },
    }),
  }) satisfies Part;

const listHandlers = ({ lists }: TenantCertificateServices) =>
  ({
    listCertificates: listOrElement(lists, LISTS.listCertificates, RESOURCE_KINDS.certificates),
    listCertificateIds: listPages(lists, LISTS.listCertificateIds),
    listVicalVersionIds: listPages(lists, LISTS.listVicalVersionIds),
    listTrustedIssuers: listPages(lists, LISTS.listTrustedIssuers),
  }) satisfies Part;
