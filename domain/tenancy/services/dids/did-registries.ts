import type { Clock } from '../../../../ports/system.ts';
import { DomainError } from '../../../foundation/errors.ts';
import type { JsonObject } from '../../../foundation/json.ts';
import { TimedCache } from '../../../foundation/timed-cache.ts';
import type { Target } from '../../access/targets.ts';
import { dependenciesOf } from '../../tree/resource-content.ts';
import { type DidContent, RESOURCE_KINDS } from '../../tree/resource-kinds.ts';
import type { ResourceRepository } from '../../tree/resource-repository.ts';
import type { ResourceTree } from '../../tree/resource-tree.ts';
import type { DidNames } from './did-names.ts';
import type { DidPlaces } from './did-places.ts';

const TYPE = 'did-registry';

/** How long an instance may work with the stores of a domain that it read, and the memory of them. */
const TTL_MS = 2000;
const TARGET_BYTES = 256;
/** The most resources directly below the target of a domain among which registries are looked for. */
const MOST_BELOW = 1000;

/** DID registries: services of the type `did-registry`, which publish the documents of the did:web of DID stores. */
export class DidRegistries {
  /** The DID stores of the registries of a domain, by the target of the domain. */
  readonly #storesOf: TimedCache<readonly Target[]>;

  constructor(
    private readonly parts: {
      tree: ResourceTree;
      repository: ResourceRepository;
      names: DidNames;
      places: DidPlaces;
      clock: Clock;
    },
  ) {
    const load = async (target: Target) => {
      const value = await this.#registryStores(target);
      return { value, ttlMs: TTL_MS, bytes: TARGET_BYTES * (value.length + 1) };
    };
    this.#storesOf = new TimedCache({ name: 'did-registries', load, failureTtlMs: 0, clock: parts.clock });
  }

  /** The document at a path below a registry. @throws DomainError `NotFound`, `Gone` for a deactivated one */
  async atPath(registry: Target, asked: { id: string; host: string }): Promise<JsonObject> {
    const { tree, places } = this.parts;
    const stores = dependenciesOf(await tree.resource(registry, [TYPE]));
    for (const did of await places.askedAt(registry, asked)) {
      const found = await this.#find(stores, did);
      if (found) return documentOf(found);
    }
    throw nothing();
  }

  /** The document at a path on a domain of a tenant. @throws DomainError `NotFound`, `Gone` for a deactivated one */
  async onDomain(host: string, segments: readonly string[]): Promise<JsonObject> {
    const asked = await this.parts.places.askedOn(host, segments);
    const found = asked && (await this.#find(await this.#storesOf.get(asked.target), asked.did));
    if (!found) throw nothing();
    return documentOf(found);
  }

  /** The newest entry of a DID in the stores. */
  async #find(stores: readonly Target[], did: string): Promise<DidContent | undefined> {
    const found = await Promise.all(stores.map((store) => this.parts.names.find(store, did)));
    return found.reduce<DidContent | undefined>((best, entry) => (entry ? newer(best, entry) : best), undefined);
  }

  async #registryStores(target: Target): Promise<readonly Target[]> {
    const { tree, repository } = this.parts;
    const here = await tree.lookUp(target);
    const query = { parent: target, order: 'id', offset: 0, limit: MOST_BELOW, hidden: new Set<string>() } as const;
    const near = here?.type === TYPE ? [here] : await repository.page(RESOURCE_KINDS.resources, query);
    return [...new Set(near.filter(({ type }) => type === TYPE).flatMap(dependenciesOf))];
  }
}

/** A DID that is deactivated anywhere is; else the entry that was changed more often counts. */
function newer(best: DidContent | undefined, entry: DidContent): DidContent {
  if (!best || entry.deactivatedDateTime !== undefined) return entry;
  if (best.deactivatedDateTime !== undefined) return best;
  return (entry.version ?? 0) > (best.version ?? 0) ? entry : best;
}

/** @throws DomainError `Gone`, `NotFound` for a document that is of another DID */
function documentOf({ did, document, deactivatedDateTime }: DidContent): JsonObject {
  if (deactivatedDateTime !== undefined) throw new DomainError('Gone', 'The DID is deactivated');
  if (document.id !== did) throw nothing();
  return document;
}

const nothing = (): DomainError => new DomainError('NotFound', 'No DID is published here');
