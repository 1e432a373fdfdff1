import type { KeyReference } from '../../../ports/key-service.ts';
import { DomainError, isDomainError } from '../../foundation/errors.ts';
import type { OwnIdentity, OwnKeys, OwnSigner } from '../../issuer/credential-issuer.ts';
import type { KeyBackends } from '../../keys/key-backends.ts';
import type { ServiceKeyPurpose, ServiceKeys } from '../../keys/service-keys.ts';
import { parentOf, type Target } from '../access/targets.ts';
import { type DidContent, RESOURCE_KINDS } from '../tree/resource-kinds.ts';
import type { ResourceRepository, TreeResource } from '../tree/resource-repository.ts';
import type { ResourceTree } from '../tree/resource-tree.ts';
import { dependencyKey, requireDependency } from './dependency-keys.ts';
import type { TenantService, TenantServices } from './tenant-services.ts';

/** The most DIDs of a store among which that of an issuer is looked for. */
const MOST_DIDS = 100;

export interface TenantIssuerKeyParts {
  tree: ResourceTree;
  repository: Pick<ResourceRepository, 'page'>;
  services: Pick<TenantServices, 'firstDependency'>;
  serviceKeys: ServiceKeys;
  keys: KeyBackends;
}

type Dependent = Pick<TenantService, 'target' | 'dependencies'>;

/** The keys of an issuer of a tenant, read when they are used: those that its configuration names, or its own. */
export function tenantIssuerKeys(parts: TenantIssuerKeyParts, service: TenantService): OwnKeys {
  const { keys, tree, serviceKeys } = parts;
  const reference = async (name: unknown, purpose: ServiceKeyPurpose): Promise<KeyReference> =>
    typeof name === 'string'
      ? dependencyKey(tree, service, name).catch(asMissing(name))
      : serviceKeys.reference(service.uid, purpose);
  return {
    signer: async () => keys.signer(await reference(service.config.tokenKeyId, 'service-issuer')),
    reference: (name) => reference(name, 'service-profiles'),
    identified: (signer, needsDid) => identified(parts, service, { signer, needsDid }),
  };
}

/**
 * The DID at a target, which is one of a DID store that a service depends on.
 * @throws DomainError `Conflict`, `BadRequest`, as `requireDependency`, `NotFound`
 */
export async function dependencyDid(tree: ResourceTree, service: Dependent, name: Target): Promise<DidContent> {
  await requireDependency(tree, service, { target: parentOf(name), type: 'did-store' });
  return tree.child(RESOURCE_KINDS.dids, name);
}

async function identified(
  parts: TenantIssuerKeyParts,
  service: TenantService,
  { signer, needsDid }: { signer: OwnSigner; needsDid: boolean },
): Promise<OwnIdentity> {
  const { issuerKey, issuerDid } = signer;
  if (issuerDid === undefined ? !needsDid : issuerDid.startsWith('did:')) return signer;
  const found =
    issuerDid === undefined
      ? await ofStore(parts, service, issuerKey)
      : await dependencyDid(parts.tree, service, issuerDid).catch(asMissing(issuerDid));
  if (!found) return signer;
  if (found.deactivatedDateTime !== undefined) throw new DomainError('Conflict', `${found.did} is deactivated`);
  if (issuerKey === undefined && found.key === undefined)
    throw new DomainError('Conflict', `${found.did} was not created for a key of a kms: name the key that signs`);
  const key = issuerKey ?? found.key;
  return { issuerKey: key, issuerDid: found.did, isOfKey: found.key === key };
}

/** The DID of a key in the first DID store, or the only one that the store has. */
async function ofStore(
  { services, repository }: TenantIssuerKeyParts,
  service: Dependent,
  key: Target | undefined,
): Promise<DidContent | undefined> {
  const store = await services.firstDependency(service, 'did-store');
  if (store === undefined) return undefined;
  const query = { parent: store, order: 'id', offset: 0, limit: MOST_DIDS + 1, hidden: new Set<string>() } as const;
  const all: TreeResource<DidContent>[] = await repository.page(RESOURCE_KINDS.dids, query);
  const usable = all.filter(({ deactivatedDateTime }) => deactivatedDateTime === undefined);
  const own = key === undefined ? [] : usable.filter((one) => one.key === key);
  const [did, ...others] = own.length > 0 ? own : usable;
  if (did && others.length === 0 && all.length <= MOST_DIDS) return did;
  throw new DomainError(
    'Conflict',
    did ? `${store} has several DIDs: name that of the issuer` : `${store} has no DID for the issuer`,
  );
}

/** What an accepted configuration names does not exist any more. */
const asMissing =
  (name: Target) =>
  (cause: unknown): never => {
    if (!isDomainError(cause, 'BadRequest') && !isDomainError(cause, 'NotFound')) throw cause;
    throw new DomainError('Conflict', `${name} does not exist any more, or its service is no dependency`, { cause });
  };
