import { DomainError, ignoring } from '../../foundation/errors.ts';
import type { JsonObject } from '../../foundation/json.ts';
import { nothingAt, type Target } from '../access/targets.ts';
import { dependenciesOf } from '../tree/resource-content.ts';
import type { ResourceTree } from '../tree/resource-tree.ts';
import type { ServiceType } from '../tree/service-types.ts';

/** A service of a tenant. */
export interface TenantService {
  target: Target;
  /** Unique: one that is created later at the same target has another, and inherits nothing. */
  uid: string;
  type: ServiceType;
  /** Everything that it was created with, secrets too. */
  config: JsonObject;
  /** The services that it uses. */
  dependencies: readonly Target[];
  /** When it was changed last; what is made from its configuration is good until then. */
  updatedDateTime: string;
}

/** What the records of a service are stored under: another one for a service that is created later at the same target. */
export const ownerOf = ({ target, uid }: Pick<TenantService, 'target' | 'uid'>): string => `${target}#${uid}`;

/** A service whose configuration was not read yet. */
interface FoundService {
  uid: string;
  /** Another one after each change, and for another service at the same target. */
  state: string;
  /** @throws DomainError `NotFound` when the service was removed meanwhile */
  read(): Promise<TenantService>;
}

/** The public URL of what is below a target, without a trailing slash. */
export interface TenantUrls {
  baseUrlOf(target: Target): Promise<string>;
}

/** Reads the services of tenants, for those who call them and for other services. */
export class TenantServices {
  constructor(
    private readonly parts: {
      tree: ResourceTree;
    },
  ) {}

  /** The service at a target. @throws DomainError `NotFound` */
  async at(target: Target, type: ServiceType): Promise<TenantService> {
    return (await this.found(target, type)).read();
  }

  /** As `at`, but the configuration is read only when it is asked for. @throws DomainError `NotFound` */
  async found(target: Target, type: ServiceType): Promise<FoundService> {
    const { resource, uid, revision, secret } = await this.parts.tree.service(target, [type]);
    const { updatedDateTime } = resource;
    const read = async (): Promise<TenantService> => {
      const config = await secret();
      // It was changed or removed between the two reads.
      if (config === undefined) return this.#current(target, type);
      return { target, uid, type, config, dependencies: dependenciesOf(resource), updatedDateTime };
    };
    return { uid, state: `${uid} ${revision}`, read };
  }

  async #current(target: Target, type: ServiceType): Promise<TenantService> {
    const { resource, uid, secret: config } = await this.parts.tree.serviceState(target);
    if (resource.type !== type) throw nothingAt(target);
    return {
      target,
      uid,
      type,
      config,
      dependencies: dependenciesOf(resource),
      updatedDateTime: resource.updatedDateTime,
    };
  }

  /** The first dependency of a type, if there is one. */
  async firstDependency(
    { dependencies }: Pick<TenantService, 'dependencies'>,
    type: ServiceType,
  ): Promise<Target | undefined> {
    for (const target of dependencies) if (await this.#isOf(target, type)) return target;
    return undefined;
  }

  /** The dependencies of a type. */
  async dependenciesOf(
    { dependencies }: Pick<TenantService, 'dependencies'>,
    type: ServiceType,
  ): Promise<readonly Target[]> {
    const isOf = await Promise.all(dependencies.map((target) => this.#isOf(target, type)));
    return dependencies.filter((_, index) => isOf[index]);
  }

  async #isOf(target: Target, type: ServiceType): Promise<boolean> {
    return (await this.parts.tree.resource(target, [type]).catch(ignoring('NotFound'))) !== undefined;
  }

  /** As `firstDependency`. @throws DomainError `Conflict` naming the type when there is none */
  async dependency(service: Pick<TenantService, 'target' | 'dependencies'>, type: ServiceType): Promise<Target> {
    const found = await this.firstDependency(service, type);
    if (found !== undefined) return found;
    throw new DomainError('Conflict', `${service.target} needs a service of the type ${type}: add it as a dependency`);
  }
}
