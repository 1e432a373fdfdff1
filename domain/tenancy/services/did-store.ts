import type { DidCreator } from '../../dids/did-creator.ts';
import { at, DomainError, invalidField } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { type ImportedDid, importedDid } from '../../holdings/imported-did.ts';
import { nameOf, parentOf, type Target } from '../access/targets.ts';
import { dependenciesOf } from '../tree/resource-content.ts';
import type { DidContent } from '../tree/resource-kinds.ts';
import type { TreeResource } from '../tree/resource-repository.ts';
import { refusePrivateKeys } from '../tree/secrets.ts';
import { SERVICE_TYPES } from '../tree/service-types.ts';
import { type ChildRequest, ChildStore, createChild, type ServiceParts } from './child-creation.ts';
import { dependencyKey } from './dependency-keys.ts';
import { DidNames } from './dids/did-names.ts';
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

/**
 * DID stores: services of the type `did-store`. The document of a DID is optional for did:key and did:jwk; a stored one can get
 * another document. The default name is the digest of the DID, so that a store contains it once.
 */
export class DidStores extends ChildStore<ImportedDid, DidContent> {
  constructor(
    private readonly parts: ServiceParts & { kms: KeyManagementServices; didCreator: DidCreator; names: DidNames },
  ) {
    super(parts, children);
  }

  /**
   * Creates the DID of a key, and stores it as `add` does.
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
    const create = (target: Target) => this.addChild(target, { content });
    return createChild(this.parts, { ...request, children, defaultName: () => this.defaultName(content), create });
  }

  protected override defaultName({ did }: ImportedDid): string {
    return DidNames.defaultName(did);
  }

  /** A DID that the store has as deactivated is not stored again under another name. */
  protected override async addChild(
    target: Target,
    stored: { content: DidContent },
  ): Promise<TreeResource<DidContent>> {
    const { names } = this.parts;
    const known = await names.find(parentOf(target), stored.content.did);
    if (known?.deactivatedDateTime !== undefined) throw isDeactivated(known);
    await names.note(target, stored.content.did);
    return super.addChild(target, stored);
  }

  protected read(did: ImportedDid, _: Target, before?: DidContent) {
    if (before && before.did !== did.did) throw invalidField(['did'], 'must be the DID of this entry');
    if (before?.deactivatedDateTime !== undefined) throw isDeactivated(before);
    const content = importedDid(did);
    refusePrivateKeys({ document: content.document });
    return { content: { ...content, ...(before?.version && { version: before.version + 1 }) } };
  }
}

const isDeactivated = ({ did }: DidContent): DomainError =>
  new DomainError('Conflict', `${did.slice(0, 200)} is deactivated, for good`);
