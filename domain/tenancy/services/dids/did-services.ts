import type { Clock } from '../../../../ports/system.ts';
import type { CreatedDid } from '../../../dids/did-creation.ts';
import type { DidCreator } from '../../../dids/did-creator.ts';
import { keySetDocument, rotatedDocument } from '../../../dids/did-key-sets.ts';
import { at, DomainError, fieldErrors, ignoring, invalidField, isDomainError } from '../../../foundation/errors.ts';
import { isSameJson, isText, type JsonObject } from '../../../foundation/json.ts';
import { isoMillis } from '../../../foundation/time.ts';
import { allows, type Rights } from '../../access/permissions.ts';
import { childOf, nameOf, parentOf, type Target } from '../../access/targets.ts';
import { type DidContent, RESOURCE_KINDS } from '../../tree/resource-kinds.ts';
import type { TreeResource } from '../../tree/resource-repository.ts';
import type { ResourceTree } from '../../tree/resource-tree.ts';
import { dependencyKey } from '../dependency-keys.ts';
import type { KeyManagementServices } from '../kms.ts';
import type { TenantService, TenantServices, TenantUrls } from '../tenant-services.ts';
import { DidNames } from './did-names.ts';
import type { DidPlaces } from './did-places.ts';
import { readKeys, type WrittenKeys } from './written-keys.ts';

const { dids: DIDS } = RESOURCE_KINDS;

/** A DID to create. */
interface NewServiceDid extends WrittenKeys {
  useJwkJcsPub?: boolean;
  domain?: string;
  path?: string;
  didId?: string;
}

/** The methods, and the members that each takes besides its key. */
type Method = 'key' | 'jwk' | 'web';
const MEMBERS: Readonly<Record<Method, readonly (keyof NewServiceDid)[]>> = {
  key: ['useJwkJcsPub'],
  jwk: [],
  web: ['type', 'keyIdSet', 'verificationKeyIdSetConfiguration', 'domain', 'path'],
};
const OF_EVERY_METHOD = ['keyId', 'didId'] as const;

/** DID services: of the type `did-service`, which create DIDs, give them other keys, and deactivate them. */
export class DidServices {
  constructor(
    private readonly parts: {
      tree: ResourceTree;
      services: TenantServices;
      urls: TenantUrls;
      kms: KeyManagementServices;
      didCreator: DidCreator;
      names: DidNames;
      places: DidPlaces;
      clock: Clock;
    },
  ) {}

  /**
   * Creates a DID and stores it in all DID stores that the service depends on, or in none.
   * @throws DomainError `BadRequest` naming the member, `NotFound`, `Conflict` when a store has it, or the service has no
   * store or key management service
   */
  async create(target: Target, method: Method, written: NewServiceDid): Promise<CreatedDid> {
    const { service, stores } = await this.#service(target);
    requireMembers(method, written);
    const { keys, signing } = await readKeys(written, (key) => dependencyKey(this.parts.tree, service, key));
    const config = await this.#config({ target, method, stores }, written);
    const { keyType, publicJwk } = signing.reference;
    const prepared = at({ config: [] }, () => this.parts.didCreator.prepare({ method, keyType, config }));
    const signer = () => this.parts.kms.signer(parentOf(signing.target), nameOf(signing.target));
    const created = await prepared({ publicJwk, signer });
    const document = method === 'web' ? keySetDocument(created.did, keys) : created.document;
    const content = { did: created.did, document, key: signing.target };
    await this.#storeAll(stores, written.didId ?? DidNames.defaultName(created.did), content);
    return { did: created.did, document };
  }

