import type { ServerResponse } from 'node:http';
import { invalidField } from '../../../domain/foundation/errors.ts';
import { refuseRoleReferences } from '../../../domain/keys/role-references.ts';
import type { Log } from '../../../ports/log.ts';
import { documentedType, MAX_BODY_BYTES, mediaTypeOf, type OperationWithBody, readBody } from '../messages/body.ts';
import { BodyRoom } from '../messages/body-room.ts';
import type { Operation } from '../messages/document.ts';
import type { StreamParts } from '../messages/event-stream.ts';
import { IncomingBody } from '../messages/incoming-body.ts';
import { AHEAD_BYTES, BodyLines, hasLines, ofOneLine } from '../messages/lines.ts';
import type { AnyHandler, Caller, Input } from '../messages/operations.ts';
import { lateQuery, readHeaders, readQuery } from '../messages/request.ts';
import { type Admission, admitTo } from './admission.ts';
import { answerTypes, writeAnswer } from './answer.ts';
import { auditedOperations, auditSteps, type CallRecorder } from './audit-steps.ts';
import { authenticate, type LoginRealms, type OriginRules } from './authentication.ts';
import type { ClientAddresses } from './client-addresses.ts';
import type { Context, Middleware } from './context.ts';
import type { ManagementToken } from './management.ts';
import { problemOf } from './middleware.ts';
import { OpenEnded } from './open-ended.ts';
import { type RateLimits, UNLIMITED } from './rate-limits.ts';
import type { StrangerBounds } from './stranger-bounds.ts';
import { checkHost, type TenantHosts } from './tenant-hosts.ts';
import type { CheckedContract, RequestParts, RequestValidation } from './validation.ts';
import { asWritten } from './written-names.ts';

/** What the routes are made of. */
export interface RouteParts extends CheckedContract {
  handlers: Record<string, AnyHandler>;
  sessions: LoginRealms;
  origins: OriginRules;
  limits: RateLimits;
  streams: StreamParts;
  sources: ClientAddresses;
  /** What callers without a login may have stored; absent where nothing is kept. */
  strangers?: StrangerBounds;
  /** Demanded at operations of management; absent where they are open. */
  management?: ManagementToken;
  /** Whether callers may name keys of the role of this machine, also at operations that need no token of the operator. */
  allowsRoles?: boolean;
  /** The domains of tenants; absent where there are none. */
  hosts?: TenantHosts;
  log: Log;
  admission: Admission;
  /** Records the calls of operations that are audited; absent where there are none. */
  recorder?: CallRecorder;
}

/** The steps of a request to an operation, as one. @throws Error when it has no handler, or names a limit that does not exist */
export function routeSteps(parts: RouteParts): (operation: Operation) => Middleware {
  const openEnded = new OpenEnded();
  const room = new BodyRoom();
  const audited = auditedOperations(parts.contract.operations);
  return (operation) => {
    const handler = parts.handlers[operation.operationId];
    if (!handler) throw new Error(`The operation ${operation.operationId} has no handler`);
    if (operation.rateLimit !== undefined) parts.limits.ruleOf(operation.rateLimit);
    const recorder = audited.has(operation.operationId) ? parts.recorder : undefined;
    const audit = recorder && auditSteps(operation, recorder);
    return atFirstUse(() =>
      inOrder([
        nameOperation(operation),
        receiveBody(operation, room),
        parts.management?.step(operation),
        limitRate(operation, parts.limits),
        checkHost(operation, parts),
        authenticateCaller(operation, parts),
        openEnded.step(operation),
        audit?.around,
        readRequest(operation, parts),
        validateRequest(operation, parts.validation),
        operation.requestBody && nameAsWritten,
        mayNameRoles(operation, parts) ? undefined : refuseRoles,
        parts.strangers?.step(operation),
        audit?.before,
        callHandler(operation, handler, parts),
      ]),
    );
  };
}

/** Makes a step when it first runs: most operations of a server are never called. */
const atFirstUse = (make: () => Middleware): Middleware => {
  let made: Middleware | undefined;
  return (ctx, next) => {
    made ??= make();
    return made(ctx, next);
  };
};

