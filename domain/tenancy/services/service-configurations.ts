import type { Store } from '../../../ports/store.ts';
import { fingerprint } from '../../foundation/bytes.ts';
import {
  asConflict,
  at,
  DomainError,
  fieldErrors,
  ignoring,
  invalidField,
  isDomainError,
  replacing,
} from '../../foundation/errors.ts';
import { type JointLeaseParts, JointLeases } from '../../foundation/joint-leases.ts';
import { isSameJson, type JsonObject } from '../../foundation/json.ts';
import { retried } from '../../foundation/records.ts';
import { requireAction } from '../access/access.ts';
import { allows, type Rights } from '../access/permissions.ts';
import { childOf, nothingAt, parentOf, type Target } from '../access/targets.ts';
import { DependencyRules, membersNaming, namedDependencies } from '../tree/dependencies.ts';
import { dependenciesOf, type ResourceContent, shownResource } from '../tree/resource-content.ts';
import type { Resource, ResourceTree, ServiceState } from '../tree/resource-tree.ts';
import { hasApi, type ServiceType, type ServiceTypeName, servedType } from '../tree/service-types.ts';
import type { ServiceConnections, ServiceParts } from './service-connections.ts';
import { ownMembers } from './tenant-issuer-configuration.ts';
import type { TenantService } from './tenant-services.ts';

/** A service with a configuration that is not stored yet. */
export type ServiceDraft = Pick<TenantService, 'target' | 'type' | 'config' | 'dependencies'>;

/** Checks by type of service whether one can work. @throws DomainError `BadRequest` naming a member of its configuration */
type ServiceChecks = Partial<Record<ServiceType, (draft: ServiceDraft) => Promise<void>>>;

/** The configuration of a service, as callers write it. */
export type WrittenConfiguration = { type: ServiceTypeName; dependencies?: readonly Target[] } & JsonObject;

type TypedConfiguration = WrittenConfiguration & { type: ServiceType };

/** The configurations of several services by their names, in the order of their creation. */
export type WrittenServices = Readonly<Record<string, WrittenConfiguration>>;

/** Which service is changed, and what the caller may do. */
interface ServiceRequest {
  rights: Rights;
  target: Target;
  /** The API by which the service is called, where that is not the one of all services. */
  api?: string;
}

/** What one call creates, together. */
interface JointCreation<R> {
  names: string[];
  /** Equal for calls that do the same. */
  what: unknown;
  work(isHeld: () => Promise<boolean>): Promise<R>;
}

interface ServiceChange {
  parts: ServiceParts;
  dependencies: readonly Target[];
}

/** Creates services, and changes their configuration and what they depend on. */
export class ServiceConfigurations {
  readonly #rules: DependencyRules;
  readonly #creations: JointLeases;

  constructor(
    private readonly parts: JointLeaseParts & {
      store: Store;
      tree: ResourceTree;
      connections: ServiceConnections;
      checks: ServiceChecks;
      /** Remove what belongs to a service without being a resource. */
      cleanUps: readonly ((target: Target) => Promise<void>)[];
    },
  ) {
    const spec = { name: 'service-creations', afterRestore: 'void' } as const;
    this.#creations = new JointLeases(parts.store.collection(spec), parts);
    this.#rules = new DependencyRules(parts.tree);
  }

  /**
   * Creates a service. Of its configuration only settings that are known to contain no secret are shown.
   * @throws DomainError `BadRequest` naming the member that cannot work, `Forbidden`, `NotFound` without an organization
   * or tenant above, `Conflict`
   */
  async create({ rights, target }: ServiceRequest, written: WrittenConfiguration): Promise<Resource> {
    const { tree, connections } = this.parts;
    requireAction(rights, 'service-create', target);
    await tree.resource(parentOf(target), ['organization', 'tenant']);
    const draft = await this.#read(rights, target, withType(written));
    return connections.add(target, partsOf(draft), draft.dependencies);
  }

  /**
   * Creates services below an organization or a tenant, in the given order; when one cannot be created, those that this call
   * created are removed again. A service that exists exactly as described is taken as it is: a call that was cut off can
   * be repeated.
   * @throws DomainError as `create`, its fields below the name of the service; `Conflict` naming what differs; `Busy` while
   * another call creates one of the names and is not the same
   */
  async createAll(request: ServiceRequest & { caller: string }, services: WrittenServices): Promise<Resource[]> {
    const { caller, target } = request;
    const names = Object.keys(services);
    const work = (isHeld: () => Promise<boolean>) => this.#createAll(request, services, isHeld);
    return this.together(target, { names, what: [caller, services], work });
  }

  /**
   * Creates what has these names below a target, while no other call does something else with one of them; `isHeld` says
   * whether that is still so. @throws DomainError `Busy`, and what `work` throws
   */
  together<R>(target: Target, { names, what, work }: JointCreation<R>): Promise<R> {
    return this.#creations.run({ id: target, claim: { work: fingerprint(JSON.stringify(what)), names }, work });
  }

