import { at } from '../../../domain/foundation/errors.ts';
import type { Rights } from '../../../domain/tenancy/access/permissions.ts';
import type {
  components,
  documents,
  lateBodies,
  lateQueries,
  logins,
  optionalLogins,
  permissions,
} from '../../../openapi/types.ts';
import type { Origin, Turn } from '../../../ports/turn.ts';
import type { EventSource } from './event-stream.ts';

export type Headers = Record<string, string | string[]>;

/** Keeps an answer with a token, a credential or an error out of every cache (RFC 6749 §5.1). */
export const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** Types that tie handlers to the OpenAPI documents: a missing handler, a wrong body or an undocumented status does not compile. */
type LowerKeys<T> = { [K in keyof T as Lowercase<K & string>]: T[K] };
type Body<T> = T extends { content: infer C } ? C[keyof C] : undefined;
type Param<O, K extends string> = O extends { parameters: infer P }
  ? K extends keyof P
    ? NonNullable<P[K]>
    : object
  : object;

/** Who calls an operation without a login. */
interface Stranger {
  /** The client address, when the operation has a rate limit; see `limitedSource`. */
  limitedSource?: string;
  /** The id of the request. */
  requestId?: string;
  /** Aborted when the client has left before it was answered. */
  left?(): AbortSignal;
  /** The host that was asked for, as the caller wrote it. */
  host?(): string;
  /** The longest life of what it keeps, in seconds; absent for callers that are logged in or known. */
  longestSeconds?: number;
}

/** Who calls an operation to which a login may be presented, such as a logout. */
export interface TokenBearer extends Stranger {
  /** Every login token that was presented, valid or not. */
  presentedTokens: string[];
}

/** Who calls an operation that demands a login. */
export interface LoggedIn extends TokenBearer {
  /** The account of the verified login session. */
  accountId: string;
  /** The token that authenticated the account. */
  token: string;
}

/** The caller, by the `security` of the operation. */
export type Caller = Stranger | TokenBearer | LoggedIn;

/** The account of the caller; undefined without a login. */
export const accountOf = (caller: Caller): string | undefined => ('accountId' in caller ? caller.accountId : undefined);

/**
 * Returns the client address that costly work is counted for.
 * @throws Error when the operation has no `x-rate-limit`, since nothing else bounds how often it is called
 */
export function limitedSource({ limitedSource: source }: Caller): string {
  if (source === undefined) throw new Error('An operation without a limit must not hash passwords');
  return source;
}

/** The turn of costly work for a caller. @throws Error as `limitedSource` */
export const turnOf = (caller: Caller): Turn => ({ source: limitedSource(caller), ...originOf(caller) });

/** The host that a caller asked for, as it was written; '' when it named none. */
export const hostOf = ({ host }: Caller): string => host?.() ?? '';

/** The request of a caller, for what is made in its own name. */
export const originOf = ({ requestId, left }: Caller): Origin => ({ requestId, left: left?.() });

/** The parameters of a query by name, decoded and not validated; repeated values are joined with a comma. */
export type QueryTexts = Readonly<Record<string, string | undefined>>;

/** Gives the validated query, or what `read` makes of its texts. @throws DomainError `BadRequest` that names all fields that the document or `read` refuses */
export interface LateQuery<Query> {
  (): Promise<Query>;
  <T>(read: (texts: QueryTexts) => T): Promise<T>;
}

/** What each line of an answer says: which line it answers, with which status, and what is wrong with it. */
export interface LineAnswer {
  /** Counted from 1, with blank lines. */
  line: number;
  status: number;
  error?: components['schemas']['Problem'];
  /** Seconds until the line may be sent again. */
  retryAfterSeconds?: number;
}

/** A body of many lines. */
export interface RequestLines<T> {
  /** Works on the lines; gives what `work` returns with the number of the line, or what is wrong with it. */
  answered<R extends { status: number }>(
    work: (body: T) => Promise<R>,
  ): AsyncIterable<LineAnswer | (R & Pick<LineAnswer, 'line'>)>;
}

/** A body of many lines is read line by line. */
type RequestBody<T> = T extends Lines<infer L> ? RequestLines<L> : Body<T>;
type Lines<L> = { content: { 'application/x-ndjson': L[] } };

