import type { CredentialContent } from '../resource-kinds.ts';
import type { TreeResource } from '../resource-repository.ts';
import { refusePrivateKeys } from '../secrets.ts';
import { SERVICE_TYPES } from '../service-types.ts';
import { type ChildRequest, newChild, type ServiceParts } from './new-child.ts';

/** Credential stores: services of the type `credential-store`. */
export class CredentialStores {
  readonly #parts: ServiceParts;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
  }

  /** Stores a credential unchanged. @throws DomainError `BadRequest`, `Forbidden`, `NotFound`, `Conflict` */
  async addCredential(
    request: ChildRequest,
    { credential }: CredentialContent,
  ): Promise<TreeResource<CredentialContent>> {
    const { children } = SERVICE_TYPES['credential-store'];
    const child = await newChild(this.#parts, { ...request, children, defaultName: () => this.#parts.ids.uuid() });
    refusePrivateKeys({ credential });
    return child.add({ content: { credential } });
  }
}
