import type { CredentialFormats } from '../../credentials/formats/formats.ts';
import type { DcqlQuery } from '../../presentation/dcql/query.ts';
import type { PolicyResult } from '../policies/policy.ts';
import { findPolicy } from '../policies/table.ts';
import type { PresentationResult } from './evaluation.ts';
import { handleOf } from './handles.ts';
import type {
  CredentialPolicyResult,
  PolicyResults,
  PresentedCredential,
  QueryShortfall,
  SessionFailure,
  V1Outcome,
} from './outcome.ts';
import { checkResults } from './presentation-checks.ts';
import type { Submission } from './submission.ts';

/** A response whose policies were run. */
export interface EvaluatedResponse {
  query: DcqlQuery;
  formats: CredentialFormats;
  submission: Submission;
  /** By presentation, in the order of the submission. */
  results: readonly PresentationResult[];
}

/** The outcome of a response, with the first of the reasons for which it can fail. */
export function outcomeOf(evaluated: EvaluatedResponse): V1Outcome {
  const { submission } = evaluated;
  const results = policyResults(evaluated);
  const failure =
    presentationFailure(results) ?? queryFailure(evaluated) ?? credentialFailure(results) ?? unlistedFailure(evaluated);
  return {
    vpToken: submission.document,
    credentials: presentedCredentials(submission),
    results: { ...results, overallSuccess: failure === undefined },
    ...(failure && { failure }),
  };
}

/** The presented credentials by the queries that they were presented for. */
export function presentedCredentials({ presentations }: Submission): Record<string, PresentedCredential[]> {
  const byQuery = new Map<string, PresentedCredential[]>();
  for (const { parsed, queryIds } of presentations)
    for (const queryId of queryIds) {
      const shown = parsed.credentials.map((credential) => ({ ...handleOf(credential), claims: credential.document }));
      byQuery.set(queryId, [...(byQuery.get(queryId) ?? []), ...shown]);
    }
  return Object.fromEntries(byQuery);
}

type Results = Omit<PolicyResults, 'overallSuccess'>;

/** The presentations by their queries, each with its lines; without any it is a failure. */
const answersOf = ({ submission, results }: EvaluatedResponse) =>
  submission.presentations.map(({ queryIds: [queryId = ''], parsed }, place) => ({
    queryId,
    format: parsed.credentials[0]?.format ?? parsed.format,
    result: results[place],
  }));

function policyResults(evaluated: EvaluatedResponse): Results {
  const { formats } = evaluated;
  const shown: Results = { vp_policies: {}, vc_policies: [], specific_vc_policies: {} };
  const counts = new Map<string, number>();
  for (const { queryId, format, result } of answersOf(evaluated)) {
    if (!result) continue;
    shown.vp_policies[queryId] = merged(shown.vp_policies[queryId] ?? {}, checkResults(result, { format, formats }));
    for (const { policies } of result.credentials) {
      const count = counts.get(queryId) ?? 0;
      counts.set(queryId, count + 1);
      addLines(shown, policies, { query_id: queryId, credential_index: count });
    }
  }
  return shown;
}

type CheckResults = Results['vp_policies'][string];

/** Of several presentations for one query a check succeeded when it did for each of them. */
const merged = (before: CheckResults, more: CheckResults): CheckResults =>
  Object.fromEntries(
    Object.entries(more).map(([name, { errors }]) => {
      const all = [...(before[name]?.errors ?? []), ...errors];
      return [name, { success: all.length === 0, errors: all }];
    }),
  );

/** Where the lines of a credential are shown. */
type CredentialPlace = Pick<CredentialPolicyResult, 'query_id' | 'credential_index'>;

/** Sorts the lines of one credential into the lists that they come from; what always runs is shown when it failed. */
function addLines(shown: Results, lines: readonly PolicyResult[], at: CredentialPlace): void {
  for (const line of lines) {
    const isShown = line.list === 'all' || (!line.is_success && findPolicy(line.policy) === findPolicy('signature'));
    if (line.list === 'specific')
      shown.specific_vc_policies[at.query_id] = [
        ...(shown.specific_vc_policies[at.query_id] ?? []),
        shownLine(line, at),
      ];
    else if (isShown) shown.vc_policies.push(shownLine(line, at));
  }
}

