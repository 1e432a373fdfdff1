import { DomainError } from '../../../domain/foundation/errors.ts';
import { isObject } from '../../../domain/foundation/json.ts';
import type { AuditedCall, AuditRecorder } from '../../../domain/tenancy/audit/audit-recorder.ts';
import type { Operation } from '../messages/document.ts';
import { accountOf } from '../messages/operations.ts';
import { statusOf } from '../messages/problems.ts';
import type { Context, Middleware } from './context.ts';

/** Records calls. */
export type CallRecorder = Pick<AuditRecorder, 'begin' | 'end'>;

/** The two steps of a recorded call: around all that may refuse it, and directly before the work. */
interface AuditSteps {
  around: Middleware;
  before: Middleware;
}

const SAFE_METHODS = new Set(['GET', 'HEAD']);
const LONGEST_ID = 1024;

/**
 * The names of the operations that are recorded: all of the enterprise services that change something. An operation without
 * a login is one when its document has enterprise operations and its path no target: a login, or the creation of the first account.
 */
export function auditedOperations(operations: readonly Operation[]): Set<string> {
  const documents = new Set(operations.filter(({ realm }) => realm === 'enterprise').map(({ document }) => document));
  const isAudited = ({ realm, method, document, authentication, path }: Operation): boolean =>
    !SAFE_METHODS.has(method) &&
    (realm === 'enterprise' || (documents.has(document) && authentication === 'none' && !path.includes('{target}')));
  return new Set(operations.filter(isAudited).map(({ operationId }) => operationId));
}

/** The steps that record the calls of an operation. A call whose caller did not log in is none. */
export function auditSteps({ operationId, authentication }: Operation, recorder: CallRecorder): AuditSteps {
  if (authentication === 'optional') return logoutSteps(operationId, recorder);
  const around: Middleware = async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const status = error instanceof DomainError ? statusOf(error) : 500;
      const account = error instanceof DomainError ? error.account : undefined;
      const { begun } = ctx.state;
      await recorder.end(callOf(operationId, ctx, begun !== undefined), { status, begun, account });
      throw error;
    }
    const { begun, result } = ctx.state;
    const resource = idOf(result?.body);
    await recorder.end(callOf(operationId, ctx, true), {
      status: ctx.status,
      begun,
      account: result?.account,
      resource,
    });
  };
  const before: Middleware = async (ctx, next) => {
    ctx.state.begun = await recorder.begin(callOf(operationId, ctx, true));
    return next();
  };
  return { around, before };
}

/** Without a session a logout changes nothing and is not recorded, so that a caller without a login stores nothing. */
const logoutSteps = (operationId: string, recorder: CallRecorder): AuditSteps => ({
  around: async (ctx, next) => {
    await next();
    const { status, state } = ctx;
    const account = state.result?.account;
    if (account !== undefined)
      await recorder.end(callOf(operationId, ctx, true), { status, begun: undefined, account });
  },
  before: (_ctx, next) => next(),
});

/** What is recorded of a request; the names in its path only when they are valid. */
function callOf(action: string, { params, state }: Context, isValid: boolean): AuditedCall {
  const { org = '', target = org, ...names } = params;
  return {
    action,
    target,
    parameters: isValid ? names : {},
    account: accountOf(state.caller) ?? '',
    source: state.source,
    requestId: state.requestId,
  };
}

/** The id of what an answer shows. */
const idOf = (body: unknown): string | undefined =>
  isObject(body) && typeof body._id === 'string' && body._id.length <= LONGEST_ID ? body._id : undefined;
