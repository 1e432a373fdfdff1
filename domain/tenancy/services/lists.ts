import { type IssuedFilter, type IssuedTexts, readIssuedFilter } from '../../issuer/issued/issued-search.ts';
import { type PageLimits, readPage } from '../../limits/pagination.ts';
import { requireAction } from '../access/access.ts';
import { type Action, type Hidden, hiddenBelow, type Rights } from '../access/permissions.ts';
import { nameOf, nothingAt, type Target } from '../access/targets.ts';
import type { ListQuery, ListRequest, PageRequest } from '../tree/list-requests.ts';
import { RESOURCE_KINDS, type ResourceKind } from '../tree/resource-kinds.ts';
import type { ResourceQuery, ResourceRepository, TreeResource } from '../tree/resource-repository.ts';
import type { ResourceTree } from '../tree/resource-tree.ts';
import { childrenOf, type ServiceType } from '../tree/service-types.ts';
import { versionPath } from '../tree/vical-versions.ts';
import type { ClientAttestation } from './client-attestation.ts';
import type { CredentialTypesOfTenants } from './credential-types.ts';
import type { IssuedCredentials } from './issued-credentials.ts';
import type { TenantVerifiers } from './tenant-verifiers.ts';

/** Where the pages of lists come from. */
export interface ListSources {
  resources: ResourceRepository;
  issuanceSessions: { page(query: ListQuery): Promise<object[]> };
  credentialTypes: Pick<CredentialTypesOfTenants, 'page'>;
  issuedCredentials: Pick<IssuedCredentials, 'page'>;
  verificationSessions: Pick<TenantVerifiers, 'page'>;
  clientAttestations: { page(query: ListQuery): Promise<ClientAttestation[]> };
}

/** One list of the contract (interface: Enterprise list endpoints). */
export interface List<T> {
  /** What the caller may do at the target: the `x-permission` of the operation. Children where it is denied are left out. */
  action: Action;
  sortable: boolean;
  /** The type of the service at the target; a resource of any type when absent. */
  serviceType?: ServiceType;
  /** Reads which elements are wanted; all when absent. @throws DomainError `BadRequest` naming the parameters */
  filter?(texts: IssuedTexts): IssuedFilter;
  /** Reads a page of what the target contains. */
  source(sources: ListSources, query: ListQuery, filter?: IssuedFilter): Promise<T[]>;
}

const resourcesOf =
  <C extends object>(kind: ResourceKind<C>) =>
  ({ resources }: ListSources, query: ResourceQuery): Promise<TreeResource<C>[]> =>
    resources.page(kind, query);

const targetsOf =
  <C extends object>(kind: ResourceKind<C>) =>
  ({ resources }: ListSources, query: ResourceQuery): Promise<Target[]> =>
    resources.targets(kind, query);

/** A row of the lists that services of a type have. */
const rowOf =
  (sortable: boolean) =>
  <T>(serviceType: ServiceType, action: Action, source: List<T>['source']): List<T> => ({
    serviceType,
    action,
    sortable,
    source,
  });
const sorted = rowOf(true);
const unsorted = rowOf(false);

