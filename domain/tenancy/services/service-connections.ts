import { DomainError, isDomainError } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { Target } from '../access/targets.ts';
import type { DependencyLink } from '../tree/dependency-links.ts';
import { dependenciesOf, type ResourceContent } from '../tree/resource-content.ts';
import { RESOURCE_KINDS } from '../tree/resource-kinds.ts';
import type { ResourceParts, ResourceRepository } from '../tree/resource-repository.ts';
import type { Resource, ResourceTree, ServiceState } from '../tree/resource-tree.ts';

/** What a service is stored with: without a secret it keeps the one that it has. */
export type ServiceParts = Pick<ResourceParts<ResourceContent & JsonObject, JsonObject>, 'content' | 'secret'>;

const { resources: RESOURCES } = RESOURCE_KINDS;

/** Writes services together with what they depend on, so that no removed service is depended on. */
export class ServiceConnections {
  constructor(
    private readonly repository: ResourceRepository,
    private readonly tree: Pick<ResourceTree, 'add'>,
  ) {}

  /**
   * Adds a service with the services that it depends on, unless one of these is removed at the same time.
   * @throws DomainError as `ResourceTree.add`, `Conflict`
   */
  async add(target: Target, parts: ServiceParts, dependencies: readonly Target[]): Promise<Resource> {
    const { links } = this.repository;
    const added = await links.add(target, dependencies);
    try {
      const resource = await this.tree.add(RESOURCES, target, { ...parts, links: added });
      await this.#confirmUsed(target, added).catch(async (error: unknown) => {
        await this.repository.withdraw(RESOURCES, target);
        throw error;
      });
      return resource;
    } catch (error) {
      // After a failure of the store the service may have been written; then its entries must stay.
      if (isDomainError(error, 'StoreUnavailable')) throw error;
      await links.remove(added);
      throw error;
    }
  }

  /**
   * Rewrites a service, as `add` adds one; undefined when it was changed after `before`.
   * @throws DomainError `Conflict`; the service is as before then
   */
  async change(
    before: ServiceState,
    { content, secret }: ServiceParts,
    dependencies: readonly Target[],
  ): Promise<Resource | undefined> {
    const { _id: target } = before.resource;
    const { links } = this.repository;
    const kept = before.links.filter((link) => dependencies.includes(link.target));
    const added = await links.add(
      target,
      dependencies.filter((one) => !kept.some((link) => link.target === one)),
    );
    const parts = { content, secret, links: [...kept, ...added] };
    const after = await this.repository.rewrite(RESOURCES, before, parts);
    if (!after) {
      await links.remove(added);
      return undefined;
    }
    try {
      await this.#confirmUsed(target, added);
    } catch (error) {
      if (!(await this.repository.restore(RESOURCES, before, after))) await this.#disconnect(target, added);
      await links.remove(added);
      throw error;
    }
    await this.repository.settle(RESOURCES, before, after);
    await links.remove(before.links.filter((link) => !kept.includes(link)));
    return after.resource;
  }

  /** Takes links back from a service that was changed since they were added. */
  async #disconnect(target: Target, added: readonly DependencyLink[]): Promise<void> {
    const left = new Set(added.map(({ id }) => id));
    for (let written = false; !written; ) {
      const state = await this.repository.state(RESOURCES, target);
      const gone = state?.links.filter(({ id }) => left.has(id)).map((link) => link.target) ?? [];
      if (!state || gone.length === 0) return;
      const dependencies = dependenciesOf(state.resource).filter((one) => !gone.includes(one));
      const content = { ...state.record.value.content, dependencies };
      const links = state.links.filter(({ id }) => !left.has(id));
      written = (await this.repository.rewrite(RESOURCES, state, { content, links })) !== undefined;
    }
  }

  /** Confirms that none of the services that another now depends on is being removed. */
  async #confirmUsed(target: Target, added: readonly DependencyLink[]): Promise<void> {
    // A later change of the service may have removed the link, and then also what it led to.
    for (const link of added)
      if (!(await this.#isUsable(link)) && (await this.repository.hasLink(target, link.id)))
        throw new DomainError('Conflict', `${link.target} was removed or is being removed`);
  }

  async #isUsable(link: DependencyLink): Promise<boolean> {
    return (await this.repository.isKept(RESOURCES, link.target)) && (await this.repository.links.has(link));
  }
}
