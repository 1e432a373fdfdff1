import type { KeyReference, PublicJwk } from '../../../../ports/key-service.ts';
import { methodIdOf } from '../../../dids/did-document.ts';
import { containsKey, didJwk, publicKeyOfDid, verificationMethod } from '../../../dids/did-methods.ts';
import { at, DomainError, invalidField, isDomainError } from '../../../foundation/errors.ts';
import { isObject } from '../../../foundation/json.ts';
import type { HolderChoice, SigningDid } from '../../../holdings/dids.ts';
import type { HolderDids } from '../../../holdings/holder.ts';
import { thumbprint } from '../../../jose/jwk.ts';
import type { KeyBackends } from '../../../keys/key-backends.ts';
import type { Target } from '../../access/targets.ts';
import { RESOURCE_KINDS } from '../../tree/resource-kinds.ts';
import type { ResourceRepository } from '../../tree/resource-repository.ts';
import type { ResourceTree } from '../../tree/resource-tree.ts';
import { dependencyKey } from '../dependency-keys.ts';
import { allChildren } from '../stored-children.ts';
import type { TenantService, TenantServices } from '../tenant-services.ts';
import { isDidOf, type StaticKey, staticKeyOf, type WalletConfiguration } from './wallet-configuration.ts';

export interface WalletDidParts {
  tree: ResourceTree;
  repository: ResourceRepository;
  services: Pick<TenantServices, 'dependenciesOf'>;
  keys: KeyBackends;
}

/** A DID of a store that the wallet depends on. */
interface LinkedDid {
  did: string;
  document: Record<string, unknown>;
  target: Target;
  /** The target of its key. */
  key?: Target;
}

/** The DIDs and keys that a wallet of a tenant signs with, during one call: those of the services that it depends on. */
export class WalletDids implements HolderDids {
  #linked: Promise<LinkedDid[]> | undefined;

  constructor(
    private readonly parts: WalletDidParts,
    private readonly service: Pick<TenantService, 'target' | 'config' | 'dependencies'>,
  ) {}