/** Chains steps once: @koa/router composes the middleware of a route anew for each request. */
const inOrder = (steps: (Middleware | undefined)[]): Middleware =>
  steps.reduceRight<Middleware>(
    (rest, step) => (step ? (ctx, next) => step(ctx, () => rest(ctx, next)) : rest),
    (_ctx, next) => next(),
  );

const nameOperation =
  (operation: Operation): Middleware =>
  (ctx, next) => {
    ctx.state.operation = operation;
    return next();
  };

/** Receives a body from its first byte on; it is read when the caller is known. */
const receiveBody = (operation: Operation, room: BodyRoom): Middleware => {
  if (!operation.requestBody)
    return (ctx, next) => {
      ctx.req.resume();
      return next();
    };
  const bound = hasLines(operation)
    ? ({ most: AHEAD_BYTES, beyond: 'wait' } as const)
    : ({ most: operation.maxBodyBytes ?? MAX_BODY_BYTES, beyond: 'refuse' } as const);
  return (ctx, next) => {
    const { req: request, res: response, state } = ctx;
    state.incoming = new IncomingBody({ request, response, share: room.shareOf(state.source), ...bound });
    return next();
  };
};

const limitRate = (operation: Operation, limits: RateLimits): Middleware => {
  if (operation.rateLimit === undefined)
    return (ctx, next) => {
      ctx.state.limit = UNLIMITED;
      return next();
    };
  return async (ctx, next) => {
    const limit = await limits.check({ operation, ...callerOf(ctx) });
    ctx.set(limit.headers);
    if (limit.refusal) throw limit.refusal;
    ctx.state.limit = limit;
    return next();
  };
};

const authenticateCaller = (
  operation: Operation,
  parts: Pick<RouteParts, 'sessions' | 'origins' | 'sources'>,
): Middleware => {
  const { authentication, isOfOperator, rateLimit } = operation;
  const admit = (ctx: Context, caller: Caller): void => {
    if (rateLimit !== undefined) caller.limitedSource = ctx.state.source;
    caller.requestId = ctx.state.requestId;
    caller.left = () => leaving(ctx.res);
    caller.host = () => parts.sources.hostOf(ctx.req);
    ctx.state.caller = caller;
  };
  if (authentication === 'none' && !isOfOperator)
    return (ctx, next) => {
      admit(ctx, {});
      return next();
    };
  return async (ctx, next) => {
    admit(ctx, await ctx.state.limit.run(() => authenticate(ctx, operation, parts)));
    return next();
  };
};

/** Aborted when the connection of an answer closes before it is sent. */
function leaving(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  if (response.destroyed) left.abort();
  response.once('close', () => {
    if (!response.writableFinished) left.abort();
  });
  return left.signal;
}

const readRequest = (operation: Operation, parts: BodyParts): Middleware => {
  const readHead = (ctx: Context): RequestParts => ({
    path: readPath(ctx),
    query: readQuery(ctx.querystring, operation),
    header: readHeaders(ctx.req, operation),
    requestBody: undefined,
  });
  const { requestBody } = operation;
  if (!requestBody)
    return (ctx, next) => {
      ctx.state.parts = readHead(ctx);
      return next();
    };
  if (operation.lateBody)
    return (ctx, next) => {
      ctx.state.parts = { ...readHead(ctx), isBodyLate: true };
      return next();
    };
  const withBody = { ...operation, requestBody };
  const read = hasLines(operation)
    ? lineReader(withBody, parts)
    : (ctx: Context): Promise<unknown> => readBody(ctx.state.incoming, withBody);
  return async (ctx, next) => {
    const parts = readHead(ctx);
    parts.requestBody = await read(ctx);
    parts.mediaType = mediaTypeOf(ctx.req);
    parts.moved = ctx.state.alias?.moved;
    ctx.state.parts = parts;
    return next();
  };
};

type BodyParts = Pick<RouteParts, 'limits' | 'validation' | 'streams' | 'strangers' | 'log'> & RoleParts;

