import { fingerprint } from '../../foundation/bytes.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { importedDid } from '../../holdings/dids.ts';
import type { DidContent } from '../resource-kinds.ts';
import type { TreeResource } from '../resource-repository.ts';
import { refusePrivateKeys } from '../secrets.ts';
import { SERVICE_TYPES } from '../service-types.ts';
import { type ChildRequest, newChild, type ServiceParts } from './new-child.ts';

/** DID stores: services of the type `did-store`. */
export class DidStores {
  readonly #parts: ServiceParts;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
  }

  /**
   * Stores a DID; the document is optional for did:key and did:jwk. The default name is the digest of the DID, so that
   * a store contains it once. @throws DomainError `BadRequest`, `Forbidden`, `NotFound`, `Conflict`
   */
  async addDid(request: ChildRequest, did: { did: string; document?: JsonObject }): Promise<TreeResource<DidContent>> {
    const { children } = SERVICE_TYPES['did-store'];
    const child = await newChild(this.#parts, { ...request, children, defaultName: () => fingerprint(did.did) });
    const content = importedDid(did);
    refusePrivateKeys({ document: content.document });
    return child.add({ content });
  }
}
