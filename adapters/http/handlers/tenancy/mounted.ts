import type { Rights } from '../../../../domain/tenancy/access/permissions.ts';
import type { AnyHandler } from '../../messages/operations.ts';

/** Where a mounted operation is called, and what its caller may do where the operation needs a permission. */
export interface MountedRequest {
  path: { target: string };
  rights?: Rights;
}

/** The name of a mounted operation (scripts/join-documents.mjs). */
export const mountedName = (operationId: string): string =>
  `tenant${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`;

/**
 * The handlers of operations of another document that a document mounts below a target: those of the open endpoints, given
 * `more`, which is of the service at the target, so that both are served by the same code.
 */
export function mountedHandlers(
  handlers: object,
  more: (request: MountedRequest) => Promise<object>,
): Record<string, AnyHandler> {
  const all = Object.entries(handlers as Record<string, AnyHandler>).map(([operationId, handler]) => {
    const mounted: AnyHandler = async (input) =>
      handler({ ...input, ...(await more(input as unknown as MountedRequest)) });
    return [mountedName(operationId), mounted] as const;
  });
  return Object.fromEntries(all);
}