/** The lists. Paging, sorting, permissions and the removal of secrets are the same for all. */
export const LISTS = {
  listResources: {
    action: 'resource-list',
    sortable: false,
    source: (sources: ListSources, query: ListQuery) =>
      resourcesOf<object>(childrenOf(query.type)?.kind ?? RESOURCE_KINDS.resources)(sources, query),
  },
  listKeys: sorted('kms', 'list-keys', resourcesOf(RESOURCE_KINDS.keys)),
  listDids: sorted('did-store', 'did-list', resourcesOf(RESOURCE_KINDS.dids)),
  listDidIds: unsorted('did-store', 'did-list', async (sources, query) =>
    (await targetsOf(RESOURCE_KINDS.dids)(sources, query)).map(nameOf),
  ),
  listCredentials: sorted('credential-store', 'credential-list', resourcesOf(RESOURCE_KINDS.credentials)),
  listCredentialIds: unsorted('credential-store', 'credential-list', targetsOf(RESOURCE_KINDS.credentials)),
  listCertificates: sorted('x509-store', 'certificate-list', resourcesOf(RESOURCE_KINDS.certificates)),
  listCertificateIds: unsorted('x509-store', 'certificate-list', targetsOf(RESOURCE_KINDS.certificates)),
  listVicalVersionIds: unsorted('vical-service', 'vical-list', async (sources, query) =>
    (await targetsOf(RESOURCE_KINDS.vicalVersions)(sources, query)).map(versionPath),
  ),
  listTrustedIssuers: sorted('trust-registry', 'trusted-issuer-list', resourcesOf(RESOURCE_KINDS.trustedIssuers)),
  tenantListIssuanceSessions: sorted('issuer2', 'issuer-session-view', ({ issuanceSessions }, query) =>
    issuanceSessions.page(query),
  ),
  listCredentialTypes: sorted('issuer2', 'credential-type-list', ({ credentialTypes }, query) =>
    credentialTypes.page(query),
  ),
  listIssuedCredentials: {
    ...unsorted('issuer2', 'issued-credential-list', ({ issuedCredentials }, query, filter) =>
      issuedCredentials.page(query, filter),
    ),
    filter: readIssuedFilter,
  },
  listStoredPolicies: unsorted('policy-store', 'policy-list', resourcesOf(RESOURCE_KINDS.policies)),
  listStoredPolicyIds: unsorted('policy-store', 'policy-list', targetsOf(RESOURCE_KINDS.policies)),
  listVerificationSessions: sorted('verifier2', 'verifier-session-view', ({ verificationSessions }, query) =>
    verificationSessions.page(query),
  ),
  listSavedChecks: sorted('verifier2', 'check-list', resourcesOf(RESOURCE_KINDS.checks)),
  listClientAttestations: sorted('client-attester', 'client-attestation-list', ({ clientAttestations }, query) =>
    clientAttestations.page(query),
  ),
  listStatusCredentials: unsorted(
    'credential-status',
    'status-credential-list',
    resourcesOf(RESOURCE_KINDS.statusCredentials),
  ),
} as const satisfies Record<string, List<unknown>>;

/** The pages of all lists. */
export class Lists {
  constructor(
    private readonly parts: {
      tree: ResourceTree;
      sources: ListSources;
      limits: PageLimits;
    },
  ) {}

  /**
   * Returns a page of what the target contains. Errors come in the order target, parameters. The list of
   * all resources shows the children of a service to those callers only who may use the service's own list.
   * @throws DomainError `Forbidden`, `NotFound`, `BadRequest`
   */
  async page<T>(list: List<T>, request: ListRequest): Promise<T[]> {
    const { tree } = this.parts;
    const { target } = request;
    const { type } = await tree.resource(target, list.serviceType && [list.serviceType]);
    return this.#page(list, request, type);
  }

  /** As `page`, or the one child of this kind that is at the target. @throws DomainError as `page` */
  async pageOrElement<T, C extends object>(
    list: List<T>,
    kind: ResourceKind<C>,
    request: ListRequest,
  ): Promise<T[] | TreeResource<C>> {
    const { tree } = this.parts;
    const { target } = request;
    const own = await tree.lookUp(target);
    if (own && own.type !== list.serviceType) throw nothingAt(target);
    if (own) return this.#page(list, request, own.type);
    const element = await tree.child(kind, target);
    await this.#query(list, request);
    return element;
  }

  async #page<T>(list: List<T>, request: ListRequest, type: string): Promise<T[]> {
    const { action, serviceType } = list;
    const { rights, target } = request;
    const own = serviceType === undefined ? childrenOf(type)?.list : undefined;
    const actions = own === undefined ? [action] : [action, own];
    if (own !== undefined) requireAction(rights, own, target);
    const { page, filter } = await this.#query(list, request);
    const query = { ...page, parent: target, type, hidden: hidden(rights, actions, target) };
    return list.source(this.parts.sources, query, filter);
  }

  #query<T>({ sortable, filter }: List<T>, { query }: PageRequest) {
    return query((texts) => ({
      page: readPage(texts, { ...this.parts.limits, sortable }),
      filter: filter?.(texts),
    }));
  }
}

/** The children that the caller may not see for lack of any of the actions. */
function hidden(rights: Rights, actions: readonly Action[], parent: Target): Hidden {
  const each = actions.map((action) => hiddenBelow(rights, action, parent));
  const names = each.flatMap((one) => (one === 'all' ? [] : [...one]));
  return each.includes('all') ? 'all' : new Set(names);
}
