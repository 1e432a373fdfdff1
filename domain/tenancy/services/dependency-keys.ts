import type { KeyReference } from '../../../ports/key-service.ts';
import { DomainError, ignoring, invalidField } from '../../foundation/errors.ts';
import { parentOf, type Target } from '../access/targets.ts';
import { RESOURCE_KINDS } from '../tree/resource-kinds.ts';
import type { ResourceTree } from '../tree/resource-tree.ts';
import type { ServiceType } from '../tree/service-types.ts';
import type { TenantService } from './tenant-services.ts';

/**
 * Requires that a service depends on another one, of a type.
 * @throws DomainError `Conflict` when it depends on none of the type, `BadRequest` when `target` is another one
 */
export async function requireDependency(
  tree: Pick<ResourceTree, 'resource'>,
  service: Pick<TenantService, 'target' | 'dependencies'>,
  { target, type }: { target: Target; type: ServiceType },
): Promise<void> {
  const found = await Promise.all(
    service.dependencies.map((one) => tree.resource(one, [type]).then(({ _id }) => _id, ignoring('NotFound'))),
  );
  const usable = found.filter((one) => one !== undefined);
  if (usable.length === 0)
    throw new DomainError('Conflict', `${service.target} needs a service of the type ${type}: add it as a dependency`);
  if (!usable.includes(target))
    throw invalidField([], `must lie in a service of the type ${type} that ${service.target} depends on`);
}

/**
 * Returns the key at a target, which is one of a key management service that a service depends on.
 * @throws DomainError `Conflict`, `BadRequest`, as `requireDependency`
 */
export async function dependencyKey(
  tree: Pick<ResourceTree, 'resource' | 'secret'>,
  service: Pick<TenantService, 'target' | 'dependencies'>,
  kid: Target,
): Promise<KeyReference> {
  await requireDependency(tree, service, { target: parentOf(kid), type: 'kms' });
  const key = await tree.secret(RESOURCE_KINDS.keys, kid).catch(ignoring('NotFound'));
  if (!key) throw invalidField([], 'is no key of that service');
  return key;
}

/**
 * Returns the certificate at a target, PEM, which is one of a certificate store that a service depends on.
 * @throws DomainError `Conflict`, `BadRequest`, as `requireDependency`
 */
export async function dependencyCertificate(
  tree: Pick<ResourceTree, 'resource' | 'child'>,
  service: Pick<TenantService, 'target' | 'dependencies'>,
  target: Target,
): Promise<string> {
  await requireDependency(tree, service, { target: parentOf(target), type: 'x509-store' });
  const found = await tree.child(RESOURCE_KINDS.certificates, target).catch(ignoring('NotFound'));
  if (!found) throw invalidField([], 'is no certificate of that store');
  return found.data.pem;
}
