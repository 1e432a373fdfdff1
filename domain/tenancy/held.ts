import type { KeyReference, KeyType } from '../../ports/key-service.ts';
import type { Ids } from '../../ports/system.ts';
import { fingerprint } from '../bytes.ts';
import { DomainError, invalidField, isDomainError } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { didDocument, keyInDid } from '../keys/dids.ts';
import type { KeyRequest, KeyRing } from '../keys/key-ring.ts';
import { type Access, requireAction } from './access.ts';
import {
  CREDENTIALS,
  type CredentialContent,
  DIDS,
  type DidContent,
  KEYS,
  type KeyContent,
  type Kind,
} from './collections.ts';
import type { Element } from './elements.ts';
import { privateKeyIn, withoutSecrets } from './secrets.ts';
import type { Target } from './targets.ts';
import type { Tree } from './tree.ts';

/** A key that is to be made. */
export interface NewEnterpriseKey {
  backend?: string;
  keyType?: KeyType;
  config?: JsonObject;
}

/** What the services for keys, DIDs and credentials are asked to hold. */
export class Held {
  readonly #access: Access;
  readonly #tree: Tree;
  readonly #keys: KeyRing;
  readonly #ids: Ids;

  constructor(access: Access, tree: Tree, keys: KeyRing, ids: Ids) {
    this.#access = access;
    this.#tree = tree;
    this.#keys = keys;
    this.#ids = ids;
  }

  /** Makes a key; what can be refused is refused before. @throws DomainError `BadRequest`, `Forbidden`, `NotFound`, `Conflict` */
  async generateKey(caller: string, at: Target, request: NewEnterpriseKey): Promise<Element<KeyContent>> {
    const { backend = 'jwk', keyType = 'Ed25519', config } = request;
    const target = await this.#place(caller, { kind: KEYS, at, action: 'key-create' }, () => this.#ids.uuid());
    if (!(await this.#tree.isFree(KEYS, target))) throw new DomainError('Conflict', `${target} exists already`);
    const reference = await this.#create(backend, { keyType, config });
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

  /** The key ring names fields as onboarding has them, below `key`; here they are at the top of the body. */
  async #create(backend: string, request: KeyRequest): Promise<KeyReference> {
    try {
      return await this.#keys.create(backend, request);
    } catch (error) {
      if (!isDomainError(error) || !error.details) throw error;
      const up = (text: string): string => text.replaceAll('/body/key/', '/body/');
      const details = error.details.map(({ path, message }) => ({ path: up(path), message }));
      throw new DomainError(error.code, up(error.message), { cause: error, details });
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
  ): Promise<Element<DidContent>> {
    const target = await this.#place(caller, { kind: DIDS, at, action: 'did-create' }, () => fingerprint(did));
    const content = { did, document: document ?? spelledOut(did) };
    if (content.document.id !== did) throw invalidField('/body/document/id', 'must be the DID');
    refusePrivateKeys(content.document, '/body/document');
    return this.#tree.add(DIDS, target, { content });
  }

  /** Keeps a credential. @throws DomainError `BadRequest`, `Forbidden`, `NotFound`, `Conflict` */
  async addCredential(caller: string, at: Target, content: CredentialContent): Promise<Element<CredentialContent>> {
    const action = 'credential-create';
    const target = await this.#place(caller, { kind: CREDENTIALS, at, action }, () => this.#ids.uuid());
    refusePrivateKeys(content.credential, '/body/credential');
    return this.#tree.add(CREDENTIALS, target, { content: { credential: content.credential } });
  }

  /** Permission is needed where the caller points at and, when that is the service, at the new thing below it. */
  async #place<C extends object, S>(
    caller: string,
    { kind, at, action }: { kind: Kind<C, S>; at: Target; action: string },
    name: () => string,
  ): Promise<Target> {
    const rights = await this.#access.require(caller, [action], at);
    const target = await this.#tree.place(kind, at, name);
    requireAction(rights, action, target);
    return target;
  }
}

function spelledOut(did: string): JsonObject {
  if (!/^did:(jwk|key):/.test(did)) throw invalidField('/body/document', 'is required for a DID of this method');
  try {
    return didDocument(did, keyInDid(did));
  } catch {
    throw invalidField('/body/did', 'holds no readable key');
  }
}

function refusePrivateKeys(value: JsonObject, path: string): void {
  const found = privateKeyIn(value);
  if (found !== undefined) throw invalidField(`${path}${found}`, 'is private key material, which does not belong here');
}