  /** The service at a target, if there is one, for those who create it. @throws DomainError `Forbidden`, `Conflict` for others */
  async find(request: ServiceRequest): Promise<Resource | undefined> {
    return (await this.#kept(request))?.resource;
  }

  async #createAll(
    { rights, target }: ServiceRequest,
    services: WrittenServices,
    isHeld: () => Promise<boolean>,
  ): Promise<Resource[]> {
    const [all, created]: [Resource[], Target[]] = [[], []];
    try {
      for (const [name, written] of Object.entries(services)) {
        const request = { rights, target: childOf(target, name) };
        const made = await at([name], () => this.#createOrTake(request, written));
        if (made.isNew) created.push(request.target);
        all.push(made.service);
      }
      return all;
    } catch (error) {
      // After a failure of the store the same call goes on, perhaps at this moment. What another request uses already stays.
      if (!isDomainError(error, 'StoreUnavailable') && (await isHeld()))
        for (const one of created.reverse()) await this.#remove(one).catch(() => undefined);
      throw error;
    }
  }

  /** Removes a service, or completes its removal. @throws DomainError as `ResourceTree.remove` */
  async #remove(target: Target): Promise<void> {
    const clear = async () => {
      for (const cleanUp of this.parts.cleanUps) await cleanUp(target);
    };
    await this.parts.tree.remove(target, { clear, mayName: () => false });
  }

  /**
   * Replaces the configuration of a service with its dependencies, but for what operations of its own write in it.
   * @throws DomainError `BadRequest` naming the member that cannot work, `Forbidden`, `NotFound`, `Conflict` when another
   * service of a needed type is missing
   */
  async update({ rights, target }: ServiceRequest, body: WrittenConfiguration): Promise<Resource> {
    const written = withType(body);
    return this.#change(target, async (before) => {
      if (before.resource.type !== written.type)
        throw invalidField(['type'], `cannot change: the service is one of the type ${before.resource.type}`);
      const whole = { ...written, ...ownMembers(before.secret).own };
      const draft = await this.#read(rights, target, whole, dependenciesOf(before.resource));
      await this.#rules.requireNeeds(draft, dependenciesOf(before.resource), draft.dependencies);
      return { parts: partsOf(draft), dependencies: draft.dependencies };
    });
  }

  /**
   * Changes what operations of a service's own write in its configuration. `change` is repeated on the present configuration
   * when another request changed it meanwhile. @throws DomainError as the check of the type, and what `change` throws
   */
  async amend(target: Target, change: (config: JsonObject) => JsonObject): Promise<void> {
    await this.#change(target, async (before) => {
      const unchanged = draftOf(before, dependenciesOf(before.resource));
      const draft = { ...unchanged, config: change(before.secret) };
      await this.parts.checks[draft.type]?.(draft);
      return { parts: partsOf(draft), dependencies: draft.dependencies };
    });
  }

  /** The targets that a service depends on. @throws DomainError `Forbidden`, `NotFound` */
  async dependencies({ target, api }: Omit<ServiceRequest, 'rights'>): Promise<readonly Target[]> {
    const { resource } = await this.parts.tree.serviceState(target);
    requireApi(resource, api);
    return dependenciesOf(resource);
  }

  /**
   * Makes a service depend on another. Returns all that it depends on, or for callers who may not view it this one.
   * @throws DomainError `BadRequest`, `Forbidden`, `NotFound`, `Conflict` when it does
   */
  async addDependency({ rights, target, api }: ServiceRequest, dependency: Target): Promise<readonly Target[]> {
    const named = { target: dependency, path: [] };
    const changed = await this.#change(target, async (before) => {
      requireApi(before.resource, api);
      const present = dependenciesOf(before.resource);
      if (present.includes(dependency)) throw new DomainError('Conflict', `${target} depends on ${dependency} already`);
      await this.#rules.check(rights, { target, type: before.resource.type }, named);
      const draft = draftOf(before, [...present, dependency]);
      return { parts: { content: contentOf(draft) }, dependencies: draft.dependencies };
    });
    return shownDependencies(rights, changed, [dependency]);
  }

  /**
   * Makes a service no longer depend on another. Returns what it still depends on, nothing to callers who may not view it.
   * @throws DomainError `Forbidden`, `NotFound` when it does not, `Conflict` when its configuration needs that one
   */
  async removeDependency({ rights, target }: ServiceRequest, dependency: Target): Promise<readonly Target[]> {
    const changed = await this.#change(target, async (before) => {
      const present = dependenciesOf(before.resource);
      if (!present.includes(dependency)) throw nothingAt(dependency);
      const draft = draftOf(
        before,
        present.filter((one) => one !== dependency),
      );
      const [member] = membersNaming(draft.type, draft.config, dependency);
      if (member !== undefined)
        throw new DomainError('Conflict', `The member ${member} of the configuration names ${dependency}`);
      await this.#rules.requireNeeds(draft, present, draft.dependencies);
      await this.parts.checks[draft.type]?.(draft).catch(asConflict);
      return { parts: { content: contentOf(draft) }, dependencies: draft.dependencies };
    });
    return shownDependencies(rights, changed, []);
  }

  /** The service at the target: the one that exists exactly as described, or a new one. @throws as `create`, `#existing` */
  async #createOrTake(
    request: ServiceRequest,
    written: WrittenConfiguration,
  ): Promise<{ service: Resource; isNew: boolean }> {
    const known = await this.#existing(request, written);
    if (known) return { service: known, isNew: false };
    try {
      return { service: await this.create(request, written), isNew: true };
    } catch (error) {
      // The same call, at the same time, was faster.
      const other = isDomainError(error, 'Conflict') ? await this.#existing(request, written) : undefined;
      if (other) return { service: other, isNew: false };
      throw error;
    }
  }

  /** The service at the target, if there is one. A removal that was decided is completed: its request may have been cut off. */
  async #kept({ rights, target }: ServiceRequest): Promise<ServiceState | undefined> {
    const { tree } = this.parts;
    if (!(await tree.lookUp(target))) return undefined;
    requireAction(rights, 'service-create', target);
    if (!(await tree.isKept(target))) {
      // Another request may have completed the removal.
      await this.#remove(target).catch(ignoring('NotFound'));
      return undefined;
    }
    // The answer says what exists, which is for those who may view it.
    if (!allows(rights, 'resource-view', target)) throw taken(target);
    // What is at the target may be no service, or was removed meanwhile.
    return tree.serviceState(target).catch(replacing('NotFound', () => taken(target)));
  }

  /** @throws DomainError as `find`, `Conflict` naming the members in which the service differs */
  async #existing(request: ServiceRequest, written: WrittenConfiguration): Promise<Resource | undefined> {
    const kept = await this.#kept(request);
    if (!kept) return undefined;
    const { resource, secret: config } = kept;
    const { dependencies: _, ...wanted } = withType(written);
    const before = {
      ...ownMembers(config).written,
      type: resource.type,
      dependencies: [...dependenciesOf(resource)].sort(),
    };
    const after = {
      ...wanted,
      dependencies: namedDependencies(written)
        .map((one) => one.target)
        .sort(),
    };
    const differing = differingMembers(before, after);
    if (differing.length === 0) return resource;
    const details = differing.map((name) => ({ path: [name], message: 'differs from the service that exists' }));
    throw fieldErrors(details, { code: 'Conflict' });
  }

  async #read(
    rights: Rights,
    target: Target,
    { dependencies, ...config }: TypedConfiguration,
    present: readonly Target[] = [],
  ): Promise<ServiceDraft> {
    const all = namedDependencies({ ...config, dependencies });
    const named = all.filter((one) => !present.includes(one.target));
    for (const one of named) await this.#rules.check(rights, { target, type: config.type }, one);
    const draft = { target, type: config.type, config, dependencies: all.map((one) => one.target) };
    await this.parts.checks[draft.type]?.(draft);
    return draft;
  }

  /** Repeats a change on the present state when another request changed the service meanwhile. */
  #change(target: Target, next: (before: ServiceState) => Promise<ServiceChange>): Promise<Resource> {
    return retried(async () => {
      const before = await this.parts.tree.serviceState(target);
      const { parts, dependencies } = await next(before);
      return this.parts.connections.change(before, parts, dependencies);
    });
  }
}

