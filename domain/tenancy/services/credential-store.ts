import type { Target } from '../access/targets.ts';
import type { CredentialContent } from '../tree/resource-kinds.ts';
import type { TreeResource } from '../tree/resource-repository.ts';
import { refusePrivateKeys } from '../tree/secrets.ts';
import { SERVICE_TYPES } from '../tree/service-types.ts';
import { type ChildRequest, createChild, replaceChild, type ServiceParts } from './child-creation.ts';

const { children } = SERVICE_TYPES['credential-store'];

/** Credential stores: services of the type `credential-store`. */
export class CredentialStores {
  constructor(private readonly parts: ServiceParts) {}

  /** Stores a credential unchanged. @throws DomainError `BadRequest`, `Forbidden`, `NotFound`, `Conflict` */
  addCredential(request: ChildRequest, { credential }: CredentialContent): Promise<TreeResource<CredentialContent>> {
    const create = (target: Target): Promise<TreeResource<CredentialContent>> => {
      refusePrivateKeys({ credential });
      return this.parts.tree.add(children.kind, target, { content: { credential } });
    };
    return createChild(this.parts, { ...request, children, create });
  }

  /** Replaces a credential. @throws DomainError `BadRequest`, `Forbidden`, `NotFound` */
  replaceCredential(
    request: ChildRequest,
    { credential }: CredentialContent,
  ): Promise<TreeResource<CredentialContent>> {
    const read = async () => {
      refusePrivateKeys({ credential });
      return { content: { credential } };
    };
    return replaceChild(this.parts, request, { children, read });
  }
}
