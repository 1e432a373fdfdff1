import type Koa from 'koa';
import type { BegunCall } from '../../../domain/tenancy/audit/audit-recorder.ts';
import type { Operation } from '../messages/document.ts';
import type { IncomingBody } from '../messages/incoming-body.ts';
import type { AnyHandler, Caller } from '../messages/operations.ts';
import type { AliasedRequest } from './path-aliases.ts';
import type { RateLimitDecision } from './rate-limits.ts';
import type { RequestParts } from './validation.ts';

/** What the middleware of a request leaves for the later ones. */
export interface RequestState {
  requestId: string;
  /** The canonical client address (decisions §9). */
  source: string;
  /** Whether it is of a network of the operator. */
  isLocal: boolean;
  /** The operation that the request names; absent when it names none. */
  operation?: Operation;
  /** What the path is another name of; absent where it is the path of the operation. */
  alias?: AliasedRequest;
  /** Of an operation that has one. */
  incoming: IncomingBody;
  limit: RateLimitDecision;
  caller: Caller;
  parts: RequestParts;
  /** The recorded beginning of a call of which one is kept. */
  begun?: BegunCall;
  /** What the handler returned. */
  result?: Awaited<ReturnType<AnyHandler>>;
}

export type Middleware = Koa.Middleware<RequestState, { params: Record<string, string> }>;
export type Context = Parameters<Middleware>[0];