/** Opens a body of many lines, each of which is checked and counted as a request of its own. */
function lineReader(operation: OperationWithBody, parts: BodyParts): (ctx: Context) => unknown {
  const { limits, validation, streams, log } = parts;
  const ofLine = ofOneLine(operation);
  const admit = async <T>(ctx: Context, work: () => Promise<T>): Promise<T> => {
    const limit = await limits.check({ operation, ...callerOf(ctx) });
    if (limit.refusal) throw limit.refusal;
    return limit.run(work);
  };
  return (ctx) => {
    const { req: request, res: response, state } = ctx;
    const isBounded = parts.strangers?.step(operation) !== undefined;
    documentedType(request, operation);
    return new BodyLines({
      incoming: state.incoming,
      response,
      connections: streams.connections,
      admit: (work) => admit(ctx, work),
      check: (requestBody) => {
        validation.check(ofLine, { path: {}, query: {}, header: {}, requestBody });
        if (!mayNameRoles(operation, parts)) refuseRoleReferences(requestBody, ['body']);
        if (isBounded) parts.strangers?.check(ctx, requestBody);
      },
      problem: (error) => problemOf(error, state, log),
    });
  };
}

/** Who calls, and at which target, for the limits. */
const callerOf = ({ state: { source, isLocal }, params: { target } }: Context) => ({ source, isLocal, target });

/** The path parameters; a path that is not properly percent-encoded names nothing. */
function readPath({ path, params }: Context): Record<string, string> {
  if (!path.includes('%')) return params;
  try {
    decodeURIComponent(path);
  } catch {
    throw invalidField(['path'], 'is not properly percent-encoded');
  }
  return params;
}

/** Errors name the members of a body as the caller wrote them. */
const nameAsWritten: Middleware = (ctx, next) =>
  next().catch((error: unknown) => {
    throw asWritten(error, ctx.state.parts.renamed);
  });

const validateRequest =
  (operation: Operation, validation: RequestValidation): Middleware =>
  (ctx, next) => {
    const { parts } = ctx.state;
    validation.check(operation, operation.lateQuery ? { ...parts, query: {} } : parts);
    return next();
  };

/** Whether the references of callers may be to keys of the machine's role: the operator says so, or is the caller. */
const mayNameRoles = ({ isManagement }: Operation, { allowsRoles, management }: RoleParts): boolean =>
  allowsRoles === true || (isManagement && management !== undefined);

type RoleParts = Pick<RouteParts, 'allowsRoles' | 'management'>;

const refuseRoles: Middleware = (ctx, next) => {
  const { requestBody } = ctx.state.parts;
  // The lines of a body are checked one by one.
  if (!(requestBody instanceof BodyLines)) refuseRoleReferences(requestBody, ['body']);
  return next();
};

/** Reads and validates the body of a request whose other parts are validated. */
const readLateBody = async (operation: Operation, { req, state }: Context, validation: RequestValidation) => {
  const { requestBody } = operation;
  if (!requestBody) return undefined;
  const body = await readBody(state.incoming, { ...operation, requestBody });
  validation.check(operation, {
    ...state.parts,
    isBodyLate: false,
    requestBody: body,
    mediaType: mediaTypeOf(req),
  });
  return body;
};

/** At another path of an operation its answer may be a member of the answer. */
function answerOf({ state }: Context, result: Answer): Answer {
  const member = state.alias?.answer;
  return member === undefined || result.body === undefined ? result : { ...result, body: { [member]: result.body } };
}

type Answer = Awaited<ReturnType<AnyHandler>>;

const callHandler = (
  operation: Operation,
  handler: AnyHandler,
  { validation, streams, admission }: Pick<RouteParts, 'validation' | 'streams' | 'admission'>,
): Middleware => {
  const admit = admitTo(operation, admission);
  const answering = { types: answerTypes(operation), streams };
  return async (ctx) => {
    const { parts, caller, limit } = ctx.state;
    const { path, header: headers } = parts;
    const body = operation.lateBody ? () => readLateBody(operation, ctx, validation) : parts.requestBody;
    const query = operation.lateQuery
      ? lateQuery(parts.query, () => validation.violations(operation, parts))
      : parts.query;
    const input = { path, query, headers, body, caller };
    const result = await limit.run(async () =>
      handler((admit ? { ...input, ...(await admit(ctx)) } : input) as unknown as Input<never>),
    );
    ctx.state.result = result;
    await writeAnswer(ctx, answering, answerOf(ctx, result));
  };
};