/** The dependencies of a service, for callers who may view it; `own` for those who may only change it. */
const shownDependencies = (rights: Rights, service: Resource, own: readonly Target[]): readonly Target[] =>
  allows(rights, 'resource-view', service._id) ? dependenciesOf(service) : own;

/** A configuration of a type that is served. @throws DomainError `BadRequest` naming `type` when it is not served */
const withType = ({ type, ...written }: WrittenConfiguration): TypedConfiguration => ({
  ...written,
  type: servedType(type),
});

/** The members that two objects do not have in common, in order. */
const differingMembers = (one: JsonObject, other: JsonObject): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((name) => !isSameJson(one[name], other[name]))
    .sort();

const taken = (target: Target): DomainError => new DomainError('Conflict', `${target} exists already`);

/** @throws DomainError `NotFound` when a service is called by the API of another type */
function requireApi({ _id: target, type }: Resource, api: string | undefined): void {
  if (api !== undefined && !hasApi(type, api)) throw nothingAt(target);
}

const draftOf = ({ resource, secret: config }: ServiceState, dependencies: readonly Target[]): ServiceDraft => ({
  target: resource._id,
  type: resource.type as ServiceType,
  config,
  dependencies,
});

const contentOf = ({ type, config, dependencies }: ServiceDraft): ResourceContent & JsonObject =>
  shownResource({ traversable: true, ...config, type, dependencies });

const partsOf = (draft: ServiceDraft): ServiceParts => ({ content: contentOf(draft), secret: draft.config });
