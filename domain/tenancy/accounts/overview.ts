import type { LimitRule } from '../../../ports/counters.ts';
import type { Store } from '../../../ports/store.ts';
import type { Access } from '../access/access.ts';

/** A limit of requests in force; the other members only where failures lead to a block. */
interface LimitInForce {
  section: string;
  requestsPerMinute: number;
  failureWindowSeconds?: number;
  failureThreshold?: number;
  failureBlockSeconds?: number;
}

/** The facts of an installation that do not change while it runs; none is a secret. */
export interface InstallationFacts {
  version: string;
  publicUrl: string;
  services: readonly string[];
  storeType: string;
  /** By section; undefined for one that is off. */
  rules: Readonly<Record<string, LimitRule | undefined>>;
  pagination: { defaultLimit: number; maxLimit: number };
}

/** The state of an installation. */
interface Overview {
  version: string;
  publicUrl: string;
  services: string[];
  store: { type: string; state: 'Healthy' | 'Unhealthy' };
  limits: LimitInForce[];
  pagination: { defaultLimit: number; maxLimit: number };
}

/** Shows superadmins what runs here. */
export class Overviews {
  constructor(
    private readonly parts: {
      access: Access;
      store: Pick<Store, 'ping'>;
      facts: InstallationFacts;
    },
  ) {}

  /** @throws DomainError `Forbidden` */
  async show(caller: string): Promise<Overview> {
    const { access, store, facts } = this.parts;
    await access.requireSuperadmin(caller);
    const { version, publicUrl, services, storeType, rules, pagination } = facts;
    const state = await store.ping().then(
      () => 'Healthy' as const,
      () => 'Unhealthy' as const,
    );
    const limits = Object.entries(rules).flatMap(([section, rule]) => (rule ? [limitOf(section, rule)] : []));
    return { version, publicUrl, services: [...services], store: { type: storeType, state }, limits, pagination };
  }
}

const limitOf = (section: string, { requestsPerMinute, backoff }: LimitRule): LimitInForce => ({
  section,
  requestsPerMinute,
  ...(backoff && {
    failureWindowSeconds: backoff.windowSeconds,
    failureThreshold: backoff.threshold,
    failureBlockSeconds: backoff.blockSeconds,
  }),
});
