import type { CertificateRevocation } from '../../../../domain/tenancy/services/certificates/certificate-revocation.ts';
import type { TrustSources } from '../../../../domain/tenancy/services/certificates/trust-sources.ts';
import type { VicalServices } from '../../../../domain/tenancy/services/certificates/vical-service.ts';
import type { CertificateServices } from '../../../../domain/tenancy/services/certificates/x509-service.ts';
import type { CertificateStores } from '../../../../domain/tenancy/services/certificates/x509-store.ts';
import { LISTS, type Lists } from '../../../../domain/tenancy/services/lists.ts';
import type { TrustRegistries } from '../../../../domain/tenancy/services/trust-registry.ts';
import { RESOURCE_KINDS } from '../../../../domain/tenancy/tree/resource-kinds.ts';
import type { Resources } from '../../../../domain/tenancy/tree/resources.ts';
import { done, type Handlers, reply, replyToBody } from '../../messages/operations.ts';
import { listOrElement, listPages } from './list-pages.ts';

/** What the handlers of the document `tenant-certificates` need. */
export interface TenantCertificateServices {
  resources: Resources;
  certificateStores: CertificateStores;
  certificateServices: CertificateServices;
  revocation: Pick<CertificateRevocation, 'list' | 'removeLists'>;
  vicals: VicalServices;
  trustRegistries: TrustRegistries;
  trustSources: TrustSources;
  lists: Lists;
}

type Part = Partial<Handlers<'tenant-certificates'>>;

/** A VICAL may be kept for a minute: a new version may be published at any time. */
const VICAL_HEADERS = { 'content-type': 'application/cbor', 'cache-control': 'public, max-age=60' };

/** A list of revoked certificates may be kept for five minutes: one may be revoked at any time. */
const CRL_HEADERS = { 'content-type': 'application/pkix-crl', 'cache-control': 'public, max-age=300' };

/** The certificates of tenants, and whom they trust. */
export const tenantCertificateHandlers = (services: TenantCertificateServices): Handlers<'tenant-certificates'> => ({
  ...storeHandlers(services),
  ...serviceHandlers(services),
  ...listHandlers(services),
  ...sourceHandlers(services),
});

const storeHandlers = ({ certificateStores, resources, trustRegistries }: TenantCertificateServices) =>
  ({
    addCertificate: replyToBody(201, ({ path, body, rights }) => certificateStores.add({ rights, ...path }, body)),
    replaceCertificate: replyToBody(200, ({ path, body }) => certificateStores.replace(path.target, body)),
    deleteCertificate: done(204, ({ path, rights }) =>
      resources.remove(rights, path.target, RESOURCE_KINDS.certificates),
    ),
    addTrustedIssuer: replyToBody(201, ({ path, body, rights }) => trustRegistries.add({ rights, ...path }, body)),
  }) satisfies Part;

const serviceHandlers = ({ certificateServices, revocation, vicals }: TenantCertificateServices) =>
  ({
    createTenantIaca: replyToBody(201, ({ path, body }) => certificateServices.createIaca(path.target, body)),
    createTenantSigner: replyToBody(201, ({ path, body }) => certificateServices.createSigner(path.target, body)),
    revokeTenantCertificate: replyToBody(200, ({ path, body }) => certificateServices.revoke(path.target, body)),
    getTenantCrl: reply(200, ({ path }) => revocation.list(path.target, path.crlId), CRL_HEADERS),
    publishVical: replyToBody(201, ({ path, body, rights }) => vicals.publish({ rights, ...path }, body)),
    getTenantVical: reply(200, ({ path }) => vicals.vical(path.target), VICAL_HEADERS),
  }) satisfies Part;

const sourceHandlers = ({ trustSources }: TenantCertificateServices) =>
  ({
    loadTrustSource: replyToBody(201, ({ path, body }) => trustSources.load(path.target, body)),
    listTrustSources: reply(200, ({ path }) => trustSources.list(path.target)),
    deleteTrustSource: done(204, ({ path }) => trustSources.remove(path)),
    refreshTrustSource: reply(200, ({ path }) => trustSources.refresh(path)),
    getTrustSourceHealth: reply(200, ({ path }) => trustSources.health(path)),
    resolveTrustedCertificate: replyToBody(200, ({ path, body: { certificatePemOrDer: text, ...expected } }) =>
      trustSources.resolve(path.target, { chain: [{ text, path: ['certificatePemOrDer'] }], ...expected }),
    ),
    resolveTrustedChain: replyToBody(200, ({ path, body: { certificateChain, ...expected } }) => {
      const chain = certificateChain.map((text, index) => ({ text, path: ['certificateChain', index] }));
      return trustSources.resolve(path.target, { chain, ...expected });
    }),
  }) satisfies Part;

const listHandlers = ({ lists }: TenantCertificateServices) =>
  ({
    listCertificates: listOrElement(lists, LISTS.listCertificates, RESOURCE_KINDS.certificates),
    listCertificateIds: listPages(lists, LISTS.listCertificateIds),
    listVicalVersionIds: listPages(lists, LISTS.listVicalVersionIds),
    listTrustedIssuers: listPages(lists, LISTS.listTrustedIssuers),
  }) satisfies Part;
