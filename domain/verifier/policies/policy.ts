import type { HolderRefusal, Presentation, SignatureCheck, ValidityBounds } from '../../../ports/credential-formats.ts';
import type { JsonSchemas } from '../../../ports/json-schema.ts';
import type { Log } from '../../../ports/log.ts';
import type { Outbound } from '../../../ports/outbound.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { CompiledQuery, Match } from '../../presentation/compiled-query.ts';

/** A requested policy; `args` as its row in the table reads it. */
export interface PolicyRequest {
  policy: string;
  args?: unknown;
}

/** The outcome of one policy: exactly one of the two. */
export type PolicyOutcome = { result: unknown } | { error: unknown };

/** One line of a verification result (interface: Verification result). */
export type PolicyResult = PolicyRequest & {
  description: string;
  is_success: boolean;
  result?: unknown;
  error?: unknown;
};

/** What a policy evaluates: the presentation, or one credential in it. */
export interface Subject {
  /** What paths see. */
  claims: JsonObject;
  /** The credential or presentation as it is shown. */
  document: JsonObject;
  /** The DID or id of the issuer, or of the holder for a presentation; '' when none is named. */
  issuer: string;
  validity: ValidityBounds;
  /** Checks the signature; several calls share one check. @throws DomainError when the key cannot be found */
  checkSignature(): Promise<SignatureCheck<HolderRefusal>>;
}

/** What policies are evaluated with, besides their subject. */
export interface PolicyContext {
  /** Milliseconds since the epoch. */
  now: number;
  presentation: Presentation;
  query: CompiledQuery;
  matches: readonly Match[];
  schemas: JsonSchemas;
  outbound: Outbound;
  log: Log;
}

/** What arguments are read with. */
export type PolicyPorts = Pick<PolicyContext, 'schemas' | 'outbound'>;

/** Where a policy may be listed. */
export type PolicyScope = 'vp' | 'vc';

/** One row of the table of policies. */
export interface Policy {
  description: string;
  scopes: readonly PolicyScope[];
  /** Reads the argument; without this the policy takes none. @throws DomainError `BadRequest`, `AddressRefused` */
  readArgs?(args: unknown, ports: PolicyPorts): unknown;
  run(subject: Subject, given: PolicyContext & { args: unknown }): PolicyOutcome | Promise<PolicyOutcome>;
}

export const passed = (result: unknown): PolicyOutcome => ({ result });
export const failed = (error: unknown): PolicyOutcome => ({ error });
