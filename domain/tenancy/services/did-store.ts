import { fingerprint } from '../../foundation/bytes.ts';
import { type ImportedDid, importedDid } from '../../holdings/imported-did.ts';
import type { DidContent } from '../resource-kinds.ts';
import type { TreeResource } from '../resource-repository.ts';
import { refusePrivateKeys } from '../secrets.ts';
import { SERVICE_TYPES } from '../service-types.ts';
import type { Target } from '../targets.ts';
import { type ChildRequest, createChild, type ServiceParts } from './child-creation.ts';

const { children } = SERVICE_TYPES['did-store'];

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
  addDid(request: ChildRequest, did: ImportedDid): Promise<TreeResource<DidContent>> {
    const create = (target: Target): Promise<TreeResource<DidContent>> => {
      const content = importedDid(did);
      refusePrivateKeys({ document: content.document });
      return this.#parts.tree.add(children.kind, target, { content });
    };
    return createChild(this.#parts, { ...request, children, defaultName: () => fingerprint(did.did), create });
  }
}
