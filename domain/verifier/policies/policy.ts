import type { JsonSchemas } from '../../../ports/json-schema.ts';
import type { Log } from '../../../ports/log.ts';
import type { Outbound } from '../../../ports/outbound.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { CompiledQuery, Match, QueriedPresentation } from '../../presentation/compiled-query.ts';
import type { Presentation } from '../presentation.ts';

/** A policy as it was asked for; `args` in the form its row in the table reads it into. */
export interface PolicyRequest {
  policy: string;
  args?: unknown;
}

/** What came out of one policy: exactly one of the two. */
export type PolicyOutcome = { result: unknown } | { error: unknown };

/** One line of a verification result (interface: Verification result). */
export type PolicyResult = PolicyRequest & {
  description: string;
  is_success: boolean;
  result?: unknown;
  error?: unknown;
};

/** What a policy is held against: the presentation, or one credential in it. */
export interface Subject {
  /** The whole claims set of the token. */
  claims: JsonObject;
  /** The credential inside it. */
  document: JsonObject;
  issuer: string;
  /** Checks the signature; however often it is asked, it is checked once. */
  signature(): Promise<PolicyOutcome>;
}

/** What policies may know and use besides their subject. */
export interface PolicyContext {
  /** Milliseconds since the epoch. */
  now: number;
  presentation: Presentation;
  query: CompiledQuery;
  /** The presentation as queries see it. */
  presented: QueriedPresentation;
  matches: readonly Match[];
  schemas: JsonSchemas;
  outbound: Outbound;
  log: Log;
}

/** Where a policy may be listed. */
export type PolicyScope = 'vp' | 'vc';

/** One row of the table of policies. */
export interface Policy {
  description: string;
  scopes: readonly PolicyScope[];
  /** Reads the argument; `at` is its JSON Pointer. Without this the policy takes none. @throws DomainError `BadRequest` */
  readArgs?(args: unknown, place: { at: string; schemas: JsonSchemas }): unknown;
  run(subject: Subject, given: PolicyContext & { args: unknown }): PolicyOutcome | Promise<PolicyOutcome>;
}

export const passed = (result: unknown): PolicyOutcome => ({ result });
export const failed = (error: unknown): PolicyOutcome => ({ error });
