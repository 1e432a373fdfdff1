import type { KeyType } from '../../ports/key-service.ts';
import type { Ids } from '../../ports/system.ts';
import { didDocument, publicKeyOfDid } from '../dids/did-methods.ts';
import { fingerprint } from '../foundation/bytes.ts';
import { DomainError, invalidField, isDomainError } from '../foundation/errors.ts';
import type { JsonObject } from '../foundation/json.ts';
import type { KeyBackends } from '../keys/key-backends.ts';
import { type Access, requireAction } from './access.ts';
import {
  CREDENTIALS,
  type CredentialContent,
  DIDS,
  type DidContent,
  KEYS,
  type KeyContent,
  type ResourceKind,
} from './resource-kinds.ts';
import type { TreeResource } from './resource-repository.ts';
import type { ResourceTree } from './resource-tree.ts';
import { privateKeyIn, withoutSecrets } from './secrets.ts';
import type { Target } from './targets.ts';

/** A key that is to be made. */
export interface NewEnterpriseKey {
  backend?: string;
  keyType?: KeyType;
  config?: JsonObject;
}

/** What the services for keys, DIDs and credentials are asked to hold. */
export class Held {
  readonly #access: Access;
  readonly #tree: ResourceTree;
  readonly #keys: KeyBackends;
  readonly #ids: Ids;

  constructor(access: Access, tree: ResourceTree, keys: KeyBackends, ids: Ids) {
    this.#access = access;
    this.#tree = tree;
    this.#keys = keys;
    this.#ids = ids;
  }

  /** Makes a key; what can be refused is refused before. @throws DomainError `BadRequest`, `Forbidden`, `NotFound`, `Conflict` */
  async generateKey(caller: string, parent: Target, request: NewEnterpriseKey): Promise<TreeResource<KeyContent>> {
    const { backend = 'jwk', keyType = 'Ed25519', config } = request;
    const target = await this.#place(caller, { kind: KEYS, at: parent, action: 'key-create' }, () => this.#ids.uuid());
    if (!(await this.#tree.isFree(KEYS, target))) throw new DomainError('Conflict', `${target} exists already`);
    const reference = await this.#keys.create(backend, { keyType, config });
    const key = { ...withoutSecrets(this.#keys.write(reference, backend)), type: backend };
    try {
      return await this.#tree.add(KEYS, target, { content: { type: 'key', key }, secret: reference });
    } catch (error) {
      // After a failure of the store the key may have been written; then it stays where it is.
      const lost = isDomainError(error, 'Conflict') || isDomainError(error, 'NotFound');
      if (lost || (await this.#tree.isFree(KEYS, target).catch(() => false)))
        await this.#keys.remove(reference).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Keeps a DID; the document of one that spells its key out may be left out. Without a name of its own it goes by its
   * digest, so that a store has it once. @throws DomainError `BadRequest`, `Forbidden`, `NotFound`, `Conflict`
   */
  async addDid(
    caller: string,
    at: Target,
    { did, document }: { did: string; document?: JsonObject },
  ): Promise<TreeResource<DidContent>> {
    const target = await this.#place(caller, { kind: DIDS, at, action: 'did-create' }, () => fingerprint(did));
    const content = { did, document: document ?? spelledOut(did) };
    if (content.document.id !== did) throw invalidField(['document', 'id'], 'must be the DID');
    refusePrivateKeys({ document: content.document });
    return this.#tree.add(DIDS, target, { content });
  }

  /** Keeps a credential. @throws DomainError `BadRequest`, `Forbidden`, `NotFound`, `Conflict` */
  async addCredential(
    caller: string,
    at: Target,
    content: CredentialContent,
  ): Promise<TreeResource<CredentialContent>> {
    const action = 'credential-create';
    const target = await this.#place(caller, { kind: CREDENTIALS, at, action }, () => this.#ids.uuid());
    refusePrivateKeys({ credential: content.credential });
    return this.#tree.add(CREDENTIALS, target, { content: { credential: content.credential } });
  }

  /** Permission is needed where the caller points at and, when that is the service, at the new thing below it. */
  async #place<C extends object, S>(
    caller: string,
    { kind, at, action }: { kind: ResourceKind<C, S>; at: Target; action: string },
    name: () => string,
  ): Promise<Target> {
    const rights = await this.#access.require(caller, [action], at);
    const target = await this.#tree.resolveNewTarget(kind, at, name);
    requireAction(rights, action, target);
    return target;
  }
}

function spelledOut(did: string): JsonObject {
  if (!/^did:(jwk|key):/.test(did)) throw invalidField(['document'], 'is required for a DID of this method');
  try {
    return didDocument(did, publicKeyOfDid(did));
  } catch {
    throw invalidField(['did'], 'holds no readable key');
  }
}

function refusePrivateKeys(value: JsonObject): void {
  const found = privateKeyIn(value);
  if (found !== undefined) throw invalidField(found, 'is private key material, which does not belong here');
}
