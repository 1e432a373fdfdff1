import { invalidField } from '../../../foundation/errors.ts';
import { isAtOrBelow, isTarget, type Target } from '../../access/targets.ts';
import { dependenciesOf } from '../../tree/resource-content.ts';
import type { ResourceTree } from '../../tree/resource-tree.ts';
import type { TenantUrls } from '../tenant-services.ts';

/** The folders of the path of a DID that is below a registry. */
const FOLDERS = ['did-registry-service-api', 'registry'];
const REGISTRY_PATH = /^v1\/([^/]+)\/did-registry-service-api\/registry\/[^/]+$/;

/** A host with its port, as DIDs have it. */
type Authority = string;

/** The URLs of tenants by their domains. */
interface DomainUrls extends TenantUrls {
  /** The host of this installation, with its port where the URL has one. */
  readonly publicAuthority: Authority;
  /** The segments of its path. */
  readonly publicSegments: readonly string[];
  /** The target of a domain, and how its URLs name it; undefined for a host that is no domain of a tenant. */
  domainOf(host: string): Promise<{ target: Target; authority: Authority } | undefined>;
}

/** Which DIDs are of which URLs of tenants (did:web §3). */
export class DidPlaces {
  constructor(
    private readonly parts: {
      tree: ResourceTree;
      urls: DomainUrls;
    },
  ) {}

  /**
   * The DIDs that a path below a registry may ask for: that of this very path, and that of the domain of the tenant. The
   * domain is the one of the request, if it is a domain of the tenant, or else the oldest one.
   */
  async askedAt(registry: Target, { id, host }: { id: string; host: string }): Promise<string[]> {
    const { own, all } = await this.#authorities(registry, host);
    return [
      ...own.map((authority) => webDid(authority, id.split(':'))),
      ...all.map((authority) => webDid(authority, [...this.#segmentsAt(authority), 'v1', registry, ...FOLDERS, id])),
    ];
  }

  /** The DID of a path on a domain of a tenant, and the target of that; undefined on every other host. */
  async askedOn(host: string, segments: readonly string[]): Promise<{ did: string; target: Target } | undefined> {
    const domain = await this.parts.urls.domainOf(host);
    return domain && { did: webDid(domain.authority, segments), target: domain.target };
  }

  /**
   * Requires that the document of a DID on the host of this server would be published: on that host only registries are.
   * @throws DomainError `BadRequest` naming `path`
   */
  async requireServed({ domain, path }: { domain: string; path?: string }, stores: readonly Target[]): Promise<void> {
    if (domain !== this.parts.urls.publicAuthority) return;
    const prefix = this.#segmentsAt(domain)
      .map((segment) => `${segment}/`)
      .join('');
    const asked = path?.replace(/^\//, '') ?? '';
    const [, registry = ''] = (asked.startsWith(prefix) && REGISTRY_PATH.exec(asked.slice(prefix.length))) || [];
    const found = isTarget(registry) ? await this.parts.tree.lookUp(registry) : undefined;
    if (found?.type === 'did-registry' && dependenciesOf(found).some((store) => stores.includes(store))) return;
    throw invalidField(
      ['path'],
      `must be ${prefix}v1/{target}/did-registry-service-api/registry/{id}, with the target of a did-registry that depends on the ` +
        'same did-store: this host publishes no other',
    );
  }

  /** What a path on an authority begins with. */
  #segmentsAt(authority: Authority): readonly string[] {
    const { publicAuthority, publicSegments } = this.parts.urls;
    return authority === publicAuthority ? publicSegments : [];
  }

  /** The authorities of the domains of the tenant of a registry, and with them that of this server. */
  async #authorities(registry: Target, host: string): Promise<{ own: Authority[]; all: Authority[] }> {
    const { urls } = this.parts;
    const asked = await urls.domainOf(host);
    const oldest = new URL(await urls.baseUrlOf(registry)).host;
    if (asked && isAtOrBelow(registry, asked.target)) return { own: [asked.authority], all: [asked.authority] };
    const own = oldest === urls.publicAuthority ? [] : [oldest];
    return { own, all: [...own, urls.publicAuthority] };
  }
}

const webDid = (authority: Authority, segments: readonly string[]): string =>
  ['did:web', encodeURIComponent(authority), ...segments.map(encodeURIComponent)].join(':');
