import type { Target } from '../access/targets.ts';
import type { CredentialContent } from '../tree/resource-kinds.ts';
import type { TreeResource } from '../tree/resource-repository.ts';
import { refusePrivateKeys } from '../tree/secrets.ts';
import { SERVICE_TYPES } from '../tree/service-types.ts';
import { ChildStore, type ServiceParts } from './child-creation.ts';

/** Credential stores: services of the type `credential-store`. Credentials are stored unchanged. */
export class CredentialStores extends ChildStore<CredentialContent, CredentialContent> {
  constructor(
    parts: ServiceParts,
    /** As of `Resources`: what a wallet received is gone when another credential is in its place. */
    private readonly credentialGone: (target: Target) => void,
  ) {
    super(parts, SERVICE_TYPES['credential-store'].children);
  }

  override async replace(target: Target, written: CredentialContent): Promise<TreeResource<CredentialContent>> {
    const replaced = await super.replace(target, written);
    this.credentialGone(target);
    return replaced;
  }

  protected read({ credential }: CredentialContent) {
    refusePrivateKeys({ credential });
    return { content: { credential } };
  }
}
