import type { Handover, ParsedCredential, ParsedPresentation } from '../../../ports/credential-formats.ts';
import type { JsonObject } from '../../foundation/json.ts';
import type { CompiledQuery, Match } from '../../presentation/matching/compiled-query.ts';

/** A presentation of a response. */
export interface SubmittedPresentation {
  parsed: ParsedPresentation;
  /** The queries that the wallet presents its credentials for. */
  queryIds: readonly string[];
}

/** A parsed response of a wallet, matched with the query. */
export interface Submission {
  presentations: readonly SubmittedPresentation[];
  /** The credentials of all presentations, as matches count them. */
  credentials: readonly ParsedCredential[];
  /** The parameter that names the queries: the submission, or the `vp_token` of DCQL. */
  document: JsonObject;
  /** The `vp_token` as JSON. */
  token: unknown;
  handover?: Handover;
  query: CompiledQuery;
  matches: readonly Match[];
}
