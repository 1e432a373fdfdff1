import { LruCache } from '../../foundation/lru-cache.ts';
import { segmentsOf, type Target } from '../access/targets.ts';
import type { ServiceType } from '../tree/service-types.ts';
import type { TenantService, TenantServices } from './tenant-services.ts';

/** The memory of what is made from a configuration, for each character of it, in bytes. */
const BYTES_PER_CHARACTER = 8;

/**
 * The working parts of the services of one type, such as issuers, each made from the configuration of its service and kept
 * while that and its public URL are unchanged: a request costs one read of the store. Each organization has a share of the cache.
 */
export class ServiceInstances<T> {
  readonly #made = new LruCache<T>('tenant-services');

  constructor(
    private readonly parts: {
      services: TenantServices;
      type: ServiceType;
      /** Makes the working part of a service from its configuration and its public URL. @throws DomainError when it cannot work */
      make(service: TenantService, baseUrl: string): Promise<T>;
    },
  ) {}

  /** `publicUrl` is asked when there is a service. @throws DomainError `NotFound`, and what `make` throws */
  async at(target: Target, publicUrl: () => Promise<string> = async () => ''): Promise<T> {
    const { services, type, make } = this.parts;
    const { state, read } = await services.found(target, type);
    const baseUrl = await publicUrl();
    const key = `${target} ${state} ${baseUrl}`;
    const [owner] = segmentsOf(target);
    const known = this.#made.get(key, owner);
    if (known !== undefined) return known;
    const service = await read();
    const bytes = BYTES_PER_CHARACTER * JSON.stringify(service.config).length;
    return this.#made.set(key, await make(service, baseUrl), { bytes, owner });
  }
}