  /**
   * Gives a did:web other keys; earlier ones stay as those that may have signed. The document is for callers who may list.
   * @throws DomainError `BadRequest` naming the member, `NotFound`, `Conflict` for a deactivated one, or one with too many keys
   */
  async rotate(
    { rights, target }: { rights: Rights; target: Target },
    { did, remove = [], ...written }: WrittenKeys & { did: string; remove?: readonly string[] },
  ): Promise<{ did: string; document?: JsonObject }> {
    const { service, stores } = await this.#service(target);
    const entries = await this.#entries(stores, did);
    const { keys, signing } = await readKeys(written, (key) => dependencyKey(this.parts.tree, service, key));
    const { document } = await this.#changeAll(entries, (before) => {
      if (before.deactivatedDateTime !== undefined) throw new DomainError('Conflict', `${did} is deactivated`);
      return { document: rotatedDocument(before.document, did, { keys, remove }), key: signing.target };
    });
    return { did, ...(entries.some(({ _id }) => allows(rights, 'did-list', _id)) && { document }) };
  }

  /** Deactivates a did:web for good. @throws DomainError `BadRequest` naming `did`, `NotFound`, `Conflict` without a store */
  async deactivate(target: Target, did: string): Promise<{ did: string; deactivatedDateTime: string }> {
    const { stores } = await this.#service(target);
    const now = isoMillis(this.parts.clock.now());
    const { deactivatedDateTime = now } = await this.#changeAll(
      await this.#entries(stores, did),
      ({ deactivatedDateTime = now }) => ({ deactivatedDateTime }),
    );
    return { did, deactivatedDateTime };
  }

  /** The service with its DID stores, in the same order for every service that has the same. */
  async #service(target: Target): Promise<{ service: TenantService; stores: readonly Target[] }> {
    const { services } = this.parts;
    const service = await services.at(target, 'did-service');
    await services.dependency(service, 'did-store');
    return { service, stores: [...(await services.dependenciesOf(service, 'did-store'))].sort() };
  }

  /** The options of the method. */
  async #config(
    { target, method, stores }: { target: Target; method: Method; stores: readonly Target[] },
    { useJwkJcsPub, domain, path }: NewServiceDid,
  ): Promise<JsonObject> {
    if (method !== 'web') return { useJwkJcsPub };
    const place = { domain: (domain ?? new URL(await this.parts.urls.baseUrlOf(target)).host).toLowerCase(), path };
    await this.parts.places.requireServed(place, stores);
    return place;
  }

  /** The entries of a did:web in the stores. @throws DomainError `BadRequest` naming `did` when there is none */
  async #entries(stores: readonly Target[], did: string): Promise<TreeResource<DidContent>[]> {
    const found = await Promise.all(stores.map((store) => this.parts.names.find(store, did)));
    const entries = found.flatMap((entry) => entry ?? []);
    if (entries.length > 0) return entries;
    throw invalidField(['did'], 'is in no DID store that the service depends on');
  }

  /**
   * Stores an entry in all stores. The call that writes the last of them has created the DID; a call that was cut off before is
   * completed by the same call.
   */
  async #storeAll(stores: readonly Target[], name: string, content: DidContent): Promise<void> {
    const { tree, names } = this.parts;
    const targets = stores.map((store) => childOf(store, name));
    const last = targets.at(-1);
    const taken = await Promise.all([
      ...stores.slice(-1).map((store) => names.find(store, content.did)),
      ...targets.slice(-1).map((target) => this.#at(target)),
    ]);
    if (taken.some(Boolean)) throw exists(content.did);
    const made: Target[] = [];
    try {
      for (const target of targets) {
        if (isSameEntry(await this.#at(target), content)) continue;
        await names.note(target, content.did);
        await tree.add(DIDS, target, { content });
        made.push(target);
      }
    } catch (error) {
      // Another request that does the same has completed it, or will: it counts on what is there.
      const isDone =
        isDomainError(error, 'Conflict') && last !== undefined && isSameEntry(await this.#at(last), content);
      if (!isDone && !isDomainError(error, 'StoreUnavailable'))
        for (const target of made.reverse()) await this.#remove(target).catch(() => undefined);
      throw isDomainError(error, 'Conflict') ? exists(content.did, error) : error;
    }
    if (made.at(-1) !== last) throw exists(content.did);
  }

  #at(target: Target): Promise<TreeResource<DidContent> | undefined> {
    return this.parts.tree.child(DIDS, target).catch(ignoring('NotFound'));
  }

  async #remove(target: Target): Promise<void> {
    const clear = () => this.parts.names.forget(target);
    await this.parts.tree.remove(target, { kind: DIDS, clear, mayName: () => false });
  }

  /** Changes the first entry, and copies what it is now to those that are behind. Returns the first. */
  async #changeAll(
    [first, ...others]: readonly TreeResource<DidContent>[],
    change: (before: DidContent) => Partial<DidContent>,
  ): Promise<DidContent> {
    const { tree } = this.parts;
    if (!first) throw new DomainError('NotFound', 'There is no entry');
    const changed = await tree.rework(DIDS, first._id, (entry) => {
      const before = contentOf(entry);
      const after = { ...before, ...change(before) };
      const version = (before.version ?? 0) + (isSameJson(before, after) ? 0 : 1);
      return { content: { ...after, ...(version > 0 && { version }) } };
    });
    const content = contentOf(changed);
    for (const { _id: target } of others)
      await tree
        .rework(DIDS, target, (entry) => ({
          content: (entry.version ?? 0) >= (content.version ?? 0) ? contentOf(entry) : content,
        }))
        .catch(ignoring('NotFound'));
    return content;
  }
}

/** @throws DomainError `BadRequest` naming the members that the method does not take */
function requireMembers(method: Method, written: NewServiceDid): void {
  const known: readonly string[] = [...OF_EVERY_METHOD, ...MEMBERS[method]];
  const wrong = Object.keys(written).filter((name) => !known.includes(name));
  if (wrong.length > 0)
    throw fieldErrors(wrong.map((name) => ({ path: [name], message: `did:${method} does not take it` })));
}

const exists = (did: string, cause?: unknown): DomainError =>
  new DomainError('Conflict', `A DID store has ${did.slice(0, 200)} already, or another entry under its name`, {
    cause,
  });

const isSameEntry = (entry: TreeResource<DidContent> | undefined, { did, document, key }: DidContent): boolean =>
  entry !== undefined && isText(entry.did) && isSameJson({ ...contentOf(entry) }, { did, document, key });

/** The content of an entry. */
const contentOf = ({ did, document, key, version, deactivatedDateTime }: DidContent): DidContent => ({
  did,
  document,
  ...(key !== undefined && { key }),
  ...(version && { version }),
  ...(deactivatedDateTime !== undefined && { deactivatedDateTime }),
});
