import type { CredentialContent } from '../tree/resource-kinds.ts';
import { refusePrivateKeys } from '../tree/secrets.ts';
import { SERVICE_TYPES } from '../tree/service-types.ts';
import { ChildStore, type ServiceParts } from './child-creation.ts';

/** Credential stores: services of the type `credential-store`. Credentials are stored unchanged. */
export class CredentialStores extends ChildStore<CredentialContent, CredentialContent> {
  constructor(parts: ServiceParts) {
    super(parts, SERVICE_TYPES['credential-store'].children);
  }

  protected read({ credential }: CredentialContent) {
    refusePrivateKeys({ credential });
    return { content: { credential } };
  }
}
