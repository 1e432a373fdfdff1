import type { Action } from '../../../../domain/tenancy/access/permissions.ts';
import type { AnyHandler, LoggedIn } from '../../messages/operations.ts';

/** Operations of other documents that a document mounts below a target, each with the permission that it needs there, if any. */
export type Mounts = Readonly<Record<string, Action | undefined>>;

/** Where a mounted operation is called, and by whom. */
export interface MountedRequest<A extends Action | undefined = Action | undefined> {
  target: string;
  /** The parameters of the path, which depend on the operation. */
  path: Readonly<Record<string, string>>;
  caller: LoggedIn;
  /** What the caller needs; undefined where no caller logs in. */
  action: A;
}

type MountedName<Id extends string> = `tenant${Capitalize<Id>}`;

/** The name of a mounted operation (scripts/join-documents.mjs). */
const mountedName = <Id extends string>(operationId: Id): MountedName<Id> =>
  `tenant${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}` as MountedName<Id>;

/**
 * The handlers of mounted operations: each request is answered by the handler of the operation that `handlersAt` returns for
 * the service at its target, so that services of tenants and the open endpoints are served by the same code.
 */
export function mountedHandlers<Id extends string, A extends Action | undefined>(
  mounts: Readonly<Record<Id, A>>,
  handlersAt: (request: MountedRequest<A>) => Promise<Readonly<Record<NoInfer<Id>, unknown>>>,
): Record<MountedName<Id>, AnyHandler> {
  const handlers = Object.entries<A>(mounts).map(([operationId, action]) => {
    const handler: AnyHandler = async (input) => {
      const { path, caller } = input as unknown as { path: { target: string }; caller: LoggedIn };
      const own = await handlersAt({ target: path.target, path, caller, action });
      return (own[operationId as Id] as AnyHandler)(input);
    };
    return [mountedName(operationId), handler];
  });
  return Object.fromEntries(handlers);
}
