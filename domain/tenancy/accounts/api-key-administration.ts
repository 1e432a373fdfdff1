import type { Clock } from '../../../ports/system.ts';
import { invalidField } from '../../foundation/errors.ts';
import { parseIso } from '../../foundation/time.ts';
import { type PageLimits, readPage } from '../../limits/pagination.ts';
import type { Access } from '../access/access.ts';
import type { ApiKeyRights, ApiKeys, ApiKeyView } from '../access/api-keys.ts';
import { canDelegate, type Grant, type Rights, type RoleReference } from '../access/permissions.ts';
import type { Principals } from '../access/principals.ts';
import { nothingAt, type Target } from '../access/targets.ts';
import type { PageRequest } from '../tree/list-requests.ts';
import type { ResourceTree } from '../tree/resource-tree.ts';
import { checkGrants } from './roles.ts';

/** An API key that a caller asks for, with either a role or permissions. */
interface ApiKeyRequest {
  name: string;
  role?: Target;
  permissions?: Grant[];
  expiresDateTime?: string;
}

/** A created key; `key` is shown once. */
interface CreatedApiKey extends ApiKeyView {
  key: string;
}

/** The API keys of organizations, tenants and services: creating one requires every right that it grants. */
export class ApiKeyAdministration {
  constructor(
    private readonly parts: {
      access: Access;
      principals: Principals;
      tree: ResourceTree;
      apiKeys: ApiKeys;
      limits: PageLimits;
      clock: Clock;
    },
  ) {}

  /** @throws DomainError `BadRequest` naming the field, `Forbidden`, `NotFound` */
  async create(caller: string, target: Target, request: ApiKeyRequest): Promise<CreatedApiKey> {
    const { access, tree, apiKeys } = this.parts;
    const rights = await access.requireFullControl(caller, target);
    await tree.resource(target);
    const given = await this.#rightsOf(request, rights);
    const expiresAt = this.#expiry(request.expiresDateTime);
    const { key, view } = await apiKeys.create({ target, name: request.name, ...given, expiresAt });
    await tree.confirm(target, async () => {
      await apiKeys.remove(target, view._id);
    });
    return { ...view, key };
  }

  async #rightsOf({ role, permissions }: ApiKeyRequest, rights: Rights): Promise<ApiKeyRights> {
    if ((role === undefined) === (permissions === undefined))
      throw invalidField(['role'], 'give a role or permissions, one of the two');
    if (role !== undefined) return { role: await assignableRole(this.parts.principals, role, rights) };
    checkGrants(rights, permissions ?? []);
    return { permissions };
  }

  #expiry(text: string | undefined): number | undefined {
    if (text === undefined) return undefined;
    const expiresAt = parseIso(text);
    if (expiresAt === undefined || expiresAt <= this.parts.clock.now())
      throw invalidField(['expiresDateTime'], 'must be an instant in the future');
    return expiresAt;
  }

  /** @throws DomainError `BadRequest`, `NotFound` */
  async page({ target, query }: PageRequest): Promise<ApiKeyView[]> {
    const { tree, apiKeys, limits } = this.parts;
    await tree.resource(target);
    const page = await query((texts) => readPage(texts, { ...limits, sortable: false }));
    return apiKeys.page({ ...page, parent: target });
  }

  /** Ends a key on every instance at once. @throws DomainError `NotFound` */
  async revoke(target: Target, id: string): Promise<void> {
    if (!(await this.parts.apiKeys.remove(target, id))) throw nothingAt(target);
  }
}

/** A role that callers with these rights may give. @throws DomainError `BadRequest` naming `role`, the same when it does not exist */
export async function assignableRole(principals: Principals, target: Target, rights: Rights): Promise<RoleReference> {
  const role = canDelegate(rights, target) ? await principals.role(target) : undefined;
  if (!role?.permissions.every((grant) => canDelegate(rights, grant.target)))
    throw invalidField(['role'], 'is not a role that you may give');
  return { target, uid: role.uid };
}
