import { isTarget, nothingAt } from '../../../domain/tenancy/access/targets.ts';
import type { Operation } from '../messages/document.ts';
import type { ClientAddresses } from './client-addresses.ts';
import type { Middleware } from './context.ts';

/** The domains of tenants. */
export interface TenantHosts {
  /** Whether a request for a host (a `Host` header) is answered for a target. */
  answers(host: string, target: string): Promise<boolean>;
}

/** Refuses a target that the domain of the request does not reach, as if it were not there. */
export function checkHost(
  { path }: Operation,
  { hosts, sources }: { hosts?: TenantHosts; sources: ClientAddresses },
): Middleware {
  if (hosts === undefined || !path.includes('{target}')) return (_ctx, next) => next();
  return async (ctx, next) => {
    const { target = '' } = ctx.params;
    if (isTarget(target) && !(await hosts.answers(sources.hostOf(ctx.req), target))) throw nothingAt(target);
    return next();
  };
}