/** The input of an operation: validated, header names in lower case, text bodies unchanged. */
export interface Input<O, Query = Param<O, 'query'>> {
  path: Param<O, 'path'>;
  query: Query;
  headers: LowerKeys<Param<O, 'header'>>;
  body: O extends { requestBody?: infer B } ? RequestBody<NonNullable<B>> : undefined;
  caller: Stranger;
}

/**
 * One of the documented answers. A string body is sent as text/plain unless the document names another type; bytes
 * as they are; lines and server-sent events as they come. `account` is the one that logs in, for the record of the
 * call.
 */
type Output<O> = O extends { responses: infer R }
  ? {
      [S in keyof R & number]: R[S] extends { content: { 'text/event-stream': unknown } }
        ? { status: S; events: EventSource; headers?: Headers }
        : R[S] extends Lines<infer L>
          ? { status: S; lines: AsyncIterable<L>; headers?: Headers }
          : Body<R[S]> extends undefined
            ? { status: S; headers?: Headers; account?: string }
            : { status: S; body: Body<R[S]> | Uint8Array; headers?: Headers; account?: string };
    }[keyof R & number]
  : never;

/** A body that the handler asks for once the access token is checked. @throws DomainError as a body that is read before */
type WithLateBody<I extends { body: unknown }> = Omit<I, 'body'> & { body(): Promise<I['body']> };

/** An operation that the document marks with `x-late-query` asks for its query itself, one with an access token for its body. */
type InputOf<O, Id> = Id extends lateBodies
  ? WithLateBody<Input<O>>
  : Id extends lateQueries
    ? Input<O, LateQuery<Param<O, 'query'>>>
    : Input<O>;

/** Who calls an operation. */
type CallerOf<Id> = Id extends logins ? LoggedIn : Id extends optionalLogins ? TokenBearer : Stranger;

/** What the edge has found out before it calls the handler. */
type Admitted<O, Id> = { caller: CallerOf<Id> } & (Param<O, 'path'> extends { wallet: string }
  ? { walletId: string }
  : unknown) &
  (Id extends keyof permissions ? { rights: Rights } : unknown);

/** Every operation of an OpenAPI document with its handler; part of them is a `Partial`. `More` is what they are given besides. */
export type Handlers<Document extends keyof documents, More = unknown> = {
  [Id in keyof documents[Document]]: (
    input: InputOf<documents[Document][Id], Id> & Admitted<documents[Document][Id], Id> & More,
  ) => Promise<Output<documents[Document][Id]>>;
};

/** A handler as the router calls it. */
export type AnyHandler = (input: Input<never>) => Promise<{
  status: number;
  body?: unknown;
  events?: EventSource;
  lines?: AsyncIterable<unknown>;
  headers?: Headers;
  account?: string;
}>;

/** A handler that answers with this status and with what `make` returns. */
export const reply =
  <S extends number, I, B>(status: S, make: (input: I) => B | Promise<B>, headers?: Headers) =>
  async (input: I) => ({ status, body: await make(input), headers });

/** The same where `make` names fields of the body. */
export const replyToBody = <S extends number, I, B>(status: S, make: (input: I) => B | Promise<B>) =>
  reply(status, (input: I) => at(['body'], () => make(input)));

/** The same for a token, a credential or a secret, which no cache may keep. */
export const replyUncached = <S extends number, I, B>(status: S, make: (input: I) => B | Promise<B>) =>
  reply(status, make, NO_STORE);

/** A handler that answers without a body once `work` is done. */
export const done =
  <S extends number, I>(status: S, work: (input: I) => unknown) =>
  async (input: I) => {
    await work(input);
    return { status };
  };

type Given<H, More> = {
  [Id in keyof H]: H[Id] extends (input: infer I) => infer R ? (input: Omit<I, keyof More>) => R : never;
};

/** Handlers that are always given the same besides the request. */
export function given<H extends object, More extends object>(handlers: H, more: More): Given<H, More> {
  const all = Object.entries(handlers as Record<string, AnyHandler>).map(([operationId, handler]) => {
    const complete: AnyHandler = (input) => handler({ ...input, ...more });
    return [operationId, complete] as const;
  });
  return Object.fromEntries(all) as Given<H, More>;
}
