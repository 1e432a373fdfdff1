import type { DidCreator } from '../../dids/did-creator.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import { at, invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { type ImportedDid, importedDid } from '../../holdings/imported-did.ts';
import { nameOf, parentOf, type Target } from '../access/targets.ts';
import { dependenciesOf } from '../tree/resource-content.ts';
import type { DidContent } from '../tree/resource-kinds.ts';
import type { TreeResource } from '../tree/resource-repository.ts';
import { refusePrivateKeys } from '../tree/secrets.ts';
import { SERVICE_TYPES } from '../tree/service-types.ts';
import { type ChildRequest, createChild, replaceChild, type ServiceParts } from './child-creation.ts';
import { dependencyKey } from './dependency-keys.ts';
import type { KeyManagementServices } from './kms.ts';

const { children } = SERVICE_TYPES['did-store'];

/** A DID to create for a key. */
interface NewStoredDid {
  method: string;
  /** The target of a key in a key management service that the store depends on. */
  key: Target;
  /** The options of the method. */
  config?: JsonObject;
}

/** DID stores: services of the type `did-store`. */
export class DidStores {
  constructor(private readonly parts: ServiceParts & { kms: KeyManagementServices; didCreator: DidCreator }) {}

  /**
   * Stores a DID; the document is optional for did:key and did:jwk. The default name is the digest of the DID, so that
   * a store contains it once. @throws DomainError `BadRequest`, `Forbidden`, `NotFound`, `Conflict`
   */
  addDid(request: ChildRequest, did: ImportedDid): Promise<TreeResource<DidContent>> {
    const create = (target: Target): Promise<TreeResource<DidContent>> => {
      const content = importedDid(did);
      refusePrivateKeys({ document: content.document });
      return this.parts.tree.add(children.kind, target, { content });
    };
    return createChild(this.parts, { ...request, children, defaultName: () => fingerprint(did.did), create });
  }

  /**
   * Creates the DID of a key, and stores it as `addDid` does.
   * @throws DomainError `BadRequest` naming `method`, `key` or the member of `config`, `Forbidden`, `NotFound`, `Conflict`
   */
  async createDid(request: ChildRequest, { method, key, config }: NewStoredDid): Promise<TreeResource<DidContent>> {
    const { tree, kms, didCreator } = this.parts;
    const child = await tree.resolveNewTarget(children.kind, request.target, () => 'new');
    const store = await tree.resource(parentOf(child));
    const service = { target: store._id, dependencies: dependenciesOf(store) };
    const reference = await at(['key'], () => dependencyKey(tree, service, key));
    const prepared = didCreator.prepare({ method, keyType: reference.keyType, config });
    const created = await prepared({
      publicJwk: reference.publicJwk,
      signer: () => kms.signer(parentOf(key), nameOf(key)),
    });
    const content = { ...created, key };
    const create = (target: Target) => tree.add(children.kind, target, { content });
    return createChild(this.parts, { ...request, children, defaultName: () => fingerprint(content.did), create });
  }

  /** Replaces the document of a DID. @throws DomainError `BadRequest`, `Forbidden`, `NotFound` */
  replaceDid(request: ChildRequest, did: ImportedDid): Promise<TreeResource<DidContent>> {
    const read = async (before: DidContent) => {
      if (before.did !== did.did) throw invalidField(['did'], 'must be the DID of this entry');
      const content = importedDid(did);
      refusePrivateKeys({ document: content.document });
      return { content };
    };
    return replaceChild(this.parts, request, { children, read });
  }
}