const shownLine = (
  { policy, args, is_success: success, code, reason, result, error }: PolicyResult,
  at: CredentialPlace,
): CredentialPolicyResult => ({
  policy: { policy, ...(args !== undefined && { args }) },
  success,
  code,
  reason,
  ...(result !== undefined && { result }),
  ...(error !== undefined && { error }),
  ...at,
});

function presentationFailure({ vp_policies: checks }: Results): SessionFailure | undefined {
  const failed = Object.entries(checks).flatMap(([queryId, results]) =>
    Object.entries(results).flatMap(([name, { success }]) => (success ? [] : `${queryId}/${name}`)),
  );
  return failed.length === 0 ? undefined : failedChecks(failed);
}

/** A line that failed and is shown in none of the lists, or a presentation without lines, is a failure all the same. */
function unlistedFailure(evaluated: EvaluatedResponse): SessionFailure | undefined {
  const failed = answersOf(evaluated).flatMap(({ queryId, result }) => {
    if (!result) return `${queryId}/presentation`;
    const lines = [result.presentation, ...result.credentials].flatMap(({ policies }) => policies);
    return lines.flatMap(({ policy, is_success: success }) => (success ? [] : `${queryId}/${policy}`));
  });
  return failed.length === 0 ? undefined : failedChecks([...new Set(failed)]);
}

/** The failure of named checks, each with its query. */
export const failedChecks = (failed: string[]): SessionFailure => ({
  type: 'presentation_validation',
  reason: `Presentation validation failed. Failed VP policies: ${failed.join(', ')}`,
  failed_policies: failed,
});

/** Every credential must satisfy the query that it was presented for, also where the query could have been left out. */
function queryFailure({ query, submission }: EvaluatedResponse): SessionFailure | undefined {
  const { matches, presentations } = submission;
  const met = matches.flatMap((match) => (match.met ? match.queryId : []));
  const presented = new Set(presentations.flatMap(({ queryIds }) => queryIds));
  const wrong = matches.flatMap(({ queryId, met: isMet }) => (!isMet && presented.has(queryId) ? queryId : []));
  if (wrong.length === 0 && submission.query.isSatisfied(matches)) return undefined;
  const failure = shortfall(query, new Set(met), wrong);
  return { type: 'dcql_fulfillment', reason: reasonOf(failure, submission.query), failure };
}

function shortfall(
  { credentials, credentialSets }: DcqlQuery,
  met: ReadonlySet<string>,
  wrong: string[],
): QueryShortfall {
  const isMet = (option: string[]): boolean => option.every((id) => met.has(id));
  const open = credentialSets.filter(({ required, options }) => required && !options.some(isMet));
  const wanted =
    credentialSets.length === 0 ? credentials.map(({ id }) => id) : open.flatMap(({ options }) => options.flat());
  const missing = [...new Set([...wanted, ...wrong])].filter((id) => !met.has(id));
  return {
    missing_query_ids: missing,
    unsatisfied_sets: open.map(({ options }) => ({ options })),
    successfully_validated_query_ids: [...met],
  };
}

function reasonOf({ missing_query_ids: ids }: QueryShortfall, { missing = [] }: Submission['query']): string {
  const unanswered = `Not answered as asked: ${ids.join(', ')}`;
  return `The presented credentials do not fulfil the DCQL query. ${[unanswered, ...missing].join('; ')}`;
}

function credentialFailure({ vc_policies: all, specific_vc_policies: specific }: Results): SessionFailure | undefined {
  const violations = [...all, ...Object.values(specific).flat()].filter(({ success }) => !success);
  if (violations.length === 0) return undefined;
  const names = violations.map(({ query_id: id, policy: { policy } }) => `${id}/${policy}`);
  const reason = `Credential policy verification failed. Failed VC policies: ${[...new Set(names)].join(', ')}`;
  return { type: 'vc_policy_violations', reason, violations };
}