  async list(): Promise<{ did: string; keyId: string }[]> {
    return (await this.#dids()).flatMap(({ did, document }) => {
      const keyId = keyIdIn(document);
      return keyId === undefined ? [] : [{ did, keyId }];
    });
  }

  async has(_owner: string, did: string): Promise<boolean> {
    return (await this.#dids()).some((one) => one.did === did);
  }

  /**
   * The DID of the choice, by its name or its target, or of the key of the choice; else the first of `preferred` that the
   * wallet has a key of, else the configured one, else the first DID of the stores, else the did:jwk of the first key.
   * @throws DomainError `BadRequest` naming `keyId` or `did`, `Conflict` when there is no key
   */
  async signingDid(_owner: string, choice: HolderChoice = {}, preferred: string[] = []): Promise<SigningDid> {
    const { did, keyId, key } = choice;
    if (key) return this.#ofKey({ reference: key, wanted: did });
    if (keyId !== undefined) return this.#ofKey({ reference: await this.#named(keyId), key: keyId, wanted: did });
    if (did) return this.#required(did);
    for (const one of preferred) {
      const found = await this.#find(one);
      if (found) return found;
    }
    const { defaultKeyId, defaultDidId } = this.#configuration;
    const fixed = await this.#static();
    if (fixed) return signing(this.parts, fixed.did, fixed.reference);
    if (defaultDidId !== undefined) return this.#required(defaultDidId);
    if (defaultKeyId !== undefined)
      return this.#ofKey({ reference: await this.#named(defaultKeyId), key: defaultKeyId });
    return this.#first();
  }

  get #configuration(): WalletConfiguration {
    return this.service.config as WalletConfiguration;
  }

  #static(): Promise<StaticKey | undefined> {
    return staticKeyOf(this.#configuration, this.parts.keys);
  }

  #dids(): Promise<LinkedDid[]> {
    this.#linked ??= this.#read();
    return this.#linked;
  }

  async #read(): Promise<LinkedDid[]> {
    const stores = await this.parts.services.dependenciesOf(this.service, 'did-store');
    const each = await Promise.all(
      stores.map((store) => allChildren(this.parts.repository, RESOURCE_KINDS.dids, store)),
    );
    const usable = each.flat().filter(({ deactivatedDateTime }) => deactivatedDateTime === undefined);
    return usable.map(({ _id: target, did, document, key }) => ({ target, did, document, key }));
  }

  async #required(name: string): Promise<SigningDid> {
    const found = await this.#find(name);
    if (found) return found;
    throw invalidField(['did'], `the wallet has no key of ${name.slice(0, 200)}`);
  }

  /** The DID of a name: a DID, or a target. */
  async #find(name: string): Promise<SigningDid | undefined> {
    const linked = (await this.#dids()).find(({ did, target }) => did === name || target === name);
    const ofKey = linked?.key === undefined ? undefined : await this.#reference(linked.key).catch(unlessMissing);
    if (linked && ofKey) return signing(this.parts, linked.did, ofKey, linked.document);
    const did = linked?.did ?? name;
    const id = linked ? keyIdIn(linked.document) : containedKey(did);
    if (id === undefined) return undefined;
    const fixed = await this.#static();
    if (fixed && thumbprint(fixed.reference.publicJwk) === id) return signing(this.parts, did, fixed.reference);
    const reference = await this.#keyWith(id);
    return reference && signing(this.parts, did, reference, linked?.document);
  }

  #named(key: Target): Promise<KeyReference> {
    return at(['keyId'], () => this.#reference(key));
  }

  /** The DID of a key: the one that is wanted, else one of a store, else its did:jwk. */
  async #ofKey({ reference, key, wanted }: { reference: KeyReference; key?: Target; wanted?: string | null }) {
    const id = thumbprint(reference.publicJwk);
    const own = (await this.#dids()).filter((one) => (one.key ?? '') === key || keyIdIn(one.document) === id);
    const stored = own.find(({ did, target }) => !wanted || did === wanted || target === wanted);
    if (stored) return signing(this.parts, stored.did, reference, stored.document);
    if (wanted && !isDidOf(wanted, id)) throw invalidField(['did'], 'is a DID of another key');
    return signing(this.parts, wanted || didJwk(reference.publicJwk), reference);
  }

  async #first(): Promise<SigningDid> {
    for (const { did, key } of await this.#dids()) {
      const found = key === undefined ? undefined : await this.#find(did);
      if (found) return found;
    }
    for await (const key of this.#keyTargets()) return this.#ofKey({ reference: await this.#reference(key), key });
    throw new DomainError('Conflict', `${this.service.target} has no key: add a kms with one as a dependency`);
  }

  /** The key with a thumbprint, in the services that the wallet depends on. */
  async #keyWith(id: string): Promise<KeyReference | undefined> {
    for await (const key of this.#keyTargets()) {
      const reference = await this.#reference(key).catch(unlessMissing);
      if (reference && thumbprint(reference.publicJwk) === id) return reference;
    }
    return undefined;
  }

  async *#keyTargets(): AsyncGenerator<Target> {
    for (const kms of await this.parts.services.dependenciesOf(this.service, 'kms'))
      for (const { _id: key } of await allChildren(this.parts.repository, RESOURCE_KINDS.keys, kms)) yield key;
  }

  #reference(key: Target): Promise<KeyReference> {
    return dependencyKey(this.parts.tree, this.service, key);
  }
}

const signing = (
  { keys }: Pick<WalletDidParts, 'keys'>,
  did: string,
  reference: KeyReference,
  document?: Record<string, unknown>,
): SigningDid => {
  const { publicJwk } = reference;
  const listed = document && methodIdOf(document, did, publicJwk);
  const kid = listed ?? verificationMethod(did, publicJwk);
  return { did, kid, signer: keys.signer(reference) };
};

const containedKey = (did: string): string | undefined =>
  containsKey(did) ? thumbprint(publicKeyOfDid(did)) : undefined;

/** The thumbprint of the first key of a document. */
function keyIdIn({ id, verificationMethod: methods }: Record<string, unknown>): string | undefined {
  const [first] = Array.isArray(methods) ? methods : [];
  if (isObject(first) && isObject(first.publicKeyJwk)) return thumbprint(first.publicKeyJwk as unknown as PublicJwk);
  return typeof id === 'string' ? containedKey(id) : undefined;
}

/** A key that was removed, or is of no service that the wallet depends on, is none of the wallet. */
function unlessMissing(error: unknown): undefined {
  if (!isDomainError(error, 'BadRequest') && !isDomainError(error, 'Conflict')) throw error;
}
